/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program is asked to do: a check, a repair, or something in the place of one. */
#include <string.h>

#include "option_parser.h"

/* What can be asked for in place of a check or a plain repair. */
struct deed {
	const char *name;
	bool given, reads; /* reads: it writes nothing to the device */
};

#define DEEDS 6u

static void list_deeds(const struct options *o, struct deed ret[static DEEDS])
{
	const struct deed deeds[DEEDS] = {
		{ "--rollback", o->rollback, false },
		{ "--preview", o->preview, true },
		{ "--apply", o->apply, false },
		{ "--plan", o->plan, true },
		/* a preview may be of what is left in a plan */
		{ "--plan-apply", o->plan_apply && !o->preview, false },
		{ "a question about files", query_any(&o->query), true },
	};

	memcpy(ret, deeds, sizeof(deeds));
}

const char *option_deed(const struct options *o)
{
	struct deed deeds[DEEDS];

	list_deeds(o, deeds);
	for (size_t i = 0; i < DEEDS; i++)
		if (deeds[i].given)
			return deeds[i].name;
	return o->no_modify ? NULL : "a repair";
}

enum options_result option_refuse_second_deed(const struct parser *p)
{
	const struct options *o = &p->options;
	struct deed deeds[DEEDS];
	const char *first = NULL;

	list_deeds(o, deeds);
	for (size_t i = 0; i < DEEDS; i++) {
		if (!deeds[i].given)
			continue;
		if (first)
			return option_refuse(p, "%s and %s can't be done in one run: give one of them", first,
					     deeds[i].name);
		if (deeds[i].reads && (o->undo || o->commit_unproven))
			return option_refuse(
				p, "%s writes nothing to the device, so there is nothing to keep or to commit",
				deeds[i].name);
		first = deeds[i].name;
	}
	if (o->preview && o->no_modify)
		return option_refuse(p, "--preview writes a repair, if only to a file: -n makes none");
	if (o->apply && (o->commit_unproven || o->discard_log || o->log != LOG_REPLAY))
		return option_refuse(
			p, "--apply makes the repair that was previewed: how it is made was said to --preview");
	return OPTIONS_RUN;
}
