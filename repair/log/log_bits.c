/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects bits of the log that have changed since it was written, if the checksum of a record identifies the bit.  The
 * kernel would not mount the file system, and discarding the record would lose everything that was logged later.  The
 * bits are staged with the result of the replay, since both are needed until the result is written.
 */
#include "log_bits.h"

#include <inttypes.h>

#include "disk/log.h"
#include "log_source.h"
#include "repair.h"
#include "report.h"
#include "run.h"

#define BITS_MOST 8u /* more of them, in different records, are not accidental single bits */

static int stage_bit(const struct log_source *log, const struct log_bit *bit)
{
	const uint64_t offset = log->start + ((uint64_t)bit->bb << SECTOR_LOG);
	uint8_t block[LOG_BLOCK];
	int ret = device_read(log->device, block, offset, sizeof(block));

	block[bit->offset] ^= bit->mask;
	return ret ? ret : device_stage(log->device, LAYER_REPLAY, block, offset, sizeof(block));
}

static void tell_bit_changed(struct repair *rc, const struct log_bit *bit)
{
	char note[160];

	snprintf(note, sizeof(note),
		 "One bit of the log record at block %" PRIu32
		 " has changed, according to its checksum; it is replayed as it was written.",
		 bit->record);
	report_note(rc->report, note);
}

int log_bits_restore(struct repair *rc, bool *ret_any)
{
	struct log_source log = log_source_of(&rc->geo, rc->run->device, rc->run->log_device);
	struct log_bit bit;
	int ret = 0;

	for (unsigned i = 0; i < BITS_MOST && !ret; i++) {
		if (!log_find_bit(&rc->geo, log_source_read, &log, log_bbs(&rc->geo), &rc->log, &bit))
			break;
		ret = stage_bit(&log, &bit);
		if (!ret) {
			*ret_any = true;
			tell_bit_changed(rc, &bit);
		}
	}
	return ret;
}
