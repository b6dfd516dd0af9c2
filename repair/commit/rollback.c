/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries out --rollback: restores the bytes that a commit overwrote.  Before anything is written, the whole undo file
 * is verified, and the devices are compared with it.  During the rollback the primary superblock has the mark that
 * prevents mounts; its old contents are written last.  An interrupted rollback can be run again.
 */

#include "commit.h"
#include "base/devices.h"
#include "disk/sb.h"
#include "base/interrupt.h"
#include "libxfs/sb_feature.h"
#include "repair.h"
#include "report.h"
#include "run.h"

#define UNDO_INTACT "The undo file is intact: run the rollback again once the device can be written"

static enum phase_result open_others(struct repair *rc, const struct undo *undo)
{
	char message[512];

	if (undo_has(undo, ON_LOG) && rc->run->options->log_device &&
	    other_device_open(rc, rc->run->options->log_device, &rc->run->log_device, message, sizeof(message)))
		return trouble(rc, message);
	if (undo_has(undo, ON_RT) && rc->run->options->rt_device &&
	    other_device_open(rc, rc->run->options->rt_device, &rc->run->rt_device, message, sizeof(message)))
		return trouble(rc, message);
	return PHASE_DONE;
}

/* Returns the sector size in a superblock; 0: invalid. */
static uint32_t sector_size(const uint8_t *superblock)
{
	uint32_t size = be16_get(((const struct sb_disk *)superblock)->sectsize);

	return size >= SB_MIN_SECTOR && size <= SB_MAX_SECTOR && (size & (size - 1)) == 0 ? size : 0;
}

/* Sets the mark that prevents mounts during the rollback, if a superblock can have it. */
static int mark(struct device *device)
{
	uint8_t sector[SB_MAX_SECTOR];
	uint32_t size;
	int ret = device_read(device, sector, 0, sizeof(sector));

	size = ret ? 0 : sector_size(sector);
	if (!size || !sb_mark_needsrepair(sector, size, true))
		return 0;
	ret = device_write(device, sector, 0, size);
	return ret ? ret : device_flush(device);
}

/*
 * Reports what has been, or can be, rolled back: everything, except bytes that the repair wrote although it could not
 * read their old contents; reports their number and first place.
 */
static enum phase_result say_whole(const struct repair *rc, const struct undo *undo, struct device *const *devices,
				   const char *done, const char *then)
{
	uint64_t bytes = 0, first = 0, first_len = 0, at = 0, len;
	const struct device *where = NULL;
	char sentence[1024];

	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		for (uint64_t from = 0; undo_unreadable(undo, i, from, UINT64_MAX, &at, &len); from = at + len) {
			if (!where) {
				where = devices[i];
				first = at;
				first_len = len;
			}
			bytes += len;
		}
	}
	if (!where) {
		snprintf(sentence, sizeof(sentence), "%s%s.", done, then);
		report_note(rc->report, sentence);
		return PHASE_DONE;
	}
	snprintf(sentence, sizeof(sentence),
		 "%s, but for %llu bytes that the repair could not read and has written: what was there before is not "
		 "known. The first %llu of them lie at byte %llu of %s",
		 done, (unsigned long long)bytes, (unsigned long long)first_len, (unsigned long long)first,
		 device_name(where));
	return trouble(rc, sentence);
}

static void look_at_written(const void *ctx, struct report_work_state *state)
{
	state->done = device_written(ctx);
}

static enum phase_result restore(struct repair *rc, struct undo *undo)
{
	struct device *devices[UNDO_DEVICES] = { rc->run->device, rc->run->log_device, rc->run->rt_device };
	unsigned device = ON_DATA;
	char message[512];
	int ret;

	if (undo_check(undo, devices, message, sizeof(message)))
		return trouble(rc, message);
	if (rc->run->options->no_modify)
		return say_whole(rc, undo, devices,
				 "The undo file is intact and belongs to this device: a rollback is possible", "");
	for (unsigned i = 0; i < UNDO_DEVICES; i++)
		if ((i == ON_DATA || undo_has(undo, i)) && device_open_write(devices[i], message, sizeof(message)))
			return trouble(rc, message);
	interrupt_writing(rc->run->interrupt, UNDO_INTACT);
	report_step(rc->report, "don't interrupt",
		    &(struct report_work){
			    .look = look_at_written, .ctx = rc->run->device, .unit = "bytes written", .last = true });
	ret = mark(rc->run->device);
	if (!ret)
		ret = undo_restore(undo, devices, &device);
	if (ret)
		return commit_say_failed(rc, devices[device], ret, UNDO_INTACT);
	return say_whole(rc, undo, devices, "The state before the repair is restored",
			 "; the undo file is not needed any more");
}

enum phase_result rollback(struct repair *rc)
{
	struct undo *undo = NULL;
	char message[512];
	enum phase_result result;

	report_phase_begin(rc->report, 1, "rollback");
	if (undo_open(rc->run->options->rollback, &undo, message, sizeof(message)))
		return trouble(rc, message);
	result = open_others(rc, undo);
	if (result == PHASE_DONE)
		result = restore(rc, undo);
	undo_close(undo);
	report_phase_end(rc->report);
	return result;
}
