/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inodes that are damaged themselves (ondisk 04).  What is wrong with one follows from the rest of it, and from what
 * others take it for.  One that is lost altogether is made anew from what others know: who names it and as what, whose
 * parent it is, and which blocks an rmapbt has as its own.  Of whom nobody knows anything is free.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/bmbt.h"
#include "disk/dir.h"
#include "disk/inobt.h"
#include "disk/symlink.h"
#include "libxfs/da.h"
#include "libxfs/dinode_mend.h"
#include "mend/rt/mend_metafile.h"
#include "mend_inode.h"

/* What a block of a file tells about the file's type. */
static enum ftype type_of_block(struct mend *m, fsbno_t fsbno)
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

/* The extents of a fork, as an rmapbt of that kind has them, one behind the other. */
static size_t extents_of(const struct mend_facts *facts, xino_t ino, enum fork which, enum ino_fact_kind kind,
			 struct bmap_record **ret_extents)
{
	size_t count, n = 0;
	const struct ino_fact *rmap = mend_facts_of(facts, ino, kind, &count);
	struct bmap_record *extents = calloc(count + 1, sizeof(*extents));
	uint64_t end = 0;

	for (size_t i = 0; i < count && extents; i++) {
		bool attr = rmap[i].flags & RMAP_ATTR;

		if (attr != (which == ATTR_FORK) || rmap[i].flags & RMAP_BMBT || rmap[i].off.v < end ||
		    mend_facts_reaches_next(rmap, count, i))
			continue;
		extents[n++] = (struct bmap_record){
			rmap[i].off, { rmap[i].value }, rmap[i].len, rmap[i].flags & RMAP_UNWRITTEN
		};
		end = rmap[i].off.v + rmap[i].len;
	}
	*ret_extents = extents;
	return n;
}

struct lost {
	struct mend *m;
	const struct mend_facts *facts;
	struct mend_inode inode;
	bool is_metafile;
	struct metafile metafile;
	bool realtime; /* so is its data */
	struct bmap_record *extents[2];
	size_t count[2];
};

static enum ftype type_of_metafile(const struct metafile *metafile)
{
	return metafile->metatype == METAFILE_DIR ? FT_DIR : FT_REG;
}

static enum ftype type_of_lost(const struct lost *l)
{
	const struct geometry *geo = &l->m->now->geo;
	xino_t ino = l->inode.ino;
	enum ftype ftype = dinode_internal_type(geo, ino);
	size_t names;

	if (l->is_metafile)
		return type_of_metafile(&l->metafile);
	if (ftype != FT_UNKNOWN)
		return ftype;
	ftype = mend_facts_type(l->facts, ino);
	if (ftype == FT_UNKNOWN && l->count[DATA_FORK] && !l->realtime)
		ftype = type_of_block(l->m, l->extents[DATA_FORK][0].start);
	if (ftype == FT_UNKNOWN && l->count[DATA_FORK])
		ftype = FT_REG;
	mend_facts_of(l->facts, ino, FACT_ENTRY, &names);
	switch (ftype) {
	case FT_DIR:
		return FT_DIR;
	case FT_REG: /* without blocks it was empty, if anybody would know of blocks */
		return l->count[DATA_FORK] || (geo->rmapbt && names) ? FT_REG : FT_UNKNOWN;
	case FT_SYMLINK:
		return l->count[DATA_FORK] ? FT_SYMLINK : FT_UNKNOWN;
	case FT_FIFO:
	case FT_SOCK:
		return ftype;
	default: /* the number of a device is lost */
		return FT_UNKNOWN;
	}
}

