/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes btree blocks of every kind (ondisk 03 and 05).  Checks the header of a block, and visits its records
 * (btree_leaf.c) or children (btree_node.c).  A row of btree_type.c reads and checks records and keys.  Checks that
 * need a second block, such as sibling pointers or duplicate blocks, are the caller's.
 */
#include "libxfs/crc.h"
#include "libxfs/v5.h"
#include "disk/btree.h"
#include "btree_block.h"
#include "zeroes.h"

/* whether a block must have a sibling, from its place in the btree */
enum presence {
	ABSENT,
	PRESENT,
	UNKNOWN,
};

static uint64_t check_sibling(const struct check *c, const uint8_t *block, uint32_t offset,
			      const struct btree_expect *expect, enum presence presence, enum finding finding)
{
	uint64_t sibling = btree_number_get(block + offset, btree_type_get(c->geo, expect->kind)->layout->ptr_size);
	agno_t agno;
	agbno_t agbno;
	bool ok;

	if (sibling == NULL_FSBNO)
		ok = presence != PRESENT;
	else
		ok = presence != ABSENT && btree_follow(c->geo, expect, sibling, &agno, &agbno);
	if (!ok)
		problem(c, finding, offset, sibling, NULL_FSBNO);
	return sibling;
}

/* Checks the common fields of V5 blocks (ondisk 00, invariant 4).  False: the block belongs to another btree. */
static bool check_identity(const struct check *c, const uint8_t *block, const struct btree_layout *layout,
			   const struct btree_expect *expect)
{
	be32_t pad;

	if (layout->pad) {
		memcpy(&pad, block + layout->pad, sizeof(pad));
		check_eq(c, F_BTREE_PAD, layout->pad, be32_get(pad), 0);
	}
	return v5_check_header(c, block, c->geo->block_size, &layout->v5, daddr_of(c->geo, expect->agno, expect->agbno),
			       expect->owner);
}

/* The number of records in the header, which may exceed the block. */
static uint32_t stored_numrecs(const uint8_t *block)
{
	return be16_get(((const struct btree_short_disk *)block)->numrecs);
}

/* The number of records without trailing all-zero ones, which are never valid, so these were never used. */
static uint32_t used_numrecs(const struct check *c, const uint8_t *block, const struct btree_expect *expect,
			     uint8_t level)
{
	const struct btree_type *type = btree_type_get(c->geo, expect->kind);
	const uint8_t *records = block + type->layout->size;
	const uint8_t *ptrs = records + (size_t)c->geo->btree[expect->kind].node_max * type->key_size;
	size_t size = level ? type->key_size : type->rec_size;
	size_t ptr_size = level ? type->layout->ptr_size : 0;
	uint32_t n = stored_numrecs(block);

	while (n > 0 && all_zero(records + (n - 1) * size, size) && all_zero(ptrs + (n - 1) * ptr_size, ptr_size))
		n--;
	return n;
}

/* Sets the number of records to visit.  False, after a report: the block has no room for the header's number. */
static bool check_numrecs(const struct check *c, const uint8_t *block, const struct btree_expect *expect, uint8_t level,
			  uint32_t *ret_numrecs)
{
	uint32_t numrecs = stored_numrecs(block);
	uint32_t max = level ? c->geo->btree[expect->kind].node_max : c->geo->btree[expect->kind].leaf_max;
	uint32_t min = expect->root ? level != 0 : max / 2;
	uint32_t at = offsetof(struct btree_short_disk, numrecs);

	if (numrecs > max)
		return problem(c, F_BTREE_NUMRECS, at, numrecs, max);
	if (numrecs < min)
		problem(c, F_BTREE_UNDERFULL, at, numrecs, min);
	*ret_numrecs = used_numrecs(c, block, expect, level);
	check_eq(c, F_BTREE_NUMRECS, at, numrecs, *ret_numrecs);
	return true;
}

static uint32_t level_said(const uint8_t *block)
{
	return be16_get(((const struct btree_short_disk *)block)->level);
}

