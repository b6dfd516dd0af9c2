/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores entries from lost directory blocks, whose map or inode is lost (ondisk 06).  If the header of a block names
 * its directory, or the block starts with the directory's own `.`, its entries are added to that directory.  Other
 * blocks of version 4 are used only if exactly one directory has lost blocks, and if they name orphans.  The blocks
 * become free when their entries are written elsewhere, so this precedes the rebuild of AG btrees.  The result is
 * likely with a header, and a guess in version 4.
 *
 * Names of destroyed inodes that only such blocks or attribute leaves have are reported (mend_lost_names.h).
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "array.h"
#include "check/walk/walker.h"
#include "disk/dir.h"
#include "libxfs/crc.h"
#include "libxfs/dinode_mend.h"
#include "libxfs/log_stamp.h"
#include "mend/base/unowned_ranges.h"
#include "mend/base/mend.h"
#include "mend/base/mend_drop.h"
#include "mend/base/menders.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_facts.h"
#include "mend/collect/mend_survey.h"
#include "mend/make/mend_chunk_search.h"
#include "mend/make/mend_chunks.h"
#include "mend/make/mend_dir.h"
#include "mend/make/mend_dir_block.h"
#include "mend/make/mend_lost_names.h"
#include "mend/make/mend_pptrs.h"
#include "repair.h"
#include "report.h"
#include "sets/block_map.h"
#include "sets/ordered.h"
#include "units.h"

/*
 * Overwriting an inode chunk destroys the inodes of directories, but not their blocks, which name their owners.
 * Recreated directories keep the entries for files that still exist, and show which ones are lost.
 *
 * Blocks of deleted directories look the same.  So either the free blocks of the AG must be known, and the block not be
 * among them; or an entry must point to an intact inode of the entry's type.  Also, nothing that looks like an inode
 * may be in the directory's place: a deleted one leaves a free inode.
 */

/* True if the entry points to an inode in use of the entry's type. */
static bool leads_to_inode(struct mend *m, const struct dir_name *name)
{
	return ino_valid(&m->now->geo, name->ino) && name->ftype != FT_UNKNOWN &&
	       mend_chunks_type_there(m, name->ino) == (enum ftype)name->ftype;
}

/* True if the free blocks of the AG are known. */
static bool is_free_known(const struct mend *m, agno_t agno)
{
	const struct ag_state *ag = &m->now->traverse->ags[agno.v];

	return ag->have_agf && ag_tree_whole(ag, BT_BNO);
}

/*
 * True if an intact, unowned version 5 directory block at daddr belongs to this directory, whose inode is lost.
 * Reports its names of destroyed inodes, in case the directory can't be rebuilt.  certain: the block was in use.
 * *error: unchanged, or -ENOMEM.
 */
static bool mend_dir_is_stray(struct mend *m, xino_t dir, agno_t agno, xdaddr_t daddr, const uint8_t *block,
			      bool certain, int *error)
{
	const struct geometry *geo = lost_names_geometry(m);
	const bool first = be32_get(((const struct dir_blkhdr_disk *)block)->magic) == DIR_MAGIC_BLOCK;
	struct dir_names names = { 0 };
	bool sound = false, leads = false;

	if (!geo->crc || dir_is_root(geo, dir) || !lost_names_place_is_empty(m, dir))
		return false;
	if (dir_names_in_block(geo, dir, daddr, first, block, &names, &sound))
		sound = false;
	for (size_t i = 2; i < names.count && sound && !leads; i++)
		leads = is_free_known(m, agno) || leads_to_inode(m, &names.names[i]);
	if (sound)
		*error = lost_names_of_dir(m, dir, daddr, &names, certain);
	dir_names_free(&names);
	return leads && ino_valid(&m->now->geo, dir);
}

/* Has the inode of such a directory rebuilt and, if no inobt lists it, its chunk before. 0 or -ENOMEM. */
static int mend_dir_stray_found(struct mend *m, xino_t dir)
{
	const struct found leads = { .place = place_of(OBJ_AG),
				     .problem = { F_DIR_ENTRY_DANGLING, 0, NO_INDEX, dir.v, 0 },
				     .times = 1 };
	const int ret = ino_set_add(&m->notes.stray_dirs, dir);

	if (ret <= 0)
		return ret;
	m->round.names_wait = true;
	return ino_set_has(&m->notes.freed, dir) ? mend_follows(m, MEND_inode_named, &leads)
						 : mend_follows_inode(m, MEND_ag_inodes, F_INODE_USED_BUT_FREE, dir);
}

