/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distinguishes a hole in the log from writes that a crash interrupted (ondisk 11, "Head and tail").  A writer has
 * LOG_MAX_IN_FLIGHT buffers, and reuses one only after all earlier records were written.  They need not be on the
 * medium then: since Linux 5.14 only a record with a commit flushes the cache of the device, so any records of a large
 * transaction without its commit can be missing.  But a missing record was on the medium, and is damaged now, if a
 * record with a commit has that many intact records after the missing one, or more blocks than the buffers can hold.
 * So it is if the tail has passed it, or if an unmount record follows, which is written when nothing else is in flight.
 * The log does not end before such a hole.
 */
#include "log_head.h"

#define IN_FLIGHT_BLOCKS (LOG_MAX_IN_FLIGHT * LOG_MAX_RECORD / LOG_BLOCK)

/* The last intact records after the head, each at its number modulo LOG_MAX_IN_FLIGHT. */
struct behind {
	struct newer {
		struct log_record record;
		bool after_gap;	  /* it does not begin at the end of the one before, ... */
		uint32_t gap;	  /* ... which is this many blocks after the head, ... */
		uint64_t gap_lsn; /* ... with this LSN */
	} newest[LOG_MAX_IN_FLIGHT];
	uint64_t count;		/* number of all such records */
	uint64_t proven;	/* all gaps before this record are damage */
	uint64_t end;		/* there is no gap from `proven` to before this record, ... */
	struct log_record last; /* ... and this is the last one before it */
};

/* The cycle of a block that was written after the head. */
static uint32_t cycle_behind(const struct log_search *s, uint32_t bb)
{
	return s->cycle + (bb < s->head);
}

/*
 * True if an intact record that is newer than the last one before the head begins at bb, and has at most `room` blocks.
 * Tails never move back, so an older tail shows that the record is left over from before a recovery.
 */
static bool is_newer(const struct log_search *s, uint32_t bb, uint32_t room, struct log_record *ret_record)
{
	const uint8_t *block = log_block(s->log, bb);

	return block && log_is_header(block) && log_cycle(block) == cycle_behind(s, bb) &&
	       log_head_whole(s, bb, ret_record) && ret_record->tail.v >= s->last.tail.v && ret_record->blocks <= room;
}

/* The number of blocks in all of a writer's buffers, if they are as large as that of this record. */
static uint32_t buffers_of(const struct log_record *record)
{
	return LOG_MAX_IN_FLIGHT * record->header_blocks * (1 + LOG_HEADER_COVERS / LOG_BLOCK);
}

/*
 * True if a record proves that all of a gap before it was on the medium; the record ends `end` blocks after the head.
 * It is an unmount record; or it commits, and more blocks than all buffers hold lie from the gap to its end; or its
 * tail lies after the beginning of the gap, as no tail passes writes in flight.
 */
static bool proves(const struct log_search *s, const struct log_record *record, bool commits, uint32_t end,
		   const struct newer *gap)
{
	return (commits && end - gap->gap > buffers_of(record)) || record->tail.v > gap->gap_lsn ||
	       log_record_unmounts(&s->silent, s->log, record);
}

/* Adds a newer record, which ends `end` blocks after the head. */
static void add_newer(const struct log_search *s, struct behind *behind, const struct newer *newer, uint32_t end)
{
	const uint64_t first = behind->count < LOG_MAX_IN_FLIGHT ? 0 : behind->count - LOG_MAX_IN_FLIGHT + 1;
	const bool commits = log_record_commits(s->log, &newer->record);
	const uint64_t proven = behind->proven;

	behind->newest[behind->count % LOG_MAX_IN_FLIGHT] = *newer;
	behind->count++;
	if (commits && behind->count >= LOG_MAX_IN_FLIGHT && behind->proven < behind->count - LOG_MAX_IN_FLIGHT + 1)
		behind->proven = behind->count - LOG_MAX_IN_FLIGHT + 1;
	for (uint64_t i = first > behind->proven ? first : behind->proven; i < behind->count; i++) {
		const struct newer *gap = &behind->newest[i % LOG_MAX_IN_FLIGHT];

		if (gap->after_gap && proves(s, &newer->record, commits, end, gap))
			behind->proven = i + 1;
	}
	if (behind->proven > proven) {
		behind->end = behind->proven;
		while (behind->end < behind->count && !behind->newest[behind->end % LOG_MAX_IN_FLIGHT].after_gap)
			behind->end++;
		behind->last = behind->newest[(behind->end - 1) % LOG_MAX_IN_FLIGHT].record;
	} else if (behind->end == behind->count - 1 && !newer->after_gap) {
		behind->end++;
		behind->last = newer->record;
	}
}

/* Searches for newer records in the `room` blocks from the head on. */
static void find_newer(const struct log_search *s, uint32_t room, struct behind *behind)
{
	struct newer newer = { .after_gap = false };

	for (uint32_t done = 0; done < room;) {
		const uint32_t bb = (uint32_t)(((uint64_t)s->head + done) % s->log->bbs);

		if (!is_newer(s, bb, room - done, &newer.record)) {
			if (!newer.after_gap)
				newer = (struct newer){ .after_gap = true,
							.gap = done,
							.gap_lsn = (uint64_t)cycle_behind(s, bb) << 32 | bb };
			done++;
			continue;
		}
		done += newer.record.blocks;
		add_newer(s, behind, &newer, done);
		newer.after_gap = false;
	}
}

bool log_head_pass_holes(struct log_search *s, bool clean)
{
	const uint32_t unreadable = s->log->unreadable;
	struct behind behind = { .count = 0 };

	if (clean && !s->moved)
		return false;
	find_newer(s, clean && s->log->bbs > IN_FLIGHT_BLOCKS ? IN_FLIGHT_BLOCKS : s->log->bbs, &behind);
	if (!behind.proven) {
		s->log->unreadable = unreadable; /* blocks after the head do not matter */
		return false;
	}
	/* as always, a gap among records that may have been in flight ends the log */
	log_head_behind(s, &behind.last);
	return true;
}
