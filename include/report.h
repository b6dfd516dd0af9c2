/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings on their way to the user, and all else that a run tells.  Each worker adds findings to a lane of its own.
 * When all workers are done, findings are merged and sorted by place, and duplicates are dropped, so that the output is
 * the same at every number of threads.  Of each kind of finding the first 10,000 are shown, and the others are counted.
 *
 * Only findings_add() may be called by several threads; all other functions are for one thread.  While a report is
 * open, nothing else may print.
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

/* lanes: the number of threads that may add at the same time.  NULL: out of memory. */
struct findings *findings_new(unsigned lanes);
void findings_free(struct findings *findings);

/*
 * Add a finding; no other thread may use this lane, lane < lanes.  The name in the place is copied.  If there is no
 * memory, the finding is only counted.
 */
void findings_add(struct findings *findings, unsigned lane, const struct place *place, const struct problem *problem);

const char *finding_id(enum finding finding);
enum severity finding_severity(enum finding finding);

struct found; /* a finding with its place (repair/report/finding.h) */
struct report_json;
struct report; /* the writers of one run: text, JSON, HTML */

/*
 * Begin the report of a run.  Text goes to out, unless --json without a file name sends the JSON there.  Files of
 * --json and --html are created; a block device, or one of the devices to check, is refused.  0, or a negative errno,
 * with the reason printed to err.  All that is passed in must live until report_close().
 */
int report_open(const struct options *options, int argc, char **argv, FILE *out, FILE *err, struct report **ret_report);
/*
 * Where the answers go to what the user asks (query.h): standard output, which is theirs alone then: the text of the
 * report goes to err, if there is anything to tell.  NULL: no memory.  No other function of the report is called in
 * between.
 */
FILE *report_answer_begin(struct report *report);
/* Where answers go as JSON, too (report/json_out.h); NULL: nowhere. If that is standard output, text goes nowhere. */
struct report_json *report_answer_json(const struct report *report);
/* Where they go as a page to look at (report/html_out.h), in sections of their own; NULL: nowhere. */
struct html *report_answer_page(const struct report *report);
void report_answer_end(struct report *report);
/* For the summary: all was answered without a check, so nothing is known of whether the file system is sound. */
void report_unchecked(struct report *report);
/* A report that prints nothing except report_trouble(), to err.  NULL: out of memory. */
struct report *report_silent(const struct options *options, FILE *err);
/* The same for a check within a run: it also shows progress, as part of the current phase of the run. */
struct report *report_within(const struct report *run);
void report_silent_free(struct report *report);

/* Tell of a device that was opened, of so many bytes.  It is told once, however often it is opened. */
void report_device(struct report *report, enum device_role role, const char *path, uint64_t offset, uint64_t bytes);
void report_geometry(struct report *report, const struct geometry *geo);
/*
 * Returns the map of the allocation groups of that geometry, which the first check is to fill
 * (repair/report/group_map.h); it belongs to the report.  NULL: none is wanted (--html), or there is no memory for one.
 */
struct group_map *report_map(const struct report *report);

/* Begin and end a phase, whose duration is reported.  title: from phases.h. */
void report_phase_begin(struct report *report, unsigned number, const char *title);
/* To be called before report_phase_end(): bytes that the phase read, and bytes that had been kept from before. */
void report_phase_reads(struct report *report, uint64_t read, uint64_t kept);
void report_phase_end(struct report *report);

/* Print a sentence for the user: the log is dirty, quota was not compared ... */
void report_note(struct report *report, const char *sentence);

/* Print a sentence that is no part of the report, but about the run, to err. */
void report_aside(struct report *report, const char *sentence);

/*
 * The run ends early because it was asked to, and this command goes on with it.  It is printed to err, and in the
 * closing summary.
 */
void report_stopped(struct report *report, const char *command);

/*
 * Report what keeps us from checking or writing, other than damage: the device can't be opened, there is no memory ...
 * The sentence, without newline and program name, is printed to err, and the closing summary says that the run is not
 * complete.
 */
