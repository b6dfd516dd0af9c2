/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/loss/loss_compare.c: names, fields, attributes and targets that a repair loses, changes or restores. */
#include "two_views.h"

static void what_stays_is_no_loss(void **state)
{
	const struct loss_fact attribute = { .ino.v = FILE_INO, .kind = FACT_ATTRIBUTE, .a = 5, .b = 6, .c = 3 };
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_name_stays(&v, FILE_INO, DIR_A, "file");
	for (enum fact_side side = SIDE_BEFORE; side <= SIDE_AFTER; side += SIDE_AFTER - SIDE_BEFORE) {
		struct loss_fact fact = attribute;

		fact.side = (uint8_t)side;
		views_put(&v, &fact, "abc", 3);
	}
	views_compare(&v);
	assert_int_equal(v.list.count, 0);
	assert_int_equal(v.list.totals.files, 0);
	assert_int_equal(v.tally.moved + v.tally.damaged + v.tally.lost + v.tally.apart, 0);
	views_close(&v);
}

/* ---- names ---- */

static void a_name_that_is_not_there_any_more_is_lost(void **state)
{
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_name_stays(&v, FILE_INO, DIR_A, "file");
	views_name(&v, SIDE_BEFORE, FILE_INO, DIR_B, "link");
	views_compare(&v);
	loss = views_only(&v, LOSS_NAME, FATE_LOST);
	views_assert_name(loss, DIR_B, "link");
	assert_int_equal(loss->ino.v, FILE_INO);
	assert_int_equal(loss->now_dir.v, NULL_INO);
	assert_int_equal(loss->witness, WITNESS_BLOCK);
	assert_int_equal(loss->doubt, DOUBT_NONE);
	assert_int_equal(v.list.totals.of[LOSS_NAME].lost, 1);
	assert_int_equal(v.list.totals.of[LOSS_NAME].hidden, 0);
	assert_int_equal(v.list.totals.files, 0); /* the file has what it had */
	views_close(&v);
}

static void names_of_one_directory_are_compared_each_with_itself(void **state)
{
	static const char *const names[] = { "c", "a", "d", "b" };
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	for (unsigned i = 0; i < 4; i++)
		views_name(&v, SIDE_BEFORE, FILE_INO, DIR_A, names[i]);
	for (unsigned i = 0; i < 3; i++)
		views_name(&v, SIDE_AFTER, FILE_INO, DIR_A, names[i]);
	views_compare(&v);
	views_assert_name(views_only(&v, LOSS_NAME, FATE_LOST), DIR_A, "b");
	views_close(&v);
}

static void a_dropped_name_is_lost_for_that_reason(void **state)
{
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_drop_name(&v, DROP_NAME_TWICE, FILE_INO, DIR_A, "file");
	views_compare(&v);
	loss = views_only(&v, LOSS_NAME, FATE_LOST);
	assert_int_equal(loss->reason, DROP_NAME_TWICE);
	assert_int_equal(loss->witness, WITNESS_ROUND);
	views_close(&v);
}

static void a_dropped_name_that_came_back_is_no_loss(void **state)
{
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_name_stays(&v, FILE_INO, DIR_A, "file");
	views_drop_name(&v, DROP_UNREADABLE, FILE_INO, DIR_A, "file");
	views_name(&v, SIDE_AFTER, FILE_INO, DIR_B, "other");
	views_drop_name(&v, DROP_UNREADABLE, FILE_INO, DIR_B, "other");
	views_compare(&v);
	assert_int_equal(v.list.count, 0);
	views_close(&v);
}

static void another_name_in_the_same_directory_replaces_it(void **state)
{
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_name(&v, SIDE_BEFORE, FILE_INO, DIR_A, "fi/le");
	views_name(&v, SIDE_AFTER, FILE_INO, DIR_A, "fi_le");
	views_compare(&v);
	loss = views_only(&v, LOSS_NAME, FATE_CHANGED);
	views_assert_name(loss, DIR_A, "fi/le");
	views_assert_now(loss, DIR_A, "fi_le");
	assert_int_equal(v.tally.moved, 1);
	assert_int_equal(v.tally.apart, 1);
	views_close(&v);
}

static void a_name_in_another_directory_does_not_replace_it(void **state)
{
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_name(&v, SIDE_BEFORE, FILE_INO, DIR_A, "file");
	views_name(&v, SIDE_AFTER, FILE_INO, DIR_B, "file");
	views_compare(&v);
	assert_int_equal(v.list.count, 2);
	views_assert_name(views_one(&v, LOSS_NAME, FATE_LOST), DIR_A, "file");
	assert_int_equal(views_one(&v, LOSS_NAME, FATE_LOST)->now_dir.v, NULL_INO);
	views_assert_name(views_one(&v, LOSS_NAME, FATE_GAINED), DIR_B, "file");
	views_close(&v);
}

/* Nothing else put it there: it is one move, and not a loss and a gain. */
static void a_reconnected_inode_is_now_where_it_was_put(void **state)
{
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_orphan(&v, FILE_INO);
	views_name(&v, SIDE_BEFORE, FILE_INO, DIR_A, "file");
	views_name(&v, SIDE_AFTER, FILE_INO, DIR_B, "200");
	views_compare(&v);
	loss = views_only(&v, LOSS_NAME, FATE_LOST);
	views_assert_name(loss, DIR_A, "file");
	views_assert_now(loss, DIR_B, "200");
	assert_int_equal(v.tally.moved, 1);
	views_close(&v);
}

static void a_reconnected_inode_without_known_name_has_lost_one(void **state)
{
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_orphan(&v, FILE_INO);
	views_name(&v, SIDE_AFTER, FILE_INO, DIR_B, "200");
	views_compare(&v);
	loss = views_only(&v, LOSS_NAME, FATE_LOST);
	assert_int_equal(loss->namelen, 0);
	assert_int_equal(loss->dir.v, NULL_INO);
	assert_int_equal(loss->witness, WITNESS_COUNT);
	views_assert_now(loss, DIR_B, "200");
	assert_int_equal(v.list.names_unknown, 1);
	assert_int_equal(v.tally.moved, 1);
	views_close(&v);
}

