/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commit: writes the staged changes to the devices.  Wherever it is interrupted, the order of writes leaves a state
 * that another run can bring to the same end.
 *   1. The undo file, if one was requested, is completed on its medium.  Then, if more than headers is mended, a redo
 *      record of all following writes goes to free space (commit_redo.c).  If the device fails to store that, nothing
 *      else is written, unless there is an undo file.
 *   2. If anything is mended, the primary superblock gets the mark that prevents mounts, and a pointer to the redo
 *      record, by which another run finishes the repair.  A mere replay needs no mark, since the log still has
 *      everything, for xfsck as for the kernel.  Nor does a single sector, which is either written or not: it needs no
 *      redo record, either.
 *   3. The changes of log replay, the primary superblock last.
 *   4. The record that marks the log clean, if it was replayed or the user discards it.  Blocks behind it that could be
 *      taken for newer are cleared first.  If a new log replaces it, its record is written first, by which another run
 *      sees that the rest is unfinished.
 *   5. The mended changes: first all blocks, of which new ones are in former free space, then the headers of AGs, which
 *      point to them.
 *   6. The primary superblock without the mark and the pointer.  Its LSN ends the use of the log as history
 *      (log_history.c), unless only a single sector was mended.
 * Each step is on the medium before the next one begins.  Only sectors that differ are written; if none does, the
 * device is not even opened for writing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commit.h"
#include "base/interrupt.h"
#include "log/log_history.h"
#include "repair.h"
#include "report.h"
#include "report/report_text.h"
#include "run.h"

/* Shows how many of the staged bytes of all devices are done. */
static void look_at_staged(const void *ctx, struct report_work_state *state)
{
	const struct commit *c = ctx;
	struct device_counts counts;

	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		if (!c->devices[i])
			continue;
		device_counts(c->devices[i], &counts);
		state->done += counts.compared;
	}
}

/* Begins a step that reads all staged changes.  last: no other step follows. */
static void begin_step(const struct commit *c, const char *words, bool last)
{
	struct report_work work = { .look = look_at_staged, .ctx = c, .unit = "bytes", .last = last };

	for (unsigned i = 0; i < UNDO_DEVICES; i++)
		for (unsigned layer = 0; layer < LAYERS && c->devices[i]; layer++)
			work.total += device_staged(c->devices[i], layer);
	report_step(c->rc->report, words, &work);
}

static int any_change(void *ctx, const struct change *change)
{
	(void)ctx;
	(void)change;
	return 1;
}

static bool is_superblock(const struct commit *c, uint64_t offset)
{
	return offset < c->rc->geo.sector_size;
}

static bool replayed_sector(void *ctx, uint64_t offset)
{
	return !is_superblock(ctx, offset);
}

struct class_choice {
	const struct commit *c;
	enum commit_class class;
};

/* Returns whether a sector of LAYER_MEND is written with the blocks or with the headers, the first sectors of an AG. */
static enum commit_class classify(const struct commit *c, uint64_t offset)
{
	const struct geometry *geo = &c->rc->geo;
	uint64_t in_group = offset % bytes_of_ag(geo);

	return in_group < (uint64_t)AG_SECTORS * geo->sector_size ? COMMIT_HEADERS : COMMIT_BLOCKS;
}

static bool mended_sector(void *ctx, uint64_t offset)
{
	const struct class_choice *choice = ctx;

	return !is_superblock(choice->c, offset) && classify(choice->c, offset) == choice->class;
}

static int find_mended_blocks(struct commit *c)
{
	struct class_choice choice = { c, COMMIT_BLOCKS };
	int ret = device_changes(c->rc->run->device, LAYER_MEND, mended_sector, &choice, any_change, NULL);

	c->mends_blocks = ret > 0;
	return ret < 0 ? ret : 0;
}

struct so_far {
	const struct device *device;
	uint64_t bytes;
};

