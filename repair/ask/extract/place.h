/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets owner, mode, times, attributes and, for --with, inode flags, extent size hints and project ids of files. */
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
/* Sets mode and times; a single message reports what the target can't hold. 0 or negative errno. */
int place_mode_and_times(struct extract_job *job, const struct placed *file, mode_t mode,
			 const struct file_record *record);
/*
 * True if an existing file may be that of the record: same type, size and modification time as far as the target keeps
 * it.
 */
bool place_is_same(const struct file_record *record, int dir, const char *name);

/* True if --with has any flag, hint or project id to set. */
bool flags_any(const struct extract_job *job, const struct file_record *record);
/* True if there is a hint, which a file must get before its data; sets it. */
bool flags_hint(const struct extract_job *job, const struct file_record *record);
void flags_set_hint(const struct extract_job *job, int fd, const struct file_record *record);
/*
 * Sets everything on an open file or directory, as the last step, since it may become immutable. fd -1: cannot be
 * opened. One message at the end reports failures.
 */
void flags_set(struct extract_job *job, int fd, const struct file_record *record);
/* Returns the flags that an archive can hold, as in FS_IOC_GETFLAGS; one message reports the others. */
unsigned long flags_of_archive(struct extract_job *job, const struct file_record *record);

#endif
