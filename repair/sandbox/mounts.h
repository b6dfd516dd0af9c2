/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_REPAIR_SANDBOX_MOUNTS_H
#define XFSCK_REPAIR_SANDBOX_MOUNTS_H

/*
 * Landlock and seccomp can't tell whose owner, mode or attributes are set by a path, and what root may do with a device
 * node that it has just made.  So, where the kernel and our privileges allow it, the program gets a view of the mounts
 * of its own: all of it is read-only, but for one folder, in which device nodes can't be opened, and temporary files.
 *
 * path: of the folder; *folder: it is open, and from then on leads to the same folder through a mount of its own.
 * *ret_mount: to be closed when that is not used any more.  temporary: the folder of temporary files.  The program must
 * have no other thread.  0, or a negative errno: all is as it was.
 */
int sandbox_mounts(const char *path, int *folder, const char *temporary, int *ret_mount);

#endif
