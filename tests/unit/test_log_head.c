/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The search for the head of the log (ondisk 11, "Head and tail"). */
#include "../../libxfs/log_head.h"
#include "logs.h"

struct bench {
	struct log_reader log;
	struct log_search s;
	struct check c;
};

static bool find(struct fixture *f, struct bench *b)
{
	uint32_t first, last;

	memset(&f->reported, 0, sizeof(f->reported));
	b->c = (struct check){ &f->geo, reported_add, &f->reported };
	b->log = log_reader_of(read_fixture, f, f->bbs);
	b->s = (struct log_search){ .c = &b->c, .silent = check_silent(&f->geo), .log = &b->log, .junk = NONE };
	return log_cycle_at(&b->s, 0, &first) && log_cycle_at(&b->s, f->bbs - 1, &last) &&
	       log_head_find(&b->s, first, last);
}

static void assert_head(struct fixture *f, uint64_t head, uint32_t last)
{
	struct bench b;

	assert_true(find(f, &b));
	assert_true(log_head_lsn(&b.s).v == head);
	assert_int_equal(b.s.last.bb, last);
	assert_int_equal(f->reported.count, 0);
}

static void assert_trimmed(struct fixture *f, uint64_t head, uint32_t last)
{
	struct bench b;

	assert_true(find(f, &b));
	assert_true(log_head_trim(&b.s));
	assert_true(log_head_lsn(&b.s).v == head);
	assert_int_equal(b.s.last.bb, last);
	assert_int_equal(f->reported.count, 0);
}

static void head_of_the_first_lap_is_where_the_blank_begins(void **state)
{
	struct fixture *f = *state;

	assert_head(f, lsn(1, 2), 0);
	put_small(f);
	assert_head(f, lsn(1, 4), 2);
	put_blocks(f, 9000);
	assert_head(f, lsn(1, 9004), f->last);
}

static void head_of_later_laps_is_where_the_cycle_drops(void **state)
{
	struct fixture *f = *state;

	f->at = 0;
	put_blocks(f, 3 * BBS + 777);
	assert_head(f, lsn(4, 777), f->last);
	put_blocks(f, 10000);
	assert_head(f, lsn(4, 10777), f->last);
}

static void head_at_the_end_of_the_log_begins_a_lap(void **state)
{
	struct fixture *f = *state;

	f->at = 0;
	put_blocks(f, 2 * BBS);
	assert_head(f, lsn(3, 0), f->last);
	put_small(f);
	assert_head(f, lsn(3, 2), 0);
}

static void last_record_may_lie_across_the_end(void **state)
{
	struct fixture *f = *state;
	uint32_t last;

	f->at = 0;
	put_blocks(f, 2 * BBS - 30);
	last = put_record(f, (struct spec){ .blocks = 63 });
	assert_int_equal(f->at, 34);
	assert_head(f, lsn(3, 34), last);
}

static void small_logs_have_a_head_too(void **state)
{
	struct fixture *f = *state;

	f->bbs = 100;
	for (unsigned i = 0; i < 500; i++) {
		put_record(f, (struct spec){ .blocks = 1 + i % 5 });
		assert_head(f, lsn(f->cycle, f->at), f->last);
	}
}

static void stale_records_ahead_of_the_head_do_not_count(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, 100);
	for (uint32_t i = 0; i < 4096; i++)
		put_stale(f, f->at + i, 0);
	assert_head(f, lsn(1, 102), f->last);
	f->at = 0;
	put_blocks(f, 2 * BBS + 500);
	for (uint32_t i = 0; i < 4096; i++)
		put_stale(f, f->at + i, f->cycle - 1);
	assert_head(f, lsn(f->cycle, 500), f->last);
}

static void record_that_was_cut_off_does_not_count(void **state)
{
	struct fixture *f = *state;
	uint32_t last, cut;

	f->at = 0;
	put_blocks(f, 2 * BBS + 5000);
	last = f->last;
	cut = put_record(f, (struct spec){ .blocks = 60 });
	for (uint32_t i = 20; i < 61; i++)
		put32(f->bytes[cut + i], 2);
	assert_head(f, lsn(3, cut), last);
	/* nothing of it but the header */
	for (uint32_t i = 1; i < 61; i++)
		put32(f->bytes[cut + i], 2);
	assert_head(f, lsn(3, cut), last);
}

