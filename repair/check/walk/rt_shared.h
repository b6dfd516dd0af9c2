/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which blocks of the realtime groups files may share, before any file is looked at. */
#ifndef XFSCK_REPAIR_RT_SHARED_H
#define XFSCK_REPAIR_RT_SHARED_H

struct traverse;

/* Add the shared ranges of all realtime groups that can be found by name. 0 or negative errno. */
int rt_shared_read(struct traverse *t);

#endif
