/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/loss/loss_figures.c: what became of all paths, and how many files only counters know of. */
#include "two_views.h"

#include "../../repair/check/walk/quota.h"
#include "../../repair/check/walk/walker.h"

enum { AGS = 4 };

/* What a group had, and what is known of it. */
struct group {
	bool whole;	 /* its inobt could be walked */
	uint32_t inodes; /* in use before, by the AGI and, if it is whole, the inobt */
	uint32_t after;	 /* in use after the repair, with `made` */
	uint32_t gone, made;
};

struct fixture {
	struct two_views v;
	struct traverse before, after;
	struct ag_state was[AGS], is[AGS];
	struct quota *quota_before, *quota_after;
	struct loss_figures ret;
};

enum { FREE = 20 }; /* inodes in each group, besides those in use */

static void set_group(struct fixture *f, unsigned i, const struct group *group)
{
	f->was[i].tree[BT_INO] = (struct tree){ .blocks = 1, .gap = !group->whole };
	f->was[i].have_agi = true;
	f->was[i].agi.count = group->inodes + FREE;
	f->was[i].agi.freecount = FREE;
	if (group->whole) {
		f->was[i].inodes = group->inodes + FREE;
		f->was[i].free_inodes = FREE;
	}
	f->is[i].inodes = group->after + FREE;
	f->is[i].free_inodes = FREE;
	f->v.tally.gone[i] = group->gone;
	f->v.tally.made[i] = group->made;
}

/*
 * Groups 0 and 3 are whole, with 500 inodes.  Group 1 had 100, of which 60 are there, and 10 are known to be gone: 30
 * are missing.  Group 2 had 50, of which 45 are there: 5 are missing.
 */
enum { MISSING_1 = 30, MISSING_2 = 5, MISSING = MISSING_1 + MISSING_2 };

static const struct group groups[AGS] = {
	{ .whole = true, .inodes = 300, .after = 300 },
	{ .inodes = 100, .after = 60, .gone = 10 },
	{ .inodes = 50, .after = 45 },
	{ .whole = true, .inodes = 200, .after = 198, .gone = 2 },
};

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	views_open(&f->v);
	f->before.ags = f->was;
	f->after.ags = f->is;
	f->v.rc.traverse = &f->before;
	f->v.again.traverse = &f->after;
	for (unsigned i = 0; i < AGS; i++)
		set_group(f, i, &groups[i]);
	f->v.rc.geo.icount = 650 + AGS * FREE;
	f->v.rc.geo.ifree = AGS * FREE;
}

static void close_fixture(struct fixture *f)
{
	if (f->quota_before)
		quota_free(f->quota_before);
	if (f->quota_after)
		quota_free(f->quota_after);
	views_close(&f->v);
}

static const struct loss_figures *compute(struct fixture *f)
{
	f->v.rc.quota = f->quota_before;
	f->v.again.quota = f->quota_after;
	assert_int_equal(loss_figures(&f->v.rc, &f->v.again, &f->v.tally, 1000, 0, &f->ret), 0);
	return &f->ret;
}

static void assert_missing(struct fixture *f, uint64_t least, uint64_t most)
{
	compute(f);
	assert_true(f->ret.missing_known);
	assert_int_equal(f->ret.missing, least);
	assert_int_equal(f->ret.missing_most, most);
}

static void assert_unknown(struct fixture *f)
{
	compute(f);
	assert_false(f->ret.missing_known);
}

/* ---- files that only counters know of ---- */

static void none_are_missing_where_all_inode_btrees_are_whole(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.was[1].tree[BT_INO].gap = f.was[2].tree[BT_INO].gap = false;
	assert_missing(&f, 0, 0);
	close_fixture(&f);
}

static void headers_of_groups_and_superblock_agree_on_the_number(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	assert_missing(&f, MISSING, MISSING);
	assert_false(f.ret.counters_old);
	close_fixture(&f);
}

