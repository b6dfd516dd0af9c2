/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds new inodes, all of their bytes (ondisk 04), and turns inodes into metadata files (ondisk 04, invariant 6; 09,
 * "Metadata directory tree").
 */
#include "dinode_parts.h"
#include "disk/inode.h"
#include "libxfs/crc.h"
#include "libxfs/dinode_mend.h"
#include "libxfs/dir_build.h"

static uint8_t format_of(uint16_t metatype)
{
	return metatype == METAFILE_RTRMAP || metatype == METAFILE_RTREFCOUNT ? DINODE_FMT_META_BTREE
									      : DINODE_FMT_EXTENTS;
}

/* True if the format is suitable: a bmbt is as good as extent format. */
static bool same_form(uint8_t format, uint8_t want)
{
	return format == want || (want == DINODE_FMT_EXTENTS && format == DINODE_FMT_BTREE);
}

/* Empties the data fork: an empty one is all zeroes in either format. */
static void empty_data_fork(const struct geometry *g, struct dinode_disk *disk, uint8_t format)
{
	uint32_t area = g->inode_size - dinode_core_size(g), size = disk->forkoff * 8u;

	if (!size || size > area)
		size = area;
	memset((uint8_t *)disk + dinode_core_size(g), 0, size);
	disk->format = format;
	if (be64_get(disk->flags2) & DIFLAG2_NREXT64)
		disk->large_nextents = be64_put(0);
	else
		disk->nextents = be32_put(0);
}

void dinode_make_metafile(const struct geometry *g, void *bytes, const struct metafile *metafile)
{
	struct dinode_disk *disk = bytes;
	const bool dir = metafile->metatype == METAFILE_DIR;
	const uint16_t flags = DINODE_METAFILE_FLAGS | (dir ? DIFLAG_NOSYMLINKS : 0);

	disk->metatype = be16_put(metafile->metatype);
	disk->projid_lo = be16_put((uint16_t)metafile->projid);
	disk->projid_hi = be16_put((uint16_t)(metafile->projid >> 16));
	disk->uid = disk->gid = be32_put(0);
	disk->mode = be16_put(dir ? MODE_DIR : MODE_REG);
	disk->flags = be16_put((be16_get(disk->flags) & (uint16_t)~DIFLAG_REALTIME) | flags);
	disk->flags2 =
		be64_put((be64_get(disk->flags2) & ~(uint64_t)(DIFLAG2_DAX | DIFLAG2_REFLINK)) | DIFLAG2_METADATA);
	disk->dmevmask = be32_put(0);
	disk->dmstate = be16_put(0);
	if (!dir && !same_form(disk->format, format_of(metafile->metatype)))
		empty_data_fork(g, disk, format_of(metafile->metatype));
	if (metafile->metatype == METAFILE_RTBITMAP)
		disk->size = be64_put((uint64_t)g->rbmblocks << g->block_log);
	else if (metafile->metatype == METAFILE_RTSUMMARY)
		disk->size = be64_put((uint64_t)g->rsumblocks << g->block_log);
	else if (metafile->metatype > METAFILE_RTSUMMARY)
		disk->size = be64_put(0); /* the kernel sets no size for btrees */
}

uint16_t dinode_mode_of(enum ftype ftype, uint16_t mode)
{
	static const uint16_t types[FT_NR] = {
		[FT_REG] = MODE_REG,   [FT_DIR] = MODE_DIR,   [FT_CHR] = MODE_CHR,	   [FT_BLK] = MODE_BLK,
		[FT_FIFO] = MODE_FIFO, [FT_SOCK] = MODE_SOCK, [FT_SYMLINK] = MODE_SYMLINK,
	};

	/* if the permissions are unknown, only the owner gets any */
	if (mode == 0)
		mode = ftype == FT_DIR ? 0700 : 0600;
	return (uint16_t)((mode & ~MODE_TYPE) | types[ftype]);
}

void dinode_make_free(const struct geometry *g, void *bytes, xino_t ino, uint32_t gen)
{
	struct dinode_disk *disk = bytes;

	memset(bytes, 0, g->inode_size);
	disk->magic = be16_put(DINODE_MAGIC);
	disk->version = g->crc ? DINODE_VERSION : DINODE_VERSION_2;
	disk->gen = be32_put(gen);
	disk->next_unlinked = be32_put(NULL_AGINO);
	if (!g->crc)
		return;
	disk->ino = be64_put(ino.v);
	memcpy(disk->uuid, g->meta_uuid, sizeof(disk->uuid));
	crc_store(bytes, g->inode_size, DINODE_OFF(crc));
}

void dinode_make_empty(const struct geometry *g, void *bytes, xino_t ino, uint32_t gen, enum ftype ftype)
{
	struct dinode_disk *disk = bytes;

	dinode_make_free(g, bytes, ino, gen);
	/* the root directory gets the mode of mkfs; the objects below it have permissions of their own */
	disk->mode = be16_put(dinode_mode_of(ftype, ino.v == g->rootino.v ? 0755 : 0));
	disk->format = ftype == FT_REG || ftype == FT_DIR || ftype == FT_SYMLINK ? DINODE_FMT_EXTENTS : DINODE_FMT_DEV;
	disk->aformat = DINODE_FMT_EXTENTS;
	disk->nlink = be32_put(ftype == FT_DIR ? 2 : 1);
	if (!g->crc)
		return;
	disk->flags2 = be64_put((g->bigtime ? DIFLAG2_BIGTIME : 0) | (g->nrext64 ? DIFLAG2_NREXT64 : 0));
	/* the start of 1970 means "unknown"; without bigtime it is encoded as zero */
	for (unsigned i = 0; i < 3 && g->bigtime; i++)
		disk->times[i] = be64_put((uint64_t)INT32_MAX * NSEC_PER_SEC + NSEC_PER_SEC);
	if (g->bigtime)
		disk->crtime = disk->times[0];
	crc_store(bytes, g->inode_size, DINODE_OFF(crc));
}

void dinode_set_no_names(const struct geometry *g, void *bytes, xino_t parent)
{
	/* shortform stores only the parent: `.` is implied */
	const struct dir_name names[] = {
		{ .name = (const uint8_t *)".", .namelen = 1, .ftype = FT_DIR },
		{ .ino = parent, .name = (const uint8_t *)"..", .namelen = 2, .ftype = FT_DIR }
	};
	const uint32_t core = dinode_core_size(g);
	struct dinode_disk *disk = bytes;
	uint32_t size = 0;

	dir_build_sf(g, (uint8_t *)bytes + core, disk->forkoff ? disk->forkoff * 8u : g->inode_size - core, names, 2,
		     &size);
	disk->format = DINODE_FMT_LOCAL;
	disk->size = be64_put(size);
}
