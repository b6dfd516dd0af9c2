/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings on their way to the user, and all other output of a run.  Each worker adds findings to its own lane.  When
 * all workers are done, findings are merged, sorted by place, and duplicates dropped, so that the output does not
 * depend on the number of threads.  The first 10,000 of each kind are shown, the others counted.
 *
 * Only findings_add() is thread-safe; all other functions are for one thread.  While a report is open, nothing else may
 * print.
 */
#ifndef XFSCK_REPORT_H
#define XFSCK_REPORT_H

#include <stdio.h>

#include "check.h"
#include "consent.h"
#include "losses.h"
#include "mends.h"
#include "options.h"
#include "place.h"
#include "totals.h"

struct findings;
struct html;
struct ino_set;
struct report_json;

/* Creates a collector.  workers: the number of threads that may add at the same time.  NULL: out of memory. */
struct findings *findings_new(unsigned workers);
void findings_free(struct findings *findings);

/*
 * Adds a finding.  No other thread may have this number, worker < workers.  Copies the name in the place.  If memory
 * runs out, the finding is only counted.
 */
void findings_add(struct findings *findings, unsigned worker, const struct place *place, const struct problem *problem);

const char *finding_id(enum finding finding);
enum severity finding_severity(enum finding finding);

struct found; /* a finding with its place (repair/report/finding.h) */
struct report_json;
struct report; /* the writers of one run: text, JSON, HTML */

/*
 * Begins the report of a run.  Text goes to out, unless --json without a file name sends the JSON there.  Creates the
 * files of --json and --html; refuses a block device, or one of the devices to check.  Returns 0, or a negative errno
 * with the reason printed to err.  All arguments must live until report_close().
 */
int report_open(const struct options *options, int argc, char **argv, FILE *out, FILE *err, struct report **ret_report);
/*
 * Returns where the answers to questions (query.h) go: standard output, for answers alone; the text of the report then
 * goes to err, if there is any.  NULL: out of memory.  No other function of the report may be called until
 * report_answer_end().
 */
FILE *report_answer_begin(struct report *report);
/*
 * Where the answers go as JSON as well (report/json_out.h); NULL: nowhere.  If that is standard output, there is no
 * text.
 */
struct report_json *report_answer_json(const struct report *report);
/* Where the answers go as HTML (report/html_out.h), in sections of their own; NULL: nowhere. */
struct html *report_answer_page(const struct report *report);
void report_answer_end(struct report *report);
/* For the summary: the questions were answered without a check, so the state of the file system is unknown. */
void report_unchecked(struct report *report);
/* A report that prints nothing except report_trouble(), to err.  NULL: out of memory. */
struct report *report_silent(const struct options *options, FILE *err);
/* Like report_silent(), for a check within a run: it also shows progress, as part of the run's current phase. */
struct report *report_within(const struct report *run);
void report_silent_free(struct report *report);

/* Reports a device that was opened, and its size in bytes: once, even if it is opened again. */
void report_device(struct report *report, enum device_role role, const char *path, uint64_t offset, uint64_t bytes);
void report_geometry(struct report *report, const struct geometry *geo);
/*
 * The map of the AGs of that geometry, which the first check has to fill (repair/report/group_map.h).  The report owns
 * it.  NULL: not wanted (--html), or out of memory.
 */
struct group_map *report_map(const struct report *report);

/* Begins a phase; report_phase_end() ends it, and its duration is reported.  title: from phases.h. */
void report_phase_begin(struct report *report, unsigned number, const char *title);
/* Before report_phase_end(): bytes that the phase read, and bytes that the cache still had. */
void report_phase_reads(struct report *report, uint64_t read, uint64_t kept);
void report_phase_end(struct report *report);

/* Prints a sentence for the user, such as that the log is dirty. */
void report_note(struct report *report, const char *sentence);

/* Prints a sentence about the run, which is not part of the report, to err. */
void report_aside(struct report *report, const char *sentence);

/* Reports that the run was interrupted, and the command that resumes it, to err and in the summary. */
void report_stopped(struct report *report, const char *command);

/*
 * Reports a failure, other than damage, that prevents the check or the repair: the device can't be opened, memory runs
 * out ... The sentence, without newline and program name, is printed to err, and the summary says that the run is not
 * complete.
 */
