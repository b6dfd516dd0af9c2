/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rebuilds the head of an inode whose magic number, mode, format, owner, links, large extent count, times and size are
 * all lost, as when a cache line was not written (ondisk 04).  Repairs field by field would keep the present values,
 * and find a fork for a wrong format.  The contents of the forks are still there: of all matching types, formats,
 * counts and sizes, those are used that leave the fewest contradictions, and keep the most blocks and names.
 */

#include <limits.h>

#include "dinode_parts.h"
#include "disk/bmbt.h"

#define HEAD_BYTES DINODE_OFF(nblocks)

bool dinode_head_lost(const struct geometry *g, const void *bytes)
{
	const struct dinode_disk *disk = bytes;
	const uint64_t flags2 = be64_get(disk->flags2);
	unsigned impossible = 0;

	if (!g->crc || be16_get(disk->magic) == DINODE_MAGIC)
		return false;
	impossible += disk->version != DINODE_VERSION;
	impossible += disk->format > DINODE_FMT_META_BTREE;
	impossible += be16_get(disk->metatype) != 0 && !(flags2 & DIFLAG2_METADATA);
	impossible += be32_get(disk->nlink) == 0 || be32_get(disk->nlink) > INT32_MAX;
	impossible += dinode_type_of(be16_get(disk->mode)) == FT_UNKNOWN;
	impossible += be64_get(disk->size) > INT64_MAX;
	return impossible >= 3;
}

struct head {
	const struct geometry *g;
	xino_t ino;
	const struct dinode_witness *witness;
	const uint8_t *rest; /* the present inode */
	uint32_t room;	     /* bytes of the data fork */
	bool large;	     /* the extent count of the data fork is in the lost part */
	unsigned problems;   /* contradictions in the best one; UINT_MAX: none yet */
	uint64_t kept;	     /* blocks, names and targets in it */
	uint8_t fresh[DINODE_SIZE_MAX], tried[DINODE_SIZE_MAX], best[DINODE_SIZE_MAX];
};

/* Puts such a head into tried[], and counts the contradictions. */
static struct tally with_head(struct head *h, enum ftype ftype, uint8_t format, uint64_t count, uint64_t size)
{
	struct dinode_disk *disk = (struct dinode_disk *)h->tried;

	memcpy(h->tried, h->rest, h->g->inode_size);
	memcpy(h->tried, h->fresh, HEAD_BYTES);
	disk->format = format;
	disk->size = be64_put(size);
	disk->large_nextents = be64_put(h->large ? count : 0);
	/* the start of 1970; dinode_make_empty() sets it in the format for inodes with bigtime */
	if (!(be64_get(disk->flags2) & DIFLAG2_BIGTIME))
		memset(disk->times, 0, sizeof(disk->times));
	return dinode_tally(h->g, h->tried, h->ino, true, ftype, h->witness);
}

/* Keeps the inode with such a head if it is the best so far. */
static void try_head(struct head *h, enum ftype ftype, uint8_t format, uint64_t count, uint64_t size)
{
	const struct tally tally = with_head(h, ftype, format, count, size);
	const bool target = ftype == FT_SYMLINK && format == DINODE_FMT_LOCAL;
	const uint64_t kept = tally.blocks + tally.entries + target;

	if (tally.problems > h->problems || (tally.problems == h->problems && kept <= h->kept))
		return;
	h->problems = tally.problems;
	h->kept = kept;
	memcpy(h->best, h->tried, h->g->inode_size);
}

/* Tries that many extents in the inode, with the size up to the end of the last one. */
static void try_extents(struct head *h, enum ftype ftype, uint64_t count)
{
	const uint64_t end = with_head(h, ftype, DINODE_FMT_EXTENTS, count, 0).end;

	try_head(h, ftype, DINODE_FMT_EXTENTS, count, dinode_size_to(h->g, ftype == FT_DIR, end));
}

/* Tries contents in the inode: for a symbolic link up to the first NUL, for a directory with every size. */
static void try_local(struct head *h, enum ftype ftype)
{
	const char *fork = (const char *)h->rest + dinode_core_size(h->g);

	if (ftype == FT_SYMLINK)
		try_head(h, ftype, DINODE_FMT_LOCAL, 0, strnlen(fork, h->room));
	for (uint32_t size = 1; size <= h->room && ftype == FT_DIR; size++)
		try_head(h, ftype, DINODE_FMT_LOCAL, 0, size);
}

static void try_type(struct head *h, enum ftype ftype)
{
	const struct dinode_disk *disk = (const void *)h->rest;
	const uint32_t fit = h->room / (uint32_t)sizeof(struct bmbt_rec_disk);

	dinode_make_empty(h->g, h->fresh, h->ino, 0, ftype);
	if (ftype != FT_REG && ftype != FT_DIR && ftype != FT_SYMLINK) {
		try_head(h, ftype, DINODE_FMT_DEV, 0, 0);
		return;
	}
	for (uint32_t count = 0; count <= (h->large ? fit : 0); count++)
		try_extents(h, ftype, count);
	try_local(h, ftype);
	if (ftype != FT_SYMLINK) /* the real extent count and directory size are known once the bmbt is read */
		try_head(h, ftype, DINODE_FMT_BTREE, fit + 1ull, be64_get(disk->nblocks) << h->g->block_log);
}

void dinode_restore_head(const struct geometry *g, void *bytes, xino_t ino, enum ftype ftype,
			 const struct dinode_witness *witness)
{
	static const enum ftype order[] = { FT_REG, FT_DIR, FT_SYMLINK, FT_FIFO, FT_SOCK };
	const struct dinode_disk *disk = bytes;
	struct head h = {
		.g = g,
		.ino = ino,
		.witness = witness,
		.rest = bytes,
		.room = dinode_data_room(g, disk),
		.large = be64_get(disk->flags2) & DIFLAG2_NREXT64,
		.problems = UINT_MAX,
	};

	if (ftype != FT_UNKNOWN)
		try_type(&h, ftype);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]) && ftype == FT_UNKNOWN; i++)
		try_type(&h, order[i]);
	memcpy(bytes, h.best, g->inode_size);
}
