/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recreates a lost inode from other metadata (ondisk 04): the directories that name it, with their file types, its
 * children, and its blocks in rmapbts.  Without any such information, it becomes a free inode.
 */
#include <errno.h>
#include <stdlib.h>

#include "disk/bmbt.h"
#include "disk/dir.h"
#include "disk/symlink.h"
#include "libxfs/da.h"
#include "libxfs/dinode_mend.h"
#include "mend/base/mend_drop.h"
#include "mend/base/mend.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_inode.h"
#include "mend/collect/mend_claims.h"
#include "mend_inode_lost.h"
#include "mend_metadir.h"
#include "mend_new_inode.h"
#include "repair.h"

enum ftype mend_inode_type_by_block(struct mend *m, fsbno_t fsbno)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	uint8_t *block = malloc(geo->block_size);
	enum ftype ftype = FT_UNKNOWN;

	if (block && !mend_read(m, block, bytes_of_daddr(daddr_of_fsbno(geo, fsbno)), geo->block_size)) {
		switch (da_identify(&check, block, geo->block_size)) {
		case DA_DIR_BLOCK:
		case DA_DIR_DATA:
			ftype = FT_DIR;
			break;
		default:
			if (geo->crc && be32_get(((struct symlink_disk *)block)->magic) == SYMLINK_MAGIC)
				ftype = FT_SYMLINK;
		}
	}
	free(block);
	return ftype;
}

/* A lost inode, and what is known of it. */
struct lost {
	struct mend *m;
	const struct mend_facts *facts;
	struct mend_inode inode; /* the new inode */
	bool is_metafile;	 /* `metafile` is set */
	struct metafile metafile;
	bool realtime;		/* its data are on the realtime device */
	struct mend_map map[2]; /* the maps of its forks by the rmapbts */
};

enum ftype mend_inode_type_of_metafile(const struct metafile *metafile)
{
	return metafile->metatype == METAFILE_DIR ? FT_DIR : FT_REG;
}

/* Returns the type of the lost inode; FT_UNKNOWN: unknown, or such an inode can't be recreated. */
static enum ftype type_of_lost(const struct lost *l)
{
	const struct geometry *geo = &l->m->now->geo;
	xino_t ino = l->inode.ino;
	enum ftype ftype = dinode_internal_type(geo, ino);
	size_t names;

	if (l->is_metafile)
		return mend_inode_type_of_metafile(&l->metafile);
	if (ftype != FT_UNKNOWN)
		return ftype;
	ftype = mend_facts_type(l->facts, ino);
	if (ftype == FT_UNKNOWN && l->map[DATA_FORK].count && !l->realtime)
		ftype = mend_inode_type_by_block(l->m, l->map[DATA_FORK].v[0].start);
	if (ftype == FT_UNKNOWN && ino_set_has(&l->m->notes.stray_dirs, ino))
		ftype = FT_DIR;
	if (ftype == FT_UNKNOWN && l->map[DATA_FORK].count)
		ftype = FT_REG;
	mend_facts_of(l->facts, ino, FACT_ENTRY, &names);
	switch (ftype) {
	case FT_DIR:
		return FT_DIR;
	case FT_REG: /* without blocks it was empty, if an rmapbt would list them */
		return l->map[DATA_FORK].count || (geo->rmapbt && names) ? FT_REG : FT_UNKNOWN;
	case FT_SYMLINK:
		return l->map[DATA_FORK].count ? FT_SYMLINK : FT_UNKNOWN;
	case FT_FIFO:
	case FT_SOCK:
		return ftype;
	default: /* a device number is lost */
		return FT_UNKNOWN;
	}
}

/*
 * Returns how many bytes at the end of a file's last block are beyond its end.  These are zeroes (ondisk 04), so the
 * file is assumed to end at its last nonzero byte.  0 if the block has none or is unreadable.
 */
