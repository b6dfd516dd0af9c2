/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fixes as a list that the user can review (--plan) and shorten (--plan-apply).  Its lines are JSON: the first says
 * what it is a list of, the next have the ids of all fixes, so that those whose lines are gone are known, and each of
 * the others is a fix.  A fix whose line is gone is not made: its mender is not given what it would settle.
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

/* What a plan is of. */
struct plan_of {
	uint8_t uuid[16];
	uint64_t found; /* a fingerprint of all that the first check has found */
};

/*
 * Create the file of --plan, or read that of --plan-apply; *ret_plan: NULL if there is neither option.  0, or a
 * negative errno after the reason was printed to err.
 */
int fix_plan_open(const struct options *options, FILE *err, struct fix_plan **ret_plan);
void fix_plan_free(struct fix_plan *plan);

/* Tell what the fixes are of. False: it is not what the plan that was read is of. */
bool fix_plan_begin(struct fix_plan *plan, const struct plan_of *of);
/* A fix was made. */
void fix_plan_note(struct fix_plan *plan, const struct geometry *geo, enum mend_kind kind, const struct fix *fix,
		   const struct found *found, struct paths *paths);
/* Whether a mender must not settle a finding, as the line of that fix is gone. */
bool fix_plan_forbids(const struct fix_plan *plan, const struct geometry *geo, enum mend_kind kind,
		      const struct found *found);
/* The id of the fix by which a mender settles a finding: all findings about an object that it mends have the same. */
uint64_t fix_plan_id(const struct geometry *geo, enum mend_kind kind, const struct found *found);
/* Fixes that were made although no line has them: others took their place. */
uint64_t fix_plan_beside(const struct fix_plan *plan, const uint64_t **ret_ids);
/* Write the file of --plan; proven: with all fixes, the file system is sound. 0 or negative errno. */
int fix_plan_write(struct fix_plan *plan, bool proven);

/* Read a plan: the ids of all its fixes, and of those whose lines are there.  False: it is none, or damaged. */
struct plan_ids {
	struct plan_of of;
	struct number_set all, wanted;
};
bool plan_read(struct json_in *json, struct plan_ids *ret_ids);
void plan_ids_free(struct plan_ids *ids);

/* What those who write a plan and those who read it must agree on. */

#define PLAN_FORMAT    1u
#define PLAN_ID_DIGITS 16u   /* of an id, in hexadecimal */
#define PLAN_IDS_LINE  1000u /* ids in a line, at most */

#endif
