/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of one image, read from the JSON lines that its process wrote. */
#ifndef XFSCK_REPAIR_IMAGE_RESULT_H
#define XFSCK_REPAIR_IMAGE_RESULT_H

#include <jansson.h>
#include <stdbool.h>

#include "findings.h"
#include "report/finding.h"
#include "report/run_clock.h"
#include "report/words.h"

/*
 * The tests of an image in --report=junit and --report=tap: one per area, which fails if anything harmful is found
 * there. Every image has the same tests, so that test servers with a history show which began to fail and which pass
 * again: never change these names.
 */

/* x(symbol, name, first words of finding ids, separated by blanks) */
#define AREA_TABLE(x)                                                                                                  \
	x(DEVICE, "device", "io") x(SUPERBLOCK, "superblock", "sb") x(LOG, "log", "log") x(                            \
		BLOCKS, "metadata blocks", "block") x(GROUPS, "allocation groups", "ag agf agfl agi")                  \
		x(BTREES, "btrees", "btree bnobt cntbt alloc inobt finobt rmap refcount") x(SPACE, "space", "space")   \
			x(INODES, "inodes", "inode inodes unlinked") x(MAPS, "extent maps", "bmap bmdr")               \
				x(DIRECTORIES, "directories", "dir tree") x(ATTRIBUTES, "attributes", "attr pptr")     \
					x(INDEXES, "hash indexes", "da") x(SYMLINKS, "symbolic links", "symlink")      \
						x(QUOTAS, "quotas", "dquot quota")                                     \
							x(REALTIME, "realtime section",                                \
							  "rtsb rtbitmap rtsummary rtgroup rtfile")

enum area {
#define x(symbol, name, beginnings) AREA_##symbol,
	AREA_TABLE(x)
#undef x
		AREA_NR, /* no area: findings that fail no test */
};

const char *area_name(enum area area);
enum area area_of(enum finding finding);

#define LINES_MOST 100u /* per test or output: test servers show no more */

/* The first LINES_MOST lines of a list. */
struct few_lines {
	FILE *out; /* NULL: no lines, or no memory */
	char *text;
	size_t size;
	uint64_t count; /* of all lines, also those left out */
};

enum verdict {
	VERDICT_CLEAN,
	VERDICT_REPAIRED,
	VERDICT_DAMAGED,
	VERDICT_UNCHECKED, /* the check could not be run, or is not complete */
	VERDICT_NR,
};

#define IMAGE_HOST 65 /* bytes of a host name, with its NUL */

struct image_result {
	const char *device;
	char host[IMAGE_HOST]; /* the host of the device; "": this one */
	bool ended;	       /* its process wrote a summary, the last line */
	bool complete;	       /* from the summary */
	bool log_dirty;	       /* and not replayed */
	bool repaired;	       /* everything that was found */
	int exit_status;       /* of its process, or that for trouble */
	double seconds;
	uint64_t device_bytes; /* 0: not known */
	char start[RUN_CLOCK_TEXT];
	char uuid[40]; /* "": not known */
	struct finding_counts counts;
	struct words fatal;		 /* the first finding that kept the rest from being checked; "": none */
	struct few_lines areas[AREA_NR]; /* harmful findings */
	struct few_lines notes;		 /* other findings, and notes */
	struct few_lines troubles;	 /* what kept the check from completing */
};

void image_result_begin(struct image_result *result, const char *device);
void image_result_free(struct image_result *result);
/* Adds the contents of one line. */
void image_result_take(struct image_result *result, const json_t *line);
/* Notes a reason why the check is incomplete that its process could not report. */
void image_result_trouble(struct image_result *result, const char *sentence);
/* Ends the lists after the last line, so that their texts can be read. */
void image_result_settle(struct image_result *result);

const char *image_verdict_name(enum verdict verdict);
enum verdict image_result_verdict(const struct image_result *result);
/* Returns the number of harmful findings in an area; AREA_NR: in all. */
uint64_t image_result_harm(const struct image_result *result, enum area area);
/* Adds "block.crc 1, dir.names.index 2", the harmful findings of an area, or of all (AREA_NR). */
void image_result_add_ids(const struct image_result *result, enum area area, struct words *words);
/* True if the check is incomplete and found nothing harmful in this area. */
bool image_result_skipped(const struct image_result *result, enum area area);
/*
 * Returns why the test of the whole check does not pass; NULL: it passes, though others may fail. If the image could
 * not be checked, it is an error rather than a failure.
 */
const char *image_result_why(const struct image_result *result);

#endif
