/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Staging what makes the log clean (ondisk 11).  Mostly that is a record at its head.  Few blocks, unless writes were
 * under way at the crash: only blocks that could be taken for newer than the record are overwritten, and nothing that
 * waits for replay is, so that until the record is there, the log can be replayed again.
 * Where the head is not known, the log is full, or something would be left wrong with it, a new log takes its place
 * (log_new.c).
 */
#include <errno.h>
#include <stdlib.h>

#include "log_end.h"
#include "repair.h"

#define CHUNK 64u /* blocks read together */

static uint64_t device_offset(const struct log_end *end, uint32_t distance)
{
	const struct log_ending *ending = &end->ending;
	uint64_t bb = ((uint64_t)(uint32_t)ending->head.v + distance) % ending->bbs;

	return end->log.start + (bb << SECTOR_LOG);
}

/* Blocks from this distance on, until the log ends, or `limit`. */
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

/* Whether nothing is left to say about the log as it is staged. */
static bool is_sound(const struct repair *rc, struct log_source *log)
{
	unsigned problems = 0;
	const struct check check = check_counting(&rc->geo, &problems);
	struct log_state state;

	log_examine(&check, log_source_read, log, log_bbs(&rc->geo), &state);
	return state.condition == LOG_CLEAN && !problems;
}

/* -ENOSPC: that can't be done, or is not enough. */
static int stage_end(struct repair *rc, struct log_end *end)
{
	int ret;

	if (!log_ending_plan(&rc->geo, log_bbs(&rc->geo), rc->log.head, rc->log.tail, &end->ending))
		return -ENOSPC;
	ret = stage_cleared(rc, end);
	if (!ret)
		ret = stage_record(rc, end);
	return ret || is_sound(rc, &end->log) ? ret : -ENOSPC;
}

int log_end_stage(struct repair *rc)
{
	struct log_end end = { .kind = LOG_END_RECORD, .log = log_source_of(&rc->geo, rc->device, rc->log_device) };
	int ret;

	device_unstage(end.log.device, LAYER_LOG);
	rc->log_end.kind = LOG_END_NONE;
	ret = rc->log.head.v ? stage_end(rc, &end) : -ENOSPC;
	if (ret == -ENOSPC)
		return log_end_stage_new(rc, 0);
	if (!ret)
		rc->log_end = end;
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
