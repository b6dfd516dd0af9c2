/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether directories have file types in their entries. */
#ifndef XFSCK_REPAIR_SB_FTYPE_H
#define XFSCK_REPAIR_SB_FTYPE_H

struct repair;

/*
 * If the root directory makes sense only with file types, and the superblock says that there are none, report the
 * feature bit, and set rc->geo.ftype.  Only in version 4: later file systems all have file types.  0 or -ENOMEM.
 */
int sb_ftype_settle(struct repair *rc);

#endif
