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

#include "mend/ag/mend_ag.h"
#include "mends.h"
#include "repair.h"
#include "report/finding.h"
#include "sets/ino_set.h"

struct mend;
typedef bool mend_ahead_fn(const struct mend *m, const void *ctx, const struct found *found, fsbno_t *ret_block);

/* What mend_inode_ahead() reads for the mender at work. */
struct mend_ahead {
	const struct found *found;
	size_t count, next;
	mend_ahead_fn *block; /* see there; NULL: none */
	const void *ctx;
};

/* Findings that follow from what was mended, with names of their own: mend_follows(). */
struct mend_following {
	struct found *found;
	size_t count, room;
};

struct taken_run {
	fsbno_t start;
	uint32_t len;
};

/* All that mend_space_take() has handed out. */
struct mend_taken {
	struct taken_run *runs;
	size_t count, room;
};

struct owed_links {
	xino_t ino;
	uint64_t links;
};

/* What is known as long as a round lasts: mend_round_end(). */
struct mend_round {
	bool names_stay;	/* link counts are mended in it, too: see round.c */
	struct ino_set told;	/* all blocks that they have, mend_space_lose() was told of */
	struct ino_set settled; /* of which something was written again from the log */
	struct ino_set homed;	/* had no name in the last check, and may have it again by a parent pointer */
	struct ino_set given;	/* free inodes that were put to use */
	xino_t fresh;		/* the next of those that the last check did not know ... */
	uint32_t fresh_left;	/* ... so many: mend_new_inodes_find() */
	struct mend_owed {	/* links that a directory has too many, until more are added: mend_nlink_add() */
		struct owed_links *of;
		size_t count, room;
	} owed;
};

/* What menders leave for those of later rounds. */
struct mend_notes {
	struct ino_set bereft;		 /* see mend_bereft() */
	struct ino_set unplaced;	 /* see mend_unplaced() */
	struct ino_set remade;		 /* see mend_remade() */
	struct ino_set freed, past_help; /* see mend_inode_named.c */
	struct ino_set asked_log;	 /* what was looked for in the log: mend_logged.c, mend_orphan.c */
	struct ino_set reused;		 /* blocks that have been put to another use by those who had them */
	struct ino_set refuted;		 /* blocks of which the rmapbt says two things that can't both be */
};

/* What is done only if there is nothing else that could be mended first. */
struct mend_resort {
	bool wanted, allowed;
};

/* The file system was made to fit a device that is too short. */
struct mend_shrunk {
	bool done;
	struct found found; /* that led to it */
	bool costs;	    /* something that was in use went with what lay behind */
	bool log_told;	    /* the log lay behind the end, and can't or may not be made anew before it */
};

struct mend {
	struct repair *rc;   /* the run: report, options */
	struct repair *now;  /* the last check: geometry, ledger, traverse, dirs, of what the overlay shows */
	enum mend_kind kind; /* the mender at work */
	uint64_t done;	     /* objects mended so far ... */
	uint64_t logged;     /* ... of these, blocks and inodes that were written again from the log */
	uint64_t bytes_read;
	bool quiet;	   /* nothing was damaged: what is mended follows from what was finished (mend_crash()) */
	bool inodes_begun; /* inodes may be others by now: of what was mended, or finished after a crash */
	bool memory_told;  /* that -m can't be kept to */

	struct mend_ahead ahead;
	struct mend_following follows[MEND_NR];
	struct mend_round round;
	struct mend_notes notes;

	struct mend_space *space, *rt_space; /* mend_space.h */
	struct mend_taken taken, rt_taken;
	struct mend_own *own;	       /* of the object at hand: mend_own.h */
	struct mend_survey *survey;    /* that came with the last check, as far as it is still true; NULL: none */
	struct mend_facts_kept *facts; /* mend_facts_keep() */
	struct intents *intents;       /* of the run, that were taken out of the books: mend_crash() */

	struct mend_shrunk shrunk;
	struct mend_resort blank;   /* blocks for a map, where there are none: mend_blank.h */
	struct mend_resort lodging; /* any directory, where neither lost+found nor the root has room: mend_orphan.c */
};

/*
 * Mend what count findings are about, all of one kind of mending: by inode, and in the order of places, those about
 * none last; names in them are good during the call.  0, also if nothing could be mended: what was is told by
 * mend_done(); or a negative errno.
 */
