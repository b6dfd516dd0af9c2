/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file system holds, in numbers. */
#ifndef XFSCK_TOTALS_H
#define XFSCK_TOTALS_H

#include <stdint.h>

/* The numbers in the closing summary; the phases fill them in */
struct totals {
	uint64_t inodes; /* in use */
	uint64_t free_inodes;
	uint64_t directories;
	uint64_t entries; /* names, without . and .. */
	uint64_t extents;
	uint64_t attributes;
	uint64_t metadata_blocks; /* blocks decoded */
	uint64_t metadata_bytes;
	/* the same without what is the file system's own, as the account of what is kept counts it (loss.h) */
	struct {
		uint64_t inodes, names, targets,
			attributes; /* targets: of symbolic links; attributes: no parent pointers */
		uint64_t data;	    /* blocks of written data, as often as files have them */
	} users;
};

#endif
