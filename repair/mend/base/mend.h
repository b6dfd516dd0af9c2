/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mending: turns findings into blocks staged in the overlay.
 *
 * Mending goes in rounds.  A round takes the findings of the last check, gives those of the earliest stage
 * (include/mends.h) to their menders, which stage repairs, and then checks the overlay by the same phases.  A mender
 * repairs its own object only.  The consequences for others (blocks that became free, entries that dangle) are found by
 * the next check and mended in its turn.  A check without findings is the proof; nothing is written to the disk without
 * it.
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
 * Findings that reappear after a mender settled them, because another mender undid the repair or it had no effect.
 * After REPEATS_MAX rounds, the mender no longer gets such a finding, so that others get their turn.
 */

#define REPEATS_MAX 3u /* in how many rounds a mender may settle the same finding */

/* Hashes of findings and their menders. sets[i] has those that were settled in more than i rounds. */
struct mend_repeats {
	struct number_set sets[REPEATS_MAX];
};

/* Returns a hash of a finding, never 0. Not safe against an attacker. */
uint64_t found_fingerprint(const struct found *found);
/* Notes that the mender at work has settled a finding. Without memory, the note is omitted. */
void mend_repeats_note(struct mend *m, const struct found *found);
/* True if the mender at work has settled the finding as often as it may. */
bool mend_repeats_is_stuck(const struct mend *m, const struct found *found);
void mend_repeats_free(struct mend_repeats *repeats);

/* Objects that menders could not mend, and why. */

enum left_reason {
	LEFT_NO_ROOM,	  /* no free space for what has to be written */
	LEFT_UNREADABLE,  /* what has to be read is unreadable or invalid */
	LEFT_TOO_LARGE,	  /* takes more memory or reading than allowed */
	LEFT_NOT_PLANNED, /* the user deleted the fix from the plan */
	LEFT_NR,
};

/* Start with { 0 }. */
struct mend_left {
	struct left_object {
		xino_t ino;	     /* the inode; NULL_INO: the headers and btrees of agno or rgno */
		agno_t agno;	     /* AG, if there is no inode */
		uint32_t rgno;	     /* realtime group, likewise */
		enum mend_kind kind; /* the mender that could not mend it */
		enum left_reason reason;
	} * v;
	size_t count, room;
};

/*
 * Notes that the mender at work left the objects of these findings as they are: something is unreadable (-ENOENT),
 * there is no space (-ENOSPC), it takes too much memory or reading (-E2BIG), or it is not in the plan (-ECANCELED).
 * Returns 0 then, because other menders can go on.  Returns any other `error` unchanged; or -ENOMEM.
 */
int mend_left(struct mend *m, const struct found *found, size_t count, int error);
/* At the end: returns how many of these remaining findings their mender left for this reason. */
uint64_t mend_left_count(struct mend *m, enum left_reason reason, const struct found *found, size_t count);
void mend_left_free(struct mend *m);

/*
 * Blocks that several files claim without a record in the refcount btree.  If the menders of extent maps find all these
 * claims right, they change no map: the refcount btree lacks a record.
 */
/* True if the finding reports blocks claimed by the data forks of several files. */
bool mend_shared_is_claim(const struct found *found);
/*
 * True if the refcount btree of the finding's AG may be rebuilt because of it.  For such a claim, only as a last
 * resort, and not if a mender failed to correct an extent map.
 */
bool mend_shared_settled(struct mend *m, const struct found *found);

/* Sets the block, beside the inode, that the mender will read for this finding. False: there is none. */
typedef bool mend_ahead_fn(const struct mend *m, const void *ctx, const struct found *found, fsbno_t *ret_block);

/* Read-ahead for the mender at work: see mend_inode_ahead(). */
struct mend_ahead {
	const struct found *found; /* all findings that the mender got */
	size_t count;
	size_t next;	      /* index of the first one that was not read ahead */
	mend_ahead_fn *block; /* NULL: the mender reads inodes only */
	const void *ctx;
	size_t settled; /* number of findings that the mender has settled, as far as known; atomic, for progress */
	uint64_t ino;	/* inode of the next one, 0 if it has none; atomic */
};