/*
 * How many bytes of the last block of a file are not part of it: what lies behind its end is zero (ondisk 04), so what
 * it ends with is the last byte that is not.  Of a block with nothing in it, nobody knows.
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

/* Bytes that a file of these extents has, or a directory. */
static uint64_t size_of(const struct geometry *geo, enum ftype ftype, const struct bmap_record *extents, size_t count)
{
	uint64_t limit = ftype == FT_DIR ? DIR_LEAF_OFFSET >> geo->block_log : UINT64_MAX, end = 0;

	for (size_t i = 0; i < count; i++)
		if (extents[i].off.v < limit)
			end = extents[i].off.v + extents[i].len;
	if (ftype == FT_DIR)
		end = (end + (1ull << geo->dirblk_log) - 1) >> geo->dirblk_log << geo->dirblk_log;
	end <<= geo->block_log;
	return ftype == FT_SYMLINK && end > SYMLINK_MAX_SIZE - 1 ? SYMLINK_MAX_SIZE - 1 : end;
}

/* A directory without blocks, in the directory that names it. 0 or -ENOMEM. */
static int put_empty_directory(struct mend *m, const struct mend_facts *facts, struct mend_inode *inode)
{
	const struct geometry *geo = &m->now->geo;
	size_t nentries;
	const struct ino_fact *entries = mend_facts_of(facts, inode->ino, FACT_ENTRY, &nentries);
	xino_t parent = { nentries ? entries[0].value : geo->rootino.v };

	dinode_set_no_names(geo, inode->bytes, inode->ino.v == geo->rootino.v ? geo->rootino : parent);
	return nentries ? 0 : mend_unplaced(m, inode->ino);
}

/* Bytes for what is to come: a root of three children; one of two, or a short parent pointer. */
#define DATA_FORK_LEAST 56u
#define ATTR_FORK_LEAST 40u

static uint64_t at_least(uint64_t value, uint64_t least)
{
	return value < least ? least : value;
}

/*
 * Bytes of the data fork, where there are attributes or will be: half of the room, or more or less of it where all
 * extents fit in then, and need no blocks.
 */
static uint32_t border_of(const struct lost *l)
{
	const struct geometry *geo = &l->m->now->geo;
	const uint32_t area = geo->inode_size - dinode_core_size(geo), half = geo->inode_size / 4;
	const uint64_t data = at_least(l->count[DATA_FORK] * sizeof(struct bmbt_rec_disk), DATA_FORK_LEAST);
	const uint64_t attr = at_least(l->count[ATTR_FORK] * sizeof(struct bmbt_rec_disk), ATTR_FORK_LEAST);

	if (data + attr > area || (data <= half && attr <= area - half))
		return half;
	return (uint32_t)(data > half ? data : (area - attr) & ~7ull);
}

static int make_anew(struct lost *l, enum ftype ftype)
{
	const struct geometry *geo = &l->m->now->geo;
	const struct check check = check_silent(geo);
	struct mend_inode *inode = &l->inode;
	struct dinode_disk *disk = mend_inode_disk(inode);
	const struct bmap_record *extents = l->extents[DATA_FORK];
	const size_t count = l->count[DATA_FORK];
	uint64_t size;
	size_t ngens;
	const struct ino_fact *gens = mend_facts_of(l->facts, inode->ino, FACT_GEN, &ngens);
	int ret = ftype == FT_DIR ? mend_bereft(l->m, inode->ino) : mend_remade(l->m, inode->ino);

	dinode_make_empty(geo, inode->bytes, inode->ino, ngens ? (uint32_t)gens[0].value : 0, ftype);
	/* a device number takes 8 bytes */
	if (l->count[ATTR_FORK] || geo->parent)
		disk->forkoff = disk->format == DINODE_FMT_DEV ? 1 : (uint8_t)(border_of(l) / 8);
	size = size_of(geo, ftype, extents, count);
	if (ftype == FT_REG && count && !l->is_metafile)
		size -= surplus_of(l, &extents[count - 1]);
	disk->size = be64_put(size);
	if (l->realtime)
		disk->flags = be16_put(DIFLAG_REALTIME);
	if (l->is_metafile)
		dinode_make_metafile(geo, inode->bytes, &l->metafile);
	if (ret || !dinode_decode(&check, inode->bytes, inode->ino, true, &inode->inode))
		return ret;
	if (count)
		ret = mend_fork_store(l->m, inode, DATA_FORK, extents, count);
	else if (ftype == FT_DIR)
		ret = put_empty_directory(l->m, l->facts, inode);
	if (l->count[ATTR_FORK] && !ret)
		ret = mend_fork_store(l->m, inode, ATTR_FORK, l->extents[ATTR_FORK], l->count[ATTR_FORK]);
	return ret;
}

