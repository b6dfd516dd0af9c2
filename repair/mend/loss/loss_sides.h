/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about one inode that are the same but for the side that they come from. */
#ifndef XFSCK_REPAIR_LOSS_SIDES_H
#define XFSCK_REPAIR_LOSS_SIDES_H

#include "loss_compare.h"

/* A difference of this kind about an inode, which the caller fills. */
static inline struct loss loss_of(const struct inode_facts *f, enum loss_kind kind, enum loss_fate fate)
{
	return (struct loss){ .kind = (uint8_t)kind,
			      .fate = (uint8_t)fate,
			      .ftype = f->ftype,
			      .ino = f->ino,
			      .dir = { NULL_INO },
			      .now_dir = { NULL_INO },
			      .count = 1 };
}

/* How many of some facts that are the same but for their side come from each side. */
struct sides {
	size_t count;				    /* of facts */
	const struct loss_fact *of[SIDE_AFTER + 1]; /* the first of that side; NULL: none */
};

/* The facts from `at` on that are the same. */
static inline struct sides sides_at(const struct fact_range *r, size_t at,
				    bool (*same)(const struct loss_fact *, const struct loss_fact *))
{
	struct sides s = { 0 };

	for (; at + s.count < r->count && same(r->all[at], r->all[at + s.count]); s.count++) {
		const struct loss_fact *fact = r->all[at + s.count];

		if (!s.of[fact->side])
			s.of[fact->side] = fact;
	}
	return s;
}

/* True if the facts were there before, and are not any more; and the other way round. */
static inline bool is_lost(const struct sides *s)
{
	return !s->of[SIDE_AFTER] && (s->of[SIDE_BEFORE] || s->of[SIDE_DROPPED]);
}

static inline bool is_gained(const struct sides *s)
{
	return s->of[SIDE_AFTER] && !s->of[SIDE_BEFORE] && !s->of[SIDE_DROPPED];
}

/* Who tells of facts that are lost. */
static inline enum loss_witness witness_of(const struct sides *s)
{
	return s->of[SIDE_BEFORE] ? WITNESS_BLOCK : WITNESS_ROUND;
}

#endif