/* It had no name when it was deleted. */
static void a_reconnected_inode_without_links_has_lost_none(void **state)
{
	struct inode_core core = views_core();
	struct two_views v;

	(void)state;
	views_open(&v);
	core.nlink = 0;
	views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	views_inode(&v, SIDE_AFTER, FILE_INO, FT_REG, &core);
	views_orphan(&v, FILE_INO);
	views_name(&v, SIDE_AFTER, FILE_INO, DIR_B, "200");
	views_compare(&v);
	assert_true(views_only(&v, LOSS_NAME, FATE_GAINED)->reattached);
	assert_int_equal(v.list.names_unknown, 0);
	views_close(&v);
}

static void a_name_that_users_had_removed_is_outdated(void **state)
{
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_name_stays(&v, FILE_INO, DIR_A, "file");
	views_name(&v, SIDE_BEFORE, FILE_INO, DIR_B, "removed");
	views_drop_name(&v, DROP_OUTDATED, FILE_INO, DIR_B, "removed");
	views_compare(&v);
	views_assert_name(views_only(&v, LOSS_NAME, FATE_OUTDATED), DIR_B, "removed");
	assert_int_equal(v.list.totals.of[LOSS_NAME].lost, 0);
	views_close(&v);
}

/* Then the inode can't tell that it has no such name. */
static void an_outdated_name_of_an_unreadable_inode_is_lost(void **state)
{
	struct two_views v;

	(void)state;
	views_open(&v);
	views_put(&v, &(struct loss_fact){ .ino.v = FILE_INO, .kind = FACT_UNREAD, .side = SIDE_BEFORE }, NULL, 0);
	views_name(&v, SIDE_BEFORE, FILE_INO, DIR_B, "removed");
	views_drop_name(&v, DROP_OUTDATED, FILE_INO, DIR_B, "removed");
	views_compare(&v);
	views_assert_name(views_one(&v, LOSS_NAME, FATE_LOST), DIR_B, "removed");
	views_close(&v);
}

static void a_name_in_a_block_of_another_directory_is_not_its_own(void **state)
{
	struct loss_fact fact = NAME_OF(SIDE_BEFORE, FILE_INO, DIR_B, "file");
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_name_stays(&v, FILE_INO, DIR_A, "file");
	fact.elsewhere = true;
	views_put(&v, &fact, "file", 4);
	views_compare(&v);
	assert_int_equal(v.list.count, 0);
	views_close(&v);
}

/* Puts a name that is the same before and after, in a block whose checksum was wrong. */
static void put_unsound_name(struct two_views *v)
{
	struct loss_fact fact = NAME_OF(SIDE_BEFORE, FILE_INO, DIR_A, "file");

	views_inode_stays(v, FILE_INO, FT_REG);
	fact.unsound = true;
	views_put(v, &fact, "file", 4);
	views_name(v, SIDE_AFTER, FILE_INO, DIR_A, "file");
}

static void a_name_with_a_wrong_checksum_is_not_confirmed(void **state)
{
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	put_unsound_name(&v);
	views_compare(&v);
	loss = views_only(&v, LOSS_NAME, FATE_CHANGED);
	assert_int_equal(loss->reason, DROP_UNCONFIRMED);
	assert_int_equal(loss->doubt, DOUBT_CHECKSUM);
	assert_int_equal(v.tally.damaged, 1);
	assert_int_equal(v.tally.unconfirmed, 1);
	views_close(&v);
}

static void a_parent_pointer_confirms_it(void **state)
{
	struct two_views v;

	(void)state;
	views_open(&v);
	put_unsound_name(&v);
	assert_int_equal(number_set_add(&v.seals.names.found, hash3(&v.run.key, FILE_INO, DIR_A, views_hash("file"))),
			 1);
	views_compare(&v);
	assert_int_equal(v.list.count, 0);
	views_close(&v);
}

/* A hash index has the name, but not the inode number: one link, and two names, so one of them has a wrong number. */
static void an_index_does_not_confirm_the_number_of_an_inode_with_too_many_names(void **state)
{
	(void)state;
	for (uint32_t links = 1; links <= 2; links++) {
		struct loss_fact fact = NAME_OF(SIDE_BEFORE, FILE_INO, DIR_A, "file");
		struct inode_core core = views_core();
		struct two_views v;

		views_open(&v);
		core.nlink = links;
		views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
		views_inode(&v, SIDE_AFTER, FILE_INO, FT_REG, &core);
		fact.unsound = true;
		views_put(&v, &fact, "file", 4);
		views_name(&v, SIDE_AFTER, FILE_INO, DIR_A, "file");
		views_name_stays(&v, FILE_INO, DIR_B, "link");
		assert_int_equal(
			number_set_add(&v.seals.names.found, hash3(&v.run.key, FILE_INO, DIR_A, views_hash("file"))),
			1);
		views_compare(&v);
		if (links == 1)
			assert_int_equal(views_only(&v, LOSS_NAME, FATE_CHANGED)->doubt, DOUBT_CHECKSUM);
		else
			assert_int_equal(v.list.count, 0);
		views_close(&v);
	}
}

/* What was read from a block before its bytes were restored was misread. */
static void names_of_a_restored_block_are_those_it_has_now(void **state)
{
	struct loss_fact misread = NAME_OF(SIDE_BEFORE, FILE_INO, DIR_A, "fIle");
	struct loss_fact restored = NAME_OF(SIDE_AFTER, FILE_INO, DIR_A, "file");
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	misread.unsound = true;
	misread.seal = restored.seal = 77;
	assert_int_equal(number_set_add(&v.seals.restored, 77), 1);
	views_put(&v, &misread, "fIle", 4);
	views_put(&v, &restored, "file", 4);
	views_compare(&v);
	assert_int_equal(v.list.count, 0);
	views_close(&v);
}

