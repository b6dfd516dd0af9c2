/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of the log (ondisk 11). */
#include "logs.h"

static void log_of_mkfs_is_clean(void **state)
{
	struct fixture *f = *state;

	assert_sound(f, LOG_CLEAN, lsn(1, 2), lsn(1, 2));
	assert_true(f->state.records == 0);
}

static void log_that_ends_in_an_unmount_is_clean(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, 5000);
	put_unmount(f);
	assert_sound(f, LOG_CLEAN, lsn(1, 5004), lsn(1, 5004));
	put_blocks(f, 3 * BBS);
	f->tail = lsn(4, f->at);
	put_unmount(f);
	assert_sound(f, LOG_CLEAN, lsn(4, 5006), lsn(4, 5006));
}

static void unmount_at_the_end_of_the_log_begins_a_lap(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, BBS - 4);
	put_unmount(f);
	assert_sound(f, LOG_CLEAN, lsn(2, 0), lsn(2, 0));
}

static void unmount_across_the_end_of_the_log_is_understood(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, BBS - 3);
	put_unmount(f);
	assert_sound(f, LOG_CLEAN, lsn(2, 1), lsn(2, 1));
}

static void records_from_tail_to_head_wait_for_replay(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, 640);
	f->tail = lsn(1, f->at);
	for (unsigned i = 0; i < 20; i++)
		put_record(f, (struct spec){ .blocks = 1 + i });
	assert_sound(f, LOG_DIRTY, lsn(1, f->at), f->tail);
	assert_true(f->state.records == 20);
}

static void what_waits_may_go_on_at_the_beginning(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, 2 * BBS - 642);
	f->tail = lsn(2, f->at);
	for (unsigned i = 0; i < 30; i++)
		put_record(f, (struct spec){ .blocks = 63 });
	assert_int_equal(f->cycle, 3);
	assert_sound(f, LOG_DIRTY, lsn(3, f->at), f->tail);
	assert_true(f->state.records == 30);
}

static void unmount_before_the_last_record_is_none(void **state)
{
	struct fixture *f = *state;

	put_unmount(f);
	f->tail = lsn(1, f->at);
	put_small(f);
	assert_sound(f, LOG_DIRTY, lsn(1, f->at), f->tail);
	assert_true(f->state.records == 1);
	assert_true(f->state.unmount.v == 0);
}

static void unmount_that_was_cut_off_leaves_the_log_dirty(void **state)
{
	struct fixture *f = *state;
	uint32_t unmount;

	f->tail = lsn(1, f->at);
	put_blocks(f, 1000);
	unmount = put_unmount(f);
	put32(f->bytes[unmount + 1], 0);
	assert_sound(f, LOG_DIRTY, lsn(1, unmount), f->tail);
	/* nothing but the payload has been written */
	put32(f->bytes[unmount + 1], 1);
	memset(f->bytes[unmount], 0, 512);
	assert_sound(f, LOG_DIRTY, lsn(1, unmount), f->tail);
}

static void record_torn_after_an_unmount_leaves_the_log_clean(void **state)
{
	struct fixture *f = *state;
	uint32_t torn;

	put_blocks(f, 1000);
	put_unmount(f);
	f->tail = lsn(1, f->at);
	torn = put_record(f, (struct spec){ .blocks = 8 });
	f->bytes[torn + 5][77] ^= 3;
	assert_sound(f, LOG_CLEAN, lsn(1, torn), lsn(1, torn));
	assert_true(f->state.unmount.v == lsn(1, torn - 2));
}

static void damaged_record_too_old_to_be_torn_is_reported(void **state)
{
	struct fixture *f = *state;
	uint32_t bad;

	f->tail = lsn(1, f->at);
	put_small(f);
	bad = put_small(f);
	for (unsigned i = 0; i < 9; i++)
		put_small(f);
	f->bytes[bad + 1][77] ^= 1;
	assert_state(f, LOG_DIRTY, lsn(1, f->at), f->tail);
	assert_int_equal(f->reported.count, 1);
	assert_int_equal(f->reported.problems[0].finding, F_LOG_RECORD_CRC);
	assert_int_equal(f->reported.problems[0].index, bad);
	assert_true(f->state.records == 1);
}

