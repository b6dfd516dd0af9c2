/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An inode that is free, made a directory (ondisk 04, 06). */
#include "mend_new_dir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mend_evidence.h"

#define LOST_FOUND_MODE (MODE_DIR | 0700u) /* what is in it was somebody's */
#define BIGTIME_OF_1970 (1ull << 31)	   /* seconds: where its time begins is 2^31 seconds before */

/* The AG with the most free inodes, whose inobt is whole. False: there is none. */
static bool choose_group(const struct mend *m, agno_t *ret_agno)
{
	uint64_t most = 0;

	for (uint32_t ag = 0; ag < m->now->geo.agcount; ag++) {
		const struct ag_state *state = &m->now->traverse->ags[ag];

		if (!state->have_agi || state->tree[BT_INO].gap || state->free_inodes <= most)
			continue;
		most = state->free_inodes;
		ret_agno->v = ag;
	}
	return most > 0;
}

/* An inode that is there and free, by the records of an AG. */
static bool choose_inode(const struct geometry *geo, agno_t agno, const struct evidence_records *r, xino_t *ret_ino)
{
	for (size_t i = 0; i < r->nchunks; i++) {
		const struct inobt_record *chunk = &r->chunks[i].record;

		if (r->chunks[i].agno.v != agno.v || r->chunks[i].kind != BT_INO)
			continue;
		for (unsigned k = 0; k < 64; k++) {
			if (!(chunk->free >> k & 1) || chunk->holemask >> (k / 4) & 1)
				continue;
			*ret_ino = ino_of(geo, agno, (agino_t){ chunk->start.v + k });
			return true;
		}
	}
	return false;
}

static int find_inode(struct mend *m, xino_t *ret_ino)
{
	bool *wanted = calloc(m->now->geo.agcount, sizeof(*wanted));
	struct mend_evidence evidence;
	agno_t agno;
	int ret;

	if (!wanted)
		return -ENOMEM;
	if (!choose_group(m, &agno)) {
		free(wanted);
		return -ENOSPC;
	}
	wanted[agno.v] = true;
	ret = mend_evidence_collect(m->now, wanted, 0, NULL, m->rc->memory.records / 2, &evidence);
	if (!ret && !choose_inode(&m->now->geo, agno, &evidence.records, ret_ino))
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

int mend_new_directory(struct mend *m, xino_t parent, xino_t *ret_ino)
{
	static const uint8_t dots[] = "..";
	const struct geometry *geo = &m->now->geo;
	const size_t core = geo->crc ? sizeof(struct dinode_disk) : DINODE_SIZE_V4;
	struct mend_inode inode = { 0 };
	struct dinode_disk *disk;
	uint32_t size;
	int ret = find_inode(m, ret_ino);

	if (!ret)
		ret = mend_inode_read(m, *ret_ino, &inode);
	if (!ret) {
		const struct dir_name names[] = { { *ret_ino, dots, 1, FT_DIR, 0, 0 },
						  { parent, dots, 2, FT_DIR, 0, 0 } };
		uint32_t gen;

		disk = mend_inode_disk(&inode);
		gen = be32_get(disk->gen) + 1;
		memset(inode.bytes, 0, geo->inode_size);
		disk->magic = be16_put(DINODE_MAGIC);
		disk->mode = be16_put(LOST_FOUND_MODE);
		disk->version = geo->crc ? DINODE_VERSION : DINODE_VERSION_2;
		disk->format = DINODE_FMT_LOCAL;
		disk->aformat = DINODE_FMT_EXTENTS;
		disk->nlink = be32_put(2);
		disk->gen = be32_put(gen);
		disk->next_unlinked = be32_put(NULL_AGINO);
		for (unsigned i = 0; i < 3; i++)
			disk->times[i] = now_on_disk(geo);
		if (geo->crc) {
			disk->crtime = now_on_disk(geo);
			disk->ino = be64_put(ret_ino->v);
			memcpy(disk->uuid, geo->meta_uuid, sizeof(disk->uuid));
			disk->flags2 =
				be64_put((geo->bigtime ? DIFLAG2_BIGTIME : 0) | (geo->nrext64 ? DIFLAG2_NREXT64 : 0));
		}
		dir_build_sf(geo, inode.bytes + core, (uint32_t)(geo->inode_size - core), names, 2, &size);
		disk->size = be64_put(size);
		ret = mend_inode_store(m, &inode);
	}
	mend_inode_free(&inode);
	return ret;
}