typedef int mender(struct mend *m, const struct found *found, size_t count);
#define x(name, stage, text) mender mend_##name;
MEND_TABLE(x)
#undef x

/* mend_run.c: have the mender of m->kind mend these, which are put in order; at least one. 0 or a negative errno. */
int mend_run(struct mend *m, struct found *found, size_t count);

/*
 * mend_follows.c: what the next check would find because of what was mended, and who is to mend it: that is done before
 * the round goes on. The name is copied.  0 or -ENOMEM.
 */
int mend_follows(struct mend *m, enum mend_kind kind, const struct found *found);
/* Where findings about this inode are. */
struct place mend_place_of_inode(const struct geometry *geo, xino_t ino);
/* The same of an inode; of an inode that lacks a parent pointer for a name; and of what the superblock should count. */
int mend_follows_inode(struct mend *m, enum mend_kind kind, enum finding finding, xino_t ino);
int mend_follows_pptr(struct mend *m, xino_t ino, xino_t parent, const uint8_t *name, uint8_t namelen);
int mend_follows_count(struct mend *m, enum finding finding, uint64_t want);
/* mend_run.c: mend all that was said. 0 or a negative errno. */
int mend_follows_run(struct mend *m);
/* After a round, and after all of them. */
void mend_round_end(struct mend *m);
void mend_end(struct mend *m);

/* mend_table.c: how a finding is mended. */
enum mend_kind mend_of(const struct found *found);
/* mend_concerns.c: whether that way of mending is to hear of it: it is the one, or may know better than the one. */
bool mend_concerns(const struct found *found, enum mend_kind kind);
/* Of MEND_field: bytes in the object. */
struct mend_place {
	uint16_t offset, width;
};
struct mend_place mend_field_of_finding(enum finding finding);
/* What the bytes of the object have in the field. */
uint64_t mend_field_get(const struct found *found, const uint8_t *bytes);
/* Store what the finding says that the field should be, in the bytes of the object. */
void mend_field_put(const struct found *found, uint8_t *bytes);
enum mend_stage mend_stage(enum mend_kind kind);
const char *mend_text(enum mend_kind kind);

/* mend_block_place.c: what belongs there may lie elsewhere, or what lies there belong elsewhere. */
bool mend_block_place_may_help(const struct found *found);

/* mend_magic.c: it is about the magic number of a block of a kind that can be told without. */
bool mend_magic_may_help(const struct found *found);
/* Whether these bytes are a block, with its magic, of a kind that may lie there, and nothing is wrong with it but
 * perhaps its date and checksum. The place has an inode and a group's block. */
bool mend_block_decodes(struct mend *m, const struct place *place, const uint8_t *block);

/* mend_byte.c: it is about the checksum of a block whose contents nobody else has. */
bool mend_byte_may_help(const struct found *found);

/* mend_logged.c: it is about what is lost, and may still be in the log. */
bool mend_logged_may_help(const struct found *found);
/* mend_inode_mode.c: it is about a link count of one more than there are links: `.` of a directory is one. */
bool mend_inode_mode_may_help(const struct found *found);
/* mend_extent_place.c: it is about blocks that nobody has, or that who claims them can't have. */
bool mend_extent_place_may_help(const struct found *found);
/* mend_inode_counts.c: it is about an inode with less blocks than it says, or about blocks that nobody has. */
bool mend_inode_counts_may_help(const struct found *found);

struct sb_disk;
/*
 * mend_sb_log.c: where no superblock tells of a log, put the one that is found into this one, whose checksum is the
 * caller's matter.  0, also if there is none; or a negative errno.
 */
int mend_sb_log(struct mend *m, struct sb_disk *sb, const struct found *found, size_t count);
/* The same, and a new log of so many blocks, or half as many at least, in free ones before block `limit`. 0, -ENOSPC or
 * another negative errno.
 */
int mend_log_move(struct mend *m, struct sb_disk *sb, uint64_t limit, uint32_t blocks);
/*
 * mend_sb_copy.c: stage the secondary superblocks of all groups but the first, of so many, as far as the device goes,
 * as copies of this primary. 0 or negative errno.
 */
int mend_sb_copies_write(const struct mend *m, const uint8_t *primary, uint32_t agcount);
/* mend_shrink.c: objects were mended by the mender at work, beyond the `done` that there were. */
void mend_shrink_note(struct mend *m, uint64_t done);
/* What was given up for a short device is for the user to decide, who has been told so. */
bool mend_shrink_refused(const struct mend *m);