void report_trouble(struct report *report, const char *sentence);
/* Set what the summary advises if the run is not complete, or there is no superblock: a sentence without capital. */
#define ADVICE_ANOTHER_DEVICE                                                                                          \
	"run xfsck on the device or partition that holds the XFS file system: lsblk -f lists them."
void report_advise(struct report *report, const char *advice);

/* How far some work is, and what it is at. */
struct report_work_state {
	uint64_t done;	    /* what it is when the work begins counts as nothing */
	const char *object; /* what is being worked on: "inode"; NULL: not known */
	uint64_t number;    /* which one */
};
/* Work whose progress is shown. */
struct report_work {
	/* Fill *state, which is zeroes. A thread of its own calls this while others work: what it reads is atomic. */
	void (*look)(const void *ctx, struct report_work_state *state);
	const void *ctx;
	uint64_t total;	  /* 0: not known */
	const char *unit; /* of done and total, plural; it must live until the end of the work */
	bool last;	  /* no other work follows in this phase */
};
/* A look at a uint64_t that workers add to, atomically. */
void report_look_count(const void *count, struct report_work_state *state);

/* Start the thread that tells progress. */
void report_watch(struct report *report);
/* For all phases, and parts of phases, that show no progress of their own: what moves in any case. */
void report_usual_progress(struct report *report, const struct report_work *usual);
/*
 * Name a step of the phase in words: a round of mending, a check; "": there is none.  work: what it has to do, shown
 * while no part of it shows progress of its own, until the next step; NULL: not known.  Here and below, report may be
 * NULL: nobody is told.
 */
void report_step(struct report *report, const char *words, const struct report_work *work);
/* Show the progress of some work until report_progress_end() or the end of the phase. */
void report_progress(struct report *report, const struct report_work *work);
/* End it earlier, before what it looks at is gone. */
void report_progress_end(struct report *report);
/* Print, soon, a line on how far the run is. It may be called by any thread until report_close(). */
void report_status(struct report *report);

struct paths; /* the paths of inodes (repair/names/paths.h); where one is passed, NULL: they were not looked for */
/* Sort the findings, drop duplicates, and print those that have not been printed yet. */
void report_findings(struct report *report, struct findings *findings, struct paths *paths);

/* What became of a log that was dirty, and how much it holds. */
enum log_fate {
	LOG_TOLD_NOTHING, /* it was clean, or could not be replayed, and report_log() was not called */
	LOG_TOLD_REPLAYED,
	LOG_TOLD_REPLAYED_UPTO,	  /* where it is damaged */
	LOG_TOLD_REPLAYED_ACROSS, /* also what is whole behind that */
	LOG_TOLD_IGNORED,
	LOG_TOLD_DISCARDED, /* or would be, if nothing is written */
};
static inline bool log_fate_is_replayed(enum log_fate fate)
{
	return fate == LOG_TOLD_REPLAYED || fate == LOG_TOLD_REPLAYED_UPTO || fate == LOG_TOLD_REPLAYED_ACROSS;
}
/* a line of statistics in -v and JSON: requests, bytes, peak memory ... */
struct stat_line {
	const char *name; /* "read_requests": JSON key; the text shows it with spaces */
	uint64_t value;
	const char *unit; /* "bytes"; "": none */
};
#define LOG_KINDS 7
struct log_told {
	enum log_fate fate;
	uint64_t transactions;			 /* that were replayed */
	uint64_t items;				 /* of these */
	uint64_t bytes;				 /* of metadata that replay changed */
	struct log_losses lost;			 /* what was not replayed */
	const struct stat_line kinds[LOG_KINDS]; /* if it was replayed: items of each kind */
};
void report_log(struct report *report, const struct log_told *told);

/*
 * What a crash left to recovery, beside the changes in the log: interrupted operations, inodes that were deleted while
 * open, and blocks staged for copy on write.
 */
#define CRASH_KINDS 8
struct crash_told {
	bool finished; /* by this run; else it waits for the next mount or repair */
	struct stat_line kinds[CRASH_KINDS];
};
void report_crash(struct report *report, const struct crash_told *told);

