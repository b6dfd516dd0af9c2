/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/base/sweep_options.c: how many requests are in flight on which medium. */
#include "scratch_device.h"
#include "in_range.h"

#include "../../include/options.h"
#include "../../include/prefetch.h"
#include "base/devices.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"

/* Returns the requests in flight on such a medium, for a stripe of so many disks; queue_depth: the user's choice. */
static uint32_t depth_of(enum device_medium medium, uint32_t disks, unsigned queue_depth)
{
	const struct device_options as = { .medium = medium };
	const struct options options = { .queue_depth = queue_depth, .merge_gap = -1 };
	struct run run = { .options = &options };
	struct repair rc = { .run = &run, .workers = 1, .geo = { .block_size = 4096, .stripe_disks = disks } };
	struct scratch scratch;
	char message[256] = "";
	uint32_t depth;

	scratch_file(&scratch, "/tmp", 1 << 20);
	assert_int_equal(device_open(scratch.path, &as, &scratch.device, message, sizeof(message)), 0);
	run.device = scratch.device;
	depth = sweep_options_of(&rc).depth;
	unlink(scratch.path);
	scratch_close(&scratch);
	return depth;
}

static void a_disk_has_few_requests_in_flight(void **state)
{
	(void)state;
	assert_in_range(depth_of(MEDIUM_DISK, 1, 0), 2, 16);
	assert_in_range(depth_of(MEDIUM_FLASH, 1, 0), 32, 1024);
	assert_int_equal(depth_of(MEDIUM_DISK, 1, 100), 100);
}

static void each_disk_of_a_stripe_has_work(void **state)
{
	const uint32_t one = depth_of(MEDIUM_DISK, 1, 0);

	(void)state;
	assert_int_equal(depth_of(MEDIUM_DISK, 6, 0), 6 * one);
	assert_int_equal(depth_of(MEDIUM_DISK, 0, 0), one);		  /* without a superblock */
	assert_in_range(depth_of(MEDIUM_DISK, UINT32_MAX, 0), one, 1024); /* a stripe in a damaged superblock */
	assert_int_equal(depth_of(MEDIUM_FLASH, 6, 0), depth_of(MEDIUM_FLASH, 1, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_has_few_requests_in_flight),
		cmocka_unit_test(each_disk_of_a_stripe_has_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
