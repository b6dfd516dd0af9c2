/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects damaged inode cores (ondisk 04), from the rest of the inode and from other metadata.  An inode that is not
 * recognizable as one is recreated (mend_inode_lost.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/inobt.h"
#include "libxfs/dinode_mend.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_inode.h"
#include "mend/make/mend_inode_lost.h"
#include "mend/make/mend_metadir.h"
#include "repair.h"
#include "mend/base/menders.h"

/* Returns the type of an inode according to others, or else its first block; FT_UNKNOWN: unknown. */
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
			ftype = mend_inode_type_by_block(m, first.start);
	}
	return ftype;
}

/* Corrects the core of an inode in memory. False: there are still errors. */
static bool set_right(struct mend *m, const struct mend_facts *facts, struct mend_inode *inode, bool in_use)
{
	const struct dinode_witness witness = mend_inode_witness(m);
	struct metafile metafile;
	bool is_metafile = in_use && mend_metafile_of(m, facts, inode->ino, &metafile);
	enum ftype ftype = FT_UNKNOWN;

	if (in_use)
		ftype = is_metafile ? mend_inode_type_of_metafile(&metafile)
				    : type_of(m, facts, inode->bytes, inode->ino);
	return dinode_set_right(&m->now->geo, inode->bytes, inode->ino, in_use, ftype, is_metafile ? &metafile : NULL,
				&witness);
}

/* If the inode is a directory that has lost all of its blocks, makes it an empty one. 0 or -ENOMEM. */
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
		ret = mend_inode_empty_directory(m, facts, inode);
	}
	mend_inode_free(&found);
	return ret;
}

/* Mends a recognizable inode. 0 or negative errno. */
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
	/* no field values can save a symlink without a target; the format will follow from its new target */
	if (!ret && !sound && in_use && (be16_get(mend_inode_disk(inode)->mode) & MODE_TYPE) == MODE_SYMLINK)
		ret = mend_follows_inode(m, MEND_symlink, F_SYMLINK_LENGTH, inode->ino);
	/* if nothing has changed, the errors are for menders of forks */
	if (ret || memcmp(before, inode->bytes, geo->inode_size) == 0)
		return ret;
	ret = mend_inode_claims(m, inode->ino);
	if (!ret)
		ret = mend_note_map_mended(m, inode->ino);
	if (!ret)
		ret = mend_note_rebuilt(m, inode->ino);
	if (!ret)
		mend_done(m, found);
	return ret;
}

/* Findings about inodes, by inode number. */
struct of_inodes {
	struct found *v;
	size_t count;
};

/*
 * Returns the wrong part of the uuid of the inode that the findings from `first` on are about, if its checksum is
 * right; else 0.
 */
static uint64_t other_uuid(const struct of_inodes *each, size_t first)
{
	uint64_t uuid = 0;

	for (size_t i = first; i < each->count && each->v[i].place.ino.v == each->v[first].place.ino.v; i++) {
		if (each->v[i].problem.finding == F_BLOCK_CRC)
			return 0;
		if (each->v[i].problem.finding == F_BLOCK_UUID)
			uuid = each->v[i].problem.got;
	}
	return uuid;
}

/*
 * True if an inode is an intact one of another file system, overwriting the one here.  The neighbouring inode, in the
 * same block or the next, then has the same foreign uuid; otherwise only the uuid of this one is damaged.
 */
static bool is_foreign(const struct of_inodes *each, size_t first)
{
	const uint64_t ino = each->v[first].place.ino.v, uuid = other_uuid(each, first);
	size_t i = first;

	if (!uuid)
		return false;
	while (i < each->count && each->v[i].place.ino.v < (ino ^ 1))
		i++;
	while (i > 0 && each->v[i - 1].place.ino.v >= (ino ^ 1))
		i--;
	return i < each->count && each->v[i].place.ino.v == (ino ^ 1) && other_uuid(each, i) == uuid;
}

/* Mends an inode. found: one of its findings; foreign: the bytes are another file system's. 0 or negative errno. */
static int mend_core(struct mend *m, const struct mend_facts *facts, const struct found *found, bool foreign)
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
		/* no inobt lists the chunk: the inobt must be mended first */
	} else if (readable && !foreign && dinode_recognize(geo, inode.bytes, ino)) {
		ret = mend_recognized(m, facts, found, &inode, in_use);
	} else if (in_use) {
		ret = mend_inode_lost(m, facts, found, true);
	} else {
		dinode_make_free(geo, inode.bytes, ino, 0);
		ret = mend_inode_store(m, &inode);
		if (!ret)
			mend_done_so(m, found, SURE_LIKELY, "rewritten as a free inode");
	}
	free(inode.bytes);
	return ret;
}

/* Splits a finding about an unreadable part of a chunk into one per inode. Returns their number. */
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

/* Gets the findings, with those about chunks split by inode, sorted by number; the caller frees ret_each->v. */
static int findings_of_inodes(const struct geometry *geo, const struct found *found, size_t count,
			      struct of_inodes *ret_each)
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
	*ret_each = (struct of_inodes){ each, n };
	return 0;
}

bool mend_inode_core_wants(const struct found *found)
{
	/* the inobt is corrected to match the inode, unless the inode is damaged: then the inode is mended */
	return found->problem.finding == F_INODE_USED_BUT_FREE || mend_inode_lost_mode(found);
}

int mend_inode_core(struct mend *m, const struct found *found, size_t count)
{
	struct mend_facts facts = { 0 };
	struct of_inodes each = { 0 };
	xino_t *inos, last = { NULL_INO };
	size_t ninos;
	int ret = findings_of_inodes(&m->now->geo, found, count, &each);

	if (!ret) {
		ret = mend_facts_inodes(each.v, each.count, &inos, &ninos);
		if (ret)
			free(each.v);
	}
	if (ret)
		return ret;
	ret = mend_facts_collect(m, inos, ninos, FACTS_ALL, &facts);
	m->ahead.block = mend_inode_lost_ahead;
	m->ahead.ctx = &facts;
	for (size_t i = 0; i < each.count && !ret; i++) {
		xino_t ino = each.v[i].place.ino;

		if (ino.v == last.v || !ino_valid(&m->now->geo, ino))
			continue;
		last = ino;
		ret = mend_core(m, &facts, &each.v[i], is_foreign(&each, i));
	}
	free(each.v);
	/* mend_inode_named() will ask for the same facts: see freed_in_use() in mend_inode_lost.c */
	if (!ret && m->follows[MEND_inode_named].count) {
		ret = mend_facts_keep(m, inos, ninos, &facts);
		if (!ret)
			return 0;
	}
	mend_facts_free(&facts);
	free(inos);
	return ret;
}
