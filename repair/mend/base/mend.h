/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mending: from findings to blocks staged in the overlay.
 *
 * It goes in rounds.  A round takes what the last check found, hands the findings of the earliest stage
 * (include/mends.h) to their menders, which stage what they mend, and checks all that the overlay now shows, by the
 * same phases.  A mender settles its object and nothing else: what follows for others (blocks that are free now, names
 * that lead nowhere) is found by the next check, and mended in its turn.  The check that finds nothing is the proof,
 * without which nothing gets to the disk.
 */
#ifndef XFSCK_REPAIR_MEND_H
#define XFSCK_REPAIR_MEND_H

#include "mend/loss/drops.h"
#include "mends.h"
#include "report/finding.h"
#include "sets/number_set.h"

struct doubts;
struct found;
struct geometry;
struct mend;

/*
 * Findings that came back although a mender said that it had settled them: what it did was undone by another one, or
 * led nowhere.  After a few times the mender is not given such a finding any more, so that others get their turn.
 */

#define REPEATS_MAX 3u /* so often a mender may settle the same finding */

/* Hashes of findings with their menders: sets[i] has those that were settled more than i times. */
struct mend_repeats {
	struct number_set sets[REPEATS_MAX];
};

/* A hash of a finding, never 0. It is to tell findings apart, and not safe against an attacker. */
uint64_t found_fingerprint(const struct found *found);
/* Note that the mender at work has settled a finding. If there is no memory for it, it is not noted. */
void mend_repeats_note(struct mend *m, const struct found *found);
/* Whether the mender at work has settled it as often as it may. */
bool mend_repeats_is_stuck(const struct mend *m, const struct found *found);
void mend_repeats_free(struct mend_repeats *repeats);

/* Objects that menders leave as they are, and why. */

enum left_reason {
	LEFT_NO_ROOM,	  /* no space is free for what has to be written */
	LEFT_UNREADABLE,  /* what has to be read can't be, or makes no sense */
	LEFT_TOO_LARGE,	  /* it takes more memory or reading than there should be */
	LEFT_NOT_PLANNED, /* the user has deleted that fix from the plan */
	LEFT_NR,
};

/* Start with { 0 }. */
struct mend_left {
	struct left_object {
		xino_t ino;	     /* the inode; NULL_INO: the headers and trees of ... */
		agno_t agno;	     /* ... this group */
		uint32_t rgno;	     /* ... or of this realtime group */
		enum mend_kind kind; /* the mender that would have done it */
		enum left_reason reason;
	} * v;
	size_t count, room;
};

/*
 * For a mender that could not mend what these findings are about, which is no reason to stop the others: 0, and it
 * stays as it is, if what it takes can't be read (-ENOENT), there is no room for what had to be written (-ENOSPC), or
 * it is too much (-E2BIG).  Any other `error`, or -ENOMEM.
 */
int mend_left(struct mend *m, const struct found *found, size_t count, int error);
/* In the end: how many of these findings, those that are left, are so because their mender met this reason. */
uint64_t mend_left_count(struct mend *m, enum left_reason reason, const struct found *found, size_t count);
/* True if the mender of this finding could not mend what it is about. */
bool mend_is_left(struct mend *m, const struct found *found);
void mend_left_free(struct mend *m);

/* Names a block that the mender will read for this finding, beside the inode. False: there is none. */
typedef bool mend_ahead_fn(const struct mend *m, const void *ctx, const struct found *found, fsbno_t *ret_block);

/* What the mender at work is going to read: see mend_inode_ahead(). */
struct mend_ahead {
	const struct found *found; /* all findings that it was given */
	size_t count;
	size_t next;	      /* the first of them that was not read ahead for */
	mend_ahead_fn *block; /* NULL: it reads inodes only */
	const void *ctx;
	size_t settled; /* how many of them the mender is done with, as far as is known; atomic, for progress */
	uint64_t ino;	/* that the next of them is about, 0 if it is about none; atomic */
};

/* Findings that menders have added because of what they mended: mend_follows(). Their names are copies. */
struct mend_following {
	struct found *found;
	size_t count, room;
};

/* Consecutive blocks. */
struct taken_run {
	fsbno_t start;
	uint32_t len;
};

/* All blocks that were handed out, in any round: mend_space_took(). */
struct mend_taken {
	struct taken_run *runs;
	size_t count, room;
};

/* An inode whose link count is too high by so many. */
struct extra_links {
	xino_t ino;
	uint64_t links;
};