struct btree_expect btree_expect_alone(const struct geometry *g, enum btree_kind kind, agno_t agno, agbno_t agbno,
				       uint64_t owner, const void *block)
{
	const struct btree_layout *layout = btree_type_get(g, kind)->layout;
	const uint8_t *bytes = block;
	const bool left = btree_number_get(bytes + layout->leftsib, layout->ptr_size) != NULL_FSBNO;
	const bool right = btree_number_get(bytes + layout->rightsib, layout->ptr_size) != NULL_FSBNO;

	return (struct btree_expect){ .kind = kind,
				      .agno = agno,
				      .agbno = agbno,
				      .owner = owner,
				      .level = (uint8_t)level_said(block),
				      .unsure = true,
				      .root = !left && !right,
				      .has_bound = right,
				      .bound = { { UINT64_MAX, UINT64_MAX, UINT64_MAX } } };
}

/* A block whose contents are to be visited, and the visitor. */
struct contents {
	const uint8_t *block;
	const struct btree_expect *expect;
	const struct btree_visitor *visitor;
};

static void visit(const struct check *c, const struct contents *contents, uint8_t level, uint32_t numrecs,
		  bool *keys_ok)
{
	const struct btree_type *type = btree_type_get(c->geo, contents->expect->kind);
	const uint8_t *block = contents->block;

	if (level == 0) {
		const struct btree_leaf leaf = { .bytes = block,
						 .records = type->layout->size,
						 .numrecs = numrecs,
						 .complete = numrecs == stored_numrecs(block) };

		btree_leaf_visit(c, &leaf, contents->expect, contents->visitor, keys_ok);
	} else {
		const struct btree_node node = {
			.bytes = block,
			.keys = type->layout->size,
			.ptrs = type->layout->size + c->geo->btree[contents->expect->kind].node_max * type->key_size,
			.numrecs = numrecs,
			.level = level,
			.unsure = contents->expect->unsure && level_said(block) != contents->expect->level
		};

		btree_node_visit(c, &node, contents->expect, contents->visitor, keys_ok);
	}
}

/* ---- blocks with an unexpected level ---- */

static void not_sound(void *ctx, const struct problem *problem)
{
	(void)problem;
	*(bool *)ctx = false;
}

static void pass_record(void *ctx, const union btree_record *record, uint32_t index)
{
	(void)ctx, (void)record, (void)index;
}

static void pass_child(void *ctx, const struct btree_expect *child)
{
	(void)ctx, (void)child;
}

/* True if a block has no siblings, as a root must. */
static bool stands_alone(const struct btree_layout *layout, const uint8_t *block)
{
	return btree_number_get(block + layout->leftsib, layout->ptr_size) == NULL_FSBNO &&
	       btree_number_get(block + layout->rightsib, layout->ptr_size) == NULL_FSBNO;
}

/* True if all pointers of a node differ: remains of records in a leaf may look like pointers, but rarely all differ. */
static bool pointers_differ(const struct check *c, const uint8_t *block, enum btree_kind kind)
{
	const struct btree_type *type = btree_type_get(c->geo, kind);
	size_t size = type->layout->ptr_size;
	const uint8_t *ptrs = block + type->layout->size + (size_t)c->geo->btree[kind].node_max * type->key_size;
	uint32_t numrecs = stored_numrecs(block);

	for (uint32_t i = 1; i < numrecs; i++)
		for (uint32_t j = 0; j < i; j++)
			if (memcmp(ptrs + i * size, ptrs + j * size, size) == 0)
				return false;
	return true;
}

/* True if the contents of the block are valid for that level. */
static bool sound_at(const struct check *c, const uint8_t *block, const struct btree_expect *expect, uint32_t level)
{
	const struct btree_visitor visitor = { .record = pass_record, .child = pass_child };
	const struct contents contents = { block, expect, &visitor };
	bool sound = true, keys_ok = true;
	const struct check silent = { c->geo, not_sound, &sound };
	uint32_t numrecs = stored_numrecs(block);
	uint32_t most = level ? c->geo->btree[expect->kind].node_max : c->geo->btree[expect->kind].leaf_max;

	if (level >= c->geo->btree[expect->kind].max_level || numrecs > most ||
	    (numrecs == 0 && (level || !expect->root)) ||
	    (expect->root && !stands_alone(btree_type_get(c->geo, expect->kind)->layout, block)) ||
	    (expect->root && level && !pointers_differ(c, block, expect->kind)))
		return false;
	visit(&silent, &contents, (uint8_t)level, numrecs, &keys_ok);
	return sound;
}

/*
 * Decides the level of a block whose header has an unexpected one.  If only one of the two is wrong, the contents show
 * which.  The keys of a node can look like records of a leaf, but not the reverse, so if both fit, the higher level is
 * right.  Two levels of nodes look the same; then the children will show it.
 */