/* A lost block of a directory. */
struct lost {
	xino_t owner;
	xdaddr_t daddr, says;	   /* where it is, and where it should be by its header */
	const struct found *found; /* the run of lost blocks with it, or the finding about a block in another's place */
	bool unsure;		   /* it may be free since long ago */
	bool later;		   /* it is newer than the directory's inode, which is stale */
};

struct dir_lost_work {
	struct mend *m;
	struct ino_set may_lack; /* directories that may have lost blocks */
	struct ino_set orphans;	 /* inodes with missing entries */
	struct lost *v;
	size_t count, room;
	uint8_t *block;		       /* buffer for a directory block */
	struct block_map lost, likely; /* in the current AG: lost blocks; blocks that look like a directory's ... */
	struct block_map leaves;       /* ... or like attribute leaves */
	struct lost_parents parents;
	bool free_unknown;   /* in the current AG: unowned blocks may be free */
	bool exact;	     /* names and unowned blocks are known as exactly as they can be */
	bool *searched;	     /* per AG: findings say which blocks are lost */
	struct found **runs; /* per other AG: unowned blocks by the survey */
};

/* True if the finding is about a data block of a directory. */
static bool of_directory(const struct found *found)
{
	return object_is_dir_block(found->place.object) && found->place.ino.v != NULL_INO;
}

/* Sets w->may_lack and w->orphans. 0 or -ENOMEM. */
static int collect_may_lack(struct dir_lost_work *w, const struct found *found, size_t count)
{
	int ret = ino_set_put_all(&w->may_lack, &w->m->notes.map_mended);

	for (size_t i = 0; i < count && !ret; i++) {
		const struct problem *p = &found[i].problem;

		if (of_directory(&found[i]))
			ret = ino_set_put(&w->may_lack, found[i].place.ino);
		else if (p->finding == F_INODE_ORPHAN || (p->finding == F_INODE_NLINK_COUNT && p->got > p->want))
			ret = ino_set_put(&w->orphans, found[i].place.ino);
		w->exact |= unowned_ranges_is_one(&found[i]) || p->finding == F_INODE_ORPHAN ||
			    p->finding == F_INODE_NLINK_COUNT;
	}
	return ret;
}

/*
 * Gets the directory that the block in w->block belongs to.  False: not a directory block, or its owner is unknown.
 * misplaced: the block may be in the wrong place, and *daddr is set to the address in its header.
 */
static bool owner_of(const struct dir_lost_work *w, xdaddr_t *daddr, bool misplaced, xino_t *ret_owner)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct check check = check_silent(geo);
	const struct dir_blkhdr_disk *hdr = (const void *)w->block;
	enum da_magic magic = da_identify(&check, w->block, geo->dir_block_size);
	xino_t *only;

	if (magic != DA_DIR_BLOCK && magic != DA_DIR_DATA)
		return false;
	if (geo->crc) {
		ret_owner->v = be64_get(hdr->owner);
		if (misplaced)
			daddr->v = be64_get(hdr->blkno);
		return be64_get(hdr->blkno) == daddr->v &&
		       crc_is_right(w->block, geo->dir_block_size, offsetof(struct dir_blkhdr_disk, crc));
	}
	if (dir_header_dot(geo, w->block, ret_owner))
		return true;
	only = ino_set_count(&w->may_lack) == 1 ? ino_set_sorted(&w->may_lack) : NULL;
	if (only)
		*ret_owner = only[0];
	free(only);
	return only != NULL;
}

static bool read_block(const struct dir_lost_work *w, xdaddr_t daddr)
{
	return !mend_read(w->m, w->block, bytes_of_daddr(daddr), w->m->now->geo.dir_block_size);
}

static bool is_lost(void *ctx, uint64_t block)
{
	const struct dir_lost_work *w = ctx;

	return block_map_get(&w->lost, block);
}