/* Findings added by menders as consequences of their repairs: mend_follows(). They own copies of the names. */
struct mend_following {
	struct found *found;
	size_t count, room;
};

/* Consecutive blocks. */
struct taken_range {
	fsbno_t start;
	uint32_t len;
};

/* All blocks that were handed out or given up, in any round: mend_space_took(). */
struct mend_taken {
	struct taken_range *ranges;
	size_t count, room;
};

/* An inode whose link count is too high by `links`. */
struct extra_links {
	xino_t ino;
	uint64_t links;
};

/* State of one round; mend_round_end() resets it. */
struct mend_round {
	uint64_t done;	 /* mend.done at the beginning of the round */
	bool names_stay; /* link counts are mended in this round, too: round.c */
	bool names_wait; /* keep lost blocks allocated: they hold entries of a directory that is still to be rebuilt */
	bool claims_unknown;		/* claims changed without a report: mend_space_outdated() */
	struct ino_set blocks_reported; /* inodes whose blocks have all been reported by mend_space_claim() */
	struct ino_set settled; /* restored from the log, or judged by LSN: other findings about them are out of date */
	struct ino_set reattached; /* reconnected orphans: findings about their parent pointers are out of date */
	struct ino_set given;	   /* free inodes that have been allocated */
	struct ino_set usage;	   /* see mend_chunks_doubt_usage() */
	struct ino_set named;	   /* see mend_chunks_find_named() */
	struct ino_set led;	   /* inodes that the directories among them name */
	struct ino_set gone;	   /* see mend_chunks_find_gone() */
	struct group_set given_up; /* AGs in which directories or attributes were rewritten in other blocks */
	struct number_set repeats; /* hashes of the findings that this round has counted: mend_repeats_note() */
	xino_t fresh;		   /* next unused inode of a new chunk, which the last check does not know */
	uint32_t fresh_left;	   /* inodes left in that chunk: mend_new_inodes_find() */
	struct mend_extra_links { /* directories whose link count is too high until links are added: mend_nlink_add() */
		struct extra_links *of;
		size_t count, room;
	} extra_links;
};

/* An extent known to map wrong blocks, without the right ones being known: mend_extent_place.c. */
struct wrong_extent {
	xino_t ino;
	enum object fork; /* OBJ_DATA_FORK or OBJ_ATTR_FORK */
	uint64_t line;	  /* file offset minus start block */
};

/* What the log has been searched for. Each object is searched for once, because the log does not change. */
struct mend_asked_log {
	struct ino_set inodes, names; /* names: inodes whose names were searched for */
	struct sector_set blocks;     /* first sector of each block */
	struct group_set groups;      /* AGs all of whose inodes were searched for */
};

/* Notes of menders for later rounds. */
struct mend_notes {
	struct ino_set map_mended;     /* see mend_note_map_mended() */
	struct ino_set parent_unknown; /* see mend_note_parent_unknown() */
	struct ino_set rebuilt;	       /* see mend_note_rebuilt() */
	struct ino_set stray_dirs;     /* directories whose inodes were lost, and are or will be rebuilt */
	struct ino_set freed, gave_up; /* see mend_inode_named.c */
	struct ino_set stale;	       /* first inodes of stale inode clusters: inode_doubt_stale() */
	lsn_t stale_date;	       /* the latest evidence of that */
	struct ino_set odd_links;      /* see mend_stale.h */
	struct mend_asked_log asked;
	struct group_set old_groups;	 /* see group_note_old() */
	struct group_set doubted_groups; /* see group_is_doubted() */
	struct fsblock_set two_owners;	 /* blocks with two owners in the rmapbt that may not share them */
	struct wrong_extent *wrong;	 /* mend_extent_is_wrong() */
	size_t nwrong, wrong_room;
	struct sector_set names_known;	 /* first sectors of lost blocks whose names are known: mend_dir_lost.c */
	struct sector_set names_noted;	 /* the same of those whose names are only reported */
	struct number_set names_unsure;	 /* hashes of entries: mend_note_unsure() */
	struct number_set damaged_dates; /* byte offsets of damaged blocks with LSNs beyond the log head: mend_log.c */
};