/* Adds up the changed bytes, until they are more than the device writes atomically. */
static int add_written(void *ctx, const struct change *change)
{
	struct so_far *w = ctx;

	w->bytes += change->len;
	return w->bytes > device_align(w->device);
}

/*
 * Sets c->at_once if only one sector changes.  It is either written or not, so the repair has no intermediate state.
 * Returns 0 or a negative errno.
 */
static int find_single(struct commit *c)
{
	struct so_far w = { c->rc->run->device, 0 };
	int ret = 0;

	if (!c->mends_blocks || c->changes[ON_LOG] || c->changes[ON_RT] || c->rc->run->applied)
		return 0;
	for (unsigned layer = 0; layer < LAYERS && !ret; layer++)
		ret = device_changes(c->rc->run->device, layer, NULL, NULL, add_written, &w);
	c->at_once = !ret;
	return ret < 0 ? ret : 0;
}

/* Fills c->changes, c->mends, c->mends_blocks and c->at_once.  Returns 0 or a negative errno. */
static int find_changes(struct commit *c)
{
	int ret;

	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		for (unsigned layer = 0; layer < LAYERS && c->devices[i]; layer++) {
			ret = device_changes(c->devices[i], layer, NULL, NULL, any_change, NULL);

			if (ret < 0)
				return ret;
			c->changes[i] |= ret;
			c->mends |= ret && (layer == LAYER_MEND || c->rc->run->log_end.kind == LOG_END_NEW);
		}
	}
	/* the next mount would not discard changes in the log, either */
	c->mends |= log_losses_any(&c->rc->run->log_losses);
	if (c->rc->run->applied)
		c->mends = c->rc->run->applied->head.mends;
	ret = find_mended_blocks(c);
	return ret ? ret : find_single(c);
}

static int flush_all(struct commit *c)
{
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		int ret = c->changes[i] ? device_flush(c->devices[i]) : 0;

		if (ret)
			return ret;
	}
	return 0;
}

/* Writes the primary superblock with the first `layers` layers, if it differs from the device. */
static int write_superblock(struct commit *c, unsigned layers, bool marked)
{
	uint32_t size = c->rc->geo.sector_size;
	uint8_t *now = malloc(size);
	int ret = now ? commit_superblock(c, layers, marked) : -ENOMEM;

	if (!ret) {
		/* if it is unreadable, unknown bytes are zeroes: write it only once the overlay has all of it */
		const int lost = device_read_below(c->rc->run->device, now, 0, size, 0);

		if (lost == -ENOMEM)
			ret = lost;
		else if (lost ? !marked && layers > LAYER_MEND && device_read(c->rc->run->device, now, 0, size) == 0
			      : memcmp(now, c->superblock, size) != 0)
			ret = device_write(c->rc->run->device, c->superblock, 0, size);
	}
	free(now);
	return ret ? ret : flush_all(c);
}

static int write_replayed(struct commit *c)
{
	int ret = device_commit(c->rc->run->device, LAYER_REPLAY, replayed_sector, c);

	if (!ret && c->changes[ON_RT])
		ret = device_commit(c->rc->run->rt_device, LAYER_REPLAY, NULL, NULL);
	if (!ret)
		ret = flush_all(c);
	return ret ? ret : write_superblock(c, LAYER_REPLAY + 1, c->mends && !c->at_once);
}

static int write_log_end(struct commit *c)
{
	struct log_end *end = &c->rc->run->log_end;
	/* the record of an old log makes it clean; the record of a new log only says that the rest will follow */
	static sector_fn *const order[] = { log_end_is_other, log_end_is_record };
	bool record_first = end->kind == LOG_END_NEW;
	int ret = 0;

	for (unsigned i = 0; i < 2 && !ret; i++) {
		ret = device_commit(end->log.device, LAYER_LOG, order[i ^ record_first], end);
		if (!ret)
			ret = flush_all(c);
	}
	return ret;
}

