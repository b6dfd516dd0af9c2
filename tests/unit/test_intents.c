/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/log/intents.c: an AG in a state in which a crash interrupts an operation, as the kernel's
 * order of steps leaves it (ondisk 11, "Intents/dones").  Its books balance with the waiting intents, and don't without
 * them.
 */
#include "log_items.h"
#include <time.h>
#include "check/books/ledger.h"
#include "../../repair/log/intents.h"

#define FROM   100u /* the blocks of AG 1 that each test is about */
#define LEN    10u
#define FSBNO  (1ull << 14 | FROM)
#define FILE_A (100u << 3)
#define FILE_B (100u << 3 | 1)
#define OFFSET 1000u

static const struct hash_key key = { { 0x1234567890abcdef, 0xfedcba0987654321, 0x0f1e2d3c4b5a6978,
				       0x1122334455667789 } };
static const group_t ag0 = { 0 }, ag1 = { 1 };

struct fixture {
	struct geometry geo;
	struct reported reported;
	struct check check;
	struct intents *intents;
	struct item item;
	/* what is on the disk, posted once with the intents and once without */
	struct claim claims[4];
	size_t nclaims;
	struct rmap_record rmaps[4];
	size_t nrmaps;
	struct refcount_record refcounts[4];
	size_t nrefcounts;
	struct pptr_fact pptrs[4];
	size_t npptrs;
	bool entry; /* directory FILE_B has the name "new" for FILE_A */
};

static void begin(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->geo = item_geometry();
	f->geo.rmapbt = f->geo.reflink = f->geo.parent = f->geo.ftype = true;
	f->check = (struct check){ &f->geo, reported_add, &f->reported };
	f->intents = intents_new();
	assert_non_null(f->intents);
}

static void claim(struct fixture *f, uint64_t owner, uint8_t flags)
{
	f->claims[f->nclaims++] =
		(struct claim){ { ag1, { FROM }, LEN }, owner, owner < OWNER_COW ? OFFSET : 0, flags, 0 };
}

static void rmap(struct fixture *f, uint64_t owner, uint8_t flags)
{
	f->rmaps[f->nrmaps++] = (struct rmap_record){ { FROM }, LEN, owner, owner < OWNER_COW ? OFFSET : 0, flags };
}

static void refcount(struct fixture *f, uint32_t count, bool cow)
{
	f->refcounts[f->nrefcounts++] = (struct refcount_record){ { FROM }, LEN, count, cow };
}

static int add(struct fixture *f)
{
	return intents_item(f->intents, &f->check, &f->item.item);
}

static void header(struct fixture *f, uint16_t type, uint64_t id, uint32_t bytes)
{
	item_begin(&f->item, false, type, 1, EXTENTS + bytes);
	item32(&f->item, 0, COUNT, 1);
	item64(&f->item, 0, ID, id);
}

static void efi(struct fixture *f, uint64_t id)
{
	header(f, EFI, id, 16);
	item64(&f->item, 0, EXTENTS, FSBNO);
	item32(&f->item, 0, EXTENTS + 8, LEN);
	assert_int_equal(add(f), 0);
}

static void done(struct fixture *f, uint16_t type, uint64_t id)
{
	header(f, type, id, 0);
	assert_int_equal(add(f), 0);
}

static void cui(struct fixture *f, uint64_t id, uint32_t flags)
{
	header(f, CUI, id, 16);
	item64(&f->item, 0, EXTENTS, FSBNO);
	item32(&f->item, 0, EXTENTS + 8, LEN);
	item32(&f->item, 0, EXTENTS + 12, flags);
	assert_int_equal(add(f), 0);
}

/* Adds a RUI or BUI. */
static void mapping(struct fixture *f, uint16_t type, uint64_t id, uint64_t owner, uint32_t flags)
{
	header(f, type, id, 32);
	item64(&f->item, 0, EXTENTS, owner);
	item64(&f->item, 0, EXTENTS + 8, FSBNO);
	item64(&f->item, 0, EXTENTS + 16, owner < OWNER_COW ? OFFSET : 0);
	item32(&f->item, 0, EXTENTS + 24, LEN);
	item32(&f->item, 0, EXTENTS + 28, flags);
	assert_int_equal(add(f), 0);
}

