/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that a traversal meets, kept so that no second one is needed when it is known only later whose names are
 * wanted, and many are: all of them, if there is room, some 40 bytes for each.
 */
#ifndef XFSCK_REPAIR_NAMES_SEEN_H
#define XFSCK_REPAIR_NAMES_SEEN_H

#include <stdbool.h>
#include <stddef.h>

struct entry_fact;
struct names_seen;
struct sink;

#define NAME_SEEN_BYTES 64 /* of memory for a name, with room to spare */

/* lanes: threads that may add at the same time; limit: bytes of memory for all of them. NULL: out of memory. */
struct names_seen *names_seen_new(unsigned lanes, size_t limit);
/* NULL is fine. */
void names_seen_free(struct names_seen *seen);
/* Keep a name, unless it is `.` or `..`. */
void names_seen_add(struct names_seen *seen, unsigned lane, const struct entry_fact *entry);
/* True if there was room for all. */
bool names_seen_whole(const struct names_seen *seen);
/* Tell all entries again, in lane 0: the directory, type, target and name of each, and no more. */
void names_seen_tell(const struct names_seen *seen, const struct sink *sink);

#endif