static void a_name_that_the_hash_index_contradicts_is_unknown(void **state)
{
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_name_stays(&v, FILE_INO, DIR_A, "fIle");
	views_drop_name(&v, DROP_ALTERED, FILE_INO, DIR_A, "fIle");
	views_compare(&v);
	loss = views_only(&v, LOSS_NAME, FATE_LOST);
	assert_int_equal(loss->reason, DROP_ALTERED);
	assert_int_equal(loss->namelen, 0);
	views_assert_now(loss, DIR_A, "fIle");
	views_close(&v);
}

static void put_links(struct two_views *v, bool names_missing)
{
	struct inode_core core = views_core();

	core.nlink = 3;
	views_inode(v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	core.nlink = 1;
	views_inode(v, SIDE_AFTER, FILE_INO, FT_REG, &core);
	views_name_stays(v, FILE_INO, DIR_A, "file");
	v->c.names_missing = names_missing;
}

static void links_without_names_are_lost_names(void **state)
{
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	put_links(&v, true);
	views_compare(&v);
	loss = views_only(&v, LOSS_NAME, FATE_LOST);
	assert_int_equal(loss->count, 2);
	assert_int_equal(loss->witness, WITNESS_COUNT);
	assert_int_equal(v.list.names_unknown, 2);
	assert_int_equal(v.list.totals.of[LOSS_NAME].hidden, 2);
	views_close(&v);
}

static void the_link_count_was_wrong_if_all_directories_are_readable(void **state)
{
	struct two_views v;

	(void)state;
	views_open(&v);
	put_links(&v, false);
	views_compare(&v);
	assert_int_equal(v.list.count, 0);
	views_close(&v);
}

static void names_that_only_an_index_has_are_lost_in_their_directory(void **state)
{
	const struct loss_fact unnamed[] = {
		{ .ino.v = DIR_A, .kind = FACT_UNNAMED, .a = 12 },
		{ .ino.v = DIR_B, .kind = FACT_UNNAMED, .a = UINT64_MAX },
	};
	struct two_views v;

	(void)state;
	views_open(&v);
	for (unsigned i = 0; i < 2; i++) {
		views_inode_stays(&v, unnamed[i].ino.v, FT_DIR);
		views_put(&v, &unnamed[i], NULL, 0);
	}
	views_compare(&v);
	assert_int_equal(v.list.count, 2);
	assert_int_equal(v.list.all[0].dir.v, DIR_A);
	assert_int_equal(v.list.all[0].count, 12);
	assert_int_equal(v.list.all[0].ino.v, NULL_INO);
	assert_int_equal(v.list.all[1].dir.v, DIR_B);
	assert_int_equal(v.list.all[1].count, 0); /* their number is unknown */
	views_close(&v);
}

static void a_lost_directory_below_the_root_is_noted(void **state)
{
	(void)state;
	for (unsigned renamed = 0; renamed < 2; renamed++) {
		struct two_views v;

		views_open(&v);
		views_inode_stays(&v, DIR_B, FT_DIR);
		views_name(&v, SIDE_BEFORE, DIR_B, ROOT, "home");
		if (renamed)
			views_name(&v, SIDE_AFTER, DIR_B, ROOT, "HOME");
		views_compare(&v);
		assert_int_equal(v.list.totals.top_directory, !renamed);
		views_close(&v);
	}
}

/* ---- inodes ---- */

/* Every field that stat(2), statx(2) or FS_IOC_FSGETXATTR shows, except for counts that follow from the map. */
static void each_field_that_changes_is_told_with_both_values(void **state)
{
#define FIELD(symbol, member)                                                                                          \
	{                                                                                                              \
		LOSS_FIELD_##symbol, offsetof(struct inode_core, member), sizeof(((struct inode_core *)0)->member)     \
	}
	static const struct {
		enum loss_field field;
		size_t offset, width;
	} fields[] = {
		FIELD(MODE, mode),	 FIELD(UID, uid),
		FIELD(GID, gid),	 FIELD(PROJID, projid),
		FIELD(SIZE, size),	 FIELD(GEN, gen),
		FIELD(FLAGS, flags),	 FIELD(FLAGS2, flags2),
		FIELD(EXTSIZE, extsize), FIELD(COWEXTSIZE, cowextsize),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct inode_core before = views_core(), after;
		const struct loss *loss;
		uint64_t from = 0, to = 0;
		uint32_t narrow[2];
		struct two_views v;

		views_open(&v);
		if (fields[i].width == sizeof(from)) {
			memcpy(&from, (uint8_t *)&before + fields[i].offset, sizeof(from));
			to = from + 0x10;
			after = before;
			memcpy((uint8_t *)&after + fields[i].offset, &to, sizeof(to));
		} else {
			memcpy(&narrow[0], (uint8_t *)&before + fields[i].offset, sizeof(narrow[0]));
			narrow[1] = narrow[0] + 0x10;
			after = before;
			memcpy((uint8_t *)&after + fields[i].offset, &narrow[1], sizeof(narrow[1]));
			from = narrow[0];
			to = narrow[1];
		}
		views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &before);
		views_inode(&v, SIDE_AFTER, FILE_INO, FT_REG, &after);
		views_name_stays(&v, FILE_INO, DIR_A, "file");
		views_compare(&v);
		loss = views_only(&v, LOSS_INODE, FATE_CHANGED);
		assert_int_equal(loss->field, fields[i].field);
		assert_int_equal(loss->from, from);
		assert_int_equal(loss->to, to);
		assert_int_equal(v.list.totals.files, 1);
		assert_int_equal(v.tally.damaged, 1);
		assert_int_equal(v.tally.unconfirmed, 0);
		views_close(&v);
	}
}