/* Bytes staged at this offset of the device. */
struct mend_finished {
	uint64_t offset;
	size_t len;
	uint8_t *bytes;
};

/* A last resort. A mender sets `wanted`; it is allowed once nothing else can be mended. */
struct mend_resort {
	bool wanted, allowed;
};

/* The file system was shrunk to fit a device that is too short. */
struct mend_shrunk {
	bool done;
	struct found found; /* the finding that caused it */
	bool costs;	    /* something in use beyond the end of the device is lost */
	bool log_reported;  /* the user knows that the log was beyond the end, and that no new log is made */
};

/* Dates of inodes before the repair that were read together with others in their blocks: group_age.c. */
struct mend_dates_before {
	bool on;		  /* a mender is at work: only then nothing is staged that changes them */
	struct inode_date *dates; /* NULL: none yet */
};

struct mend {
	struct repair *rc;	 /* the first check: report, options, devices */
	struct repair *now;	 /* the last check of the overlay: geometry, ledger, traverse, dirs */
	enum mend_kind kind;	 /* the mender at work */
	uint64_t done;		 /* number of objects mended */
	uint64_t likely;	 /* of these, likely ones (enum sure) */
	uint64_t guesses;	 /* of these, guesses */
	uint64_t logged;	 /* of these, blocks and inodes restored from the log */
	uint64_t in_vain;	 /* number of times that no space could be taken */
	unsigned rounds, checks; /* number so far, including the current one; for the trace */
	uint64_t bytes_read;
	bool quiet; /* report no fixes: menders only complete operations that a crash interrupted (mend_crash()) */
	bool inodes_begun; /* menders may have changed inodes since the first check */

	struct mend_ahead ahead;
	struct mend_following follows[MEND_NR];
	struct mend_round round;
	struct mend_notes notes;
	struct drops drops; /* see mend_drop.h */
	struct mend_repeats repeats;
	struct mend_left left;

	struct mend_space *space, *rt_space; /* remaining free space; NULL: not searched yet. mend_space.h */
	struct mend_space *whole_space;	     /* likewise, only extents long enough for a directory block */
	struct mend_taken taken, rt_taken;
	struct mend_own *own;		/* blocks of the object at work; NULL: none. mend_space.h */
	struct mend_survey *survey;	/* survey by the last check, kept up to date; NULL: none */
	struct mend_facts_kept *facts;	/* mend_facts_keep(); NULL: none */
	struct mend_strays *strays;	/* mend_facts.h; NULL: not searched yet */
	struct intents *intents;	/* intents of rc, kept here while menders complete them: mend_crash() */
	struct mend_finished *finished; /* what completing them changed in files: mend_crash_before() */
	size_t nfinished, finished_room;

	bool before; /* mend_read() shows the state before the repair, offset in whole sectors: mend_dir_before.c */
	struct mend_dates_before dates_before;
	struct mend_shrunk shrunk;
	struct mend_resort share;  /* count blocks claimed by several files as shared: mend_shared_settled() */
	struct mend_resort zeroes; /* use unowned blocks of zeroes for a bmbt: mend_space.h */
	struct mend_resort orphans_anywhere; /* reconnect orphans to any directory: mend_orphan.c */
};

/* Compares findings for qsort(): by inode, because a mender mends each inode once, with all its findings. */
int mend_found_order(const void *a, const void *b);
/* Returns how many findings at the start of the array are about the same inode. */
size_t mend_of_one_inode(const struct found *found, size_t count);

/* Reads data as the overlay shows it; offset and len in bytes. Returns as device_read(): unreadable bytes are 0. */
int mend_read(struct mend *m, void *buf, uint64_t offset, size_t len);
/* Reads data as it was before the repair, offset in whole sectors.  Does not count towards the limit of reading. */
int mend_read_before(const struct mend *m, void *buf, uint64_t offset, size_t len);
/* As mend_read(), for one block of a file's data; realtime: in the realtime section. -ENXIO: there is no such device.
 */
