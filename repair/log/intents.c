/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The intents that wait for recovery, in a hash table by type and id; a done item removes its intent (ondisk 11,
 * "Intents/dones").  Ids are memory addresses of the kernel that wrote the log, so another intent may have the same id
 * after the first is done.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "intents_waiting.h"
#include "sets/ordered.h"

/* Each thread of a kernel has only a few intents at a time: a log with more than this was made to exhaust memory. */
#define WAITING_MAX (1u << 20)

/* An intent that waits for recovery. */
struct intent {
	struct intent *next;
	uint64_t id;
	uint64_t order; /* in the log */
	enum log_item_type type;
	struct intent_op *op; /* NULL: not about files */
	uint32_t count;
	struct log_intent_extent extents[];
};

static enum intent_kind kind_of(enum log_item_type type)
{
	switch (type) {
	case LI_EFI:
	case LI_EFI_RT:
		return INTENT_EFI;
	case LI_RUI:
	case LI_RUI_RT:
		return INTENT_RUI;
	case LI_CUI:
	case LI_CUI_RT:
		return INTENT_CUI;
	case LI_BUI:
		return INTENT_BUI;
	case LI_ATTRI:
		return INTENT_ATTRI;
	default:
		return INTENT_XMI;
	}
}

static bool is_intent_or_done(enum log_item_type type)
{
	return type == LI_EFI || type == LI_EFD || (type >= LI_RUI && type <= LI_CUD_RT);
}

struct intents *intents_new(void)
{
	struct intents *intents = calloc(1, sizeof(*intents));

	if (intents && hash_key_random(&intents->key)) {
		free(intents);
		return NULL;
	}
	return intents;
}

static void intent_free(struct intent *intent)
{
	if (intent)
		free(intent->op);
	free(intent);
}

void intents_free(struct intents *intents)
{
	if (!intents)
		return;
	for (unsigned i = 0; i < INTENTS_BUCKETS; i++) {
		while (intents->table[i]) {
			struct intent *next = intents->table[i]->next;

			intent_free(intents->table[i]);
			intents->table[i] = next;
		}
	}
	effects_free(&intents->effects);
	free(intents->ops);
	free(intents);
}

/* Returns the pointer that links the intent into its chain, or the one at the end of the chain. */
static struct intent **find_intent(struct intents *intents, enum log_item_type type, uint64_t id)
{
	struct intent **link = &intents->table[hash2(&intents->key, id, type) % INTENTS_BUCKETS];

	while (*link && ((*link)->type != type || (*link)->id != id))
		link = &(*link)->next;
	return link;
}

static void remove_intent(struct intents *intents, enum log_item_type type, uint64_t id)
{
	struct intent **link = find_intent(intents, type, id), *intent = *link;

	if (!intent)
		return; /* the intent of this done is before the tail of the log */
	*link = intent->next;
	intents->waiting[kind_of(type)]--;
	intent_free(intent);
}

/* Returns a zeroed operation, with room for so many bytes behind it. */
static struct intent_op *new_op(enum log_item_type type, size_t bytes)
{
	struct intent_op *op = calloc(1, sizeof(*op) + bytes);

	if (op)
		op->type = type;
	return op;
}

/* Copies the bytes of a region, which are valid only during the call, to *at, and advances *at. */
static void keep_region(struct log_region *region, uint8_t **at)
{
	if (region->len)
		memcpy(*at, region->bytes, region->len);
	region->bytes = *at;
	*at += region->len;
}

static int read_attri(const struct check *c, const struct log_item *item, struct intent *intent)
{
	struct log_attri attri;
	uint8_t *bytes;

	if (!log_attri_decode(c, item, &attri))
		return 1;
	intent->op =
		new_op(LI_ATTRI, (size_t)attri.name.len + attri.new_name.len + attri.value.len + attri.new_value.len);
	if (!intent->op)
		return -ENOMEM;
	bytes = (uint8_t *)(intent->op + 1);
	keep_region(&attri.name, &bytes);
	keep_region(&attri.new_name, &bytes);
	keep_region(&attri.value, &bytes);
	keep_region(&attri.new_value, &bytes);
	intent->op->attri = attri;
	return 0;
}

static int read_xmi(const struct check *c, const struct log_item *item, struct intent *intent)
{
	struct log_xmi xmi;

	if (!log_xmi_decode(c, item, &xmi))
		return 1;
	intent->op = new_op(LI_XMI, 0);
	if (!intent->op)
		return -ENOMEM;
	intent->op->xmi = xmi;
	return 0;
}

/* Decodes an item into an intent with room for its extents.  Returns 0, 1: invalid and reported, or -ENOMEM. */
static int read_intent(const struct check *c, const struct log_item *item, uint32_t count, struct intent *intent)
{
	switch (kind_of(intent->type)) {
	case INTENT_ATTRI:
		return read_attri(c, item, intent);
	case INTENT_XMI:
		return read_xmi(c, item, intent);
	default:
		break;
	}
	for (; intent->count < count; intent->count++)
		if (!log_intent_extent(c, item, intent->count, &intent->extents[intent->count]))
			return 1;
	if (intent->type != LI_BUI)
		return 0;
	intent->op = new_op(LI_BUI, 0);
	if (!intent->op)
		return -ENOMEM;
	intent->op->extent = intent->extents[0]; /* it has exactly one */
	return 0;
}

