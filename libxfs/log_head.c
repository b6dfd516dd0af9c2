/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the log ends (ondisk 11, "Head and tail").  The log is written round
 * and round; every block is stamped with the number of the lap.  The head is
 * where the stamps go down by one, unless the last writes were cut off or came
 * out of order: then it moves back to the first one that is not complete, as
 * the kernel would have it.  That is no damage, and is not reported.
 *
 * Reads a few dozen blocks, and what can have been in flight.
 */
#include "log_head.h"

#define LOG_MAX_BLOCKS	 (LOG_MAX_RECORD / LOG_BLOCK)
#define IN_FLIGHT_BLOCKS (LOG_MAX_IN_FLIGHT * LOG_MAX_BLOCKS)

/* The block that lies `back` blocks before bb, 0 < back <= bbs. */
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

/* Where the lap changes: low lies before that, high behind it; `last`: the lap at the end of the log. */
struct lap_change {
	uint32_t low, high, last;
};

/* On which side of the change `bb` lies. */
static bool look_at(const struct log_search *s, struct lap_change *change, uint32_t bb)
{
	uint32_t cycle;

	if (!log_cycle_at(s, bb, &cycle))
		return false;
	*(cycle == change->last ? &change->high : &change->low) = bb;
	return true;
}

/*
 * What dates the superblock is the last that was written before the file system was unmounted, or nearly: it is not far
 * from there to the head.  Where that is not so it costs some reads.
 */
static bool near_superblock(const struct log_search *s, struct lap_change *change)
{
	uint32_t bb = (uint32_t)s->c->geo->sb_lsn.v;

	if (bb <= change->low || bb >= change->high)
		return true;
	for (uint32_t step = LOG_CHUNK_BLOCKS; look_at(s, change, bb); step *= 2) {
		if (change->high == bb || change->high - bb <= step)
			return true;
		bb += step;
	}
	return false;
}

/* Step 2.  `first`, `last`: the laps at the beginning and at the end of the log. */
static bool find_lap(struct log_search *s, uint32_t first, uint32_t last)
{
	struct lap_change change = { 0, s->log->bbs - 1, last };

	s->cycle = first == last ? last : last + 1;
	s->head = s->log->bbs;
	if (first == last)
		return true;
	/* of a record that goes on at the beginning of the log, the part before may be missing: that makes three laps
	 */
	if (first - last > LAPS_MAX)
		problem_at(s->c, F_LOG_CYCLE, 0, 0, first, s->cycle);
	if (!near_superblock(s, &change))
		return false;
	while (change.high - change.low > 1)
		if (!look_at(s, &change, change.low + (change.high - change.low) / 2))
			return false;
	s->head = change.high;
	return true;
}

/* Step 3: writes that overtook each other leave holes from the lap before; the first one is the head. */
static bool find_hole(struct log_search *s)
{
	uint32_t window = s->log->bbs < IN_FLIGHT_BLOCKS ? s->log->bbs : IN_FLIGHT_BLOCKS;

	for (uint32_t back = window; back > 0; back--) {
		uint32_t bb = before(s->log, s->head, back), cycle;
		uint32_t lap = s->cycle - (bb >= s->head);

		if (!log_cycle_at(s, bb, &cycle))
			return false;
		if (lap != 0 && cycle == lap - 1) {
			/* not block 0: then both ends of the log would be in that lap, and there is no hole between
			 * them */
			s->head = bb;
			s->cycle = lap;
			return true;
		}
		/* blank ones are what xfs_repair leaves behind the record it begins a log with */
		if (cycle != lap && cycle != 0)
			s->junk = bb;
	}
	return true;
}

/* The nearest header before bb, if it is no further than a record is long. */
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

/* Whether a whole record lies from `at` up to bb. */
static bool record_between(const struct log_search *s, uint32_t at, uint32_t bb, struct log_record *ret_record)
{
	return log_record_decode(&s->silent, s->log, at, ret_record) &&
	       (at + ret_record->blocks) % s->log->bbs == bb % s->log->bbs;
}

/* The record that ends right before bb. */
static bool find_record(const struct log_search *s, uint32_t bb, struct log_record *ret_record)
{
	uint32_t at;

	return find_header(s, bb, &at) && record_between(s, at, bb, ret_record);
}

/* Back to bb, which lies before the head. */
static void move_head(struct log_search *s, uint32_t bb)
{
	s->cycle -= bb >= s->head;
	s->head = bb;
	if (bb == 0) {
		s->head = s->log->bbs;
		s->cycle--;
	}
}

/* Step 4: the last record; if it is not complete it doesn't count, and the one before it is the last. */
static bool find_last(struct log_search *s)
{
	uint32_t at;

	if (!find_header(s, s->head, &at))
		return false;
	if (record_between(s, at, s->head, &s->last))
		return true;
	/* cut off; unless there is more behind it, whose header is damaged */
	if (s->junk != LOG_NO_BLOCK && log_distance(s->log, s->junk, s->head) < log_distance(s->log, at, s->head))
		return false;
	move_head(s, at);
	return find_record(s, s->head, &s->last);
}

/* Step 5: of the records that can have been in flight, the first one that is torn ends the log. */
bool log_head_trim(struct log_search *s)
{
	struct log_record records[LOG_MAX_IN_FLIGHT];
	unsigned count = 0;
	uint32_t bb = s->head;

	while (count < LOG_MAX_IN_FLIGHT && find_record(s, bb, &records[count])) {
		bb = records[count++].bb;
		if ((uint32_t)s->last.tail.v == bb)
			break;
	}
	while (count-- > 0) {
		if (log_record_verify(&s->silent, s->log, &records[count]))
			continue;
		move_head(s, records[count].bb);
		return find_record(s, s->head, &s->last);
	}
	return true;
}

bool log_head_find(struct log_search *s, uint32_t first, uint32_t last)
{
	return find_lap(s, first, last) && find_hole(s) && find_last(s);
}

lsn_t log_head_lsn(const struct log_search *s)
{
	if (s->head == s->log->bbs)
		return (lsn_t){ (uint64_t)(s->cycle + 1) << 32 };
	return (lsn_t){ (uint64_t)s->cycle << 32 | s->head };
}