/* ondisk 04: seconds and nanoseconds, or nanoseconds since December 1901. */
static void times_are_told_in_seconds_of_1970(void **state)
{
	static const struct {
		uint64_t bigtime, stored;
		int64_t seconds;
	} times[] = {
		{ 0, UINT64_C(0x0000003c00000005), 60 },
		{ 0, UINT64_C(0xffffffc400000005), -60 },
		{ 8, (UINT64_C(2147483648) + 60) * 1000000000 + 5, 60 },
		{ 8, (UINT64_C(2147483648) - 60) * 1000000000 + 5, -60 },
	};

	(void)state;
	for (unsigned which = 0; which < 4; which++) {
		for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
			struct inode_core before = views_core(), after;
			const struct loss *loss;
			struct two_views v;

			views_open(&v);
			before.flags2 = times[i].bigtime;
			before.times[which] = times[i].stored;
			after = before;
			after.times[which] = times[i].bigtime ? 0 : UINT64_C(0x8000000000000000); /* 1901 */
			views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &before);
			views_inode(&v, SIDE_AFTER, FILE_INO, FT_REG, &after);
			views_compare(&v);
			loss = views_only(&v, LOSS_INODE, FATE_CHANGED);
			assert_int_equal(loss->field, LOSS_FIELD_ATIME + which);
			assert_true((int64_t)loss->from == times[i].seconds);
			assert_true((int64_t)loss->to == INT32_MIN);
			views_close(&v);
		}
	}
}

static void the_size_of_a_directory_is_not_compared(void **state)
{
	struct inode_core core = views_core();
	struct two_views v;

	(void)state;
	views_open(&v);
	core.size = 10;
	views_inode(&v, SIDE_BEFORE, DIR_A, FT_DIR, &core);
	core.size = 20;
	views_inode(&v, SIDE_AFTER, DIR_A, FT_DIR, &core);
	views_compare(&v);
	assert_int_equal(v.list.count, 0);
	views_close(&v);
}

static void an_inode_that_matches_its_old_checksum_again_has_changed_in_nothing(void **state)
{
	struct inode_core core = views_core();
	struct two_views v;

	(void)state;
	views_open(&v);
	core.uid = 4711;
	core.unsound = 1;
	views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	core = views_core();
	views_inode(&v, SIDE_AFTER, FILE_INO, FT_REG, &core);
	views_compare(&v);
	assert_int_equal(v.list.count, 0);
	views_close(&v);
}

static void an_inode_that_got_another_checksum_is_not_confirmed(void **state)
{
	struct inode_core core = views_core();
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	core.unsound = 1;
	views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	core.unsound = 0;
	core.crc = 0x5678;
	views_inode(&v, SIDE_AFTER, FILE_INO, FT_REG, &core);
	views_name_stays(&v, FILE_INO, DIR_A, "file");
	views_compare(&v);
	loss = views_only(&v, LOSS_INODE, FATE_CHANGED);
	assert_int_equal(loss->field, LOSS_FIELD_CRC);
	assert_int_equal(v.tally.damaged, 1);
	assert_int_equal(v.tally.unconfirmed, 1);
	assert_int_equal(v.list.totals.files, 1);
	views_close(&v);
}

static void a_stale_inode_is_told_even_if_it_stays(void **state)
{
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_name_stays(&v, FILE_INO, DIR_A, "file");
	views_drop_inode(&v, DROP_STALE, FILE_INO);
	views_compare(&v);
	loss = views_only(&v, LOSS_INODE, FATE_CHANGED);
	assert_int_equal(loss->field, LOSS_FIELD_AGE);
	assert_int_equal(v.tally.unconfirmed, 1);
	views_close(&v);
}

static void an_inode_that_is_gone_takes_its_name_data_and_attributes_with_it(void **state)
{
	struct inode_core core = views_core();
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	core.size = 5000;
	views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	views_name(&v, SIDE_BEFORE, FILE_INO, DIR_A, "file");
	views_put(&v,
		  &(struct loss_fact){ .ino.v = FILE_INO, .kind = FACT_BLOCKS, .a = 0, .b = 9, .c = 3, .data = true },
		  NULL, 0);
	views_put(&v, &(struct loss_fact){ .ino.v = FILE_INO, .kind = FACT_ATTRIBUTE, .a = 1, .b = 2, .c = 3 }, "abc",
		  3);
	views_compare(&v);
	loss = views_one(&v, LOSS_INODE, FATE_LOST);
	assert_int_equal(loss->reason, DROP_INODE_LOST);
	assert_int_equal(loss->witness, WITNESS_BLOCK);
	assert_int_equal(views_one(&v, LOSS_NAME, FATE_LOST)->reason, DROP_INODE_LOST);
	assert_int_equal(v.list.totals.of[LOSS_INODE].lost, 1);
	assert_int_equal(v.list.totals.of[LOSS_NAME].lost, 1);
	assert_int_equal(v.list.totals.of[LOSS_DATA].lost, 2 * 4096);
	assert_int_equal(v.list.totals.of[LOSS_ATTRIBUTE].lost, 1);
	assert_int_equal(v.tally.lost, 1);
	assert_int_equal(v.tally.nameless, 0);
	assert_int_equal(v.tally.gone[0], 1);
	views_close(&v);
}

static void a_lost_inode_without_known_name_was_one_path(void **state)
{
	const struct inode_core core = views_core();
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	views_compare(&v);
	views_only(&v, LOSS_INODE, FATE_LOST);
	assert_int_equal(v.tally.lost, 1);
	assert_int_equal(v.tally.nameless, 1);
	views_close(&v);
}

static void what_was_deleted_while_open_is_no_loss(void **state)
{
	struct inode_core core = views_core();
	struct two_views v;

	(void)state;
	views_open(&v);
	core.nlink = 0;
	views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	views_compare(&v);
	assert_int_equal(v.list.count, 0);
	assert_int_equal(v.tally.lost, 0);
	assert_int_equal(v.tally.gone[0], 1);
	views_close(&v);
}

