/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the end of the log (ondisk 11, "Head and tail").  The log is a ring, and every block is stamped with its cycle,
 * the number of the lap.  The head is where the cycles go down by one, unless the last writes were interrupted or
 * reordered: then the head moves back to the first incomplete write, as in the kernel.  That is no damage, and is not
 * reported.  Reads a few dozen blocks, and the blocks that may have been in flight.
 */
#include "log_head.h"

#define LOG_MAX_BLOCKS	 (LOG_MAX_RECORD / LOG_BLOCK)
#define IN_FLIGHT_BLOCKS (LOG_MAX_IN_FLIGHT * LOG_MAX_BLOCKS)

/* The block `back` blocks before bb, 0 < back <= bbs. */
static uint32_t before(const struct log_reader *log, uint32_t bb, uint32_t back)
{
	return bb >= back ? bb - back : bb + (log->bbs - back);
}

bool log_cycle_at(const struct log_search *s, uint32_t bb, uint32_t *ret_cycle)
{
	const uint8_t *block = log_block(s->log, bb);

	if (!block)
		return false;
	*ret_cycle = log_cycle(block);
	return true;
}

/* The search for the place where the cycle changes: `low` lies before it, `high` after it, in cycle `last`. */
struct lap_change {
	uint32_t low, high, last;
};

/* Narrows the search by the cycle of block bb.  False: it is unreadable. */
static bool look_at(const struct log_search *s, struct lap_change *change, uint32_t bb)
{
	uint32_t cycle;

	if (!log_cycle_at(s, bb, &cycle))
		return false;
	*(cycle == change->last ? &change->high : &change->low) = bb;
	return true;
}

/* Step 2: finds where the cycle changes.  first, last: the cycles of the first and the last block of the log. */
static bool find_lap(struct log_search *s, uint32_t first, uint32_t last)
{
	struct lap_change change = { 0, s->log->bbs - 1, last };

	s->cycle = first == last ? last : last + 1;
	s->head = s->log->bbs;
	if (first == last)
		return true;
	/* the kernel reads the same blocks, so what misleads it misleads us, and the records decide */
	while (change.high - change.low > 1)
		if (!look_at(s, &change, change.low + (change.high - change.low) / 2))
			return false;
	s->head = change.high;
	return true;
}

/* Reads the cycle of the block `back` blocks before the head, and the lap of its place.  False: it is unreadable. */
static bool look_back(const struct log_search *s, uint32_t back, uint32_t *ret_lap, uint32_t *ret_cycle)
{
	const uint32_t bb = before(s->log, s->head, back);

	*ret_lap = s->cycle - (bb >= s->head);
	return log_cycle_at(s, bb, ret_cycle);
}

/* Moves the head back to the hole `back` blocks before it, or to the beginning of that hole, if it is larger. */
static bool enter_hole(struct log_search *s, uint32_t back, uint32_t window)
{
	uint32_t bb, lap, cycle;

	for (; back >= window && back < s->log->bbs; back++) {
		if (!look_back(s, back + 1, &lap, &cycle))
			return false;
		if (lap == 0 || cycle != lap - 1)
			break;
		s->misled = true; /* no crash leaves so large a hole, and the kernel searches no farther back */
	}
	/* not block 0: otherwise both ends of the log would have that cycle, without a hole between them */
	bb = before(s->log, s->head, back);
	s->cycle -= bb >= s->head;
	s->head = bb;
	s->moved = true;
	return true;
}

/* Step 3: moves the head back to the first hole: reordered writes leave holes with the cycle before. */
static bool find_hole(struct log_search *s)
{
	uint32_t window = s->log->bbs < IN_FLIGHT_BLOCKS ? s->log->bbs : IN_FLIGHT_BLOCKS;

	for (uint32_t back = window; back > 0; back--) {
		uint32_t lap, cycle;

		if (!look_back(s, back, &lap, &cycle))
			return false;
		if (lap != 0 && cycle == lap - 1)
			return enter_hole(s, back, window);
		/* blank blocks (cycle 0) are no junk: xfs_repair leaves them after the first record of a new log */
		if (cycle != lap && cycle != 0)
			s->junk = before(s->log, s->head, back);
	}
	return true;
}

/* Finds the nearest header before bb.  False: none within the length of a record, or a block is unreadable. */
static bool find_header(const struct log_search *s, uint32_t bb, uint32_t *ret_bb)
{
	uint32_t max = s->log->bbs < LOG_MAX_BLOCKS ? s->log->bbs : LOG_MAX_BLOCKS;

	for (uint32_t back = 1; back <= max; back++) {
		uint32_t at = before(s->log, bb, back);
		const uint8_t *block = log_block(s->log, at);

		if (!block)
			return false;
		if (log_is_header(block)) {
			*ret_bb = at;
			return true;
		}
	}
	return false;
}

/* True if a record starts at `at` and ends right before bb. */
static bool record_between(const struct log_search *s, uint32_t at, uint32_t bb, struct log_record *ret_record)
{
	return log_record_decode(&s->silent, s->log, at, ret_record) &&
	       (at + ret_record->blocks) % s->log->bbs == bb % s->log->bbs;
}

/* Finds the record that ends right before bb.  False: there is none. */
static bool find_record(const struct log_search *s, uint32_t bb, struct log_record *ret_record)
{
	uint32_t at;

	return find_header(s, bb, &at) && record_between(s, at, bb, ret_record);
}

/* Moves the head back to bb. */
static void move_head(struct log_search *s, uint32_t bb)
{
	s->cycle -= bb >= s->head;
	s->head = bb;
	s->moved = true;
	if (bb == 0) {
		s->head = s->log->bbs;
		s->cycle--;
	}
}

