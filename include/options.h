/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user asked for: read from the command line once, constant afterwards.  Letters and -o names are those of
 * xfs_repair 7.2, with those of fsck(8) if we are called as fsck.xfs; long options are our own.
 */
#ifndef XFSCK_OPTIONS_H
#define XFSCK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cache.h"
#include "libxfs/sb_feature.h"
#include "query.h"

#ifndef XFSCK_VERSION /* set by the Makefile */
#define XFSCK_VERSION "unknown"
#endif

enum prove_how {
	PROVE_AUTO,  /* by a whole check where that costs little, or where more has changed than the books know of */
	PROVE_WHOLE, /* by a check of everything */
	PROVE_BOOKS, /* by what has changed, where the books know of it */
};

enum colour_when {
	COLOUR_AUTO, /* on a terminal, unless the user has set NO_COLOR */
	COLOUR_ALWAYS,
	COLOUR_NEVER,
};

enum progress_when {
	PROGRESS_AUTO,	 /* a live line on a terminal, plain lines every `interval` seconds otherwise */
	PROGRESS_ALWAYS, /* a live line wherever the text goes */
	PROGRESS_NEVER,
};

/* --log: what to do with a dirty log */
enum log_choice {
	LOG_REPLAY, /* replay all of it, or nothing if a part is damaged */
	LOG_IGNORE, /* check as if it held nothing; only with -n */
	LOG_UPTO,   /* replay it up to where it is damaged */
	LOG_ACROSS, /* and also what is whole behind that */
};

/* --report: a report for programs that run tests */
enum report_format {
	REPORT_TEXT, /* none */
	REPORT_JUNIT,
	REPORT_TAP,
	REPORT_METRICS,
};

/* --undo: where to keep what a repair overwrites */
enum undo_choice {
	UNDO_AUTO, /* in a new file in a folder, if there is room for it */
	UNDO_NONE,
	UNDO_FILE,
};

#ifndef XFSCK_UNDO_DIR
#define XFSCK_UNDO_DIR "/var/lib/xfsck"
#endif
#define XFSCK_AUDIT_DIR XFSCK_UNDO_DIR "/audits"
#define XFSCK_HOOKS	"/etc/xfsck/snapshot.d"

/* -c */
enum feature_choice {
	FEATURE_KEEP, /* not given: the feature stays as it is */
	FEATURE_DROP,
	FEATURE_ADD,
};

