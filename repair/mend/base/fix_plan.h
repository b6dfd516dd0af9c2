/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of fixes that the user can review (--plan) and shorten (--plan-apply), as lines of JSON.  The first line
 * describes the file system, the next ones list the ids of all fixes, and each further line is one fix.  If the user
 * deletes the line of a fix, that fix is not made: its mender does not get the findings that it would settle.
 */
#ifndef XFSCK_REPAIR_FIX_PLAN_H
#define XFSCK_REPAIR_FIX_PLAN_H

#include <stdio.h>

#include "mends.h"
#include "report/json_in.h"
#include "report/json_out.h"
#include "sets/number_set.h"

struct fix;
struct fix_plan;
struct found;
struct geometry;
struct options;
struct paths;

/* The file system and the damage that a plan was made for. */
struct plan_of {
	uint8_t uuid[16];
	uint64_t found; /* fingerprint of all findings of the first check */
};

/*
 * Creates the file of --plan, or reads that of --plan-apply.  Without either option, *ret_plan is NULL.  Returns 0, or
 * a negative errno after printing the reason to err.
 */
int fix_plan_open(const struct options *options, FILE *err, struct fix_plan **ret_plan);
void fix_plan_free(struct fix_plan *plan);

/* Sets what the fixes are for. False: the plan that was read is for something else. */
bool fix_plan_begin(struct fix_plan *plan, const struct plan_of *of);
/* Records a fix that was made. */
void fix_plan_note(struct fix_plan *plan, const struct geometry *geo, enum mend_kind kind, const struct fix *fix,
		   const struct found *found, struct paths *paths);
/* True if the user deleted the line of the fix by which the mender would settle this finding. */
bool fix_plan_forbids(const struct fix_plan *plan, const struct geometry *geo, enum mend_kind kind,
		      const struct found *found);
/* Returns the id of the fix by which a mender settles a finding; it is the same for all findings about one object. */
uint64_t fix_plan_id(const struct geometry *geo, enum mend_kind kind, const struct found *found);
/* Returns how many fixes were made that the plan does not list, and their ids. */
uint64_t fix_plan_beside(const struct fix_plan *plan, const uint64_t **ret_ids);
/* Writes the file of --plan. proven: with all fixes, the file system is clean. 0 or negative errno. */
int fix_plan_write(struct fix_plan *plan, bool proven);

/* The ids of all fixes of a plan, and of those whose lines are still there. plan_read(): false if not a valid plan. */
struct plan_ids {
	struct plan_of of;
	struct number_set all, wanted;
};
bool plan_read(struct json_in *json, struct plan_ids *ret_ids);
void plan_ids_free(struct plan_ids *ids);

/* The format that writer and reader agree on. */

#define PLAN_FORMAT    1u
#define PLAN_ID_DIGITS 16u   /* hexadecimal digits of an id */
#define PLAN_IDS_LINE  1000u /* maximum number of ids in a line */

#endif