static void missing_record_is_reported(void **state)
{
	struct fixture *f = *state;
	uint32_t bad;

	f->tail = lsn(1, f->at);
	put_small(f);
	bad = put_small(f);
	put_blocks(f, 6000);
	put32(f->bytes[bad], 1);
	assert_state(f, LOG_DIRTY, lsn(1, f->at), f->tail);
	assert_reported_once(&f->reported, F_LOG_RECORD_MAGIC, 1, 0xfeedbabe);
	assert_int_equal(f->reported.problems[0].index, bad);
}

static void record_of_no_length_is_reported(void **state)
{
	struct fixture *f = *state;
	uint32_t bad;

	f->tail = lsn(1, f->at);
	put_small(f);
	bad = put_small(f);
	put_blocks(f, 6000);
	put32(f->bytes[bad] + LEN, 0);
	assert_state(f, LOG_DIRTY, lsn(1, f->at), f->tail);
	assert_reported_once(&f->reported, F_LOG_RECORD_LEN, 0, 32768);
	assert_true(f->state.records == 1);
}

static void record_that_reaches_beyond_the_head_is_reported(void **state)
{
	struct fixture *f = *state;
	uint32_t bad, at;

	f->tail = lsn(1, f->at);
	bad = put_record(f, (struct spec){ .blocks = 64 });
	/* nine records written over the end of it */
	f->at = bad + 20;
	for (unsigned i = 0; i < 9; i++)
		put_small(f);
	at = f->at;
	for (uint32_t bb = at; bb < bad + 65; bb++)
		put32(f->bytes[bb], 0);
	assert_state(f, LOG_DIRTY, lsn(1, at), f->tail);
	assert_reported_once(&f->reported, F_LOG_RECORD_LEN, 65, 38);
}

static void lesser_faults_of_a_record_do_not_end_the_walk(void **state)
{
	struct fixture *f = *state;
	uint32_t bad;
	struct spec spec = { .blocks = 1, .size = 32768 };

	f->tail = lsn(1, f->at);
	put_small(f);
	bad = put_small(f);
	put_small(f);
	f->bytes[bad][FS_UUID] ^= 1;
	put_crc(f, bad, &spec);
	assert_state(f, LOG_DIRTY, lsn(1, f->at), f->tail);
	assert_reported_once(&f->reported, F_LOG_RECORD_UUID, 0, 0);
	assert_true(f->state.records == 3);
}

static void last_record_of_another_file_system_is_told(void **state)
{
	struct fixture *f = *state;
	struct spec spec = { .blocks = 1, .size = 32768 };
	uint32_t last;

	f->tail = lsn(1, f->at);
	put_small(f);
	last = put_small(f);
	examine(f);
	assert_false(f->state.foreign);
	f->bytes[last][FS_UUID] ^= 1;
	put_crc(f, last, &spec);
	examine(f);
	assert_int_equal(f->state.condition, LOG_DIRTY);
	assert_true(f->state.foreign);
}

static void tail_that_was_overwritten_begins_with_what_is_whole(void **state)
{
	struct fixture *f = *state;
	uint32_t second, head;

	/* full up to 20 blocks before the tail; the next write ran over it and was not completed */
	put_blocks(f, BBS - 2 + 500);
	f->tail = lsn(2, f->at);
	put_record(f, (struct spec){ .blocks = 30 });
	second = put_record(f, (struct spec){ .blocks = 30 });
	put_blocks(f, BBS - 82);
	head = f->at;
	assert_int_equal(head, 480);
	assert_sound(f, LOG_DIRTY, lsn(3, head), f->tail);
	for (uint32_t bb = 500; bb < 510; bb++)
		put32(f->bytes[bb], 3);
	examine(f);
	assert_int_equal(f->reported.count, 0);
	assert_true(f->state.tail.v == lsn(2, second));
}

static void tail_that_can_not_be_leaves_the_log_damaged(void **state)
{
	struct fixture *f = *state;

	f->tail = lsn(1, BBS + 5);
	put_small(f);
	assert_state(f, LOG_DAMAGED, 0, 0);
	assert_int_equal(reported_times(&f->reported, F_LOG_RECORD_TAIL), 1);
	assert_int_equal(reported_times(&f->reported, F_LOG_DAMAGED), 1);
	assert_int_equal(f->reported.count, 2);
}

