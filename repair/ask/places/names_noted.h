/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records names during a check, for an answer that may have to name many inodes: all names if they fit into memory,
 * else which directories name inodes of which chunk.
 */
#ifndef XFSCK_REPAIR_NAMES_NOTED_H
#define XFSCK_REPAIR_NAMES_NOTED_H

struct entry_fact;
struct ino_set;
struct names_noted;
struct paths;
struct repair;

/* rc: a check that has begun. Returns NULL if out of memory. */
struct names_noted *names_noted_new(const struct repair *rc);
/* Frees noted, which may be NULL. */
void names_noted_free(struct names_noted *noted);
void names_noted_add(struct names_noted *noted, unsigned worker, const struct entry_fact *entry);
/* Finds the paths of these inodes; the caller frees them. 0 or negative errno. */
int names_noted_seek(const struct names_noted *noted, struct repair *rc, const struct ino_set *inos,
		     struct paths **ret_paths);

#endif