/* lost+found, and files made of blocks that nothing owned. */
static void inodes_that_the_repair_made_were_not_there(void **state)
{
	struct group group = groups[1];
	struct fixture f;

	(void)state;
	open_fixture(&f);
	group.after += 7;
	group.made = 7;
	set_group(&f, 1, &group);
	assert_missing(&f, MISSING, MISSING);
	close_fixture(&f);
}

static void the_superblock_alone_gives_the_number(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.was[1].have_agi = f.was[2].have_agi = false;
	assert_missing(&f, MISSING, MISSING);
	close_fixture(&f);
}

static void headers_of_groups_alone_give_the_number(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.v.rc.geo.counters_lost = true;
	assert_missing(&f, MISSING, MISSING);
	close_fixture(&f);
}

static void the_header_in_the_log_stands_for_a_lost_one(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.v.rc.geo.counters_lost = true;
	f.was[1].have_agi = false;
	f.was[1].agi_logged = true;
	assert_missing(&f, MISSING, MISSING);
	close_fixture(&f);
}

static void counters_that_differ_give_a_range(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.v.rc.geo.icount += 4;
	assert_missing(&f, MISSING, MISSING + 4);
	close_fixture(&f);
	open_fixture(&f);
	f.v.rc.geo.icount -= 4;
	assert_missing(&f, MISSING - 4, MISSING);
	close_fixture(&f);
}

/* 105 inodes are there in both groups, and 10 are known to be gone. */
static void a_counter_that_equals_what_is_known_is_no_coincidence(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.v.rc.geo.icount -= MISSING;
	assert_missing(&f, 0, 0);
	close_fixture(&f);
}

static void without_any_counter_the_number_is_unknown(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.v.rc.geo.counters_lost = true;
	f.was[1].have_agi = false;
	assert_unknown(&f);
	close_fixture(&f);
}

/* What group 2 lacks is known by its header, whatever is with group 1. */
static void a_header_of_one_group_gives_a_least_number(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.was[1].have_agi = false;
	f.v.rc.geo.icount -= MISSING - 2; /* 2 by the superblock */
	assert_missing(&f, MISSING_2, MISSING_2);
	close_fixture(&f);
}

/* More free inodes than inodes, or more inodes than blocks can hold: 8 in each. */
static void impossible_counters_are_not_believed(void **state)
{
	struct fixture f;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		open_fixture(&f);
		f.was[1].agi.count = i ? 10 : (AG_LEN + 1) * 8;
		assert_missing(&f, MISSING, MISSING); /* by the superblock */
		close_fixture(&f);
	}
	for (unsigned i = 0; i < 3; i++) {
		open_fixture(&f);
		f.v.rc.geo.icount = i == 0 ? 0 : i == 1 ? (4 * AG_LEN + 1) * 8 : 499 + AGS * FREE;
		assert_missing(&f, MISSING, MISSING); /* by the AGIs */
		close_fixture(&f);
	}
}

/* The log does not have lazy counters: after a replay, the superblock's are those of the last unmount. */
static void old_counters_of_the_superblock_are_heard_only_without_others(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.v.rc.geo.lazysbcount = f.v.run.log_replayed = true;
	f.v.rc.geo.icount += 100;
	assert_missing(&f, MISSING, MISSING);
	assert_false(f.ret.counters_old);
	f.was[1].have_agi = false;
	assert_missing(&f, MISSING + 100, MISSING + 100);
	assert_true(f.ret.counters_old);
	close_fixture(&f);
}

/*
 * Inodes and counters of group 1 are of an earlier time, when it had 50 inodes: directories of other groups name 10
 * that are gone now.  A newer superblock still tells; one of the same time does not.
 */
