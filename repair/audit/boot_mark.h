/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks of file systems that are to be repaired at the next boot: an audit with --repair-at-boot makes one where it
 * finds new damage, and fsck.xfs -a looks for it.  Each is a file in the folder of reports, named by UUID.
 */
#ifndef XFSCK_REPAIR_AUDIT_BOOT_MARK_H
#define XFSCK_REPAIR_AUDIT_BOOT_MARK_H

#include <stdbool.h>

/* Make a mark, or remove it; that it is there already, or gone, is no error. 0 or negative errno. */
int boot_mark_set(const char *folder, const char *uuid);
int boot_mark_drop(const char *folder, const char *uuid);

/* True if the file system on a device is marked, in the default folder. uuid: set to its UUID. */
#define BOOT_MARK_UUID 40
bool boot_mark_find(const char *device, char uuid[static BOOT_MARK_UUID]);

#endif
