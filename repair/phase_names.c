/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers --name-of without a check, if nothing else is asked and everything read for the answer is sound.  Otherwise
 * the run continues, and phase inventory answers.
 */
#include <errno.h>

#include "ask/table.h"
#include "ask/names/name_search.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "report/html_out.h"
#include "run.h"

/* True if damage is known: the answer then waits until it is mended in memory. */
static bool any_found(const struct repair *rc)
{
	bool any;

	findings_settle(rc->findings);
	any = findings_next(rc->findings) != NULL;
	findings_rewind(rc->findings);
	return any;
}

/* Prints the names, also on the page.  Returns 0 or a negative errno. */
static int tell(struct repair *rc, const struct name_search *search)
{
	FILE *out = report_answer_begin(rc->report);
	struct html *page = report_answer_page(rc->report);
	struct answer_copy *copy = out && page ? answer_copy_begin(out, page, HTML_NAME_OF, &out) : NULL;
	const int ret = !out || (page && !copy) ? -ENOMEM : name_of_tell(rc, search, out);

	answer_copy_end(copy);
	report_answer_end(rc->report);
	return ret;
}

enum phase_result phase_names(struct repair *rc)
{
	const struct query *query = &rc->run->options->query;
	struct numbers_asked *asked = &rc->run->names_asked;
	struct name_search *search = NULL;
	enum phase_result result = PHASE_DONE;
	char why[NUMBERS_WHY];
	int ret;

	if (!query->name_of)
		return PHASE_DONE;
	if (numbers_asked_read(query->name_of, asked, why))
		return trouble(rc, why);
	if (query_any_but_names(query) || any_found(rc))
		return PHASE_DONE;
	ret = name_search_new(rc, asked->all, asked->count, false, &search);
	if (!ret && !name_search_doubtful(search)) {
		ret = tell(rc, search);
		report_unchecked(rc->report);
		result = PHASE_ANSWERED;
	}
	name_search_free(search);
	return ret ? failed(rc, "what was asked", ret) : result;
}