static void counters_as_old_as_the_inodes_are_no_witnesses(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.was[1].tree[BT_INO].gap = false;
	f.was[1].inodes = f.was[1].agi.count = 50 + FREE;
	f.was[1].free_inodes = FREE;
	f.v.tally.contradicted[1] = f.v.tally.stale[1] = true;
	assert_missing(&f, MISSING, MISSING);
	f.v.rc.geo.icount -= 100;
	assert_unknown(&f);
	f.v.tally.stale[1] = false;
	assert_missing(&f, 0, 0);
	close_fixture(&f);
}

/* ---- quota files ---- */

/* Quota files of users and projects; `recorded` of these inodes before, in two ids, and `used` now. */
static void add_quota(struct fixture *f, enum quota_type type, uint64_t recorded, uint64_t used)
{
	static const struct hash_key key = { { 1, 2 } };

	if (!f->quota_before) {
		f->quota_before = quota_new(&f->v.rc.geo, 1, &key, 7);
		f->quota_after = quota_new(&f->v.rc.geo, 1, &key, 7);
		assert_true(f->quota_before && f->quota_after);
	}
	f->quota_before->lanes[0].file[type][0].v = 999;
	for (uint32_t id = 0; id < 2; id++) {
		struct quota_tally *was = quota_table_get(&f->quota_before->lanes[0].ids[type], &key, 1000 + id);
		struct quota_tally *is = quota_table_get(&f->quota_after->lanes[0].ids[type], &key, 1000 + id);

		assert_true(was && is);
		was->recorded[QUOTA_INODES] = id ? recorded - recorded / 3 : recorded / 3;
		is->used[QUOTA_INODES] = id ? used - used / 2 : used / 2;
	}
}

enum {
	ALL_BEFORE = 650,
	ALL_AFTER = 300 + 60 + 45 + 198,
};

static void a_quota_file_counts_all_inodes(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.was[1].have_agi = f.was[2].have_agi = false;
	f.v.rc.geo.counters_lost = true;
	add_quota(&f, QUOTA_USER, ALL_BEFORE, ALL_AFTER);
	assert_missing(&f, MISSING, MISSING);
	close_fixture(&f);
}

static void each_quota_file_is_one_more_witness(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.was[1].have_agi = f.was[2].have_agi = false;
	f.v.rc.geo.counters_lost = true;
	add_quota(&f, QUOTA_USER, ALL_BEFORE + 2, ALL_AFTER);
	add_quota(&f, QUOTA_PROJECT, ALL_BEFORE - 3, ALL_AFTER);
	assert_missing(&f, MISSING - 3, MISSING + 2);
	close_fixture(&f);
}

static void inodes_that_the_repair_made_are_in_no_old_quota_file(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.was[1].have_agi = f.was[2].have_agi = false;
	f.v.rc.geo.counters_lost = true;
	f.v.tally.made[0] = 6;
	add_quota(&f, QUOTA_USER, ALL_BEFORE, ALL_AFTER + 6);
	assert_missing(&f, MISSING, MISSING);
	close_fixture(&f);
}

/* ondisk 10: the superblock's flags say whether usage was counted, and so is right. */
static void quota_files_that_are_not_counted_are_not_heard(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	add_quota(&f, QUOTA_USER, ALL_BEFORE + 50, ALL_AFTER);
	f.quota_before->compared = 1 << QUOTA_GROUP;
	assert_missing(&f, MISSING, MISSING);
	close_fixture(&f);
}

static void a_quota_file_with_lost_blocks_gives_a_least_number(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.v.rc.geo.icount -= 20;
	f.was[1].have_agi = false;
	add_quota(&f, QUOTA_USER, ALL_BEFORE - 10, ALL_AFTER);
	f.quota_before->lanes[0].gap[QUOTA_USER] = true;
	assert_missing(&f, MISSING - 10, MISSING - 10);
	close_fixture(&f);
	/* alone, it gives no greatest number */
	open_fixture(&f);
	f.v.rc.geo.counters_lost = true;
	f.was[1].have_agi = false;
	add_quota(&f, QUOTA_USER, ALL_BEFORE - 10, ALL_AFTER);
	f.quota_before->lanes[0].gap[QUOTA_USER] = true;
	assert_unknown(&f);
	assert_int_equal(f.ret.missing, MISSING - 10);
	close_fixture(&f);
}