static void damage_of_the_unmount_record_is_reported(void **state)
{
	static const struct {
		uint32_t offset;
		enum finding finding;
		enum log_condition condition;
	} faults[] = {
		{ VERSION, F_LOG_RECORD_VERSION, LOG_CLEAN }, { LSN, F_LOG_RECORD_LSN, LOG_CLEAN },
		{ TAIL_LSN, F_LOG_RECORD_TAIL, LOG_CLEAN },   { FMT, F_LOG_RECORD_FORMAT, LOG_CLEAN },
		{ FS_UUID, F_LOG_RECORD_UUID, LOG_CLEAN },    { NUM_LOGOPS, F_LOG_RECORD_OPS, LOG_CLEAN },
		{ PREV_BLOCK, F_LOG_RECORD_CRC, LOG_CLEAN },  { LEN, F_LOG_RECORD_LEN, LOG_DIRTY },
		{ H_SIZE, F_LOG_RECORD_SIZE, LOG_DIRTY },     { CYCLE, F_LOG_RECORD_LSN, LOG_CLEAN },
	};
	struct fixture *f = *state;
	uint32_t unmount;

	f->tail = lsn(1, f->at);
	put_blocks(f, 1000);
	unmount = put_unmount(f);
	for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		uint8_t *field = f->bytes[unmount] + faults[i].offset;
		uint32_t saved = get32(field);

		put32(field, saved ^ 0x00700000);
		examine(f);
		assert_int_equal(f->state.condition, faults[i].condition);
		assert_int_equal(reported_times(&f->reported, faults[i].finding), 1);
		assert_true(f->state.head.v == lsn(1, faults[i].condition == LOG_CLEAN ? unmount + 2 : unmount));
		put32(field, saved);
	}
	assert_sound(f, LOG_CLEAN, lsn(1, unmount + 2), lsn(1, unmount + 2));
}

static void record_that_lost_its_cycle_is_reported(void **state)
{
	struct fixture *f = *state;
	uint32_t unmount;

	f->tail = lsn(1, f->at);
	put_blocks(f, 1000);
	unmount = put_unmount(f);
	put32(f->bytes[unmount] + CYCLE, 0);
	assert_state(f, LOG_DIRTY, lsn(1, unmount), f->tail);
	assert_reported_once(&f->reported, F_LOG_RECORD_LSN, lsn(1, unmount), lsn(0, unmount));
}

static void record_that_lost_its_magic_is_reported(void **state)
{
	struct fixture *f = *state;
	uint32_t unmount;

	f->tail = lsn(1, f->at);
	put_blocks(f, 1000);
	unmount = put_unmount(f);
	put32(f->bytes[unmount], 0);
	assert_state(f, LOG_DIRTY, lsn(1, unmount), f->tail);
	assert_reported_once(&f->reported, F_LOG_RECORD_MAGIC, 0, 0xfeedbabe);
	put32(f->bytes[unmount], 0xfeedbabf);
	assert_state(f, LOG_DAMAGED, 0, 0);
	assert_reported_once(&f->reported, F_LOG_DAMAGED, 0, 0);
	assert_int_equal(f->reported.problems[0].index, unmount);
}

static void stale_records_at_the_head_are_no_fault(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, BBS);
	put_unmount(f);
	for (uint32_t i = 0; i < 4096; i++)
		put_stale(f, f->at + i, f->cycle - 1);
	assert_sound(f, LOG_CLEAN, lsn(2, f->at), lsn(2, f->at));
	put_stale(f, f->at + 1, f->cycle - 1);
	put64(f->bytes[f->at] + LSN, lsn(f->cycle - 1, f->at + 1));
	examine(f);
	assert_reported_once(&f->reported, F_LOG_RECORD_LSN, lsn(1, f->at + 1), lsn(1, f->at));
}

static void blank_log_is_reported(void **state)
{
	struct fixture *f = *state;

	memset(f->bytes, 0, sizeof(f->bytes));
	assert_state(f, LOG_CLEAN, 0, 0);
	assert_reported_once(&f->reported, F_LOG_ZEROED, 0, 0);
}

/* Its first and its last block have no cycle, but it is not empty. */
static void blank_beginning_of_a_log_is_damage(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, 1000);
	memset(f->bytes[0], 0, 512);
	assert_state(f, LOG_DIRTY, lsn(1, f->at), f->tail);
	assert_reported_once(&f->reported, F_LOG_CYCLE, 0, 1);
	assert_true(f->state.torn && !f->state.hole.v && f->state.records == 16);
	memset(f->bytes[0], 0, sizeof(f->bytes[0]) * 900);
	assert_state(f, LOG_DIRTY, lsn(1, f->at), f->tail);
	assert_true(f->state.hole.v == f->tail && f->state.behind.records == 1);
	/* the log may go on after the last whole record */
	memset(f->bytes[f->at], 0x7e, 512);
	assert_state(f, LOG_DAMAGED, 0, 0);
	assert_reported_once(&f->reported, F_LOG_DAMAGED, 0, 0);
}