/*
 * For qsort() of findings, as menders get them: all that is said of one inode together.  It is mended once, and what is
 * asked about inodes is asked in their order.
 */
int mend_found_order(const void *a, const void *b);
/* How many findings at the start of these are about one inode. */
size_t mend_of_one_inode(const struct found *found, size_t count);
/* Mend each inode once, with the first of the findings about it, until one can't be. 0 or negative errno. */
typedef int mend_inode_fn(struct mend *m, const struct found *found);
int mend_each_inode(struct mend *m, const struct found *found, size_t count, mend_inode_fn *fn);

/* Read what the overlay shows. 0, or -EIO where it can't be read. */
int mend_read(struct mend *m, void *buf, uint64_t offset, size_t len);
/* The same of a block of a file's data; where it is realtime, on the device that has the realtime section. */
int mend_read_data(struct mend *m, void *buf, bool realtime, fsbno_t block);
struct device *mend_rt_device(const struct mend *m);
/* The same of what mostly is not what is looked for: it is not kept. */
int mend_read_once(struct mend *m, void *buf, uint64_t offset, size_t len);
/*
 * How many blocks from this byte offset on need not be looked at for what may be lost: they are a hole of an image that
 * is a file.  Asks that no more than it has to.
 */
struct mend_holes {
	uint64_t data; /* up to this offset there are none */
};
uint64_t mend_hole_blocks(const struct mend *m, struct mend_holes *holes, uint64_t offset);
/*
 * Inodes are read one by one, in the order of what the mender at work was given: when it comes to this one, many of
 * those that follow are read together; and with each the block that m->ahead.block says its mender will read, if it
 * does.
 */
void mend_inode_ahead(struct mend *m, xino_t ino);
/* Menders have read several times what there is: maps that run in circles lead them. What is left is not mended. */
bool mend_exhausted(const struct mend *m);
/* Stage bytes for the data device; offset and len in bytes, whole sectors. 0 or negative errno. */
int mend_write(const struct mend *m, const void *buf, uint64_t offset, size_t len);
/* The same for who writes what belongs to an AG. */
struct ag_writer mend_writer(struct mend *m);
/* What led to an inode's blocks had to be mended: where nobody has a block now it may be its. 0 or -ENOMEM. */
int mend_bereft(struct mend *m, xino_t ino);
/* A directory whose `..` is the root for want of anything better, which says nothing. 0 or -ENOMEM. */
int mend_unplaced(struct mend *m, xino_t ino);
/*
 * A file that may not say that it shares blocks although it does, where no check has known so: that is told when it is
 * known which are shared. 0 or -ENOMEM.
 */
int mend_remade(struct mend *m, xino_t ino);
/* An object was mended: tell the user, with the first of the findings that this settles. */
void mend_done(struct mend *m, const struct found *found);
/* The same, where the way of mending alone does not say what was done. */
void mend_done_so(struct mend *m, const struct found *found, const char *text);

/* Say why the btrees of an allocation group stay as they are. */
void mend_not_rebuilt(const struct mend *m, agno_t agno, const char *why);

/*
 * mend_crash.c: do what a crash left to recovery.  *ret_again: something was done, and what is in the books is out of
 * date; else nothing was, and if anything waits it is for a mount.  damage: what was found; if there is any that stays,
 * only what must be done before it is mended is.  0 or negative errno.
 */
int mend_crash(struct mend *m, const struct found *damage, size_t count, bool *ret_again);
/* At the end of all rounds: what waited is done for good, or waits again. */
void mend_crash_end(struct mend *m, bool proven);

/*
 * Check what the overlay shows, silently: a run of its own with the devices of rc. Free it with check_again_free().
 * What accounts leave in doubt is for check_again_exactly(), which must follow, for all parts, unless *ret_whole, or
 * unless what has been found is wrong enough.  before: who was in doubt in the check before, if this one will go as
 * far, else NULL; it is the check's.  *ret_survey comes with it, if there is memory for it, else NULL: for the
 * caller to free.  parts: LOCATE_*.  0 or negative errno; trouble has been said.
 */
struct mend_survey;
int check_again(struct repair *rc, struct doubts *before, struct repair **ret_again, bool *ret_whole,
		struct mend_survey **ret_survey);
int check_again_exactly(struct repair *again, unsigned parts);
void check_again_free(struct repair *again);

#endif
