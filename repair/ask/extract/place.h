/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives files of the target their owner, mode, times and attributes, and their names. */
#ifndef XFSCK_REPAIR_EXTRACT_PLACE_H
#define XFSCK_REPAIR_EXTRACT_PLACE_H

#include <sys/types.h>

#include "job.h"

/* A file of the target: by an open descriptor, or by its name in an open folder, for what can't be opened. */
struct placed {
	int fd;	 /* -1: by name */
	int dir; /* O_PATH */
	const char *name;
};

/* Set the owner, and tell once if that can't be done.  *ret_mode: the mode that is to be set. 0 or negative errno. */
int place_owner(struct extract_job *job, const struct placed *file, const struct file_record *record, mode_t *ret_mode);
/* Set all attributes of the current file. path: for messages. 0 or negative errno. */
int place_attributes(struct extract_job *job, const struct placed *file, const struct byte_buffer *path);
/* Set mode and times. 0 or negative errno. */
int place_mode(const struct placed *file, mode_t mode);
int place_times(const struct placed *file, const struct file_record *record);
/* True if a file that is there may be the one that this record is of: type, size and time of modification. */
bool place_is_same(const struct file_record *record, int dir, const char *name);

#endif
