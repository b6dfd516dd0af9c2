/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns an inode into a given metadata file (ondisk 04, invariant 6; 09, "Metadata directory tree"). */
#include "libxfs/dinode_mend.h"

static uint8_t format_of(uint16_t metatype)
{
	return metatype == METAFILE_RTRMAP || metatype == METAFILE_RTREFCOUNT ? DINODE_FMT_META_BTREE
									      : DINODE_FMT_EXTENTS;
}

/* Whether the format will do: where extent format is wanted, a bmbt is as good, as both map blocks. */
static bool same_form(uint8_t format, uint8_t want)
{
	return format == want || (want == DINODE_FMT_EXTENTS && format == DINODE_FMT_BTREE);
}

/* Make the data fork one without extents or records, which is all zeroes in either format. */
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
		disk->size = be64_put(0); /* the kernel sets none for btrees */
}