static void log_without_records_is_damaged(void **state)
{
	struct fixture *f = *state;

	for (uint32_t bb = 0; bb < BBS; bb++)
		put32(f->bytes[bb], 3);
	assert_state(f, LOG_DAMAGED, 0, 0);
	assert_reported_once(&f->reported, F_LOG_DAMAGED, 0, 0);
}

static void unreadable_blocks_that_matter_are_reported(void **state)
{
	struct fixture *f = *state;
	uint32_t unmount;

	put_blocks(f, 1000);
	unmount = put_unmount(f);
	f->bad = unmount + 1;
	assert_state(f, LOG_DAMAGED, 0, 0);
	assert_int_equal(f->reported.count, 2);
	assert_int_equal(reported_times(&f->reported, F_LOG_DAMAGED), 1);
	assert_int_equal(reported_times(&f->reported, F_LOG_UNREADABLE), 1);
	assert_int_equal(f->reported.problems[0].index, unmount + 1);
	f->bad = 5000; /* nothing is looked for there */
	assert_sound(f, LOG_CLEAN, lsn(1, unmount + 2), lsn(1, unmount + 2));
}

static void any_unreadable_block_is_reported_or_does_not_matter(void **state)
{
	struct fixture *f = *state;
	uint64_t head;

	f->tail = lsn(1, f->at);
	put_blocks(f, 1000);
	head = lsn(1, f->at);
	for (f->bad = 0; f->bad < BBS; f->bad += f->bad < 1010 ? 1 : 37) {
		examine(f);
		if (f->reported.count == 0) {
			assert_int_equal(f->state.condition, LOG_DIRTY);
			assert_true(f->state.head.v == head && f->state.records == 16);
		} else {
			assert_int_equal(reported_times(&f->reported, F_LOG_UNREADABLE), 1);
			/* if no record to be replayed is lost, the newest one tells where the head is */
			assert_true(f->state.condition == LOG_DAMAGED || f->state.records < 16 || f->bad < 2 ||
				    f->bad >= 1002);
		}
		/* damage in records to be replayed always matters */
		assert_true(f->reported.count > 0 || f->bad < 2 || f->bad >= 1002);
	}
}

/* Makes the blocks those of an earlier lap. */
static void make_stale(struct fixture *f, uint32_t from, uint32_t to, uint32_t cycle)
{
	for (uint32_t bb = from; bb < to; bb++) {
		memset(f->bytes[bb], 0, 512);
		put32(f->bytes[bb], cycle);
	}
}

static void assert_hole(struct fixture *f, uint64_t head, uint64_t hole, uint64_t records, uint64_t first,
			uint64_t last)
{
	assert_state(f, LOG_DIRTY, head, f->tail);
	assert_true(f->state.hole.v == hole);
	assert_true(f->state.behind.records == records);
	assert_true(f->state.behind.first.v == first && f->state.behind.last.v == last);
}

/* The log has eight buffers at most, one of which held the missing record. */
static void records_behind_a_hole_are_torn_writes_or_damage(void **state)
{
	struct fixture *f = *state;
	uint32_t hole, next;

	for (unsigned laps = 0; laps < 2; laps++) {
		f->at = 0;
		f->cycle = laps + 1;
		put_blocks(f, laps * BBS + 5000);
		f->tail = lsn(f->cycle, f->at);
		put_blocks(f, 1000);
		hole = put_record(f, (struct spec){ .blocks = 60 });
		next = f->at;
		for (unsigned behind = 1; behind <= 20; behind++) {
			put_record(f, (struct spec){ .blocks = 30 });
			make_stale(f, hole, next, f->cycle - 1);
			if (behind < 8)
				assert_sound(f, LOG_DIRTY, lsn(f->cycle, hole), f->tail);
			else
				assert_hole(f, lsn(f->cycle, f->at), lsn(f->cycle, hole), behind, lsn(f->cycle, next),
					    lsn(f->cycle, f->last));
			assert_int_equal(f->reported.count, behind >= 8);
			assert_int_equal(f->state.torn, behind >= 8);
		}
	}
}

