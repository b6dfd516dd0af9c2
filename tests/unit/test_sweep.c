/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prefetch/: whatever is posted, from wherever, arrives exactly once and whole, with the bytes of its place; neighbours
 * share requests, nothing is read twice, and one pass only goes upwards.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "prefetch.h"
#include "in_range.h"

#define GROUPS	    4u
#define GROUP_BYTES (1u << 20)
#define BLOCK	    4096u
#define MAX_QUEUED  50u

struct thing {
	struct sweep_item item;
	unsigned group;
	uint64_t offset; /* as posted */
	uint32_t length;
	uint64_t next; /* where the next piece must begin */
	unsigned finished;
	struct thing *child; /* posted when this one comes */
};

struct bench {
	char path[64];
	struct device *device;
	struct sweep *sweep;
	uint64_t early_seen, early_when_late_came;
	unsigned wrong;
	unsigned workers; /* a bit for each worker that got an item */
	unsigned delay_us;
	bool count_waiting; /* with one worker: children that have been posted and have not come */
	unsigned waiting, most_waiting;
	unsigned until_hold; /* so many come, then the sweep is held; 0: it is not */
};

/* what the file holds at byte i: never the same for two blocks */
static uint8_t pattern(uint64_t i)
{
	return (uint8_t)(i * 7 + (i >> 12) * 31 + (i >> 20));
}

