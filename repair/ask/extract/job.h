/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state shared by all parts of an extraction. */
#ifndef XFSCK_REPAIR_EXTRACT_JOB_H
#define XFSCK_REPAIR_EXTRACT_JOB_H

#include "attributes.h"
#include "file_paths.h"
#include "extract_report.h"

struct bad_ranges;
struct query;

struct extract_job {
	struct repair *rc;
	const struct query *query;
	struct file_paths paths; /* including the files */
	struct contents *contents;
	struct attributes attributes;
	struct bad_ranges *bad;
	struct extract_report report;
	uint64_t bytes_read; /* data bytes, for progress: atomic */
};

/* Rewinds to the first file. 0 or negative errno. */
int extract_rewind(struct extract_job *job);
/* Reports unreadable parts of the current file. path: for messages. *ret_any: there are any. 0 or negative errno. */
int extract_tell_bad(struct extract_job *job, const struct byte_buffer *path, bool *ret_any);

/* Extract all files: extract_dir.c, extract_tar.c. 0 or negative errno. */
struct out_tree;
int extract_to_dir(struct extract_job *job, struct out_tree *tree);
int extract_to_tar(struct extract_job *job, int fd);

#endif
