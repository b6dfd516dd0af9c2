/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks for file systems to be repaired at the next boot: audits with --repair-at-boot make them for new damage, and
 * fsck.xfs -a checks for them. Each is a file in the reports' directory, named by UUID.
 */
#ifndef XFSCK_REPAIR_AUDIT_BOOT_MARK_H
#define XFSCK_REPAIR_AUDIT_BOOT_MARK_H

#include <stdbool.h>

/* Create or remove a mark; no error if that was done already. 0 or negative errno. */
int boot_mark_set(const char *folder, const char *uuid);
int boot_mark_drop(const char *folder, const char *uuid);

/* True if the file system on a device is marked, in the default directory. uuid: receives its UUID, or "". */
#define BOOT_MARK_UUID 40
bool boot_mark_find(const char *device, char uuid[static BOOT_MARK_UUID]);

#endif