/* Nobody takes it for anything that has no realtime blocks, and realtime blocks are all that are known of its data. */
static bool has_realtime_data(const struct lost *l)
{
	const enum ftype ftype = mend_facts_type(l->facts, l->inode.ino);
	size_t count;

	mend_facts_of(l->facts, l->inode.ino, FACT_RTRMAP, &count);
	return count && !l->count[DATA_FORK] && !l->is_metafile && (ftype == FT_REG || ftype == FT_UNKNOWN);
}

static int begin_lost(struct lost *l)
{
	const xino_t ino = l->inode.ino;

	l->inode.bytes = calloc(1, l->m->now->geo.inode_size);
	l->is_metafile = mend_metafile_of(l->m, l->facts, ino, &l->metafile);
	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++)
		l->count[which] = extents_of(l->facts, ino, which, FACT_RMAP, &l->extents[which]);
	l->realtime = has_realtime_data(l);
	if (l->realtime) {
		free(l->extents[DATA_FORK]);
		l->count[DATA_FORK] = extents_of(l->facts, ino, DATA_FORK, FACT_RTRMAP, &l->extents[DATA_FORK]);
	}
	return l->inode.bytes && l->extents[DATA_FORK] && l->extents[ATTR_FORK] ? 0 : -ENOMEM;
}

static void end_lost(struct lost *l)
{
	free(l->inode.bytes);
	free(l->extents[DATA_FORK]);
	free(l->extents[ATTR_FORK]);
}

int mend_inode_make_anew(struct mend *m, const struct mend_facts *facts, xino_t ino, enum ftype ftype)
{
	struct lost l = { .m = m, .facts = facts, .inode = { .ino = ino } };
	int ret = begin_lost(&l);

	if (!ret)
		ret = make_anew(&l, ftype);
	if (!ret)
		ret = mend_inode_store(m, &l.inode);
	end_lost(&l);
	return ret;
}

/* How long its target is tells the block that it is in. */
static int target_follows(struct mend *m, xino_t ino)
{
	return mend_follows_inode(m, MEND_symlink, F_SYMLINK_LENGTH, ino);
}

/* The inobt has it in use; names may be found that lead to it, in directories that have just been made anew. */
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
	if (!ret && ftype == FT_UNKNOWN)
		dinode_make_free(&m->now->geo, l.inode.bytes, l.inode.ino, 0);
	else if (!ret)
		ret = make_anew(&l, ftype);
	if (!ret && or_free)
		ret = mend_inode_store(m, &l.inode);
	if (!ret && or_free)
		ret = ino_set_put(&m->round.told, l.inode.ino);
	if (!ret && or_free)
		mend_done_so(m, found,
			     ftype == FT_UNKNOWN ? "freed: too little is known of it to make it anew"
						 : "lost, made anew from what others know of it");
	if (!ret && or_free && ftype == FT_UNKNOWN)
		ret = freed_in_use(m, l.inode.ino);
	if (!ret && ftype == FT_SYMLINK)
		ret = target_follows(m, l.inode.ino);
	end_lost(&l);
	return ret == -ENOSPC ? 0 : ret;
}

/* What it is to others, or by its first block if that looks like nothing else. */
static enum ftype type_of(struct mend *m, const struct mend_facts *facts, const uint8_t *bytes, xino_t ino)
{
	const struct check check = check_silent(&m->now->geo);
	enum ftype ftype = dinode_internal_type(&m->now->geo, ino);
	struct dinode inode;

