/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files are listed. */
#ifndef XFSCK_REPAIR_LIST_FILTER_H
#define XFSCK_REPAIR_LIST_FILTER_H

#include "ask/files.h"
#include "query.h"

/* True if what the inode says is what the user wants. */
bool list_wants_file(const struct list_filter *filter, const struct file_record *record);
/* True if a name of a file, and the path that it makes, are what the user wants. */
bool list_wants_path(const struct list_filter *filter, const struct file_name *name, const struct byte_buffer *path);

#endif