/* Records of a large transaction are surely on the disk only after its commit, which flushes the device's cache. */
static void records_without_a_commit_tell_nothing_of_a_hole(void **state)
{
	struct fixture *f = *state;
	uint32_t hole, next;

	f->tail = lsn(1, f->at);
	put_blocks(f, 1000);
	hole = put_record(f, (struct spec){ .blocks = 60 });
	next = f->at;
	for (unsigned behind = 1; behind <= 30; behind++) {
		put_record(f, (struct spec){ .blocks = 63, .uncommitted = true });
		make_stale(f, hole, next, 0);
		assert_sound(f, LOG_DIRTY, lsn(1, hole), f->tail);
	}
	put_small(f);
	assert_hole(f, lsn(1, f->at), lsn(1, hole), 31, lsn(1, next), lsn(1, f->last));
	put_record(f, (struct spec){ .blocks = 63, .uncommitted = true });
	assert_hole(f, lsn(1, f->at), lsn(1, hole), 32, lsn(1, next), lsn(1, f->last));
}

/* Eight buffers of 32 KiB hold no more than 520 blocks. */
static void more_blocks_than_buffers_hold_are_damage(void **state)
{
	struct fixture *f = *state;
	uint32_t hole, next;

	f->tail = lsn(1, f->at);
	put_blocks(f, 1000);
	hole = f->at;
	for (unsigned i = 0; i < 7; i++)
		put_record(f, (struct spec){ .blocks = 64 });
	next = f->at;
	put_record(f, (struct spec){ .blocks = 64 });
	make_stale(f, hole, next, 0);
	assert_sound(f, LOG_DIRTY, lsn(1, hole), f->tail);
	put_small(f);
	assert_hole(f, lsn(1, f->at), lsn(1, hole), 2, lsn(1, next), lsn(1, f->last));
}

/* No tail moves past a record in flight; what lies before the tail is not needed. */
static void tail_behind_a_hole_tells_of_damage(void **state)
{
	struct fixture *f = *state;
	uint32_t hole, next;

	f->tail = lsn(1, f->at);
	put_blocks(f, 1000);
	hole = put_small(f);
	next = put_small(f);
	f->tail = lsn(1, next);
	put_small(f);
	make_stale(f, hole, hole + 2, 0);
	assert_state(f, LOG_DIRTY, lsn(1, f->at), f->tail);
	assert_true(!f->state.hole.v && f->state.torn && f->state.records == 2);
	assert_reported_once(&f->reported, F_LOG_RECORD_MAGIC, 0, 0xfeedbabe);
}

/* In place of the missing record stands the whole record of the lap before. */
static void record_of_the_lap_before_is_a_hole(void **state)
{
	struct fixture *f = *state;
	uint32_t hole;

	f->at = 0;
	put_blocks(f, 5000);
	hole = put_small(f);
	memcpy(f->bytes[BBS - 2], f->bytes[hole], 1024);
	put_blocks(f, BBS - 2 - f->at);
	f->at = 0;
	f->cycle = 2;
	put_blocks(f, 2048);
	f->tail = lsn(2, 2048);
	put_blocks(f, 5000 - 2048);
	memcpy(f->bytes[BBS - 4], f->bytes[hole], 1024);
	assert_int_equal(put_small(f), hole);
	put_blocks(f, 6000);
	memcpy(f->bytes[hole], f->bytes[BBS - 4], 1024);
	make_stale(f, f->at, BBS, 1);
	assert_hole(f, lsn(2, f->at), lsn(2, hole), 94, lsn(2, hole + 2), lsn(2, f->last));
	assert_reported_once(&f->reported, F_LOG_CYCLE, 1, 2);
}

static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % n;
}

/* Returns what a lost block of the log has instead of its cycle. */
static uint32_t lost_cycle(unsigned what, uint32_t cycle)
{
	return what == 0 ? cycle - 1 : what == 1 ? 0 : random_below(UINT32_MAX);
}

