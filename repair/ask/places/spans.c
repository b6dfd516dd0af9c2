/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the lookup table. */
#include "spans.h"

#include <errno.h>
#include <stdlib.h>

#include "sets/ordered.h"

#define CELLS_LEAST 4096u
#define CELLS_SPAN  8u /* approximate cells per span, so that a search takes few steps */

size_t spans_join(struct span *v, size_t count)
{
	size_t kept = 0;

	ordered_sort(v, count, MEMBERS(MEMBER(v, start), MEMBER(v, end)));
	for (size_t i = 0; i < count; i++) {
		if (!kept || v[i].start > v[kept - 1].end)
			v[kept++] = v[i];
		else if (v[i].end > v[kept - 1].end)
			v[kept - 1].end = v[i].end;
	}
	return kept;
}

int spans_settle(struct spans *spans, struct span *ranges, size_t count, uint64_t end)
{
	size_t at = 0;

	*spans = (struct spans){ .v = ranges, .count = spans_join(ranges, count) };
	while (end >> spans->cell_log > CELLS_LEAST + (uint64_t)spans->count * CELLS_SPAN)
		spans->cell_log++;
	spans->cells = (end >> spans->cell_log) + 1;
	spans->first = malloc((spans->cells + 1) * sizeof(*spans->first));
	if (!spans->first)
		return -ENOMEM;
	for (uint64_t cell = 0; cell <= spans->cells; cell++) {
		while (at < spans->count && spans->v[at].end <= cell << spans->cell_log)
			at++;
		spans->first[cell] = (uint32_t)at;
	}
	return 0;
}

void spans_free(struct spans *spans)
{
	free(spans->v);
	free(spans->first);
	*spans = (struct spans){ 0 };
}