/* Posts one owner for all of an AG except the blocks at hand. */
static void post_rest(const struct sink *sink, group_t group, uint32_t from, uint32_t to)
{
	const struct claim c = { { group, { from }, to - from }, OWNER_FS, 0, 0, 0 };
	const struct rmap_record r = { { from }, to - from, OWNER_FS, 0, 0 };

	sink->ops->claim(sink->ctx, 0, &c);
	sink->ops->rmap(sink->ctx, 0, group, &r);
}

static void post_disk(const struct fixture *f, const struct sink *sink)
{
	post_rest(sink, ag0, 0, 16384);
	post_rest(sink, ag1, 0, FROM);
	post_rest(sink, ag1, FROM + LEN, 16384);
	for (size_t i = 0; i < f->nclaims; i++)
		sink->ops->claim(sink->ctx, 0, &f->claims[i]);
	for (size_t i = 0; i < f->nrmaps; i++)
		sink->ops->rmap(sink->ctx, 0, ag1, &f->rmaps[i]);
	for (size_t i = 0; i < f->nrefcounts; i++)
		sink->ops->refcount(sink->ctx, 0, ag1, &f->refcounts[i]);
	for (size_t i = 0; i < f->npptrs; i++)
		sink->ops->pptr(sink->ctx, 0, &f->pptrs[i]);
	if (f->entry) {
		const struct entry_fact e = { .directory = { FILE_B },
					      .directory_gen = 7,
					      .target = { FILE_A },
					      .name = (const uint8_t *)"new",
					      .namelen = 3,
					      .name_hash = hash_name(sink->key, (const uint8_t *)"new", 3) };

		sink->ops->entry(sink->ctx, 0, &e);
	}
}

struct balance {
	bool space, rmap, pptrs;
};

static struct balance balance(const struct fixture *f, const struct intents *intents)
{
	struct ledger *ledger = ledger_new(&f->geo, 1, &key);
	const struct sink below = ledger_sink(ledger);
	struct intents_filter filter;
	struct sink sink = intents_sink(&filter, intents, &below);
	unsigned bucket = ledger_bucket((xino_t){ FILE_A });
	struct balance ret;

	post_disk(f, &sink);
	intents_facts(intents, &below);
	ledger_close(ledger);
	assert_true(ledger_group_balances(ledger, ag0, ACCOUNT_SPACE));
	assert_true(ledger_group_balances(ledger, ag0, ACCOUNT_RMAP));
	ret.space = ledger_group_balances(ledger, ag1, ACCOUNT_SPACE);
	ret.rmap = ledger_group_balances(ledger, ag1, ACCOUNT_RMAP);
	ret.pptrs = ledger_inodes_balance(ledger, bucket, ACCOUNT_PPTRS);
	ledger_free(ledger);
	return ret;
}

/* The books must balance with the waiting intents; without them only where the argument is false. Frees the fixture. */
static void assert_explains(struct fixture *f, bool space, bool rmaps, bool pptrs)
{
	struct balance with, without;

	assert_int_equal(intents_settle(f->intents, &f->check), 0);
	assert_int_equal(f->reported.count, 0);
	with = balance(f, f->intents);
	without = balance(f, NULL);
	assert_true(with.space && with.rmap && with.pptrs);
	assert_int_equal(without.space, !space);
	assert_int_equal(without.rmap, !rmaps);
	assert_int_equal(without.pptrs, !pptrs);
	intents_free(f->intents);
}

static void blocks_on_their_way_to_free_space_are_free(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	efi(&f, 1);
	assert_explains(&f, true, false, false);
}

/* Blocks of btrees are freed along with their rmap record, which the intent does not mention. */
static void freeing_takes_the_rmap_along(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	rmap(&f, FILE_A, RMAP_BMBT);
	efi(&f, 1);
	assert_explains(&f, true, true, false);
}

