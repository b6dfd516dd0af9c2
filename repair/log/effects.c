/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates the extents of intents into effects.  Each part of an operation has its own intent, and by the log an
 * intent has been carried out either completely or not at all; the btrees already have those that were.  So the effects
 * of the others can simply be added to the facts on the disk.
 */
#include "effects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "be.h"
#include "disk/attr.h"
#include "sets/ordered.h"
#include "sets/sort.h"

static bool is_realtime(enum log_item_type type, uint32_t flags)
{
	return type == LI_EFI_RT || type == LI_RUI_RT || type == LI_CUI_RT || (type == LI_BUI && flags & BUI_REALTIME);
}

bool effects_possible(const struct geometry *geo, enum log_item_type type, const struct log_intent_extent *extent)
{
	const fsbno_t start = { extent->startblock };

	return is_realtime(type, extent->flags) ? rtb_range_valid(geo, start, extent->len)
						: fsb_range_valid(geo, start, extent->len);
}

static uint8_t rmap_flags(enum log_item_type type, uint32_t flags)
{
	uint32_t unwritten = type == LI_BUI ? BUI_UNWRITTEN : INTENT_UNWRITTEN;
	bool bmbt = type != LI_BUI && flags & INTENT_BMBT;

	return (uint8_t)((flags & INTENT_ATTR_FORK ? RMAP_ATTR : 0) | (bmbt ? RMAP_BMBT : 0) |
			 (flags & unwritten ? RMAP_UNWRITTEN : 0));
}

static void rmap_effects(struct effect effects[EFFECTS_PER_EXTENT], enum log_rmap_intent op)
{
	switch (op) {
	case RUI_UNMAP:
	case RUI_UNMAP_SHARED:
	case RUI_FREE:
		effects[0].kind = EFFECT_UNRMAP;
		break;
	case RUI_CONVERT:
	case RUI_CONVERT_SHARED: /* the intent has the unwritten flag of the state after the conversion */
		effects[0].kind = EFFECT_RMAP;
		effects[1] = effects[0];
		effects[1].kind = EFFECT_UNRMAP;
		effects[1].claim.flags ^= RMAP_UNWRITTEN;
		break;
	default:
		effects[0].kind = EFFECT_RMAP;
		break;
	}
}

static enum effect_kind refcount_effect(enum log_refcount_intent op)
{
	switch (op) {
	case CUI_INCREASE:
		return EFFECT_SHARE;
	case CUI_DECREASE:
		return EFFECT_UNSHARE;
	case CUI_ALLOC_COW:
		return EFFECT_STAGE;
	default:
		return EFFECT_UNSTAGE;
	}
}

void effects_of_extent(const struct geometry *geo, enum log_item_type type, const struct log_intent_extent *extent,
		       struct effect ret_effects[EFFECTS_PER_EXTENT])
{
	struct claim claim = { .at = blocks_of_extent(geo, is_realtime(type, extent->flags),
						      (fsbno_t){ extent->startblock }, extent->len),
			       .owner = extent->owner,
			       .offset = extent->startoff,
			       .flags = rmap_flags(type, extent->flags) };
	uint8_t op = (uint8_t)extent->flags;

	ret_effects[0] = (struct effect){ EFFECT_FREE, claim };
	ret_effects[1] = (struct effect){ EFFECT_NONE, claim };
	switch (type) {
	case LI_RUI:
	case LI_RUI_RT:
		rmap_effects(ret_effects, op);
		break;
	case LI_CUI:
	case LI_CUI_RT:
		ret_effects[0].kind = refcount_effect(op);
		ret_effects[0].claim.owner = OWNER_COW;
		ret_effects[0].claim.offset = ret_effects[0].claim.flags = 0;
		break;
	case LI_BUI:
		ret_effects[0].kind = op == BUI_MAP ? EFFECT_MAP : EFFECT_UNMAP;
		break;
	default:
		break;
	}
}

/* Decodes a parent pointer: the value has the directory, the name is that of the entry (ondisk 07).  namelen 0: bad. */
static struct logged_pptr logged_pptr_of(xino_t child, const struct log_region *name, const struct log_region *value)
{
	struct logged_pptr ret;
	const struct attr_parent_disk *parent = (const void *)value->bytes;

