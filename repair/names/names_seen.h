/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the entries that a traversal finds, some 40 bytes each, all of them if there is room.  This saves a second
 * traversal if many names are needed, and it is known only later which.
 */
#ifndef XFSCK_REPAIR_NAMES_SEEN_H
#define XFSCK_REPAIR_NAMES_SEEN_H

#include <stdbool.h>
#include <stddef.h>

struct entry_fact;
struct names_seen;
struct sink;

#define NAME_SEEN_BYTES 64 /* of memory for a name, with room to spare */

/* Makes an empty collection.  workers: threads that may add to it.  limit: bytes for all.  NULL: no memory. */
struct names_seen *names_seen_new(unsigned workers, size_t limit);
/* Frees it; NULL is allowed. */
void names_seen_free(struct names_seen *seen);
/* Keeps an entry, except `.` and `..`. */
void names_seen_add(struct names_seen *seen, unsigned worker, const struct entry_fact *entry);
/* True if there was room for all. */
bool names_seen_whole(const struct names_seen *seen);
/* Passes all entries to a sink again, as worker 0: only directory, type, target and name are set. */
void names_seen_tell(const struct names_seen *seen, const struct sink *sink);

#endif