static void only_the_freed_part_of_an_rmap_goes(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.rmaps[f.nrmaps++] = (struct rmap_record){ { FROM - 20 }, 50, FILE_A, OFFSET - 20, 0 };
	f.claims[f.nclaims++] = (struct claim){ { ag1, { FROM - 20 }, 20 }, FILE_A, OFFSET - 20, 0, 0 };
	f.claims[f.nclaims++] = (struct claim){ { ag1, { FROM + LEN }, 20 }, FILE_A, OFFSET + LEN, 0, 0 };
	f.refcounts[f.nrefcounts++] = (struct refcount_record){ { FROM - 20 }, 20, 2, false };
	f.refcounts[f.nrefcounts++] = (struct refcount_record){ { FROM + LEN }, 20, 2, false };
	efi(&f, 1);
	assert_explains(&f, true, true, false);
}

/* Truncation: the extent is removed from the file, nothing else is done yet. */
static void a_truncated_extent_waits_for_rmap_and_free_space(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	rmap(&f, FILE_A, 0);
	mapping(&f, RUI, 1, FILE_A, RUI_UNMAP);
	efi(&f, 2);
	assert_explains(&f, true, true, false);
}

static void a_new_extent_waits_for_its_rmap(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	claim(&f, FILE_A, RMAP_ATTR);
	mapping(&f, RUI, 1, FILE_A, RUI_MAP | INTENT_ATTR_FORK);
	assert_explains(&f, false, true, false);
}

static void a_written_extent_waits_for_its_flag(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	claim(&f, FILE_A, 0);
	rmap(&f, FILE_A, RMAP_UNWRITTEN);
	mapping(&f, RUI, 1, FILE_A, RUI_CONVERT);
	assert_explains(&f, false, true, false);
	begin(&f);
	claim(&f, FILE_A, RMAP_UNWRITTEN);
	rmap(&f, FILE_A, 0);
	mapping(&f, RUI, 1, FILE_A, RUI_CONVERT_SHARED | INTENT_UNWRITTEN);
	assert_explains(&f, false, true, false);
}

static void a_second_owner_waits_for_its_count(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	claim(&f, FILE_A, 0);
	claim(&f, FILE_B, 0);
	rmap(&f, FILE_A, 0);
	rmap(&f, FILE_B, 0);
	cui(&f, 1, CUI_INCREASE);
	assert_explains(&f, true, false, false);
}

static void one_owner_less_waits_for_its_count(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	claim(&f, FILE_A, 0);
	rmap(&f, FILE_A, 0);
	refcount(&f, 2, false);
	cui(&f, 1, CUI_DECREASE);
	assert_explains(&f, true, false, false);
	/* the last one: blocks that are counted nowhere become free */
	begin(&f);
	cui(&f, 1, CUI_DECREASE);
	assert_explains(&f, true, false, false);
}

static void staging_comes_in_two_steps(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	cui(&f, 1, CUI_ALLOC_COW);
	mapping(&f, RUI, 2, OWNER_COW, RUI_ALLOC);
	assert_explains(&f, true, false, false);
	begin(&f);
	refcount(&f, 1, true);
	mapping(&f, RUI, 2, OWNER_COW, RUI_ALLOC);
	assert_explains(&f, false, true, false);
}

/* A copy on write ends: the staged blocks become the file's. */
static void the_end_of_a_copy_waits_at_each_step(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	refcount(&f, 1, true);
	rmap(&f, OWNER_COW, 0);
	mapping(&f, RUI, 1, OWNER_COW, RUI_FREE);
	cui(&f, 2, CUI_FREE_COW);
	mapping(&f, BUI, 3, FILE_A, BUI_MAP);
	assert_int_equal(intents_waiting(f.intents), 3);
	/* both sides agree before the first step as after the last */
	assert_explains(&f, false, false, false);
	begin(&f);
	mapping(&f, BUI, 3, FILE_A, BUI_MAP);
	assert_explains(&f, true, false, false);
}