static void an_unreadable_inode_that_is_gone_is_known_by_its_number(void **state)
{
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_put(&v, &(struct loss_fact){ .ino.v = FILE_INO, .kind = FACT_UNREAD, .side = SIDE_BEFORE }, NULL, 0);
	views_compare(&v);
	loss = views_only(&v, LOSS_INODE, FATE_LOST);
	assert_int_equal(loss->witness, WITNESS_COUNT);
	assert_int_equal(loss->reason, DROP_INODE_LOST);
	assert_int_equal(v.list.totals.of[LOSS_INODE].hidden, 1);
	views_close(&v);
}

/* The record of its chunk may have been misread. */
static void an_inode_that_only_a_block_with_a_wrong_checksum_lists_is_doubtful(void **state)
{
	const struct loss_fact unread = {
		.ino.v = FILE_INO, .kind = FACT_UNREAD, .side = SIDE_BEFORE, .unsound = true
	};

	(void)state;
	for (unsigned named = 0; named < 2; named++) {
		struct two_views v;

		views_open(&v);
		views_put(&v, &unread, NULL, 0);
		if (named)
			views_name(&v, SIDE_BEFORE, FILE_INO, DIR_A, "file");
		views_compare(&v);
		assert_int_equal(views_one(&v, LOSS_INODE, FATE_LOST)->doubt, named ? DOUBT_NONE : DOUBT_CHECKSUM);
		views_close(&v);
	}
}

/* The entry is lost, but there was no inode of that number. */
static void an_impossible_number_was_no_inode(void **state)
{
	const uint64_t impossible = UINT64_C(1) << 60;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_name(&v, SIDE_BEFORE, impossible, DIR_A, "file");
	views_compare(&v);
	assert_int_equal(views_only(&v, LOSS_NAME, FATE_LOST)->reason, DROP_INODE_IMPOSSIBLE);
	views_close(&v);
}

static void an_inode_behind_the_new_end_is_cut_off(void **state)
{
	const struct inode_core core = views_core();
	const uint64_t last = (uint64_t)3 << (15 + 3) | FILE_INO; /* in AG 3 */
	struct two_views v;

	(void)state;
	views_open(&v);
	v.again.geo.agcount = 3;
	v.again.geo.dblocks = 3 * AG_LEN;
	views_inode(&v, SIDE_BEFORE, last, FT_REG, &core);
	views_name(&v, SIDE_BEFORE, last, DIR_A, "file");
	views_compare(&v);
	assert_int_equal(views_one(&v, LOSS_INODE, FATE_LOST)->reason, DROP_CUT_OFF);
	assert_int_equal(views_one(&v, LOSS_NAME, FATE_LOST)->reason, DROP_CUT_OFF);
	views_close(&v);
}

static void an_inode_known_only_by_a_name_with_a_wrong_checksum_is_doubtful(void **state)
{
	(void)state;
	for (unsigned sound = 0; sound < 2; sound++) {
		struct loss_fact fact = NAME_OF(SIDE_BEFORE, FILE_INO, DIR_A, "file");
		struct two_views v;

		views_open(&v);
		fact.unsound = true;
		views_put(&v, &fact, "file", 4);
		if (sound)
			views_name(&v, SIDE_BEFORE, FILE_INO, DIR_B, "link");
		views_compare(&v);
		assert_int_equal(views_one(&v, LOSS_INODE, FATE_LOST)->doubt, sound ? DOUBT_NONE : DOUBT_CHECKSUM);
		views_close(&v);
	}
}

static void an_inode_made_anew_is_lost_as_long_as_its_times_are(void **state)
{
	(void)state;
	for (unsigned restored = 0; restored < 2; restored++) {
		struct inode_core core = views_core();
		struct two_views v;

		views_open(&v);
		core.times[2] = restored ? (uint64_t)1000 << 32 : 0;
		views_inode(&v, SIDE_AFTER, FILE_INO, FT_REG, &core);
		views_name_stays(&v, FILE_INO, DIR_A, "file");
		views_drop_inode(&v, DROP_RECREATED, FILE_INO);
		views_compare(&v);
		if (restored)
			views_only(&v, LOSS_INODE, FATE_GAINED);
		else
			assert_int_equal(views_only(&v, LOSS_INODE, FATE_LOST)->reason, DROP_RECREATED);
		assert_int_equal(v.tally.damaged, !restored);
		assert_int_equal(v.tally.lost, 0); /* the path leads to what is left of it */
		views_close(&v);
	}
}

/* A name of before and another of now, in lost+found's place: the number was given to a new inode. */
static void a_number_given_to_another_inode_is_no_restored_file(void **state)
{
	const struct inode_core core = views_core();
	struct two_views v;

	(void)state;
	views_open(&v);
	views_put(&v, &(struct loss_fact){ .ino.v = FILE_INO, .kind = FACT_UNREAD, .side = SIDE_BEFORE }, NULL, 0);
	views_inode(&v, SIDE_AFTER, FILE_INO, FT_DIR, &core);
	views_name(&v, SIDE_AFTER, FILE_INO, ROOT, "lost+found");
	views_name(&v, SIDE_BEFORE, FILE_INO, DIR_A, "file");
	views_compare(&v);
	assert_int_equal(views_one(&v, LOSS_INODE, FATE_LOST)->ino.v, FILE_INO);
	views_assert_name(views_one(&v, LOSS_NAME, FATE_LOST), DIR_A, "file");
	assert_int_equal(v.tally.lost, 1);
	assert_int_equal(v.tally.made[0], 1);
	views_close(&v);
}

static void a_misplaced_inode_says_nothing_of_the_one_whose_place_it_had(void **state)
{
	struct inode_core core = views_core();
	struct two_views v;

	(void)state;
	views_open(&v);
	core.misplaced = 1;
	core.uid = 4711;
	core.gen = 8;
	views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	core = views_core();
	views_inode(&v, SIDE_AFTER, FILE_INO, FT_REG, &core);
	views_name_stays(&v, FILE_INO, DIR_A, "file");
	views_compare(&v);
	views_only(&v, LOSS_INODE, FATE_GAINED);
	views_close(&v);
}