/* Does the same for a preview: only its place in the order of writes matters. */
static int write_applied_log_end(struct commit *c)
{
	int ret = 0;

	for (unsigned i = ON_DATA; i <= ON_LOG && !ret; i++)
		if (c->devices[i] && c->changes[i])
			ret = device_commit(c->devices[i], LAYER_LOG, NULL, NULL);
	return ret ? ret : flush_all(c);
}

static int write_mended(struct commit *c)
{
	int ret = 0;

	for (unsigned class = 0; class < COMMIT_CLASSES && !ret; class ++) {
		struct class_choice choice = { c, class };

		ret = device_commit(c->rc->run->device, LAYER_MEND, mended_sector, &choice);
		if (!ret && class == COMMIT_BLOCKS && c->changes[ON_RT])
			ret = device_commit(c->rc->run->rt_device, LAYER_MEND, NULL, NULL);
		if (!ret)
			ret = flush_all(c);
	}
	return ret ? ret : write_superblock(c, LAYER_MEND + 1, false);
}

static int write_all(struct commit *c)
{
	int ret = c->mends && !c->at_once ? write_superblock(c, 0, true) : 0;

	if (!ret)
		ret = write_replayed(c);
	if (!ret && c->rc->run->applied)
		ret = write_applied_log_end(c);
	else if (!ret && c->rc->run->log_end.kind != LOG_END_NONE)
		ret = write_log_end(c);
	if (!ret && c->mends)
		ret = write_mended(c);
	return ret;
}

enum phase_result commit_say_failed(const struct repair *rc, const struct device *device, int error,
				    const char *outcome)
{
	char sentence[1024], where[96] = "";
	uint64_t offset, len;

	if (device_write_failed(device, &offset, &len))
		snprintf(where, sizeof(where), " of %llu bytes at byte %llu", (unsigned long long)len,
			 (unsigned long long)offset);
	snprintf(sentence, sizeof(sentence), "writing to %s%s failed: %s. %s", device_name(device), where,
		 strerror(-error), outcome);
	return trouble(rc, sentence);
}

static enum phase_result say_failed(const struct commit *c, int error, const char *outcome)
{
	const struct device *device = c->devices[ON_DATA];
	uint64_t offset, len;

	for (unsigned i = 0; i < UNDO_DEVICES; i++)
		if (c->devices[i] && device_write_failed(c->devices[i], &offset, &len))
			device = c->devices[i];
	return commit_say_failed(c->rc, device, error, outcome);
}

static enum phase_result say_not_begun(const struct commit *c, int error)
{
	report_write_failed(c->rc->report, false);
	return say_failed(c, error,
			  "Nothing but free space was changed; with --undo=FILE, which keeps the way back, the rest is "
			  "written all the same");
}

/* Describes the state after an interrupted commit, and what to do. */
static void explain_cut_short(const struct commit *c, char *outcome, size_t size)
{
	static const char middle[] = "The file system is in the middle of a repair; don't mount it.";
	const struct options *o = c->rc->run->options;
	const struct outcome kept = { .undo = c->undo,
				      .device = o->device,
				      .log_device = o->log_device,
				      .rt_device = o->rt_device,
				      .range = o->range };
	FILE *out;

	snprintf(outcome, size, "%s", middle);
	out = fmemopen(outcome, size, "w");
	if (!out)
		return;
	fprintf(out, "%s ", middle);
	if (c->undo) {
		fputs("The undo file is intact: ", out);
		report_text_rollback(out, &kept);
		fputs(" takes it back", out);
	} else {
		fputs("Once it can be written, run xfsck again", out);
	}
	fclose(out);
}

/* Reports that a commit has failed. */
static enum phase_result say_cut_short(const struct commit *c, int error)
{
	char outcome[HALFWAY];

	explain_cut_short(c, outcome, sizeof(outcome));
	report_write_failed(c->rc->report, true);
	if (c->undo)
		report_undo(c->rc->report, c->undo);
	return say_failed(c, error, outcome);
}

