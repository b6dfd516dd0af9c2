/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the first record of the last mount: after the last unmount record that does not end the log (ondisk 11).
 * Reads the log from its oldest records, after the head, around to the head.  A block where no intact record begins
 * interrupts the sequence: records before it don't count.
 */
#include "log_record.h"

struct walk {
	struct log_reader log;
	struct check check;
	uint32_t head;
	uint32_t cycle; /* of the head: blocks before it have this cycle, blocks after it the one before */
};

/* Reads the record that begins `distance` blocks after the head, modulo the log.  False: no intact one does. */
static bool record_at(struct walk *w, uint32_t distance, struct log_record *ret_record)
{
	const bool wrapped = distance >= w->log.bbs - w->head;
	const uint32_t bb = wrapped ? distance - (w->log.bbs - w->head) : w->head + distance;
	const uint8_t *block = log_block(&w->log, bb);

	return block && log_is_header(block) && log_record_decode(&w->check, &w->log, bb, ret_record) &&
	       ret_record->cycle + !wrapped == w->cycle && ret_record->blocks <= w->log.bbs - distance &&
	       !ret_record->foreign && log_record_verify(&w->check, &w->log, ret_record);
}

lsn_t log_last_mount(const struct geometry *geo, log_read *read, void *ctx, uint64_t bbs, lsn_t head)
{
	struct walk w = { .log = log_reader_of(read, ctx, bbs),
			  .check = check_silent(geo),
			  .head = (uint32_t)head.v,
			  .cycle = (uint32_t)(head.v >> 32) };
	struct log_record record;
	bool goes_on = false;
	lsn_t start = head;

	if (w.head >= w.log.bbs)
		return head;
	for (uint32_t at = 0; at < w.log.bbs; at += record.blocks) {
		if (!record_at(&w, at, &record)) {
			record.blocks = 1;
			goes_on = false;
			start = head;
			continue;
		}
		if (!goes_on)
			start.v = (uint64_t)record.cycle << 32 | record.bb;
		goes_on = at + record.blocks == w.log.bbs || !log_record_unmounts(&w.check, &w.log, &record);
		if (!goes_on)
			start = head;
	}
	return start;
}
