/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of a run: read from the command line once, constant afterwards.  Letters and -o names are those of
 * xfs_repair 7.2, with those of fsck(8) if the program is called as fsck.xfs; long options are its own.
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
	PROVE_AUTO,  /* by a full check where that is cheap, or where the repair changed more than the books track */
	PROVE_WHOLE, /* by a full check */
	PROVE_BOOKS, /* by checking the changes alone, where the books track them */
};

enum colour_when {
	COLOUR_AUTO, /* on a terminal, unless the user has set NO_COLOR */
	COLOUR_ALWAYS,
	COLOUR_NEVER,
};

enum progress_when {
	PROGRESS_AUTO,	 /* a live line on a terminal, else plain lines every `interval` seconds */
	PROGRESS_ALWAYS, /* a live line wherever the output goes */
	PROGRESS_NEVER,
};

/* --log: what to do with a dirty log */
enum log_choice {
	LOG_REPLAY, /* replay all of it, or nothing if a part is damaged */
	LOG_IGNORE, /* check as if it were empty; only with -n */
	LOG_UPTO,   /* replay it up to the damage */
	LOG_ACROSS, /* replay it, and also what is intact after the damage */
};

/* --report: a report for test harnesses */
enum report_format {
	REPORT_TEXT, /* none */
	REPORT_JUNIT,
	REPORT_TAP,
	REPORT_METRICS,
};

