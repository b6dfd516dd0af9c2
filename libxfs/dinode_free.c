/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks and frees inodes that are not in use (ondisk 04, "Free inodes").  When the kernel frees an inode, it leaves
 * times, ids, size, hints and the bytes of the forks unchanged; of these, only the limits are checked that the kernel
 * itself checks when it reads a free inode.
 */
#include "dinode_parts.h"
#include "libxfs/crc.h"

/* The bits of flags2 that may remain in a free inode: they define the format of the core, or have no meaning in it. */
static uint64_t flags2_that_may_stay(const struct geometry *g)
{
	return DIFLAG2_DAX | (g->bigtime ? DIFLAG2_BIGTIME : 0) | (g->nrext64 ? DIFLAG2_NREXT64 : 0);
}

static void check_zero(const struct check *c, uint64_t value, uint32_t offset)
{
	check_eq(c, F_INODE_FREE_FIELD, offset, value, 0);
}

/* Checks a format: 0 in an inode that was never used; the kernel sets extent format when it frees one. */
static void check_format(const struct check *c, uint8_t format, uint32_t offset)
{
	if (format != 0 && format != DINODE_FMT_EXTENTS)
		problem(c, F_INODE_FREE_FORMAT, offset, format, DINODE_FMT_EXTENTS);
}

static void check_hint(const struct check *c, enum finding finding, be32_t hint, uint32_t offset)
{
	uint32_t max = dinode_hint_max(c->geo, c->geo->rblocks != 0); /* it may have been a realtime file */

	if (be32_get(hint) > max)
		problem(c, finding, offset, be32_get(hint), max);
}

void dinode_free_check(const struct check *c, const struct dinode_disk *disk)
{
	const struct geometry *g = c->geo;
	uint16_t mode = be16_get(disk->mode);

	/* the rest applies only if the inode is free by its own mode as well */
	if (mode != 0) {
		problem(c, F_INODE_USED_BUT_FREE, DINODE_OFF(mode), mode, 0);
		return;
	}
	check_zero(c, be16_get(disk->metatype), DINODE_OFF(metatype));
	check_zero(c, be32_get(disk->nlink), DINODE_OFF(nlink));
	check_zero(c, dinode_large_nextents(g, disk), DINODE_OFF(large_nextents));
	check_zero(c, be64_get(disk->nblocks), DINODE_OFF(nblocks));
	check_zero(c, be32_get(disk->nextents), DINODE_OFF(nextents));
	check_zero(c, be16_get(disk->anextents), DINODE_OFF(anextents));
	check_zero(c, disk->forkoff, DINODE_OFF(forkoff));
	check_zero(c, be16_get(disk->flags), DINODE_OFF(flags));
	check_format(c, disk->format, DINODE_OFF(format));
	check_format(c, disk->aformat, DINODE_OFF(aformat));

	if (be64_get(disk->size) >> 63)
		problem(c, F_INODE_SIZE, DINODE_OFF(size), be64_get(disk->size), INT64_MAX);
	check_hint(c, F_INODE_EXTSIZE, disk->extsize, DINODE_OFF(extsize));
	check_eq(c, F_INODE_NEXT_UNLINKED, DINODE_OFF(next_unlinked), be32_get(disk->next_unlinked), NULL_AGINO);
	if (!g->crc)
		return;
	check_zero(c, be64_get(disk->flags2) & ~flags2_that_may_stay(g), DINODE_OFF(flags2));
	check_hint(c, F_INODE_COWEXTSIZE, disk->cowextsize, DINODE_OFF(cowextsize));
}

void dinode_set_free(const struct geometry *geo, uint8_t *bytes)
{
	struct dinode_disk *disk = (struct dinode_disk *)bytes;
	const be64_t none = be64_put(0);

	disk->mode = disk->metatype = disk->anextents = disk->flags = be16_put(0);
	disk->nlink = disk->nextents = be32_put(0);
	disk->size = disk->nblocks = none;
	disk->forkoff = 0;
	disk->format = disk->aformat = DINODE_FMT_EXTENTS;
	disk->gen = be32_put(be32_get(disk->gen) + 1);
	disk->next_unlinked = be32_put(NULL_AGINO);
	if (disk->version != DINODE_VERSION)
		return;
	disk->large_nextents = none; /* versions 1 and 2 have the flush counter there, and keep it */
	disk->flags2 = be64_put(be64_get(disk->flags2) & flags2_that_may_stay(geo) & ~(uint64_t)DIFLAG2_DAX);
	crc_store(bytes, geo->inode_size, offsetof(struct dinode_disk, crc));
}
