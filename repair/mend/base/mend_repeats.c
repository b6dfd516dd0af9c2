/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts in how many rounds a mender settled the same finding (mend.h).  Within a round it may do so several times:
 * lost blocks that lie side by side are one finding, but may belong to many directories.
 */

#include "mend.h"
#include "mend_table.h"

#define NOTED_MAX (1u << 18) /* maximum number of hashes per set: memory must not grow with the damage */

uint64_t found_fingerprint(const struct found *f)
{
	const uint64_t parts[] = { f->problem.finding, f->problem.got, f->problem.want,	 f->problem.index,
				   f->place.agno.v,    f->place.ino.v, f->place.agbno.v, f->place.fileoff.v };
	uint64_t sum = 0;

	for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
		sum = (sum ^ parts[k]) * 0x9e3779b97f4a7c15u + 1;
		sum ^= sum >> 32; /* mixes in the high bits, and avoids sums that are multiples of one constant */
	}
	sum *= 0xd6e8feb86659fd93u;
	return sum | 1;
}

/* Returns a hash of a finding and the mender at work. */
static uint64_t hash_with_mender(const struct mend *m, const struct found *found)
{
	return found_fingerprint(found) + m->kind * 0x9e3779b97f4a7c15u;
}

/* True if the same finding means the same damage. Not for AG btrees: they are rebuilt for any change. */
static bool is_telling(const struct mend *m)
{
	return mend_stage(m->kind) != STAGE_SPACE;
}

void mend_repeats_note(struct mend *m, const struct found *found)
{
	const uint64_t hash = hash_with_mender(m, found);

	if (!is_telling(m) || number_set_has(&m->round.repeats, hash))
		return;
	(void)number_set_add(&m->round.repeats, hash); /* without memory, counted again */
	for (unsigned i = 0; i < REPEATS_MAX; i++) {
		struct number_set *set = &m->repeats.sets[i];

		if (!number_set_has(set, hash)) {
			if (set->count < NOTED_MAX)
				(void)number_set_add(set, hash); /* without memory, not counted */
			return;
		}
	}
}

bool mend_repeats_is_stuck(const struct mend *m, const struct found *found)
{
	return is_telling(m) && number_set_has(&m->repeats.sets[REPEATS_MAX - 1], hash_with_mender(m, found));
}

void mend_repeats_free(struct mend_repeats *repeats)
{
	for (unsigned i = 0; i < REPEATS_MAX; i++)
		number_set_free(&repeats->sets[i]);
}
