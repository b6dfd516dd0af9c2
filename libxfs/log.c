/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Determines the state of the log: clean, waiting for replay, or damaged (ondisk 11).  log_head.c finds the head; the
 * last record before it gives the tail, or shows that the file system was unmounted.  Checks the records between tail
 * and head, but not their contents.
 */
#include "log_head.h"

/* Checks the block at the head: reports what is wrong with a record that was skipped because of its damaged header. */
static void check_header_at_head(const struct log_search *s)
{
	lsn_t head = log_head_lsn(s), own;
	uint32_t bb = (uint32_t)head.v;
	const uint8_t *block = log_block(s->log, bb);
	const struct log_header_disk *disk = (const struct log_header_disk *)block;
	struct log_record record;

	if (!block)
		return;
	own.v = (uint64_t)log_cycle(block) << 32 | bb;
	if (log_lost_magic(s->c->geo, block, head))
		problem_at(s->c, F_LOG_RECORD_MAGIC, bb * LOG_BLOCK, bb, log_cycle(block), LOG_MAGIC);
	else if (!log_is_header(block))
		return;
	else if (own.v == head.v)
		log_record_decode(s->c, s->log, bb, &record);
	else if (be64_get(disk->lsn) != own.v)
		/* in headers that the kernel writes to wipe out torn writes, only the LSN can be checked */
		problem_at(s->c, F_LOG_RECORD_LSN, bb * LOG_BLOCK, bb, be64_get(disk->lsn), own.v);
}

/* The cycle of a record at bb before the head, of the newest lap. */
static uint32_t cycle_before(const struct log_search *s, uint32_t bb)
{
	return s->cycle - (bb >= s->head);
}

/*
 * Reads the record at bb.  True if it is sound, of the lap that ends at the head, and has at most `room` blocks;
 * reports faults.
 */
static bool sound_record(const struct check *c, const struct log_search *s, uint32_t bb, uint32_t room,
			 struct log_record *ret_record)
{
	const uint8_t *block = log_block(s->log, bb);

	if (!block)
		return false;
	if (!log_is_header(block))
		return problem_at(c, F_LOG_RECORD_MAGIC, bb * LOG_BLOCK, bb, log_cycle(block), LOG_MAGIC);
	if (!log_record_decode(c, s->log, bb, ret_record))
		return false;
	if (ret_record->blocks > room)
		return problem_at(c, F_LOG_RECORD_LEN, bb * LOG_BLOCK, bb, ret_record->blocks, room);
	if (ret_record->cycle != cycle_before(s, bb))
		return problem_at(c, F_LOG_CYCLE, bb * LOG_BLOCK, bb, ret_record->cycle, cycle_before(s, bb));
	return log_record_verify(c, s->log, ret_record);
}

/* Counts an intact record after a hole; after_gap: it does not begin at the end of another one. */
static void count_behind(struct log_behind *behind, const struct log_record *record, bool after_gap)
{
	behind->last.v = (uint64_t)record->cycle << 32 | record->bb;
	if (behind->records++ == 0)
		behind->first = behind->last;
	if (after_gap) {
		behind->holes++;
		behind->resumed = behind->last;
	}
}

/*
 * Counts the records that wait for replay, from tail to head; reports the first damaged one, and counts those after it
 * separately.  If the tail lies right after the head, incomplete writes may have overwritten it: within the reach of
 * such writes, damaged records are skipped, and the tail moves to the first intact one.
 */
