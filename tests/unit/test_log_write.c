/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marking logs of every form clean, and formatting a new log: our own reading of the log is the judge. */
#include "logs.h"
#include "libxfs/log_write.h"

/* Writes what ends the log, as a commit does. Returns how many blocks were cleared, or LOG_NO_BLOCK: not possible. */
static uint32_t end_log(struct fixture *f)
{
	struct log_ending ending;
	uint32_t cleared = 0;
	uint8_t *record;

	if (!log_ending_plan(&f->geo, f->bbs, f->state.head, f->state.tail, &ending))
		return LOG_NO_BLOCK;
	for (uint32_t i = ending.record; i < ending.clear_blocks; i++) {
		uint8_t *block = block_at(f, (uint32_t)ending.head.v + i);

		if (!log_block_stale(&ending, i, block))
			continue;
		log_clear_encode(&f->geo, &ending, i, block);
		assert_false(log_block_stale(&ending, i, block));
		cleared++;
	}
	record = malloc((size_t)ending.record * 512);
	assert_non_null(record);
	log_unmount_encode(&f->geo, &ending, record);
	for (uint32_t i = 0; i < ending.record; i++)
		memcpy(block_at(f, (uint32_t)ending.head.v + i), record + (size_t)i * 512, 512);
	free(record);
	return cleared;
}

/* Returns the head so many blocks further on, round the end. */
static uint64_t behind(const struct fixture *f, lsn_t head, uint32_t blocks)
{
	uint32_t bb = (uint32_t)head.v + blocks;

	return lsn((uint32_t)(head.v >> 32) + bb / f->bbs, bb % f->bbs);
}

/* Fails unless the log is dirty, and clean once it is ended, with its head after the new record. */
static void assert_ends(struct fixture *f, uint32_t record, uint32_t want_cleared)
{
	lsn_t head;

	examine(f);
	assert_int_equal(f->state.condition, LOG_DIRTY);
	head = f->state.head;
	assert_int_equal(end_log(f), want_cleared);
	assert_sound(f, LOG_CLEAN, behind(f, head, record), behind(f, head, record));
}

static void a_dirty_log_becomes_clean_by_one_record(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, 3000);
	f->tail = lsn(1, 2);
	put_small(f);
	assert_ends(f, 2, 0);
}

static void the_record_may_go_round_the_end(void **state)
{
	struct fixture *f = *state;

	for (uint32_t room = 1; room <= 3; room++) {
		put_blocks(f, f->bbs - f->at - room - 2);
		f->tail = lsn(f->cycle, f->at);
		put_small(f);
		assert_int_equal(f->at, f->bbs - room);
		assert_ends(f, 2, 0);
		f->cycle += f->at + 2 >= f->bbs;
		f->at = (f->at + 2) % f->bbs;
	}
}

static void a_head_at_the_start_of_the_log_is_ended(void **state)
{
	struct fixture *f = *state;

	put_blocks(f, f->bbs - f->at - 2);
	f->tail = lsn(f->cycle, f->at);
	put_small(f);
	assert_int_equal(f->at, 0);
	assert_ends(f, 2, 0);
}

static void writes_under_way_at_the_crash_are_cleared(void **state)
{
	struct fixture *f = *state;
	uint32_t head;

	put_blocks(f, BBS + 500);
	f->tail = lsn(f->cycle, f->at);
	put_small(f);
	head = f->at;
	/* a hole, then two records of a writer that was faster */
	f->at += 64;
	put_record(f, (struct spec){ .blocks = 63 });
	put_record(f, (struct spec){ .blocks = 63 });
	f->at = head;
	assert_ends(f, 2, 128);
}

static void what_waits_is_not_touched_before_the_record(void **state)
{
	struct fixture *f = *state;
	uint8_t(*before)[512] = malloc(sizeof(f->bytes));
	struct log_ending ending;

	put_blocks(f, BBS - 40);
	f->tail = lsn(1, 100);
	put_small(f);
	examine(f);
	assert_int_equal(f->state.condition, LOG_DIRTY);
	assert_true(log_ending_plan(&f->geo, f->bbs, f->state.head, f->state.tail, &ending));
	memcpy(before, f->bytes, sizeof(f->bytes));
	end_log(f);
	for (uint32_t bb = 100; bb < (uint32_t)ending.head.v; bb++)
		assert_memory_equal(before[bb], f->bytes[bb], 512);
	free(before);
}