/* What is known within a round, and forgotten at its end: mend_round_end(). */
struct mend_round {
	uint64_t done;	 /* struct mend's, when it began: since the last check nothing was mended before */
	bool names_stay; /* link counts are mended in this round, too: see round.c */
	bool names_wait; /* lost blocks hold names of a directory that is still to be rebuilt: keep them allocated */
	bool claims_unknown;		/* unreported changes since the last check: mend_space_outdated() */
	struct ino_set blocks_reported; /* inodes all of whose blocks were reported by mend_space_claim() */
	struct ino_set settled;	   /* restored from the log, or by dates: other findings about them are out of date */
	struct ino_set reattached; /* orphans; what the last check says of their parent pointers is out of date */
	struct ino_set given;	   /* free inodes that were put to use */
	struct ino_set usage;	   /* see mend_chunks_doubt_usage() */
	struct ino_set named;	   /* see mend_chunks_find_named(); ... */
	struct ino_set led;	   /* ... and all that directories name that were found there */
	struct ino_set gone;	   /* see mend_chunks_find_gone() */
	xino_t fresh;		   /* next unused inode of a new chunk, which the last check did not know ... */
	uint32_t fresh_left;	   /* ... and how many are left in that chunk: mend_new_inodes_find() */
	struct mend_extra_links { /* directories whose link count is too high until links are added: mend_nlink_add() */
		struct extra_links *of;
		size_t count, room;
	} extra_links;
};

/* An extent that leads to the wrong place, though it is not known to which it should: mend_extent_place.c. */
struct wrong_extent {
	xino_t ino;
	enum object fork; /* OBJ_DATA_FORK or OBJ_ATTR_FORK */
	uint64_t line;	  /* offset in the file minus block */
};

/* What was looked for in the log, which is looked for once only, since the log stays the same. */
struct mend_asked_log {
	struct ino_set inodes, names; /* names: of these inodes */
	struct sector_set blocks;     /* by their first sectors */
	struct group_set groups;      /* all inodes of these */
};

/* What menders note for later rounds. */
struct mend_notes {
	struct ino_set map_mended;     /* see mend_note_map_mended() */
	struct ino_set parent_unknown; /* see mend_note_parent_unknown() */
	struct ino_set made_anew;      /* see mend_note_made_anew() */
	struct ino_set stray_dirs;     /* their inodes were lost, and are rebuilt or will be */
	struct ino_set freed, gave_up; /* see mend_inode_named.c */
	struct ino_set stale;	       /* the first inodes of stale blocks: inode_doubt_stale() */
	struct mend_asked_log asked;
	struct group_set old_groups;	 /* see group_note_old() */
	struct group_set doubted_groups; /* see group_is_doubted() */
	struct fsblock_set two_owners;	 /* blocks that by the rmapbt have two owners who may not share them */
	struct wrong_extent *wrong;	 /* see there */
	size_t nwrong, wrong_room;
	struct sector_set
		names_known; /* first sectors of lost blocks whose directory has their names: mend_dir_lost.c */
	struct number_set damaged_dates; /* byte offsets of damaged blocks with LSNs beyond the log: mend_log.c */
};

/* A last resort: a mender says that it wants it, and it is allowed once nothing else can be mended. */
struct mend_resort {
	bool wanted, allowed;
};

/* The file system was made to fit a device that is too short. */
struct mend_shrunk {
	bool done;
	struct found found; /* the finding that led to it */
	bool costs;	    /* something in use lay behind the end of the device, and is lost */
	bool log_told;	    /* the user was told that the log lay behind the end, and that no new one is made */
};

struct mend {
	struct repair *rc;	 /* the run: report, options, devices */
	struct repair *now;	 /* the last check of what the overlay shows: geometry, ledger, traverse, dirs */
	enum mend_kind kind;	 /* the mender at work */
	uint64_t done;		 /* objects mended so far ... */
	uint64_t likely;	 /* ... of these, those that are no more than likely (enum sure) */
	uint64_t guesses;	 /* ... those that are guesses */
	uint64_t logged;	 /* ... of these, blocks and inodes that were restored from the log */
	uint64_t in_vain;	 /* how often no space was left that could be taken */
	unsigned rounds, checks; /* so far, with the one at work: for the trace */
	uint64_t bytes_read;
	bool quiet; /* report no fix: only operations that a crash interrupted are being completed (mend_crash()) */
	bool inodes_begun; /* menders may have changed inodes since the first check */

	struct mend_ahead ahead;
	struct mend_following follows[MEND_NR];
	struct mend_round round;
	struct mend_notes notes;
	struct drops drops; /* see mend_drop.h */
	struct mend_repeats repeats;
	struct mend_left left;

	struct mend_space *space, *rt_space; /* free space that is left; NULL: not looked for yet. mend_space.h */
	struct mend_space *whole_space;	     /* the same, without what is too short for a whole directory block */
	struct mend_taken taken, rt_taken;
	struct mend_own *own;	       /* blocks of the object at work; NULL: none. mend_space.h */
	struct mend_survey *survey;    /* came with the last check, and is kept up to date; NULL: none */
	struct mend_facts_kept *facts; /* mend_facts_keep(); NULL: none */
	struct mend_strays *strays;    /* mend_facts.h; NULL: not looked for yet */
	struct intents *intents;       /* those of rc, kept here while menders complete them: mend_crash() */

