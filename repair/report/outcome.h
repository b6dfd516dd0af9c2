/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The outcome of a run, for the closing summaries in text and JSON. */
#ifndef XFSCK_REPAIR_OUTCOME_H
#define XFSCK_REPAIR_OUTCOME_H

#include <time.h>

#include "finding.h"
#include "losses.h"
#include "report.h"

struct outcome {
	const char *part; /* the options that tell which part of the device was meant; "": none */
	const char *device, *log_device, *rt_device; /* as the user named them; the others: NULL if not */
	uint64_t device_bytes;			     /* 0: it could not be opened */
	time_t start, end;			     /* of the run, by the calendar */
	double seconds;				     /* that it took */
	const char *rollback;			     /* the undo file of a rollback; NULL: it was none */
	char *undo;				     /* what was overwritten is kept in this file; NULL: it is not */
	const char *plan, *plan_apply;		     /* as the user named them; NULL if not */
	char *preview[ROLE_NR];			     /* files that hold the repair, by device; NULL: there is none */
	bool write_failed;			     /* a device did not take what was written ... */
	bool cut_short;				     /* ... and has a part of the repair */
	consents_t consents;			     /* it was not written, since the user must consent to these */
	const struct totals *totals;		     /* after a repair, of what is there now, ... */
	const struct totals *before;		     /* ... and of what was there before; NULL: nothing was repaired */
	struct losses losses;			     /* what the repair keeps, or would keep */
	uint32_t agcount;			     /* 0: no superblock was found */
	uint64_t found[SEVERITY_NR];		     /* findings of each severity, including those not shown */
	struct finding_counts counts;		     /* the same of each kind */
	bool unchecked;				     /* what was asked was answered without a check */
	char *why;				     /* the first trouble; NULL: none, or no memory for it */
	char *advice;				     /* what to do about that, or without a superblock; NULL */
	bool complete;				     /* no trouble kept the run from its end */
	bool log_dirty;				     /* the log was dirty, and still is */
	enum log_fate log_fate;
	struct log_losses log_losses; /* what of the log was not replayed */
	const char *resume;	      /* the command that resumes the run, which was stopped; NULL: it was not */
	bool too_short;		      /* the device is, and the missing part was not given up */
	bool unreadable;	      /* parts of a device can't be read */
	bool zeroed;	  /* parts of it read as zeroes where files had data, which the losses don't count */
	bool log_lost;	  /* the log may hold changes that can't be read, and the user has not given it up */
	bool no_modify;	  /* -n */
	uint64_t written; /* bytes, to the devices */
	bool repaired;	  /* all that was found has been mended on the device */
	bool unproven;	  /* some of it has been mended on the device, and damage is left */
	bool mounted;	  /* the device is mounted read-only, and has been written to */
	bool mendable;	  /* mended in memory, the file system is clean */
	struct fixes fixes;
	int exit_status;
};

/* What a phase cost. */
struct phase_cost {
	double seconds;
	uint64_t read, kept; /* bytes read from the devices, and bytes taken from what earlier phases had kept */
};

/* How many fixes were made, however certain. */
static inline uint64_t fixes_all(const struct fixes *fixes)
{
	uint64_t all = 0;

	for (enum sure sure = 0; sure < SURE_NR; sure++)
		all += fixes->count[sure];
	return all;
}

/* How many findings mean that the file system is not clean. */
static inline uint64_t outcome_problems(const struct outcome *o)
{
	uint64_t problems = 0;

	for (unsigned i = 0; i < SEVERITY_NR; i++)
		problems += severity_is_damage(i) ? o->found[i] : 0;
	return problems;
}

/* Whether the check ended with a log that could not be replayed. */
static inline bool outcome_log_unreplayed(const struct outcome *o)
{
	return o->log_dirty && !o->log_fate;
}

static inline bool outcome_clean(const struct outcome *o)
{
	/* a log that was not discarded for want of consent still holds what it held */
	return o->complete && !o->log_dirty && !(o->consents >> CONSENT_LOG & 1) && outcome_problems(o) == 0;
}

/* True if changes that waited in the log are lost by this run, or would be, if nothing was written. */
static inline bool outcome_loses_log(const struct outcome *o)
{
	return (o->log_fate == LOG_TOLD_DISCARDED || o->log_fate == LOG_TOLD_REPLAYED_UPTO) &&
	       log_losses_any(&o->log_losses);
}

#endif