static void record_cut_off_at_the_end_of_the_log_does_not_count(void **state)
{
	struct fixture *f = *state;
	uint32_t last, cut;

	f->at = 0;
	put_blocks(f, 2 * BBS - 30);
	last = f->last;
	cut = put_record(f, (struct spec){ .blocks = 63 });
	/* the part at the beginning of the log was not written */
	for (uint32_t i = 0; i < 34; i++)
		put32(f->bytes[i], 2);
	assert_head(f, lsn(2, cut), last);
	/* the part at the end was not */
	for (uint32_t i = 0; i < 34; i++)
		put32(f->bytes[i], 3);
	for (uint32_t i = cut; i < BBS; i++)
		put32(f->bytes[i], 1);
	assert_head(f, lsn(2, cut), last);
}

static void writes_that_came_too_early_do_not_count(void **state)
{
	struct fixture *f = *state;
	uint32_t last, hole;

	f->at = 0;
	put_blocks(f, 2 * BBS + 5000);
	last = f->last;
	hole = put_record(f, (struct spec){ .blocks = 60 });
	put_record(f, (struct spec){ .blocks = 504, .size = 262144 });
	put_record(f, (struct spec){ .blocks = 504, .size = 262144 });
	for (uint32_t i = 0; i < 61; i++)
		put32(f->bytes[hole + i], 2);
	assert_head(f, lsn(3, hole), last);
}

static void hole_before_the_beginning_is_found_from_there(void **state)
{
	struct fixture *f = *state;
	uint32_t last, hole;

	f->at = 0;
	put_blocks(f, 2 * BBS - 100);
	last = f->last;
	hole = put_record(f, (struct spec){ .blocks = 60 });
	put_blocks(f, 1000);
	for (uint32_t i = 0; i < 61; i++)
		put32(f->bytes[hole + i], 1);
	assert_head(f, lsn(2, hole), last);
}

static void log_that_a_repair_began_anew_is_understood(void **state)
{
	struct fixture *f = *state;
	uint32_t dummy;

	/* a record at the beginning, blank, and from block 512 on the lap before */
	memset(f->bytes, 0, sizeof(f->bytes));
	f->at = 512;
	f->cycle = 6;
	while (f->cycle == 6) {
		uint32_t blocks = BBS - f->at < 512 ? BBS - f->at : 512;

		put_record(f, (struct spec){ blocks - 8, 262144, true, true, false, false });
	}
	dummy = f->last;
	assert_int_equal(f->at, 0);
	f->tail = lsn(6, f->last);
	put_record(f, (struct spec){ .blocks = 1, .unmount = true, .mkfs = true });
	/* as the kernel sees it: the next record goes where that one is */
	assert_head(f, lsn(7, 0), dummy);
}

static void damaged_stamp_hides_the_head(void **state)
{
	struct fixture *f = *state;
	uint32_t bb;
	struct bench b;

	put_blocks(f, 1000);
	bb = put_unmount(f);
	put32(f->bytes[bb], 0xfeedbabf);
	assert_false(find(f, &b));
	assert_int_equal(b.s.junk, bb);
}

static void stray_bytes_at_the_end_are_no_cycle(void **state)
{
	struct fixture *f = *state;
	struct bench b;

	f->at = 0;
	put_blocks(f, BBS - 1);
	put_blocks(f, 778);
	put32(f->bytes[BBS - 1], 0x524d4234);
	assert_false(find(f, &b));
}

static void damage_before_the_last_record_hides_nothing(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, 1000);
	put_unmount(f);
	put32(f->bytes[500], 0xfeedbabf);
	assert_head(f, lsn(1, 1004), 1002);
}

