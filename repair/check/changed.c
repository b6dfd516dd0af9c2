/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Staged sectors that differ from the layers below lie in inode chunks, by the inobt, or elsewhere.  In chunks, inodes
 * are compared one by one.  Elsewhere only the addresses are used: either the traversal of the changed objects finds
 * each of these blocks, or they belong to another object.  The inobt can be relied on here: a changed block of it would
 * be among the latter, and the traversal of its AG would find that.
 */
#include "changed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cache.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "libxfs/log_stamp.h"
#include "libxfs/object.h"
#include "options.h"
#include "report.h"
#include "repair.h"
#include "report/findings.h"
#include "run.h"
#include "sets/ordered.h"
#include "check/walk/inobt_find.h"
#include "check/walk/traverse.h"

#define SECTORS_MOST (1u << 20) /* staged sectors; with more, a whole check costs little compared to the repair */

#define SHARE_MOST 100u /* inodes may have changed if they are at most one in so many ... */
#define INODES_FEW 100u /* ... or at most so many */

struct finding_changes {
	struct repair *rc;
	struct changed *changed;
	struct ino_set inos;
	struct inobt_leaf leaf;
	uint8_t *was; /* the bytes below staged sectors */
	size_t was_room;
	uint64_t sectors;
};

static void unknown(struct finding_changes *f, const char *why)
{
	if (!f->changed->unknown)
		f->changed->unknown = why;
}

static int use_of(struct finding_changes *f, xino_t ino, enum inode_use *ret)
{
	const struct geometry *geo = &f->rc->geo;
	const agno_t agno = agno_of_ino(geo, ino);
	const int error = inobt_find(geo, f->rc->run->device, &f->rc->traverse->ags[agno.v], agno,
				     agino_of_ino(geo, ino), &f->leaf, ret);

	if (error != -EIO)
		return error;
	unknown(f, "an inode btree that can't be read");
	return 0;
}

/* Adds an inode whose bytes differ.  Returns 0 or a negative errno. */
static int inode_changed(struct finding_changes *f, xino_t ino, enum inode_use use)
{
	if (use == INODE_IN_USE)
		return ino_set_put(&f->inos, ino);
	unknown(f, "a free inode");
	return 0;
}

/* Compares the inodes in a sector of a chunk.  was, is: its bytes below the repair, and staged. */
static int inodes_changed(struct finding_changes *f, agno_t agno, agino_t agino, const uint8_t *was, const uint8_t *is)
{
	const struct geometry *geo = &f->rc->geo;
	const uint32_t size = geo->inode_size < SECTOR_SIZE ? geo->inode_size : SECTOR_SIZE;
	int ret = 0;

	for (uint32_t at = 0; at < SECTOR_SIZE && !ret; at += size, agino.v++) {
		const xino_t ino = ino_of(geo, agno, agino);
		enum inode_use use;

		if (!memcmp(was + at, is + at, size))
			continue;
		ret = use_of(f, ino, &use);
		if (!ret)
			ret = inode_changed(f, ino, use);
	}
	return ret;
}

/* True if this sector of an AG's first block is the AGF or AGFL. */
static bool is_space_header(const struct geometry *geo, uint64_t within)
{
	const uint64_t sector = within / geo->sector_size;

	return sector == AGF_SECTOR || sector == AGFL_SECTOR;
}

/* True if a block belongs to an AG btree that records blocks. */
static bool is_space_btree(const struct geometry *geo, const uint8_t *block, fsbno_t at)
{
	static const enum btree_kind kinds[] = { BT_BNO, BT_CNT, BT_RMAP, BT_REFC };
	xdaddr_t daddr;

	if (!geo->crc || !log_stamp_daddr(geo, block, &daddr) || daddr.v != daddr_of_fsbno(geo, at).v)
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct object_kind *kind = object_kind(object_of_btree(kinds[i]));

		if (object_has_magic(geo, kind, block))
			return crc_is_right(block, geo->block_size, kind->at.crc);
	}
	return false;
}