struct options {
	const char *program; /* the name that we were called by, without folders */
	bool fsck;	     /* we were called as fsck.xfs: options are those of fsck(8) */
	bool fsck_codes;     /* exit codes are those of fsck(8): so they are then, or with --exit-codes=fsck */
	const char *device;
	bool merge;	      /* --merge: `device` and `devices` are reports, of which one is made */
	const char **devices; /* several, of which that is the first; the caller frees it; NULL: it is the only one */
	unsigned device_count;
	const char *snapshot;	/* a snapshot of the device, which is read in its place; NULL: none */
	bool as_mounted;	/* the device is read as it is though it is mounted: there is no snapshot */
	unsigned jobs;		/* --jobs: so many of several are checked at a time */
	unsigned partition;	/* --partition=N: which of the device the file system is in; 0: none */
	uint64_t offset;	/* --offset=BYTES[:SIZE]: where it begins on the device */
	uint64_t size;		/* bytes; 0: up to the end of the device */
	char part[64];		/* these options as they are written for another run; "": none of them was given */
	const char *log_device; /* -l, or NULL */
	const char *rt_device;	/* -r, or NULL */
	bool audit;		/* --audit: check snapshots of what is in use, and compare with the last time */
	const char *audits;	/* --audit-dir: the folder for reports of audits */
	const char *hooks;	/* --snapshot-dir: the folder of programs that make snapshots of other kinds */
	const char *baseline;	/* --baseline: the report to compare with, in place of the last one; or NULL */
	const char *on_new;	/* --on-new: the program that is run if an audit finds something new; or NULL */
	bool journal;		/* --journal: results of audits go to the journal, too */
	bool mark;		/* --repair-at-boot: mark what new damage is found in for fsck.xfs at boot */
	bool status;		/* --status: tell what the last audits have found */
	bool exceptions;	/* -x: of those that were not clean */
	bool no_modify;		/* -n */
	bool tell_repaired;	/* -e: exit with 4 if something was repaired */
	bool tell_loss;		/* --tell-loss: exit with 5 if it was repaired, and something is lost */
	enum undo_choice keep;	/* --undo: whether to keep what a repair overwrites, and where */
	const char *undo;	/* UNDO_FILE: in this file; else NULL */
	const char *undo_dir;	/* --undo-dir: the folder for UNDO_AUTO */
	bool undos;		/* --undos: tell which undo files are there */
	bool accept_loss;	/* --accept-loss: write a repair that loses much even if there is no way back */
	const char *rollback;	/* --rollback=FILE: take back that repair, and check nothing; or NULL */
	const char *preview;	/* --preview=FILE: write the repair to a file over the device; or NULL */
	const char *apply;	/* --apply=FILE: make the repair that a preview holds; or NULL */
	const char *plan;	/* --plan=FILE: write the fixes as a list; or NULL */
	const char *plan_apply; /* --plan-apply=FILE: make those that are still in it; or NULL */
	bool commit_unproven;	/* --commit-unproven: write what was mended even if problems are left */
	enum log_choice log;	/* --log=replay|ignore|upto|across */
	bool discard_log;	/* -L: give up what the log holds */
	bool quiet;		/* -q: in place of the text of a report, a line if it is not clean */
	unsigned verbose;	/* -v and --stats: how often they were given */
	bool readonly_mounted;	/* -d: the device may be mounted, read-only, even if it is repaired */
	bool no_prefetch;	/* -P: read with one small request after the other */
	enum feature_choice features[SB_FEATURE_NR]; /* -c */
	bool no_quota;				     /* -o noquota: do not compare quota counters */
	bool force_geometry;		 /* -o force_geometry: rely on a superblock even if nothing confirms it */
	bool assume_xfs;		 /* -o assume_xfs: don't look what else the device may hold */
	bool shrink;			 /* -o shrink: give up what was in use behind the end of the device */
	unsigned interval;		 /* -t: seconds between progress lines; 0: none are printed */
	unsigned ag_stride;		 /* -o ag_stride=N: so many neighbouring AGs share a disk; 0: none do */
	unsigned threads;		 /* --threads, 0: default */
	unsigned queue_depth;		 /* -o queue_depth=N: reads in flight per thread; 0: default */
	enum prove_how prove;		 /* --prove=auto|whole|books */
	bool compare_books;		 /* -o compare_books: for tests: hold the books against a whole check */
	bool exact;			 /* --exact: compare all records, even if sums agree */
	uint64_t memory_bytes;		 /* -m: limit for all memory whose use can be limited; 0: default */
	int64_t merge_gap;		 /* -o merge_gap=BYTES: read through gaps up to this; negative: default */
	uint64_t read_rate;		 /* -o read_rate=BYTES a second that are read; 0: without limit */
	unsigned read_requests;		 /* -o read_requests=N a second; 0: without limit */
	bool rate_given, requests_given; /* -o read_rate and read_requests: else audits have limits of their own */
	unsigned io_timeout;		 /* -o io_timeout=SECONDS without an answer: a device is silent; 0: never */
	enum device_medium medium;	 /* -o medium=auto|flash|disk */
	enum device_engine engine;	 /* --engine=auto|uring|threads */
	enum progress_when progress;	 /* --progress=auto|always|never */
	enum colour_when colour;	 /* --color=auto|always|never */
	bool to_stderr;		   /* --to-stderr, or called as xfs_repair: what people read goes to standard error */
	bool lines;		   /* --lines: one finding a line, for programs, in place of what people read */
	unsigned limit;		   /* --limit=N: places of an entry that the report lists */
	unsigned progress_fd;	   /* -C FD: tell progress there as well, for programs; 0: nowhere */
	const char *json;	   /* --json[=FILE]: path, "-" for standard output, NULL for none */
	FILE *result;		   /* where JSON goes in place of that, for who started this run; NULL: nowhere */
	enum report_format report; /* --report=junit|tap|openmetrics[:FILE], ... */
	const char *report_file;   /* ... path, NULL for standard output */
	const char *html;	   /* --html: path, NULL for none */
	struct query query;	   /* --list and others */
	bool no_sandbox;	   /* --no-sandbox: don't give up what is not needed any more */
	const char *checkpoint;	   /* --checkpoint=FILE: write there what another run can go on from; or NULL */
	const char *resume;	   /* --resume=FILE: go on from there; then `checkpoint` is set, too; or NULL */
	const char *trace;	   /* --trace[=FILE]: path, "-" for standard error, NULL for none */
};

enum options_result {
	OPTIONS_RUN,
	OPTIONS_DONE,  /* --help, -V or --explain has been printed: exit with 0 */
	OPTIONS_BOOT,  /* fsck -a at boot: nothing is to be done, since mounting replays the log */
	OPTIONS_USAGE, /* wrong options, and the reason is on err: exit with 1, or as fsck(8) with 16 */
};

/*
 * Parse the command line.  Help, version and explanations are printed to out, errors to err.  *ret_options is set
 * whatever the result, since the exit code depends on options.fsck_codes.  Its strings point into argv, which is not
 * reordered.  Not for two threads at a time, because of getopt_long().
 */
enum options_result options_parse(int argc, char **argv, FILE *out, FILE *err, struct options *ret_options);

#endif
