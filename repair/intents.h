/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a crash left half-done.  An operation of several transactions logs an intent before each part, and that the part
 * is done along with it; an intent whose end is not in the log waits for recovery (ondisk 11, "Recovery rules").
 *
 * An audit finishes nothing: it books each waiting intent as done.  Blocks of an EFI count as free, an rmap that a RUI
 * would remove as removed, and so on; so the books of a replayed file system balance exactly if the kernel's
 * recovery would find what it needs, and whatever else is wrong shows as always.
 */
#ifndef XFSCK_REPAIR_INTENTS_H
#define XFSCK_REPAIR_INTENTS_H

#include "libxfs/log_item.h"
#include "sink.h"

struct intents;

/* The kinds, in the order in which they are told; realtime forms count as the others. */
enum intent_kind {
	INTENT_EFI,
	INTENT_RUI,
	INTENT_CUI,
	INTENT_BUI,
	INTENT_ATTRI,
	INTENT_XMI,
	INTENT_KINDS,
};

/* NULL: out of memory. */
struct intents *intents_new(const struct geometry *geo);
void intents_free(struct intents *intents);

/*
 * An item of any type, in the order of the log (LOG_WALK_LOGGED); only intents and those that end them are looked at.
 * 0; 1: it makes no sense, which has been reported to c; -ENOMEM.
 */
int intents_item(struct intents *intents, const struct check *c, const struct log_item *item);

/* How many wait. NULL: none. */
uint64_t intents_waiting(const struct intents *intents);
uint64_t intents_waiting_of(const struct intents *intents, enum intent_kind kind);

/*
 * The sink to give to a traversal instead of `below`: of the facts on the disk it passes on those that are still true
 * when all is done.  *room must live as long as it is used. `below` itself if nothing waits that takes facts away.
 */
struct intents_filter {
	struct intents *intents;
	struct sink below;
};
struct sink intents_sink(struct intents_filter *room, struct intents *intents, const struct sink *below);
/* Post to the sink below, once per traversal and by lane 0, what will be true then and is not yet. NULL: nothing. */
void intents_facts(const struct intents *intents, const struct sink *below);

/* Mark the groups whose btrees change when all is done; group: one for each of group_count(). */
void intents_groups(const struct intents *intents, bool *groups);
/*
 * True if new btrees for these groups, made of what is claimed by then, finish all that waits: EFI, RUI and CUI. The
 * others change inodes.
 */
bool intents_rebuild_finishes(const struct intents *intents);

#endif