void report_trouble(struct report *report, const char *sentence);
/* Sets the advice of the summary for a run that is not complete, or finds no superblock: a sentence without capital. */
#define ADVICE_ANOTHER_DEVICE                                                                                          \
	"run xfsck on the device or partition that holds the XFS file system: lsblk -f lists them."
void report_advise(struct report *report, const char *advice);

/* The progress of some work, and its current object. */
struct report_work_state {
	uint64_t done;	    /* the value when the work begins counts as 0 */
	const char *object; /* type of the current object: "inode"; NULL: unknown */
	uint64_t number;    /* its number */
};
/* Work whose progress is shown. */
struct report_work {
	/*
	 * Fills *state, which is zeroed.  A thread of its own calls this while others work: what it reads must be
	 * atomic.
	 */
	void (*look)(const void *ctx, struct report_work_state *state);
	const void *ctx;
	uint64_t total;	  /* 0: unknown */
	const char *unit; /* of done and total, plural; must live until the end of the work */
	bool last;	  /* the last work of this phase */
};
/* A `look` function for a uint64_t that workers increment atomically. */
void report_look_count(const void *count, struct report_work_state *state);

/* Starts the thread that shows progress. */
void report_watch(struct report *report);
/* Sets the progress to show in phases, and parts of phases, without progress of their own. */
void report_usual_progress(struct report *report, const struct report_work *usual);
/*
 * Names a step of the phase: a round of repair, a check; "": none.  work: its progress, shown until the next step while
 * no part of it shows progress of its own; NULL: unknown.  Here and below, report may be NULL: then nothing is shown.
 */
void report_step(struct report *report, const char *words, const struct report_work *work);
/* Shows the progress of some work until report_progress_end() or the end of the phase. */
void report_progress(struct report *report, const struct report_work *work);
/* Ends it earlier, before the data that it looks at is freed. */
void report_progress_end(struct report *report);
/* Prints a progress line soon.  Any thread may call this until report_close(). */
void report_status(struct report *report);

struct paths; /* paths of inodes (repair/names/paths.h); where one is passed, NULL: they were not looked up */
/* Sorts the findings, drops duplicates, and prints those that have not been printed yet. */
void report_findings(struct report *report, struct findings *findings, struct paths *paths);

/* What was done with a dirty log. */
enum log_fate {
	LOG_FATE_NOTHING, /* the log was clean or could not be replayed, and report_log() was not called */
	LOG_FATE_REPLAYED,
	LOG_FATE_REPLAYED_UPTO,	  /* up to the damage */
	LOG_FATE_REPLAYED_ACROSS, /* and also what is intact after the damage */
	LOG_FATE_IGNORED,
	LOG_FATE_DISCARDED, /* or would be, with -n */
};
static inline bool log_fate_is_replayed(enum log_fate fate)
{
	return fate == LOG_FATE_REPLAYED || fate == LOG_FATE_REPLAYED_UPTO || fate == LOG_FATE_REPLAYED_ACROSS;
}
/* a line of statistics in -v and JSON: requests, bytes, peak memory ... */
struct stat_line {
	const char *name; /* JSON key: "read_requests"; the text shows it with spaces */
	uint64_t value;
	const char *unit; /* "bytes"; "": none */
};
#define LOG_KINDS 7
struct log_summary {
	enum log_fate fate;
	uint64_t transactions;			 /* replayed */
	uint64_t items;				 /* replayed, of these transactions */
	uint64_t bytes;				 /* bytes of metadata that the replay changed */
	struct log_losses lost;			 /* contents that were not replayed */
	const struct stat_line kinds[LOG_KINDS]; /* if it was replayed: number of items of each kind */
};
void report_log(struct report *report, const struct log_summary *summary);

/*
 * What a crash left for recovery, besides the changes in the log: unfinished operations, inodes that were deleted while
 * open, and blocks staged for copy on write.
 */
#define CRASH_KINDS 8
struct crash_summary {
	bool finished; /* this run completed them; else the next mount or repair will */
	struct stat_line kinds[CRASH_KINDS];
};
void report_crash(struct report *report, const struct crash_summary *summary);