static void wrong_first_stamp_is_reported_and_the_head_found(void **state)
{
	struct fixture *f = *state;
	struct bench b;

	put_blocks(f, 1000);
	put32(f->bytes[0], 0x12345678);
	assert_true(find(f, &b));
	assert_reported_once(&f->reported, F_LOG_CYCLE, 0x12345678, 1);
	assert_int_equal(f->reported.problems[0].index, 0);
	assert_true(log_head_lsn(&b.s).v == lsn(1, 1002));
}

static void torn_records_that_were_in_flight_are_trimmed(void **state)
{
	struct fixture *f = *state;
	uint32_t records[10];

	put_blocks(f, 1000);
	for (unsigned i = 0; i < 10; i++)
		records[i] = put_record(f, (struct spec){ .blocks = 8 });
	assert_trimmed(f, lsn(1, f->at), records[9]);
	f->bytes[records[9] + 3][99] ^= 3;
	assert_trimmed(f, lsn(1, records[9]), records[8]);
	f->bytes[records[2] + 3][99] ^= 3;
	assert_trimmed(f, lsn(1, records[2]), records[1]);
	/* too far back to have been in flight */
	f->bytes[records[1] + 3][99] ^= 3;
	assert_trimmed(f, lsn(1, records[2]), records[1]);
}

static void nothing_before_the_tail_is_trimmed(void **state)
{
	struct fixture *f = *state;
	uint32_t torn;

	put_blocks(f, 1000);
	torn = put_small(f);
	f->bytes[torn + 1][99] ^= 3;
	f->tail = lsn(1, f->at);
	put_small(f);
	put_small(f);
	assert_trimmed(f, lsn(1, f->at), f->last);
}

static void records_that_lack_a_bit_are_not_torn(void **state)
{
	/* of the header: number of operations, words of blocks, tail, uuid; then of the payload */
	static const uint32_t not_torn[] = { 40, 60, 27, 28, 31, 310, 512 + 4, 512 + 77, 8 * 512 + 511 };
	struct fixture *f = *state;

	put_blocks(f, 1000);
	f->tail = lsn(1, f->at);
	put_small(f);
	for (unsigned behind = 0; behind < 3; behind++) {
		const uint32_t bad = put_record(f, (struct spec){ .blocks = 8 });

		for (unsigned k = 0; k < behind; k++)
			put_small(f);
		for (size_t i = 0; i < sizeof(not_torn) / sizeof(not_torn[0]); i++) {
			f->bytes[bad][not_torn[i]] ^= 4;
			assert_trimmed(f, lsn(1, f->at), f->last);
			/* what the last record says of others is what it said before */
			examine(f);
			assert_int_equal(f->state.condition, LOG_DIRTY);
			assert_true(f->state.tail.v == f->tail && !f->state.foreign);
			assert_true(f->state.hole.v == lsn(1, bad));
			assert_true(reported_times(&f->reported, F_LOG_RECORD_CRC) == 1);
			f->bytes[bad][not_torn[i]] ^= 4;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		log_test(head_of_the_first_lap_is_where_the_blank_begins),
		log_test(head_of_later_laps_is_where_the_cycle_drops),
		log_test(head_at_the_end_of_the_log_begins_a_lap),
		log_test(last_record_may_lie_across_the_end),
		log_test(small_logs_have_a_head_too),
		log_test(stale_records_ahead_of_the_head_do_not_count),
		log_test(record_that_was_cut_off_does_not_count),
		log_test(record_cut_off_at_the_end_of_the_log_does_not_count),
		log_test(writes_that_came_too_early_do_not_count),
		log_test(hole_before_the_beginning_is_found_from_there),
		log_test(log_that_a_repair_began_anew_is_understood),
		log_test(damaged_stamp_hides_the_head),
		log_test(stray_bytes_at_the_end_are_no_cycle),
		log_test(damage_before_the_last_record_hides_nothing),
		log_test(wrong_first_stamp_is_reported_and_the_head_found),
		log_test(torn_records_that_were_in_flight_are_trimmed),
		log_test(nothing_before_the_tail_is_trimmed),
		log_test(records_that_lack_a_bit_are_not_torn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
