/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the memory of a run is shared out: -m, or a quarter of what the system has for us.  What grows with the file
 * system all the same (16 bytes a directory, 8 a shared range, about 2 KiB a group) is estimated once it is known.
 */
#ifndef XFSCK_REPAIR_MEMORY_H
#define XFSCK_REPAIR_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct memory {
	uint64_t total;	  /* bytes */
	size_t window;	  /* bytes of reads in flight and of those that were last, all threads together */
	uint32_t request; /* bytes of a read, at most */
	size_t waiting;	  /* items that wait to be read, before those that lead to more are held back */
	size_t staged;	  /* bytes of the overlay; beyond that it spills */
	size_t records;	  /* bytes of exact records at a time, of who compares or mends */
	size_t mending;	  /* the same of who mends groups whole: then fewer blocks are kept */
	size_t alone;	  /* the same of one group, which can't be mended in parts: more than -m, if need be */
	size_t log;	  /* bytes of records of the log while it is gone through, since transactions lie in pieces */
	size_t survey;	  /* bytes of what is known of all blocks while it is mended (mend/mend_survey.h) */
	size_t kept;	  /* bytes of blocks that are kept because they will be wanted again */
};

/* total: bytes, 0 for the default. workers: threads that read. */
struct memory memory_share(uint64_t total, unsigned workers);
/* From now on large arrays that are freed go back to the system.  At the start, before there are any. */
void memory_return_freed(void);
/* Many small pieces were freed: what lies between those that are left goes back, too. */
void memory_trim(void);

/*
 * Bytes that the system has for us: its memory, or less where a control group says so. root: "", or a folder that
 * stands for the root of the file system.
 */
uint64_t memory_of_system(const char *root);

struct repair;

/* From here on, what is read will be read again: something is wrong. */
void memory_keep_blocks(const struct repair *rc);
/* Nothing is checked or mended any more: what lies where something is staged takes the place of what was read. */
void memory_for_commit(const struct repair *rc);
/*
 * Bytes of records that may be collected at a time: where the blocks that they come from don't all fit in, room for
 * more of them saves more reading than some blocks that are kept.  What the overlay does not need yet serves, too; what
 * has been found takes of it.
 */
uint64_t memory_at_a_time(const struct repair *rc);
/* So many bytes of records are to be collected: blocks are given up where they are in the way. */
void memory_for_records(const struct repair *rc, uint64_t bytes);
/*
 * Something is to be mended, and a survey of all blocks takes so many bytes: fewer blocks are kept, if need be.  What
 * nobody has could else be looked for only when names have been mended without.
 */
void memory_for_survey(struct repair *rc, uint64_t bytes);
/*
 * What was found, and the names of what it is about, is there as long as anything is mended: fewer blocks are kept,
 * where not all of them are anyway.  Once: what is kept is lost when that changes.
 */
void memory_for_findings(struct repair *rc);
/* How many findings of one kind are kept: all that menders can be given at a time, since rounds are long. */
uint32_t memory_findings(const struct repair *rc);

/* Once the groups are known: says so if -m can't be kept to. */
void memory_judge(const struct repair *rc);

#endif
