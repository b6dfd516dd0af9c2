/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Menders that leave an object as it is, and which of the problems that are left are so for want of space. */
#include <errno.h>

#include "../../repair/mend/base/mend.h"
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
	assert_int_equal(mend_left_without_room(&m, &found, 1), 0);
	assert_int_equal(mend_left(&m, &found, 1, -ENOSPC), 0);
	assert_int_equal(mend_left_without_room(&m, &found, 1), 1);
	mend_left_free(&m);
}

static void only_what_its_own_mender_had_no_room_for_counts(void **state)
{
	const struct found orphans[] = { about(140, F_INODE_ORPHAN), about(130, F_INODE_ORPHAN) };
	const struct found nowhere = about(NULL_INO, F_INODE_ORPHAN);
	const struct found left[] = { about(130, F_INODE_ORPHAN), about(130, F_INODE_ORPHAN),
				      about(131, F_INODE_ORPHAN), about(140, F_INODE_NLINK_COUNT), nowhere };
	struct mend m = { .kind = MEND_orphan };

	(void)state;
	assert_int_equal(mend_left(&m, orphans, 2, -ENOSPC), 0);
	assert_int_equal(mend_left(&m, orphans, 2, -ENOSPC), 0);
	assert_int_equal(mend_left(&m, &nowhere, 1, -ENOSPC), 0);
	assert_int_equal(mend_left_without_room(&m, left, 5), 2);
	mend_left_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_go_on_where_an_object_stays_as_it_is),
		cmocka_unit_test(only_what_its_own_mender_had_no_room_for_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
