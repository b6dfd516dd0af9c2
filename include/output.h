/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are written where the user says.  Others may be able to write to that folder, as to /tmp: so no symbolic
 * link is followed that belongs to somebody other than root or us, anywhere in the name; and what is checked is what
 * was opened, not what has the name a moment later.
 */
#ifndef XFSCK_OUTPUT_H
#define XFSCK_OUTPUT_H

#include <stdbool.h>

/* Says why what fd is open for must not be written, or NULL.  Nothing has been written to it yet. */
typedef const char *output_refusal(const void *ctx, int fd);

/*
 * Create a file, or open one that exists and empty it.  Block devices are refused, and in folders that others can write
 * to files and pipes of others, and files that have more than one name.  refuse: asked about what exists.  A
 * descriptor, or a negative errno with *ret_why, the reason, which stays valid.
 */
int output_open(const char *path, output_refusal *refuse, const void *ctx, const char **ret_why);

/* Open a folder to create files in. A descriptor or negative errno; -EPERM: a link of somebody else's leads there. */
int output_folder(const char *path);
/* The same for the folder that a path's last name is in (path_name()). */
int output_folder_of(const char *path);
/* The same for a folder that is made, for us alone, if only it is missing; *ret_made: it was. */
int output_folder_make(const char *path, bool *ret_made);
/* What an error of these means, in words. */
const char *output_words(int error);

#endif