/* Marks a block that starts like a directory block, or like an attribute leaf that may have parent pointers. */
static void note_likely(void *ctx, uint64_t block, const uint8_t *bytes)
{
	struct dir_lost_work *w = ctx;
	const struct geometry *geo = &w->m->now->geo;
	const struct check check = check_silent(geo);
	const enum da_magic magic = da_identify(&check, bytes, geo->block_size);

	if (magic == DA_DIR_BLOCK || magic == DA_DIR_DATA)
		block_map_mark(&w->likely, block, 1);
	else if (magic == DA_ATTR_LEAF && geo->parent)
		block_map_mark(&w->leaves, block, 1);
}

/*
 * True if the block in w->block is newer than the inode of its directory.  Every transaction that changes a data block
 * also changes the inode, so the inode's last write was lost, along with the map of the block.
 */
static bool is_later(const struct dir_lost_work *w, const struct lost *lost)
{
	const lsn_t date = log_stamp_lsn(&w->m->now->geo, LB_DIR_DATA, w->block);
	uint16_t mode;

	return date.v != NULL_LSN && inode_date_before(w->m, lost->owner, &mode).v < date.v && S_ISDIR(mode);
}

/* True if unowned blocks in the AG, which is being searched, were in use when it was damaged. */
static bool is_certain(const struct dir_lost_work *w, agno_t agno)
{
	return !w->free_unknown && is_free_known(w->m, agno) && !group_is_doubted(w->m, agno);
}

/* Notes the directory of a block, if its inode is lost: when recreated, it gets these entries. 0 or -ENOMEM. */
static int note_stray(struct dir_lost_work *w, const struct lost *lost)
{
	int error = 0;

	if (ino_set_has(&w->m->notes.stray_dirs, lost->owner) ||
	    !mend_dir_is_stray(w->m, lost->owner, lost->found->place.agno, lost->says, w->block,
			       is_certain(w, lost->found->place.agno), &error))
		return error;
	return mend_dir_stray_found(w->m, lost->owner);
}

/* Searches the likely blocks of a lost run for directory blocks. 0 or -ENOMEM. */
static int search(struct dir_lost_work *w, const struct found *found)
{
	const struct geometry *geo = &w->m->now->geo;
	uint64_t end = found->place.agbno.v + found->problem.got;
	const uint64_t size = 1u << geo->dirblk_log;
	uint64_t step = 1;
	int ret;

	for (uint64_t b = found->place.agbno.v; b + size <= end && !mend_exhausted(w->m); b += step) {
		struct lost lost = { .found = found, .unsure = w->free_unknown };

		step = 1;
		if (!block_map_get(&w->likely, b))
			continue;
		lost.says = lost.daddr = daddr_of(geo, found->place.agno, (agbno_t){ (uint32_t)b });
		/* blocks that menders wrote and gave up have nothing new */
		if (sector_set_has(&w->m->notes.names_known, lost.daddr) ||
		    mend_space_took(w->m, fsbno_of(geo, found->place.agno, (agbno_t){ (uint32_t)b }), false) ||
		    !read_block(w, lost.daddr) || !owner_of(w, &lost.says, false, &lost.owner) || !lost.owner.v)
			continue;
		lost.later = is_later(w, &lost);
		ret = lost.later ? inode_doubt_stale(w->m, lost.owner, (lsn_t){ 0 }) : 0;
		if (ret)
			return ret;
		if (!lost.later && (!ino_set_has(&w->may_lack, lost.owner) ||
				    (w->free_unknown && !ino_set_has(&w->m->notes.stray_dirs, lost.owner)))) {
			ret = note_stray(w, &lost);
			if (ret)
				return ret;
			continue;
		}
		if (array_add(w->v, w->room, w->count, lost))
			return -ENOMEM;
		step = size;
	}
	return 0;
}

/* Reports the parent pointers of destroyed inodes in attribute leaves of the AG. 0 or negative errno. */
static int search_leaves(struct dir_lost_work *w, agno_t agno)
{
	const struct geometry *geo = &w->m->now->geo;
	int ret = 0;

	for (uint64_t b = 0; !ret; b++) {
		xdaddr_t daddr;

		b = block_map_next(&w->leaves, &w->leaves, b, true);
		if (b >= w->leaves.to)
			break;
		daddr = daddr_of(geo, agno, (agbno_t){ (uint32_t)b });
		if (!mend_space_took(w->m, fsbno_of(geo, agno, (agbno_t){ (uint32_t)b }), false) &&
		    !mend_read(w->m, w->block, bytes_of_daddr(daddr), geo->block_size))
			ret = lost_parents_collect(&w->parents, daddr, w->block);
	}
	return ret ? ret : lost_parents_report(&w->parents, is_certain(w, agno));
}

