/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completes file operations that a crash interrupted, like log recovery (ondisk 11, "Recovery rules"): BUI, XMI and
 * ATTRI.  All are done in memory first; nothing is staged if any of them fails.
 */
#ifndef XFSCK_REPAIR_MEND_INTENTS_H
#define XFSCK_REPAIR_MEND_INTENTS_H

#include "mend/base/mend_map.h"
#include "mend/collect/mend_inode.h"
#include "mend/make/mend_attr.h"

struct intents;
struct log_attri;
struct log_intent_extent;
struct log_xmi;

/* A file that operations are about. */
struct finish_file {
	struct mend_inode inode;
	struct mend_map map[2];	 /* the new map of each fork */
	bool remapped[2];	 /* the fork's map must be written */
	struct attr_items attrs; /* if have_attrs: the new attributes */
	bool have_attrs;	 /* they were collected, and must be written */
};

struct finish {
	struct mend *m;
	struct finish_file **files;
	size_t count, room;
	bool *groups; /* per AG: its btrees must be rebuilt afterwards */
};

/*
 * The functions below return 0; -ESTALE: the operation is impossible, because its object is unreadable, or has changed
 * since the operation was logged; or another negative errno.
 */
#define FINISH_IMPOSSIBLE (-ESTALE)

/* Gets the file with this inode, which is read once for all operations; *ret_file belongs to f. */
int finish_file(struct finish *f, xino_t ino, struct finish_file **ret_file);

/* mend_intents_map.c */
int finish_bui(struct finish *f, const struct log_intent_extent *said);
int finish_xmi(struct finish *f, const struct log_xmi *xmi);
/* mend_intents_attr.c */
int finish_attri(struct finish *f, const struct log_attri *attri);

/*
 * Completes all pending file operations, in log order.  groups: per AG, set to true if its btrees must be rebuilt
 * afterwards.  *ret_possible false: some are impossible, and nothing has been staged.  0, -ENOSPC or another negative
 * errno.
 */
int mend_intents(struct mend *m, const struct intents *intents, bool *groups, bool *ret_possible);

#endif
