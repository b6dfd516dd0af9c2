/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocates free inodes as empty files or directories (ondisk 04, 06). */
#include "mend_new_inode.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "check/walk/walker.h"
#include "disk/inobt.h"
#include "libxfs/dinode_mend.h"
#include "mend/base/mend.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_evidence.h"
#include "mend/collect/mend_inode.h"
#include "mend_chunks.h"
#include "repair.h"

/*
 * Makes a new inode chunk where the kernel would (ondisk 00, section 3; 03, inobt): aligned as the superblock says, in
 * blocks that two sources list as free, in the AG with the most free space that has room for both the chunk and the
 * inode btrees with it.
 */

#define CHUNKS_MAX (65536u / 256 / INODES_PER_CHUNK) /* with the largest block and smallest inodes */

/* Makes records of `count` new inodes from `first` on: of whole chunks, or one with holes. Returns their number. */
static size_t put_records(const struct geometry *geo, agino_t first, uint32_t count,
			  struct inobt_record records[CHUNKS_MAX])
{
	const uint32_t align = geo->cluster_align << geo->inopb_log;
	size_t n = 0;

	if (count >= INODES_PER_CHUNK) {
		for (uint32_t at = 0; at < count; at += INODES_PER_CHUNK)
			records[n++] = (struct inobt_record){ .start = { first.v + at },
							      .count = INODES_PER_CHUNK,
							      .freecount = INODES_PER_CHUNK,
							      .free = UINT64_MAX };
		return n;
	}
	records[0] = (struct inobt_record){ .start = { first.v / align * align },
					    .holemask = UINT16_MAX,
					    .count = (uint8_t)count,
					    .freecount = (uint8_t)count,
					    .free = UINT64_MAX };
	for (uint32_t at = first.v % align, end = at + count; at < end; at += INODES_PER_HOLEMASKBIT)
		records[0].holemask &= (uint16_t) ~(1u << at / INODES_PER_HOLEMASKBIT);
	return 1;
}

/* Makes inodes in these blocks. -ENOSPC: no room in the AG for new inode btrees, or its inobt is damaged. */
static int make_at(struct mend *m, fsbno_t start, uint32_t blocks, xino_t *ret_first, uint32_t *ret_count)
{
	const struct geometry *geo = &m->now->geo;
	const agno_t agno = agno_of_fsbno(geo, start);
	const agino_t first = { agbno_of_fsbno(geo, start).v << geo->inopb_log };
	const struct ag_state *ag = &m->now->traverse->ags[agno.v];
	const uint32_t count = blocks << geo->inopb_log;
	struct inobt_record records[CHUNKS_MAX];
	xino_t ino = ino_of(geo, agno, first);
	size_t nrecords = put_records(geo, first, count, records);
	int ret = ag_tree_whole(ag, BT_INO) ? mend_ag_inodes_add(m, agno, records, nrecords) : -ENOSPC;

	*ret_first = ino;
	*ret_count = count;
	for (uint32_t i = 0; i < count && !ret; i++, ino.v++)
		ret = mend_inode_put_free(m, ino);
	return ret;
}

/* Tries one AG after the other, until inodes could be made in one. */
static int make_somewhere(struct mend *m, const struct space_shape *shape, xino_t *ret_first, uint32_t *ret_count)
{
	bool *seen = calloc(m->now->geo.agcount, sizeof(*seen));
	int ret = seen ? -ENOSPC : -ENOMEM;

	while (ret == -ENOSPC) {
		fsbno_t start;

		ret = mend_space_take_shaped(m, shape, seen, &start);
		if (ret)
			break;
		ret = make_at(m, start, shape->len, ret_first, ret_count);
	}
	free(seen);
	return ret;
}

/*
 * Makes a chunk of free inodes in free blocks, and adds it to the inobt of the AG.  Without room for a whole chunk,
 * makes part of a sparse one.  The next check finds the blocks in use, and has other btrees and counters corrected.
 * *ret_first: first of *ret_count consecutive inodes.  0, -ENOSPC or another negative errno.
 */
static int mend_new_chunk(struct mend *m, xino_t *ret_first, uint32_t *ret_count)
{
	const struct geometry *geo = &m->now->geo;
	const struct space_shape whole = { geo->chunk_blocks, geo->cluster_align, geo->cluster_align };
	const struct space_shape part = { geo->sparse_align, geo->sparse_align, geo->cluster_align };
	int ret = make_somewhere(m, &whole, ret_first, ret_count);

	if (ret == -ENOSPC && geo->sparse_align && geo->sparse_align < geo->chunk_blocks)
		ret = make_somewhere(m, &part, ret_first, ret_count);
	return ret;
}

#define BIGTIME_OF_1970 (1ull << 31) /* seconds: bigtime starts 2^31 seconds before 1970 */

