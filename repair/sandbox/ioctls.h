/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_REPAIR_SANDBOX_IOCTLS_H
#define XFSCK_REPAIR_SANDBOX_IOCTLS_H

#include <stdbool.h>

/*
 * Let all ioctls but a few fail with ENOTTY, in all threads.  clones: files may share blocks.  0, -ENOSYS: the kernel
 * has no seccomp, or -ENOMEM.
 */
int sandbox_ioctls(bool clones);

#endif
