/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Temporary files without a name, which nobody else can open, and which are gone however the program ends. */
#ifndef XFSCK_TEMPORARY_H
#define XFSCK_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The folder that they are created in; *ret_unnamed: its file system knows files without a name. */
const char *temporary_folder(bool *ret_unnamed);
/* Create one in the folder TMPDIR, else /var/tmp, for what is too large for memory. A descriptor or negative errno. */
int temporary_open(void);
/* The bytes that are free where one lies; UINT64_MAX: that is not known. */
uint64_t temporary_room(int fd);

#endif
