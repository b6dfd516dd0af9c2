/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run has come to: what the closing summaries, text and JSON, say. */
#ifndef XFSCK_REPAIR_OUTCOME_H
#define XFSCK_REPAIR_OUTCOME_H

#include "finding.h"
#include "report.h"

struct outcome {
	const char *device;
	const struct totals *totals;
	uint32_t agcount;	     /* 0: no superblock was found */
	uint64_t found[SEVERITY_NR]; /* findings of each severity, those not shown included */
	bool complete;		     /* no trouble kept us from checking */
	bool log_dirty;		     /* and stays so */
	enum log_fate log_fate;
	bool too_short;	  /* the device; nothing was given up for that */
	bool log_lost;	  /* and whether anything waited in it is not known: the user has to give it up */
	bool no_modify;	  /* -n */
	uint64_t written; /* bytes, to the devices */
	bool repaired;	  /* what was found is mended on the device */
	bool unproven;	  /* some of it is, and the rest of the device is not sound */
	bool mounted;	  /* the device is, read-only, and has been written to */
	bool mendable;	  /* mended in memory it is clean */
	int exit_status;
};

/* What a phase took. */
struct phase_cost {
	double seconds;
	uint64_t read, kept; /* bytes: from the devices, and from what was kept of earlier phases */
};

/* Findings that mean "not clean". */
static inline uint64_t outcome_problems(const struct outcome *o)
{
	uint64_t problems = 0;

	for (unsigned i = 0; i < SEVERITY_NR; i++)
		problems += severity_is_damage(i) ? o->found[i] : 0;
	return problems;
}

/* The check ended with the log. */
static inline bool outcome_log_unreplayed(const struct outcome *o)
{
	return o->log_dirty && !o->log_fate;
}

static inline bool outcome_clean(const struct outcome *o)
{
	return o->complete && !o->log_dirty && outcome_problems(o) == 0;
}

#endif
