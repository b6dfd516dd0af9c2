/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lies on a device may be made to break the program that reads it.  So once devices and outputs are open, the
 * program gives up, for good, what it does not need any more: privileges by executing others (no_new_privs), files and
 * TCP by Landlock, system calls by seccomp.  What the kernel or the build lacks of these is left out.
 *
 * All threads must be started after sandbox_enter(): Landlock only confines the caller and what it starts.
 */
#ifndef XFSCK_REPAIR_SANDBOX_H
#define XFSCK_REPAIR_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What may still be done with a file, or with all that lies below a folder. */
enum sandbox_right {
	SANDBOX_READ = 1 << 0,	 /* files: open to read */
	SANDBOX_WRITE = 1 << 1,	 /* files: open to write */
	SANDBOX_LIST = 1 << 2,	 /* folders: open, and list */
	SANDBOX_MAKE = 1 << 3,	 /* folders: create files, or give them names */
	SANDBOX_REMOVE = 1 << 4, /* folders: remove files */
	SANDBOX_RMDIR = 1 << 5,	 /* folders: remove empty folders */
	SANDBOX_IOCTL = 1 << 6,	 /* devices: those ioctls that ioctls.c lists */
};

struct sandbox {
	int ruleset;	  /* of Landlock; negative: there is none */
	int landlock;	  /* ABI of the kernel's Landlock; 0: it has none */
	uint64_t handled; /* Landlock's bits of what is forbidden unless a rule allows it */
	bool seccomp;	  /* after sandbox_enter(): in force */
	int error;	  /* the first rule that could not be added, a negative errno */
};

/* What system calls are needed beyond those that each run needs. */
struct sandbox_needs {
	bool uring;	 /* reads go through io_uring */
	bool network;	 /* a device is reached through sockets */
	bool renaming;	 /* a file is replaced */
	int exit_status; /* when a call is denied */
};

/* Begin; nothing is forbidden before sandbox_enter().  network: connections by TCP stay allowed. */
void sandbox_begin(struct sandbox *sandbox, bool network);
/* Allow what rights (SANDBOX_*) say.  A name that nothing has is not an error: opening it would fail anyway. */
void sandbox_allow(struct sandbox *sandbox, const char *path, unsigned rights);
/*
 * Forbid all else.  0, or a negative errno if it can't be set up although the kernel has it.  A system call that is
 * forbidden ends the program, with a message; opening a file that is not allowed fails with EACCES.
 */
int sandbox_enter(struct sandbox *sandbox, const struct sandbox_needs *needs);

/* Write what is in force, as a sentence. */
void sandbox_describe(const struct sandbox *sandbox, char *sentence, size_t size);
/* What the build has of it, in words; NULL: sanitizers need more than it allows, so there is none. */
const char *sandbox_built(void);

/* calls.c: forbid all system calls but those of its table.  0, -ENOSYS: the build or the kernel can't, or -errno. */
int sandbox_calls(const struct sandbox_needs *needs);

#endif
