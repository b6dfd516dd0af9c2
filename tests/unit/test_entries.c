/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings are grouped by kind and place, and listed below those they may follow from. */
#include <stdlib.h>

#include "../../repair/report/entries.h"
#include "reported.h"

#define MOST 200u

struct fixture {
	struct found found[MOST];
	const struct found *all[MOST];
	size_t count;
	struct entries entries;
};

static struct found *add(struct fixture *f, enum finding finding, enum object object)
{
	struct found *found = &f->found[f->count];

	*found = (struct found){ place_of(object), { finding, 0, NO_INDEX, 0, 0 }, 1, false };
	f->all[f->count++] = found;
	return found;
}

static void add_inode(struct fixture *f, enum finding finding, uint64_t ino, agbno_t agbno)
{
	struct found *found = add(f, finding, OBJ_INODE);

	found->place.ino.v = ino;
	found->place.agno.v = 0;
	found->place.agbno = agbno;
}

static void add_in_group(struct fixture *f, enum finding finding, enum object object, uint32_t agno, uint32_t agbno)
{
	struct found *found = add(f, finding, object);

	found->place.agno.v = agno;
	found->place.agbno.v = agbno;
}

static void make(struct fixture *f)
{
	entries_make(&f->entries, f->all, f->count);
	assert_true(entries_made(&f->entries));
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	entries_free(&f->entries);
	free(f);
	return 0;
}

static int setup(void **state)
{
	*state = calloc(1, sizeof(struct fixture));
	return !*state;
}

/* Returns the entry at that place of the order. */
static const struct entry *root(const struct fixture *f, size_t at)
{
	assert_true(at < f->entries.nroots + f->entries.nseveral);
	return f->entries.order[at];
}

static const struct entry *child(const struct fixture *f, const struct entry *entry)
{
	assert_true(entry->child < f->entries.count);
	return &f->entries.all[entry->child];
}

static void a_run_of_one_kind_is_one_entry(void **state)
{
	struct fixture *f = *state;

	for (unsigned i = 0; i < 100; i++)
		add_inode(f, F_BLOCK_MAGIC, 64 + i, (agbno_t){ 8 + i / 8 });
	make(f);
	assert_int_equal(f->entries.nroots, 1);
	assert_int_equal(root(f, 0)->count, 100);
	assert_int_equal(root(f, 0)->first, 0);
	assert_int_equal(root(f, 0)->last, 99);
}

static void what_is_far_apart_is_not(void **state)
{
	struct fixture *f = *state;

	add_inode(f, F_BLOCK_MAGIC, 64, (agbno_t){ 8 });
	add_inode(f, F_BLOCK_MAGIC, 9000, (agbno_t){ 9 + ENTRY_NEAR });
	make(f);
	assert_int_equal(f->entries.nroots, 2);
}

static void what_follows_from_the_only_cause_is_below_it(void **state)
{
	struct fixture *f = *state;

	for (unsigned i = 0; i < 5; i++)
		add_inode(f, F_INODE_ORPHAN, 500 + i, (agbno_t){ 100 });
	add_inode(f, F_BLOCK_MAGIC, 64, (agbno_t){ 8 });
	make(f);
	assert_int_equal(f->entries.nroots, 1);
	assert_int_equal(f->entries.nseveral, 0);
	assert_int_equal(root(f, 0)->finding, F_BLOCK_MAGIC);
	assert_int_equal(root(f, 0)->weight, 6);
	assert_int_equal(child(f, root(f, 0))->finding, F_INODE_ORPHAN);
	assert_int_equal(child(f, root(f, 0))->count, 5);
}

static void what_may_follow_from_several_is_said_of_all(void **state)
{
	struct fixture *f = *state;

	add_inode(f, F_BLOCK_MAGIC, 64, (agbno_t){ 8 });
	add_inode(f, F_BLOCK_MAGIC, 9000, (agbno_t){ 1000 });
	add_inode(f, F_INODE_ORPHAN, 500, (agbno_t){ 60 });
	make(f);
	assert_int_equal(f->entries.nroots, 2);
	assert_int_equal(f->entries.nseveral, 1);
	assert_int_equal(root(f, 2)->finding, F_INODE_ORPHAN);
}

