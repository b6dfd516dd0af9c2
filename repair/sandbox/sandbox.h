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
	SANDBOX_MAKE = 1 << 3,	 /* folders: create regular files, or give them names */
	SANDBOX_REMOVE = 1 << 4, /* folders: remove files */
	SANDBOX_RMDIR = 1 << 5,	 /* folders: remove empty folders */
	SANDBOX_IOCTL = 1 << 6,	 /* devices: those ioctls that calls.c lists */
	SANDBOX_GROW = 1 << 7,	 /* folders: make all else that a tree of files has, and move files in it */
	SANDBOX_EXECUTE = 1 << 8 /* files: execute */
};

/* Families of system calls that only some runs need (call_table.c). */
enum sandbox_family {
	SANDBOX_URING = 1 << 0,	   /* reads go through io_uring */
	SANDBOX_SERVER = 1 << 1,   /* talking on connections that are there already */
	SANDBOX_TREE = 1 << 2,	   /* making a tree of files, with owners, modes and attributes */
	SANDBOX_PROGRAMS = 1 << 3, /* seeing programs end that were started before */
	SANDBOX_REPLACE = 1 << 4,  /* putting a file in the place of another one */
	SANDBOX_FLAGS = 1 << 5,	   /* setting inode flags and project ids of files */
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
	unsigned families; /* SANDBOX_URING ... */
	int exit_status;   /* when a call is denied that no run of ours makes */
};

/*
 * Begin; nothing is forbidden before sandbox_enter().  families: as it will be told.  A Landlock that can't let a tree
 * be made is left out (ABI 1: it never lets files move between folders).
 */
void sandbox_begin(struct sandbox *sandbox, unsigned families);
/* Allow what rights (SANDBOX_*) say.  A name that nothing has is not an error: opening it would fail anyway. */
void sandbox_allow(struct sandbox *sandbox, const char *path, unsigned rights);
/*
 * Forbid all other files, and TCP, to this thread and to what it starts; system calls stay.  0, or a negative errno if
 * it can't be set up although the kernel has it.
 */
int sandbox_enter_files(struct sandbox *sandbox);
/*
 * Forbid all else.  0, or a negative errno if it can't be set up although the kernel has it.  What no run of ours does,
 * as to execute a program, ends this one with a message; any other system call that is not allowed fails with ENOSYS,
 * and opening a file that is not allowed with EACCES.
 */
int sandbox_enter(struct sandbox *sandbox, const struct sandbox_needs *needs);

/* Write what is in force, as a sentence. */
void sandbox_describe(const struct sandbox *sandbox, char *sentence, size_t size);
/* What the build has of it, in words; NULL: sanitizers need more than it allows, so there is none. */
const char *sandbox_built(void);

/* calls.c: forbid all system calls but those of call_table.c.  0, -ENOSYS: the build or the kernel can't, or -errno. */
int sandbox_calls(const struct sandbox_needs *needs);

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
