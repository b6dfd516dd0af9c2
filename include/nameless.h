/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that has no name before it is whole, and so is gone however the program ends before.  Where the file system
 * knows no such files, it has its name at once, and one that is not whole is removed, but not if a signal ends the run.
 * As with other outputs (output.h) nobody else's link is followed.
 */
#ifndef XFSCK_NAMELESS_H
#define XFSCK_NAMELESS_H

#include <stdbool.h>

struct nameless {
	const char *path; /* the caller's */
	int folder;	  /* that it is in, as long as fd is open; negative: none */
	int fd;		  /* open for writing; -1: it is closed */
	bool named;	  /* it has its name */
	bool whole;	  /* it stays */
};

/* Begin one; nothing may have that name.  flags: O_WRONLY or O_RDWR.  0 or negative errno (output_words()). */
int nameless_open(struct nameless *file, const char *path, int flags);
/* Bring it to the medium, and give it its name: it is whole.  It stays open.  0 or negative errno. */
int nameless_finish(struct nameless *file);
/* Close it; what is not whole is gone.  May be called again. 0 or negative errno. */
int nameless_close(struct nameless *file);

/* The parts of that: create a file without a name in an open folder.  A descriptor or negative errno. */
int nameless_create(int folder, int flags);
/* Give it a name there, which nothing may have. 0 or negative errno. */
int nameless_link(int fd, int folder, const char *name);

#endif