	memset(&ret, 0, sizeof(ret));
	if (!name->len || name->len > sizeof(ret.name) || value->len != sizeof(*parent))
		return ret;
	ret.child = child;
	ret.parent.v = be64_get(parent->ino);
	ret.parent_gen = be32_get(parent->gen);
	ret.namelen = (uint8_t)name->len;
	memcpy(ret.name, name->bytes, name->len);
	return ret;
}

bool effects_of_attri(const struct log_attri *attri, struct pptr_change *ret_change)
{
	memset(ret_change, 0, sizeof(*ret_change));
	ret_change->child = attri->ino;
	switch (attri->op) {
	case ATTRI_PPTR_SET:
		ret_change->comes = logged_pptr_of(attri->ino, &attri->name, &attri->value);
		return true;
	case ATTRI_PPTR_REMOVE:
		ret_change->goes = logged_pptr_of(attri->ino, &attri->name, &attri->value);
		return true;
	case ATTRI_PPTR_REPLACE:
		ret_change->goes = logged_pptr_of(attri->ino, &attri->name, &attri->value);
		ret_change->comes = logged_pptr_of(attri->ino, &attri->new_name, &attri->new_value);
		return true;
	default:
		return false;
	}
}

static bool changes_file(const struct effect *e)
{
	return e->kind == EFFECT_MAP || e->kind == EFFECT_UNMAP;
}

static int effect_order(const void *a, const void *b)
{
	const struct effect *x = a, *y = b;

	if (changes_file(x) && changes_file(y))
		return number_order(x->claim.owner, y->claim.owner);
	return number_order(x->kind, y->kind);
}

static int pptr_order(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct logged_pptr));
}

static int find_freed(struct effects *effects)
{
	size_t n = 0;

	effects->freed = calloc(effects->count + 1, sizeof(*effects->freed));
	if (!effects->freed)
		return -ENOMEM;
	for (size_t i = 0; i < effects->count; i++) {
		const struct blocks *at = &effects->v[i].claim.at;

		if (effects->v[i].kind == EFFECT_FREE)
			effects->freed[n++] = (struct span){ at->group.v, at->start.v, at->start.v + at->len };
	}
	ordered_sort(effects->freed, n, MEMBERS(MEMBER(effects->freed, group), MEMBER(effects->freed, start)));
	for (size_t i = 0; i < n; i++) {
		const struct span *span = &effects->freed[i];
		struct span *last = effects->nfreed ? &effects->freed[effects->nfreed - 1] : NULL;

		if (!last || last->group != span->group || last->end < span->start)
			effects->freed[effects->nfreed++] = *span;
		else if (last->end < span->end)
			last->end = span->end;
	}
	return 0;
}

static int find_touched(struct effects *effects)
{
	size_t n = 0;

	effects->touched = calloc(2 * effects->npptrs + 1, sizeof(*effects->touched));
	if (!effects->touched)
		return -ENOMEM;
	for (size_t i = 0; i < effects->npptrs; i++) {
		effects->touched[n++] = effects->pptrs[i].goes;
		effects->touched[n++] = effects->pptrs[i].comes;
	}
	qsort(effects->touched, n, sizeof(*effects->touched), pptr_order);
	effects->ntouched = n;
	return 0;
}

int effects_settle(struct effects *effects)
{
	int ret;

	if (effects->count)
		qsort(effects->v, effects->count, sizeof(*effects->v), effect_order);
	ret = find_freed(effects);
	return ret ? ret : find_touched(effects);
}

static bool before_file(const void *element, const void *key)
{
	const struct effect *effect = element;
	const xino_t *ino = key;

	return effect->kind < EFFECT_MAP || (changes_file(effect) && effect->claim.owner < ino->v);
}

size_t effects_of_file(const struct effects *effects, xino_t ino)
{
	return array_lower_bound(effects->v, effects->count, sizeof(*effects->v), &ino, before_file);
}

bool effects_touch_pptr(const struct effects *effects, const struct logged_pptr *name)
{
	return effects->ntouched &&
	       bsearch(name, effects->touched, effects->ntouched, sizeof(*effects->touched), pptr_order);
}

void effects_free(struct effects *effects)
{
	free(effects->v);
	free(effects->freed);
	free(effects->pptrs);
	free(effects->touched);
}