/* Likewise for all lost runs of an AG. */
static int search_ag(struct dir_lost_work *w, const struct found *found, size_t count)
{
	const agno_t agno = found->place.agno;
	const struct mend_scan scan = { w->m, agno, is_lost, note_likely, w };
	int ret = block_map_new(&w->lost, 0, ag_length(&w->m->now->geo, agno));

	if (!ret)
		ret = block_map_new(&w->likely, 0, w->lost.to);
	if (!ret)
		ret = block_map_new(&w->leaves, 0, w->lost.to);
	for (size_t i = 0; i < count && !ret; i++)
		block_map_set(&w->lost, found[i].place.agbno.v, found[i].problem.got, true);
	if (!ret)
		ret = mend_scan(&scan);
	for (size_t i = 0; i < count && !ret; i++)
		ret = search(w, &found[i]);
	if (!ret)
		ret = search_leaves(w, agno);
	block_map_free(&w->lost);
	block_map_free(&w->likely);
	block_map_free(&w->leaves);
	return ret;
}

/* Gets the unowned blocks of an AG by a survey, as findings, which the caller frees. 0 or -ENOMEM. */
static int unclaimed_runs(const struct survey_ag *maps, agno_t agno, struct found **ret, size_t *ret_count)
{
	size_t room = 0;
	int error = 0;

	for (uint64_t at = 0; at < maps->claimed.to && !error;) {
		struct found found = { .place = place_of(OBJ_AG), .problem = { F_SPACE_LOST, 0, NO_INDEX, 0, 0 } };
		const uint64_t from = block_map_next(&maps->claimed, &maps->free, at, false);

		if (from >= maps->claimed.to)
			break;
		at = block_map_next(&maps->claimed, &maps->free, from, true);
		found.place.agno = agno;
		found.place.agbno.v = (uint32_t)from;
		found.problem.got = at - from;
		found.times = 1;
		error = array_add(*ret, room, *ret_count, found);
	}
	return error;
}

/*
 * Searches these if no finding is about them: the free blocks of the AG are unknown, or another of its btrees is, so
 * that exact differences are not.  0 or negative errno.
 */
static int search_by_survey(struct dir_lost_work *w, agno_t agno)
{
	const struct survey_ag *maps = mend_survey_maps(w->m->survey, agno);
	size_t count = 0;
	int ret;

	if (!maps || w->searched[agno.v])
		return 0;
	ret = unclaimed_runs(maps, agno, &w->runs[agno.v], &count);
	w->free_unknown = !mend_survey_has(w->m->survey, agno) || group_is_doubted(w->m, agno);
	if (!ret && count)
		ret = search_ag(w, w->runs[agno.v], count);
	w->free_unknown = false;
	return ret;
}

/* Examines a block in another directory's place: its owner may lack it, if two were exchanged. 0 or -ENOMEM. */
static int search_exchanged(struct dir_lost_work *w, const struct found *found)
{
	const struct geometry *geo = &w->m->now->geo;
	struct lost lost = { .found = found };

	if (!geo->crc || found->place.agno.v >= geo->agcount)
		return 0;
	lost.says = lost.daddr = daddr_of(geo, found->place.agno, found->place.agbno);
	if (!read_block(w, lost.daddr) || !owner_of(w, &lost.says, true, &lost.owner) || !lost.owner.v ||
	    lost.owner.v == found->place.ino.v || !ino_set_has(&w->may_lack, lost.owner))
		return 0;
	return array_add(w->v, w->room, w->count, lost);
}

/*
 * True if the block was lost recently.  If it was freed long ago, most of its entries are still in the directory, or
 * point to inodes without missing entries.  sure: the block itself shows its owner, so that its inodes don't matter,
 * unless it may be free: then at least one of them must have lost an entry.
 */
