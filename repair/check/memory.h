/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the memory of a run is shared out: -m, or a quarter of what the system has for us.  What grows with the file
 * system all the same (3 bytes a directory, 8 a shared range, about 2 KiB a group) is estimated once it is known.
 */
#ifndef XFSCK_REPAIR_MEMORY_H
#define XFSCK_REPAIR_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct memory {
	uint64_t total;	    /* bytes */
	size_t window;	    /* bytes of reads in flight and of the latest ones, all threads together */
	uint32_t request;   /* bytes of one read, at most */
	size_t waiting;	    /* items that wait to be read; beyond that, items that lead to others are held back */
	size_t staged;	    /* bytes of the overlay; beyond that it spills to a temporary file */
	size_t records;	    /* bytes of records (evidence, facts) at a time, for comparing and mending */
	size_t mending;	    /* the same while whole groups are mended: fewer blocks are kept then */
	size_t alone;	    /* the same for a single group, which can't be mended in parts; may exceed -m */
	size_t log;	    /* bytes of log records while the log is read, since transactions are scattered over them */
	size_t survey;	    /* bytes of the survey of all blocks (mend/mend_survey.h) */
	size_t directories; /* bytes of the table of directories; beyond that a part of it goes to a temporary file */
	size_t expected;    /* bytes of it that `kept` and `mending` already do without */
	size_t kept;	    /* bytes of blocks that are kept because they will be read again */
};

#define MEMORY_DIRECTORY 8u /* bytes of a directory in the table of directories, as a rule */

/* total: bytes, 0 for the default. workers: threads that read. */
struct memory memory_share(uint64_t total, unsigned workers);
/* What knowing where everything lies in a metadump may take, of so many bytes; 0: the default. */
uint64_t memory_of_map(uint64_t total);
/* What unpacking a metadump may take, before anything else is there. */
uint64_t memory_of_unpacking(uint64_t total);
/* Have large arrays go back to the system when they are freed. To be called before there are any. */
void memory_return_freed(void);
/* After many small pieces were freed: give unused pages between the others back to the system, too. */
void memory_trim(void);

/*
 * Bytes that the system has for us: its memory, or less where a control group says so. root: "", or a folder that
 * stands for the root of the file system.
 */
uint64_t memory_of_system(const char *root);

struct repair;

/* Keep blocks that are read from now on: something is wrong, so they will be read again. */
void memory_keep_blocks(const struct repair *rc);
/* After the last check: use the memory of kept blocks for the old contents of what will be written. */
void memory_for_commit(const struct repair *rc);
/*
 * Bytes of records that may be collected at a time.  If the blocks that they come from don't all fit into memory, room
 * for more records saves more reads than keeping some of the blocks.  What the overlay does not need yet counts as
 * room; what findings take does not.
 */
uint64_t memory_at_a_time(const struct repair *rc);
/*
 * Make room for the table of directories, as large as it is likely to be: keep fewer blocks.  To be called once it is
 * known how many inodes there are; does nothing the next time.
 */
void memory_for_directories(struct repair *rc);
/* Make room for so many bytes of records: if that is more than `records`, no blocks are kept from now on. */
void memory_for_records(const struct repair *rc, uint64_t bytes);
/*
 * Make room for a survey of all blocks, which takes so many bytes: keep fewer blocks, if need be.  Without a survey,
 * names would have to be mended before it is known which blocks nobody has.
 */
void memory_for_survey(struct repair *rc, uint64_t bytes);
/*
 * Make room for findings and their names, which stay in memory as long as anything is mended: keep fewer blocks, unless
 * all of them fit.  To be called once, since kept blocks are dropped when the limit changes.
 */
void memory_for_findings(struct repair *rc);
/* How many findings of one kind are kept for menders in a round: many, since rounds take long and are to be few. */
uint32_t memory_findings(const struct repair *rc);

/* Once the groups are known: tell the user if -m can't be kept to. */
void memory_judge(const struct repair *rc);
/* The same before anything is mended, once it is known what is wrong. */
void memory_judge_mending(const struct repair *rc);

/* How many inodes the superblock counts, but no more than fit into the file system */
uint64_t inodes_expected(const struct repair *rc);

#endif
