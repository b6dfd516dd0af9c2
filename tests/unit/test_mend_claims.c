/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/collect/mend_claims.c: look-ups about claims give the same as going over all records and findings. */
#include <stdlib.h>

#include "btrees.h"
#include "../../repair/mend/collect/mend_claims.h"

enum { INODES = 4, RECORDS = 60, CLAIMS = 80, AG = 1, BLOCKS = 30, OFFS = 40, FIRST_INO = 131 };

struct many {
	struct geometry geo;
	struct ino_fact rmap[RECORDS];
	struct mend_facts facts;
	struct found claims[CLAIMS];
};

static uint32_t below(uint32_t n)
{
	return (uint32_t)random() % n;
}

static xino_t any_ino(void)
{
	return (xino_t){ FIRST_INO + below(INODES) };
}

/* The order that mend_facts_of() relies on. */
static int by_place(const void *a, const void *b)
{
	const struct ino_fact *x = a, *y = b;
	const uint64_t of_x[] = { x->ino.v, x->kind, x->flags & RMAP_ATTR, x->off.v, x->value };
	const uint64_t of_y[] = { y->ino.v, y->kind, y->flags & RMAP_ATTR, y->off.v, y->value };

	for (unsigned i = 0; i < 5; i++)
		if (of_x[i] != of_y[i])
			return of_x[i] < of_y[i] ? -1 : 1;
	return 0;
}

/* Makes records that overlap in files and on the device, as damage can leave them, of both forks and of bmbts. */
static void put_records(struct many *f)
{
	for (unsigned i = 0; i < RECORDS; i++) {
		const uint8_t flags[] = { 0, 0, RMAP_ATTR, RMAP_BMBT, RMAP_UNWRITTEN };
		const bool realtime = below(4) == 0;
		const uint32_t start = below(BLOCKS);

		f->rmap[i] = (struct ino_fact){
			.ino = any_ino(),
			.kind = realtime ? FACT_RTRMAP : FACT_RMAP,
			.flags = flags[below(5)],
			.len = 1 + below(8),
			.value = realtime ? rtbno_of(&f->geo, 0, (gbno_t){ start }).v
					  : fsbno_of(&f->geo, (agno_t){ AG }, (agbno_t){ start }).v,
			.off = { below(OFFS) },
		};
	}
	qsort(f->rmap, RECORDS, sizeof(*f->rmap), by_place);
	f->facts = (struct mend_facts){ f->rmap, RECORDS };
}

static void put_claims(struct many *f)
{
	for (unsigned i = 0; i < CLAIMS; i++) {
		const enum finding findings[] = { F_SPACE_CLAIMED_TWICE, F_SPACE_FREE_IN_USE, F_INODE_NBLOCKS_XREF };
		const enum finding finding = findings[i % 16 ? below(2) : 2];
		struct place place = place_of(finding == F_INODE_NBLOCKS_XREF ? OBJ_INODE
					      : below(3)		      ? OBJ_DATA_FORK
									      : OBJ_ATTR_FORK);

		place.ino = any_ino();
		place.fileoff.v = below(OFFS);
		if (finding != F_INODE_NBLOCKS_XREF && below(4) == 0) {
			place.rgno = 0;
			place.rgbno.v = below(BLOCKS);
		} else {
			place.agno.v = AG;
			place.agbno.v = below(BLOCKS);
		}
		f->claims[i] = (struct found){ place, { finding, 0, NO_INDEX, below(3), any_ino().v }, 1, false };
		if (finding == F_INODE_NBLOCKS_XREF)
			f->claims[i].problem.want = 2;
	}
}

/* Returns the first of all records that has the block. */
static const struct ino_fact *naive_rmap(const struct many *f, const struct found *claim, xino_t ino)
{
	const struct place *p = &claim->place;
	const bool realtime = p->rgno != NO_RGNO;
	const uint64_t block =
		realtime ? rtbno_of(&f->geo, p->rgno, p->rgbno).v : fsbno_of(&f->geo, p->agno, p->agbno).v;

	for (unsigned i = 0; i < RECORDS; i++) {
		const struct ino_fact *r = &f->rmap[i];

		if (r->ino.v == ino.v && r->kind == (realtime ? FACT_RTRMAP : FACT_RMAP) && r->value <= block &&
		    block < r->value + r->len)
			return r;
	}
	return NULL;
}

