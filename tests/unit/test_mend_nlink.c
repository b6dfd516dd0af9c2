/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/make/mend_nlink.c: link counts while they change from the old to the right value. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../repair/mend/base/mend.h"
#include "../../repair/mend/make/mend_new_inode.h"
#include "../../repair/mend/plan/mend_run.h"
#include "disk/inode.h"
#include "in_range.h"

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

static void add(struct mend *m, struct one *o, int64_t more)
{
	assert_int_equal(mend_nlink_add(m, &o->inode, more), 0);
}

static void links_are_added_and_taken(void **state)
{
	const uint8_t versions[] = { DINODE_VERSION_1, DINODE_VERSION };
	struct mend m = { 0 };
	struct one o;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		make(&o, FT_DIR, versions[i], 5);
		add(&m, &o, 3);
		assert_int_equal(links_of(&o), 8);
		add(&m, &o, -6);
		assert_int_equal(links_of(&o), 2);
	}
	assert_int_equal(m.round.extra_links.count, 0);
}

/* A directory with 0 links counts as deleted: the kernel would free it, with all that is in it. */
static void a_directory_is_never_without_links_and_less_than_none_is_made_up_for(void **state)
{
	static const struct {
		uint32_t links;
		int changes[4];
		uint32_t end;
	} cases[] = {
		{ 1, { -3, 4 }, 2 },	     { 1, { -1 }, 1 },		 { 1, { -2, 1 }, 1 },
		{ 2, { -1, -1, -1, 9 }, 8 }, { 3, { -3, 2, 3, -1 }, 4 },
	};
	const uint8_t versions[] = { DINODE_VERSION_1, DINODE_VERSION };

	(void)state;
	for (size_t v = 0; v < 2; v++) {
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			struct mend m = { 0 };
			struct one o, other;

			make(&o, FT_DIR, versions[v], cases[i].links);
			make(&other, FT_DIR, versions[v], 1);
			other.inode.ino.v = 99;
			add(&m, &other, -7);
			for (size_t c = 0; c < 4; c++) {
				add(&m, &o, cases[i].changes[c]);
				assert_in_range(links_of(&o), 1, 9);
			}
			assert_int_equal(links_of(&o), cases[i].end);
			assert_int_equal(links_of(&other), 1);
			mend_round_end(&m);
			add(&m, &o, 1);
			assert_int_equal(links_of(&o), cases[i].end + 1);
			mend_round_end(&m);
		}
	}
}

static void a_file_may_be(void **state)
{
	struct mend m = { 0 };
	struct one o;

	(void)state;
	make(&o, FT_REG, DINODE_VERSION, 1);
	add(&m, &o, -1);
	assert_int_equal(links_of(&o), 0);
	make(&o, FT_REG, DINODE_VERSION, 1);
	add(&m, &o, -3);
	add(&m, &o, 4);
	assert_int_equal(links_of(&o), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_are_added_and_taken),
		cmocka_unit_test(a_directory_is_never_without_links_and_less_than_none_is_made_up_for),
		cmocka_unit_test(a_file_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
