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

/* An operation on files that waits. */
struct intent_op {
	enum log_item_type type;
	union {
		struct log_intent_extent extent; /* of LI_BUI */
		struct log_attri attri;		 /* of LI_ATTRI; the bytes of names and values are the operation's */
		struct log_xmi xmi;		 /* of LI_XMI */
	};
};

/* NULL: out of memory. */
struct intents *intents_new(void);
void intents_free(struct intents *intents);

/*
 * An item of any type, in the order of the log (LOG_WALK_LOGGED); only intents and those that end them are looked at.
 * 0; 1: it makes no sense, which has been reported to c; -ENOMEM.
 */
int intents_item(struct intents *intents, const struct check *c, const struct log_item *item);
/*
 * After the last item, and when the geometry is that after replay: what would be outside of the file system is reported
 * to c and left out. From then on nothing changes, and any thread may ask. 0 or -ENOMEM.
 */
int intents_settle(struct intents *intents, const struct check *c);

/* All of the following are for settled ones, or NULL where nothing waits. */

/* How many wait. */
uint64_t intents_waiting(const struct intents *intents);
uint64_t intents_waiting_of(const struct intents *intents, enum intent_kind kind);

/*
 * The sink to give to a traversal instead of `below`: it drops what will not be true any more of the facts on the disk,
 * where an intent does not say exactly what that is.  *room must live as long as it is used. `below` itself if there is
 * nothing of that kind.
 */
struct intents_filter {
	const struct intents *intents;
	struct sink below;
};
struct sink intents_sink(struct intents_filter *room, const struct intents *intents, const struct sink *below);
/* Post to the sink below, once per traversal and by lane 0, all else that recovery will change. */
void intents_facts(const struct intents *intents, const struct sink *below);
/* By how many blocks of the file system (of the realtime section) recovery will change what is charged for an inode. */
void intents_charge(const struct intents *intents, xino_t ino, int64_t *ret_blocks, int64_t *ret_rtblocks);

/* By how many blocks it will change what is staged for copy on write. */
int64_t intents_staged(const struct intents *intents);

/* Set to true the groups whose btrees change when all is done; groups: one for each of group_count(). */
void intents_groups(const struct intents *intents, bool *groups);
/*
 * What must be done to files, in the order of the log: BUI, ATTRI and XMI. New btrees for the groups above, of what is
 * claimed then, finish the rest.  Returns how many.
 */
size_t intents_ops(const struct intents *intents, const struct intent_op *const **ret_ops);

#endif
