/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inode flags, extent size hints and project ids of files that are extracted: what --with asks for. */
#ifndef XFSCK_REPAIR_EXTRACT_FLAGS_H
#define XFSCK_REPAIR_EXTRACT_FLAGS_H

#include "job.h"

/* True if there is anything to set. */
bool flags_any(const struct extract_job *job, const struct file_record *record);
/* True if there is a hint that a file can't get any more once it has data; and set it for one that has none. */
bool flags_hint(const struct extract_job *job, const struct file_record *record);
void flags_set_hint(const struct extract_job *job, int fd, const struct file_record *record);
/*
 * Set all of a file or directory that is open, as the last thing that is done with it: it may be immutable then.  fd:
 * -1: it can't be opened.  One message at the end says what can't be set.
 */
void flags_set(struct extract_job *job, int fd, const struct file_record *record);
/* The flags that an archive can hold, as FS_IOC_GETFLAGS has them; one message names all others. */
unsigned long flags_of_archive(struct extract_job *job, const struct file_record *record);

#endif
