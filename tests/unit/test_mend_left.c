/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Menders that leave an object as it is, and the number of remaining problems for each reason. */
#include <errno.h>

#include "../../repair/mend/base/mend.h"
#include "../../repair/mend/base/mend_table.h"
#include "reported.h"

static struct found about(uint64_t ino, enum finding finding)
{
	struct found found = { .place = place_of(OBJ_INODE), .problem = { .finding = finding } };

	found.place.ino.v = ino;
	return found;
}

static void others_go_on_where_an_object_stays_as_it_is(void **state)
{
	const struct found found = about(130, F_INODE_ORPHAN);
	struct mend m = { .kind = MEND_orphan };

	(void)state;
	assert_int_equal(mend_left(&m, &found, 1, 0), 0);
	assert_int_equal(mend_left(&m, &found, 1, -ENOENT), 0);
	assert_int_equal(mend_left(&m, &found, 1, -ENOMEM), -ENOMEM);
	assert_int_equal(mend_left(&m, &found, 1, -EIO), -EIO);
	mend_left_free(&m);
}

static void each_reason_is_told_apart(void **state)
{
	const struct found full = about(130, F_INODE_ORPHAN), lost = about(131, F_INODE_ORPHAN),
			   large = about(132, F_INODE_ORPHAN), settled = about(133, F_INODE_ORPHAN);
	const struct found left[] = { full, lost, large, lost, settled };
	struct mend m = { .kind = MEND_orphan };

	(void)state;
	assert_int_equal(mend_left(&m, &full, 1, -ENOSPC), 0);
	assert_int_equal(mend_left(&m, &lost, 1, -ENOENT), 0);
	assert_int_equal(mend_left(&m, &large, 1, -E2BIG), 0);
	assert_int_equal(mend_left(&m, &settled, 1, 0), 0);
	assert_int_equal(mend_left_count(&m, LEFT_NO_ROOM, left, 5), 1);
	assert_int_equal(mend_left_count(&m, LEFT_UNREADABLE, left, 5), 2);
	assert_int_equal(mend_left_count(&m, LEFT_TOO_LARGE, left, 5), 1);
	mend_left_free(&m);
}

static void groups_are_told_apart(void **state)
{
	struct found left[3] = { about(NULL_INO, F_AG_UNLINKED_LOOP), about(NULL_INO, F_AG_UNLINKED_LOOP),
				 about(130, F_AG_UNLINKED_LOOP) };
	struct mend m = { .kind = mend_of(&left[0]) };

	(void)state;
	left[0].place.agno.v = 2;
	left[1].place.agno.v = 3;
	left[2].place.agno.v = 2; /* an inode that lies in that group */
	assert_int_equal(mend_left(&m, left, 1, -ENOENT), 0);
	assert_int_equal(mend_left_count(&m, LEFT_UNREADABLE, left, 3), 1);
	assert_int_equal(mend_left_count(&m, LEFT_UNREADABLE, left + 1, 2), 0);
	mend_left_free(&m);
}

static void only_what_its_own_mender_had_no_room_for_counts(void **state)
{
	const struct found orphans[] = { about(140, F_INODE_ORPHAN), about(130, F_INODE_ORPHAN) };
	const struct found left[] = { about(130, F_INODE_ORPHAN), about(130, F_INODE_ORPHAN),
				      about(131, F_INODE_ORPHAN), about(140, F_INODE_NLINK_COUNT) };
	struct mend m = { .kind = MEND_orphan };

	(void)state;
	assert_int_equal(mend_left(&m, orphans, 2, -ENOSPC), 0);
	assert_int_equal(mend_left(&m, orphans, 2, -ENOSPC), 0);
	assert_int_equal(mend_left_count(&m, LEFT_NO_ROOM, left, 4), 2);
	mend_left_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_go_on_where_an_object_stays_as_it_is),
		cmocka_unit_test(each_reason_is_told_apart),
		cmocka_unit_test(groups_are_told_apart),
		cmocka_unit_test(only_what_its_own_mender_had_no_room_for_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