/* ---- names ---- */

/* A name in a hash index belongs to a lost inode without known name, or to a missing one. */
static void names_of_hash_indexes_that_no_lost_inode_had_are_those_of_missing_files(void **state)
{
	struct loss_figures ret;
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.v.tally.nameless = 10;
	assert_int_equal(loss_figures(&f.v.rc, &f.v.again, &f.v.tally, 1000, MISSING + 15, &ret), 0);
	assert_int_equal(ret.missing, MISSING + 5);
	assert_int_equal(ret.missing_most, MISSING + 5);
	assert_int_equal(loss_figures(&f.v.rc, &f.v.again, &f.v.tally, 1000, MISSING + 9, &ret), 0);
	assert_int_equal(ret.missing, MISSING);
	close_fixture(&f);
}

static void names_that_are_not_counted_apart_are_in_place(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.v.tally.apart = 300;
	f.v.tally.moved = 1;
	f.v.tally.damaged = 2;
	f.v.tally.unconfirmed = 3;
	f.v.tally.lost = 4;
	compute(&f);
	assert_int_equal(f.ret.in_place, 700);
	assert_int_equal(f.ret.moved, 1);
	assert_int_equal(f.ret.damaged, 2);
	assert_int_equal(f.ret.unconfirmed, 3);
	assert_int_equal(f.ret.lost, 4);
	f.v.tally.apart = 1001;
	compute(&f);
	assert_int_equal(f.ret.in_place, 0);
	close_fixture(&f);
}

/* ---- the paths of one inode ---- */

/* Adds the paths of a file; every name that is there now is either counted apart or in place. */
static struct loss_tally paths_of(const struct inode_facts *facts)
{
	const struct inode_core core = views_core();
	struct inode_facts copy = *facts;
	struct loss_tally ret;
	struct two_views v;

	views_open(&v);
	copy.ino.v = FILE_INO;
	if (!copy.ftype)
		copy.ftype = FT_REG;
	if (!copy.gone)
		copy.after = &core;
	loss_tally_inode(&v.c, &copy);
	ret = v.tally;
	ret.gone = ret.made = NULL;
	assert_int_equal(v.tally.gone[0], copy.gone);
	ret.moved_dirs = (struct ino_set){ { .count = ino_set_count(&v.tally.moved_dirs) } };
	ret.doubted_dirs = (struct ino_set){ { .count = ino_set_count(&v.tally.doubted_dirs) } };
	views_close(&v);
	return ret;
}

static void a_file_counts_once_for_each_of_its_names(void **state)
{
	struct loss_tally t;

	(void)state;
	t = paths_of(&(struct inode_facts){ .same = 2, .harmed = true });
	assert_int_equal(t.damaged, 2);
	assert_int_equal(t.apart, 2);
	t = paths_of(&(struct inode_facts){ .lost = 3, .gone = true });
	assert_int_equal(t.lost, 3);
	assert_int_equal(t.nameless, 0);
	t = paths_of(&(struct inode_facts){ .same = 1, .lost = 2, .moved_to = 1 });
	assert_int_equal(t.moved, 2);
	assert_int_equal(t.apart, 1);
	t = paths_of(&(struct inode_facts){ .same = 3 });
	assert_int_equal(t.apart + t.moved + t.damaged + t.lost, 0);
}

static void only_what_nothing_has_changed_is_unconfirmed(void **state)
{
	struct loss_tally t;

	(void)state;
	t = paths_of(&(struct inode_facts){ .same = 2, .doubted = true });
	assert_int_equal(t.damaged, 2);
	assert_int_equal(t.unconfirmed, 2);
	t = paths_of(&(struct inode_facts){ .same = 2, .doubted = true, .harmed = true });
	assert_int_equal(t.damaged, 2);
	assert_int_equal(t.unconfirmed, 0);
}

