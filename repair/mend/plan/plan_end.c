/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends the use of a plan (mend_run.h). */
#include "mend_run.h"

#include <string.h>

#include "damage.h"
#include "mend/base/fix_plan.h"
#include "repair.h"
#include "report/mender.h"
#include "report.h"
#include "report/words.h"
#include "run.h"

#define LISTED 8u /* maximum number of ids in a note; a new plan has all of them */

static void add_id(struct words *w, size_t *count, uint64_t id, const char *mender)
{
	if ((*count)++ < LISTED)
		words_add(w, "%s%016llx%s%s%s", *count > 1 ? ", " : "", (unsigned long long)id, mender ? " (" : "",
			  mender ? mender : "", mender ? ")" : "");
}

static void end_list(const struct mend *m, struct words *w, size_t count)
{
	if (count > LISTED) {
		words_add(w, " and ");
		words_add_number(w, count - LISTED);
		words_add(w, " more");
	}
	words_add(w, ".");
	report_note(m->rc->report, w->text);
}

/* Reports the fixes deleted from the plan that the remaining damage needs. 0 or -ENOMEM. */
static int tell_lacking(const struct mend *m, const struct damage *left)
{
	struct number_set listed = { 0 };
	struct words w = { 0 };
	size_t count = 0;
	int ret = 0;

	words_add(&w, "The plan needs these fixes too: ");
	for (size_t i = 0; i < left->count && ret >= 0; i++) {
		for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR && ret >= 0; kind++) {
			if (!(left->kinds[i] >> kind & 1) ||
			    !fix_plan_forbids(m->rc->run->plan, &m->now->geo, kind, &left->found[i]))
				continue;
			const uint64_t id = fix_plan_id(&m->now->geo, kind, &left->found[i]);

			ret = number_set_add(&listed, id);
			if (ret == 1)
				add_id(&w, &count, id, mender_name(kind));
		}
	}
	number_set_free(&listed);
	if (count)
		end_list(m, &w, count);
	return ret < 0 ? ret : 0;
}

/* Reports the fixes made instead of deleted ones. */
static void tell_beside(const struct mend *m)
{
	const uint64_t *ids;
	const uint64_t beside = fix_plan_beside(m->rc->run->plan, &ids);
	struct words w = { 0 };
	size_t count = 0;

	m->rc->run->beside = beside;
	if (!beside)
		return;
	words_add(&w, "Nothing is written: the remaining fixes of the plan require others, which it does not have: ");
	for (size_t i = 0; i < beside && ids; i++)
		add_id(&w, &count, ids[i], NULL);
	end_list(m, &w, count);
}

static enum phase_result write_plan(const struct mend *m)
{
	const int ret = fix_plan_write(m->rc->run->plan, !m->rc->run->mended.left);
	struct words sentence = { 0 };

	if (!ret)
		return PHASE_DONE;
	words_add(&sentence, "can't write the plan to %s: %s", m->rc->run->options->plan, strerror(-ret));
	return trouble(m->rc, sentence.text);
}

enum phase_result plan_end(struct mend *m, const struct damage *left)
{
	int ret;

	if (m->rc->run->options->plan)
		return write_plan(m);
	tell_beside(m);
	ret = left->count ? tell_lacking(m, left) : 0;
	return ret ? failed(m->rc, "mending", ret) : PHASE_DONE;
}
