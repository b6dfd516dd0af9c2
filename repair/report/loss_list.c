/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of losses, changes and restored objects. */
#include "loss_list.h"

#include "array.h"

void loss_list_add(struct loss_list *list, const struct loss *loss, const uint8_t *name, const uint8_t *now)
{
	const size_t names = (size_t)loss->namelen + loss->now_len;
	uint8_t *bytes = list->bytes < list->limit ? malloc(names + 1) : NULL;

	if (!bytes || array_grow(&list->all, &list->room, list->count, sizeof(*list->all))) {
		free(bytes);
		list->left_out++;
		return;
	}
	if (loss->namelen)
		memcpy(bytes, name, loss->namelen);
	if (loss->now_len)
		memcpy(bytes + loss->namelen, now, loss->now_len);
	list->bytes += sizeof(*loss) + names;
	list->all[list->count] = *loss;
	list->all[list->count++].bytes = bytes;
}

void loss_list_free(struct loss_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->all[i].bytes);
	free(list->all);
	*list = (struct loss_list){ 0 };
}

#define COMPARE(x, y)                                                                                                  \
	do {                                                                                                           \
		if ((x) != (y))                                                                                        \
			return (x) < (y) ? -1 : 1;                                                                     \
	} while (0)

/* Returns the object by which the report groups losses. */
static uint64_t object_of(const struct loss *l)
{
	return l->kind == LOSS_NAME ? l->dir.v : l->ino.v;
}

static int order(const void *a, const void *b)
{
	const struct loss *x = a, *y = b;
	int names;

	COMPARE(x->fate, y->fate);
	COMPARE(x->kind, y->kind);
	COMPARE(object_of(x), object_of(y));
	COMPARE(x->reason, y->reason);
	COMPARE(x->witness, y->witness);
	COMPARE(x->from, y->from);
	COMPARE(x->field, y->field);
	names = memcmp(x->bytes, y->bytes, x->namelen < y->namelen ? x->namelen : y->namelen);
	if (names)
		return names;
	COMPARE(x->namelen, y->namelen);
	COMPARE(x->ino.v, y->ino.v);
	return 0;
}

void loss_list_settle(struct loss_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (list->all[i].kind == LOSS_NR)
			free(list->all[i].bytes);
		else
			list->all[kept++] = list->all[i];
	}
	list->count = kept;
	if (kept)
		qsort(list->all, kept, sizeof(*list->all), order);
}

bool loss_same_object(const struct loss *a, const struct loss *b)
{
	return a->fate == b->fate && a->kind == b->kind && a->reason == b->reason && a->witness == b->witness &&
	       object_of(a) == object_of(b);
}

const char *loss_kind_id(enum loss_kind kind)
{
	static const char *const ids[] = {
#define x(symbol, id, one, many) [LOSS_##symbol] = (id),
		LOSS_TABLE(x)
#undef x
	};

	return ids[kind];
}

const char *loss_fate_id(enum loss_fate fate)
{
	static const char *const ids[] = {
		[FATE_LOST] = "lost", [FATE_CHANGED] = "changed", [FATE_GAINED] = "gained", [FATE_OUTDATED] = "outdated"
	};

	return ids[fate];
}

const char *loss_witness_id(enum loss_witness witness)
{
	static const char *const ids[] = {
		[WITNESS_BLOCK] = "block", [WITNESS_ROUND] = "round", [WITNESS_COUNT] = "count"
	};

	return ids[witness];
}

const char *loss_doubt_id(enum loss_doubt doubt)
{
	static const char *const ids[] = { [DOUBT_CHECKSUM] = "checksum",
					   [DOUBT_AGE] = "age",
					   [DOUBT_AREA] = "area",
					   [DOUBT_FREE] = "free",
					   [DOUBT_PARENTS] = "parents" };

	return ids[doubt];
}

const char *loss_field_id(enum loss_field field)
{
	static const char *const ids[] = {
#define x(symbol, id, octal) [LOSS_FIELD_##symbol] = (id),
		LOSS_FIELDS(x)
#undef x
	};

	return ids[field];
}

const char *loss_reason_id(enum drop_reason reason)
{
	static const char *const ids[] = {
#define x(symbol, id, sentence) [DROP_##symbol] = (id),
		DROP_TABLE(x)
#undef x
	};

	return ids[reason];
}

const char *loss_reason_text(enum drop_reason reason)
{
	static const char *const texts[] = {
#define x(symbol, id, sentence) [DROP_##symbol] = (sentence),
		DROP_TABLE(x)
#undef x
	};

	return texts[reason];
}
