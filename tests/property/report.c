/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "report.h"
#include "table.h"

/* Leftovers must be few, and damage of each kind must have been found, or the test is worthless. */
static bool report_kind(enum kind kind, const struct score *s)
{
	bool good = s->missed == 0 && s->broken == 0 && s->found > 0 && s->stale <= s->live;

	if (good)
		printf("ok %s\n", kind_name(kind));
	else
		printf("not ok %s: of %u damages %u not found, %u broke the checker; %u found, %u excused; "
		       "%u objects live, %u stale\n",
		       kind_name(kind), s->trials, s->missed, s->broken, s->found, s->excused, s->live, s->stale);
	return good;
}

static void report_fields(const struct catalog *catalog)
{
	for (size_t i = 0; i < catalog->ngroups; i++) {
		const struct group *g = &catalog->groups[i];

		for (unsigned f = 0; f < g->structure->nfields; f++)
			printf("# %s: %s, %s: %u trials, %u found, %u excused\n", kind_name(g->kind),
			       g->structure->name, g->structure->fields[f].name, g->tallies[f].tried,
			       g->tallies[f].found, g->tallies[f].excused);
	}
}

static bool occurs(const struct catalog *catalog, const struct structure *structure)
{
	for (size_t i = 0; i < catalog->ngroups; i++)
		if (catalog->groups[i].structure == structure)
			return true;
	return false;
}

bool report(const struct trials *trials, bool verbose)
{
	const struct structure *s;
	bool good = true;

	if (verbose)
		report_fields(trials->catalog);
	for (size_t i = 0; (s = table_get(i)); i++)
		if (!occurs(trials->catalog, s))
			printf("note not in these images: %s\n", s->name);
	for (enum kind kind = 0; kind < KIND_NR; kind++)
		good &= report_kind(kind, &trials->scores[kind]);
	return good;
}
