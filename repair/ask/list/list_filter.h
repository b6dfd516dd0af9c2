/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filters of --list. */
#ifndef XFSCK_REPAIR_LIST_FILTER_H
#define XFSCK_REPAIR_LIST_FILTER_H

#include "ask/files.h"
#include "query.h"

/* True if the inode passes the filter. */
bool list_wants_file(const struct list_filter *filter, const struct file_record *record);
/* True if a name and its path pass the filter. */
bool list_wants_path(const struct list_filter *filter, const struct file_name *name, const struct byte_buffer *path);

#endif
