/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has come of one image: read from the lines of JSON that its process wrote. */
#ifndef XFSCK_REPAIR_IMAGE_RESULT_H
#define XFSCK_REPAIR_IMAGE_RESULT_H

#include <jansson.h>
#include <stdbool.h>

#include "findings.h"
#include "report/finding.h"
#include "report/run_clock.h"
#include "report/words.h"

/*
 * What the tests of an image are called in --report=junit and --report=tap.  Each area is one test, which fails if
 * anything harmful is found there.  An image has the same tests whatever is found, so that servers which keep a history
 * see which have begun to fail, and which pass again: their names must not change.
 */

/* x(symbol, name, beginnings of the ids of findings with blanks between) */
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
		AREA_NR, /* none, which a test excludes */
};

const char *area_name(enum area area);
enum area area_of(enum finding finding);

#define LINES_MOST 100u /* of a test, or of one kind of output: servers don't show more */

/* The first LINES_MOST lines of something. */
struct few_lines {
	FILE *out; /* NULL: there are none, or no memory for any */
	char *text;
	size_t size;
	uint64_t count; /* of all lines, also of those that are left out */
};

enum verdict {
	VERDICT_CLEAN,
	VERDICT_REPAIRED,
	VERDICT_DAMAGED,
	VERDICT_UNCHECKED, /* the check could not be run, or did not come to everything */
	VERDICT_NR,
};

#define IMAGE_HOST 65 /* bytes of the name of a host, with its NUL */

struct image_result {
	const char *device;
	char host[IMAGE_HOST]; /* whose device it is; "": of this one */
	bool ended;	       /* its process wrote a summary, which is the last line */
	bool complete;	       /* as the summary has it */
	bool log_dirty;	       /* and not replayed */
	bool repaired;	       /* all that was found */
	int exit_status;       /* of its process, or that of trouble */
	double seconds;
	uint64_t device_bytes; /* 0: not known */
	char start[RUN_CLOCK_TEXT];
	char uuid[40]; /* "": not known */
	struct finding_counts counts;
	struct words fatal; /* the first finding behind which nothing could be checked; "": there is none */
	struct few_lines areas[AREA_NR]; /* findings that are harmful */
	struct few_lines notes;		 /* and findings that are not */
	struct few_lines troubles;	 /* what kept the check from completing */
};

void image_result_begin(struct image_result *result, const char *device);
void image_result_free(struct image_result *result);
/* Take what a line says. */
void image_result_take(struct image_result *result, const json_t *line);
/* Something kept the check from completing that its process could not tell. */
void image_result_trouble(struct image_result *result, const char *sentence);
/* When all lines are taken: close the lists, so that their texts can be read. */
void image_result_settle(struct image_result *result);

const char *image_verdict_name(enum verdict verdict);
enum verdict image_result_verdict(const struct image_result *result);
/* How many findings there are that are harmful; AREA_NR: in all areas. */
uint64_t image_result_harm(const struct image_result *result, enum area area);
/* Add "block.crc 1, dir.names.index 2", the harmful findings of an area, or of all (AREA_NR). */
void image_result_add_ids(const struct image_result *result, enum area area, struct words *words);
/* Whether a test says nothing, since the check did not come to everything, and found nothing there. */
bool image_result_skipped(const struct image_result *result, enum area area);
/*
 * Why the test does not pass that stands for the check as a whole; NULL: it passes, and what was found makes others
 * fail.  It is an error rather than a failure if the image could not be checked.
 */
const char *image_result_why(const struct image_result *result);

#endif
