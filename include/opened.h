/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How functions of ours that open files return what open(2) does. */
#ifndef XFSCK_OPENED_H
#define XFSCK_OPENED_H

#include <errno.h>

/* The descriptor that open(2) or one of its kin has just returned, which is the caller's, or negative errno. */
static inline int opened(int fd)
{
	return fd < 0 ? -errno : fd;
}

#endif
