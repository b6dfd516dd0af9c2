/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inode flags, extent size hints and project ids of extracted files, for --with. */
#ifndef XFSCK_REPAIR_EXTRACT_FLAGS_H
#define XFSCK_REPAIR_EXTRACT_FLAGS_H

#include "job.h"

/* True if there is anything to set. */
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