/* Reads the inode that owns a block of this size from its header.  False: it names no inode. */
static bool owner_in(const struct geometry *geo, const uint8_t *block, uint32_t size, xino_t *ret_owner)
{
	xdaddr_t daddr;

	return log_stamp_place(geo, block, size, &daddr, ret_owner) && ret_owner->v != NULL_INO;
}

/*
 * Finds out which inode owns a block, and whether the block belongs to an AG btree that records blocks.  A directory
 * block may span several blocks, so its header is valid only for the whole of it.
 */
static void look_at_block(struct finding_changes *f, uint8_t *bytes, struct changed_block *block, xino_t *ret_owner)
{
	const struct geometry *geo = &f->rc->geo;
	const uint64_t at = bytes_of_daddr(daddr_of_fsbno(geo, block->at));

	ret_owner->v = NULL_INO;
	if (!device_read(f->rc->run->device, bytes, at, geo->block_size)) {
		block->group = is_space_btree(geo, bytes, block->at);
		if (owner_in(geo, bytes, geo->block_size, ret_owner))
			return;
	}
	if (geo->dir_block_size == geo->block_size || device_read(f->rc->run->device, bytes, at, geo->dir_block_size) ||
	    !owner_in(geo, bytes, geo->dir_block_size, ret_owner))
		ret_owner->v = NULL_INO;
}

static int group_changed(struct changed *c, agno_t agno)
{
	if (c->ngroups && c->groups[c->ngroups - 1].v == agno.v)
		return 0;
	return array_add(c->groups, c->groups_room, c->ngroups, agno);
}

/* Adds the block, and the inode in its header or else its AG.  Returns 0 or a negative errno. */
static int block_changed(struct finding_changes *f, agno_t agno, agbno_t agbno)
{
	const struct geometry *geo = &f->rc->geo;
	struct changed *c = f->changed;
	enum inode_use use = INODE_UNKNOWN;
	xino_t owner;
	uint8_t *bytes;
	int ret = 0;

	if (array_add(c->blocks, c->blocks_room, c->nblocks,
		      (struct changed_block){ .at = fsbno_of(geo, agno, agbno) }))
		return -ENOMEM;
	bytes = malloc(geo->dir_block_size);
	if (!bytes)
		return -ENOMEM;
	look_at_block(f, bytes, &c->blocks[c->nblocks - 1], &owner);
	free(bytes);
	if (owner.v != NULL_INO && ino_valid(geo, owner))
		ret = use_of(f, owner, &use);
	if (ret)
		return ret;
	return use == INODE_IN_USE ? ino_set_put(&f->inos, owner) : group_changed(c, agno);
}

/* True if only counters of the superblock and its checksum differ. */
static bool only_counters(const uint8_t *was, const uint8_t *is)
{
	static const struct {
		uint32_t offset, size;
	} fields[] = { { offsetof(struct sb_disk, icount), 8 },
		       { offsetof(struct sb_disk, ifree), 8 },
		       { offsetof(struct sb_disk, fdblocks), 8 },
		       { offsetof(struct sb_disk, crc), 4 } };
	uint8_t with[SECTOR_SIZE];

	memcpy(with, was, SECTOR_SIZE);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		memcpy(with + fields[i].offset, is + fields[i].offset, fields[i].size);
	return !memcmp(with, is, SECTOR_SIZE);
}

/* Adds a changed sector of the first block of an AG.  was, is: as for inodes_changed().  Returns 0 or -ENOMEM. */
static int header_changed(struct finding_changes *f, agno_t agno, uint64_t within, const uint8_t *was,
			  const uint8_t *is)
{
	const struct geometry *geo = &f->rc->geo;
	struct changed *c = f->changed;
	const fsbno_t block = fsbno_of(geo, agno, (agbno_t){ 0 });

	if (!agno.v && within / geo->sector_size == 0) {
		if (within || !only_counters(was, is))
			unknown(f, "the superblock");
		c->counters = true;
		return 0;
	}
	if ((!c->nblocks || c->blocks[c->nblocks - 1].at.v != block.v) &&
	    array_add(c->blocks, c->blocks_room, c->nblocks, (struct changed_block){ .at = block, .group = true }))
		return -ENOMEM;
	c->blocks[c->nblocks - 1].group &= is_space_header(geo, within);
	return group_changed(c, agno);
}

