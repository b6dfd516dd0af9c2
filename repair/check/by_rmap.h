/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who claims the blocks of groups, without a sweep over all inodes: their rmapbts tell, as the first check found them
 * to agree with all claims, and inodes that have changed since are asked themselves.
 */
#ifndef XFSCK_REPAIR_BY_RMAP_H
#define XFSCK_REPAIR_BY_RMAP_H

#include <stdbool.h>

struct changed;
struct evidence_records;
struct repair;
struct sink;
struct traverse;

/*
 * Hand all claims on blocks of these groups (wanted: one per group) to the sink, and all other facts that the groups
 * tell, as they are now.  rc: the first check; changed: what has changed since.  *ret_known: false: they are not known
 * so, and what the sink has got is of no use.  ret_traverse: gets the traversal, which knows the headers of the groups
 * as they are, for traverse_free(); NULL: not wanted.  0 or negative errno.
 */
int by_rmap_gather(const struct repair *rc, struct changed *changed, const bool *wanted, const struct sink *sink,
		   bool *ret_known, struct traverse **ret_traverse);
/*
 * True if claims of AGs overlap where nothing was shared when the first check was made: whether an inode that has not
 * changed might share these blocks is not known.
 */
bool by_rmap_disputed(const struct repair *rc, const struct evidence_records *records);

#endif