/* ---- attributes ---- */

#define ATTRIBUTE(side_, value, len)                                                                                   \
	((struct loss_fact){ .ino.v = FILE_INO,                                                                        \
			     .kind = FACT_ATTRIBUTE,                                                                   \
			     .side = (uint8_t)(side_),                                                                 \
			     .a = views_hash("note"),                                                                  \
			     .b = (value),                                                                             \
			     .c = (len) })

/* before, after: values, which are hashes; 0: none.  len: of the value after. */
static void attribute_becomes(struct two_views *v, uint64_t before, uint64_t after, uint64_t len)
{
	views_open(v);
	views_inode_stays(v, FILE_INO, FT_REG);
	views_name_stays(v, FILE_INO, DIR_A, "file");
	if (before)
		views_put(v, &ATTRIBUTE(SIDE_BEFORE, before, 20), "note", 4);
	if (after)
		views_put(v, &ATTRIBUTE(SIDE_AFTER, after, len), "note", 4);
	views_compare(v);
}

static void an_attribute_is_lost_changed_or_gained(void **state)
{
	static const struct {
		uint64_t before, after, len;
		enum loss_fate fate;
	} cases[] = {
		{ 8, 0, 0, FATE_LOST },
		{ 0, 8, 20, FATE_GAINED },
		{ 8, 9, 20, FATE_CHANGED },
		{ 8, 8, 21, FATE_CHANGED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct loss *loss;
		struct two_views v;

		attribute_becomes(&v, cases[i].before, cases[i].after, cases[i].len);
		loss = views_only(&v, LOSS_ATTRIBUTE, cases[i].fate);
		assert_int_equal(loss->namelen, 4);
		assert_memory_equal(loss->bytes, "note", 4);
		assert_int_equal(v.tally.damaged, cases[i].fate != FATE_GAINED);
		views_close(&v);
	}
}

/* user.note and trusted.note are two attributes: ondisk 07. */
static void attributes_of_two_namespaces_are_two(void **state)
{
	struct loss_fact trusted = ATTRIBUTE(SIDE_BEFORE, 8, 20);
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	trusted.flags = 2; /* trusted */
	views_put(&v, &trusted, "note", 4);
	views_put(&v, &ATTRIBUTE(SIDE_AFTER, 8, 20), "note", 4);
	views_compare(&v);
	assert_int_equal(views_one(&v, LOSS_ATTRIBUTE, FATE_LOST)->flags, 2);
	assert_int_equal(views_one(&v, LOSS_ATTRIBUTE, FATE_GAINED)->flags, 0);
	views_close(&v);
}

static void each_namespace_is_compared_with_itself(void **state)
{
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	for (enum fact_side side = SIDE_BEFORE; side <= SIDE_AFTER; side += SIDE_AFTER - SIDE_BEFORE) {
		struct loss_fact fact = ATTRIBUTE(side, 8, 20);

		for (fact.flags = 0; fact.flags < 5; fact.flags += 2) { /* user, trusted, security */
			fact.b++;
			views_put(&v, &fact, "note", 4);
		}
	}
	views_compare(&v);
	assert_int_equal(v.list.count, 0);
	views_close(&v);
}

static void an_attribute_of_a_block_with_a_wrong_checksum_is_not_confirmed(void **state)
{
	struct loss_fact before = ATTRIBUTE(SIDE_BEFORE, 8, 20);
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	before.unsound = true;
	views_put(&v, &before, "note", 4);
	views_put(&v, &ATTRIBUTE(SIDE_AFTER, 8, 20), "note", 4);
	views_compare(&v);
	loss = views_only(&v, LOSS_ATTRIBUTE, FATE_CHANGED);
	assert_int_equal(loss->reason, DROP_UNCONFIRMED);
	assert_int_equal(loss->doubt, DOUBT_CHECKSUM);
	views_close(&v);
}

enum part { PART_SAME, PART_OTHER, PART_UNREAD, PART_UNSOUND };

/* A value in two blocks (a block holds 4096 bytes of it, or less a header of 56, ondisk 07), of which the second one is
 * this. */
static void value_becomes(struct two_views *v, enum part second, bool crc)
{
	views_open(v);
	v->rc.geo.crc = crc;
	views_inode_stays(v, FILE_INO, FT_REG);
	for (enum fact_side side = SIDE_BEFORE; side <= SIDE_AFTER; side += SIDE_AFTER - SIDE_BEFORE) {
		struct loss_fact fact = ATTRIBUTE(side, 0, (crc ? 4040 : 4096) + 1);

		fact.value_at.v = side == SIDE_BEFORE ? 10 : 20;
		views_put(v, &fact, "note", 4);
		for (unsigned i = 0; i < 2; i++) {
			struct loss_fact part = { .ino.v = FILE_INO,
						  .kind = FACT_VALUE,
						  .side = (uint8_t)side,
						  .a = fact.value_at.v + i,
						  .b = 1000 + i };

			if (side == SIDE_BEFORE && i && second == PART_UNREAD)
				continue;
			part.b += side == SIDE_BEFORE && i && second == PART_OTHER;
			part.unsound = side == SIDE_BEFORE && i && second == PART_UNSOUND;
			views_put(v, &part, NULL, 0);
		}
	}
	views_compare(v);
}

static void a_long_value_is_compared_block_by_block_wherever_it_is_now(void **state)
{
	struct two_views v;

	(void)state;
	value_becomes(&v, PART_SAME, true);
	assert_int_equal(v.list.count, 0);
	views_close(&v);
	value_becomes(&v, PART_OTHER, true);
	assert_int_equal(views_only(&v, LOSS_ATTRIBUTE, FATE_CHANGED)->reason, DROP_UNKNOWN);
	views_close(&v);
	for (enum part part = PART_UNREAD; part <= PART_UNSOUND; part++) {
		value_becomes(&v, part, true);
		assert_int_equal(views_only(&v, LOSS_ATTRIBUTE, FATE_CHANGED)->reason, DROP_UNCONFIRMED);
		views_close(&v);
	}
}

/* Their blocks have no header, so nothing of them is known. */
static void blocks_of_long_values_of_version_4_are_not_compared(void **state)
{
	struct two_views v;

	(void)state;
	value_becomes(&v, PART_UNREAD, false);
	assert_int_equal(v.list.count, 0);
	views_close(&v);
}

static void attributes_of_an_unreadable_block_are_lost_in_unknown_number(void **state)
{
	(void)state;
	for (unsigned parent = 0; parent < 2; parent++) {
		const struct loss *loss;
		struct two_views v;

		views_open(&v);
		v.rc.geo.parent = parent;
		views_inode_stays(&v, FILE_INO, FT_REG);
		views_put(&v, &(struct loss_fact){ .ino.v = FILE_INO, .kind = FACT_UNATTRIBUTED, .a = 3 }, NULL, 0);
		views_compare(&v);
		loss = views_only(&v, LOSS_ATTRIBUTE, FATE_LOST);
		assert_int_equal(loss->witness, WITNESS_COUNT);
		assert_int_equal(loss->doubt, parent ? DOUBT_PARENTS : DOUBT_NONE);
		views_close(&v);
	}
}

/* The inode's checksum is wrong, so that it may have been a wrong field that led to such a block. */
static void attributes_of_a_damaged_inode_are_lost_perhaps(void **state)
{
	struct inode_core core = views_core();
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	core.unsound = 1;
	views_inode(&v, SIDE_BEFORE, FILE_INO, FT_REG, &core);
	views_inode(&v, SIDE_AFTER, FILE_INO, FT_REG, &core);
	views_put(&v, &(struct loss_fact){ .ino.v = FILE_INO, .kind = FACT_UNATTRIBUTED, .a = 3 }, NULL, 0);
	views_compare(&v);
	loss = views_one(&v, LOSS_ATTRIBUTE, FATE_LOST);
	assert_int_equal(loss->doubt, DOUBT_CHECKSUM);
	views_close(&v);
}

/* A mender saw room for more attributes in a damaged leaf: the file is not confirmed, but it is not damaged, either. */
static void attributes_that_a_damaged_leaf_may_have_held_are_in_doubt(void **state)
{
	const struct loss_fact dropped = {
		.ino.v = FILE_INO, .kind = FACT_ATTRIBUTE, .side = SIDE_DROPPED, .reason = DROP_UNCONFIRMED
	};
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_REG);
	views_name_stays(&v, FILE_INO, DIR_A, "file");
	views_put(&v, &dropped, NULL, 0);
	views_compare(&v);
	loss = views_only(&v, LOSS_ATTRIBUTE, FATE_LOST);
	assert_int_equal(loss->doubt, DOUBT_CHECKSUM);
	assert_int_equal(loss->witness, WITNESS_COUNT);
	assert_int_equal(v.tally.damaged, 1);
	assert_int_equal(v.tally.unconfirmed, 1);
	views_close(&v);
}