static void walk_live(const struct log_search *s, struct log_state *state)
{
	uint32_t bbs = s->log->bbs, tail = (uint32_t)s->last.tail.v;
	uint32_t live = log_distance(s->log, tail, s->head) ? log_distance(s->log, tail, s->head) : bbs;
	uint32_t in_flight = LOG_MAX_IN_FLIGHT * s->last.header_blocks * (LOG_HEADER_COVERS / LOG_BLOCK);
	uint32_t done = 0;
	bool gap = true;

	while (done < live) {
		uint32_t bb = (uint32_t)(((uint64_t)tail + done) % bbs);
		struct log_record record;

		if (state->hole.v) {
			bool sound = sound_record(&s->silent, s, bb, live - done, &record);

			if (sound)
				count_behind(&state->behind, &record, gap);
			gap = !sound;
			done += sound ? record.blocks : 1;
		} else if (sound_record(&s->silent, s, bb, live - done, &record)) {
			/* again, to report faults that do not prevent reading the record */
			log_record_decode(s->c, s->log, bb, &record);
			if (state->records++ == 0)
				state->tail.v = (uint64_t)record.cycle << 32 | bb;
			done += record.blocks;
		} else if (state->records == 0 && bbs - live + done < in_flight && !log_lacks_bit(s, bb)) {
			done++;
		} else {
			sound_record(s->c, s, bb, live - done, &record);
			state->hole.v = (uint64_t)cycle_before(s, bb) << 32 | bb;
			done++;
		}
	}
}

bool log_find_record(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, const struct log_state *state,
		     uint32_t *bb)
{
	struct log_reader log = log_reader_of(read, ctx, bbs);
	const uint32_t head = (uint32_t)state->head.v, cycle = (uint32_t)(state->head.v >> 32);
	const struct log_search s = { .silent = check_silent(geo),
				      .log = &log,
				      .cycle = head ? cycle : cycle - 1,
				      .head = head ? head : log.bbs };
	uint32_t room = log.bbs ? log_distance(&log, *bb, head) : 0;
	struct log_record record;

	for (; room > 0; room--, *bb = (*bb + 1) % log.bbs)
		if (sound_record(&s.silent, &s, *bb, room, &record))
			return true;
	return false;
}

bool log_find_bit(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, const struct log_state *state,
		  struct log_bit *ret_bit)
{
	struct log_reader log = log_reader_of(read, ctx, bbs);
	const struct check silent = check_silent(geo);
	const uint32_t tail = (uint32_t)state->tail.v;
	uint32_t live = log.bbs ? log_distance(&log, tail, (uint32_t)state->head.v) : 0;
	struct log_record record;

	live = live ? live : log.bbs;
	for (uint32_t done = 0; done < live; done += record.blocks) {
		const uint32_t bb = (uint32_t)(((uint64_t)tail + done) % log.bbs);

		if (!log_record_decode(&silent, &log, bb, &record) || record.blocks > live - done)
			return false;
		if (!log_record_verify(&silent, &log, &record))
			return log_record_find_bit(&log, &record, ret_bit);
	}
	return false;
}

static bool unmounted(const struct log_search *s)
{
	return log_record_unmounts(&s->silent, s->log, &s->last);
}

/*
 * True if the writing of a new log was interrupted.  A new log begins with its unmount record, in a cycle far beyond
 * all earlier ones, and the rest is written after it; so the end of the log still has cycles of the old log.  No log
 * gets into that state otherwise.  Reports it and sets *state.
 */
static bool begun_anew(struct log_search *s, uint32_t first_cycle, uint32_t last_cycle, struct log_state *state)
{
	struct log_record record;

	if (first_cycle - last_cycle <= LAPS_MAX || !log_record_decode(&s->silent, s->log, 0, &record) ||
	    record.tail.v != (uint64_t)record.cycle << 32 || !log_record_unmounts(&s->silent, s->log, &record) ||
	    !record.has_crc || !log_record_verify(&s->silent, s->log, &record))
		return false;
	problem(s->c, F_LOG_UNFINISHED, 0, 0, 0);
	state->condition = LOG_CLEAN;
	state->head.v = (uint64_t)record.cycle << 32 | record.blocks;
	state->tail = state->head;
	return true;
}

/* Reports the fault at block bb, the first estimate of the head. */
static void report_hole(const struct log_search *s, uint32_t bb)
{
	struct log_record record;

	if (sound_record(s->c, s, bb, s->log->bbs, &record))
		problem_at(s->c, F_LOG_RECORD_TAIL, bb * LOG_BLOCK, bb, record.tail.v, 0);
}

