/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of --trace about menders and checks. */
#include "damage.h"
#include "mend/base/mend_table.h"
#include "mend_run.h"
#include "repair.h"
#include "report/trace.h"
#include "report/mender.h"
#include "run.h"

#include <string.h>

static const char *findings(size_t count)
{
	return count == 1 ? "finding" : "findings";
}

static uint64_t dropped(const struct mend *m)
{
	return m->drops.count + m->drops.left_out;
}

struct mend_trace mend_trace_begin(const struct mend *m)
{
	return (struct mend_trace){ trace_now(m->rc->run->trace), m->done, dropped(m), m->in_vain };
}

static void begin_mender(const struct mend *m, size_t given)
{
	trace_say(m->rc->run->trace, "round %u, %s: %s %zu %s", m->rounds, mend_stage_words(mend_stage(m->kind)),
		  mender_name(m->kind), given, findings(given));
}

void mend_trace_mender(const struct mend *m, size_t given, const struct mend_trace *before, int ret)
{
	struct trace *t = m->rc->run->trace;
	const unsigned long long drops = dropped(m) - before->dropped, in_vain = m->in_vain - before->in_vain;

	begin_mender(m, given);
	trace_say(t, ", %llu mended", (unsigned long long)(m->done - before->done));
	if (drops)
		trace_say(t, ", %llu records dropped", drops);
	if (in_vain)
		trace_say(t, ", no space %llu times", in_vain);
	if (ret)
		trace_say(t, ", given up: %s", strerror(-ret));
	trace_end(t, before->start);
}

void mend_trace_same(const struct mend *m, const struct damage *damage)
{
	struct trace *t = m->rc->run->trace;
	size_t given = 0;

	for (size_t i = 0; t && i < damage->count; i++)
		given += damage->kinds[i] >> m->kind & 1;
	begin_mender(m, given);
	trace_say(t, ", not asked: it was given the same before");
	trace_end(t, 0);
}

/* Counts each finding for the mender that settles it only, so that the numbers add up. */
static void say_menders(struct trace *t, const struct damage *damage)
{
	size_t counts[MEND_NR] = { 0 };
	const char *separator = ": ";

	for (size_t i = 0; i < damage->count; i++)
		counts[mend_of(&damage->found[i])]++;
	for (enum mend_kind kind = 0; kind < MEND_NR; kind++) {
		if (!counts[kind])
			continue;
		trace_say(t, "%s%zu for %s", separator, counts[kind], mender_name(kind));
		separator = ", ";
	}
}

void mend_trace_check(const struct mend *m, const struct damage *damage, const char *depth, uint64_t start)
{
	struct trace *t = m->rc->run->trace;

	if (!t)
		return;
	trace_say(t, "check %u, depth %s: %zu %s", m->checks, depth, damage->count, findings(damage->count));
	say_menders(t, damage);
	trace_end(t, start);
}