	if (ftype == FT_UNKNOWN)
		ftype = mend_facts_type(facts, ino);
	if (ftype != FT_UNKNOWN || !dinode_decode(&check, bytes, ino, true, &inode))
		return ftype;
	if (inode.fork[DATA_FORK].ok && inode.fork[DATA_FORK].format == FMT_EXTENTS && inode.fork[DATA_FORK].nextents) {
		struct bmap_record first = bmap_record_get(inode.fork[DATA_FORK].bytes);

		if (!inode.realtime && fsb_range_valid(&m->now->geo, first.start, 1))
			ftype = type_of_block(m, first.start);
	}
	return ftype;
}

/* Set right an inode that is there. False: it is not sound, for all that was done. */
static bool set_right(struct mend *m, const struct mend_facts *facts, struct mend_inode *inode, bool in_use)
{
	const struct dinode_witness witness = mend_inode_witness(m);
	struct metafile metafile;
	bool is_metafile = in_use && mend_metafile_of(m, facts, inode->ino, &metafile);
	enum ftype ftype = FT_UNKNOWN;

	if (in_use)
		ftype = is_metafile ? type_of_metafile(&metafile) : type_of(m, facts, inode->bytes, inode->ino);
	return dinode_set_right(&m->now->geo, inode->bytes, inode->ino, in_use, ftype, is_metafile ? &metafile : NULL,
				&witness);
}

/* A directory that has lost all of its blocks. 0 or -ENOMEM. */
static int empty_directory(struct mend *m, const struct mend_facts *facts, struct mend_inode *inode)
{
	const struct check check = check_silent(&m->now->geo);
	struct mend_inode found;
	int ret = 0;

	if (!dinode_decode(&check, inode->bytes, inode->ino, true, &inode->inode) || inode->inode.ftype != FT_DIR ||
	    inode->inode.fork[DATA_FORK].format == FMT_LOCAL || mend_inode_load(m, inode->ino, &found))
		return 0;
	if (!found.fork[DATA_FORK].count && found.fork[DATA_FORK].whole) {
		mend_fork_put_count(inode, DATA_FORK, 0);
		ret = put_empty_directory(m, facts, inode);
	}
	mend_inode_free(&found);
	return ret;
}

/* An inode that can be recognized. */
static int mend_recognized(struct mend *m, const struct mend_facts *facts, const struct found *found,
			   struct mend_inode *inode, bool in_use)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t before[DINODE_SIZE_MAX];
	bool sound;
	int ret = 0;

	memcpy(before, inode->bytes, geo->inode_size);
	sound = set_right(m, facts, inode, in_use);
	if (!sound && !in_use)
		dinode_make_free(geo, inode->bytes, inode->ino, be32_get(mend_inode_disk(inode)->gen));
	else if (found->problem.finding == F_INODE_NEXTENTS)
		ret = empty_directory(m, facts, inode);
	if (!ret)
		ret = mend_inode_store(m, inode);
	/* as it was: what is wrong with it is for those who mend what its forks hold */
	if (ret || memcmp(before, inode->bytes, geo->inode_size) == 0)
		return ret;
	ret = mend_inode_claims(m, inode->ino);
	if (!ret)
		ret = mend_bereft(m, inode->ino);
	if (!ret)
		ret = mend_remade(m, inode->ino);
	if (!ret)
		mend_done(m, found);
	return ret;
}

static int mend_one(struct mend *m, const struct mend_facts *facts, const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	xino_t ino = found->place.ino;
	size_t nchunks;
	const struct ino_fact *chunk = mend_facts_of(facts, ino, FACT_CHUNK, &nchunks);
	struct mend_inode inode = { .ino = ino, .bytes = calloc(1, geo->inode_size) };
	bool readable, in_use = nchunks && chunk->value;
	int ret = -ENOMEM;

	if (!inode.bytes)
		return ret;
	mend_inode_ahead(m, ino);
	readable = !mend_read(m, inode.bytes, bytes_of_ino(geo, ino), geo->inode_size);
	ret = 0;
	if (!nchunks) {
		/* nothing is known of a chunk there: what leads to inodes is mended first */
	} else if (readable && dinode_recognize(geo, inode.bytes, ino)) {
		ret = mend_recognized(m, facts, found, &inode, in_use);
	} else if (in_use) {
		ret = mend_inode_lost(m, facts, found, true);
	} else {
		dinode_make_free(geo, inode.bytes, ino, 0);
		ret = mend_inode_store(m, &inode);
		if (!ret)
			mend_done_so(m, found, "written anew as a free inode");
	}
	free(inode.bytes);
	return ret;
}

