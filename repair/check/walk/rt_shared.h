/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the blocks of realtime groups that files may share, before any file is read. */
#ifndef XFSCK_REPAIR_RT_SHARED_H
#define XFSCK_REPAIR_RT_SHARED_H

struct traverse;

/* Adds the shared ranges of all realtime groups that can be found by name.  Returns 0 or a negative errno. */
int rt_shared_read(struct traverse *t);

#endif
