/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that has no name before it is whole, and so is gone however the program ends before.  Where the file system
 * knows no such files, it has its name at once, and one that is not whole is removed, but not if a signal ends the run.
 */
#ifndef XFSCK_NAMELESS_H
#define XFSCK_NAMELESS_H

#include <stdbool.h>

struct nameless {
	const char *path; /* the caller's */
	int fd;		  /* open for writing; -1: it is closed */
	bool named;	  /* it has its name */
	bool whole;	  /* it stays */
};

/* Begin one; nothing may have that name.  flags: O_WRONLY or O_RDWR.  0 or negative errno. */
int nameless_open(struct nameless *file, const char *path, int flags);
/* Bring it to the medium, and give it its name: it is whole.  It stays open.  0 or negative errno. */
int nameless_finish(struct nameless *file);
/* Close it; what is not whole is gone.  May be called again. 0 or negative errno. */
int nameless_close(struct nameless *file);
/* The folder that a path's last name is in; the caller frees it.  NULL: out of memory. */
char *nameless_folder(const char *path);

#endif
