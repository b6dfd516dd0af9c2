/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Staged sectors that differ from what they cover lie in chunks of inodes, by the inobt, or elsewhere.  The former are
 * compared inode by inode.  Of the latter nothing is assumed but their addresses: the traversal of the changed inodes
 * must come to each of them, both before and after, or they belong to something else.  If any of the inobt had changed,
 * it would be among the latter, so it can be relied on here.
 */
#include "changed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cache.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "libxfs/log_stamp.h"
#include "libxfs/object.h"
#include "report.h"
#include "repair.h"
#include "report/findings.h"
#include "run.h"
#include "sets/ino_set.h"
#include "sets/ordered.h"
#include "check/walk/inobt_find.h"
#include "check/walk/walker.h"

#define SECTORS_MOST 65536u /* staged sectors; with more, a whole check costs little beside what the repair did */

struct finding_changes {
	struct repair *rc;
	struct changed *changed;
	struct ino_set inos;
	uint64_t sectors;
	uint64_t last; /* sector that was looked at last, so that inodes of several sectors are compared once */
	int error;
};

static void unknown(struct finding_changes *f, const char *why)
{
	if (!f->changed->unknown)
		f->changed->unknown = why;
}

static int use_of(const struct repair *rc, xino_t ino, enum inode_use *ret)
{
	const struct geometry *geo = &rc->geo;
	const agno_t agno = agno_of_ino(geo, ino);

	return inobt_find(geo, rc->run->device, &rc->traverse->ags[agno.v], agno, agino_of_ino(geo, ino), ret);
}

/* The bytes of an inode, before and after, differ. 0 or negative errno. */
static int inode_changed(struct finding_changes *f, xino_t ino, enum inode_use use)
{
	if (use == INODE_IN_USE)
		return ino_set_put(&f->inos, ino);
	unknown(f, "a free inode");
	return 0;
}

/* Look at the inodes in a sector of a chunk; was, is: its bytes. */
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
		ret = use_of(f->rc, ino, &use);
		if (!ret)
			ret = inode_changed(f, ino, use);
	}
	return ret;
}

/* True if a sector of the first block of a group is its AGF or AGFL. */
static bool is_space_header(const struct geometry *geo, uint64_t within)
{
	const uint64_t sector = within / geo->sector_size;

	return sector == AGF_SECTOR || sector == AGFL_SECTOR;
}

/* True if a block is one of a group's btrees about blocks. */
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

/* The inode that owns a block of this size, by its header. False: the header has none. */
static bool owner_in(const struct geometry *geo, const uint8_t *block, uint32_t size, xino_t *ret_owner)
{
	xdaddr_t daddr;

	return log_stamp_place(geo, block, size, &daddr, ret_owner) && ret_owner->v != NULL_INO;
}

/*
 * The inode that owns a block, and whether the block is one of a group's btrees about blocks.  A directory block may
 * span several blocks, so its header is right for all of it only.
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

/* Add the block that a sector is in, and the inode that it says it belongs to. 0 or negative errno. */
static int block_changed(struct finding_changes *f, agno_t agno, agbno_t agbno, uint64_t within)
{
	const struct geometry *geo = &f->rc->geo;
	struct changed *c = f->changed;
	const fsbno_t fsbno = fsbno_of(geo, agno, agbno);
	struct changed_block *block;
	enum inode_use use = INODE_UNKNOWN;
	xino_t owner;
	uint8_t *bytes;
	int ret = 0;

	if (c->nblocks && c->blocks[c->nblocks - 1].at.v == fsbno.v) {
		if (!agbno.v)
			c->blocks[c->nblocks - 1].group &= is_space_header(geo, within);
		return 0;
	}
	if (array_add(c->blocks, c->blocks_room, c->nblocks, (struct changed_block){ .at = fsbno }))
		return -ENOMEM;
	bytes = malloc(geo->dir_block_size);
	if (!bytes)
		return -ENOMEM;
	block = &c->blocks[c->nblocks - 1];
	look_at_block(f, bytes, block, &owner);
	free(bytes);
	if (!agbno.v)
		block->group = is_space_header(geo, within);
	if (owner.v != NULL_INO && ino_valid(geo, owner))
		ret = use_of(f->rc, owner, &use);
	return ret || use != INODE_IN_USE ? ret : ino_set_put(&f->inos, owner);
}

