/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes leaves of the attribute fork (ondisk 07, invariants 2 and 4): entries sorted by hash, each with a name in the
 * same block.  Each sound entry is visited, whatever the state of the header and of its neighbours.
 *
 * If the hash of an entry matches its name, there is no doubt that the name begins there: the entry is certain.
 * Certain entries get their bytes of the block first, and others what is left, so that a damaged entry can't displace a
 * good one.
 */
#include "attr_leaf.h"
#include "zeroes.h"

struct leaf {
	struct attr_leaf_block b;
	struct attr_space space;
	attr_visit *visit;
	void *ctx;
	uint32_t last_hash; /* of the certain entries so far */
	uint32_t remote_entries;
	uint32_t visited;
};

static void take_name(struct leaf *l, const struct attr_name *name)
{
	l->space.names_bytes += name->len;
	if (name->start < l->space.names_start)
		l->space.names_start = name->start;
}

static void visit_name(struct leaf *l, const struct attr_name *name)
{
	l->visited++;
	l->remote_entries += name->attr.remote;
	l->visit(l->ctx, &name->attr);
}

/* True if an earlier entry with the same hash is the same attribute; *ret_index: its index. */
static bool is_duplicate(const struct leaf *l, uint32_t index, const struct attr_name *name, uint32_t *ret_index)
{
	struct attr_name other;

	for (uint32_t i = index; i-- > 0 && be32_get(l->b.entries[i].hashval) == name->hash;) {
		/* while a value is replaced, the attribute exists twice, one of them incomplete */
		if ((l->b.entries[i].flags & ATTR_INCOMPLETE) || !attr_name_certain(&l->b, i, &other) ||
		    !attr_same(&other.attr, &name->attr))
			continue;
		*ret_index = i;
		return true;
	}
	return false;
}

static void visit_certain(struct leaf *l, uint32_t index, const struct attr_name *name)
{
	uint32_t offset = attr_leaf_entry_offset(&l->b, index);
	uint32_t other;

	if (name->hash < l->last_hash)
		problem_at(l->b.c, F_ATTR_LEAF_ORDER, offset, index, name->hash, l->last_hash);
	l->last_hash = name->hash;
	if (name->attr.flags & ATTR_INCOMPLETE)
		problem_at(l->b.c, F_ATTR_INCOMPLETE, offset, index, name->attr.flags,
			   name->attr.flags & ~ATTR_INCOMPLETE);
	else if (is_duplicate(l, index, name, &other))
		problem_at(l->b.c, F_ATTR_DUPLICATE, offset, index, index, other);
	else
		visit_name(l, name);
}

/* Takes the first word of each certain entry's name, so that no other name can extend over it. */
static void take_starts(struct leaf *l, uint32_t from)
{
	struct attr_name name;

	for (uint32_t i = from; i < l->b.count; i++)
		if (attr_name_certain(&l->b, i, &name))
			attr_space_take(&l->space, name.start, ATTR_LEAF_NAME_ALIGN);
}

/* Reports the faults of entries from `from` on, and visits the certain ones.  True if all are certain. */
static bool visit_entries(struct leaf *l, uint32_t from)
{
	struct attr_name name;
	bool all = true;

	take_starts(l, from);
	for (uint32_t i = from; i < l->b.count; i++) {
		uint32_t offset = attr_leaf_entry_offset(&l->b, i);

		if (!attr_name_read(&l->b, l->b.c, i, &name)) {
			all = false;
		} else if (name.hash != name.want_hash) {
			all = problem_at(l->b.c, F_ATTR_HASH, offset, i, name.hash, name.want_hash);
		} else if (!attr_space_take(&l->space, name.start + ATTR_LEAF_NAME_ALIGN,
					    name.len - ATTR_LEAF_NAME_ALIGN)) {
			all = problem_at(l->b.c, F_ATTR_LEAF_OVERLAP, offset, i, name.start, 0);
		} else {
			take_name(l, &name);
			visit_certain(l, i, &name);
		}
	}
	return all;
}

/* Visits entries in which only the hash is wrong, if their bytes are still free. */
static void visit_misplaced(struct leaf *l)
{
	struct attr_name name;

	for (uint32_t i = 0; i < l->b.count; i++) {
		if (!attr_name_read(&l->b, &l->b.quiet, i, &name) || name.hash == name.want_hash ||
		    (name.attr.flags & ATTR_INCOMPLETE) || !attr_space_take(&l->space, name.start, name.len))
			continue;
		visit_name(l, &name);
	}
}

/*
 * Decides how many entries to read.  A count that is too large takes free space for entries: that is reported once, not
 * for each of them.  But if only the last entry is invalid, the entry counts as damaged, not the count.
 */
