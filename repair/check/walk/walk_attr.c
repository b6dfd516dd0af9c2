/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks attributes: shortform in the inode, or leaves, nodes and value blocks in the attribute fork (ondisk 07).
 * Passes parent pointers to the sink as facts.
 */
#include "disk/attr.h"
#include "disk/da.h"
#include "inflight.h"

struct attr_visit_ctx {
	struct walker *w;
	struct inflight *inflight;
	bool leaf;	 /* a leaf block: a name may also be in another leaf, so fingerprints are taken */
	uint64_t remote; /* for attr_state.remote */
};

/* Returns a hash of the fields that must be unique: namespace and name, and the parent for parent pointers. */
static uint64_t identity(const struct walker *w, const struct attr_entry *e, uint64_t name_hash)
{
	uint64_t space = e->flags & (ATTR_ROOT | ATTR_SECURE | ATTR_PARENT);

	if (e->flags & ATTR_PARENT && w->t->geo->ascii_ci)
		name_hash = hash_name_folded(w->t->sink.key, e->name, e->namelen);
	return hash3(w->t->sink.key, name_hash, space, e->flags & ATTR_PARENT ? e->parent.v : 0);
}

/* Returns a sum over the value blocks that an entry needs; blocks that are found (version 4: mapped) are subtracted. */
static uint64_t wanted_blocks(const struct walker *w, const struct attr_entry *e)
{
	uint32_t capacity = attr_remote_capacity(w->t->geo);
	uint64_t sum = 0;

	if (!w->t->geo->crc)
		return attr_tree_value(w, e->valueblk.v, e->valuelen);
	for (uint32_t off = 0, dablk = e->valueblk.v; off < e->valuelen; dablk++) {
		uint32_t bytes = e->valuelen - off < capacity ? e->valuelen - off : capacity;

		sum += hash3(w->t->sink.key, dablk, off, bytes);
		off += bytes;
	}
	return sum;
}

static void attr_found(void *ctx, const struct attr_entry *e)
{
	struct attr_visit_ctx *visit = ctx;
	struct walker *w = visit->w;
	const struct sink *sink = &w->t->sink;
	bool pptr = e->flags & ATTR_PARENT;
	uint64_t name_hash;

	w->totals.attributes++;
	w->totals.users.attributes += !pptr;
	if (e->remote)
		visit->remote += wanted_blocks(w, e);
	if (!pptr && w->t->scope.contents)
		sink_tell(sink, attribute, w->worker, visit->inflight->ino, e);
	if (!pptr && !visit->leaf)
		return;
	name_hash = hash_name(sink->key, e->name, e->namelen);
	if (visit->leaf && w->nfingerprints < WALK_MAX_ENTRIES)
		w->fingerprints[w->nfingerprints++] = identity(w, e, name_hash);
	if (pptr && visit->inflight->linked) {
		const struct pptr_fact fact = { visit->inflight->ino,
						e->parent,
						e->parent_gen,
						e->name,
						e->namelen,
						w->t->names_changed ? 0 : name_hash,
						(uint8_t)visit->inflight->ftype,
						visit->inflight->metadata };

		sink_tell(sink, pptr, w->worker, &fact);
	}
}

static void tell_lost(struct walker *w, const struct inflight *inflight, uint64_t fileoff)
{
	const struct sink *sink = &w->t->sink;

	if (w->t->scope.contents)
		sink_tell(sink, unmapped, w->worker, inflight->ino, ATTR_FORK, fileoff, fileoff + 1);
}

void walk_attr_lost(struct walker *w, const struct inflight *inflight, uint64_t fileoff)
{
	if (inflight->attr && !fileoff)
		inflight->attr->root_lost = true;
	else
		tell_lost(w, inflight, fileoff);
}

/* If there are leaves behind it, block 0 was a node, without attributes. */
void attr_tell_lost_root(struct walker *w, const struct inflight *inflight)
{
	if (inflight->attr->root_lost && !inflight->attr->da.nleaves)
		tell_lost(w, inflight, 0);
}

void walk_attr_shortform(struct walker *w, struct inflight *inflight, const struct dinode_fork *fork)
{
	struct attr_visit_ctx visit = { .w = w, .inflight = inflight };

	if (!attr_sf_decode(&w->check, fork->bytes, fork->size, inflight->ino, attr_found, &visit)) {
		walk_gap(w, inflight->ino, GAP_CONTENTS);
		walk_attr_lost(w, inflight, 0);
	}
}

