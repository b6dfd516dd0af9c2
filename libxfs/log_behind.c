/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells a hole in the log from writes that a crash cut off (ondisk 11, "Head and tail").  A writer has
 * LOG_MAX_IN_FLIGHT buffers, and fills one again only after all earlier records are on the disk.  So after a crash
 * fewer than that many whole records can lie behind a missing one.  If there are more, the missing record was on the
 * disk, and is damaged now; then the log does not end before it.  An unmount record tells the same, since it is
 * written when nothing else is under way.
 */
#include "log_head.h"

#define IN_FLIGHT_BLOCKS (LOG_MAX_IN_FLIGHT * LOG_MAX_RECORD / LOG_BLOCK)

/* The last whole records that lie behind the head. */
struct behind {
	struct log_record records[LOG_MAX_IN_FLIGHT];
	bool after_gap[LOG_MAX_IN_FLIGHT]; /* the record does not begin where the one before ends */
	uint64_t count;			   /* of all such records */
	uint64_t proven;		   /* so many of them tell that nothing before them was under way any more */
};

/* The cycle of a block of what was written after the head. */
static uint32_t cycle_behind(const struct log_search *s, uint32_t bb)
{
	return s->cycle + (bb < s->head);
}

/*
 * Whether a whole record that is newer than the last one before the head begins at bb, and has at most `room` blocks.
 * Tails never move back, so an older tail tells that the record is left over from before a recovery.
 */
static bool is_newer(const struct log_search *s, uint32_t bb, uint32_t room, struct log_record *ret_record)
{
	const uint8_t *block = log_block(s->log, bb);
	const struct log_header_disk *disk = (const struct log_header_disk *)block;

	if (!block || !log_is_header(block) || be32_get(disk->cycle) != cycle_behind(s, bb) ||
	    be64_get(disk->lsn) != ((uint64_t)cycle_behind(s, bb) << 32 | bb) ||
	    !log_record_decode(&s->silent, s->log, bb, ret_record))
		return false;
	return !ret_record->foreign && ret_record->tail_possible && ret_record->tail.v >= s->last.tail.v &&
	       ret_record->blocks <= room && log_record_verify(&s->silent, s->log, ret_record);
}

/* Look for newer records in the `room` blocks from the head on. */
static void find_newer(const struct log_search *s, uint32_t room, struct behind *behind)
{
	bool gap = true;

	for (uint32_t done = 0; done < room;) {
		const uint32_t bb = (uint32_t)(((uint64_t)s->head + done) % s->log->bbs);
		struct log_record record;

		if (!is_newer(s, bb, room - done, &record)) {
			gap = true;
			done++;
			continue;
		}
		behind->records[behind->count % LOG_MAX_IN_FLIGHT] = record;
		behind->after_gap[behind->count % LOG_MAX_IN_FLIGHT] = gap;
		if (log_record_unmounts(&s->silent, s->log, &record))
			behind->proven = behind->count + 1;
		behind->count++;
		gap = false;
		done += record.blocks;
	}
}

/* Move the head behind a record that is newer than the head. */
static void move_head(struct log_search *s, const struct log_record *record)
{
	const uint64_t end = (uint64_t)record->bb + record->blocks;

	s->cycle = record->cycle + (end > s->log->bbs);
	s->head = (uint32_t)(end > s->log->bbs ? end - s->log->bbs : end);
	s->last = *record;
}

bool log_head_pass_holes(struct log_search *s, bool clean)
{
	const uint32_t unreadable = s->log->unreadable;
	struct behind behind = { .count = 0 };
	uint64_t end;

	if (clean && !s->moved)
		return false;
	find_newer(s, clean && s->log->bbs > IN_FLIGHT_BLOCKS ? IN_FLIGHT_BLOCKS : s->log->bbs, &behind);
	if (behind.count >= LOG_MAX_IN_FLIGHT && behind.proven <= behind.count - LOG_MAX_IN_FLIGHT)
		behind.proven = behind.count - LOG_MAX_IN_FLIGHT + 1;
	if (!behind.proven) {
		s->log->unreadable = unreadable; /* what lies behind the head does not matter */
		return false;
	}
	/* a gap among the records that may have been under way ends the log, as ever */
	for (end = behind.proven; end < behind.count; end++)
		if (behind.after_gap[end % LOG_MAX_IN_FLIGHT])
			break;
	move_head(s, &behind.records[(end - 1) % LOG_MAX_IN_FLIGHT]);
	return true;
}
