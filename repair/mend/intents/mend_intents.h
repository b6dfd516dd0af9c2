/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations on files that a crash interrupted (ondisk 11, "Recovery rules"), done as recovery does them: BUI, XMI and
 * ATTRI.  All of them are tried in memory before anything is staged.
 */
#ifndef XFSCK_REPAIR_MEND_INTENTS_H
#define XFSCK_REPAIR_MEND_INTENTS_H

#include "mend/attr/mend_attr.h"
#include "mend/inode/mend_map.h"

/* A file at work, with all that is to become of it. */
struct finish_file {
	struct mend_inode inode;
	struct mend_map map[2]; /* by fork, as they shall be */
	bool remapped[2];
	struct attr_items attrs; /* once somebody has asked for them; what there shall be */
	bool have_attrs;
};

struct finish {
	struct mend *m;
	struct finish_file **files;
	size_t count, room;
	bool *groups; /* AGs whose btrees must follow */
};

/*
 * The steps of an operation return 0; -ESTALE: what it is about is not as it was when it was logged, or can't be read,
 * so that it can't be done; or another negative errno.
 */
#define FINISH_IMPOSSIBLE (-ESTALE)

/* The file; *ret_file stays the finish's. */
int finish_file(struct finish *f, xino_t ino, struct finish_file **ret_file);

/* mend_intents_map.c */
int finish_bui(struct finish *f, const struct log_intent_extent *said);
int finish_xmi(struct finish *f, const struct log_xmi *xmi);
/* mend_intents_attr.c */
int finish_attri(struct finish *f, const struct log_attri *attri);

/*
 * Do all operations on files that wait, in the order of the log.  groups: of each AG, set to true where its btrees have
 * to be built anew afterwards.  *ret_possible false: some can't be done, and nothing has been staged.  0, -ENOSPC or
 * another negative errno.
 */
int mend_intents(struct mend *m, const struct intents *intents, bool *groups, bool *ret_possible);

#endif
