/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads that leave a dirty log, and their steps.  Paths are relative to the mount point. */
#ifndef TESTS_DIRTY_H
#define TESTS_DIRTY_H

#include "../tools/workload.h"

#define FILES	    90	/* "a/0" and so on, in each of a, b and c */
#define FRAG_BLOCKS 400 /* of "a/frag0" and so on, every other one a hole */

/* Each of these ends the program if it fails, as when the file system is shut down. */
void path_in(char dir, const char *name, unsigned i, char path[NAME_LEN]);
/* Fills a buffer with bytes that occur nowhere else, so that a misplaced block is noticed. */
void fill(char *buf, size_t len, uint64_t *seed);
/* Writes at most 16 blocks of them. */
void write_random(int fd, off_t offset, size_t len, uint64_t *seed);
void put(const char *path, size_t len, uint64_t *seed);
/* Forces the log as far as this file requires. */
void force(const char *path);
/* Writes back all metadata. */
void write_back(void);
/* Clones a file; does nothing if it does not exist, or the file system can't share blocks. */
void clone_of(const char *from, const char *to);
/* Exchanges the first len bytes of two files. */
void exchange(const char *path, const char *other, size_t len);

void creates(uint64_t *seed);
void renames(uint64_t *seed);
void orphans(uint64_t *seed);
void directories(uint64_t *seed);
void inodes(uint64_t *seed);

void reflinks(uint64_t *seed);
void truncates(uint64_t *seed);
void exchanges(uint64_t *seed);
void grow(uint64_t *seed);

void xattrs(uint64_t *seed);
void wrap(uint64_t *seed);

void forcer(uint64_t *seed);
void chains(uint64_t *seed);
void remaps(uint64_t *seed);
void links(uint64_t *seed);
void mixed(uint64_t *seed);

#endif