static void leaf_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes,
		       const struct da_expect *expect)
{
	struct attr_visit_ctx visit = { .w = w, .inflight = inflight, .leaf = true };
	struct attr_state *attr = inflight->attr;
	struct attr_leaf leaf;
	bool ok, locked;

	w->place.object = OBJ_ATTR_LEAF;
	w->nfingerprints = 0;
	walk_seal(w, bytes, w->t->geo->block_size, offsetof(struct da_blkinfo_disk, crc),
		  &((const struct da_blkinfo_disk *)bytes)->owner);
	ok = attr_leaf_decode(&w->check, bytes, expect, attr_found, &visit, &leaf);
	locked = inflight_lock(inflight);
	if (ok) {
		da_tree_leaf(w, &attr->da,
			     &(struct da_leaf_seen){ expect->dablk, leaf.forw, leaf.back, expect->dablk.v == 0,
						     leaf.count, leaf.first_hash, leaf.last_hash });
		attr->remote += visit.remote;
		attr->incomplete |= leaf.left_out > 0;
		fingerprints_add(w, &attr->fingerprints, &attr->nfingerprints, &attr->room);
	} else {
		inflight_gap(w, inflight);
	}
	inflight_unlock(inflight, locked);
	if (!ok)
		walk_attr_lost(w, inflight, expect->dablk.v);
}

static void value_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes,
			const struct da_expect *expect)
{
	struct attr_remote value;
	bool ok, locked;

	w->place.object = OBJ_ATTR_REMOTE;
	w->totals.metadata_blocks++;
	walk_seal(w, bytes, w->t->geo->block_size, offsetof(struct attr_remote_disk, crc),
		  &((const struct attr_remote_disk *)bytes)->owner);
	ok = attr_remote_decode(&w->check, bytes, expect, &value);
	if (ok && w->t->scope.contents)
		sink_tell(&w->t->sink, value, w->worker, inflight->ino, expect->dablk,
			  bytes + sizeof(struct attr_remote_disk), value.bytes);
	locked = inflight_lock(inflight);
	if (ok)
		inflight->attr->remote -= hash3(w->t->sink.key, expect->dablk.v, value.offset, value.bytes);
	else
		inflight_gap(w, inflight);
	inflight_unlock(inflight, locked);
	if (!expect->dablk.v) /* the root was there */
		walk_attr_lost(w, inflight, 0);
}

void walk_attr_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr,
		     uint64_t fileoff)
{
	const struct da_expect expect = { inflight->ino, daddr, { (uint32_t)fileoff }, ATTR_FORK };
	uint32_t len = w->t->geo->block_size;

	if (!inflight->attr)
		return;
	if (inflight->attr->values) { /* version 4: bytes that a user chose */
		w->totals.metadata_blocks++;
		return;
	}
	switch (da_identify(&w->check, bytes, len)) {
	case DA_NODE:
		w->place.object = OBJ_DA_NODE;
		da_tree_node(w, inflight, &inflight->attr->da, bytes, len, &expect, expect.dablk.v == 0);
		if (!w->t->geo->crc)
			attr_tree_children(w, inflight, bytes, &expect);
		break;
	case DA_ATTR_REMOTE:
		value_block(w, inflight, bytes, &expect);
		break;
	default:
		leaf_block(w, inflight, bytes, &expect); /* reports a block that is no leaf, too */
		break;
	}
}

void attr_settle(struct walker *w, struct inflight *inflight)
{
	struct attr_state *attr = inflight->attr;

	w->place.object = OBJ_ATTR_FORK;
	if (inflight->gap)
		return;
	da_tree_settle(w, &attr->da);
	if (attr->remote && !attr->incomplete)
		walk_problem(w, F_ATTR_VALUE_BLOCKS, NO_INDEX, 0, 0);
	if (attr->da.nleaves > 1) { /* duplicates within a leaf were found when it was decoded */
		uint64_t n = fingerprints_repeated(attr->fingerprints, attr->nfingerprints);

		if (n)
			walk_problem(w, F_ATTR_DUPLICATES, NO_INDEX, n, 0);
	}
}
