/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations that a crash interrupted.  An operation of several transactions logs an intent item before each part, and
 * a done item together with that part.  An intent without a done item in the log waits for recovery (ondisk 11,
 * "Recovery rules").
 * A check completes nothing, but posts each waiting intent to the accounts as if it were completed: blocks of an EFI
 * count as free, an rmapbt record that a RUI would remove as removed, and so on.  The accounts of a replayed file
 * system then balance if and only if the kernel's recovery would find what it needs; any other damage shows as always.
 */
#ifndef XFSCK_REPAIR_INTENTS_H
#define XFSCK_REPAIR_INTENTS_H

#include "libxfs/log_item.h"
#include "base/sink.h"

struct intents;

/* Kinds of intents, in the order of reports; realtime forms count as the same kind. */
enum intent_kind {
	INTENT_EFI,
	INTENT_RUI,
	INTENT_CUI,
	INTENT_BUI,
	INTENT_ATTRI,
	INTENT_XMI,
	INTENT_KINDS,
};

/* An operation on files that waits for recovery. */
struct intent_op {
	enum log_item_type type;
	union {
		struct log_intent_extent extent; /* of LI_BUI */
		struct log_attri attri; /* of LI_ATTRI; its bytes are in the same allocation, behind the struct */
		struct log_xmi xmi;	/* of LI_XMI */
	};
};

/* Makes an empty collection.  Returns NULL if memory is out. */
struct intents *intents_new(void);
void intents_free(struct intents *intents);

/*
 * Adds an item of any type, in the order of the log (LOG_WALK_LOGGED); all but intents and dones are ignored.  Returns
 * 0, 1: it is invalid, which has been reported to c, or -ENOMEM.
 */
int intents_item(struct intents *intents, const struct check *c, const struct log_item *item);
/*
 * Settles the intents after the last item, with the replayed geometry in c.  Reports intents for places outside of the
 * file system to c, and drops them.  Any thread may use settled intents.  Returns 0 or -ENOMEM.
 */
int intents_settle(struct intents *intents, const struct check *c);

/* The following functions need settled intents, or NULL, which means that nothing waits. */

/* Return how many intents wait for recovery. */
uint64_t intents_waiting(const struct intents *intents);
uint64_t intents_waiting_of(const struct intents *intents, enum intent_kind kind);

/*
 * Returns the sink for a traversal instead of `below`.  It drops facts of the disk that recovery will make untrue and
 * that intents_facts() can't cancel, because the intent does not define them exactly.  *room must outlive the sink.
 * Returns `below` itself if no intent needs that.
 */
struct intents_filter {
	struct sink below; /* first, as sink_passing_on expects */
	struct sink_ops ops;
	const struct intents *intents;
};
struct sink intents_sink(struct intents_filter *room, const struct intents *intents, const struct sink *below);
/* Posts all other changes of recovery to the sink below, as worker 0.  Call it once per traversal. */
void intents_facts(const struct intents *intents, const struct sink *below);
/* Returns how many blocks and realtime blocks recovery will add to an inode, or remove (negative). */
void intents_charge(const struct intents *intents, xino_t ino, int64_t *ret_blocks, int64_t *ret_rtblocks);

/* Returns how many more blocks (negative: fewer) will be staged for copy on write after recovery. */
int64_t intents_staged(const struct intents *intents);

/* True if recovery will change the btrees of this group.  intents may be NULL. */
bool intents_change(const struct intents *intents, group_t group);
/* Sets groups[] to true for each group whose btrees recovery will change.  groups: group_count() elements. */
void intents_groups(const struct intents *intents, bool *groups);
/*
 * Returns the operations on files (BUI, ATTRI, XMI), in the order of the log, and their number.  After a repair has
 * carried these out, rebuilding the btrees of the groups above from the claims then completes all other intents.
 */
size_t intents_ops(const struct intents *intents, const struct intent_op *const **ret_ops);

#endif