static int setup(void **state)
{
	static struct bench b;
	static uint8_t bytes[GROUPS * GROUP_BYTES];
	char message[200];
	const struct device_options options = { 0 };
	int fd;

	memset(&b, 0, sizeof(b));
	strcpy(b.path, "/var/tmp/xfsck-sweep-XXXXXX");
	fd = mkstemp(b.path);
	assert_true(fd >= 0);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = pattern(i);
	assert_int_equal(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
	close(fd);
	assert_int_equal(device_open(b.path, &options, &b.device, message, sizeof(message)), 0);
	*state = &b;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;

	device_close(b->device);
	unlink(b->path);
	return 0;
}

static void arrived(void *ctx, unsigned worker, struct sweep_item *item, const uint8_t *bytes, uint64_t offset,
		    uint32_t len, bool last)
{
	struct bench *b = ctx;
	struct thing *t = (struct thing *)item;

	for (uint32_t i = 0; i < len; i++)
		if (bytes[i] != pattern(offset + i))
			__atomic_fetch_add(&b->wrong, 1, __ATOMIC_RELAXED);
	if (offset != t->next || len % t->item.unit)
		__atomic_fetch_add(&b->wrong, 1, __ATOMIC_RELAXED);
	t->next += len;
	__atomic_fetch_or(&b->workers, 1u << worker, __ATOMIC_RELAXED);
	if (b->delay_us)
		usleep(b->delay_us);
	if (!last)
		return;
	if (t->item.early)
		__atomic_fetch_add(&b->early_seen, 1, __ATOMIC_RELAXED);
	else
		__atomic_store_n(&b->early_when_late_came, b->early_seen, __ATOMIC_RELAXED);
	if (t->next != t->offset + t->length)
		__atomic_fetch_add(&b->wrong, 1, __ATOMIC_RELAXED);
	t->finished++;
	if (__atomic_load_n(&b->until_hold, __ATOMIC_RELAXED) &&
	    __atomic_sub_fetch(&b->until_hold, 1, __ATOMIC_RELAXED) == 0)
		sweep_hold(b->sweep);
	if (b->count_waiting) {
		b->waiting += t->child ? 1 : -1;
		b->most_waiting = b->waiting > b->most_waiting ? b->waiting : b->most_waiting;
	}
	if (t->child)
		sweep_post(b->sweep, worker, t->child->group, &t->child->item);
}

static void open_sweep(struct bench *b, unsigned workers, uint32_t gap, unsigned depth)
{
	const struct sweep_options options = { .workers = workers,
					       .depth = depth,
					       .merge_gap = gap,
					       .max_request = 65536,
					       .max_queued = MAX_QUEUED,
					       .window_bytes = 1 << 20 };
	const struct sweep_ops ops = { arrived, NULL, b };

	assert_int_equal(sweep_create(b->device, GROUPS, &options, &ops, &b->sweep), 0);
}

static void set(struct thing *t, unsigned group, uint32_t block, uint32_t blocks)
{
	*t = (struct thing){ .group = group,
			     .offset = (uint64_t)group * GROUP_BYTES + (uint64_t)block * BLOCK,
			     .length = blocks * BLOCK };
	t->next = t->offset;
	t->item.offset = t->offset;
	t->item.length = t->length;
	t->item.unit = BLOCK;
}

/* Requests the sweep.  Returns what it has read. */
static struct device_counts request(struct bench *b)
{
	struct device_counts before, after;

	device_counts(b->device, &before);
	assert_int_equal(sweep_run(b->sweep), 0);
	device_counts(b->device, &after);
	return (struct device_counts){ .requests = after.requests - before.requests,
				       .bytes = after.bytes - before.bytes,
				       .backward = after.backward - before.backward };
}

static void everything_comes_once_at_any_number_of_workers(void **state)
{
	enum { N = 600 };
	static struct thing things[N];
	struct bench *b = *state;

	for (unsigned workers = 1; workers <= 4; workers++) {
		srand(workers);
		open_sweep(b, workers, 8192, 4);
		for (unsigned i = 0; i < N; i++) {
			uint32_t blocks = rand() % 20 ? 1 : 1 + (uint32_t)rand() % 60;

			set(&things[i], (unsigned)rand() % GROUPS, (uint32_t)rand() % (256 - blocks + 1), blocks);
			things[i].item.source = rand() % 3 == 0;
			things[i].item.anywhere = rand() % 5 > 0;
			/* the second half is posted by the first, from whichever worker has it */
			if (i >= N / 2)
				things[i - N / 2].child = &things[i];
		}
		for (unsigned i = 0; i < N / 2; i++)
			sweep_post(b->sweep, 0, things[i].group, &things[i].item);
		assert_int_equal(sweep_run(b->sweep), 0);
		for (unsigned i = 0; i < N; i++)
			assert_int_equal(things[i].finished, 1);
		assert_int_equal(b->wrong, 0);
		sweep_destroy(b->sweep);
	}
}

/* Takes the items that a held sweep has parked, and posts them again.  Returns how many. */
static unsigned want_parked(struct bench *b)
{
	struct sweep_item *item;
	unsigned n = 0;

	for (unsigned group = 0; group < GROUPS; group++) {
		while ((item = sweep_take_parked(b->sweep, group))) {
			const struct thing *t = (const struct thing *)item;

			assert_true(item->parks);
			assert_int_equal(t->group, group);
			assert_int_equal(t->next, t->offset); /* nothing of it has come */
			assert_int_equal(t->finished, 0);
			sweep_post(b->sweep, 0, group, item);
			n++;
		}
	}
	return n;
}

static void a_sweep_that_is_held_leaves_nothing_begun(void **state)
{
	enum { N = 600 };
	static struct thing things[N];
	struct bench *b = *state;

	for (unsigned workers = 1; workers <= 4; workers++) {
		unsigned holds = 0;

		srand(100 + workers);
		open_sweep(b, workers, 8192, 4);
		for (unsigned i = 0; i < N; i++) {
			uint32_t blocks = rand() % 20 ? 1 : 1 + (uint32_t)rand() % 60;

			set(&things[i], (unsigned)rand() % GROUPS, (uint32_t)rand() % (256 - blocks + 1), blocks);
			things[i].item.source = rand() % 3 == 0;
			things[i].item.early = rand() % 9 == 0;
			things[i].item.anywhere = !things[i].item.early && rand() % 5 > 0;
			/* some children can be set aside, too */
			things[i].item.parks = i < N / 2 || rand() % 2;
			if (i >= N / 2)
				things[i - N / 2].child = &things[i];
		}
		for (unsigned i = 0; i < N / 2; i++)
			sweep_post(b->sweep, 0, things[i].group, &things[i].item);
		do {
			unsigned finished = 0, parked;

			b->until_hold = 1 + (unsigned)rand() % 60;
			assert_int_equal(sweep_run(b->sweep), 0);
			b->until_hold = 0;
			if (!sweep_held(b->sweep))
				break;
			sweep_let_go(b->sweep);
			holds++;
			/* parents and children have come, or the children are set aside, or neither has come */
			for (unsigned i = 0; i < N; i++)
				finished += things[i].finished;
			for (unsigned i = 0; i < N / 2; i++)
				if (things[i].finished && !things[i].child->item.parks)
					assert_int_equal(things[i].child->finished, 1);
			parked = want_parked(b);
			for (unsigned i = 0; i < N / 2; i++)
				finished += !things[i].finished; /* its child has not been posted yet */
			assert_int_equal(finished + parked, N);
		} while (true);
		for (unsigned i = 0; i < N; i++)
			assert_int_equal(things[i].finished, 1);
		assert_true(holds > 3);
		assert_int_equal(b->wrong, 0);
		sweep_destroy(b->sweep);
	}
}

static void one_group_keeps_several_workers_busy(void **state)
{
	enum { N = 240 };
	static struct thing things[2 * N];
	struct bench *b = *state;

	b->delay_us = 500;
	for (int anywhere = 0; anywhere < 2; anywhere++) {
		open_sweep(b, 4, 0, 4);
		for (unsigned i = 0; i < N; i++) {
			set(&things[i], 0, i, 1);
			set(&things[N + i], 0, rand() % 256, 1);
			things[i].item.anywhere = things[N + i].item.anywhere = anywhere;
			things[i].child = &things[N + i];
			sweep_post(b->sweep, 0, 0, &things[i].item);
		}
		b->workers = 0;
		assert_int_equal(sweep_run(b->sweep), 0);
		for (unsigned i = 0; i < 2 * N; i++)
			assert_int_equal(things[i].finished, 1);
		assert_int_equal(b->wrong, 0);
		/* while one worker has a group, no other works on it */
		assert_int_equal(__builtin_popcount(b->workers) > 1, anywhere);
		sweep_destroy(b->sweep);
	}
}

static void neighbours_share_requests_and_a_pass_goes_upwards(void **state)
{
	enum { N = 128 };
	static struct thing things[N];
	struct bench *b = *state;
	struct device_counts reads;
	struct sweep_counts counts;

	open_sweep(b, 1, 0, 4);
	for (unsigned i = 0; i < N; i++) { /* posted from the top down */
		set(&things[i], 0, N - 1 - i, 1);
		sweep_post(b->sweep, 0, 0, &things[i].item);
	}
	reads = request(b);
	sweep_counts(b->sweep, &counts);
	assert_int_equal(reads.requests, N * BLOCK / 65536);
	assert_int_equal(reads.bytes, N * BLOCK);
	assert_int_equal(reads.backward, 0);
	assert_int_equal(counts.items, N);
	assert_int_equal(counts.merged, N - N * BLOCK / 65536);
	sweep_destroy(b->sweep);
}

static void what_waits_behind_the_head_is_bounded(void **state)
{
	enum { N = 64, DEPTH = 4 };
	static struct thing things[2 * N];
	struct bench *b = *state;

	open_sweep(b, 1, 0, DEPTH);
	b->count_waiting = true;
	for (unsigned i = 0; i < N; i++) { /* all children lie below all parents, which are read one by one */
		set(&things[i], 0, 128 + 2 * i, 1);
		set(&things[N + i], 0, i, 1);
		things[i].item.source = true;
		things[i].child = &things[N + i];
		sweep_post(b->sweep, 0, 0, &things[i].item);
	}
	assert_int_equal(sweep_run(b->sweep), 0);
	for (unsigned i = 0; i < 2 * N; i++)
		assert_int_equal(things[i].finished, 1);
	assert_in_range(b->most_waiting, 1, MAX_QUEUED + DEPTH + 1);
	sweep_destroy(b->sweep);
}

static void what_was_read_through_is_not_read_again(void **state)
{
	struct bench *b = *state;
	struct thing first, second, between;

	open_sweep(b, 1, 16384, 1);
	set(&first, 0, 10, 1);
	set(&second, 0, 13, 1);
	set(&between, 0, 11, 1);
	first.child = &between;
	sweep_post(b->sweep, 0, 0, &first.item);
	sweep_post(b->sweep, 0, 0, &second.item);
	assert_int_equal(request(b).requests, 1);
	assert_int_equal(between.finished, 1);
	assert_int_equal(b->wrong, 0);
	sweep_destroy(b->sweep);
}

/* Reads all of the device, and its first block once more.  Returns the number of requests. */
static uint64_t requests_for_all(struct bench *b, uint32_t gap)
{
	const struct sweep_options options = { .workers = 1,
					       .depth = 4,
					       .merge_gap = gap,
					       .max_request = GROUP_BYTES,
					       .max_queued = MAX_QUEUED,
					       .window_bytes = 4 * GROUPS * GROUP_BYTES };
	const struct sweep_ops ops = { arrived, NULL, b };
	struct thing things[GROUPS], again;
	uint64_t requests;

	assert_int_equal(sweep_create(b->device, GROUPS, &options, &ops, &b->sweep), 0);
	set(&again, 0, 0, 1);
	for (unsigned i = 0; i < GROUPS; i++) {
		set(&things[i], i, 0, GROUP_BYTES / BLOCK);
		sweep_post(b->sweep, 0, i, &things[i].item);
	}
	things[GROUPS - 1].child = &again;
	requests = request(b).requests;
	assert_int_equal(again.finished, 1);
	assert_int_equal(b->wrong, 0);
	sweep_destroy(b->sweep);
	return requests;
}

static void where_requests_are_dear_there_are_few(void **state)
{
	assert_int_equal(requests_for_all(*state, 65536), GROUPS);
	/* elsewhere, large requests and a cache of old data would only take memory */
	assert_int_equal(requests_for_all(*state, 0), GROUPS * GROUP_BYTES / (256u << 10) + 1);
}

static void early_items_and_what_they_lead_to_come_before_the_pass(void **state)
{
	struct bench *b = *state;
	struct thing late, early, deeper;

	open_sweep(b, 1, 0, 4);
	set(&late, 0, 0, 1);
	set(&early, 0, 200, 1);
	set(&deeper, 0, 100, 1);
	early.item.early = deeper.item.early = true;
	early.child = &deeper;
	sweep_post(b->sweep, 0, 0, &late.item);
	sweep_post(b->sweep, 0, 0, &early.item);
	assert_int_equal(sweep_run(b->sweep), 0);
	assert_int_equal(late.finished + early.finished + deeper.finished, 3);
	assert_int_equal(b->early_when_late_came, 2);
	sweep_destroy(b->sweep);
}

static void what_was_read_before_an_early_item_is_not_read_again(void **state)
{
	struct bench *b = *state;
	struct thing first, second, between, early;

	open_sweep(b, 1, 16384, 1);
	set(&first, 0, 110, 1);
	set(&second, 0, 113, 1);
	set(&between, 0, 111, 1);
	set(&early, 0, 20, 1);
	early.item.early = true;
	first.child = &early;
	early.child = &between;
	sweep_post(b->sweep, 0, 0, &first.item);
	sweep_post(b->sweep, 0, 0, &second.item);
	assert_int_equal(request(b).requests, 2);
	assert_int_equal(between.finished, 1);
	assert_int_equal(b->wrong, 0);
	sweep_destroy(b->sweep);
}

static void what_lies_near_early_items_comes_with_them(void **state)
{
	struct bench *b = *state;
	struct thing header, root, leaf, other, before, late;

	open_sweep(b, 1, 65536, 4);
	set(&header, 1, 0, 1);
	set(&root, 1, 8, 1);
	set(&leaf, 1, 3, 1);
	set(&other, 1, 101, 1);
	set(&before, 1, 100, 1);
	set(&late, 1, 2, 1);
	header.item.early = root.item.early = leaf.item.early = other.item.early = before.item.early = true;
	header.child = &root;
	root.child = &leaf;
	leaf.child = &other;
	other.child = &before;
	sweep_post(b->sweep, 0, 1, &header.item);
	sweep_post(b->sweep, 0, 1, &late.item);
	assert_int_equal(request(b).requests, 2);
	assert_int_equal(header.finished + root.finished + leaf.finished + other.finished + before.finished, 5);
	assert_int_equal(late.finished, 1);
	assert_int_equal(b->wrong, 0);
	sweep_destroy(b->sweep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(everything_comes_once_at_any_number_of_workers, setup, teardown),
		cmocka_unit_test_setup_teardown(a_sweep_that_is_held_leaves_nothing_begun, setup, teardown),
		cmocka_unit_test_setup_teardown(one_group_keeps_several_workers_busy, setup, teardown),
		cmocka_unit_test_setup_teardown(neighbours_share_requests_and_a_pass_goes_upwards, setup, teardown),
		cmocka_unit_test_setup_teardown(what_waits_behind_the_head_is_bounded, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_read_through_is_not_read_again, setup, teardown),
		cmocka_unit_test_setup_teardown(where_requests_are_dear_there_are_few, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_read_before_an_early_item_is_not_read_again, setup, teardown),
		cmocka_unit_test_setup_teardown(early_items_and_what_they_lead_to_come_before_the_pass, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_lies_near_early_items_comes_with_them, setup, teardown),
	};

	return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