static int sector_changed(struct finding_changes *f, uint64_t offset, const uint8_t *was, const uint8_t *is)
{
	const struct geometry *geo = &f->rc->geo;
	const uint64_t group = offset / bytes_of_ag(geo);
	const agno_t agno = { (uint32_t)group };
	const struct changed *c = f->changed;
	enum inode_use use;
	uint64_t within;
	agbno_t agbno;
	agino_t agino;
	int ret;

	if (group >= geo->agcount) {
		unknown(f, "blocks behind the last group");
		return 0;
	}
	within = offset - ag_offset(geo, agno);
	agbno.v = (uint32_t)(within >> geo->block_log);
	if (!agbno.v)
		return header_changed(f, agno, within, was, is);
	if (c->nblocks && c->blocks[c->nblocks - 1].at.v == fsbno_of(geo, agno, agbno).v)
		return 0;
	agino.v = (uint32_t)(within >> geo->inode_log);
	ret = use_of(f, ino_of(geo, agno, agino), &use);
	if (ret)
		return ret;
	if (use == INODE_UNKNOWN)
		unknown(f, "blocks of a group whose inobt can't be followed");
	else if (use == INODE_NONE)
		ret = block_changed(f, agno, agbno);
	else
		ret = inodes_changed(f, agno, agino, was, is);
	return ret;
}

static int staged(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	struct finding_changes *f = ctx;
	int ret;

	f->sectors += len / SECTOR_SIZE;
	if (f->sectors > SECTORS_MOST)
		unknown(f, "too much");
	if (f->changed->unknown)
		return 0;
	if (len > f->was_room) {
		free(f->was);
		f->was = malloc(len);
		f->was_room = f->was ? len : 0;
	}
	if (!f->was)
		return -ENOMEM;
	ret = device_read_below(f->rc->run->device, f->was, offset, len, LAYER_MEND);
	if (ret == -EIO) {
		unknown(f, "what could not be read");
		return 0;
	}
	for (size_t at = 0; at < len && !ret && !f->changed->unknown; at += SECTOR_SIZE) {
		const uint8_t *is = (const uint8_t *)bytes + at;

		if (memcmp(f->was + at, is, SECTOR_SIZE) != 0)
			ret = sector_changed(f, offset + at, f->was + at, is);
	}
	return ret;
}

/* Adds the inodes with findings of damage, so that these findings can be subtracted with them. */
static int add_found(struct finding_changes *f)
{
	struct findings *findings = f->rc->findings;
	const struct found *found;
	int ret = 0;

	findings_rewind(findings);
	while (!ret && (found = findings_next(findings))) {
		const xino_t ino = found->place.ino;
		enum inode_use use;

		if (!finding_is_damage(found->problem.finding) || ino.v == NULL_INO || !ino_valid(&f->rc->geo, ino) ||
		    ino_set_has(&f->inos, ino))
			continue;
		ret = use_of(f, ino, &use);
		if (!ret && use == INODE_IN_USE)
			ret = ino_set_put(&f->inos, ino);
	}
	findings_rewind(findings);
	return ret;
}

static bool is_staged(struct device *device, enum overlay_layer layer)
{
	return device && device_staged(device, layer);
}

