/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_REPAIR_SANDBOX_IOCTLS_H
#define XFSCK_REPAIR_SANDBOX_IOCTLS_H

/*
 * Let all ioctls but a few fail with ENOTTY, in all threads.  families: of
 * sandbox.h: a tree may be made of files that share blocks, and their flags set.  0, -ENOSYS: the kernel
 * has no seccomp, or -ENOMEM.
 */
int sandbox_ioctls(unsigned families);

#endif
