/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the findings of one check for the rounds of mending (rounds.h).  The menders of a finding are determined
 * once.  Sets of findings are compared by fingerprints that don't depend on their order.
 */
#include "damage.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "array.h"
#include "mend/base/mend_table.h"
#include "mend/base/menders.h"
#include "mends.h"
#include "report.h"
#include "report/findings.h"

/* True if a mender wants the finding of another one (mend_of()), because it may know better what is wrong. */
static bool mend_wants(const struct found *found, enum mend_kind kind)
{
	static mend_wants_fn *const wants[MEND_NR] = {
/* clang-format off */
#define OWN(name) NULL
#define MORE(name) mend_##name##_wants
#define x(name, stage, rank, joins, wants, space, sure, text) [MEND_##name] = wants(name),
		/* clang-format on */
		MEND_TABLE(x)
#undef x
	};

	return wants[kind] && wants[kind](found);
}

_Static_assert(MEND_NR <= 64, "a bit for each way of mending");

int damage_add(struct damage *d, const struct found *found)
{
	const uint64_t print = found_fingerprint(found);
	const enum mend_kind settles = mend_of(found);
	uint64_t kinds = 0;

	if (array_grow(&d->found, &d->found_room, d->count, sizeof(*d->found)) ||
	    array_grow(&d->kinds, &d->kinds_room, d->count, sizeof(*d->kinds)))
		return -ENOMEM;
	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++) {
		if (kind != settles && !mend_wants(found, kind))
			continue;
		kinds |= 1ull << kind;
		d->prints[kind] += print;
		d->prints[kind] += !d->prints[kind];
	}
	d->all += print;
	d->all += !d->all;
	d->found[d->count] = *found;
	d->kinds[d->count++] = kinds;
	return 0;
}

int damage_collect(struct damage *d, struct findings *findings)
{
	const struct found *found;
	/* findings that were only counted, for lack of memory, would be taken as mended */
	int ret = findings_starved(findings) ? -ENOMEM : 0;

	damage_free(d);
	findings_rewind(findings);
	while (!ret && (found = findings_next(findings)))
		if (finding_is_damage(found->problem.finding))
			ret = damage_add(d, found);
	findings_rewind(findings);
	return ret;
}

size_t damage_of_kind(const struct damage *d, enum mend_kind kind, struct found *some)
{
	size_t count = 0;

	for (size_t i = 0; i < d->count; i++)
		if (d->kinds[i] >> kind & 1)
			some[count++] = d->found[i];
	return count;
}

void damage_free(struct damage *d)
{
	free(d->found);
	free(d->kinds);
	*d = (struct damage){ 0 };
}