/* ---- targets ---- */

static void put_target(struct two_views *v, enum fact_side side, uint64_t offset, const char *part)
{
	const struct loss_fact fact = { .ino.v = FILE_INO, .kind = FACT_TARGET, .side = (uint8_t)side, .a = offset };

	views_put(v, &fact, part, strlen(part));
}

static void a_target_is_compared_as_one_whatever_parts_it_is_in(void **state)
{
	static const struct {
		const char *before[2], *after[2]; /* parts */
		bool told;
		enum loss_fate fate;
	} cases[] = {
		{ { "usr/", "lib" }, { "usr/lib", NULL }, false, FATE_NR },
		{ { "usr/lib", NULL }, { "usr/", "lib" }, false, FATE_NR },
		{ { "usr/", "lib" }, { "usr/", "bin" }, true, FATE_CHANGED },
		{ { "usr/", "lib" }, { "usr/", NULL }, true, FATE_LOST },
		{ { "usr/", "lib" }, { NULL, NULL }, true, FATE_LOST },
		{ { "usr/", NULL }, { "usr/", "lib" }, false, FATE_NR }, /* a part was restored */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct two_views v;

		views_open(&v);
		views_inode_stays(&v, FILE_INO, FT_SYMLINK);
		for (uint64_t k = 0, was = 0, is = 0; k < 2; k++) {
			if (cases[i].before[k])
				put_target(&v, SIDE_BEFORE, was, cases[i].before[k]);
			if (cases[i].after[k])
				put_target(&v, SIDE_AFTER, is, cases[i].after[k]);
			was += cases[i].before[k] ? strlen(cases[i].before[k]) : 0;
			is += cases[i].after[k] ? strlen(cases[i].after[k]) : 0;
		}
		views_compare(&v);
		if (cases[i].told)
			views_only(&v, LOSS_TARGET, cases[i].fate);
		else
			assert_int_equal(v.list.count, 0);
		views_close(&v);
	}
}

/* XFS_SYMLINK_MAXLEN is 1024; parts say offsets and lengths as the disk has them. */
static void parts_behind_the_longest_target_are_left_out(void **state)
{
	static const uint64_t offsets[] = { 1020, 1024, 1025, UINT32_MAX, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		struct two_views v;

		views_open(&v);
		views_inode_stays(&v, FILE_INO, FT_SYMLINK);
		put_target(&v, SIDE_BEFORE, 0, "lib");
		put_target(&v, SIDE_AFTER, 0, "lib");
		put_target(&v, SIDE_BEFORE, offsets[i], "12345");
		views_compare(&v);
		assert_int_equal(v.list.count, 0);
		views_close(&v);
	}
}

