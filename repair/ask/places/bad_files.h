/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that have bad places, by path. */
#ifndef XFSCK_REPAIR_BAD_FILES_H
#define XFSCK_REPAIR_BAD_FILES_H

#include "bad_ranges.h"
#include "owners.h"

/* A file with blocks in bad ranges. */
struct bad_hit_file {
	xino_t ino;
	size_t first, count; /* its facts, in bad_files.hits */
	uint8_t *path;	     /* NULL: none */
	size_t path_len;
};

/* Start with { 0 }. */
struct bad_files {
	struct hit *hits; /* of files, by inode, fork and offset */
	size_t nhits;
	struct bad_hit_file *v; /* by path; those without one come last */
	size_t count;
};

/* Put the facts together by file. 0 or -ENOMEM; free them in either case. */
int bad_files_collect(struct bad_files *files, const struct owners *owners);
void bad_files_free(struct bad_files *files);

/* A part of a file that is bad in one way. */
struct bad_part {
	struct who who;
	bool untried;
};

/* Tell the bad parts of a file in the order of its forks; those that follow each other in the file as one. */
void bad_files_each(const struct owners *owners, const struct bad_ranges *ranges, const struct bad_files *files,
		    const struct bad_hit_file *file, void (*tell)(void *ctx, const struct bad_part *part), void *ctx);

#endif