/* Fails unless the records found are those of the fork with the largest start that is not after the claim's. */
static void assert_there(const struct many *f, const struct claims *c, const struct found *claim)
{
	const uint8_t fork = claim->place.object == OBJ_ATTR_FORK ? RMAP_ATTR : 0;
	const struct ino_fact *first = NULL, *got;
	size_t count = 0, n;

	for (unsigned i = 0; i < RECORDS; i++) {
		const struct ino_fact *r = &f->rmap[i];

		if (r->ino.v != claim->place.ino.v || r->kind != FACT_RMAP || (r->flags & RMAP_ATTR) != fork ||
		    r->off.v > claim->place.fileoff.v)
			continue;
		if (!first || r->off.v != first->off.v) {
			first = r;
			count = 0;
		}
		count++;
	}
	got = claims_rmap_there(c, claim, &n);
	assert_int_equal(n, count);
	if (count)
		assert_ptr_equal(got, first);
}

static bool same_block(const struct place *a, const struct place *b)
{
	return a->agno.v == b->agno.v && a->agbno.v == b->agbno.v && a->rgno == b->rgno && a->rgbno.v == b->rgbno.v;
}

static void assert_other(const struct claims *c, const struct found *claim)
{
	const struct found *other = claims_other(c, claim);
	bool any = false;

	for (size_t i = 0; i < c->count; i++) {
		const struct found *f = &c->found[i];

		any |= f != claim && f->place.ino.v == claim->problem.want && same_block(&f->place, &claim->place) &&
		       f->problem.finding == F_SPACE_CLAIMED_TWICE;
	}
	assert_int_equal(other != NULL, any);
	if (!other)
		return;
	assert_ptr_not_equal(other, claim);
	assert_int_equal(other->place.ino.v, claim->problem.want);
	assert_int_equal(other->problem.finding, F_SPACE_CLAIMED_TWICE);
	assert_true(same_block(&other->place, &claim->place));
}

static void lookups_tell_what_going_over_all_of_them_does(void **state)
{
	unsigned confirmed = 0, others = 0;

	(void)state;
	srandom(1);
	for (unsigned run = 0; run < 300; run++) {
		struct many f = { .geo = btrees_geometry() };
		struct claims c;

		put_records(&f);
		put_claims(&f);
		assert_int_equal(claims_new(&f.geo, f.claims, CLAIMS, &f.facts, &c), 0);
		assert_int_equal(c.count, CLAIMS);
		for (size_t i = 0; i < c.count; i++) {
			const struct found *claim = &c.found[i];
			const xino_t mine = claim->place.ino, want = { claim->problem.want };

			if (claim->problem.finding == F_INODE_NBLOCKS_XREF) {
				if (claim->problem.got < 2)
					assert_true(ino_set_has(&c.too_many, mine));
				continue;
			}
			assert_ptr_equal(claims_rmap(&c, claim, mine), naive_rmap(&f, claim, mine));
			confirmed += claims_rmap(&c, claim, mine) != NULL;
			assert_there(&f, &c, claim);
			if (claim->problem.finding != F_SPACE_CLAIMED_TWICE)
				continue;
			assert_ptr_equal(claims_rmap(&c, claim, want), naive_rmap(&f, claim, want));
			assert_other(&c, claim);
			others += claims_other(&c, claim) != NULL;
		}
		claims_free(&c);
	}
	/* both cases occurred often */
	assert_true(confirmed > 1000 && others > 1000);
}

/* A count of blocks that is too large is a different case. */
static void who_counts_less_than_he_has_has_too_many(void **state)
{
	const struct geometry geo = btrees_geometry();
	const struct mend_facts none = { 0 };
	struct found found[2];
	struct claims c;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		found[i] = (struct found){
			place_of(OBJ_INODE), { F_INODE_NBLOCKS_XREF, 0, NO_INDEX, 4 + i, 5 - i }, 1, false
		};
		found[i].place.ino.v = FIRST_INO + i;
	}
	assert_int_equal(claims_new(&geo, found, 2, &none, &c), 0);
	assert_true(ino_set_has(&c.too_many, (xino_t){ FIRST_INO }));
	assert_false(ino_set_has(&c.too_many, (xino_t){ FIRST_INO + 1 }));
	claims_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lookups_tell_what_going_over_all_of_them_does),
		cmocka_unit_test(who_counts_less_than_he_has_has_too_many),
	};

	return cmocka_run_group_tests_name("mend_claims", tests, NULL, NULL);
}
