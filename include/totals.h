/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of the objects in a file system. */
#ifndef XFSCK_TOTALS_H
#define XFSCK_TOTALS_H

#include <stdint.h>

/* The counts in the summary; the phases fill them in. */
struct totals {
	uint64_t inodes; /* in use */
	uint64_t free_inodes;
	uint64_t directories;
	uint64_t entries; /* directory entries, without . and .. */
	uint64_t extents;
	uint64_t attributes;
	uint64_t metadata_blocks; /* blocks decoded */
	uint64_t metadata_bytes;
	/* the same without internal files, as the account of losses counts them (loss.h) */
	struct {
		uint64_t inodes, names, targets,
			attributes; /* targets: of symbolic links; attributes: without parent pointers */
		uint64_t data;	    /* blocks of written data, counted once per file that maps them */
	} users;
};

#endif