static void count_entries(struct leaf *l)
{
	uint32_t count = l->b.count;
	uint32_t possible = attr_leaf_entries_possible(&l->b);
	uint32_t last = count < possible ? count : possible;
	struct attr_name name;

	l->b.count = last;
	while (last > 0 && !attr_name_certain(&l->b, last - 1, &name))
		last--;
	if (count <= possible && count - last <= 1)
		return;
	problem(l->b.c, F_ATTR_LEAF_COUNT, ATTR_LEAF_OFF(&l->b, count), count, last);
	l->b.count = last;
	l->space.complete = false;
}

/* The count may be too small: visits entries after it, if they make the total size of names equal usedbytes. */
static void visit_uncounted(struct leaf *l)
{
	uint32_t usedbytes = be16_get(l->b.fields->usedbytes);
	uint32_t possible = attr_leaf_entries_possible(&l->b);
	uint32_t bytes = l->space.names_bytes;
	uint32_t from = l->b.count, end = from;
	uint32_t start = attr_leaf_entry_offset(&l->b, from);
	struct attr_name name;

	for (; end < possible && bytes < usedbytes && attr_name_certain(&l->b, end, &name); end++)
		bytes += name.len;
	if (end == from || bytes != usedbytes ||
	    !attr_space_take(&l->space, start, attr_leaf_entry_offset(&l->b, end) - start))
		return;
	problem(l->b.c, F_ATTR_LEAF_COUNT, ATTR_LEAF_OFF(&l->b, count), from, end);
	l->b.count = end;
	l->space.complete = visit_entries(l, from);
}

static void decode_entries(struct leaf *l)
{
	count_entries(l);
	attr_space_take(&l->space, 0, attr_leaf_entry_offset(&l->b, l->b.count));
	if (!visit_entries(l, 0)) {
		l->space.complete = false;
		visit_misplaced(l);
	}
	if (l->space.complete)
		visit_uncounted(l);
}

static uint32_t header_size(const struct geometry *g)
{
	return g->crc ? (uint32_t)sizeof(struct attr_leaf_header_disk) : ATTR_LEAF_HEADER_SIZE_V4;
}

void attr_leaf_open(const struct check *c, const void *block, xino_t owner, struct attr_leaf_block *ret_block)
{
	const uint8_t *bytes = block;
	uint32_t fields_offset = da_blkinfo_size(c->geo), entries_offset = header_size(c->geo);
	const struct attr_leaf_fields_disk *fields = (const void *)(bytes + fields_offset);

	*ret_block = (struct attr_leaf_block){
		.c = c,
		.quiet = check_silent(c->geo),
		.bytes = bytes,
		.fields = fields,
		.fields_offset = fields_offset,
		.entries = (const void *)(bytes + entries_offset),
		.entries_offset = entries_offset,
		.size = c->geo->block_size,
		.count = be16_get(fields->count),
		.owner = owner,
	};
}

static void leaf_begin(const struct check *c, const void *block, xino_t owner, attr_visit *visit, void *ctx,
		       struct leaf *ret)
{
	attr_leaf_open(c, block, owner, &ret->b);
	attr_space_init(&ret->space, ret->b.size);
	ret->visit = visit;
	ret->ctx = ctx;
	ret->last_hash = 0;
	ret->remote_entries = 0;
	ret->visited = 0;
}

bool attr_leaf_has_strays(const struct geometry *geo, const void *block, xino_t owner)
{
	const struct check check = check_silent(geo);
	struct leaf l;

	leaf_begin(&check, block, owner, attr_ignore, NULL, &l);
	decode_entries(&l);
	for (uint32_t at = 0, end; at < l.b.size; at = end + ATTR_LEAF_NAME_ALIGN) {
		end = at + attr_space_run(&l.space, at, l.b.size);
		if (!all_zero(l.b.bytes + at, end - at))
			return true;
	}
	return false;
}

bool attr_leaf_decode(const struct check *c, const void *block, const struct da_expect *expect, attr_visit *visit,
		      void *ctx, struct attr_leaf *ret_leaf)
{
	struct da_siblings siblings;
	struct leaf l;

	if (!da_header_check(c, block, c->geo->block_size, expect, DA_ATTR_LEAF, &siblings))
		return false;
	leaf_begin(c, block, expect->owner, visit, ctx, &l);
	decode_entries(&l);
	attr_space_check(&l.space, &l.b);

	*ret_leaf = (struct attr_leaf){
		.forw = siblings.forw,
		.back = siblings.back,
		.count = l.b.count,
		.remote_entries = l.remote_entries,
		.left_out = l.b.count - l.visited,
	};
	if (l.b.count > 0) {
		ret_leaf->first_hash = be32_get(l.b.entries[0].hashval);
		ret_leaf->last_hash = be32_get(l.b.entries[l.b.count - 1].hashval);
	}
	return true;
}