static void a_log_without_room_is_refused(void **state)
{
	struct fixture *f = *state;
	struct log_ending ending;

	/* head right before the tail, a lap later */
	assert_false(log_ending_plan(&f->geo, BBS, (lsn_t){ lsn(5, 100) }, (lsn_t){ lsn(4, 101) }, &ending));
	assert_true(log_ending_plan(&f->geo, BBS, (lsn_t){ lsn(5, 100) }, (lsn_t){ lsn(4, 102) }, &ending));
	assert_int_equal(ending.clear_blocks, 2);
	assert_false(log_ending_plan(&f->geo, BBS, (lsn_t){ lsn(5, 100) }, (lsn_t){ lsn(4, 100) }, &ending));
	/* and such as can't be */
	assert_false(log_ending_plan(&f->geo, BBS, (lsn_t){ lsn(5, BBS) }, (lsn_t){ lsn(5, 1) }, &ending));
	assert_false(log_ending_plan(&f->geo, BBS, (lsn_t){ lsn(5, 1) }, (lsn_t){ lsn(3, 5) }, &ending));
	assert_false(log_ending_plan(&f->geo, BBS, (lsn_t){ lsn(5, 1) }, (lsn_t){ lsn(5, 5) }, &ending));
	assert_false(log_ending_plan(&f->geo, BBS, (lsn_t){ lsn(0, 1) }, (lsn_t){ lsn(0, 0) }, &ending));
}

/* Version, stripe unit, log sector, and the number of blocks of a record then. */
static const struct form {
	uint8_t version;
	uint32_t stripe, sector, record;
} forms[] = {
	{ 1, 0, 512, 2 },     { 2, 0, 512, 2 },	     { 2, 1, 512, 2 },	     { 2, 1, 4096, 8 },
	{ 2, 4096, 4096, 8 }, { 2, 32768, 512, 64 }, { 2, 65536, 512, 128 }, { 2, 262144, 4096, 512 },
};

static void take_form(struct fixture *f, const struct form *form)
{
	f->geo.log_version = form->version;
	f->geo.log_stripe_unit = form->stripe;
	f->geo.log_sector_size = form->sector;
}

static void every_form_of_log_can_be_ended(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const struct form *form = &forms[i];
		uint32_t size = form->stripe > 32768 ? form->stripe : 32768;
		const struct spec spec = { .blocks = form->record - size / 32768, .size = size };

		memset(f->bytes, 0, sizeof(f->bytes));
		f->at = 0;
		f->cycle = 1;
		f->bbs = BBS / form->record * form->record;
		take_form(f, form);
		for (unsigned k = 0; k < 3; k++)
			put_record(f, spec);
		f->tail = lsn(1, 0);
		put_record(f, spec);
		assert_ends(f, form->record, 0);
	}
}

static void a_new_log_is_clean_in_any_form_and_cycle(void **state)
{
	static const uint32_t cycles[] = { 1, 2, 77, 0x7fffffff };
	struct fixture *f = *state;

	for (size_t i = 0; i < 4 * sizeof(forms) / sizeof(forms[0]); i++) {
		const struct form *form = &forms[i / 4];
		uint32_t cycle = cycles[i % 4];

		take_form(f, form);
		f->bbs = BBS / form->record * form->record;
		memset(f->bytes, 0x5a, sizeof(f->bytes));
		assert_int_equal(log_record_blocks(&f->geo), form->record);
		log_format_record(&f->geo, f->bbs, cycle, f->bytes[0]);
		for (uint32_t bb = form->record; bb < f->bbs; bb++)
			log_format_block(&f->geo, cycle, bb, f->bytes[bb]);
		assert_sound(f, LOG_CLEAN, lsn(cycle, form->record), lsn(cycle, form->record));
	}
}

/* The blocks after the record have been written only in part. */
static void a_new_log_that_is_unfinished_is_known(void **state)
{
	static const uint32_t written[] = { 2, 3, 1000, BBS - 1 };
	struct fixture *f = *state;

	put_blocks(f, 3 * BBS);
	put_unmount(f);
	log_format_record(&f->geo, BBS, 10, f->bytes[0]);
	for (size_t i = 0; i < sizeof(written) / sizeof(written[0]); i++) {
		for (uint32_t bb = 2; bb < written[i]; bb++)
			log_format_block(&f->geo, 10, bb, f->bytes[bb]);
		assert_state(f, LOG_CLEAN, lsn(10, 2), lsn(10, 2));
		assert_reported_once(&f->reported, F_LOG_UNFINISHED, 0, 0);
	}
	log_format_block(&f->geo, 10, BBS - 1, f->bytes[BBS - 1]);
	assert_sound(f, LOG_CLEAN, lsn(10, 2), lsn(10, 2));
	/* half of the record is damaged: it is not recognized as unfinished */
	put_blocks(f, 2 * BBS);
	f->bytes[1][300] ^= 1;
	examine(f);
	assert_int_equal(reported_times(&f->reported, F_LOG_UNFINISHED), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		log_test(a_dirty_log_becomes_clean_by_one_record),
		log_test(the_record_may_go_round_the_end),
		log_test(a_head_at_the_start_of_the_log_is_ended),
		log_test(writes_under_way_at_the_crash_are_cleared),
		log_test(what_waits_is_not_touched_before_the_record),
		log_test(a_log_without_room_is_refused),
		log_test(every_form_of_log_can_be_ended),
		log_test(a_new_log_is_clean_in_any_form_and_cycle),
		log_test(a_new_log_that_is_unfinished_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
