/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations that a crash interrupted.  An operation of several transactions logs an intent item before each part, and
 * a done item together with that part.  An intent without a done item in the log waits for recovery (ondisk 11,
 * "Recovery rules").
 *
 * A check finishes nothing, but posts each waiting intent to the accounts as if it were done: blocks of an EFI count as
 * free, an rmapbt record that a RUI would remove as removed, and so on.  The accounts of a replayed file system then
 * balance if and only if the kernel's recovery would find what it needs; any other damage shows as always.
 */
#ifndef XFSCK_REPAIR_INTENTS_H
#define XFSCK_REPAIR_INTENTS_H

#include "libxfs/log_item.h"
#include "base/sink.h"

struct intents;

/* Kinds of intents, in the order in which the user is told of them; realtime forms count as the same kind. */
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
		struct log_attri attri; /* of LI_ATTRI; its bytes lie in the same allocation, behind the struct */
		struct log_xmi xmi;	/* of LI_XMI */
	};
};

/* NULL: out of memory. */
struct intents *intents_new(void);
void intents_free(struct intents *intents);

/*
 * Take in an item of any type, in the order of the log (LOG_WALK_LOGGED); all but intents and dones are ignored.
 * 0; 1: it makes no sense, which has been reported to c; -ENOMEM.
 */
int intents_item(struct intents *intents, const struct check *c, const struct log_item *item);
/*
 * Called after the last item, with the geometry after replay in c.  Intents for places outside of the file system are
 * reported to c and left out.  From then on nothing changes, so any thread may use the intents. 0 or -ENOMEM.
 */
int intents_settle(struct intents *intents, const struct check *c);

/* All of the following need settled intents, or NULL, which means that nothing waits. */

/* How many intents wait for recovery. */
uint64_t intents_waiting(const struct intents *intents);
uint64_t intents_waiting_of(const struct intents *intents, enum intent_kind kind);

/*
 * The sink to give to a traversal instead of `below`.  It drops facts of the disk that recovery will make untrue where
 * intents_facts() can't cancel them, because the intent does not say exactly what they are.  *room must live as long as
 * the sink.  Returns `below` itself if no intent is of that kind.
 */
struct intents_filter {
	struct sink below; /* first: see sink_passing_on */
	struct sink_ops ops;
	const struct intents *intents;
};
struct sink intents_sink(struct intents_filter *room, const struct intents *intents, const struct sink *below);
/* Post everything else that recovery will change to the sink below; to be called once per traversal, uses lane 0. */
void intents_facts(const struct intents *intents, const struct sink *below);
/* How many blocks, and how many realtime blocks, recovery will add to an inode, or take from it (negative). */
void intents_charge(const struct intents *intents, xino_t ino, int64_t *ret_blocks, int64_t *ret_rtblocks);

/* By how many blocks recovery will change what is staged for copy on write. */
int64_t intents_staged(const struct intents *intents);

/* Set groups[] to true for each group whose btrees recovery will change; one element for each of group_count(). */
void intents_groups(const struct intents *intents, bool *groups);
/*
 * The operations on files (BUI, ATTRI, XMI), in the order of the log; returns how many.  Once a repair has carried
 * these out, building the btrees of the groups above anew, from what is then claimed, finishes all other intents.
 */
size_t intents_ops(const struct intents *intents, const struct intent_op *const **ret_ops);

#endif
