/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/inode/mend_nlink.c: link counts on the way from what they were to what they shall be. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../repair/mend/inode/mend_nlink.h"
#include "disk/inode.h"

struct one {
	struct dinode_disk disk;
	struct mend_inode inode;
};

static void make(struct one *o, enum ftype ftype, uint8_t version, uint32_t links)
{
	*o = (struct one){ .inode.inode.ftype = ftype };
	o->disk.version = version;
	if (version == DINODE_VERSION_1)
		o->disk.metatype = be16_put((uint16_t)links);
	else
		o->disk.nlink = be32_put(links);
	o->inode.bytes = (uint8_t *)&o->disk;
}

static uint32_t links_of(const struct one *o)
{
	return o->disk.version == DINODE_VERSION_1 ? be16_get(o->disk.metatype) : be32_get(o->disk.nlink);
}

static void links_are_added_and_taken(void **state)
{
	const uint8_t versions[] = { DINODE_VERSION_1, DINODE_VERSION };
	struct one o;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		make(&o, FT_DIR, versions[i], 5);
		mend_nlink_add(&o.inode, 3);
		assert_int_equal(links_of(&o), 8);
		mend_nlink_add(&o.inode, -6);
		assert_int_equal(links_of(&o), 2);
	}
}

static void less_than_none_is_made_up_for(void **state)
{
	struct one o;

	(void)state;
	make(&o, FT_DIR, DINODE_VERSION, 1);
	mend_nlink_add(&o.inode, -3);
	mend_nlink_add(&o.inode, 4);
	assert_int_equal(links_of(&o), 2);
}

/* One without links counts as deleted: the kernel would free it, with all that is in it. */
static void a_directory_is_not_left_without_links(void **state)
{
	const uint8_t versions[] = { DINODE_VERSION_1, DINODE_VERSION };
	struct one o;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		make(&o, FT_DIR, versions[i], 1);
		mend_nlink_add(&o.inode, -1);
		assert_int_not_equal(links_of(&o), 0);
		make(&o, FT_DIR, versions[i], 1);
		mend_nlink_add(&o.inode, -2);
		mend_nlink_add(&o.inode, 1);
		assert_int_not_equal(links_of(&o), 0);
	}
}

static void a_file_may_be(void **state)
{
	struct one o;

	(void)state;
	make(&o, FT_REG, DINODE_VERSION, 1);
	mend_nlink_add(&o.inode, -1);
	assert_int_equal(links_of(&o), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_are_added_and_taken),
		cmocka_unit_test(less_than_none_is_made_up_for),
		cmocka_unit_test(a_directory_is_not_left_without_links),
		cmocka_unit_test(a_file_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