/* Remapping: the file's extent is unmapped, and a shared extent takes its place. */
static void an_extent_given_up_waits_in_file_and_count(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	claim(&f, FILE_A, RMAP_UNWRITTEN);
	rmap(&f, FILE_A, RMAP_UNWRITTEN);
	mapping(&f, BUI, 1, FILE_A, BUI_UNMAP | BUI_UNWRITTEN);
	efi(&f, 2);
	assert_explains(&f, false, false, false);
	begin(&f);
	claim(&f, FILE_A, 0);
	rmap(&f, FILE_A, 0);
	mapping(&f, BUI, 1, FILE_A, BUI_UNMAP);
	mapping(&f, BUI, 2, FILE_B, BUI_MAP);
	assert_explains(&f, false, false, false);
}

/* Recovery would fail: the books must not balance. */
static void what_is_to_be_removed_must_be_there(void **state)
{
	struct fixture f;
	struct balance b;

	(void)state;
	begin(&f);
	claim(&f, FILE_A, 0);
	rmap(&f, FILE_A, 0);
	mapping(&f, RUI, 1, FILE_B, RUI_UNMAP);
	cui(&f, 2, CUI_FREE_COW);
	assert_int_equal(intents_settle(f.intents, &f.check), 0);
	b = balance(&f, f.intents);
	assert_false(b.space);
	assert_false(b.rmap);
	b = balance(&f, NULL);
	assert_true(b.space && b.rmap);
	intents_free(f.intents);
}

static void what_is_done_waits_no_more(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	efi(&f, 1);
	mapping(&f, RUI, 1, FILE_A, RUI_MAP);
	efi(&f, 2);
	done(&f, EFD, 1);
	done(&f, EFD, 7); /* whose intent was before the tail */
	assert_int_equal(intents_waiting(f.intents), 2);
	assert_int_equal(intents_waiting_of(f.intents, INTENT_EFI), 1);
	assert_int_equal(intents_waiting_of(f.intents, INTENT_RUI), 1);
	done(&f, RUD, 1);
	efi(&f, 1); /* memory is used again */
	done(&f, EFD, 2);
	assert_int_equal(intents_waiting(f.intents), 1);
	assert_explains(&f, true, false, false);
}

static void items_of_other_kinds_are_passed_over(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	item_begin(&f.item, false, LI_BUF, 1, 24);
	assert_int_equal(add(&f), 0);
	assert_int_equal(intents_waiting(f.intents), 0);
	header(&f, EFI, 1, 17);
	assert_int_equal(add(&f), 1);
	assert_int_equal(f.reported.count, 1);
	intents_free(f.intents);
}

static void what_lies_outside_is_reported_and_left_out(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	header(&f, EFI, 1, 16);
	item64(&f.item, 0, EXTENTS, 2ull << 14 | FROM); /* of a group that may come, but did not */
	item32(&f.item, 0, EXTENTS + 8, 1);
	assert_int_equal(add(&f), 0);
	assert_int_equal(f.reported.count, 0);
	assert_int_equal(intents_settle(f.intents, &f.check), 0);
	assert_reported_once(&f.reported, F_LOG_INTENT_PLACE, 2ull << 14 | FROM, 1);
	claim(&f, FILE_A, 0);
	rmap(&f, FILE_A, 0);
	assert_true(balance(&f, f.intents).space);
	intents_free(f.intents);
}

static void remapped_blocks_are_charged_at_once(void **state)
{
	int64_t blocks, rtblocks;
	struct fixture f;
	bool groups[2] = { false, false };

	(void)state;
	begin(&f);
	mapping(&f, BUI, 1, FILE_A, BUI_MAP);
	mapping(&f, BUI, 2, FILE_A, BUI_MAP);
	mapping(&f, BUI, 3, FILE_B, BUI_UNMAP);
	efi(&f, 4);
	assert_int_equal(intents_settle(f.intents, &f.check), 0);
	intents_charge(f.intents, (xino_t){ FILE_A }, &blocks, &rtblocks);
	assert_int_equal(blocks, 2 * LEN);
	assert_int_equal(rtblocks, 0);
	intents_charge(f.intents, (xino_t){ FILE_B }, &blocks, &rtblocks);
	assert_int_equal(blocks, -(int)LEN);
	intents_charge(f.intents, (xino_t){ FILE_B + 1 }, &blocks, &rtblocks);
	assert_int_equal(blocks, 0);
	intents_groups(f.intents, groups);
	assert_false(groups[0]);
	assert_true(groups[1]);
	assert_false(intents_change(f.intents, (group_t){ 0 }));
	assert_true(intents_change(f.intents, (group_t){ 1 }));
	assert_false(intents_change(NULL, (group_t){ 1 }));
	intents_free(f.intents);
}

