/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gathers the claims on blocks of AGs from their rmapbts, without a sweep over all inodes.  The first check found that
 * an rmapbt has all claims; inodes that changed since then are read again.
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
 * Passes to the sink all claims on blocks of the wanted groups (wanted: a flag per group), and all other facts of these
 * groups, as they are now.  rc: the first check.  changed: the changes since then.  Sets *ret_known to false if the
 * claims can't be known in this way; then discard what the sink got.  ret_traverse, unless NULL, gets the traversal
 * with the current headers of the groups; the caller frees it with traverse_free().  Returns 0 or a negative errno.
 */
int by_rmap_gather(const struct repair *rc, struct changed *changed, const bool *wanted, const struct sink *sink,
		   bool *ret_known, struct traverse **ret_traverse);
/* True if claims of AGs overlap where the first check found no shared blocks: an unchanged inode may share them. */
bool by_rmap_disputed(const struct repair *rc, const struct evidence_records *records);

#endif
