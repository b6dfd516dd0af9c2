/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/make/mend_attr_room.c: attributes get no room that the data fork will need once its extents no longer
 * fit.  The kernel leaves 56 bytes to every data fork except a device's, for a root with three children
 * (xfs_attr_shortform_bytesfit()).
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "../../repair/mend/collect/mend_inode.h"
#include "../../repair/mend/make/mend_attr.h"
#include "disk/inode.h"

#define INODE_SIZE 512u
#define AREA	   (INODE_SIZE - (uint32_t)sizeof(struct dinode_disk)) /* of both forks */
#define KERNELS	   56u

/* Returns the attribute fork's offset in an inode of version 3 after it asked for so many bytes; 0: it gets none. */
static uint32_t border_of(enum fork_format format, uint32_t data_bytes, uint32_t border, uint32_t wanted)
{
	const struct geometry geo = { .crc = true, .version = 5, .inode_size = INODE_SIZE };
	uint8_t bytes[INODE_SIZE] = { 0 };
	uint8_t *start = bytes + sizeof(struct dinode_disk);
	struct mend_inode inode = { .bytes = bytes };

	inode.inode.size = data_bytes;
	inode.inode.fork[DATA_FORK] = (struct dinode_fork){ .present = true,
							    .ok = true,
							    .format = format,
							    .bytes = start,
							    .size = border,
							    .nextents = data_bytes / 16 };
	inode.inode.fork[ATTR_FORK] = (struct dinode_fork){
		.present = true, .ok = true, .format = FMT_EXTENTS, .bytes = start + border, .size = AREA - border
	};
	return attr_room_make(&inode, &geo, wanted) ? ((struct dinode_disk *)bytes)->forkoff * 8u : 0;
}

static void room_for_a_root_stays(void **state)
{
	(void)state;
	assert_int_equal(border_of(FMT_EXTENTS, 16, 192, AREA - KERNELS), KERNELS);
	assert_int_equal(border_of(FMT_LOCAL, 10, 192, AREA - KERNELS), KERNELS);
	assert_int_equal(border_of(FMT_EXTENTS, 16, 192, AREA - KERNELS + 8), 0);
	assert_int_equal(border_of(FMT_LOCAL, 10, 192, AREA - 16), 0);
}

static void a_device_needs_none(void **state)
{
	(void)state;
	assert_int_equal(border_of(FMT_DEV, 0, 192, AREA - 8), 8);
}

static void a_fork_that_is_smaller_does_not_shrink(void **state)
{
	(void)state;
	assert_int_equal(border_of(FMT_EXTENTS, 16, 24, AREA - 16), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_for_a_root_stays),
		cmocka_unit_test(a_device_needs_none),
		cmocka_unit_test(a_fork_that_is_smaller_does_not_shrink),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
