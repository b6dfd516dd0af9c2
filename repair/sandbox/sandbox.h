/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Crafted data on a device may make the program that reads it run foreign code. So once devices and outputs are open,
 * the program gives up for good what it no longer needs: gaining privileges (no_new_privs), files and TCP (Landlock),
 * system calls (seccomp). What the kernel or the build lacks of these is left out.
 *
 * Start all threads after sandbox_enter(): Landlock confines only the calling thread and threads started later.
 */
#ifndef XFSCK_REPAIR_SANDBOX_H
#define XFSCK_REPAIR_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What remains allowed for a file, or for everything below a directory. */
enum sandbox_right {
	SANDBOX_READ = 1 << 0,	 /* files: open to read */
	SANDBOX_WRITE = 1 << 1,	 /* files: open to write */
	SANDBOX_LIST = 1 << 2,	 /* directories: open, and list */
	SANDBOX_MAKE = 1 << 3,	 /* directories: create or link regular files */
	SANDBOX_REMOVE = 1 << 4, /* directories: remove files */
	SANDBOX_RMDIR = 1 << 5,	 /* directories: remove empty directories */
	SANDBOX_IOCTL = 1 << 6,	 /* devices: the ioctls listed in calls.c */
	SANDBOX_GROW = 1 << 7,	 /* directories: create all other types of files, and move files */
	SANDBOX_EXECUTE = 1 << 8 /* files: execute */
};

/* Families of system calls that only some runs need (call_table.c). */
enum sandbox_family {
	SANDBOX_URING = 1 << 0,	   /* reads by io_uring */
	SANDBOX_SERVER = 1 << 1,   /* existing connections */
	SANDBOX_TREE = 1 << 2,	   /* making a tree of files, with owners, modes and attributes */
	SANDBOX_PROGRAMS = 1 << 3, /* waiting for programs that were started before */
	SANDBOX_REPLACE = 1 << 4,  /* replacing a file by another */
	SANDBOX_FLAGS = 1 << 5,	   /* setting inode flags and project ids of files */
};

struct sandbox {
	int ruleset;	  /* of Landlock; negative: none */
	int landlock;	  /* ABI of the kernel's Landlock; 0: it has none */
	uint64_t handled; /* Landlock bits of what is forbidden unless a rule allows it */
	bool seccomp;	  /* in force after sandbox_enter() */
	int error;	  /* of the first rule that could not be added, a negative errno; or 0 */
};

/* System calls needed beyond those of each run. */
struct sandbox_needs {
	unsigned families; /* SANDBOX_URING ... */
	int exit_status;   /* when a call is denied that only foreign code makes */
};

/*
 * Begins a sandbox; nothing is forbidden yet. families: as for sandbox_enter(). Landlock of ABI 1 is not used with
 * SANDBOX_TREE: it never lets files move between directories.
 */
void sandbox_begin(struct sandbox *sandbox, unsigned families);
/* Allows rights (SANDBOX_*) for a path. If it does not exist, does nothing: it can't be opened anyway. */
void sandbox_allow(struct sandbox *sandbox, const char *path, unsigned rights);
/*
 * Forbids all other files, and TCP, to this thread and those it starts; system calls stay allowed. 0, or a negative
 * errno if the kernel supports it but it failed.
 */
int sandbox_enter_files(struct sandbox *sandbox);
/*
 * Forbids all else. 0, or a negative errno if the kernel supports it but it failed. From now on, calls that only
 * foreign code makes, such as execve(), end the program with a message; other system calls that are not allowed fail
 * with ENOSYS, and opening files that are not allowed with EACCES.
 */
int sandbox_enter(struct sandbox *sandbox, const struct sandbox_needs *needs);

/* Writes what is in force, as a sentence. */
void sandbox_describe(const struct sandbox *sandbox, char *sentence, size_t size);
/* Returns what the build supports, in words; NULL: nothing, because of sanitizers or "make coverage". */
const char *sandbox_built(void);

/* calls.c: forbids all system calls but those of call_table.c. 0, -ENOSYS: not possible here, or negative errno. */
int sandbox_calls(const struct sandbox_needs *needs);

/*
 * Landlock and seccomp can't restrict whose owner, mode or attributes are set by path, nor what root may do with a
 * device node that it made. So, where kernel and privileges allow it, the program gets a mount namespace in which all
 * is read-only, except for one directory, in which device nodes can't be opened, and temporary files.
 *
 * path: of the directory; *folder: its descriptor, replaced by one through a mount of its own. *ret_mount: this mount,
 * to be closed after the last use of *folder. temporary: the directory of temporary files. The program must have no
 * other thread. 0, or a negative errno: *folder and *ret_mount are unchanged.
 */
int sandbox_mounts(const char *path, int *folder, const char *temporary, int *ret_mount);

#endif
