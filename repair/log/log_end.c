/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stages the blocks that make the log clean (ondisk 11): mostly an unmount record at its head, and cleared blocks
 * behind it that could be taken for newer; these are few, unless writes were under way at the crash.  Nothing that
 * waits for replay is overwritten, so until the record is written the log can be replayed again.  If the head is
 * unknown, the log is full, or the log would still have a fault, a new log replaces it (log_new.c).
 */
#include <errno.h>
#include <stdlib.h>

#include "log_end.h"
#include "repair.h"
#include "run.h"

#define CHUNK 64u /* blocks read together */

/* Returns the place on the device, in bytes, of the block at this distance behind the head. */
static uint64_t device_offset(const struct log_end *end, uint32_t distance)
{
	const struct log_ending *ending = &end->ending;
	uint64_t bb = ((uint64_t)(uint32_t)ending->head.v + distance) % ending->bbs;

	return end->log.start + (bb << SECTOR_LOG);
}

/* Returns how many blocks from `distance` behind the head are contiguous: up to `limit`, or to where the log wraps. */
static uint32_t blocks_in_a_row(const struct log_end *end, uint32_t distance, uint32_t limit)
{
	const struct log_ending *ending = &end->ending;
	uint32_t bb = (uint32_t)(((uint64_t)(uint32_t)ending->head.v + distance) % ending->bbs);
	uint32_t room = ending->bbs - bb, count = limit - distance;

	return count < room ? count : room;
}

static int stage_cleared(struct repair *rc, const struct log_end *end)
{
	const struct log_ending *ending = &end->ending;
	uint8_t blocks[CHUNK * LOG_BLOCK];
	uint32_t count;

	for (uint32_t at = ending->record; at < ending->clear_blocks; at += count) {
		count = blocks_in_a_row(end, at, ending->clear_blocks);
		count = count < CHUNK ? count : CHUNK;
		if (device_read(end->log.device, blocks, device_offset(end, at), (size_t)count * LOG_BLOCK) == -ENOMEM)
			return -ENOMEM;
		for (uint32_t i = 0; i < count; i++) {
			uint8_t *block = blocks + (size_t)i * LOG_BLOCK;
			int ret;

			if (!log_block_stale(ending, at + i, block))
				continue;
			log_clear_encode(&rc->geo, ending, at + i, block);
			ret = device_stage(end->log.device, LAYER_LOG, block, device_offset(end, at + i), LOG_BLOCK);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int stage_record(struct repair *rc, const struct log_end *end)
{
	uint32_t blocks = end->ending.record, count;
	uint8_t *record = malloc((size_t)blocks * LOG_BLOCK);
	int ret = 0;

	if (!record)
		return -ENOMEM;
	log_unmount_encode(&rc->geo, &end->ending, record);
	for (uint32_t at = 0; at < blocks && !ret; at += count) {
		count = blocks_in_a_row(end, at, blocks);
		ret = device_stage(end->log.device, LAYER_LOG, record + (size_t)at * LOG_BLOCK, device_offset(end, at),
				   (size_t)count * LOG_BLOCK);
	}
	free(record);
	return ret;
}

/* True if the log with the staged blocks is clean and has no problem. */
static bool is_clean_log(const struct repair *rc, struct log_source *log)
{
	unsigned problems = 0;
	const struct check check = check_counting(&rc->geo, &problems);
	struct log_state state;

	log_examine(&check, log_source_read, log, log_bbs(&rc->geo), &state);
	return state.condition == LOG_CLEAN && !problems;
}

/* Makes the log clean by a record.  -ENOSPC: there is no room for it, or the log would still have a fault. */
static int stage_end(struct repair *rc, struct log_end *end)
{
	int ret;

	if (!log_ending_plan(&rc->geo, log_bbs(&rc->geo), rc->log.head, rc->log.tail, &end->ending))
		return -ENOSPC;
	ret = stage_cleared(rc, end);
	if (!ret)
		ret = stage_record(rc, end);
	return ret || is_clean_log(rc, &end->log) ? ret : -ENOSPC;
}

int log_end_stage(struct repair *rc)
{
	struct log_end end = { .kind = LOG_END_RECORD,
			       .log = log_source_of(&rc->geo, rc->run->device, rc->run->log_device) };
	int ret;

	device_unstage(end.log.device, LAYER_LOG);
	rc->run->log_end.kind = LOG_END_NONE;
	/* a hole that remains anywhere may later be taken for the head */
	ret = rc->log.head.v && !rc->log.torn && !rc->log.hole.v ? stage_end(rc, &end) : -ENOSPC;
	if (ret == -ENOSPC)
		return log_end_stage_new(rc, 0);
	if (!ret)
		rc->run->log_end = end;
	return ret;
}

bool log_end_is_record(void *ctx, uint64_t offset)
{
	const struct log_end *end = ctx;
	const struct log_ending *ending = &end->ending;
	uint32_t bb = (uint32_t)((offset - end->log.start) >> SECTOR_LOG), head = (uint32_t)ending->head.v;

	return (uint32_t)(((uint64_t)bb + ending->bbs - head) % ending->bbs) < ending->record;
}

bool log_end_is_other(void *ctx, uint64_t offset)
{
	return !log_end_is_record(ctx, offset);
}