/* What lies below it has another path, too. */
static void a_directory_without_any_old_name_has_moved(void **state)
{
	struct loss_tally t;

	(void)state;
	t = paths_of(&(struct inode_facts){ .ftype = FT_DIR, .lost = 1, .moved_to = 1 });
	assert_int_equal(ino_set_count(&t.moved_dirs), 1);
	t = paths_of(&(struct inode_facts){ .ftype = FT_DIR, .unnamed = 1, .moved_to = 1 });
	assert_int_equal(ino_set_count(&t.moved_dirs), 1);
	t = paths_of(&(struct inode_facts){ .ftype = FT_DIR, .lost = 1, .same = 1 });
	assert_int_equal(ino_set_count(&t.moved_dirs), 0);
	t = paths_of(&(struct inode_facts){ .ftype = FT_DIR, .gained = 1 });
	assert_int_equal(ino_set_count(&t.moved_dirs), 0);
	t = paths_of(&(struct inode_facts){ .ftype = FT_REG, .lost = 1, .moved_to = 1 });
	assert_int_equal(ino_set_count(&t.moved_dirs), 0);
}

/* What lies below it may have another path, too. */
static void a_directory_whose_name_is_not_confirmed_is_in_doubt(void **state)
{
	struct loss_tally t;

	(void)state;
	t = paths_of(&(struct inode_facts){ .ftype = FT_DIR, .unconfirmed = 1 });
	assert_int_equal(ino_set_count(&t.doubted_dirs), 1);
	assert_int_equal(ino_set_count(&t.moved_dirs), 0);
	t = paths_of(&(struct inode_facts){ .ftype = FT_REG, .unconfirmed = 1 });
	assert_int_equal(ino_set_count(&t.doubted_dirs), 0);
	t = paths_of(&(struct inode_facts){ .ftype = FT_DIR, .same = 1 });
	assert_int_equal(ino_set_count(&t.doubted_dirs), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_are_missing_where_all_inode_btrees_are_whole),
		cmocka_unit_test(headers_of_groups_and_superblock_agree_on_the_number),
		cmocka_unit_test(inodes_that_the_repair_made_were_not_there),
		cmocka_unit_test(the_superblock_alone_gives_the_number),
		cmocka_unit_test(headers_of_groups_alone_give_the_number),
		cmocka_unit_test(the_header_in_the_log_stands_for_a_lost_one),
		cmocka_unit_test(counters_that_differ_give_a_range),
		cmocka_unit_test(a_counter_that_equals_what_is_known_is_no_coincidence),
		cmocka_unit_test(without_any_counter_the_number_is_unknown),
		cmocka_unit_test(a_header_of_one_group_gives_a_least_number),
		cmocka_unit_test(impossible_counters_are_not_believed),
		cmocka_unit_test(old_counters_of_the_superblock_are_heard_only_without_others),
		cmocka_unit_test(counters_as_old_as_the_inodes_are_no_witnesses),
		cmocka_unit_test(a_quota_file_counts_all_inodes),
		cmocka_unit_test(each_quota_file_is_one_more_witness),
		cmocka_unit_test(inodes_that_the_repair_made_are_in_no_old_quota_file),
		cmocka_unit_test(quota_files_that_are_not_counted_are_not_heard),
		cmocka_unit_test(a_quota_file_with_lost_blocks_gives_a_least_number),
		cmocka_unit_test(names_of_hash_indexes_that_no_lost_inode_had_are_those_of_missing_files),
		cmocka_unit_test(names_that_are_not_counted_apart_are_in_place),
		cmocka_unit_test(a_file_counts_once_for_each_of_its_names),
		cmocka_unit_test(only_what_nothing_has_changed_is_unconfirmed),
		cmocka_unit_test(a_directory_without_any_old_name_has_moved),
		cmocka_unit_test(a_directory_whose_name_is_not_confirmed_is_in_doubt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
