/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How memory is shared out, and the limits of control groups, in a folder that replaces the system's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/memory.h"
#include "../../repair/repair.h"
#include "../../repair/report/findings.h"
#include "../../repair/run.h"
#include "check/walk/walker.h"
#include "report.h"
#include "reported.h"
#include "in_range.h"

#define MIB	 (UINT64_C(1) << 20)
#define ROOT_MAX 64

/* Writes a file of the pretended system, and makes its folders. */
static void put(const char *root, const char *path, const char *text)
{
	char full[256];
	FILE *out;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(full, 0755);
		*slash = '/';
	}
	out = fopen(full, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static int make_root(void **state)
{
	char *root = strdup("/tmp/xfsck-memory-XXXXXX");

	*state = root;
	return root && mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	char command[ROOT_MAX + 16];
	int ret;

	snprintf(command, sizeof(command), "rm -rf %s", (char *)*state);
	ret = system(command);
	free(*state);
	return ret;
}

static uint64_t physical(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void without_control_groups_all_memory_is_ours(void **state)
{
	assert_int_equal(memory_of_system(*state), physical());
}

static void the_smallest_limit_on_the_way_up_counts(void **state)
{
	put(*state, "proc/self/cgroup", "0::/user/shell\n");
	put(*state, "sys/fs/cgroup/user/shell/memory.max", "max\n");
	put(*state, "sys/fs/cgroup/user/memory.max", "52428800\n");
	put(*state, "sys/fs/cgroup/memory.max", "104857600\n");
	assert_int_equal(memory_of_system(*state), 50 * MIB);
}

static void seen_from_a_container_the_top_group_counts(void **state)
{
	put(*state, "proc/self/cgroup", "0::/not/to/be/seen\n");
	put(*state, "sys/fs/cgroup/memory.max", "104857600\n");
	assert_int_equal(memory_of_system(*state), 100 * MIB);
}

static void version_1_says_it_in_one_place(void **state)
{
	put(*state, "proc/self/cgroup", "3:cpu,cpuacct:/\n2:memory:/jobs/7\n0::/\n");
	put(*state, "sys/fs/cgroup/memory/jobs/7/memory.stat", "cache 5\nhierarchical_memory_limit 73400320\n");
	put(*state, "sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit 52428800\n");
	assert_int_equal(memory_of_system(*state), 70 * MIB);
}

static void no_limit_is_no_limit(void **state)
{
	put(*state, "proc/self/cgroup", "2:memory:/\n");
	put(*state, "sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit 9223372036854771712\n");
	assert_int_equal(memory_of_system(*state), physical());
}

static void a_quarter_is_the_default(void **state)
{
	(void)state;
	assert_int_equal(memory_share(0, 4).total, memory_of_system("") / 4);
	assert_int_equal(memory_share(64 * MIB, 4).total, 64 * MIB);
}

static void shares_never_come_to_more_than_there_is(void **state)
{
	(void)state;
	for (uint64_t mib = 32; mib < 1u << 20; mib += mib / 3) {
		for (unsigned workers = 1; workers <= 128; workers *= 2) {
			const struct memory m = memory_share(mib * MIB, workers);

			assert_true(m.window + m.waiting * 256 + m.staged + m.records + m.kept <= m.total);
			assert_true(m.records >= m.total / 16);
			assert_true(m.alone >= m.mending && m.alone >= memory_of_system("") / 2);
			assert_true(m.request >= 65536 && (m.request & (m.request - 1)) == 0);
		}
	}
}

static void with_next_to_nothing_there_is_something_for_all(void **state)
{
	const struct memory m = memory_share(MIB, 4);

	(void)state;
	assert_true(m.window && m.waiting && m.staged && m.records && m.request);
}

static void a_survey_has_room_where_blocks_are_kept(void **state)
{
	const struct memory share = memory_share(64 * MIB, 4);
	struct run run = { .memory = share };
	struct repair rc = { .run = &run };

	(void)state;
	memory_for_survey(&rc, share.survey);
	assert_memory_equal(&rc.run->memory, &share, sizeof(share));
	memory_for_survey(&rc, share.kept / 2 + 1);
	assert_memory_equal(&rc.run->memory, &share, sizeof(share));
	memory_for_survey(&rc, share.survey + 1);
	assert_int_equal(rc.run->memory.survey, share.survey + 1);
	assert_int_equal(rc.run->memory.kept + rc.run->memory.survey, share.kept);
	assert_int_equal(rc.run->memory.mending, rc.run->memory.records + rc.run->memory.kept);
}

static void directories_have_room_where_blocks_are_kept(void **state)
{
	const struct memory share = memory_share(64 * MIB, 4);
	struct run run = { .memory = share };
	struct repair rc = { .run = &run, .geo = { .icount = 1000000, .dblocks = 1000000, .inopb_log = 3 } };
	struct memory once;

	(void)state;
	assert_int_equal(share.directories, 16 * MIB);
	memory_for_directories(&rc);
	once = rc.run->memory;
	assert_in_range(share.kept - once.kept, 500000, 2000000); /* one inode of eight, 8 bytes each */
	assert_int_equal(once.mending, once.records + once.kept);
	memory_for_directories(&rc); /* of the next check */
	assert_memory_equal(&rc.run->memory, &once, sizeof(once));
	rc.geo.icount = rc.geo.dblocks = 1ull << 40; /* whatever a superblock says, half of it is left */
	memory_for_directories(&rc);
	assert_true(rc.run->memory.kept >= share.kept / 2 - 1);
}

/* Where all metadata fits, nothing would be gained. */
static void findings_leave_less_for_blocks_where_not_all_fit(void **state)
{
	const struct memory share = memory_share(64 * MIB, 4);
	struct walker walker = { .totals.metadata_bytes = share.kept };
	struct walker *walkers[] = { &walker };
	struct traverse traverse = { .walkers = walkers, .nwalkers = 1 };
	struct run run = { .memory = share };
	struct repair rc = { .run = &run, .traverse = &traverse, .findings = findings_new(1) };
	const struct problem problem = { .finding = F_INODE_ORPHAN };
	struct place place = { .object = OBJ_INODE };

	(void)state;
	assert_non_null(rc.findings);
	for (place.ino.v = 128; place.ino.v < 5000; place.ino.v++)
		findings_add(rc.findings, 0, &place, &problem);
	findings_settle(rc.findings);
	memory_for_findings(&rc);
	assert_memory_equal(&rc.run->memory, &share, sizeof(share));
	walker.totals.metadata_bytes++;
	memory_for_findings(&rc);
	assert_true(rc.run->memory.kept < share.kept - findings_bytes(rc.findings) &&
		    rc.run->memory.kept >= share.kept / 2);
	assert_int_equal(rc.run->memory.mending, rc.run->memory.records + rc.run->memory.kept);
	findings_free(rc.findings);
}

int main(void)
{
#define in_a_system(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_survey_has_room_where_blocks_are_kept),
		cmocka_unit_test(directories_have_room_where_blocks_are_kept),
		cmocka_unit_test(findings_leave_less_for_blocks_where_not_all_fit),
		in_a_system(without_control_groups_all_memory_is_ours),
		in_a_system(the_smallest_limit_on_the_way_up_counts),
		in_a_system(seen_from_a_container_the_top_group_counts),
		in_a_system(version_1_says_it_in_one_place),
		in_a_system(no_limit_is_no_limit),
		cmocka_unit_test(a_quarter_is_the_default),
		cmocka_unit_test(shares_never_come_to_more_than_there_is),
		cmocka_unit_test(with_next_to_nothing_there_is_something_for_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