static enum phase_result open_devices(struct commit *c)
{
	char message[512], sentence[640];

	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		if (!c->changes[i] || !device_open_write(c->devices[i], message, sizeof(message)))
			continue;
		snprintf(sentence, sizeof(sentence), "%s; nothing was changed", message);
		return trouble(c->rc, sentence);
	}
	return PHASE_DONE;
}

/*
 * Fails if sectors that were unreadable, and mended as lost, are readable now: then a cable or a path to the device was
 * faulty for a while, and nothing may be written.
 */
static enum phase_result check_lost(const struct commit *c)
{
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		uint64_t offset, len;
		int ret = c->devices[i] ? device_still_unreadable(c->devices[i], &offset, &len) : 0;
		char sentence[640];

		if (!ret)
			continue;
		if (ret != -EAGAIN)
			return failed(c->rc, "retrying unreadable ranges", ret);
		snprintf(sentence, sizeof(sentence),
			 "%llu bytes at byte %llu of %s could not be read, and can be now; nothing was changed. Run it "
			 "again; if that goes on, copy the device first, and repair the copy",
			 (unsigned long long)len, (unsigned long long)offset, device_name(c->devices[i]));
		return trouble(c->rc, sentence);
	}
	return PHASE_DONE;
}

static enum phase_result end_log(struct commit *c)
{
	int ret = log_end_stage(c->rc);

	return ret ? failed(c->rc, "ending the log", ret) : PHASE_DONE;
}

static enum phase_result run(struct commit *c)
{
	enum phase_result result = PHASE_DONE;
	char halfway[HALFWAY];
	int ret;

	if (c->rc->run->log_replayed && c->rc->run->log_end.kind == LOG_END_NONE)
		result = end_log(c);
	if (result != PHASE_DONE)
		return result;
	ret = find_changes(c);
	if (ret)
		return failed(c->rc, "comparing the staged blocks with the device", ret);
	if (!c->changes[ON_DATA] && !c->changes[ON_LOG] && !c->changes[ON_RT])
		return PHASE_DONE;
	/* not for a single sector: its older version in the log would only be mended again */
	ret = c->mends && !c->at_once && !c->rc->run->applied ? log_history_end(c->rc) : 0;
	if (ret)
		return failed(c->rc, "dating the superblock", ret);
	c->changes[ON_DATA] = true; /* the superblock */
	if (c->rc->run->options->preview) {
		result = check_lost(c);
		return result == PHASE_DONE ? preview_make(c) : result;
	}
	/* check that the devices can be written before anything is written */
	result = open_devices(c);
	if (result == PHASE_DONE)
		result = check_lost(c);
	if (result != PHASE_DONE)
		return result;
	interrupt_writing(c->rc->run->interrupt, "Nothing but free space was changed");
	begin_step(c, "plan", false);
	ret = commit_redo_plan(c);
	if (ret)
		return failed(c->rc, "writing", ret);
	begin_step(c, "undo file", false);
	result = commit_keep(c);
	if (result != PHASE_DONE)
		return result;
	begin_step(c, "redo record", false);
	ret = commit_redo_write(c);
	if (ret)
		return say_not_begun(c, ret);
	explain_cut_short(c, halfway, sizeof(halfway));
	interrupt_writing(c->rc->run->interrupt, halfway);
	begin_step(c, "don't interrupt", true);
	ret = write_all(c);
	return ret ? say_cut_short(c, ret) : PHASE_DONE;
}

enum phase_result commit(struct repair *rc)
{
	struct commit c = { .rc = rc, .devices = { rc->run->device, rc->run->log_device, rc->run->rt_device } };
	enum phase_result result;

	c.superblock = malloc(rc->geo.sector_size);
	if (!c.superblock)
		return failed(rc, "writing", -ENOMEM);
	memory_for_commit(rc);
	result = run(&c);
	report_step(rc->report, "", NULL); /* ends the use of c for progress */
	if (result == PHASE_DONE && c.undo)
		report_undo(rc->report, c.undo);
	free(c.undo);
	free(c.superblock);
	return result;
}