static uint64_t surplus_of(const struct lost *l, const struct bmap_record *last)
{
	const struct geometry *geo = &l->m->now->geo;
	const fsbno_t block = { last->start.v + last->len - 1 };
	uint8_t *bytes = malloc(geo->block_size);
	uint32_t end = 0;

	if (bytes && !last->unwritten && !mend_read_data(l->m, bytes, l->realtime, block))
		for (end = geo->block_size; end && !bytes[end - 1];)
			end--;
	free(bytes);
	return end ? geo->block_size - end : 0;
}

/*
 * Returns the size in bytes of a file, directory or symlink with these extents.  A directory has a first block, even if
 * only those of its index are known.
 */
static uint64_t size_of(const struct geometry *geo, enum ftype ftype, const struct bmap_record *extents, size_t count)
{
	uint64_t limit = ftype == FT_DIR ? DIR_LEAF_OFFSET >> geo->block_log : UINT64_MAX, end = 0;

	for (size_t i = 0; i < count; i++)
		if (extents[i].off.v < limit)
			end = extents[i].off.v + extents[i].len;
	if (ftype == FT_DIR && count && !end)
		end = 1;
	if (ftype == FT_DIR)
		end = (end + (1ull << geo->dirblk_log) - 1) >> geo->dirblk_log << geo->dirblk_log;
	end <<= geo->block_log;
	return ftype == FT_SYMLINK && end > SYMLINK_MAX_SIZE - 1 ? SYMLINK_MAX_SIZE - 1 : end;
}

int mend_inode_empty_directory(struct mend *m, const struct mend_facts *facts, struct mend_inode *inode)
{
	const struct geometry *geo = &m->now->geo;
	size_t nentries;
	const struct ino_fact *entries = mend_facts_of(facts, inode->ino, FACT_ENTRY, &nentries);
	xino_t parent = { nentries ? entries[0].value : geo->rootino.v };

	dinode_set_no_names(geo, inode->bytes, inode->ino.v == geo->rootino.v ? geo->rootino : parent);
	return nentries ? 0 : mend_note_parent_unknown(m, inode->ino);
}

/* Minimum bytes of forks, for later use: a bmbt root with three children; with two, or a parent pointer. */
#define DATA_FORK_LEAST 56u
#define ATTR_FORK_LEAST 40u

static uint64_t at_least(uint64_t value, uint64_t least)
{
	return value < least ? least : value;
}

/*
 * Returns the size of the data fork in bytes if there is an attribute fork: a quarter of the inode's size, or more or
 * less if all extents of both forks then fit into the inode.
 */
static uint32_t border_of(const struct lost *l)
{
	const struct geometry *geo = &l->m->now->geo;
	const uint32_t area = geo->inode_size - dinode_core_size(geo), usual = geo->inode_size / 4;
	const uint64_t data = at_least(l->map[DATA_FORK].count * sizeof(struct bmbt_rec_disk), DATA_FORK_LEAST);
	const uint64_t attr = at_least(l->map[ATTR_FORK].count * sizeof(struct bmbt_rec_disk), ATTR_FORK_LEAST);

	if (data + attr > area || (data <= usual && attr <= area - usual))
		return usual;
	return (uint32_t)(data > usual ? data : (area - attr) & ~7ull);
}