static void operations_on_files_come_in_the_order_of_the_log(void **state)
{
	const struct intent_op *const *ops;
	struct fixture f;

	(void)state;
	begin(&f);
	mapping(&f, BUI, 9, FILE_B, BUI_UNMAP);
	mapping(&f, BUI, 3, FILE_A, BUI_UNMAP);
	efi(&f, 4);
	mapping(&f, BUI, 5, FILE_A, BUI_MAP);
	done(&f, BUD, 3);
	mapping(&f, BUI, 3, FILE_B, BUI_MAP);
	assert_int_equal(intents_settle(f.intents, &f.check), 0);
	assert_int_equal(intents_ops(f.intents, &ops), 3);
	assert_int_equal(ops[0]->extent.owner, FILE_B);
	assert_int_equal(ops[0]->extent.flags & 0xff, BUI_UNMAP);
	assert_int_equal(ops[1]->extent.owner, FILE_A);
	assert_int_equal(ops[1]->extent.flags & 0xff, BUI_MAP);
	assert_int_equal(ops[2]->extent.owner, FILE_B);
	assert_int_equal(ops[2]->extent.flags & 0xff, BUI_MAP);
	assert_int_equal(ops[2]->extent.startblock, FSBNO);
	intents_free(f.intents);
}

static void put_name(struct fixture *f, unsigned region, const char *name)
{
	memcpy(f->item.bytes[region], name, strlen(name));
	set_region_len(&f->item, region, (uint32_t)(strlen(name) + 3) / 4 * 4);
}

/* A parent pointer's value: FILE_B, generation 7. */
static void put_parent(struct fixture *f, unsigned region)
{
	put_be(f->item.bytes[region], FILE_B, 8);
	put_be(f->item.bytes[region] + 8, 7, 4);
	set_region_len(&f->item, region, 12);
}

static void attri(struct fixture *f, enum log_attr_intent op)
{
	bool replace = op == ATTRI_PPTR_REPLACE;

	item_begin(&f->item, false, ATTRI, replace ? 5 : 3, 40);
	item64(&f->item, 0, ID, 1);
	item64(&f->item, 0, 16, FILE_A);
	item32(&f->item, 0, 24, op);
	item32(&f->item, 0, 32, 12);
	item32(&f->item, 0, 36, 8);
	if (replace) {
		item16(&f->item, 0, 28, 5);
		item16(&f->item, 0, 30, 3);
		put_name(f, 1, "older");
		put_name(f, 2, "new");
		put_parent(f, 3);
		put_parent(f, 4);
	} else {
		item32(&f->item, 0, 28, 3);
		put_name(f, 1, "new");
		put_parent(f, 2);
	}
	assert_int_equal(add(f), 0);
}

static void pptr(struct fixture *f, const char *name)
{
	f->pptrs[f->npptrs++] = (struct pptr_fact){ .child = { FILE_A },
						    .parent = { FILE_B },
						    .parent_gen = 7,
						    .name = (const uint8_t *)name,
						    .namelen = (uint8_t)strlen(name),
						    .name_hash = hash_name(&key, (const uint8_t *)name, strlen(name)) };
}

static void begin_pptr(struct fixture *f)
{
	begin(f);
	claim(f, FILE_A, 0);
	rmap(f, FILE_A, 0);
}