/* For the summary: the log is unreadable, and nothing is written without -L, since it may hold changes. */
void report_log_lost(struct report *report);
/* For the summary: parts of a device are unreadable, as on a failing disk. */
void report_unreadable(struct report *report);
bool report_any_unreadable(const struct report *report);
/* For the summary: the device is shorter than the file system; the next step refers to a note with the details. */
void report_too_short(struct report *report);

/* One fix. */
struct fix {
	enum mend_kind mender;
	const char *text; /* what was done */
	enum sure sure;
};
/* Reports a repair in memory; found is the finding that it settles, or the first of them. */
void report_fix(struct report *report, const struct fix *fix, const struct found *found, struct paths *paths);
/*
 * Reports findings that are left after the repair: they could not be repaired, or are new.  The text shows the first of
 * them, since most were printed before, and the number of others; JSON has all.
 */
void report_left(struct report *report, const struct found *found, size_t count, struct paths *paths);
/* Inodes that were reconnected, with their paths before and after the repair. */
struct reattachments;
void report_reattached(struct report *report, const struct reattachments *list, struct paths *before,
		       struct paths *after);
/*
 * What the repair loses, changes and restores; the number left out for lack of memory is given.  before, after: paths
 * of the inodes concerned.
 */
struct loss_list;
/* Says that the repair waits for consent: losses that are reported from here on would happen. */
void report_planned(struct report *report);
void report_losses(struct report *report, const struct loss_list *list, struct paths *before, struct paths *after);
/* Number of fixes of each degree of certainty. */
struct fixes {
	uint64_t count[SURE_NR];
	bool by_books; /* proven by the open books (--prove), not by a full check */
};
/* Ends the repair.  left: number of findings of damage that are left. */
void report_mended(struct report *report, const struct fixes *fixes, uint64_t left, struct paths *later);
/* Before report_mended(): adds the inodes of fixes whose paths were not looked up.  0 or -ENOMEM. */
int report_fix_inodes(const struct report *report, struct ino_set *inos);

/* The contents of the devices after a repair. */
enum written {
	WRITTEN_SOUND,	  /* a file system that had no damage */
	WRITTEN_REPAIRED, /* a file system of which all damage has been repaired */
	WRITTEN_UNPROVEN, /* one with damage left (--commit-unproven) */
};
/* For the summary: the undo file of the repair. */
void report_undo(struct report *report, const char *path);
/*
 * For the summary: a write to a device failed.  begun: more than free space was written before, so the repair is
 * partial.
 */
void report_write_failed(struct report *report, bool begun);
/* For the summary: the overlay files with the repair, of the data, log and realtime device; NULL: none. */
void report_preview(struct report *report, const char *const overlays[ROLE_NR]);
/* For the summary: parts of the device read as zeroes where files had data; nothing counts those losses. */
void report_zeroed(struct report *report);
/* Reports that nothing is written without consent, and why. */
void report_consent(struct report *report, consents_t lacking);
/* For the summary: bytes written to the devices.  mounted: the device is mounted read-only. */
void report_written(struct report *report, uint64_t bytes, enum written what, bool mounted);

/* True if a finding was printed that means "not clean": its severity is FATAL, CORRUPT, XREF or PREEN. */
bool report_any_damage(const struct report *report);
/* True if any of them is worse than PREEN. */
bool report_any_harm(const struct report *report);

void report_stats(struct report *report, const struct stat_line *lines, size_t count);

/* After a repair: the totals before it; report_close() gets those after it.  Must live until then. */
void report_before(struct report *report, const struct totals *before);

/*
 * Prints the summary (what was checked, whether it is clean, the next step; in JSON also totals and exit status;
 * finally the verdict in a few words), and frees the report.  totals NULL: nothing was checked (a rollback), so there
 * is no summary, and JSON ends with the result of the rollback.  Returns 0, or a negative errno, with the reason
 * printed to err, if any output failed: then the exit status of the run must be unwritten_status, which JSON has as
 * well.
 */
int report_close(struct report *report, const struct totals *totals, bool log_dirty, const char *verdict,
		 int exit_status, int unwritten_status);

#endif