/* --undo: where to keep overwritten data */
enum undo_choice {
	UNDO_AUTO, /* in a new file in the folder, if there is room */
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
	const char *program; /* the name by which the program was called, without folders */
	bool fsck;	     /* called as fsck.xfs: options are those of fsck(8) */
	bool fsck_codes;     /* exit codes are those of fsck(8): if `fsck`, or with --exit-codes=fsck */
	const char *device;
	bool merge;	      /* --merge: `device` and `devices` are reports to be merged */
	const char **devices; /* all devices, if several: the first is `device`; the caller frees it; NULL: only one */
	unsigned device_count;
	const char *snapshot;	/* a snapshot of the device, which is read instead; NULL: none */
	bool as_mounted;	/* the device is read in place although it is mounted: there is no snapshot */
	unsigned jobs;		/* --jobs: number of devices that are checked at a time */
	unsigned partition;	/* --partition=N: the partition of the file system; 0: none */
	uint64_t offset;	/* --offset=BYTES[:SIZE]: where the file system begins on the device */
	uint64_t size;		/* bytes; 0: up to the end of the device */
	char range[64];		/* --partition or --offset, as given to another run; "": neither */
	const char *log_device; /* -l, or NULL */
	const char *rt_device;	/* -r, or NULL */
	bool audit;		/* --audit: check snapshots of devices in use, and compare with the last audit */
	const char *audits;	/* --audit-dir: the folder for audit reports */
	const char *hooks;	/* --snapshot-dir: the folder of programs that create snapshots of other kinds */
	const char *baseline;	/* --baseline: the report to compare with instead of the last one; or NULL */
	const char *on_new;	/* --on-new: the program to run if an audit has new findings; or NULL */
	bool journal;		/* --journal: send results of audits to the journal, too */
	bool mark;		/* --repair-at-boot: mark devices with new damage for fsck.xfs at boot */
	bool status;		/* --status: show the results of the last audits */
	bool exceptions;	/* -x: only of those that were not clean */
	bool no_modify;		/* -n */
	bool tell_repaired;	/* -e: exit with 4 if something was repaired */
	bool tell_loss;		/* --tell-loss: exit with 5 if something was repaired with losses */
	enum undo_choice keep;	/* --undo: whether and where to keep overwritten data */
	const char *undo;	/* UNDO_FILE: the file; else NULL */
	const char *undo_dir;	/* --undo-dir: the folder for UNDO_AUTO */
	bool undos;		/* --undos: list the undo files */
	bool accept_loss;	/* --accept-loss: write a repair with heavy losses even if it can't be undone */
	const char *rollback;	/* --rollback=FILE: undo that repair, without a check; or NULL */
	const char *preview;	/* --preview=FILE: write the repair to an overlay file; or NULL */
	const char *apply;	/* --apply=FILE: write the repair that a preview holds; or NULL */
	const char *plan;	/* --plan=FILE: write the fixes as a list; or NULL */
	const char *plan_apply; /* --plan-apply=FILE: make the fixes that are left in it; or NULL */
	bool commit_unproven;	/* --commit-unproven: write the repair even if problems are left */
	enum log_choice log;	/* --log=replay|ignore|upto|across */
	bool discard_log;	/* -L: discard the contents of the log */
	bool quiet;		/* -q: no report, but one line if it is not clean */
	unsigned verbose;	/* -v and --stats: number of times they were given */
	bool readonly_mounted;	/* -d: the device may be mounted read-only, even for a repair */
	bool no_prefetch;	/* -P: read with single small requests */
	enum feature_choice features[SB_FEATURE_NR]; /* -c */
	bool no_quota;				     /* -o noquota: don't compare quota counters */
	bool force_geometry;		 /* -o force_geometry: use a superblock even if nothing confirms it */
	bool assume_xfs;		 /* -o assume_xfs: don't look for other contents of the device */
	bool shrink;			 /* -o shrink: give up everything beyond the end of the device */
	unsigned interval;		 /* -t: seconds between progress lines; 0: none */
	unsigned ag_stride;		 /* -o ag_stride=N: number of neighbouring AGs that share a disk; 0: none do */
	unsigned threads;		 /* --threads; 0: default */
	unsigned queue_depth;		 /* -o queue_depth=N: reads in flight per thread; 0: default */
	enum prove_how prove;		 /* --prove=auto|whole|books */
	bool compare_books;		 /* -o compare_books: for tests: compare the books with a full check */
	bool exact;			 /* --exact: compare all records, even if checksums agree */
	uint64_t memory_bytes;		 /* -m: limit for all memory that can be limited; 0: default */
	int64_t merge_gap;		 /* -o merge_gap=BYTES: read through gaps up to this size; negative: default */
	uint64_t read_rate;		 /* -o read_rate=BYTES per second; 0: no limit */
	unsigned read_requests;		 /* -o read_requests=N per second; 0: no limit */
	unsigned read_share;		 /* -o read_share=PERCENT of the time that the device has; 0: no limit */
	bool rate_given, requests_given; /* these were given: else audits use limits of their own */
	bool share_given;		 /* likewise */
	unsigned io_timeout;		 /* -o io_timeout=SECONDS until a device without answers is silent; 0: never */
	enum device_medium medium;	 /* -o medium=auto|flash|disk */
	enum device_engine engine;	 /* --engine=auto|uring|threads */
	enum progress_when progress;	 /* --progress=auto|always|never */
	enum colour_when colour;	 /* --color=auto|always|never */
	bool to_stderr;		   /* --to-stderr, or called as xfs_repair: text for people goes to standard error */
	bool lines;		   /* --lines: one finding per line, for programs, instead of text for people */
	unsigned limit;		   /* --limit=N: number of places that the report lists per entry */
	unsigned progress_fd;	   /* -C FD: write progress there as well, for programs; 0: none */
	const char *json;	   /* --json[=FILE]: path, "-" for standard output, NULL for none */
	FILE *result;		   /* where JSON goes instead, for the run that started this one; NULL: none */
	enum report_format report; /* --report=junit|tap|openmetrics[:FILE], ... */
	const char *report_file;   /* ... path, NULL for standard output */
	const char *html;	   /* --html: path, NULL for none */
	struct query query;	   /* --list and others */
	bool no_sandbox;	   /* --no-sandbox: keep all rights that the process has */
	const char *checkpoint;	   /* --checkpoint=FILE: save there what another run can resume from; or NULL */
	const char *resume;	   /* --resume=FILE: resume from there; then `checkpoint` is set, too; or NULL */
	const char *trace;	   /* --trace[=FILE]: path, "-" for standard error, NULL for none */
};

enum options_result {
	OPTIONS_RUN,
	OPTIONS_DONE,  /* --help, -V or --explain has been printed: exit with 0 */
	OPTIONS_BOOT,  /* fsck -a at boot: nothing to do, since mounting replays the log */
	OPTIONS_USAGE, /* invalid options, with the reason printed to err: exit with 1, or as fsck(8) with 16 */
};

/*
 * Parses the command line.  Prints help, version and explanations to out, and errors to err.  Always sets *ret_options,
 * since the exit code depends on options.fsck_codes.  Its strings point into argv, which is not reordered.  Not
 * thread-safe, because of getopt_long().
 */
enum options_result options_parse(int argc, char **argv, FILE *out, FILE *err, struct options *ret_options);

#endif