static bool is_recent(const struct dir_lost_work *w, const struct lost *lost, struct dir_names *names,
		      const struct dir_names *in_block, bool sure)
{
	size_t n = in_block->count - 2, there = 0, orphans = 0;

	for (size_t i = 2; i < in_block->count; i++) {
		const struct dir_name *name = &in_block->names[i];

		there += dir_names_find(&w->m->now->geo, names, name->name, name->namelen) < names->count;
		orphans += ino_set_has(&w->orphans, name->ino);
	}
	if (lost->unsure)
		return orphans > 0 && (lost->later || 2 * there <= n);
	return lost->later || (2 * there <= n && (sure || 2 * orphans >= n));
}

/*
 * True if an entry of a block that may be free is right: its inode lacks entries, or is lost as well.  An inode with
 * all its entries got them later.
 */
static bool is_wanted(const struct dir_lost_work *w, const struct dir_name *name)
{
	uint8_t bytes[DINODE_SIZE_MAX];

	return ino_set_has(&w->orphans, name->ino) || !ino_valid(&w->m->now->geo, name->ino) ||
	       !mend_chunks_read_in_use(w->m, name->ino, bytes);
}

/*
 * Removes the entries of a stale directory that are missing in a newer block with all of its entries: they were removed
 * before that was written.
 */
static void remove_outdated(const struct dir_lost_work *w, struct dir_names *names, struct dir_names *in_block)
{
	const struct geometry *geo = &w->m->now->geo;

	for (size_t i = 2; i < names->count; i++) {
		const struct dir_name *name = &names->names[i];

		if (name->namelen && dir_names_find(geo, in_block, name->name, name->namelen) == in_block->count)
			dir_names_remove(names, i, DROP_OUTDATED);
	}
}

/* Adds an entry of a lost block, if the directory lacks it or has it from a stale map. 0 or -ENOMEM. */
static int add_name(const struct dir_lost_work *w, const struct lost *lost, struct dir_names *names,
		    const struct dir_name *name)
{
	const struct geometry *geo = &w->m->now->geo;
	const size_t at = dir_names_find(geo, names, name->name, name->namelen);
	const struct name_view view = { name->name, name->namelen };
	int ret;

	if (lost->unsure && !is_wanted(w, name))
		return 0;
	if (at < names->count && (!lost->later || names->names[at].ino.v == name->ino.v))
		return 0;
	if (at < names->count)
		dir_names_remove(names, at, DROP_OUTDATED);
	ret = lost->unsure ? mend_note_unsure(w->m, lost->owner, name->ino, &view) : 0;
	return ret ? ret : dir_names_add(geo, names, name);
}

/* Adds the entries of one block to a directory. Sets *ret_added if the block was used. 0 or negative errno. */
static int add_block(struct dir_lost_work *w, const struct lost *lost, struct dir_names *names, bool *ret_added)
{
	const struct geometry *geo = &w->m->now->geo;
	struct dir_names in_block = { 0 };
	bool sound = false, first, sure, used;
	xino_t dot;
	int ret;

	if (!read_block(w, lost->daddr))
		return 0;
	first = dir_header_dot(geo, w->block, &dot);
	ret = dir_names_in_block(geo, lost->owner, lost->says, first, w->block, &in_block, &sound);
	sure = geo->crc || first;
	used = !ret && sound && is_recent(w, lost, names, &in_block, sure);
	if (used && lost->later && !lost->unsure &&
	    be32_get(((const struct dir_blkhdr_disk *)w->block)->magic) == DIR_MAGIC_BLOCK)
		remove_outdated(w, names, &in_block);
	if (used) {
		for (size_t i = 2; i < in_block.count && !ret; i++)
			ret = add_name(w, lost, names, &in_block.names[i]);
		if (in_block.dotdot_known)
			names->names[1].ino = in_block.names[1].ino;
		*ret_added = true;
	}
	/*
	 * Notes that the block has nothing new.  Dangling entries from it are dropped later and must not come back.
	 * Unused blocks that may be free, or have no known owner, may prove recent in a later check, which knows which
	 * inodes lack entries.
	 */
	if (!ret && (lost->unsure ? used : sure && !used))
		ret = sector_set_put(&w->m->notes.names_known, lost->daddr);
	if (!ret && sound && sure && !used)
		ret = lost_names_of_dir(w->m, lost->owner, lost->daddr, &in_block,
					!lost->unsure && is_certain(w, lost->found->place.agno));
	dir_names_free(&in_block);
	return ret;
}

