/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the paths of the inodes that findings are about. */
#include "log/log_losses.h"
#include "check/names/search.h"
#include "repair.h"
#include "report.h"
#include "report/finding_text.h"
#include "report/findings.h"
#include "run.h"

/* Wants the names of the inodes that shown findings are about, or that their messages mention.  0 or -ENOMEM. */
static int want_of_findings(struct search *s)
{
	struct findings *findings = s->rc->findings;
	const struct found *found;
	int ret = 0;

	findings_settle(findings);
	while (!ret && (found = findings_next_shown(findings))) {
		if (found->problem.finding == F_INODE_ORPHAN)
			ret = ino_set_put(&s->nameless, found->place.ino);
		if (!ret)
			ret = search_want(s, finding_text_place_inode(&found->place));
		if (!ret)
			ret = search_want(s, finding_text_got_inode(&found->problem));
		if (!ret)
			ret = search_want(s, finding_text_want_inode(&found->problem));
	}
	findings_rewind(findings);
	return ret;
}

/* Wants the names of inodes that menders reconnected.  Returns 0 or -ENOMEM. */
static int want_reattached(struct search *s)
{
	const struct reattachments *list = &s->rc->run->reattached;
	int ret = 0;

	for (size_t i = 0; i < list->count && !ret; i++)
		ret = search_want(s, list->all[i].ino);
	return ret;
}

enum phase_result phase_paths(struct repair *rc)
{
	struct search s;
	int ret = search_begin(&s, rc);

	s.hints = &rc->namers;
	if (!ret)
		ret = log_losses_name(rc);
	if (!ret)
		ret = want_of_findings(&s);
	if (!ret)
		ret = want_reattached(&s);
	if (!ret)
		ret = search_run(&s);
	if (search_end(&s, ret, &rc->paths))
		report_note(rc->report, "The paths of the affected inodes could not be determined.");
	return PHASE_DONE;
}
