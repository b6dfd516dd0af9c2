/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds blocks for a new bmbt when no block is known to be free: zeroes in the middle of many other blocks of zeroes,
 * none of them claimed, nor listed in what is left of the rmapbt.  Some may belong to a file whose map is lost, but
 * that loses zeroes only, and without new blocks nothing could be mended.
 */
#include "mend_space.h"

#include <errno.h>
#include <stdlib.h>

#include "mend/base/mend.h"
#include "repair.h"
#include "mend/collect/mend_survey.h"
#include "zeroes.h"

#define RUN	 64u   /* blocks of zeroes in a row; the middle half is taken */
#define RUNS_MAX 1024u /* maximum number of runs to read */

struct search {
	struct mend *m;
	uint8_t *bytes; /* buffer for a run */
	uint32_t tries; /* runs read */
};

static bool is_zeroes(struct search *s, agno_t agno, uint64_t agbno)
{
	const struct geometry *geo = &s->m->now->geo;
	const size_t len = (size_t)RUN << geo->block_log;
	const uint64_t offset = ag_offset(geo, agno) + (agbno << geo->block_log);

	s->tries++;
	return !mend_read_once(s->m, s->bytes, offset, len) && all_zero(s->bytes, len);
}

/* Takes up to `need` blocks from the unowned blocks [start, start + len) of an AG. Returns their number. */
static uint32_t take_between(struct search *s, agno_t agno, uint64_t start, uint64_t len, fsbno_t *blocks,
			     uint32_t need)
{
	uint32_t done = 0;

	for (uint64_t at = start; at + RUN <= start + len && done < need && s->tries < RUNS_MAX; at += RUN) {
		if (!is_zeroes(s, agno, at))
			continue;
		for (uint32_t i = RUN / 4; i < RUN - RUN / 4 && done < need; i++)
			blocks[done++] = fsbno_of(&s->m->now->geo, agno, (agbno_t){ (uint32_t)(at + i) });
	}
	return done;
}

int mend_space_take_zeroes(struct mend *m, const struct mend_survey *owners, fsbno_t *blocks, uint32_t need)
{
	struct search s = { .m = m };
	uint32_t done = 0;

	m->zeroes.wanted = true;
	if (!m->zeroes.allowed)
		return -ENOSPC;
	s.bytes = malloc((size_t)RUN << m->now->geo.block_log);
	if (!s.bytes)
		return -ENOMEM;
	for (uint32_t ag = 0; ag < owners->agcount && done < need; ag++) {
		const struct survey_ag *of = &owners->ags[ag];
		uint64_t start, end;

		for (uint64_t at = 0; at < of->claimed.to && done < need; at = end) {
			start = block_map_next(&of->claimed, &of->mapped, at, false);
			end = block_map_next(&of->claimed, &of->mapped, start, true);
			done += take_between(&s, (agno_t){ ag }, start, end - start, blocks + done, need - done);
		}
	}
	free(s.bytes);
	return done < need ? -ENOSPC : 0;
}