/* Returns what else is staged than blocks of the data device, or was before; NULL: nothing. */
static const char *other_changes(const struct repair *rc)
{
	const struct run *run = rc->run;

	if (run->log_replayed || run->log_end.kind != LOG_END_NONE || run->intents || run->log_across ||
	    run->log_left_out || run->log_lost || is_staged(run->device, LAYER_LOG) ||
	    is_staged(run->log_device, LAYER_LOG))
		return "the log";
	if (is_staged(run->device, LAYER_PLACE) || is_staged(run->rt_device, LAYER_PLACE))
		return "areas that had changed places";
	if (is_staged(run->rt_device, LAYER_MEND))
		return "the realtime device";
	if (run->applied || run->resumed.bytes)
		return "a repair that was begun before";
	return NULL;
}

static bool is_unreadable(void *ctx, const struct found *found)
{
	const enum finding finding = found->problem.finding;

	(void)ctx;
	return finding == F_IO_UNREADABLE || finding == F_INODE_UNREADABLE || finding == F_IO_SHORT;
}

/* True if no facts of unchanged AGs are missing, and all of the device was readable. */
static bool groups_lack_nothing(const struct repair *rc, const struct changed *changed)
{
	const struct traverse *t = rc->traverse;
	bool whole = true;

	for (uint32_t i = 0; i < t->geo->agcount && whole; i++) {
		const struct ag_state *ag = &t->ags[i];

		whole = !ag->too_many_inodes && !ag->tree[BT_INO].gap;
		if (changed_has_group(changed, (agno_t){ i }))
			continue;
		whole &= ag->have_agf && ag->have_agi && ag->have_agfl;
		for (unsigned kind = 0; kind < BT_AG_NR && whole; kind++)
			whole = !ag->tree[kind].gap;
	}
	return whole && !findings_any(rc->findings, is_unreadable, NULL);
}

/* True if all gaps are in changed inodes, whose facts are subtracted with the same gaps. */
static bool all_gaps_changed(const struct repair *rc, const struct changed *changed)
{
	const struct traverse *t = rc->traverse;

	for (unsigned i = 0; i < t->nwalkers; i++)
		for (size_t k = 0; k < t->walkers[i]->ngaps; k++)
			if (ordered_find(changed->inos, changed->ninos, MEMBER(changed->inos, v),
					 t->walkers[i]->gaps[k].ino.v) == changed->ninos)
				return false;
	return true;
}

static bool too_many(const struct repair *rc, const struct changed *changed)
{
	const uint64_t share = traverse_totals(rc->traverse).inodes / SHARE_MOST;

	return changed->ninos > (share > INODES_FEW ? share : INODES_FEW);
}

/* Returns why the first check can't serve as a base, or other_changes(); NULL: it can. */
static const char *no_base(const struct repair *rc)
{
	if (!rc->traverse || !rc->ledger || !rc->quota)
		return "what the first check did not come to";
	if (rc->run->options->exact)
		return "all records, which --exact compares";
	if (findings_cut(rc->findings) || findings_starved(rc->findings))
		return "more findings than are kept";
	return other_changes(rc);
}

/* Returns why the first check does not know the unchanged objects; NULL: it does. */
static const char *rest_unknown(const struct repair *rc, const struct changed *changed)
{
	if (too_many(rc, changed))
		return "many inodes";
	if (rc->traverse->incomplete && !groups_lack_nothing(rc, changed))
		return "what could not be read";
	if (!all_gaps_changed(rc, changed))
		return "what could not be read of other inodes";
	return NULL;
}

int changed_find(struct repair *rc, struct changed *ret)
{
	struct finding_changes f = { .rc = rc, .changed = ret };
	int error = 0;

	*ret = (struct changed){ .unknown = no_base(rc) };
	if (!ret->unknown)
		error = device_staged_each(rc->run->device, LAYER_MEND, staged, &f);
	if (!error && !ret->unknown)
		error = add_found(&f);
	if (!error && !ret->unknown) {
		ret->ninos = ino_set_count(&f.inos);
		ret->inos = ino_set_sorted(&f.inos);
		error = ret->inos ? 0 : -ENOMEM;
	}
	if (!error && !ret->unknown)
		ret->unknown = rest_unknown(rc, ret);
	ino_set_free(&f.inos);
	free(f.leaf.block);
	free(f.was);
	return error;
}