static void a_dropped_target_is_lost_even_if_another_is_there_now(void **state)
{
	struct loss_fact dropped = {
		.ino.v = FILE_INO, .kind = FACT_TARGET, .side = SIDE_DROPPED, .reason = DROP_UNREADABLE
	};
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_SYMLINK);
	views_put(&v, &dropped, NULL, 0);
	put_target(&v, SIDE_AFTER, 0, "?");
	views_compare(&v);
	loss = views_only(&v, LOSS_TARGET, FATE_LOST);
	assert_int_equal(loss->reason, DROP_UNREADABLE);
	assert_int_equal(loss->witness, WITNESS_COUNT);
	views_close(&v);
}

/* It was rewritten from a block with a wrong checksum. */
static void a_target_that_a_mender_doubts_is_not_confirmed(void **state)
{
	const struct loss_fact doubted = {
		.ino.v = FILE_INO, .kind = FACT_TARGET, .side = SIDE_DROPPED, .reason = DROP_UNCONFIRMED
	};
	const struct loss *loss;
	struct two_views v;

	(void)state;
	views_open(&v);
	views_inode_stays(&v, FILE_INO, FT_SYMLINK);
	views_put(&v, &doubted, NULL, 0);
	put_target(&v, SIDE_AFTER, 0, "usr/lib");
	views_compare(&v);
	loss = views_only(&v, LOSS_TARGET, FATE_CHANGED);
	assert_int_equal(loss->reason, DROP_UNCONFIRMED);
	assert_int_equal(loss->doubt, DOUBT_CHECKSUM);
	views_close(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_stays_is_no_loss),
		cmocka_unit_test(a_name_that_is_not_there_any_more_is_lost),
		cmocka_unit_test(names_of_one_directory_are_compared_each_with_itself),
		cmocka_unit_test(a_dropped_name_is_lost_for_that_reason),
		cmocka_unit_test(a_dropped_name_that_came_back_is_no_loss),
		cmocka_unit_test(another_name_in_the_same_directory_replaces_it),
		cmocka_unit_test(a_name_in_another_directory_does_not_replace_it),
		cmocka_unit_test(a_reconnected_inode_is_now_where_it_was_put),
		cmocka_unit_test(a_reconnected_inode_without_known_name_has_lost_one),
		cmocka_unit_test(a_reconnected_inode_without_links_has_lost_none),
		cmocka_unit_test(a_name_that_users_had_removed_is_outdated),
		cmocka_unit_test(an_outdated_name_of_an_unreadable_inode_is_lost),
		cmocka_unit_test(a_name_in_a_block_of_another_directory_is_not_its_own),
		cmocka_unit_test(a_name_with_a_wrong_checksum_is_not_confirmed),
		cmocka_unit_test(a_parent_pointer_confirms_it),
		cmocka_unit_test(an_index_does_not_confirm_the_number_of_an_inode_with_too_many_names),
		cmocka_unit_test(names_of_a_restored_block_are_those_it_has_now),
		cmocka_unit_test(a_name_that_the_hash_index_contradicts_is_unknown),
		cmocka_unit_test(links_without_names_are_lost_names),
		cmocka_unit_test(the_link_count_was_wrong_if_all_directories_are_readable),
		cmocka_unit_test(names_that_only_an_index_has_are_lost_in_their_directory),
		cmocka_unit_test(a_lost_directory_below_the_root_is_noted),
		cmocka_unit_test(each_field_that_changes_is_told_with_both_values),
		cmocka_unit_test(times_are_told_in_seconds_of_1970),
		cmocka_unit_test(the_size_of_a_directory_is_not_compared),
		cmocka_unit_test(an_inode_that_matches_its_old_checksum_again_has_changed_in_nothing),
		cmocka_unit_test(an_inode_that_got_another_checksum_is_not_confirmed),
		cmocka_unit_test(a_stale_inode_is_told_even_if_it_stays),
		cmocka_unit_test(an_inode_that_is_gone_takes_its_name_data_and_attributes_with_it),
		cmocka_unit_test(a_lost_inode_without_known_name_was_one_path),
		cmocka_unit_test(what_was_deleted_while_open_is_no_loss),
		cmocka_unit_test(an_unreadable_inode_that_is_gone_is_known_by_its_number),
		cmocka_unit_test(an_inode_that_only_a_block_with_a_wrong_checksum_lists_is_doubtful),
		cmocka_unit_test(an_impossible_number_was_no_inode),
		cmocka_unit_test(an_inode_behind_the_new_end_is_cut_off),
		cmocka_unit_test(an_inode_known_only_by_a_name_with_a_wrong_checksum_is_doubtful),
		cmocka_unit_test(an_inode_made_anew_is_lost_as_long_as_its_times_are),
		cmocka_unit_test(a_number_given_to_another_inode_is_no_restored_file),
		cmocka_unit_test(a_misplaced_inode_says_nothing_of_the_one_whose_place_it_had),
		cmocka_unit_test(an_attribute_is_lost_changed_or_gained),
		cmocka_unit_test(attributes_of_two_namespaces_are_two),
		cmocka_unit_test(each_namespace_is_compared_with_itself),
		cmocka_unit_test(an_attribute_of_a_block_with_a_wrong_checksum_is_not_confirmed),
		cmocka_unit_test(a_long_value_is_compared_block_by_block_wherever_it_is_now),
		cmocka_unit_test(blocks_of_long_values_of_version_4_are_not_compared),
		cmocka_unit_test(attributes_of_an_unreadable_block_are_lost_in_unknown_number),
		cmocka_unit_test(attributes_of_a_damaged_inode_are_lost_perhaps),
		cmocka_unit_test(attributes_that_a_damaged_leaf_may_have_held_are_in_doubt),
		cmocka_unit_test(a_target_is_compared_as_one_whatever_parts_it_is_in),
		cmocka_unit_test(parts_behind_the_longest_target_are_left_out),
		cmocka_unit_test(a_dropped_target_is_lost_even_if_another_is_there_now),
		cmocka_unit_test(a_target_that_a_mender_doubts_is_not_confirmed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
