/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares what was said of an inode before the repair with what is said of it afterwards. */
#ifndef XFSCK_REPAIR_LOSS_COMPARE_H
#define XFSCK_REPAIR_LOSS_COMPARE_H

#include "loss_fact.h"
#include "report/loss_list.h"
#include "sets/number_set.h"

#define LOSS_COMPARE_MOST (UINT64_C(1) << 30) /* bytes of file data that are compared */

/* What the comparison tells for struct loss_figures. */
struct loss_tally {
	uint64_t moved, damaged, unconfirmed, lost;
	uint64_t nameless;	   /* inodes that are lost, and had no name that is known */
	uint64_t apart;		   /* names as they are now that are counted above, or that the repair has made */
	uint64_t *gone;		   /* by AG: inodes that were in use, and are known not to be any more */
	uint64_t *made;		   /* by AG: inodes that the repair has made */
	struct ino_set moved_dirs; /* directories with another path */
	struct ino_set counted;	   /* inodes that have such names */
};

struct loss_compare {
	const struct repair *rc;    /* its geometry is that of before; its list of inodes with new names is settled */
	const struct repair *again; /* the last check */
	struct loss_list *list;
	uint64_t bytes_left; /* so many bytes of file data may yet be compared */
	bool names_missing;  /* blocks that may have held names could not be read */
	struct loss_tally *tally;
	const struct seals *seals;
	int error; /* negative errno, the first */
};

/* Facts of one kind about an inode. */
struct fact_range {
	struct loss_fact **all;
	size_t count;
};

/* All facts about one inode. */
struct inode_facts {
	xino_t ino;
	struct fact_range of[FACT_TARGET + 1];
	const struct inode_core *before, *after; /* NULL: it was not, or is not, in use */
	const struct loss_fact *dropped;	 /* NULL: no mender has dropped it */
	uint8_t ftype;
	bool harmed;	 /* something of it is lost or changed */
	bool doubted;	 /* something of it may have changed */
	bool gone;	 /* it was in use, and is not any more */
	bool reused;	 /* another inode has its number now */
	bool lost_found; /* it has a new name, which is lost+found */
	bool rescue;	 /* a mender has made it for blocks that may be those of a lost file */
	/* names: the same as before, lost or changed, new ones of lost ones, and new ones beside */
	uint64_t same, lost, moved_to, gained;
	bool stale;	      /* the last write of its block was lost */
	uint64_t unconfirmed; /* names that are the same, but may have been others */
	uint64_t unnamed;     /* names that it must have had, but that are unknown */
};

/* Add what differs to the list. facts: sorted; some may be moved. */
void loss_compare(struct loss_compare *c, struct loss_fact **facts, size_t count);

/*
 * When all is compared: settle what only shows among all names, and tell the totals; all: what there is after
 * the repair, of each kind.  The tally may change.  0 or negative errno.
 */
int loss_conclude(struct repair *rc, struct repair *again, struct loss_tally *tally, const uint64_t all[LOSS_NR],
		  struct loss_list *list);

/* True if a name is that of the directory for inodes without a name. */
bool loss_is_lost_found(const struct repair *again, uint64_t dir, const uint8_t *name, size_t len);

/* loss_data.c: the same for the data of one inode that is in use afterwards. */
void loss_compare_data(struct loss_compare *c, struct inode_facts *f);
/* How many bytes of data it had before, within its size. */
uint64_t loss_data_bytes(const struct loss_compare *c, const struct inode_facts *f);

/* loss_figures.c: count what became of the paths of an inode. */
void loss_tally_inode(struct loss_compare *c, const struct inode_facts *f);

/* Add to the list and to its totals; harmed: f->harmed. */
void loss_tell(struct loss_compare *c, struct inode_facts *f, const struct loss *loss, const uint8_t *name,
	       const uint8_t *now);

#endif
