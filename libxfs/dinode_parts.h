/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of dinode_decode(), one for each aspect of the core. */
#ifndef XFSCK_LIBXFS_DINODE_PARTS_H
#define XFSCK_LIBXFS_DINODE_PARTS_H

#include "disk/inode.h"
#include "libxfs/dinode.h"
#include "libxfs/dinode_mend.h"

#define DINODE_OFF(field) ((uint32_t)offsetof(struct dinode_disk, field))

/* The large extent count of version 3; in version 2 the padding in its place, which must be 0; in version 1, 0. */
static inline uint64_t dinode_large_nextents(const struct geometry *g, const struct dinode_disk *disk)
{
	uint64_t word = be64_get(disk->large_nextents);

	if (g->crc)
		return word;
	return disk->version == DINODE_VERSION_1 ? 0 : word & ~DINODE_FLUSHITER_MASK;
}

/*
 * Largest extsize and cowextsize in blocks: the length of one extent, and on the data device half an AG (ondisk 04,
 * Extent size hints).
 */
uint32_t dinode_hint_max(const struct geometry *g, bool realtime);

/* Size of the data fork in the inode, in bytes. */
static inline uint32_t dinode_data_room(const struct geometry *g, const struct dinode_disk *disk)
{
	const uint32_t area = g->inode_size - dinode_core_size(g), border = disk->forkoff * 8u;

	return border && border < area ? border : area;
}

/* The size in bytes of a file that ends before file block `end`; for directories, rounded up to directory blocks. */
static inline uint64_t dinode_size_to(const struct geometry *g, bool directory, uint64_t end)
{
	const uint64_t unit = directory ? 1ull << g->dirblk_log : 1;

	return (end + unit - 1) / unit * unit << g->block_log;
}

/* The mode with another file type and the same permissions; a mode of 0 gets permissions for the owner only. */
uint16_t dinode_mode_of(enum ftype ftype, uint16_t mode);

/* True if the file is a realtime rmapbt or refcountbt, whose data fork has the format META_BTREE. */
static inline bool dinode_is_rtbtree(const struct dinode *inode)
{
	return inode->rtfile == METAFILE_RTRMAP || inode->rtfile == METAFILE_RTREFCOUNT;
}

bool dinode_is_rtbitmap(const struct geometry *g, const struct dinode_disk *disk, xino_t ino);

/*
 * Checks flags, flags2, the hints and the rules of metadata files.  Needs all of *inode but fork[].  False: flags2 is
 * wrong.
 */
bool dinode_flags_check(const struct check *c, const struct dinode_disk *disk, const struct dinode *inode);

/* Checks format, place, size and extent counts of both forks and fills fork[].  Needs all the rest of *inode. */
void dinode_forks_decode(const struct check *c, const struct dinode_disk *disk, struct dinode *inode);

/* Checks an inode that is not in use. */
void dinode_free_check(const struct check *c, const struct dinode_disk *disk);

/*
 * Makes the change of one field that removes most contradictions; arguments as in dinode_set_right().  False: none
 * does.
 */
bool dinode_guess_field(const struct geometry *g, void *bytes, xino_t ino, enum ftype ftype,
			const struct dinode_witness *witness);
/* Changes forkoff, the border between the forks, if that leaves no contradictions.  False: nothing was changed. */
bool dinode_guess_border(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);
/*
 * Raises the extent count of a fork in extent format of an inode whose forks map fewer blocks than nblocks, so that the
 * fork includes records after the counted ones, if that leaves no contradictions.  False: nothing was changed.
 */
bool dinode_guess_counts(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness);

/*
 * True if the first part of the core, up to the size, is lost, and not only single fields.  For version 5 inodes in
 * use.
 */
bool dinode_head_lost(const struct geometry *g, const void *bytes);
/*
 * Rebuilds that part with a format, counts and a size that match the rest of the inode, which is kept.  Arguments as in
 * dinode_set_right().
 */
void dinode_restore_head(const struct geometry *g, void *bytes, xino_t ino, enum ftype ftype,
			 const struct dinode_witness *witness);

/* The contradictions in an inode: in its core, in its forks, and with other blocks according to a witness. */

struct tally {
	unsigned problems;    /* number of contradictions; serious ones count several times */
	struct problem first; /* the first one in the core, if have_first: a rule of the core can settle it */
	bool have_first;
	unsigned bad_extents; /* problems with extent records in the inode */
	unsigned extents;     /* sound extent records in the inode */
	unsigned entries;     /* names in the inode, and attributes, sound or not */
	uint64_t blocks;      /* mapped by the sound extents */
	uint64_t end;	      /* end of the data, in file blocks; for directories, without the hash index */
	uint64_t limit;	      /* file block where a directory's hash index begins; for other files, UINT64_MAX */
	fsbno_t attr;	      /* first block of an attribute fork in extent format, or NULL_FSBNO */
};

/*
 * Counts them.  ftype: the type that other metadata gives the inode, or FT_UNKNOWN.  witness: see dinode_set_right(),
 * or NULL.
 */
struct tally dinode_tally(const struct geometry *g, const void *bytes, xino_t ino, bool allocated, enum ftype ftype,
			  const struct dinode_witness *witness);

#endif
