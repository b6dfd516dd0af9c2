/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Surveys a log whose head can't be found (ondisk 11): reads every block, and counts the intact records, wherever they
 * are.  The newest of them shows whether anything may still wait for replay.
 */
#include "log_record.h"
#include "zeroes.h"

struct strict {
	struct log_reader log;
	struct check check;
	unsigned problems; /* except for a wrong uuid */
};

static void count_problem(void *ctx, const struct problem *problem)
{
	struct strict *s = ctx;

	s->problems += problem->finding != F_LOG_RECORD_UUID;
}

/* True if a sound record starts at bb, even if it is of another file system. */
static bool whole_of_any(struct strict *s, uint32_t bb, struct log_record *ret_record)
{
	const uint8_t *block = log_block(&s->log, bb);

	s->problems = 0;
	return block && log_is_header(block) && log_record_decode(&s->check, &s->log, bb, ret_record) &&
	       log_record_verify(&s->check, &s->log, ret_record) && !s->problems;
}

static bool whole(struct strict *s, uint32_t bb, struct log_record *ret_record)
{
	return whole_of_any(s, bb, ret_record) && !ret_record->foreign;
}

/*
 * True if the block is the payload of an unmount record.  It is recognized even without its header, by the operation
 * and the magic after it, in the byte order of the machine.
 */
static bool is_unmount(const uint8_t *block)
{
	static const struct log_op_disk op = { .clientid = LOG_CLIENT_LOG, .flags = LOG_OP_UNMOUNT };
	const size_t behind_len = offsetof(struct log_op_disk, clientid);
	const uint8_t *magic = block + sizeof(op);

	return memcmp(block + behind_len, (const uint8_t *)&op + behind_len, sizeof(op) - behind_len) == 0 &&
	       ((magic[0] == 0x6e && magic[1] == 0x55) || (magic[0] == 0x55 && magic[1] == 0x6e));
}

static uint64_t lsn_of(const struct log_record *record)
{
	return (uint64_t)record->cycle << 32 | record->bb;
}

/*
 * True if the log ends at `lsn`: its cycle continues for at most the length of a record, followed by blocks of the lap
 * before.
 */
static bool ends_behind(struct strict *s, uint64_t lsn)
{
	uint32_t cycle = (uint32_t)(lsn >> 32), bb = (uint32_t)lsn;

	for (uint32_t i = 1; i < LOG_MAX_RECORD / LOG_BLOCK && i < s->log.bbs; i++) {
		bool wrapped = bb + i >= s->log.bbs;
		const uint8_t *block = log_block(&s->log, wrapped ? bb + i - s->log.bbs : bb + i);

		if (!block || log_cycle(block) != cycle + wrapped)
			return block && log_cycle(block) == cycle + wrapped - 1;
	}
	return false;
}

void log_survey(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, struct log_survey *ret_survey)
{
	struct strict s = { .log = log_reader_of(read, ctx, bbs) };
	struct log_survey survey = { .blank = true };
	struct log_record record, newest = { 0 };
	uint64_t unmount = 0; /* LSN of the newest payload of an unmount record */

	s.check = (struct check){ geo, count_problem, &s };
	for (uint32_t bb = 0; bb < s.log.bbs; bb++) {
		const uint8_t *block = log_block(&s.log, bb);

		survey.blank = survey.blank && block && all_zero(block, LOG_BLOCK);
		if (block && is_unmount(block) && log_cycle(block) <= LOG_CYCLE_MAX) {
			uint64_t lsn = (uint64_t)log_cycle(block) << 32 | bb;

			unmount = lsn > unmount ? lsn : unmount;
		}
		if (!block || !whole_of_any(&s, bb, &record))
			continue;
		survey.foreign += record.foreign;
		if (record.foreign)
			continue;
		survey.records++;
		if (lsn_of(&record) > lsn_of(&newest))
			newest = record;
	}
	survey.newest = newest.cycle;
	survey.last.v = unmount > lsn_of(&newest) ? unmount : lsn_of(&newest);
	survey.unmounted = unmount > lsn_of(&newest);
	survey.ended = survey.unmounted && ends_behind(&s, unmount);
	for (uint32_t bb = 0; bb < s.log.bbs && survey.records && !survey.unmounted; bb++)
		survey.waiting += whole(&s, bb, &record) && lsn_of(&record) >= newest.tail.v;
	*ret_survey = survey;
}