static int make_anew(struct lost *l, enum ftype ftype)
{
	const struct geometry *geo = &l->m->now->geo;
	const struct check check = check_silent(geo);
	struct mend_inode *inode = &l->inode;
	struct dinode_disk *disk = mend_inode_disk(inode);
	const struct bmap_record *extents = l->map[DATA_FORK].v;
	const size_t count = l->map[DATA_FORK].count;
	uint64_t size;
	size_t ngens;
	const struct ino_fact *gens = mend_facts_of(l->facts, inode->ino, FACT_GEN, &ngens);
	int ret = ftype == FT_DIR ? mend_note_map_mended(l->m, inode->ino) : mend_note_rebuilt(l->m, inode->ino);

	if (!ret && ftype == FT_DIR)
		ret = ino_set_put(&l->m->notes.stray_dirs, inode->ino);
	dinode_make_empty(geo, inode->bytes, inode->ino, ngens ? (uint32_t)gens[0].value : 0, ftype);
	/* a device number takes 8 bytes */
	if (l->map[ATTR_FORK].count || geo->parent)
		disk->forkoff = disk->format == DINODE_FMT_DEV ? 1 : (uint8_t)(border_of(l) / 8);
	size = size_of(geo, ftype, extents, count);
	if (ftype == FT_REG && count && !l->is_metafile)
		size -= surplus_of(l, &extents[count - 1]);
	disk->size = be64_put(size);
	if (l->realtime)
		disk->flags = be16_put(DIFLAG_REALTIME);
	/* no check sees if a realtime file lacks this flag, and the kernel would overwrite shared blocks in place */
	if (l->realtime && geo->reflink && has_rtgroups(geo))
		disk->flags2 = be64_put(be64_get(disk->flags2) | DIFLAG2_REFLINK);
	if (l->is_metafile)
		dinode_make_metafile(geo, inode->bytes, &l->metafile);
	if (ret || !dinode_decode(&check, inode->bytes, inode->ino, true, &inode->inode))
		return ret;
	if (count)
		ret = mend_fork_store(l->m, inode, DATA_FORK, extents, count);
	else if (ftype == FT_DIR)
		ret = mend_inode_empty_directory(l->m, l->facts, inode);
	if (l->map[ATTR_FORK].count && !ret)
		ret = mend_fork_store(l->m, inode, ATTR_FORK, l->map[ATTR_FORK].v, l->map[ATTR_FORK].count);
	return ret;
}

/* True if the data are on the realtime device: only an rtrmapbt lists blocks, and it may be a regular file. */
static bool has_realtime_data(const struct lost *l)
{
	const enum ftype ftype = mend_facts_type(l->facts, l->inode.ino);
	size_t count;

	mend_facts_of(l->facts, l->inode.ino, FACT_RTRMAP, &count);
	return count && !l->map[DATA_FORK].count && !l->is_metafile && (ftype == FT_REG || ftype == FT_UNKNOWN);
}

static int begin_lost(struct lost *l)
{
	const xino_t ino = l->inode.ino;
	int ret = 0;

	l->inode.bytes = calloc(1, l->m->now->geo.inode_size);
	if (!l->inode.bytes)
		return -ENOMEM;
	l->is_metafile = mend_metafile_of(l->m, l->facts, ino, &l->metafile);
	for (unsigned which = DATA_FORK; which <= ATTR_FORK && !ret; which++)
		ret = mend_rmap_extents(&l->m->now->geo, l->facts, ino, which, FACT_RMAP, &l->map[which]);
	l->realtime = has_realtime_data(l);
	if (l->realtime && !ret)
		ret = mend_rmap_extents(&l->m->now->geo, l->facts, ino, DATA_FORK, FACT_RTRMAP, &l->map[DATA_FORK]);
	return ret;
}

static void end_lost(struct lost *l)
{
	free(l->inode.bytes);
	free(l->map[DATA_FORK].v);
	free(l->map[ATTR_FORK].v);
}

int mend_inode_make_anew(struct mend *m, const struct mend_facts *facts, xino_t ino, enum ftype ftype)
{
	struct lost l = { .m = m, .facts = facts, .inode = { .ino = ino } };
	int ret = begin_lost(&l);

	mend_drop_inode(m, ino, DROP_RECREATED);
	if (!ret)
		ret = make_anew(&l, ftype);
	if (!ret)
		ret = mend_inode_store(m, &l.inode);
	end_lost(&l);
	return ret;
}

