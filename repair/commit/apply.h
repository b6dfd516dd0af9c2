/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making the repair that a preview holds (--apply). */
#ifndef XFSCK_REPAIR_APPLY_H
#define XFSCK_REPAIR_APPLY_H

#include "phases.h"
#include "preview_list.h"
#include "report/json_in.h"

struct commit;
struct qcow;
struct repair;

/* A preview that is open, and then staged. */
struct applied {
	struct preview_head head;
	struct qcow *overlays[UNDO_DEVICES]; /* NULL: there is none */
	struct json_in list;
};

/*
 * Open the preview that the user names, without looking at what is in it, and set rc->run->applied.  PHASE_DONE, or
 * PHASE_FAILED after the user has been told why.
 */
enum phase_result apply_open(struct repair *rc);
/*
 * Find out whether the devices are what they were when the preview was made, and stage what it holds, so that a check
 * sees the result, and a commit writes it.  The same.
 */
enum phase_result apply_begin(struct repair *rc);
/* Copy the redo record from the preview to its place. 0 or negative errno. */
int apply_redo(struct commit *c);
void apply_end(struct repair *rc);

#endif
