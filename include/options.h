/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user asked for: read once from the command line, constant
 * afterwards.  The letters and -o names are those of xfs_repair 7.2; the
 * long options are ours.
 */
#ifndef XFSCK_OPTIONS_H
#define XFSCK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cache.h"
#include "libxfs/sb_feature.h"

#ifndef XFSCK_VERSION /* the Makefile says */
#define XFSCK_VERSION "unknown"
#endif

enum progress_when {
	PROGRESS_AUTO,	 /* a live line on a terminal, plain lines every `interval` seconds otherwise */
	PROGRESS_ALWAYS, /* a live line wherever the text goes */
	PROGRESS_NEVER,
};

/* --log: what becomes of a log that waits for replay */
enum log_choice {
	LOG_REPLAY, /* all of it, or nothing */
	LOG_IGNORE, /* checked as if it held nothing */
	LOG_UPTO,   /* as far as it is whole */
};

/* -c */
enum feature_choice {
	FEATURE_KEEP, /* as it is */
	FEATURE_DROP,
	FEATURE_ADD,
};

struct options {
	const char *program; /* name we were called by */
	bool fsck;	     /* called as fsck.xfs: options and exit codes of fsck(8) */
	const char *device;
	const char *log_device; /* -l, or NULL */
	const char *rt_device;	/* -r, or NULL */
	bool no_modify;		/* -n */
	bool tell_repaired;	/* -e: exit with 4 if something was repaired */
	const char *undo;	/* --undo=FILE, or NULL */
	const char *rollback;	/* --rollback=FILE, or NULL: nothing is checked then */
	bool commit_unproven;	/* --commit-unproven: write what was mended, although something is left */
	enum log_choice log;	/* --log=replay|ignore|upto */
	bool discard_log;	/* -L: what it holds is given up */
	unsigned verbose;	/* -v, times given; --stats is one */
	bool readonly_mounted;	/* -d */
	bool no_prefetch;	/* -P: one small request after the other */
	enum feature_choice features[SB_FEATURE_NR]; /* -c */
	bool no_quota;				     /* -o noquota: quota counters are not compared */
	bool force_geometry;	     /* -o force_geometry: nothing need confirm what a superblock says */
	bool shrink;		     /* -o shrink: what lies behind the end of a block device is given up */
	unsigned interval;	     /* -t seconds */
	unsigned ag_stride;	     /* -o ag_stride=N, 0: default */
	unsigned threads;	     /* --threads, 0: default */
	unsigned queue_depth;	     /* -o queue_depth=N, 0: default */
	bool exact;		     /* --exact: compare all records, whether sums differ or not */
	uint64_t memory_bytes;	     /* -m: for all that can be bounded; 0: default */
	int64_t merge_gap;	     /* -o merge_gap=BYTES, negative: default */
	enum device_medium medium;   /* -o medium=auto|flash|disk */
	enum device_engine engine;   /* --engine=auto|uring|threads */
	enum progress_when progress; /* --progress=auto|always|never */
	const char *json;	     /* --json[=FILE]: path, "-" for standard output, NULL for none */
};

enum options_result {
	OPTIONS_RUN,
	OPTIONS_DONE,  /* all is said (--help, -V), exit 0 */
	OPTIONS_BOOT,  /* fsck(8) at boot, before anything is known to be wrong: nothing is due */
	OPTIONS_USAGE, /* unknown or contradicting: said on err, exit 1 (fsck(8): 16) */
};

/*
 * Messages go to out (help, version) and err. *ret_options is set whatever the result (program and fsck say how to
 * exit); its strings point into argv, whose order stays as it is. Uses getopt_long(): not for two threads at once.
 */
enum options_result options_parse(int argc, char **argv, FILE *out, FILE *err, struct options *ret_options);

#endif
