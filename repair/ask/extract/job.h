/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all parts of an extraction share. */
#ifndef XFSCK_REPAIR_EXTRACT_JOB_H
#define XFSCK_REPAIR_EXTRACT_JOB_H

#include "attributes.h"
#include "file_paths.h"
#include "told.h"

struct lost_ranges;
struct query;

struct extract_job {
	struct repair *rc;
	const struct query *query;
	struct file_paths paths; /* with the files */
	struct contents *contents;
	struct attributes attributes;
	struct lost_ranges *bad;
	struct told told;
	uint64_t bytes_read; /* of data, for progress: atomic */
};

/* Begin again with the first file. 0 or negative errno. */
int extract_rewind(struct extract_job *job);
/*
 * Tell of what could not be read of the current file.  path: where it is.  *ret_any: there is such a part.  0 or
 * negative errno.
 */
int extract_tell_bad(struct extract_job *job, const struct byte_buffer *path, bool *ret_any);

/* What to do with the files: extract_dir.c, extract_tar.c. 0 or negative errno. */
struct out_tree;
int extract_to_dir(struct extract_job *job, struct out_tree *tree);
int extract_to_tar(struct extract_job *job, int fd);

#endif
