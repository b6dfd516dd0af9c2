/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of attributes, and access control lists: from the on-disk form to that of the system calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "ask/extract/xattr_name.h"
#include "libxfs/da.h"

static enum xattr_kind name_of(uint8_t flags, const char *name, size_t len, char *ret)
{
	const struct attr_entry e = { .flags = flags, .namelen = (uint8_t)len, .name = (const uint8_t *)name };

	return xattr_name_of(&e, ret);
}

static void names(void **state)
{
	char name[XATTR_NAME_ROOM], longest[255];

	(void)state;
	assert_int_equal(name_of(0, "one", 3, name), XATTR_PLAIN);
	assert_string_equal(name, "user.one");
	assert_int_equal(name_of(ATTR_LOCAL | ATTR_ROOT, "two", 3, name), XATTR_PLAIN);
	assert_string_equal(name, "trusted.two");
	assert_int_equal(name_of(ATTR_SECURE, "capability", 10, name), XATTR_PLAIN);
	assert_string_equal(name, "security.capability");
	assert_int_equal(name_of(ATTR_ROOT, "SGI_ACL_FILE", 12, name), XATTR_ACL_ACCESS);
	assert_int_equal(name_of(ATTR_ROOT, "SGI_ACL_DEFAULT", 15, name), XATTR_ACL_DEFAULT);
	assert_int_equal(name_of(0, "SGI_ACL_FILE", 12, name), XATTR_PLAIN);
	assert_int_equal(name_of(ATTR_PARENT, "x", 1, name), XATTR_NONE);
	assert_int_equal(name_of(0, "a\0b", 3, name), XATTR_NONE);
	memset(longest, 'x', sizeof(longest));
	assert_int_equal(name_of(ATTR_SECURE, longest, sizeof(longest), name), XATTR_PLAIN);
	assert_int_equal(strlen(name), 264);
}

/* u::rw-, u:4242:rwx, as the kernel's headers describe both forms. */
static const uint8_t on_disk[] = { 0, 0, 0, 2, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0, 6,
				   0, 0, 0, 0, 0, 2, 0, 0, 0x10, 0x92, 0,    7,	   0, 0 };
static const uint8_t of_system[] = { 2, 0, 0, 0, 1, 0, 6, 0, 0xff, 0xff, 0xff, 0xff, 2, 0, 7, 0, 0x92, 0x10, 0, 0 };

static void lists(void **state)
{
	uint8_t made[ACL_XATTR_BYTES(2)];

	(void)state;
	assert_int_equal(acl_count(on_disk, sizeof(on_disk)), 2);
	assert_int_equal(acl_count(on_disk, sizeof(on_disk) - 1), 0);
	assert_int_equal(acl_count(on_disk, 3), 0);
	acl_xattr_make(on_disk, 2, made);
	assert_int_equal(sizeof(of_system), sizeof(made));
	assert_memory_equal(made, of_system, sizeof(made));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(names), cmocka_unit_test(lists) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