/* A hole anywhere, also around the end of the log, of any length, with blocks of an earlier lap, blanks, or noise. */
static void hole_anywhere_is_found(void **state)
{
	struct fixture *f = *state;
	struct fixture *kept = malloc(sizeof(*kept));

	random_state = 7;
	assert_non_null(kept);
	f->at = 0;
	put_blocks(f, BBS + 7000);
	f->tail = lsn(f->cycle, f->at);
	put_blocks(f, 9000);
	memcpy(kept, f, sizeof(*kept));
	for (unsigned what = 0; what < 3; what++) {
		for (uint32_t back = 700, length = 1; back < 8900; back += length == 1 ? 613 : 0) {
			for (uint32_t i = 0; i < length; i++) {
				const uint32_t bb = (f->at + BBS - back + i) % BBS;

				put32(f->bytes[bb], lost_cycle(what, kept->cycle - (bb >= kept->at)));
			}
			length = length * 7 + 1 < back - 640 ? length * 7 + 1 : 1;
			examine(f);
			assert_true(f->reported.count > 0);
			memcpy(f->bytes, kept->bytes, sizeof(f->bytes));
			assert_int_equal(f->state.condition, LOG_DIRTY);
			assert_true(f->state.head.v == lsn(kept->cycle, kept->at));
			assert_true(f->state.hole.v && f->state.behind.records >= 8);
		}
	}
	free(kept);
}

/* The kernel's bisection for the head is misled by noise in blocks that the tail has passed; nothing is lost. */
static void noise_that_hides_the_head_is_reported(void **state)
{
	static const uint32_t heads[] = { 500, 2000, 5000 };
	const uint32_t half = (BBS - 1) / 2;
	struct fixture *f = *state;

	for (unsigned unmount = 0; unmount < 2; unmount++) {
		for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
			put_blocks(f, BBS + heads[i] - f->at);
			f->tail = lsn(f->cycle, f->at);
			put_record(f, (struct spec){ .blocks = 1, .unmount = unmount });
			put32(f->bytes[half], 0x12345678);
			assert_state(f, unmount ? LOG_CLEAN : LOG_DIRTY, lsn(f->cycle, f->at),
				     unmount ? lsn(f->cycle, f->at) : f->tail);
			/* close after the head, it may be the next write */
			assert_int_equal(f->state.torn, half - f->at > 4096);
			assert_int_equal(f->reported.count, f->state.torn);
			if (f->state.torn)
				assert_reported_once(&f->reported, F_LOG_CYCLE, 0x12345678, f->cycle - 1);
		}
	}
}

/* Among records after a hole that may have been in flight, the first gap ends the log. */
static void log_may_be_torn_behind_a_hole(void **state)
{
	struct fixture *f = *state;
	uint32_t hole, next, torn, before;

	f->tail = lsn(1, f->at);
	put_blocks(f, 1000);
	hole = put_record(f, (struct spec){ .blocks = 60 });
	next = f->at;
	for (unsigned i = 0; i < 12; i++)
		put_small(f);
	before = f->last;
	torn = put_small(f);
	put_small(f);
	put_small(f);
	make_stale(f, hole, next, 0);
	make_stale(f, torn, torn + 2, 0);
	assert_hole(f, lsn(1, torn), lsn(1, hole), 12, lsn(1, next), lsn(1, before));
}

/* Records that an earlier crash left and a recovery skipped are no part of the log: their tails are older. */
static void records_that_recovery_passed_over_are_none(void **state)
{
	struct fixture *f = *state;
	uint32_t head;

	f->tail = lsn(1, f->at);
	put_blocks(f, 1000);
	head = f->at;
	put_blocks(f, 1000);
	for (unsigned i = 0; i < 20; i++)
		put_small(f);
	f->at = head;
	f->tail = lsn(1, head);
	put_small(f);
	put_small(f);
	make_stale(f, f->at, f->at + 100, 0);
	assert_sound(f, LOG_DIRTY, lsn(1, f->at), f->tail);
}

/* An unmount record is written when nothing is in flight. */
static void hole_before_an_unmount_leaves_the_log_clean(void **state)
{
	struct fixture *f = *state;
	uint32_t hole, unmount;

	put_blocks(f, 1000);
	hole = put_small(f);
	put_small(f);
	f->tail = lsn(1, f->at);
	unmount = put_unmount(f);
	make_stale(f, hole, hole + 2, 0);
	assert_state(f, LOG_CLEAN, lsn(1, f->at), lsn(1, f->at));
	assert_true(f->state.unmount.v == lsn(1, unmount));
	assert_true(f->state.torn);
	assert_reported_once(&f->reported, F_LOG_RECORD_MAGIC, 0, 0xfeedbabe);
}