/* For the summary: the log can't be read, and without -L nothing is written, since it may hold changes. */
void report_log_lost(struct report *report);
/* For the summary: parts of a device can't be read, as on a disk that is about to fail. */
void report_unreadable(struct report *report);
bool report_any_unreadable(const struct report *report);
/* For the summary: the device is shorter than the file system; a note, which the next step refers to, says more. */
void report_too_short(struct report *report);

/* One fix. */
struct fix {
	enum mend_kind mender;
	const char *text; /* what was done */
	enum sure sure;
};
/* Something was mended, in memory; found is the finding, or the first one, that it settles. */
void report_fix(struct report *report, const struct fix *fix, const struct found *found, struct paths *paths);
/*
 * Findings that are left after mending: they could not be mended, or came up on the way.  The text has the first of
 * them, since most have been told before, and says how many more there are; JSON has all.
 */
void report_left(struct report *report, const struct found *found, size_t count, struct paths *paths);
/* A list of inodes that were given a name again, with their paths before and after the repair. */
struct reattachments;
void report_reattached(struct report *report, const struct reattachments *list, struct paths *before,
		       struct paths *after);
/*
 * What the repair loses, changes and brings back, and what is left out of that list for lack of memory.  before, after:
 * paths of the inodes concerned, as they were and as they will be.
 */
struct loss_list;
void report_losses(struct report *report, const struct loss_list *list, struct paths *before, struct paths *after);
/* How many fixes were made of each degree of certainty. */
struct fixes {
	uint64_t count[SURE_NR];
	bool by_books; /* if none is left: they were proven by books that were kept open (--prove), not by a whole check
			*/
};
/* The end of mending.  left: findings of damage that are left. */
void report_mended(struct report *report, const struct fixes *fixes, uint64_t left, struct paths *later);
/* To be asked before report_mended(): add the inodes of fixes whose paths were not looked for. 0 or -ENOMEM. */
int report_fix_inodes(const struct report *report, struct ino_set *inos);

/* What the devices hold after a repair. */
enum written {
	WRITTEN_SOUND,	  /* a file system that had no damage */
	WRITTEN_REPAIRED, /* a file system of which all damage has been mended */
	WRITTEN_UNPROVEN, /* one with damage left (--commit-unproven) */
};
/* For the summary: what the repair has overwritten is kept in this file. */
void report_undo(struct report *report, const char *path);
/* For the summary: a write to a device failed.  begun: more than free space was written before, so it is half repaired.
 */
void report_write_failed(struct report *report, bool begun);
/* For the summary: the repair is in these files, of the data, the log and the realtime device; NULL: there is none. */
void report_preview(struct report *report, const char *const overlays[ROLE_NR]);
/* For the summary: parts of the device read as zeroes where files had data, which nothing counts. */
void report_zeroed(struct report *report);
/* Tell the user that nothing is written without consent, and why. */
void report_consent(struct report *report, consents_t lacking);
/* For the summary: how many bytes were written to the devices.  mounted: the device is mounted, read-only. */
void report_written(struct report *report, uint64_t bytes, enum written what, bool mounted);

/* Whether a finding has been printed that means "not clean": its severity is FATAL, CORRUPT, XREF or PREEN. */
bool report_any_damage(const struct report *report);
/* Whether any of it is more than harmless. */
bool report_any_harm(const struct report *report);

void report_stats(struct report *report, const struct stat_line *lines, size_t count);

/* After a repair: what was there before it; report_close() gets what is there now.  It must live until then. */
void report_before(struct report *report, const struct totals *before);

/*
 * Print the closing summary (what was checked, whether it is clean, what to do next; in JSON also totals and exit
 * status; at last the verdict, as one word or a few), and free the report.  totals NULL: nothing was checked (a
 * rollback), so there is no summary, and JSON ends with what became of the rollback.  0, or a negative errno if any of
 * it could not be written, with the reason printed to err: then the exit status of the run must be unwritten_status,
 * which JSON has as well.
 */
int report_close(struct report *report, const struct totals *totals, bool log_dirty, const char *verdict,
		 int exit_status, int unwritten_status);

#endif