int intents_item(struct intents *intents, const struct check *c, const struct log_item *item)
{
	struct log_intent said;
	struct intent *intent;
	int ret;

	if (!is_intent_or_done(item->type))
		return 0;
	if (!log_intent_decode(c, item, &said))
		return 1;
	remove_intent(intents, said.type, said.id);
	if (said.done)
		return 0;
	if (intents_waiting(intents) >= WAITING_MAX) {
		problem(c, F_LOG_INTENT_MANY, 0, WAITING_MAX, 0);
		return 1;
	}
	intent = calloc(1, sizeof(*intent) + (size_t)said.count * sizeof(struct log_intent_extent));
	if (!intent)
		return -ENOMEM;
	intent->id = said.id;
	intent->type = said.type;
	ret = read_intent(c, item, said.count, intent);
	if (ret) {
		intent_free(intent);
		return ret;
	}
	intent->order = intents->seen++;
	*find_intent(intents, said.type, said.id) = intent;
	intents->waiting[kind_of(said.type)]++;
	return 0;
}

/* Appends the effects of an intent's extents.  False: some are outside of the file system, which has been reported. */
static bool collect_extents(const struct check *c, const struct intent *intent, struct effects *effects)
{
	bool ok = true;

	for (uint32_t i = 0; i < intent->count; i++) {
		const struct log_intent_extent *extent = &intent->extents[i];

		if (!effects_possible(c->geo, intent->type, extent)) {
			ok = problem(c, F_LOG_INTENT_PLACE, 0, extent->startblock, extent->len);
			continue;
		}
		effects_of_extent(c->geo, intent->type, extent, effects->v + effects->count);
		effects->count += effects->v[effects->count + 1].kind == EFFECT_NONE ? 1 : 2;
	}
	return ok;
}

static bool inode_possible(const struct check *c, xino_t ino)
{
	return ino_valid(c->geo, ino) || problem(c, F_LOG_INTENT_CHILD, 0, ino.v, 0);
}

/*
 * Appends an operation's changes to parent pointers.  Exchanging contents has no effect on accounts, since they don't
 * depend on which of the two files has the blocks.  False: an inode number is invalid, which has been reported.
 */
static bool collect_op(const struct check *c, const struct intent_op *op, struct effects *effects)
{
	switch (op->type) {
	case LI_ATTRI:
		if (!inode_possible(c, op->attri.ino))
			return false;
		/* parent pointers are the only attributes in the accounts */
		effects->npptrs += effects_of_attri(&op->attri, &effects->pptrs[effects->npptrs]);
		return true;
	case LI_XMI:
		return inode_possible(c, op->xmi.ino1) && inode_possible(c, op->xmi.ino2);
	default:
		return inode_possible(c, (xino_t){ op->extent.owner });
	}
}

/* Returns all waiting intents, in the order of the log, then NULL; the caller frees the array.  NULL: out of memory. */
static const struct intent **in_order(const struct intents *intents)
{
	const struct intent **all = calloc(intents_waiting(intents) + 1, sizeof(const struct intent *));
	size_t n = 0;

	for (unsigned i = 0; all && i < INTENTS_BUCKETS; i++)
		for (const struct intent *intent = intents->table[i]; intent; intent = intent->next)
			all[n++] = intent;
	if (all)
		ordered_sort(all, n, MEMBERS(THROUGH(all, order)));
	return all;
}

static int collect(struct intents *intents, const struct check *c, const struct intent *const *all)
{
	struct effects *effects = &intents->effects;
	size_t count = 0, nops = 0;

	for (size_t i = 0; all[i]; i++) {
		count += all[i]->count;
		nops += all[i]->op != NULL;
	}
	effects->v = calloc(count + 1, EFFECTS_PER_EXTENT * sizeof(*effects->v));
	effects->pptrs = calloc(intents->waiting[INTENT_ATTRI] + 1, sizeof(*effects->pptrs));
	intents->ops = calloc(nops + 1, sizeof(const struct intent_op *));
	if (!effects->v || !effects->pptrs || !intents->ops)
		return -ENOMEM;
	for (size_t i = 0; all[i]; i++)
		if (collect_extents(c, all[i], effects) && all[i]->op && collect_op(c, all[i]->op, effects))
			intents->ops[intents->nops++] = all[i]->op;
	return effects_settle(effects);
}

int intents_settle(struct intents *intents, const struct check *c)
{
	const struct intent **all = in_order(intents);
	int ret;

	intents->geo = c->geo;
	ret = all ? collect(intents, c, all) : -ENOMEM;
	free(all);
	return ret;
}

uint64_t intents_waiting(const struct intents *intents)
{
	uint64_t total = 0;

	for (unsigned kind = 0; intents && kind < INTENT_KINDS; kind++)
		total += intents->waiting[kind];
	return total;
}

uint64_t intents_waiting_of(const struct intents *intents, enum intent_kind kind)
{
	return intents ? intents->waiting[kind] : 0;
}

size_t intents_ops(const struct intents *intents, const struct intent_op *const **ret_ops)
{
	*ret_ops = intents ? intents->ops : NULL;
	return intents ? intents->nops : 0;
}
