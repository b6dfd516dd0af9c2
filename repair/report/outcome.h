/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The outcome of a run, for the summary in each form of the report. */
#ifndef XFSCK_REPAIR_OUTCOME_H
#define XFSCK_REPAIR_OUTCOME_H

#include <time.h>

#include "finding.h"
#include "losses.h"
#include "report.h"

struct outcome {
	const char *range;			     /* options that select the part of the device; "": none */
	const char *device, *log_device, *rt_device; /* as given by the user; the last two: NULL if not */
	uint64_t device_bytes;			     /* 0: not opened */
	time_t start, end;			     /* wall-clock time */
	double seconds;				     /* duration */
	const char *rollback;			     /* the undo file of a rollback; NULL: not a rollback */
	char *undo;				     /* the undo file that was written; NULL: none */
	const char *plan, *plan_apply;		     /* as given by the user; NULL if not */
	char *preview[ROLE_NR];			     /* files of the preview by device; NULL: none */
	bool write_failed;			     /* a write to a device failed ... */
	bool cut_short;				     /* ... and the device has a part of the repair */
	consents_t consents;			     /* the repair was not written, since it needs consent to these */
	const struct totals *totals;		     /* after a repair: the current state ... */
	const struct totals *before;		     /* ... and the state before; NULL: nothing was repaired */
	struct losses losses;			     /* what the repair keeps and loses, or would */
	uint32_t agcount;			     /* 0: no superblock was found */
	uint64_t found[SEVERITY_NR];		     /* findings by severity, including those not shown */
	struct finding_counts counts;		     /* the same by kind */
	bool unchecked;				     /* the query was answered without a check */
	char *why;				     /* the first error; NULL: none, or out of memory */
	char *advice;	/* what to do about it, or about a missing superblock; NULL: nothing specific */
	bool complete;	/* no error stopped the run */
	bool log_dirty; /* the log was dirty, and still is */
	enum log_fate log_fate;
	struct log_losses log_losses; /* changes in the log that were not replayed */
	const char *resume;	      /* the command that resumes a stopped run; NULL: not stopped */
	bool too_short;		      /* the device is too short, and shrinking the file system to fit needs consent */
	bool unreadable;	      /* parts of a device are unreadable */
	bool zeroed;		      /* parts of it read as zeroes where files had data; losses don't include these */
	bool log_lost;		      /* the log may hold unreadable changes, and the user has not discarded it */
	bool no_modify;		      /* -n */
	uint64_t written;	      /* to the devices */
	bool repaired;		      /* all problems are repaired on the device */
	bool unproven;		      /* some problems are repaired on the device, others remain */
	bool mounted;		      /* the device is mounted read-only, and was written to */
	bool mendable;		      /* the file system is clean with the fixes in memory */
	struct fixes fixes;
	int exit_status;
};

/* The cost of a phase. */
struct phase_cost {
	double seconds;
	uint64_t read, kept; /* bytes read from the devices, and bytes reused from earlier phases */
};

/* Returns the number of fixes of any certainty. */
static inline uint64_t fixes_all(const struct fixes *fixes)
{
	uint64_t all = 0;

	for (enum sure sure = 0; sure < SURE_NR; sure++)
		all += fixes->count[sure];
	return all;
}

/* Returns the number of findings that make the file system unclean. */
static inline uint64_t outcome_problems(const struct outcome *o)
{
	uint64_t problems = 0;

	for (unsigned i = 0; i < SEVERITY_NR; i++)
		problems += severity_is_damage(i) ? o->found[i] : 0;
	return problems;
}

/* True if the log is dirty and was neither replayed nor discarded. */
static inline bool outcome_log_unreplayed(const struct outcome *o)
{
	return o->log_dirty && !o->log_fate;
}

static inline bool outcome_clean(const struct outcome *o)
{
	/* a log that needs consent to be discarded is still dirty */
	return o->complete && !o->log_dirty && !(o->consents >> CONSENT_LOG & 1) && outcome_problems(o) == 0;
}

/* True if changes in the log are lost by this run, or would be. */
static inline bool outcome_loses_log(const struct outcome *o)
{
	return (o->log_fate == LOG_FATE_DISCARDED || o->log_fate == LOG_FATE_REPLAYED_UPTO) &&
	       log_losses_any(&o->log_losses);
}

#endif