/* The block of a file that is lost that tells where it ends: surplus_of(). */
static bool last_block(const struct mend *m, const void *ctx, const struct found *found, fsbno_t *ret_block)
{
	const struct mend_facts *facts = ctx;
	struct bmap_record *extents;
	const size_t count = extents_of(facts, found->place.ino, DATA_FORK, FACT_RMAP, &extents);
	const struct bmap_record *last = count ? &extents[count - 1] : NULL;
	bool is = last && !last->unwritten && fsb_range_valid(&m->now->geo, last->start, last->len) &&
		  mend_facts_type(facts, found->place.ino) == FT_REG;

	if (is)
		ret_block->v = last->start.v + last->len - 1;
	free(extents);
	return is;
}

/* A finding for each inode that lies in the bytes of a chunk that can't be read, used or free. */
static size_t put_unreadable(const struct geometry *geo, const struct found *found, struct found *ret)
{
	uint64_t start = bytes_of_ino(geo, found->place.ino);
	uint64_t from = (found->problem.want - start) >> geo->inode_log;
	uint64_t to = (found->problem.want + found->problem.got - start + geo->inode_size - 1) >> geo->inode_log;
	size_t n = 0;

	for (uint64_t i = from; i < to && n < INODES_PER_CHUNK; i++, n++) {
		ret[n] = *found;
		ret[n].place.object = OBJ_INODE;
		ret[n].place.ino.v += i;
	}
	return n;
}

/* Findings of single inodes, by number. 0 or -ENOMEM. */
static int findings_of_inodes(const struct geometry *geo, const struct found *found, size_t count,
			      struct found **ret_each, size_t *ret_count)
{
	struct found *each;
	size_t room = 1, n = 0;

	for (size_t i = 0; i < count; i++)
		room += found[i].place.object == OBJ_CLUSTER ? INODES_PER_CHUNK : 1;
	each = calloc(room, sizeof(*each));
	if (!each)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (found[i].place.ino.v == NULL_INO)
			continue;
		if (found[i].place.object == OBJ_CLUSTER)
			n += put_unreadable(geo, &found[i], each + n);
		else
			each[n++] = found[i];
	}
	qsort(each, n, sizeof(*each), mend_found_order);
	*ret_each = each;
	*ret_count = n;
	return 0;
}

int mend_inode_core(struct mend *m, const struct found *found, size_t count)
{
	struct mend_facts facts = { 0 };
	struct found *each;
	xino_t *inos, last = { NULL_INO };
	size_t ninos, n;
	int ret = findings_of_inodes(&m->now->geo, found, count, &each, &n);

	if (!ret) {
		ret = mend_facts_inodes(each, n, &inos, &ninos);
		if (ret)
			free(each);
	}
	if (ret)
		return ret;
	ret = mend_facts_collect(m, inos, ninos, FACTS_ALL, &facts);
	m->ahead.block = last_block;
	m->ahead.ctx = &facts;
	for (size_t i = 0; i < n && !ret; i++) {
		xino_t ino = each[i].place.ino;

		if (ino.v == last.v || !ino_valid(&m->now->geo, ino))
			continue;
		last = ino;
		ret = mend_one(m, &facts, &each[i]);
	}
	free(each);
	/* freed_in_use() */
	if (!ret && m->follows[MEND_inode_named].count) {
		ret = mend_facts_keep(m, inos, ninos, &facts);
		if (!ret)
			return 0;
	}
	mend_facts_free(&facts);
	free(inos);
	return ret;
}