static void log_that_has_no_place_is_not_looked_at(void **state)
{
	struct fixture *f = *state;

	f->bbs = 0;
	assert_sound(f, LOG_DAMAGED, 0, 0);
	assert_int_equal(f->reads, 0);
}

/* A log is written and examined now and then; the expected head and tail are known from the writing. */
static void any_log_that_is_written_is_understood(void **state)
{
	struct fixture *f = *state;
	uint64_t starts[400]; /* of the last records, from newest */
	uint32_t lengths[400];
	unsigned count = 0;

	random_state = 20;
	f->bbs = 700 + random_below(BBS - 700);
	f->at = 0;
	for (unsigned i = 0; i < 3000; i++) {
		bool large = random_below(20) == 0, unmount = random_below(10) == 0;
		struct spec spec = {
			1 + random_below(large ? 400 : 30), large ? 262144 : 32768, unmount, false, false, false
		};
		unsigned behind = count ? random_below(count) : 0;
		uint64_t start = lsn(f->cycle, f->at);
		uint32_t live = spec.blocks + (large ? 8 : 1), records = 1;

		f->tail = start;
		for (unsigned k = 0; k < behind && live + lengths[k] <= f->bbs; k++, records++) {
			live += lengths[k];
			f->tail = starts[k];
		}
		put_record(f, spec);
		memmove(starts + 1, starts, sizeof(starts) - sizeof(starts[0]));
		memmove(lengths + 1, lengths, sizeof(lengths) - sizeof(lengths[0]));
		starts[0] = start;
		lengths[0] = spec.blocks + (large ? 8 : 1);
		count += count < 400;
		if (random_below(8) && !(f->at == 0))
			continue;
		if (unmount) {
			assert_sound(f, LOG_CLEAN, lsn(f->cycle, f->at), lsn(f->cycle, f->at));
		} else {
			assert_sound(f, LOG_DIRTY, lsn(f->cycle, f->at), f->tail);
			assert_true(f->state.records == records);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		log_test(log_of_mkfs_is_clean),
		log_test(log_that_ends_in_an_unmount_is_clean),
		log_test(unmount_at_the_end_of_the_log_begins_a_lap),
		log_test(unmount_across_the_end_of_the_log_is_understood),
		log_test(records_from_tail_to_head_wait_for_replay),
		log_test(what_waits_may_go_on_at_the_beginning),
		log_test(unmount_before_the_last_record_is_none),
		log_test(unmount_that_was_cut_off_leaves_the_log_dirty),
		log_test(record_torn_after_an_unmount_leaves_the_log_clean),
		log_test(damaged_record_too_old_to_be_torn_is_reported),
		log_test(missing_record_is_reported),
		log_test(record_of_no_length_is_reported),
		log_test(record_that_reaches_beyond_the_head_is_reported),
		log_test(lesser_faults_of_a_record_do_not_end_the_walk),
		log_test(last_record_of_another_file_system_is_told),
		log_test(tail_that_was_overwritten_begins_with_what_is_whole),
		log_test(tail_that_can_not_be_leaves_the_log_damaged),
		log_test(damage_of_the_unmount_record_is_reported),
		log_test(record_that_lost_its_cycle_is_reported),
		log_test(record_that_lost_its_magic_is_reported),
		log_test(stale_records_at_the_head_are_no_fault),
		log_test(blank_log_is_reported),
		log_test(blank_beginning_of_a_log_is_damage),
		log_test(log_without_records_is_damaged),
		log_test(unreadable_blocks_that_matter_are_reported),
		log_test(any_unreadable_block_is_reported_or_does_not_matter),
		log_test(records_behind_a_hole_are_torn_writes_or_damage),
		log_test(records_without_a_commit_tell_nothing_of_a_hole),
		log_test(more_blocks_than_buffers_hold_are_damage),
		log_test(tail_behind_a_hole_tells_of_damage),
		log_test(record_of_the_lap_before_is_a_hole),
		log_test(hole_anywhere_is_found),
		log_test(noise_that_hides_the_head_is_reported),
		log_test(log_may_be_torn_behind_a_hole),
		log_test(records_that_recovery_passed_over_are_none),
		log_test(hole_before_an_unmount_leaves_the_log_clean),
		log_test(log_that_has_no_place_is_not_looked_at),
		log_test(any_log_that_is_written_is_understood),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