static int sector_changed(struct finding_changes *f, uint64_t offset, const uint8_t *was, const uint8_t *is)
{
	const struct geometry *geo = &f->rc->geo;
	const uint64_t group = offset / bytes_of_ag(geo);
	const agno_t agno = { (uint32_t)group };
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
	agino.v = (uint32_t)(within >> geo->inode_log);
	ret = use_of(f->rc, ino_of(geo, agno, agino), &use);
	if (ret)
		return ret;
	if (use == INODE_UNKNOWN)
		unknown(f, "blocks of a group whose inobt can't be followed");
	else if (use == INODE_NONE)
		ret = block_changed(f, agno, agbno, within);
	else
		ret = inodes_changed(f, agno, agino, was, is);
	return ret;
}

static int staged(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	struct finding_changes *f = ctx;
	uint8_t was[SECTOR_SIZE];
	int ret = 0;

	for (size_t at = 0; at < len && !ret && !f->changed->unknown; at += SECTOR_SIZE) {
		const uint8_t *is = (const uint8_t *)bytes + at;

		if (++f->sectors > SECTORS_MOST) {
			unknown(f, "too much");
			break;
		}
		ret = device_read_below(f->rc->run->device, was, offset + at, SECTOR_SIZE, LAYER_MEND);
		if (ret == -EIO) {
			unknown(f, "what could not be read");
			ret = 0;
		} else if (!ret && memcmp(was, is, SECTOR_SIZE) != 0) {
			ret = sector_changed(f, offset + at, was, is);
		}
	}
	return ret;
}

/* Add the inodes that findings of damage are about, so that these findings can be taken off with them. */
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
		ret = use_of(f->rc, ino, &use);
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

/* What is staged beside the data device's blocks, or makes the first check no base; NULL: nothing. */
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

int changed_find(struct repair *rc, struct changed *ret)
{
	struct finding_changes f = { .rc = rc, .changed = ret };
	int error = 0;

	*ret = (struct changed){ .unknown = other_changes(rc) };
	if (!ret->unknown)
		error = device_staged_each(rc->run->device, LAYER_MEND, staged, &f);
	if (!error && !ret->unknown)
		error = add_found(&f);
	if (!error && !ret->unknown) {
		ret->ninos = ino_set_count(&f.inos);
		ret->inos = ino_set_sorted(&f.inos);
		error = ret->inos ? 0 : -ENOMEM;
	}
	ino_set_free(&f.inos);
	return error;
}

void changed_free(struct changed *changed)
{
	free(changed->inos);
	free(changed->blocks);
	*changed = (struct changed){ 0 };
}

void changed_claimed(struct changed *c, fsbno_t start, uint64_t len, bool after)
{
	for (size_t i = ordered_from(c->blocks, c->nblocks, MEMBER(c->blocks, at), start.v);
	     i < c->nblocks && c->blocks[i].at.v - start.v < len; i++)
		__atomic_store_n(after ? &c->blocks[i].after : &c->blocks[i].before, true, __ATOMIC_RELAXED);
}

bool changed_all_claimed(const struct changed *c)
{
	for (size_t i = 0; i < c->nblocks; i++)
		if (!c->blocks[i].before || !c->blocks[i].after)
			return false;
	return true;
}

bool changed_files_known(const struct changed *c)
{
	for (size_t i = 0; i < c->nblocks; i++)
		if (!c->blocks[i].after && !c->blocks[i].group)
			return false;
	return true;
}
