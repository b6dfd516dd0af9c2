/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings on their way to the user.  Workers add to their own lanes; once
 * the workers are done all is merged, sorted by place and duplicates dropped,
 * so that the order is the same at every thread count.  Of each kind the first
 * 10,000 in that order are kept, the rest is only counted.
 *
 * But for findings_add() and *done of report_progress(), all this belongs to one thread.
 * Nothing else prints while a report is open.
 */
#ifndef XFSCK_REPORT_H
#define XFSCK_REPORT_H

#include <stdio.h>

#include "check.h"
#include "options.h"
#include "place.h"

struct findings;

/* lanes: threads that may add at the same time. NULL: out of memory. */
struct findings *findings_new(unsigned lanes);
void findings_free(struct findings *findings);

/*
 * Add one; lane < lanes, and no other thread uses that lane. The name in the place is copied. Never fails: for lack of
 * memory it is only counted.
 */
void findings_add(struct findings *findings, unsigned lane, const struct place *place, const struct problem *problem);

const char *finding_id(enum finding finding);
enum severity finding_severity(enum finding finding);

/* everything one run tells; fields are filled by the phases as they go */
struct totals {
	uint64_t inodes; /* in use */
	uint64_t free_inodes;
	uint64_t directories;
	uint64_t entries; /* names, without . and .. */
	uint64_t extents;
	uint64_t attributes;
	uint64_t metadata_blocks; /* blocks decoded */
	uint64_t metadata_bytes;
};

struct found;
struct report; /* the text and JSON writers of one run */

/*
 * out: the text, or the JSON if that goes to standard output. Opens --json's file, never a block device nor one of the
 * devices to check. 0 or negative errno, said on err. What is passed in must live until report_close().
 */
int report_open(const struct options *options, int argc, char **argv, FILE *out, FILE *err, struct report **ret_report);
/* One that says nothing but what keeps us from going on, on err. NULL: out of memory. */
struct report *report_silent(const struct options *options, FILE *err);
/* The same for a check within a run, which shows how far it is in the phase of the run. */
struct report *report_within(const struct report *run);
void report_silent_free(struct report *report);
void report_geometry(struct report *report, const struct geometry *geo);

/* A phase begins and ends; title as in phases.h. Times it. */
void report_phase_begin(struct report *report, unsigned number, const char *title);
/* Before its end: the bytes that it read, and those that it needed as well but were kept from before. */
void report_phase_reads(struct report *report, uint64_t read, uint64_t kept);
void report_phase_end(struct report *report);

/* A plain sentence for the user: the log is dirty, quota was not compared ... */
void report_note(struct report *report, const char *sentence);

/*
 * Something other than the file system keeps us from checking it (it can't be opened, no memory ...): said on err, and
 * the closing summary says that nothing is known. No newline, no program name.
 */
void report_trouble(struct report *report, const char *sentence);

/*
 * Progress: while the phase runs, done of total units (0: not known) are behind us; unit is a plural, "inodes". done is
 * read by another thread until report_phase_end(): change it atomically.
 */
void report_progress(struct report *report, const uint64_t *done, uint64_t total, const char *unit);
/* Before the end of the phase: done is not read any more. */
void report_progress_end(struct report *report);

/*
 * Sort, drop duplicates, and print the findings that have not been printed yet. paths (repair/names/paths.h): what
 * inodes are called; NULL: that was not looked for.
 */
struct paths;
void report_findings(struct report *report, struct findings *findings, struct paths *paths);

/* What became of a log that was dirty, and how much it holds. */
enum log_fate {
	LOG_TOLD_NOTHING, /* of a clean one, or one that can't be replayed */
	LOG_TOLD_REPLAYED,
	LOG_TOLD_REPLAYED_UPTO, /* where it is damaged */
	LOG_TOLD_IGNORED,
	LOG_TOLD_DISCARDED, /* or would be, if nothing is written */
};
/* name/value lines of -v and the JSON: requests, bytes, peak memory ... in the order given */
struct stat_line {
	const char *name; /* "read_requests": JSON key; the text shows it with spaces */
	uint64_t value;
	const char *unit; /* "bytes", "" ... */
};
#define LOG_KINDS 7
struct log_told {
	enum log_fate fate;
	uint64_t transactions;
	uint64_t items;
	uint64_t bytes;				 /* of metadata that replay changed */
	uint64_t inodes;			 /* whose changes are lost */
	const struct stat_line kinds[LOG_KINDS]; /* of a replay: items of each kind */
};
void report_log(struct report *report, const struct log_told *told);

/* What a crash left to recovery, beside the log: operations that were interrupted, and what was still in use. */
#define CRASH_KINDS 8
struct crash_told {
	bool finished; /* here; else it waits */
	struct stat_line kinds[CRASH_KINDS];
};
void report_crash(struct report *report, const struct crash_told *told);

/* The log is lost, as has been said, and the user has not given up what may be in it: nothing is written. */
void report_log_lost(struct report *report);
/* The device is shorter than the file system, and a note says what can be done: that is the next step. */
void report_too_short(struct report *report);

/* What was mended, in memory: what was done in words, and the finding, or the first of several, that it settles. */
void report_fix(struct report *report, const char *text, const struct found *found, struct paths *paths);
/* What could not be mended, or came up on the way. */
void report_left(struct report *report, const struct found *found, struct paths *paths);
/* Where inodes that have got a name again were (before), and are now (after). */
struct reattachments;
void report_reattached(struct report *report, const struct reattachments *list, struct paths *before,
		       struct paths *after);
/* At the end of it: objects mended, findings of damage left, which --commit-unproven may have written all the same. */
void report_mended(struct report *report, uint64_t done, uint64_t left);

/* What the devices hold after a repair. */
enum written {
	WRITTEN_SOUND,	  /* what was sound before */
	WRITTEN_REPAIRED, /* all that was found has been mended */
	WRITTEN_UNPROVEN, /* some of it */
};
/* Bytes were written to the devices. mounted: on one that is mounted meanwhile, read-only. */
void report_written(struct report *report, uint64_t bytes, enum written what, bool mounted);

/* True if a finding of a severity that means "not clean" (FATAL, CORRUPT, XREF, PREEN) has been printed. */
bool report_any_damage(const struct report *report);

void report_stats(struct report *report, const struct stat_line *lines, size_t count);

/*
 * The closing summary in plain words: what was checked, clean or not, what to do next; JSON totals and exit status.
 * totals NULL: nothing was checked (a rollback), there is no summary.  Frees the report. 0, or the negative errno of
 * text or JSON that could not be written, said on err: then the exit status must be that of trouble.
 */
int report_close(struct report *report, const struct totals *totals, bool log_dirty, int exit_status);

#endif
