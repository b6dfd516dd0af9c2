/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets owner, mode, times and attributes of extracted files. */
#ifndef XFSCK_REPAIR_EXTRACT_PLACE_H
#define XFSCK_REPAIR_EXTRACT_PLACE_H

#include <sys/types.h>

#include "job.h"

/* A file of the target: an open descriptor, or a name in an open directory if it cannot be opened. */
struct placed {
	int fd;	 /* -1: by name */
	int dir; /* O_PATH */
	const char *name;
};

/* Sets the owner; a single message reports failures. *ret_mode: the mode to set afterwards. 0 or negative errno. */
int place_owner(struct extract_job *job, const struct placed *file, const struct file_record *record, mode_t *ret_mode);
/* Sets all attributes of the current file. path: for messages. 0 or negative errno. */
int place_attributes(struct extract_job *job, const struct placed *file, const struct byte_buffer *path);
/* Set mode and times. 0 or negative errno. */
int place_mode(const struct placed *file, mode_t mode);
int place_times(const struct placed *file, const struct file_record *record);
/* True if an existing file may be that of the record: same type, size and modification time. */
bool place_is_same(const struct file_record *record, int dir, const char *name);

#endif
