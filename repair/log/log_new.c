/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stages a new, empty log over all of the old one (ondisk 11, "Writing a clean log").  Its cycle is beyond the LSNs of
 * all metadata, as far as the old log and the AG headers show them; the next check finds metadata with newer ones.
 */
#include <errno.h>
#include <stdlib.h>

#include "libxfs/log_stamp.h"
#include "repair.h"
#include "run.h"

#define CHUNK	     128u /* blocks staged together */
#define CYCLES_AHEAD 3u	  /* so that blocks of the old log that are not overwritten yet can't be taken for new ones */

/* Returns the later of two cycles; an invalid b is ignored. */
static uint32_t later(uint32_t a, uint32_t b)
{
	return b > a && b <= LOG_CYCLE_MAX ? b : a;
}

/* Returns the cycle of a header's LSN; 0 if it is not such a header, or torn. */
static uint32_t cycle_of(const struct geometry *geo, enum log_buf_type type, const uint8_t *sector)
{
	lsn_t lsn = log_stamp_lsn(geo, type, sector);

	return lsn.v == NULL_LSN || log_stamp_torn(geo, type, sector, geo->sector_size) ? 0 : (uint32_t)(lsn.v >> 32);
}

/* Returns the newest cycle in superblocks and AG headers, which are logged all the time; 0: unknown. */
static uint32_t newest_in_headers(struct repair *rc)
{
	const struct geometry *geo = &rc->geo;
	uint8_t *headers = malloc((size_t)AG_SECTORS * geo->sector_size);
	uint32_t newest = 0;

	for (uint32_t ag = 0; ag < geo->agcount && headers && geo->crc; ag++) {
		uint64_t start = ag_offset(geo, (agno_t){ ag });

		/* unreadable bytes are zero, and so not a header */
		if (device_read(rc->run->device, headers, start, (size_t)AG_SECTORS * geo->sector_size) == -ENOMEM)
			break;
		for (unsigned i = 0; i < AG_SECTORS; i++)
			newest = later(newest,
				       cycle_of(geo, log_stamp_type_of(i), headers + (size_t)i * geo->sector_size));
	}
	free(headers);
	return newest;
}

static uint32_t newest_in_log(struct repair *rc, struct log_source *log)
{
	struct log_survey survey;

	log_source_read_ahead(log); /* without memory for it, reading only takes longer */
	log_survey(&rc->geo, log_source_read, log, log_bbs(&rc->geo), &survey);
	log_source_forget(log);
	return survey.newest;
}

static int stage_record(const struct geometry *geo, const struct log_end *end, uint32_t cycle)
{
	size_t len = (size_t)end->ending.record * LOG_BLOCK;
	uint8_t *record = malloc(len);
	int ret;

	if (!record)
		return -ENOMEM;
	log_format_record(geo, end->ending.bbs, cycle, record);
	ret = device_stage(end->log.device, LAYER_LOG, record, end->log.start, len);
	free(record);
	return ret;
}

static int stage_rest(const struct geometry *geo, const struct log_end *end, uint32_t cycle)
{
	uint8_t blocks[CHUNK * LOG_BLOCK];
	uint32_t bbs = end->ending.bbs, count;
	int ret = 0;

	for (uint32_t bb = end->ending.record; bb < bbs && !ret; bb += count) {
		count = bbs - bb < CHUNK ? bbs - bb : CHUNK;
		for (uint32_t i = 0; i < count; i++)
			log_format_block(geo, cycle, bb + i, blocks + (size_t)i * LOG_BLOCK);
		ret = device_stage(end->log.device, LAYER_LOG, blocks, end->log.start + ((uint64_t)bb << SECTOR_LOG),
				   (size_t)count * LOG_BLOCK);
	}
	return ret;
}

int log_end_stage_new(struct repair *rc, uint32_t newest)
{
	const struct geometry *geo = &rc->geo;
	struct log_end end = { .kind = LOG_END_NEW, .log = log_source_of(geo, rc->run->device, rc->run->log_device) };
	uint32_t bbs = log_bbs(geo), cycle;
	int ret;

	device_unstage(end.log.device, LAYER_LOG);
	rc->run->log_end.kind = LOG_END_NONE;
	if (log_record_blocks(geo) >= bbs || end.log.start > device_bytes(end.log.device) ||
	    bbs > (device_bytes(end.log.device) - end.log.start) >> SECTOR_LOG)
		return -ERANGE;
	newest = later(later(newest, newest_in_headers(rc)), newest_in_log(rc, &end.log));
	cycle = newest ? newest + CYCLES_AHEAD : 1;
	end.ending =
		(struct log_ending){ .head = { (uint64_t)cycle << 32 }, .bbs = bbs, .record = log_record_blocks(geo) };
	ret = stage_record(geo, &end, cycle);
	if (!ret)
		ret = stage_rest(geo, &end, cycle);
	if (!ret)
		rc->run->log_end = end;
	return ret;
}
