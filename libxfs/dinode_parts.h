/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that dinode_decode() is made of; each looks at one side of the core. */
#ifndef XFSCK_LIBXFS_DINODE_PARTS_H
#define XFSCK_LIBXFS_DINODE_PARTS_H

#include "disk/inode.h"
#include "libxfs/dinode.h"

#define DINODE_OFF(field) ((uint32_t)offsetof(struct dinode_disk, field))

/* The counter of extents that only version 3 has; in version 2 the padding that lies there, which is 0. */
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

/* A mode with another type; whom it gives rights is kept, and is the owner alone if nobody is known. */
uint16_t dinode_mode_of(enum ftype ftype, uint16_t mode);

/* The tree in a data fork of format META_BTREE. */
static inline bool dinode_is_rtbtree(const struct dinode *inode)
{
	return inode->rtfile == METAFILE_RTRMAP || inode->rtfile == METAFILE_RTREFCOUNT;
}

bool dinode_is_rtbitmap(const struct geometry *g, const struct dinode_disk *disk, xino_t ino);

/* flags, flags2, the hints and the rules of metadata files; all of *inode but fork[] is there.  False: flags2 is wrong.
 */
bool dinode_flags_check(const struct check *c, const struct dinode_disk *disk, const struct dinode *inode);

/* Checks format, place, size and counters of both forks and fills fork[]; the rest of *inode is there. */
void dinode_forks_decode(const struct check *c, const struct dinode_disk *disk, struct dinode *inode);

/* What the kernel leaves in an inode that is not in use. */
void dinode_free_check(const struct check *c, const struct dinode_disk *disk);

#endif