/* Reports the first block whose cycle belongs neither to its place nor to a write that a crash interrupted. */
static void report_lost_cycle(const struct log_search *s)
{
	for (uint32_t bb = 0; bb < s->log->bbs && s->log->unreadable == LOG_NO_BLOCK; bb++) {
		const uint32_t lap = s->cycle - (bb >= s->head);
		uint32_t cycle;

		if (log_cycle_at(s, bb, &cycle) && cycle != lap && cycle != lap + 1) {
			problem_at(s->c, F_LOG_CYCLE, bb * LOG_BLOCK, bb, cycle, lap);
			return;
		}
	}
}

/* Reports a place that a kernel may take for the head, unless that was reported; hole: as in examine(). */
static void report_torn(const struct log_search *s, const struct log_state *state, uint32_t hole)
{
	if (!state->torn || state->hole.v)
		return;
	if (s->misled)
		report_lost_cycle(s);
	else
		report_hole(s, hole);
}

/* True if the log ends in an unmount record, or in another intact one, for which the head may be moved back. */
static bool ends_whole(struct log_search *s)
{
	return unmounted(s) || log_head_trim(s);
}

/* Finds the head, if necessary by the newest record.  False: it was not found, or *state is set. */
static bool find_head(struct log_search *s, struct log_state *state)
{
	uint32_t first, last;
	const bool ends = log_cycle_at(s, 0, &first) && log_cycle_at(s, s->log->bbs - 1, &last);
	const bool blank = ends && first == 0 && last == 0;
	struct log_search failed;

	if (ends && !blank && begun_anew(s, first, last, state))
		return false;
	if (ends && !blank && log_head_find(s, first, last) && ends_whole(s))
		return true;
	failed = *s;
	if (log_head_survey(s) && ends_whole(s))
		return true;
	if (blank && !s->any) {
		/* mkfs and every other writer leave a record, so an empty log is wrong */
		problem(s->c, F_LOG_ZEROED, 0, 0, 0);
		state->condition = LOG_CLEAN;
		return false;
	}
	*s = failed;
	if (ends && !blank)
		check_header_at_head(s);
	return false;
}

static void examine(struct log_search *s, struct log_state *state)
{
	struct log_record last;
	uint32_t hole;

	if (!find_head(s, state))
		return;
	hole = s->head % s->log->bbs;
	state->torn = log_head_pass_holes(s, unmounted(s)) || s->misled;
	check_header_at_head(s);
	state->head = log_head_lsn(s);
	state->foreign = s->last.foreign;
	if (unmounted(s)) {
		state->condition = LOG_CLEAN;
		state->tail = state->head;
		state->unmount.v = (uint64_t)s->last.cycle << 32 | s->last.bb;
		log_record_decode(s->c, s->log, s->last.bb, &last);
		log_record_unmounts(s->c, s->log, &s->last);
		log_record_verify(s->c, s->log, &s->last);
		report_torn(s, state, hole);
		return;
	}
	if (!s->last.tail_possible) {
		log_record_decode(s->c, s->log, s->last.bb, &last);
		return;
	}
	state->condition = LOG_DIRTY;
	state->tail = s->last.tail;
	walk_live(s, state);
	report_torn(s, state, hole);
}

void log_examine(const struct check *c, log_read *read, void *ctx, uint64_t bbs, struct log_state *ret_state)
{
	struct log_reader log = log_reader_of(read, ctx, bbs);
	struct log_search s = { .c = c, .silent = check_silent(c->geo), .log = &log, .junk = LOG_NO_BLOCK };
	struct log_state state = { .condition = LOG_DAMAGED };

	/* bbs 0: the log has no valid place in the superblock, which was reported there */
	if (log.bbs > 0) {
		examine(&s, &state);
		if (log.unreadable != LOG_NO_BLOCK)
			problem_at(c, F_LOG_UNREADABLE, 0, log.unreadable, LOG_BLOCK,
				   (uint64_t)log.unreadable * LOG_BLOCK);
		if (state.condition == LOG_DAMAGED) {
			uint32_t bb = s.junk != LOG_NO_BLOCK ? s.junk : s.head % log.bbs;

			problem_at(c, F_LOG_DAMAGED, bb * LOG_BLOCK, bb, 0, 0);
			state.head.v = 0;
		}
	}
	*ret_state = state;
}
