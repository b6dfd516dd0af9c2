/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files share that rebuild inode btrees: which groups are mended, why, and by which witnesses. */
#ifndef XFSCK_REPAIR_MEND_AG_INODES_WORK_H
#define XFSCK_REPAIR_MEND_AG_INODES_WORK_H

#include "mend_chunks.h"

struct ag_inodes_work {
	struct mend *m;
	const struct found **why;   /* per AG: the finding that it is mended for; NULL: nothing to do */
	enum inobt_trust *trust;    /* per AG */
	bool *rebuilt;		    /* per AG */
	struct mend_chunks *chunks; /* per AG: all its chunks, as they shall be */
	struct mend_chunks *more;   /* per AG: those with inodes in use whose claims `survey` does not have */
	const struct found **gone;  /* per AG: a finding by which its inobt may have chunks that are gone; or NULL */
	const struct found *vain;   /* the first by which an inobt may lack inodes that names lead to; NULL: none */
	bool any_more;		    /* there are such chunks in any AG that was looked at */
	bool adopted;		    /* `survey` came with the last check */
	struct mend_survey survey;
	bool *lacking;		   /* per AG: `survey` has too few free blocks for its new trees */
	struct mend_survey closer; /* of these AGs, with the claims of inodes that were found; empty: not made yet */
};

/* mend_ag_doubts.c: note that a finding is about the trees of its group. 0 or -ENOMEM. */
int ag_inodes_doubt(struct ag_inodes_work *w, const struct found *found);
/*
 * Note for which groups findings say that their trees are wrong, and how far these can be believed; look for inodes
 * that are led to in vain, and note which groups may have chunks that are gone.  0 or negative errno.
 */
int ag_inodes_doubt_all(struct ag_inodes_work *w, const struct found *found, size_t count);
/* Set wanted[] for groups that are in doubt, or that lack inodes which names lead to. False: there are none. */
bool ag_inodes_want(const struct ag_inodes_work *w, bool *wanted);
/* With w->survey: doubt the groups that lack inodes which names lead to. 0 or -ENOMEM. */
int ag_inodes_doubt_lacking(struct ag_inodes_work *w);
/* The same: doubt those that have chunks that are gone. 0 or negative errno. */
int ag_inodes_doubt_gone(struct ag_inodes_work *w);

#endif