static bool settle_level(const struct check *c, const uint8_t *block, const struct btree_expect *expect,
			 uint8_t *ret_level, uint8_t *ret_own)
{
	uint32_t own = level_said(block);
	bool own_sound = (expect->unsure || own < expect->level) && sound_at(c, block, expect, own);
	bool expected_sound = sound_at(c, block, expect, expect->level);

	*ret_level = *ret_own = own_sound && !expected_sound ? (uint8_t)own : expect->level;
	if (expect->unsure && own_sound && (!expected_sound || own > 0)) {
		*ret_own = (uint8_t)own;
		*ret_level = own > *ret_level ? (uint8_t)own : *ret_level;
		return true;
	}
	if (expect->level >= c->geo->btree[expect->kind].max_level)
		return false; /* reported for the AG header */
	problem(c, F_BTREE_LEVEL, offsetof(struct btree_short_disk, level), own, expect->level);
	return expected_sound || own_sound;
}

/* ---- decoding ---- */

static void note_first_key(void *ctx, const struct problem *problem)
{
	*(bool *)ctx |= problem->finding == F_BTREE_FIRST_KEY;
}

/*
 * True if a sound block of the same btree has another address in its header, and does not begin with the parent's key:
 * then it was written to the wrong place.  If only the address was damaged, the first key is right.
 */
static bool is_anothers(const struct check *c, const uint8_t *block, const struct btree_expect *expect, uint8_t level,
			uint32_t numrecs)
{
	const struct btree_layout *layout = btree_type_get(c->geo, expect->kind)->layout;
	const struct btree_visitor visitor = { .record = pass_record, .child = pass_child };
	const struct contents contents = { block, expect, &visitor };
	bool other = false, keys_ok = true;
	const struct check noting = { c->geo, note_first_key, &other };

	if (!layout->v5.crc || !expect->has_low ||
	    v5_blkno(block, &layout->v5) == daddr_of(c->geo, expect->agno, expect->agbno).v ||
	    !crc_is_right(block, c->geo->block_size, layout->v5.crc))
		return false;
	visit(&noting, &contents, level, numrecs, &keys_ok);
	return other;
}

/* Reports the faults of a header.  False: the contents are meaningless. */
static bool check_header(const struct check *c, const uint8_t *block, const struct btree_expect *expect,
			 uint8_t *ret_level, struct btree_block *ret_block)
{
	const struct btree_type *type = btree_type_get(c->geo, expect->kind);
	const struct btree_layout *layout = type->layout;
	const struct btree_short_disk *common = (const struct btree_short_disk *)block;

	if (!layout) /* version 4 has no such btree; only callers that try several kinds get here */
		return false;
	if (!check_eq(c, F_BLOCK_MAGIC, offsetof(struct btree_short_disk, magic), be32_get(common->magic), type->magic))
		return false;
	if (layout->v5.crc && !check_identity(c, block, layout, expect))
		return false;
	*ret_level = ret_block->level = expect->level;
	if (level_said(block) != expect->level && !settle_level(c, block, expect, ret_level, &ret_block->level))
		return false;
	if (!check_numrecs(c, block, expect, *ret_level, &ret_block->numrecs) ||
	    is_anothers(c, block, expect, *ret_level, ret_block->numrecs))
		return false;
	ret_block->left =
		check_sibling(c, block, layout->leftsib, expect, expect->root ? ABSENT : UNKNOWN, F_BTREE_LEFTSIB);
	ret_block->right = check_sibling(c, block, layout->rightsib, expect, expect->has_bound ? PRESENT : ABSENT,
					 F_BTREE_RIGHTSIB);
	ret_block->keys_ok = true;
	return true;
}

void btree_ignore_record(void *ctx, const union btree_record *record, uint32_t index)
{
	(void)ctx;
	(void)record;
	(void)index;
}

void btree_ignore_child(void *ctx, const struct btree_expect *child)
{
	(void)ctx;
	(void)child;
}

bool btree_decode(const struct check *c, const void *block, const struct btree_expect *expect,
		  const struct btree_visitor *visitor, struct btree_block *ret_block)
{
	const struct contents contents = { block, expect, visitor };
	struct btree_block found;
	uint8_t level;

	if (!check_header(c, block, expect, &level, &found))
		return false;
	visit(c, &contents, level, found.numrecs, &found.keys_ok);
	*ret_block = found;
	return true;
}
