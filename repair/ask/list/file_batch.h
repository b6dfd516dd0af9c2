/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A piece of all files, in memory, so that several threads can each do a piece. */
#ifndef XFSCK_REPAIR_FILE_BATCH_H
#define XFSCK_REPAIR_FILE_BATCH_H

#include "ask/files.h"

/* Begin with { 0 }. */
struct file_batch {
	struct byte_buffer bytes;
	size_t at; /* what comes next when it is read */
};

void file_batch_free(struct file_batch *batch);
/*
 * Fill a batch with the next files, all that it held before is forgotten: about so many bytes, but whole files.
 * 1, 0: there are no more, or negative errno.
 */
int file_batch_fill(struct file_batch *batch, struct files *files, size_t bytes);
/* As files_next() and files_next_name(), but what they return is valid as long as the batch.  False: no more. */
bool file_batch_next(struct file_batch *batch, struct file *ret);
bool file_batch_next_name(struct file_batch *batch, struct file_name *ret);

#endif
