/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data that a replay across holes collects about the part behind them.  If a hole lost that blocks were freed, older
 * buffers for these blocks must not be replayed over the data of a newer file: data is not in the log.
 */
#include "log_across.h"

#include "array.h"
#include "sets/sort.h"

void log_across_free(struct log_across *across)
{
	if (!across)
		return;
	free(across->later);
	free(across->spans);
	free(across->former);
	free(across);
}

int log_across_note(struct log_across *across, const struct log_inode *inode, uint32_t holes)
{
	const struct dinode_disk *core = (const void *)inode->core;
	const uint16_t mode = inode->core_len ? be16_get(core->mode) : 0;

	return array_add(across->later, across->later_room, across->nlater,
			 (struct log_later){ inode->ino, holes, mode });
}

int log_across_span(struct log_across *across, uint64_t from, uint64_t to, uint32_t holes, enum log_span_kind kind)
{
	return array_add(across->spans, across->spans_room, across->nspans,
			 (struct log_span){ from, to, to, holes, kind });
}

static int later_order(const void *a, const void *b)
{
	const struct log_later *x = a, *y = b;

	return x->ino.v != y->ino.v ? number_order(x->ino.v, y->ino.v) : number_order(x->holes, y->holes);
}

static int span_order(const void *a, const void *b)
{
	const struct log_span *x = a, *y = b;

	return number_order(x->from, y->from);
}

void log_across_settle(struct log_across *across)
{
	size_t count = 0;

	if (across->nlater)
		qsort(across->later, across->nlater, sizeof(*across->later), later_order);
	for (size_t i = 0; i < across->nlater; i++) {
		if (count && across->later[count - 1].ino.v == across->later[i].ino.v)
			count--;
		across->later[count++] = across->later[i];
	}
	across->nlater = count;
	if (across->nspans)
		qsort(across->spans, across->nspans, sizeof(*across->spans), span_order);
	for (size_t i = 1; i < across->nspans; i++)
		if (across->spans[i].reach < across->spans[i - 1].reach)
			across->spans[i].reach = across->spans[i - 1].reach;
}

static bool later_below(const void *element, const void *key)
{
	return ((const struct log_later *)element)->ino.v < ((const xino_t *)key)->v;
}

const struct log_later *log_across_later(const struct log_across *across, xino_t ino)
{
	const size_t at = array_lower_bound(across->later, across->nlater, sizeof(*across->later), &ino, later_below);

	return at < across->nlater && across->later[at].ino.v == ino.v ? &across->later[at] : NULL;
}

/* True if a buffer of this type may be an older state of the span's blocks. */
static bool may_be_older(enum log_span_kind kind, enum log_buf_type type)
{
	switch (kind) {
	case LOG_SPAN_ATTR:
		return type == LB_ATTR_LEAF || type == LB_ATTR_REMOTE || type == LB_DA_NODE || type == LB_BTREE;
	case LOG_SPAN_SYMLINK:
		return type == LB_SYMLINK;
	default:
		return false;
	}
}

static bool begins_before(const void *element, const void *key)
{
	return ((const struct log_span *)element)->from < *(const uint64_t *)key;
}

bool log_across_guards(const struct log_across *across, uint64_t from, uint64_t len, uint32_t holes,
		       enum log_buf_type type)
{
	const uint64_t end = from + len;
	size_t i =
		across ? array_lower_bound(across->spans, across->nspans, sizeof(*across->spans), &end, begins_before)
		       : 0;

	while (i-- > 0 && across->spans[i].reach > from) {
		const struct log_span *span = &across->spans[i];

		if (span->to > from && span->holes > holes && !may_be_older(span->kind, type))
			return true;
	}
	return false;
}

static bool entry_below(const void *element, const void *key)
{
	return ((const struct log_former *)element)->entry < *(const uint64_t *)key;
}

size_t log_former_find(const struct log_across *across, uint64_t entry)
{
	const size_t at =
		array_lower_bound(across->former, across->nformer, sizeof(*across->former), &entry, entry_below);

	return at < across->nformer && across->former[at].entry == entry ? at : across->nformer;
}