/*
 * Step 4: finds the last record; if it is incomplete, the head moves back to it and the record before it is the last.
 */
static bool find_last(struct log_search *s)
{
	uint32_t at;

	if (!find_header(s, s->head, &at))
		return false;
	if (record_between(s, at, s->head, &s->last))
		return true;
	/*
	 * the record was cut off, unless junk lies nearer to the head than its header: then something else is damaged
	 */
	if (s->junk != LOG_NO_BLOCK && log_distance(s->log, s->junk, s->head) < log_distance(s->log, at, s->head))
		return false;
	move_head(s, at);
	return find_record(s, s->head, &s->last);
}

bool log_lacks_bit(const struct log_search *s, uint32_t bb)
{
	struct log_record record;
	struct log_bit bit;

	return log_record_decode(&s->silent, s->log, bb, &record) && log_record_find_bit(s->log, &record, &bit);
}

/*
 * Step 5: ends the log at the first torn one of the last records, which may have been in flight at a crash.  A record
 * with one wrong bit is not torn: step 3 has seen that all of its blocks were written.
 */
bool log_head_trim(struct log_search *s)
{
	struct log_record records[LOG_MAX_IN_FLIGHT];
	unsigned count = 0;
	uint32_t bb = s->head;

	log_record_restore(s->c, s->log, &s->last); /* it has the tail */
	while (count < LOG_MAX_IN_FLIGHT && find_record(s, bb, &records[count])) {
		bb = records[count++].bb;
		if ((uint32_t)s->last.tail.v == bb)
			break;
	}
	while (count-- > 0) {
		if (log_record_verify(&s->silent, s->log, &records[count]) || log_lacks_bit(s, records[count].bb))
			continue;
		move_head(s, records[count].bb);
		if (!find_record(s, s->head, &s->last))
			return false;
		log_record_restore(s->c, s->log, &s->last);
		return true;
	}
	return true;
}

/*
 * True if the last record is of the lap that ends at the head, by its cycle or its LSN.  Else the cycle was read from
 * bytes that are not part of the log, such as stray bytes at its end, and the kernel could not find a record that is
 * written in that cycle.
 */
static bool in_lap(const struct log_search *s)
{
	uint32_t cycle = s->cycle - (s->last.bb >= s->head);
	const uint8_t *block = log_block(s->log, s->last.bb);
	const struct log_header_disk *disk = (const struct log_header_disk *)block;

	return block && (s->last.cycle == cycle || be64_get(disk->lsn) == ((uint64_t)cycle << 32 | s->last.bb));
}

bool log_head_find(struct log_search *s, uint32_t first, uint32_t last)
{
	if (!find_lap(s, first, last) || !find_hole(s) || !find_last(s) || !in_lap(s))
		return false;
	/*
	 * of a record that wraps around the end of the log, only the part at the beginning may have been written: then
	 * the log has three cycles
	 */
	if (first - last > LAPS_MAX)
		problem_at(s->c, F_LOG_CYCLE, 0, 0, first, last + 1);
	return true;
}

bool log_head_whole(const struct log_search *s, uint32_t bb, struct log_record *ret_record)
{
	const uint8_t *block = log_block(s->log, bb);
	const struct log_header_disk *disk = (const struct log_header_disk *)block;

	if (!block || !log_is_header(block) || be64_get(disk->lsn) != ((uint64_t)log_cycle(block) << 32 | bb) ||
	    !log_record_decode(&s->silent, s->log, bb, ret_record))
		return false;
	return !ret_record->foreign && ret_record->tail_possible && log_record_verify(&s->silent, s->log, ret_record);
}

void log_head_behind(struct log_search *s, const struct log_record *record)
{
	const uint64_t end = (uint64_t)record->bb + record->blocks;

	s->cycle = record->cycle + (end > s->log->bbs);
	s->head = (uint32_t)(end > s->log->bbs ? end - s->log->bbs : end);
	s->last = *record;
}

/* True if blocks of the lap before lie at the head, or after interrupted writes there. */
static bool ends_at_head(const struct log_search *s)
{
	for (uint32_t i = 0; i < IN_FLIGHT_BLOCKS && i < s->log->bbs; i++) {
		const uint32_t bb = (uint32_t)(((uint64_t)s->head + i) % s->log->bbs);
		const uint32_t lap = s->cycle + (bb < s->head);
		uint32_t cycle;

		if (!log_cycle_at(s, bb, &cycle))
			return false;
		if (cycle != lap)
			return cycle == lap - 1;
	}
	return false;
}

bool log_head_survey(struct log_search *s)
{
	const uint32_t unreadable = s->log->unreadable;
	struct log_record record, newest = { .cycle = 0 };

	s->junk = LOG_NO_BLOCK;
	for (uint32_t bb = 0; bb < s->log->bbs; bb++)
		if (log_head_whole(s, bb, &record) && record.cycle >= newest.cycle)
			newest = record;
	s->log->unreadable = unreadable; /* most of that does not matter */
	s->any = newest.cycle != 0;
	if (!s->any)
		return false;
	log_head_behind(s, &newest);
	s->misled = true;
	if (!ends_at_head(s))
		return false;
	/* if no record lies before the first hole, the log does not end there */
	if (!find_hole(s) || !find_last(s))
		log_head_behind(s, &newest);
	return true;
}

lsn_t log_head_lsn(const struct log_search *s)
{
	if (s->head == s->log->bbs)
		return (lsn_t){ (uint64_t)(s->cycle + 1) << 32 };
	return (lsn_t){ (uint64_t)s->cycle << 32 | s->head };
}