int mend_inode_of_blocks(struct mend *m, const struct mend_facts *facts, const struct mend_map *map)
{
	struct lost l = { .m = m, .facts = facts };
	struct mend_inode unused = { 0 };
	uint32_t gen;
	int ret = mend_new_inodes_find(m, &l.inode.ino, 1);

	if (!ret)
		ret = mend_inode_read(m, l.inode.ino, &unused);
	if (ret)
		return ret;
	gen = be32_get(mend_inode_disk(&unused)->gen) + 1;
	mend_inode_free(&unused);
	l.inode.bytes = calloc(1, m->now->geo.inode_size);
	ret = l.inode.bytes ? mend_map_merge(&l.map[DATA_FORK], map) : -ENOMEM;
	if (!ret)
		ret = make_anew(&l, FT_REG);
	if (!ret) {
		mend_inode_disk(&l.inode)->gen = be32_put(gen);
		ret = mend_inode_store(m, &l.inode);
		mend_drop_inode(m, l.inode.ino, DROP_OTHER_FILE);
	}
	for (size_t i = 0; i < map->count && !ret; i++)
		mend_space_claim(m, map->v[i].start, map->v[i].len);
	if (!ret)
		ret = mend_follows_inode(m, MEND_ag_inodes, F_INODE_USED_BUT_FREE, l.inode.ino);
	end_lost(&l);
	return ret;
}

/* Has mend_symlink() set the size of a symlink, which depends on the block with its target. 0 or -ENOMEM. */
static int target_follows(struct mend *m, xino_t ino)
{
	return mend_follows_inode(m, MEND_symlink, F_SYMLINK_LENGTH, ino);
}

/*
 * Handles an inode that was freed although the inobt has it in use.  Entries for it may be in recreated directories, so
 * mend_inode_named() looks first; then the inobt is corrected.  0 or -ENOMEM.
 */
static int freed_in_use(struct mend *m, xino_t ino)
{
	int ret = ino_set_put(&m->notes.freed, ino);

	if (!ret)
		ret = mend_follows_inode(m, MEND_inode_named, F_INODE_FREE_IN_USE, ino);
	return ret ? ret : mend_follows_inode(m, MEND_ag_inodes, F_INODE_FREE_IN_USE, ino);
}

int mend_inode_lost(struct mend *m, const struct mend_facts *facts, const struct found *found, bool or_free)
{
	struct lost l = { .m = m, .facts = facts, .inode = { .ino = found->place.ino } };
	enum ftype ftype = FT_UNKNOWN;
	int ret = begin_lost(&l);

	if (!ret)
		ftype = type_of_lost(&l);
	or_free |= ftype != FT_UNKNOWN;
	if (!ret && or_free && ftype == FT_UNKNOWN)
		mend_drop_inode(m, l.inode.ino, DROP_NOTHING_TELLS);
	if (!ret && ftype == FT_UNKNOWN)
		dinode_make_free(&m->now->geo, l.inode.bytes, l.inode.ino, 0);
	else if (!ret)
		mend_drop_inode(m, l.inode.ino, DROP_RECREATED);
	if (!ret && ftype != FT_UNKNOWN)
		ret = make_anew(&l, ftype);
	if (!ret && or_free)
		ret = mend_inode_store(m, &l.inode);
	if (!ret && or_free)
		ret = ino_set_put(&m->round.blocks_reported, l.inode.ino);
	if (!ret && or_free)
		mend_done_so(m, found, SURE_GUESS,
			     ftype == FT_UNKNOWN ? "freed: not enough left to rebuild it"
						 : "destroyed; recreated from other metadata");
	if (!ret && or_free && ftype == FT_UNKNOWN)
		ret = freed_in_use(m, l.inode.ino);
	if (!ret && ftype == FT_SYMLINK)
		ret = target_follows(m, l.inode.ino);
	end_lost(&l);
	return mend_left(m, found, 1, ret);
}

bool mend_inode_lost_ahead(const struct mend *m, const void *ctx, const struct found *found, fsbno_t *ret_block)
{
	const struct mend_facts *facts = ctx;
	struct mend_map map = { 0 };
	const struct bmap_record *last;
	bool is = mend_facts_type(facts, found->place.ino) == FT_REG &&
		  !mend_rmap_extents(&m->now->geo, facts, found->place.ino, DATA_FORK, FACT_RMAP, &map) && map.count;

	if (is) {
		last = &map.v[map.count - 1];
		is = !last->unwritten && fsb_range_valid(&m->now->geo, last->start, last->len);
		ret_block->v = last->start.v + last->len - 1;
	}
	free(map.v);
	return is;
}