static void an_inode_that_is_named_explains_better(void **state)
{
	struct fixture *f = *state;

	add_inode(f, F_BLOCK_MAGIC, 64, (agbno_t){ 8 });
	add_inode(f, F_BLOCK_MAGIC, 9000, (agbno_t){ 1000 });
	add_inode(f, F_PPTR_STRAY, 500, (agbno_t){ 60 });
	f->found[2].problem.got = 9000;
	make(f);
	assert_int_equal(f->entries.nseveral, 0);
	assert_int_equal(root(f, 0)->ino.v, 9000);
	assert_int_equal(child(f, root(f, 0))->finding, F_PPTR_STRAY);
}

static void space_follows_from_its_own_group(void **state)
{
	struct fixture *f = *state;

	add_in_group(f, F_BLOCK_CRC, OBJ_BNOBT, 1, 77);
	add_in_group(f, F_SPACE_LOST, OBJ_AG, 1, 500);
	add_in_group(f, F_SPACE_LOST, OBJ_AG, 2, 500);
	make(f);
	assert_int_equal(f->entries.nroots, 2);
	assert_int_equal(root(f, 0)->finding, F_BLOCK_CRC);
	assert_int_equal(child(f, root(f, 0))->count, 1);
	assert_int_equal(root(f, 1)->finding, F_SPACE_LOST);
	assert_int_equal(root(f, 1)->count, 1);
}

static void nothing_follows_from_a_wrong_time(void **state)
{
	struct fixture *f = *state;

	add_inode(f, F_INODE_NSEC, 64, (agbno_t){ 8 });
	add_inode(f, F_INODE_ORPHAN, 500, (agbno_t){ 60 });
	make(f);
	assert_int_equal(f->entries.nroots, 2);
	assert_int_equal(root(f, 0)->child, NO_ENTRY);
	assert_int_equal(root(f, 1)->child, NO_ENTRY);
}

static void several_kinds_about_one_inode_are_one_entry(void **state)
{
	struct fixture *f = *state;

	add_inode(f, F_INODE_MODE, 64, (agbno_t){ 8 });
	add_inode(f, F_INODE_FORMAT, 64, (agbno_t){ 8 });
	add_inode(f, F_INODE_NBLOCKS, 64, (agbno_t){ 8 });
	make(f);
	assert_int_equal(f->entries.nroots, 1);
	assert_int_equal(root(f, 0)->finding, F_INODE_MODE);
	assert_int_equal(root(f, 0)->weight, 3);
}

static void the_weightiest_comes_first(void **state)
{
	struct fixture *f = *state;

	add_in_group(f, F_BLOCK_CRC, OBJ_BNOBT, 0, 7);
	add_in_group(f, F_BLOCK_CRC, OBJ_BNOBT, 3, 7);
	add_in_group(f, F_SPACE_LOST, OBJ_AG, 3, 90);
	make(f);
	assert_int_equal(f->entries.found[root(f, 0)->first]->place.agno.v, 3);
	assert_int_equal(f->entries.found[root(f, 1)->first]->place.agno.v, 0);
}

static void two_owners_are_told_once(void **state)
{
	struct fixture *f = *state;

	for (unsigned i = 0; i < 2; i++) {
		struct found *found = add(f, F_SPACE_CLAIMED_TWICE, OBJ_DATA_FORK);

		found->place.ino.v = 131 + i;
		found->place.agno.v = 0;
		found->place.agbno.v = 1000;
		found->problem.want = 132 - i;
	}
	make(f);
	assert_int_equal(f->entries.nroots, 1);
	assert_int_equal(root(f, 0)->count, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_run_of_one_kind_is_one_entry),
		TEST(what_is_far_apart_is_not),
		TEST(what_follows_from_the_only_cause_is_below_it),
		TEST(what_may_follow_from_several_is_said_of_all),
		TEST(an_inode_that_is_named_explains_better),
		TEST(space_follows_from_its_own_group),
		TEST(nothing_follows_from_a_wrong_time),
		TEST(several_kinds_about_one_inode_are_one_entry),
		TEST(the_weightiest_comes_first),
		TEST(two_owners_are_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
