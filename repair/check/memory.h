/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides the memory of a run: -m, or a quarter of what the system has.  Some memory grows with the file system
 * whatever the limit (3 bytes a directory, 8 a shared range, 2 KiB a group); it is estimated when the numbers are
 * known.
 */
#ifndef XFSCK_REPAIR_MEMORY_H
#define XFSCK_REPAIR_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct memory {
	uint64_t total;	    /* bytes */
	size_t window;	    /* bytes of reads in flight and of the most recent ones, all threads together */
	uint32_t request;   /* largest read, in bytes */
	size_t waiting;	    /* items that wait to be read; above that, items that point to others are held back */
	size_t staged;	    /* bytes of the overlay; above that it spills to a temporary file */
	size_t records;	    /* bytes of records (evidence, facts) at a time, for comparing and mending */
	size_t mending;	    /* the same while whole AGs are mended: fewer blocks are kept then */
	size_t alone;	    /* the same for a single AG, which can't be mended in parts; may exceed -m */
	size_t log;	    /* bytes of log records while the log is read; transactions are scattered over them */
	size_t survey;	    /* bytes of the survey of all blocks (mend/mend_survey.h) */
	size_t directories; /* bytes of the table of directories; above that a part of it goes to a temporary file */
	size_t expected;    /* bytes of the table, already subtracted from `kept` and `mending` */
	size_t kept;	    /* bytes of blocks that are kept because they will be read again */
};

#define MEMORY_DIRECTORY 8u /* usual bytes of a directory in the table of directories */

/* Divides the memory.  total: bytes, 0 for the default.  workers: threads that read. */
struct memory memory_share(uint64_t total, unsigned workers);
/* Returns the bytes that the map of a metadump may take.  total: as above. */
uint64_t memory_of_map(uint64_t total);
/* Returns the bytes that unpacking a metadump may take, before anything else uses memory. */
uint64_t memory_of_unpacking(uint64_t total);
/* Makes large arrays go back to the system when they are freed.  Call it before there are any. */
void memory_return_freed(void);
/* Returns unused pages to the system after many small allocations were freed. */
void memory_trim(void);

/*
 * Returns the bytes of memory that the system has, or the limit of the control group if that is less.  root: "", or a
 * folder to use as the root of the file system.
 */
uint64_t memory_of_system(const char *root);

struct repair;

/* Keeps blocks that are read from now on: something is wrong, so they will be read again. */
void memory_keep_blocks(const struct repair *rc);
/* Uses the memory of kept blocks for the old contents of sectors to be written, after the last check. */
void memory_for_commit(const struct repair *rc);
/*
 * Returns the bytes of records that may be collected at a time.  If their blocks don't all fit into memory, room for
 * more records saves more reads than keeping some of the blocks.  Unused room of the overlay counts, room for findings
 * does not.
 */
uint64_t memory_at_a_time(const struct repair *rc);
/*
 * Makes room for the table of directories, by its likely size: fewer blocks are kept.  Call it when the number of
 * inodes is known; further calls do nothing.
 */
void memory_for_directories(struct repair *rc);
/* Makes room for records of so many bytes: if that is more than `records`, no blocks are kept from now on. */
void memory_for_records(const struct repair *rc, uint64_t bytes);
/*
 * Makes room for a survey of all blocks of so many bytes: fewer blocks are kept, if need be.  Without a survey, names
 * would have to be mended before unowned blocks are known.
 */
void memory_for_survey(struct repair *rc, uint64_t bytes);
/*
 * Makes room for findings and their paths, which stay in memory while anything is mended: fewer blocks are kept, unless
 * all fit.  Call it once, since a new limit drops kept blocks.
 */
void memory_for_findings(struct repair *rc);
/* Returns how many findings of one kind are kept for menders in a round: many, so that there are few rounds. */
uint32_t memory_findings(const struct repair *rc);

/* Notes that -m can't be kept to, once the AGs are known. */
void memory_judge(const struct repair *rc);
/* Does the same before mending, once the damage is known. */
void memory_judge_mending(const struct repair *rc);

/* Returns the inodes that the superblock counts, but no more than fit into the file system. */
uint64_t inodes_expected(const struct repair *rc);

#endif
