/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expectations and visitors for the targets that decode btrees and extent maps. */
#ifndef XFSCK_TESTS_FUZZ_BTREE_H
#define XFSCK_TESTS_FUZZ_BTREE_H

#include "fuzz.h"

static const struct bmap_rules fuzz_bmap_rules = { .unwritten_ok = true, .max_off = 1ull << 54 };

static inline struct btree_expect fuzz_btree_expect(const struct fuzz *f, enum btree_kind kind)
{
	return (struct btree_expect){
		.kind = kind,
		.agno = { f->geo.agcount - 1 },
		.agbno = { 100 },
		.owner = kind >= BT_AG_NR ? FUZZ_OWNER : f->geo.agcount - 1,
		.rgno = f->geo.rgcount - 1,
		.rules = kind == BT_BMAP ? &fuzz_bmap_rules : NULL,
	};
}

static inline void fuzz_btree_record(void *ctx, const union btree_record *record, uint32_t index)
{
	const struct fuzz *f = ctx;

	fuzz_promise(index < f->limit);
	fuzz_touch(record, sizeof(uint64_t));
}

static inline void fuzz_btree_child(void *ctx, const struct btree_expect *child)
{
	const struct fuzz *f = ctx;

	fuzz_promise(agbno_valid(&f->geo, child->agno, child->agbno));
	fuzz_touch(&child->low, sizeof(child->low));
}

#define fuzz_btree_visitor(f)                                                                                          \
	((const struct btree_visitor){ .ctx = (f), .record = fuzz_btree_record, .child = fuzz_btree_child })

#endif
