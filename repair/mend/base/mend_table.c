/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of include/mends.h that determine when a mender has its turn. */
#include "mend_table.h"

static const struct {
	enum mend_stage stage;
	unsigned rank;
	enum mend_joins joins;
	bool tells;
} kinds[MEND_NR] = {
#define FORGETS false
#define TELLS	true
#define x(name, stage, rank, joins, wants, space, sure, text)                                                          \
	[MEND_##name] = { STAGE_##stage, rank, JOINS_##joins, space },
	MEND_TABLE(x)
#undef x
};

enum mend_stage mend_stage(enum mend_kind kind)
{
	return kinds[kind].stage;
}

const char *mend_stage_words(enum mend_stage stage)
{
	static const char *const words[STAGE_NR] = {
#define x(name, words, depths) [STAGE_##name] = (words),
		MEND_STAGES(x)
#undef x
	};

	return words[stage];
}

enum mend_joins mend_joins(enum mend_kind kind)
{
	return kinds[kind].joins;
}

bool mend_tells_claims(enum mend_kind kind)
{
	return kinds[kind].tells;
}

enum mend_kind mend_next(enum mend_stage stage, enum mend_kind before)
{
	const unsigned rank = before == MEND_NOTHING ? 0 : kinds[before].rank;
	enum mend_kind next = MEND_NOTHING;

	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++)
		if (kinds[kind].stage == stage && kinds[kind].rank > rank &&
		    (next == MEND_NOTHING || kinds[kind].rank < kinds[next].rank))
			next = kind;
	return next;
}
