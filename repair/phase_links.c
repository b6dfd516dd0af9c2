/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Closes the ledger when all facts are in, and makes the comparisons that need no evidence (ondisk 12). */
#include <errno.h>

#include "check/books/books.h"
#include "check/books/doubts.h"
#include "log/leftovers.h"
#include "repair.h"
#include "report.h"
#include "check/walk/walker.h"

/*
 * Reports extents staged for copy on write in a file system with a clean log: they are lost space, since an unmount
 * leaves none and a mount frees none.
 */
static void report_staged(const struct repair *rc, struct walker *w)
{
	for (uint32_t i = 0; i < group_count(&rc->geo); i++) {
		const group_t group = { i };
		const uint64_t staged = traverse_staged(rc->traverse, group);

		if (!staged)
			continue;
		w->place = place_of_group(&rc->geo, group, OBJ_REFCBT, OBJ_RTREFCBT);
		walk_problem(w, F_REFCOUNT_STAGED, NO_INDEX, staged, 0);
	}
}

enum phase_result phase_links(struct repair *rc)
{
	struct walker *w = rc->traverse->walkers[0];
	int ret;

	ledger_close(rc->ledger);
	if (rc->doubts)
		doubts_close(rc->doubts);
	if (rc->traverse->incomplete)
		report_note(rc->report, "Some metadata is unreadable or corrupt (see below). Mismatches found "
					"elsewhere may be a consequence of that.");
	counters_check(rc, w);
	rt_check(rc, w);
	ret = connectivity_check(rc, w);
	if (ret)
		return failed(rc, "the table of directories (TMPDIR, /var/tmp)", ret);
	if (quota_check(rc, w))
		return failed(rc, "quotas", -ENOMEM);
	leftovers_tell(rc, unlinked_check(rc, w));
	if (leftovers_stay(rc))
		report_staged(rc, w);
	return PHASE_DONE;
}
