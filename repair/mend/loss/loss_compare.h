/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares what is known of an inode before and after the repair. */
#ifndef XFSCK_REPAIR_LOSS_COMPARE_H
#define XFSCK_REPAIR_LOSS_COMPARE_H

#include "loss_fact.h"
#include "report/loss_list.h"
#include "sets/number_set.h"

#define LOSS_COMPARE_MOST (UINT64_C(1) << 30) /* maximum number of bytes of file data to compare */

/* Counts for struct loss_figures. */
struct loss_tally {
	uint64_t moved, damaged, unconfirmed, lost;
	uint64_t nameless;	     /* lost inodes that had no known name */
	uint64_t apart;		     /* current names that are counted above, or that the repair made */
	uint64_t *gone;		     /* per AG: inodes that were in use and are known not to be any more */
	uint64_t *made;		     /* per AG: inodes that the repair created */
	bool *contradicted;	     /* per AG: an entry named an inode that was not in use */
	bool *stale;		     /* per AG: the last writes of inodes were lost */
	struct ino_set moved_dirs;   /* directories with another path */
	struct ino_set doubted_dirs; /* directories whose name nothing confirms */
	struct ino_set counted;	     /* inodes with names in `apart` */
};

struct loss_compare {
	const struct repair *rc;    /* has the old geometry; its list of reconnected inodes is settled */
	const struct repair *again; /* the last check */
	struct loss_list *list;
	uint64_t bytes_left; /* bytes of file data that may still be compared */
	bool names_missing;  /* blocks that may have held names are unreadable */
	struct loss_tally *tally;
	const struct seals *seals;
	const struct loss_areas *areas;
	const struct ino_set *not_in_rmapbt; /* files some of whose blocks the rmapbt lacked */
	int error;			     /* the first error, negative errno */
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
	const struct inode_core *before, *after; /* NULL: not in use */
	const struct loss_fact *dropped;	 /* NULL: no mender dropped the inode */
	uint8_t ftype;
	bool harmed;	 /* something of it is lost or changed */
	bool doubted;	 /* something of it may have changed */
	bool gone;	 /* was in use, is not any more */
	bool reused;	 /* its number now belongs to another inode */
	bool lost_found; /* has a new name in lost+found */
	bool rescue;	 /* created by a mender for blocks that may be a lost file's */
	/* names: unchanged; lost or changed; replacing lost ones; additional */
	uint64_t same, lost, moved_to, gained;
	bool stale;	      /* the last write of its block was lost */
	uint64_t unconfirmed; /* unchanged names that may have been different */
	uint64_t unnamed;     /* names that it must have had, but that are unknown */
};

/* Adds differences to the list. facts: sorted; may be reordered. */
void loss_compare(struct loss_compare *c, struct loss_fact **facts, size_t count);

/*
 * Call when everything has been compared: settles what depends on all names, and reports the totals.  all: what exists
 * after the repair, by kind.  May change the tally.  0 or negative errno.
 */
int loss_conclude(struct repair *rc, struct repair *again, struct loss_tally *tally, const uint64_t all[LOSS_NR],
		  struct loss_list *list);

/* True if the name is that of lost+found. */
bool loss_is_lost_found(const struct repair *again, uint64_t dir, const uint8_t *name, size_t len);

/* loss_data.c: likewise for the data of an inode that is in use after the repair. */
void loss_compare_data(struct loss_compare *c, struct inode_facts *f);
/* Returns how many bytes of data it had before, within its size. */
uint64_t loss_data_bytes(const struct loss_compare *c, const struct inode_facts *f);

/* loss_data.c: adds the files some of whose blocks the rmapbt lacked before the repair. 0 or -ENOMEM. */
int loss_not_in_rmapbt(const struct repair *rc, struct ino_set *ret);

/* loss_figures.c: counts what happened to the paths of an inode. */
void loss_tally_inode(struct loss_compare *c, const struct inode_facts *f);

/* Adds to the list and its totals; sets f->harmed. */
void loss_tell(struct loss_compare *c, struct inode_facts *f, const struct loss *loss, const uint8_t *name,
	       const uint8_t *now);

#endif