/* Adds the entries of all lost blocks of one directory, and rewrites it. 0 or negative errno. */
static int add_lost_names(struct dir_lost_work *w, const struct lost *lost, size_t count)
{
	struct dir_edit dir;
	bool added = false;
	int ret = dir_edit_begin(w->m, lost->owner, &dir);

	if (ret)
		return mend_left(w->m, lost->found, 1, ret);
	for (size_t i = 0; i < count && !ret; i++)
		ret = add_block(w, &lost[i], &dir.names, &added);
	if (added && !ret)
		ret = dir_edit_write(w->m, &dir);
	if (added && !ret)
		mend_done_sure(w->m, lost->found, w->m->now->geo.crc ? SURE_LIKELY : SURE_GUESS);
	dir_edit_end(&dir);
	return mend_left(w->m, lost->found, 1, ret);
}

bool mend_dir_lost_wants(const struct found *found)
{
	const enum object object = found->place.object;

	switch (found->problem.finding) {
	case F_SPACE_LOST:
	case F_INODE_ORPHAN: /* inodes that lost blocks may name */
	case F_INODE_NLINK_COUNT:
		return true;
	default: /* directories that may have lost blocks */
		return (object == OBJ_DIR_BLOCK || object == OBJ_DIR_DATA) &&
		       finding_severity(found->problem.finding) == SEV_CORRUPT;
	}
}

/* True if blocks of destroyed directories or files may have names: of inodes without any, or of lost ones. */
static bool may_have_names(const struct dir_lost_work *w)
{
	const struct repair *rc = w->m->rc;
	bool may = ino_set_count(&w->orphans) || (w->exact && ino_set_count(&w->m->notes.freed));

	for (uint32_t ag = 0; ag < rc->geo.agcount && rc->traverse && w->exact && !may; ag++)
		may = !ag_tree_whole(&rc->traverse->ags[ag], BT_INO);
	return may;
}

/* Searches all lost blocks, and blocks in another directory's place. 0 or -ENOMEM. */
static int search_all(struct dir_lost_work *w, const struct found *found, size_t count)
{
	const struct geometry *geo = &w->m->now->geo;
	int ret = 0;

	for (size_t i = 0, n; i < count && !ret; i += n) {
		n = 1;
		if (unowned_ranges_is_one(&found[i])) {
			while (i + n < count && unowned_ranges_is_one(&found[i + n]) &&
			       found[i + n].place.agno.v == found[i].place.agno.v)
				n++;
			w->searched[found[i].place.agno.v] = true;
			ret = search_ag(w, &found[i], n);
		} else if (found[i].problem.finding == F_BLOCK_OWNER && of_directory(&found[i])) {
			ret = search_exchanged(w, &found[i]);
		}
	}
	if (!ret && geo->crc && may_have_names(w))
		for (uint32_t ag = 0; ag < geo->agcount && !ret; ag++)
			ret = search_by_survey(w, (agno_t){ ag });
	return ret;
}

int mend_dir_lost(struct mend *m, const struct found *found, size_t count)
{
	const uint32_t agcount = m->now->geo.agcount;
	struct dir_lost_work w = { .m = m,
				   .block = malloc(m->now->geo.dir_block_size),
				   .parents = { .m = m },
				   .searched = calloc(agcount, sizeof(bool)),
				   .runs = calloc(agcount, sizeof(struct found *)) };
	int ret = w.block && w.searched && w.runs ? collect_may_lack(&w, found, count) : -ENOMEM;

	/* in version 5, a block names its owner */
	if (!ret && (ino_set_count(&w.may_lack) || m->now->geo.crc))
		ret = search_all(&w, found, count);
	ordered_sort(w.v, w.count, MEMBERS(MEMBER(w.v, owner), MEMBER(w.v, daddr)));
	for (size_t i = 0, n; i < w.count && !ret; i += n) {
		n = ordered_run(w.v + i, w.count - i, MEMBER(w.v, owner));
		ret = add_lost_names(&w, &w.v[i], n);
	}
	for (uint32_t ag = 0; w.runs && ag < agcount; ag++)
		free(w.runs[ag]);
	free((void *)w.runs);
	free(w.searched);
	lost_parents_free(&w.parents);
	ino_set_free(&w.may_lack);
	ino_set_free(&w.orphans);
	free(w.v);
	free(w.block);
	return ret;
}