/* The entry has been added or removed; the parent pointer follows, whether it has been changed already or not. */
static void parent_pointers_follow_their_entries(void **state)
{
	static const struct {
		enum log_attr_intent op;
		bool entry, have_new, have_old;
		bool needed; /* the books don't balance without it */
	} cases[] = {
		{ ATTRI_PPTR_SET, true, false, false, true },	 { ATTRI_PPTR_SET, true, true, false, false },
		{ ATTRI_PPTR_REMOVE, false, true, false, true }, { ATTRI_PPTR_REMOVE, false, false, false, false },
		{ ATTRI_PPTR_REPLACE, true, false, true, true }, { ATTRI_PPTR_REPLACE, true, false, false, true },
		{ ATTRI_PPTR_REPLACE, true, true, true, true },	 { ATTRI_PPTR_REPLACE, true, true, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f;

		begin_pptr(&f);
		f.entry = cases[i].entry;
		if (cases[i].have_new)
			pptr(&f, "new");
		if (cases[i].have_old)
			pptr(&f, "older");
		attri(&f, cases[i].op);
		assert_explains(&f, false, false, cases[i].needed);
	}
}

static void a_parent_pointer_of_an_inode_that_cannot_be_is_left_out(void **state)
{
	struct fixture f;

	(void)state;
	begin_pptr(&f);
	attri(&f, ATTRI_PPTR_SET);
	item64(&f.item, 0, ID, 2);
	item64(&f.item, 0, 16, 3ull << 17 | FILE_A); /* of a group that may come, but did not */
	assert_int_equal(add(&f), 0);
	assert_int_equal(intents_waiting_of(f.intents, INTENT_ATTRI), 2);
	f.entry = true;
	assert_int_equal(intents_settle(f.intents, &f.check), 0);
	assert_reported_once(&f.reported, F_LOG_INTENT_CHILD, 3ull << 17 | FILE_A, 0);
	assert_true(balance(&f, f.intents).pptrs);
	intents_free(f.intents);
}

static void there_are_limits_to_what_waits(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	efi(&f, 0);
	for (uint64_t id = 1; id < 1u << 20; id++) {
		item64(&f.item, 0, ID, id << 5);
		assert_int_equal(add(&f), 0);
	}
	item64(&f.item, 0, ID, 1);
	assert_int_equal(add(&f), 1);
	assert_reported_once(&f.reported, F_LOG_INTENT_MANY, 1u << 20, 0);
	intents_free(f.intents);
}

/* Nor can ids be chosen such that each is compared with all others. */
static void no_choice_of_ids_makes_it_slow(void **state)
{
	struct fixture f;
	clock_t before = clock();

	(void)state;
	begin(&f);
	efi(&f, 0);
	for (uint64_t id = 1; id < 100000; id++) {
		item64(&f.item, 0, ID, id << 33);
		assert_int_equal(add(&f), 0);
	}
	assert_int_equal(intents_waiting(f.intents), 100000);
	assert_true(clock() - before < 5 * CLOCKS_PER_SEC);
	intents_free(f.intents);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_on_their_way_to_free_space_are_free),
		cmocka_unit_test(freeing_takes_the_rmap_along),
		cmocka_unit_test(only_the_freed_part_of_an_rmap_goes),
		cmocka_unit_test(a_truncated_extent_waits_for_rmap_and_free_space),
		cmocka_unit_test(a_new_extent_waits_for_its_rmap),
		cmocka_unit_test(a_written_extent_waits_for_its_flag),
		cmocka_unit_test(a_second_owner_waits_for_its_count),
		cmocka_unit_test(one_owner_less_waits_for_its_count),
		cmocka_unit_test(staging_comes_in_two_steps),
		cmocka_unit_test(the_end_of_a_copy_waits_at_each_step),
		cmocka_unit_test(an_extent_given_up_waits_in_file_and_count),
		cmocka_unit_test(what_is_to_be_removed_must_be_there),
		cmocka_unit_test(what_is_done_waits_no_more),
		cmocka_unit_test(items_of_other_kinds_are_passed_over),
		cmocka_unit_test(what_lies_outside_is_reported_and_left_out),
		cmocka_unit_test(remapped_blocks_are_charged_at_once),
		cmocka_unit_test(operations_on_files_come_in_the_order_of_the_log),
		cmocka_unit_test(parent_pointers_follow_their_entries),
		cmocka_unit_test(a_parent_pointer_of_an_inode_that_cannot_be_is_left_out),
		cmocka_unit_test(there_are_limits_to_what_waits),
		cmocka_unit_test(no_choice_of_ids_makes_it_slow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