	bool before; /* mend_read() reads what was there before the repair: mend_dir_before.c */
	struct mend_shrunk shrunk;
	struct mend_resort share;  /* refcount btrees that have blocks as shared which files claim: mend_shared.h */
	struct mend_resort zeroes; /* blocks of zeroes for a map, if none is known to be free: mend_space.h */
	struct mend_resort
		orphans_anywhere; /* orphans in any directory, if lost+found and the root are full: mend_orphan.c */
};

/* For qsort() of findings as menders get them: by inode, since each is mended once, with all findings about it. */
int mend_found_order(const void *a, const void *b);
/* How many findings at the start of these are about one inode. */
size_t mend_of_one_inode(const struct found *found, size_t count);

/* Read what the overlay shows. 0, or -EIO where it can't be read. */
int mend_read(struct mend *m, void *buf, uint64_t offset, size_t len);
/* The same for one block of a file; realtime: it is numbered in the realtime section. */
int mend_read_data(struct mend *m, void *buf, bool realtime, fsbno_t block);
/* The device that has the realtime section. */
struct device *mend_rt_device(const struct mend *m);
/* As mend_read(), for searches where most blocks are not what is looked for: they are not kept in memory. */
int mend_read_once(struct mend *m, void *buf, uint64_t offset, size_t len);
/*
 * How many blocks from this byte offset on are a hole of an image file, so that nothing lost can be in them.  `holes`
 * keeps the last answer of the system, so that it is asked rarely; it begins as zeroes.  Offsets must ascend.
 */
struct mend_holes {
	uint64_t data; /* no hole is looked for before this offset */
};
uint64_t mend_hole_blocks(const struct mend *m, struct mend_holes *holes, uint64_t offset);
/*
 * A mender that reads inodes one by one, in the order of its findings, says that it has come to this one: many of the
 * following ones are then read together, each with the block that m->ahead.block names.
 */
void mend_inode_ahead(struct mend *m, xino_t ino);
/* True if menders have read so much, as if damaged maps led them in circles, that they should give up. */
bool mend_exhausted(const struct mend *m);
/* Stage bytes for the data device; offset and len in bytes, whole sectors. 0 or negative errno. */
int mend_write(const struct mend *m, const void *buf, uint64_t offset, size_t len);
/*
 * Stage a block that nobody uses, at this byte offset of the data device, without an LSN that is at the head of the log
 * or beyond (log_stamp_reset()). 0, also if it has none or can't be read, or negative errno.
 */
int mend_reset_lsn(struct mend *m, uint64_t offset);
/* True if this block was taken or given up, in any round: older witnesses don't know its owner. */
bool mend_space_took(const struct mend *m, fsbno_t block, bool realtime);
/* Note that an inode's extent map had to be mended, so it may have lost blocks that nobody has now. 0 or -ENOMEM. */
int mend_note_map_mended(struct mend *m, xino_t ino);
/* Note that the `..` of a directory is the root only because its parent is not known: no witness. 0 or -ENOMEM. */
int mend_note_parent_unknown(struct mend *m, xino_t ino);
/*
 * Note that an inode was made anew, perhaps without the reflink flag that it needs: a check can tell only when it knows
 * which blocks are shared. 0 or -ENOMEM.
 */
int mend_note_made_anew(struct mend *m, xino_t ino);
/*
 * Tell the user that an object was mended, with the text of include/mends.h and what that is sure of; found: the first
 * finding about it.
 */
void mend_done(struct mend *m, const struct found *found);
/* The same with another text and degree of certainty. */
void mend_done_so(struct mend *m, const struct found *found, enum sure sure, const char *text);
/* The same with another degree of certainty only. */
void mend_done_sure(struct mend *m, const struct found *found, enum sure sure);

/* Tell the user why the btrees of an allocation group stay as they are. */
void mend_not_rebuilt(const struct mend *m, agno_t agno, const char *why);

/* Findings that the next check would make because of what was mended. */

/*
 * Add a finding that the next check would make because of what was mended.  The mender of that kind
 * gets it before the round goes on. The name is copied.  0 or -ENOMEM.
 */
int mend_follows(struct mend *m, enum mend_kind kind, const struct found *found);
/* The place of findings about this inode. */
struct place mend_place_of_inode(const struct geometry *geo, xino_t ino);
/* mend_follows() for an inode, for an inode that lacks a parent pointer, and for a counter of the superblock. */
int mend_follows_inode(struct mend *m, enum mend_kind kind, enum finding finding, xino_t ino);
int mend_follows_pptr(struct mend *m, xino_t ino, xino_t parent, const uint8_t *name, uint8_t namelen);
int mend_follows_count(struct mend *m, enum finding finding, uint64_t want);

#endif
