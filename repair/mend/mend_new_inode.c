/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inodes that are free, made files and directories (ondisk 04, 06). */
#include "mend_new_inode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libxfs/dinode_mend.h"
#include "mend_evidence.h"

#define BIGTIME_OF_1970 (1ull << 31) /* seconds: where its time begins is 2^31 seconds before */

static uint64_t free_inodes(const struct mend *m, uint32_t ag)
{
	const struct ag_state *state = &m->now->traverse->ags[ag];

	return state->have_agi && !state->tree[BT_INO].gap ? state->free_inodes : 0;
}

/* AGs whose inobt is whole: the one with the most free inodes, or all that have any, if it takes more. */
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

/* The first inodes that are there and free, by the records; returns how many. */
static size_t choose_inodes(const struct geometry *geo, const struct evidence_records *r, xino_t *ret_inos,
			    size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nchunks; i++) {
		const struct inobt_record *chunk = &r->chunks[i].record;

		for (unsigned k = 0; k < 64 && n < count && r->chunks[i].kind == BT_INO; k++)
			if (chunk->free >> k & 1 && !(chunk->holemask >> (k / 4) & 1))
				ret_inos[n++] = ino_of(geo, r->chunks[i].agno, (agino_t){ chunk->start.v + k });
	}
	return n;
}

int mend_new_inodes_find(struct mend *m, xino_t *ret_inos, size_t count)
{
	bool *wanted = calloc(group_count(&m->now->geo), sizeof(*wanted));
	struct mend_evidence evidence;
	int ret;

	if (!wanted)
		return -ENOMEM;
	choose_groups(m, count, wanted);
	ret = mend_evidence_collect(m, wanted, 0, NULL, &evidence);
	if (!ret && choose_inodes(&m->now->geo, &evidence.records, ret_inos, count) < count)
		ret = -ENOSPC;
	mend_evidence_free(&evidence);
	free(wanted);
	return ret == -E2BIG ? -ENOSPC : ret;
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

/* Nothing but `.` and `..`. */
static void put_dots(const struct geometry *geo, struct mend_inode *inode, xino_t parent)
{
	static const uint8_t dots[] = "..";
	const struct dir_name names[] = { { inode->ino, dots, 1, FT_DIR, 0, 0 }, { parent, dots, 2, FT_DIR, 0, 0 } };
	const size_t core = geo->crc ? sizeof(struct dinode_disk) : DINODE_SIZE_V4;
	struct dinode_disk *disk = mend_inode_disk(inode);
	uint32_t room = disk->forkoff ? disk->forkoff * 8u : (uint32_t)(geo->inode_size - core), size = 0;

	dir_build_sf(geo, inode->bytes + core, room, names, 2, &size);
	disk->format = DINODE_FMT_LOCAL;
	disk->size = be64_put(size);
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
		disk->forkoff = (uint8_t)(geo->inode_size / 32); /* half of the room for either fork */
	if (metafile)
		dinode_make_metafile(geo, inode.bytes, metafile);
	if (ftype == FT_DIR)
		put_dots(geo, &inode, parent);
	ret = mend_inode_store(m, &inode);
	mend_inode_free(&inode);
	return ret;
}
