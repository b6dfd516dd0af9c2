/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When all facts are in: closes the ledger and makes those comparisons that need no evidence (ondisk 12). */
#include <errno.h>

#include "check/books/books.h"
#include "check/books/doubts.h"
#include "log/leftovers.h"
#include "repair.h"
#include "report.h"
#include "check/walk/walker.h"

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
	leftovers_tell(rc, w, unlinked_check(rc, w));
	return PHASE_DONE;
}