int mend_read_data(struct mend *m, void *buf, bool realtime, fsbno_t block);
/* Returns the device that has the realtime section. */
struct device *mend_rt_device(const struct mend *m);
/* Like mend_read(), for searches that discard most blocks: they don't enter the cache. */
int mend_read_once(struct mend *m, void *buf, uint64_t offset, size_t len);
/*
 * Returns how many blocks from this byte offset on are a hole of the image file, so that nothing lost can be there.
 * `holes` caches the kernel's last answer; initialize it to zeroes.  Offsets must ascend.
 */
struct mend_holes {
	uint64_t data; /* don't query holes below this byte offset */
};
uint64_t mend_hole_blocks(const struct mend *m, struct mend_holes *holes, uint64_t offset);
/*
 * Tells the read-ahead that the mender at work has come to this inode.  The inodes of many following findings are then
 * read together, each with the block that m->ahead.block returns.  Inodes must come in the order of the findings.
 */
void mend_inode_ahead(struct mend *m, xino_t ino);
/* True if menders should give up because they have read so much, as if damaged maps led them in circles. */
bool mend_exhausted(const struct mend *m);
/* Stages bytes for the data device; offset and len in bytes, whole sectors. 0 or negative errno. */
int mend_write(const struct mend *m, const void *buf, uint64_t offset, size_t len);
/*
 * Stages an unowned block, at this byte offset of the data device, with its LSN reset if that is at or beyond the log
 * head (log_stamp_reset()).  0, also if it has no such LSN or is unreadable; or negative errno.
 */
int mend_reset_lsn(struct mend *m, uint64_t offset);
/* True if this block was taken or given up in any round: older evidence does not know its owner. */
bool mend_space_took(const struct mend *m, fsbno_t block, bool realtime);
/* Notes that an inode's extent map had to be mended, and may have lost blocks that are unowned now. 0 or -ENOMEM. */
int mend_note_map_mended(struct mend *m, xino_t ino);
/* Notes that a directory's `..` is the root only because its parent is unknown. 0 or -ENOMEM. */
int mend_note_parent_unknown(struct mend *m, xino_t ino);
/*
 * Notes that an inode was recreated, perhaps without the reflink flag that it needs: only the next check can tell which
 * blocks are shared.  0 or -ENOMEM.
 */
int mend_note_rebuilt(struct mend *m, xino_t ino);
/*
 * Notes that a directory got this entry from a block that may have been free before the damage: the name may have been
 * removed then.  0 or -ENOMEM.
 */
int mend_note_unsure(struct mend *m, xino_t dir, xino_t ino, const struct name_view *name);
bool mend_is_unsure(const struct mend *m, xino_t dir, xino_t ino, const struct name_view *name);
/* Reports that an object was mended, with the text and certainty of include/mends.h. found: its first finding. */
void mend_done(struct mend *m, const struct found *found);
/* Likewise, with another text and certainty. */
void mend_done_so(struct mend *m, const struct found *found, enum sure sure, const char *text);
/* Likewise, with another certainty. */
void mend_done_sure(struct mend *m, const struct found *found, enum sure sure);

/* Reports why the btrees of an AG cannot be rebuilt. */
void mend_not_rebuilt(const struct mend *m, agno_t agno, const char *why);

/*
 * Adds a finding that the next check would make as a consequence of a repair.  Mender `kind` gets it before the round
 * goes on.  The name is copied.  0 or -ENOMEM.
 */
int mend_follows(struct mend *m, enum mend_kind kind, const struct found *found);
/* Returns the place of findings about this inode. */
struct place mend_place_of_inode(const struct geometry *geo, xino_t ino);
/* mend_follows() for an inode, for an inode with a missing parent pointer, and for a superblock counter. */
int mend_follows_inode(struct mend *m, enum mend_kind kind, enum finding finding, xino_t ino);
int mend_follows_pptr(struct mend *m, xino_t ino, xino_t parent, const uint8_t *name, uint8_t namelen);
int mend_follows_count(struct mend *m, enum finding finding, uint64_t want);

#endif
