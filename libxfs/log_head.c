/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the log ends and begins (ondisk 11, "Head and tail").  The log is
 * written round and round; every block is stamped with the number of the lap.
 * The head is where the stamps go down by one, unless the last writes were
 * cut off or came out of order: then it moves back to the first one that is not
 * complete, as the kernel would have it.  That is no damage, and is not
 * reported.  The tail is what the last complete record says.
 *
 * Reads a few dozen blocks and what can be in flight; of a log that waits for
 * replay also what lies between tail and head.
 */
#include "log_record.h"

#define LOG_MAX_BLOCKS	 (LOG_MAX_RECORD / LOG_BLOCK)
#define IN_FLIGHT_BLOCKS (LOG_MAX_IN_FLIGHT * LOG_MAX_BLOCKS)

struct search {
	const struct check *c;
	struct check silent; /* for what may turn out not to count */
	struct log_reader *log;
	uint32_t cycle;		/* of the blocks right before the head; before, where they wrap, one less */
	uint32_t head;		/* 1 to bbs: the first block that is not in use */
	uint32_t junk;		/* the block nearest to the head with an impossible stamp, LOG_NO_BLOCK: none */
	struct log_record last; /* ends at the head */
};

static void ignore(void *ctx, const struct problem *problem)
{
	(void)ctx;
	(void)problem;
}

/* The block that lies `back` blocks before bb, 0 < back <= bbs. */
static uint32_t before(const struct log_reader *log, uint32_t bb, uint32_t back)
{
	return bb >= back ? bb - back : bb + (log->bbs - back);
}

/* How far it is from a block forward to another, 0 to bbs - 1. */
static uint32_t distance(const struct log_reader *log, uint32_t from, uint32_t to)
{
	return (uint32_t)(((uint64_t)to + log->bbs - from) % log->bbs);
}

static bool cycle_at(const struct search *s, uint32_t bb, uint32_t *ret_cycle)
{
	const uint8_t *block = log_block(s->log, bb);

	if (!block)
		return false;
	*ret_cycle = log_cycle(block);
	return true;
}

/* A log without a stamp at its beginning and its end: mkfs leaves a record there, so something went wrong. */
static bool really_empty(const struct search *s)
{
	uint32_t count = s->log->bbs < LOG_CHUNK_BLOCKS ? s->log->bbs : LOG_CHUNK_BLOCKS;

	for (uint32_t bb = 0; bb < count; bb++) {
		uint32_t cycle;

		if (!cycle_at(s, bb, &cycle) || cycle != 0)
			return false;
	}
	return true;
}

/* Step 2: where the lap changes.  `last`: the lap at the end of the log. */
static bool find_lap(struct search *s, uint32_t first, uint32_t last)
{
	uint32_t low = 0, high = s->log->bbs - 1, cycle;

	s->cycle = first == last ? last : last + 1;
	s->head = s->log->bbs;
	if (first == last)
		return true;
	if (first != s->cycle)
		problem_at(s->c, F_LOG_CYCLE, 0, 0, first, s->cycle);
	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;

		if (!cycle_at(s, mid, &cycle))
			return false;
		if (cycle == last)
			high = mid;
		else
			low = mid;
	}
	s->head = high;
	return true;
}

/* Step 3: writes that overtook each other leave holes from the lap before; the first one is the head. */
static bool find_hole(struct search *s)
{
	uint32_t window = s->log->bbs < IN_FLIGHT_BLOCKS ? s->log->bbs : IN_FLIGHT_BLOCKS;

	for (uint32_t back = window; back > 0; back--) {
		uint32_t bb = before(s->log, s->head, back), cycle;
		uint32_t lap = s->cycle - (bb >= s->head);

		if (!cycle_at(s, bb, &cycle))
			return false;
		if (lap != 0 && cycle == lap - 1) {
			/* at the very beginning: all that is before it is at the end, from the lap before */
			s->head = bb == 0 ? s->log->bbs : bb;
			s->cycle = bb == 0 ? lap - 1 : lap;
			return true;
		}
		/* blank ones are what xfs_repair leaves behind the record it begins a log with */
		if (cycle != lap && cycle != 0)
			s->junk = bb;
	}
	return true;
}

/* The nearest header before bb, if it is no further than a record is long. */
static bool find_header(const struct search *s, uint32_t bb, uint32_t *ret_bb)
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
static bool record_between(const struct search *s, uint32_t at, uint32_t bb, struct log_record *ret_record)
{
	return log_record_decode(&s->silent, s->log, at, ret_record) &&
	       (at + ret_record->blocks) % s->log->bbs == bb % s->log->bbs;
}

/* The record that ends right before bb. */
static bool find_record(const struct search *s, uint32_t bb, struct log_record *ret_record)
{
	uint32_t at;

	return find_header(s, bb, &at) && record_between(s, at, bb, ret_record);
}

/* Back to bb, which lies before the head. */
static void move_head(struct search *s, uint32_t bb)
{
	s->cycle -= bb >= s->head;
	s->head = bb;
	if (bb == 0) {
		s->head = s->log->bbs;
		s->cycle--;
	}
}