void changed_free(struct changed *changed)
{
	free(changed->inos);
	free(changed->groups);
	free(changed->blocks);
	*changed = (struct changed){ 0 };
}

void changed_note_use(struct changed *c, fsbno_t start, uint64_t len, enum changed_use use)
{
	for (size_t i = ordered_from(c->blocks, c->nblocks, MEMBER(c->blocks, at), start.v);
	     i < c->nblocks && c->blocks[i].at.v - start.v < len; i++)
		__atomic_fetch_or(&c->blocks[i].uses, use, __ATOMIC_RELAXED);
}

bool changed_has_any(const struct changed *c, fsbno_t start, uint64_t len)
{
	const size_t i = ordered_from(c->blocks, c->nblocks, MEMBER(c->blocks, at), start.v);

	return i < c->nblocks && c->blocks[i].at.v - start.v < len;
}

static bool changed_has_block(const struct changed *c, fsbno_t block)
{
	return changed_has_any(c, block, 1);
}

bool changed_has_group(const struct changed *c, agno_t agno)
{
	return ordered_find(c->groups, c->ngroups, MEMBER(c->groups, v), agno.v) < c->ngroups;
}

/*
 * Unchanged objects claim the same blocks as before.  If one of them had a changed block that a changed object now
 * claims or has as free, the block would have two owners, or be free and in use, and its group would not balance.
 */
bool changed_is_all(const struct changed *c, bool (*balances)(const void *ctx, fsbno_t block), const void *ctx)
{
	for (size_t i = 0; i < c->nblocks; i++) {
		const uint8_t uses = c->blocks[i].uses;
		const bool claimed = uses & CLAIMED_BEFORE && uses & CLAIMED_AFTER;

		if (!claimed && !(uses & (CLAIMED_AFTER | FREE_AFTER) && balances(ctx, c->blocks[i].at)))
			return false;
	}
	return true;
}

bool changed_is_somebodys(const struct changed *c, bool (*known)(const void *ctx, fsbno_t block), const void *ctx)
{
	for (size_t i = 0; i < c->nblocks; i++)
		if (!(c->blocks[i].uses & (CLAIMED_BEFORE | CLAIMED_AFTER)) && !known(ctx, c->blocks[i].at))
			return false;
	return true;
}

bool changed_files_known(const struct changed *c)
{
	for (size_t i = 0; i < c->nblocks; i++)
		if (!(c->blocks[i].uses & (CLAIMED_AFTER | FREE_AFTER)) && !c->blocks[i].group)
			return false;
	return true;
}

/* ---- inodes in use ---- */

void inobts_claim(struct inobts *inobts, const struct geometry *geo, const struct changed *changed,
		  const struct claim *claim)
{
	const fsbno_t first = fsbno_of(geo, (agno_t){ claim->at.group.v }, (agbno_t){ (uint32_t)claim->at.start.v });

	if (claim->owner == OWNER_INOBT && claim->object == object_of_btree(BT_INO) &&
	    changed_has_block(changed, first))
		__atomic_store_n(&inobts->changed, true, __ATOMIC_RELAXED);
}

void inobts_chunk(struct inobts *inobts, const struct hash_key *key, enum btree_kind kind, agno_t agno,
		  const struct inobt_record *r)
{
	const uint64_t counts = (uint64_t)r->count << 8 | r->freecount;

	if (kind == BT_INO)
		__atomic_fetch_add(&inobts->records, hash5(key, agno.v, r->start.v, r->free, r->holemask, counts),
				   __ATOMIC_RELAXED);
}

bool inobts_alike(const struct inobts *a, const struct inobts *b)
{
	return a->records == b->records && !a->changed && !b->changed;
}

bool inobts_root_alike(const struct ag_state *a, const struct ag_state *b)
{
	return a->have_agi && b->have_agi && a->agi.root[BT_INO].v == b->agi.root[BT_INO].v &&
	       a->agi.level[BT_INO] == b->agi.level[BT_INO];
}
