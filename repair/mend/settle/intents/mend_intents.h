/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations on files that a crash interrupted (ondisk 11, "Recovery rules"), completed as recovery does it: BUI, XMI
 * and ATTRI.  All of them are done in memory first; only if none fails is anything staged.
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

/* A file that operations are about, and what becomes of it. */
struct finish_file {
	struct mend_inode inode;
	struct mend_map map[2];	 /* of each fork, as they shall be */
	bool remapped[2];	 /* the fork's map is to be written */
	struct attr_items attrs; /* if have_attrs: the attributes as they shall be */
	bool have_attrs;	 /* they were collected, and are to be written */
};

struct finish {
	struct mend *m;
	struct finish_file **files;
	size_t count, room;
	bool *groups; /* per AG: its btrees have to be built anew afterwards */
};

/*
 * The functions below return 0; -ESTALE: the operation can't be completed, since what it is about can't be read, or is
 * not as it was when the operation was logged; or another negative errno.
 */
#define FINISH_IMPOSSIBLE (-ESTALE)

/* The file with this inode, read once for all operations; *ret_file belongs to f. */
int finish_file(struct finish *f, xino_t ino, struct finish_file **ret_file);

/* mend_intents_map.c */
int finish_bui(struct finish *f, const struct log_intent_extent *said);
int finish_xmi(struct finish *f, const struct log_xmi *xmi);
/* mend_intents_attr.c */
int finish_attri(struct finish *f, const struct log_attri *attri);

/*
 * Complete all operations on files that wait, in the order of the log.  groups: of each AG, set to true if its btrees
 * have to be built anew afterwards.  *ret_possible false: some can't be completed, and nothing has been staged.  0,
 * -ENOSPC or another negative errno.
 */
int mend_intents(struct mend *m, const struct intents *intents, bool *groups, bool *ret_possible);

#endif
