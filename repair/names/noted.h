/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that a traversal notes, for inodes that are known only later: all entries, some 40 bytes each, which saves a
 * second traversal if many are needed; or only where they are, as pairs of an inode chunk and a directory with entries
 * for its inodes, 16 bytes each.  Pairs are few, since the kernel allocates the files of a directory together.
 */
#ifndef XFSCK_REPAIR_NOTED_H
#define XFSCK_REPAIR_NOTED_H

#include "sets/number_set.h"

struct entry_fact;
struct names_noted;
struct pptr_fact;
struct sink;

#define NOTED_BYTES 64 /* of memory for an entry, with room to spare */

/*
 * Makes an empty collection, of entries or of pairs.  workers: threads that may add.  limit: bytes for all.  NULL: no
 * memory.
 */
struct names_noted *names_noted_new(unsigned workers, size_t limit, bool entries);
/* Frees it; NULL is allowed. */
void names_noted_free(struct names_noted *noted);
/* Notes an entry, except `.` and `..`. */
void names_noted_add(struct names_noted *noted, unsigned worker, const struct entry_fact *entry);
/* Likewise a parent pointer, in a collection of entries. */
void names_noted_add_pptr(struct names_noted *noted, unsigned worker, const struct pptr_fact *pptr);
/* True if all entries are there. */
bool names_noted_whole(const struct names_noted *noted);
/*
 * Passes the entries and parent pointers to a sink again, as worker 0: only directory, type, target and name are set.
 */
void names_noted_tell(const struct names_noted *noted, const struct sink *sink);
/* Adds to *dirs all directories that may name one of these inodes; none unless all pairs are there.  0 or -ENOMEM. */
int names_noted_near(const struct names_noted *noted, const struct ino_set *inos, struct ino_set *dirs);

#endif
