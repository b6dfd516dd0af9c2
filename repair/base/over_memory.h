/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes about work that needs more memory than -m allows, since it can't be done in parts. */
#ifndef XFSCK_OVER_MEMORY_H
#define XFSCK_OVER_MEMORY_H

struct repair;

enum over_memory {
	OVER_MEMORY_GROUP,     /* repairing an AG */
	OVER_MEMORY_DIRECTORY, /* the names of one directory in parent pointers */
	OVER_MEMORY_LOG,       /* reading a transaction */
	OVER_MEMORY_NR,
};

/* Prints the note about this work, once in a run. */
void over_memory(const struct repair *rc, enum over_memory what);

#endif
