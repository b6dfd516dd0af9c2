/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilds the unlinked lists (ondisk 02, "Unlinked buckets"), each in order of inode numbers.  They contain all inodes
 * in use without links, which are known by now; next_unlinked of all other inodes is set to NULL_AGINO.
 */
#include <errno.h>
#include <stdlib.h>

#include "check/books/books.h"
#include "disk/agi.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "libxfs/crc.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_evidence.h"
#include "repair.h"
#include "check/walk/walker.h"

struct lists {
	struct mend *m;
	const struct geometry *geo;
	agno_t agno;
	const struct ag_state *ag;
	uint8_t *chunk; /* buffer for 64 inodes */
};

/* Returns the first inode of the bucket in unlinked[i] or after it; NULL_AGINO: none. */
static uint32_t next_of_bucket(const struct lists *l, size_t i, uint32_t bucket)
{
	for (; i < l->ag->nunlinked; i++)
		if (l->ag->unlinked[i].agino % AGI_UNLINKED_BUCKETS == bucket)
			return l->ag->unlinked[i].agino;
	return NULL_AGINO;
}

/* Returns the right next_unlinked of an inode. */
static uint32_t next_of(const struct lists *l, uint32_t agino)
{
	const struct unlinked_inode *inode = unlinked_find(l->ag, agino);

	if (!inode)
		return NULL_AGINO;
	return next_of_bucket(l, (size_t)(inode - l->ag->unlinked) + 1, agino % AGI_UNLINKED_BUCKETS);
}

/* Corrects next_unlinked in the inodes of a chunk; writes whole sectors. 0 or negative errno. */
static int link_chunk(const struct lists *l, const struct inobt_record *r)
{
	const uint64_t exist = inobt_existing(r->holemask);
	agino_t start = r->start;
	const struct geometry *g = l->geo;
	uint64_t offset = bytes_of_ino(g, ino_of(g, l->agno, start));
	size_t len = (size_t)INODES_PER_CHUNK << g->inode_log;
	uint32_t unit = g->inode_size < SECTOR_SIZE ? SECTOR_SIZE : g->inode_size;
	int ret = 0;

	if (mend_read(l->m, l->chunk, offset, len))
		return 0; /* unreadable inodes must be mended first */
	for (size_t at = 0; at < len && !ret; at += unit) {
		bool changed = false;

		for (size_t i = at; i < at + unit; i += g->inode_size) {
			struct dinode_disk *disk = (struct dinode_disk *)(l->chunk + i);
			uint32_t number = (uint32_t)(i >> g->inode_log);
			uint32_t next = next_of(l, start.v + number);

			if (!(exist >> number & 1) || be16_get(disk->magic) != DINODE_MAGIC ||
			    be32_get(disk->next_unlinked) == next)
				continue;
			disk->next_unlinked = be32_put(next);
			if (g->crc)
				crc_store(l->chunk + i, g->inode_size, offsetof(struct dinode_disk, crc));
			changed = true;
		}
		if (changed)
			ret = mend_write(l->m, l->chunk + at, offset + at, unit);
	}
	return ret;
}

static int link_inodes(const struct lists *l, const struct mend_evidence *e)
{
	int ret = 0;

	for (size_t i = 0; i < e->records.nchunks && !ret; i++)
		if (e->records.chunks[i].agno.v == l->agno.v && e->records.chunks[i].kind == BT_INO)
			ret = link_chunk(l, &e->records.chunks[i].record);
	return ret;
}

static int link_heads(const struct lists *l)
{
	const struct geometry *g = l->geo;
	uint64_t offset = ag_sector_offset(g, l->agno, AGI_SECTOR);
	uint8_t *sector = malloc(g->sector_size);
	struct agi_disk *agi = (struct agi_disk *)sector;
	int ret = sector ? mend_read(l->m, sector, offset, g->sector_size) : -ENOMEM;

	for (uint32_t i = 0; i < AGI_UNLINKED_BUCKETS && !ret; i++)
		agi->unlinked[i] = be32_put(next_of_bucket(l, 0, i));
	if (!ret && g->crc)
		crc_store(sector, g->sector_size, offsetof(struct agi_disk, crc));
	if (!ret)
		ret = mend_write(l->m, sector, offset, g->sector_size);
	free(sector);
	return ret;
}

static int link_group(struct mend *m, const struct found *why)
{
	const agno_t agno = why->place.agno;
	struct lists l = { m, &m->now->geo, agno, &m->now->traverse->ags[agno.v], NULL };
	struct mend_evidence evidence = { 0 };
	int ret = -ENOMEM;

	l.chunk = malloc((size_t)INODES_PER_CHUNK << l.geo->inode_log);
	if (l.chunk)
		ret = mend_evidence_of_group(m, group_of_ag(l.agno), 0, &evidence);
	if (!ret)
		ret = link_inodes(&l, &evidence);
	if (!ret)
		ret = link_heads(&l);
	if (!ret)
		mend_done(m, why);
	mend_evidence_free(&evidence);
	free(l.chunk);
	return mend_left(m, why, 1, ret == -EIO ? -ENOENT : ret);
}

int mend_ag_unlinked(struct mend *m, const struct found *found, size_t count)
{
	uint32_t last = NO_AGNO;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		uint32_t ag = found[i].place.agno.v;

		/* without the inobt, it is not known which inodes belong on the lists */
		if (ag == last || ag >= m->now->geo.agcount || !m->now->traverse->ags[ag].have_agi ||
		    !ag_tree_whole(&m->now->traverse->ags[ag], BT_INO))
			continue;
		last = ag;
		ret = link_group(m, &found[i]);
	}
	return ret;
}
