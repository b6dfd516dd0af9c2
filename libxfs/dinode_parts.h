/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of dinode_decode(), one for each aspect of the core. */
#ifndef XFSCK_LIBXFS_DINODE_PARTS_H
#define XFSCK_LIBXFS_DINODE_PARTS_H

#include "disk/inode.h"
#include "libxfs/dinode.h"

#define DINODE_OFF(field) ((uint32_t)offsetof(struct dinode_disk, field))

/* The large extent counter of version 3; in version 2 the padding in its place, which is to be 0; in version 1, 0. */
static inline uint64_t dinode_large_nextents(const struct geometry *g, const struct dinode_disk *disk)
{
	uint64_t word = be64_get(disk->large_nextents);

	if (g->crc)
		return word;
	return disk->version == DINODE_VERSION_1 ? 0 : word & ~DINODE_FLUSHITER_MASK;
}

/*
 * Largest extsize and cowextsize in blocks: what one extent holds, and on the data device half an AG (ondisk 04,
 * Extent size hints).
 */
uint32_t dinode_hint_max(const struct geometry *g, bool realtime);

/* Bytes of the data fork in the inode. */
static inline uint32_t dinode_data_room(const struct geometry *g, const struct dinode_disk *disk)
{
	const uint32_t area = g->inode_size - dinode_core_size(g), border = disk->forkoff * 8u;

	return border && border < area ? border : area;
}

/* The size in bytes of a file that ends with file block `end`, not included; directories have whole blocks of theirs.
 */
static inline uint64_t dinode_size_to(const struct geometry *g, bool directory, uint64_t end)
{
	const uint64_t unit = directory ? 1ull << g->dirblk_log : 1;

	return (end + unit - 1) / unit * unit << g->block_log;
}

/* The mode with another file type and the same permissions; a mode of 0 gets permissions for the owner only. */
uint16_t dinode_mode_of(enum ftype ftype, uint16_t mode);

/* Whether the file is a realtime rmapbt or refcountbt, whose data fork has the format META_BTREE. */
static inline bool dinode_is_rtbtree(const struct dinode *inode)
{
	return inode->rtfile == METAFILE_RTRMAP || inode->rtfile == METAFILE_RTREFCOUNT;
}

bool dinode_is_rtbitmap(const struct geometry *g, const struct dinode_disk *disk, xino_t ino);

/*
 * Check flags, flags2, the hints and the rules of metadata files.  Needs all of *inode but fork[].
 * False: flags2 is wrong.
 */
bool dinode_flags_check(const struct check *c, const struct dinode_disk *disk, const struct dinode *inode);

/* Check format, place, size and counters of both forks and fill fork[].  Needs all the rest of *inode. */
void dinode_forks_decode(const struct check *c, const struct dinode_disk *disk, struct dinode *inode);

/* Check an inode that is not in use. */
void dinode_free_check(const struct check *c, const struct dinode_disk *disk);

#endif