/* Step 4: the last record; if it is not complete it doesn't count, and the one before it is the last. */
static bool find_last(struct search *s)
{
	uint32_t at;

	if (!find_header(s, s->head, &at))
		return false;
	if (record_between(s, at, s->head, &s->last))
		return true;
	/* cut off; unless there is more behind it, whose header is damaged */
	if (s->junk != LOG_NO_BLOCK && distance(s->log, s->junk, s->head) < distance(s->log, at, s->head))
		return false;
	move_head(s, at);
	return find_record(s, s->head, &s->last);
}

/* Step 5: of the records that can have been in flight, the first one that is torn ends the log. */
static bool trim_torn(struct search *s)
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

static lsn_t head_lsn(const struct search *s)
{
	if (s->head == s->log->bbs)
		return (lsn_t){ (uint64_t)(s->cycle + 1) << 32 };
	return (lsn_t){ (uint64_t)s->cycle << 32 | s->head };
}

/* A record that was left out because its header is damaged shows here. */
static void check_header_at_head(const struct search *s)
{
	lsn_t head = head_lsn(s), own;
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
		/* all there is in those that the kernel puts there to wipe out torn writes */
		problem_at(s->c, F_LOG_RECORD_LSN, bb * LOG_BLOCK, bb, be64_get(disk->lsn), own.v);
}

/* The record at bb, sound and not longer than room. */
static bool sound_record(const struct check *c, const struct search *s, uint32_t bb, uint32_t room,
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
	return log_record_verify(c, s->log, ret_record);
}

/*
 * What waits for replay, from tail to head; stops at the first record that is damaged.  Right behind the head the
 * tail may have been overwritten by writes that were never completed: it begins with what is whole.
 */
static void walk_live(const struct search *s, struct log_state *state)
{
	uint32_t bbs = s->log->bbs, tail = (uint32_t)s->last.tail.v;
	uint32_t live = distance(s->log, tail, s->head) ? distance(s->log, tail, s->head) : bbs;
	uint32_t in_flight = LOG_MAX_IN_FLIGHT * s->last.header_blocks * (LOG_HEADER_COVERS / LOG_BLOCK);
	uint32_t done = 0;

	while (done < live) {
		uint32_t bb = (uint32_t)(((uint64_t)tail + done) % bbs);
		struct log_record record;

		if (sound_record(&s->silent, s, bb, live - done, &record)) {
			/* with what does not keep it from being read */
			log_record_decode(s->c, s->log, bb, &record);
			if (state->records++ == 0)
				state->tail.v = (uint64_t)record.cycle << 32 | bb;
			done += record.blocks;
		} else if (state->records == 0 && bbs - live + done < in_flight) {
			done++;
		} else {
			sound_record(s->c, s, bb, live - done, &record);
			return;
		}
	}
}

static bool find_head(struct search *s, uint32_t first, uint32_t last)
{
	return find_lap(s, first, last) && find_hole(s) && find_last(s);
}

static bool unmounted(const struct search *s)
{
	return log_record_unmounts(&s->silent, s->log, &s->last);
}

static void examine(struct search *s, struct log_state *state)
{
	struct log_record last;
	uint32_t first_cycle, last_cycle;

	if (!cycle_at(s, 0, &first_cycle) || !cycle_at(s, s->log->bbs - 1, &last_cycle))
		return;
	if (first_cycle == 0 && last_cycle == 0) {
		if (!really_empty(s))
			return;
		/* mkfs leaves a record, so does everybody else */
		problem(s->c, F_LOG_ZEROED, 0, 0, 0);
		state->condition = LOG_CLEAN;
		return;
	}
	if (!find_head(s, first_cycle, last_cycle) || (!unmounted(s) && !trim_torn(s))) {
		check_header_at_head(s);
		return;
	}
	check_header_at_head(s);
	state->head = head_lsn(s);
	if (unmounted(s)) {
		state->condition = LOG_CLEAN;
		state->tail = state->head;
		log_record_decode(s->c, s->log, s->last.bb, &last);
		log_record_unmounts(s->c, s->log, &s->last);
		log_record_verify(s->c, s->log, &s->last);
		return;
	}
	if (!s->last.tail_possible) {
		log_record_decode(s->c, s->log, s->last.bb, &last);
		return;
	}
	state->condition = LOG_DIRTY;
	state->tail = s->last.tail;
	walk_live(s, state);
}

void log_examine(const struct check *c, log_read *read, void *ctx, uint64_t bbs, struct log_state *ret_state)
{
	struct log_reader log = { .read = read, .ctx = ctx, .unreadable = LOG_NO_BLOCK };
	struct search s = { .c = c, .silent = { c->geo, ignore, NULL }, .log = &log, .junk = LOG_NO_BLOCK };
	struct log_state state = { .condition = LOG_DAMAGED };

	/* no place for a log, or none that can be: the superblock's fault */
	if (bbs > 0 && bbs <= UINT32_MAX / LOG_BLOCK) {
		log.bbs = (uint32_t)bbs;
		examine(&s, &state);
		if (log.unreadable != LOG_NO_BLOCK)
			problem_at(c, F_LOG_UNREADABLE, log.unreadable * LOG_BLOCK, log.unreadable, 0, 0);
		if (state.condition == LOG_DAMAGED) {
			uint32_t bb = s.junk != LOG_NO_BLOCK ? s.junk : s.head % log.bbs;

			problem_at(c, F_LOG_DAMAGED, bb * LOG_BLOCK, bb, 0, 0);
			state.head.v = 0;
		}
	}
	*ret_state = state;
}