/* Returns the number of free inodes in an AG; 0 if its inobt is not whole. */
static uint64_t free_inodes(const struct mend *m, uint32_t ag)
{
	const struct ag_state *state = &m->now->traverse->ags[ag];

	return state->have_agi && !state->tree[BT_INO].gap ? state->free_inodes : 0;
}

/* Chooses the AG with the most free inodes or, if these are too few, all AGs with any. */
static void choose_groups(const struct mend *m, size_t count, bool *wanted)
{
	const uint32_t agcount = m->now->geo.agcount;
	uint32_t most = 0;

	for (uint32_t ag = 1; ag < agcount; ag++)
		if (free_inodes(m, ag) > free_inodes(m, most))
			most = ag;
	for (uint32_t ag = 0; ag < agcount; ag++)
		wanted[ag] = free_inodes(m, most) >= count ? ag == most : free_inodes(m, ag) > 0;
}

/* Adds an inode to ret_inos[], unless it was allocated in this round. 1: added; 0: not; or -ENOMEM. */
static int give(struct mend *m, xino_t ino, xino_t *ret_inos, size_t *n)
{
	int ret = ino_set_add(&m->round.given, ino);

	if (ret > 0)
		ret_inos[(*n)++] = ino;
	return ret;
}

/* Allocates the first free inodes in the inobts, up to `count` in all. 0 or -ENOMEM. */
static int give_known(struct mend *m, const struct evidence_records *r, xino_t *ret_inos, size_t count, size_t *n)
{
	int ret = 0;

	for (size_t i = 0; i < r->nchunks; i++) {
		const struct inobt_record *chunk = &r->chunks[i].record;
		const uint64_t free = r->chunks[i].kind == BT_INO ? chunk->free & inobt_existing(chunk->holemask) : 0;
		xino_t ino = ino_of(&m->now->geo, r->chunks[i].agno, chunk->start);

		for (unsigned k = 0; k < INODES_PER_CHUNK && *n < count && ret >= 0; k++, ino.v++)
			if (free >> k & 1)
				ret = give(m, ino, ret_inos, n);
	}
	return ret < 0 ? ret : 0;
}

/* Allocates inodes of new chunks, which the last check did not know. 0, -ENOSPC or another negative errno. */
static int give_fresh(struct mend *m, xino_t *ret_inos, size_t count, size_t *n)
{
	int ret = 0;

	while (*n < count && ret >= 0) {
		ret = m->round.fresh_left ? 0 : mend_new_chunk(m, &m->round.fresh, &m->round.fresh_left);
		if (ret)
			break;
		ret = give(m, m->round.fresh, ret_inos, n);
		m->round.fresh.v++;
		m->round.fresh_left--;
	}
	return ret < 0 ? ret : 0;
}

int mend_new_inodes_find(struct mend *m, xino_t *ret_inos, size_t count)
{
	bool *wanted = calloc(group_count(&m->now->geo), sizeof(*wanted));
	struct mend_evidence evidence;
	size_t n = 0;
	int ret;

	if (!wanted)
		return -ENOMEM;
	choose_groups(m, count, wanted);
	ret = mend_evidence_collect(m, wanted, 0, &evidence);
	if (!ret)
		ret = give_known(m, &evidence.records, ret_inos, count, &n);
	mend_evidence_free(&evidence);
	free(wanted);
	if (!ret || ret == -E2BIG)
		ret = give_fresh(m, ret_inos, count, &n);
	return ret;
}

static be64_t now_on_disk(const struct geometry *geo)
{
	uint64_t now = (uint64_t)time(NULL);

	return be64_put(geo->bigtime ? (now + BIGTIME_OF_1970) * NSEC_PER_SEC : now << 32);
}

static void put_times(const struct geometry *geo, struct dinode_disk *disk)
{
	for (unsigned i = 0; i < 3; i++)
		disk->times[i] = now_on_disk(geo);
	if (geo->crc)
		disk->crtime = now_on_disk(geo);
}

int mend_new_inode(struct mend *m, xino_t ino, enum ftype ftype, xino_t parent, const struct metafile *metafile)
{
	const struct geometry *geo = &m->now->geo;
	struct mend_inode inode = { 0 };
	struct dinode_disk *disk;
	int ret = mend_inode_read(m, ino, &inode);

	if (ret)
		return ret;
	disk = mend_inode_disk(&inode);
	dinode_make_empty(geo, inode.bytes, ino, be32_get(disk->gen) + 1, ftype);
	put_times(geo, disk);
	if (geo->parent)
		disk->forkoff = (uint8_t)(geo->inode_size / 32); /* the data fork gets a quarter of the inode's size */
	if (metafile)
		dinode_make_metafile(geo, inode.bytes, metafile);
	if (ftype == FT_DIR)
		dinode_set_no_names(geo, inode.bytes, parent);
	ret = mend_inode_store(m, &inode);
	mend_inode_free(&inode);
	return ret ? ret : mend_follows_inode(m, MEND_ag_inodes, F_INODE_USED_BUT_FREE, ino);
}
