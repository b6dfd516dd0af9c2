/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes checkpoints of a sweep, and resumes one. Holding a sweep costs time, since what was begun is finished out of
 * order; the more it costs, the longer the interval to the next one.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cache.h"
#include "checkpoint/private.h"
#include "checkpoint/state.h"
#include "options.h"
#include "prefetch.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "check/walk/traverse.h"

/* ---- resuming ---- */

static enum phase_result refuse(const struct repair *rc, const char *why)
{
	char sentence[1024];

	snprintf(sentence, sizeof(sentence), "--resume=%s: cannot resume: %s; without --resume the check starts over",
		 rc->run->options->resume, why);
	return trouble(rc, sentence);
}

/* Returns in words why resuming failed with `error`; 0: with that of the loader. */
static const char *reason(const struct loader *l, int error)
{
	if (error == -EBADMSG)
		return "it is damaged";
	if (error == -ENOTSUP)
		return "the map of --html is made in both runs, or in none";
	return strerror(-(error ? error : l->error));
}

enum phase_result checkpoint_restore(struct checkpoint *c, struct repair *rc, bool *ret_restored)
{
	struct loader *l = c->loader;
	struct words why = { 0 };
	bool same;
	int ret = traverse_take_samples(rc->traverse);

	*ret_restored = false;
	if (ret)
		return failed(rc, "checkpoints", ret);
	if (!l)
		return PHASE_DONE;
	same = identity_load(rc, l, &why) && sampled_load(rc, l, &why);
	if (!same)
		return refuse(rc, why.length ? why.text : reason(l, l->error));
	ret = rows_load(rc, l);
	if (ret)
		return refuse(rc, reason(l, ret));
	checkpoint_forget_old(c);
	*ret_restored = true;
	if (rc->run->options->verbose) {
		words_add(&why, "Going on from %s: ", rc->run->options->resume);
		words_add_count(&why, rc->traverse->inodes_done, "inode is", "inodes are");
		words_add(&why, " done.");
		report_note(rc->report, why.text);
	}
	return PHASE_DONE;
}

/* ---- writing ---- */

/* True if a device can't be read at all any more, or has another size: then recent findings mean no damage. */
static bool is_gone(const struct repair *rc)
{
	const struct device *devices[] = { rc->run->device, rc->run->log_device, rc->run->rt_device };
	char sentence[512];
	bool gone = false;

	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		gone |= devices[i] &&
			(device_resized(devices[i], sentence, sizeof(sentence)) || device_gone(devices[i]));
	return gone;
}

/* Writes the state. 0 or negative errno: then the old file is still there. */
static int write_state(struct checkpoint *c, const struct repair *rc)
{
	struct saver *s = c->saver;
	const int fd = is_gone(rc) ? -ENODEV : replacement_new(&c->place);
	int ret, error;

	save_begin(s, fd);
	s->error = fd < 0 ? fd : 0; /* items that were set aside must be taken and posted again in any case */
	head_save(rc, s);
	unreadable_save(rc, s);
	identity_save(rc, s);
	sampled_save(rc, s);
	ret = rows_save(rc, s);
	error = save_end(s);
	ret = ret ? ret : error;
	if (fd < 0)
		return fd;
	if (!ret)
		return replacement_settle(&c->place, fd);
	replacement_drop(&c->place, fd);
	return ret;
}

static void tell_written(const struct checkpoint *c, const struct repair *rc, uint64_t ns)
{
	struct words words = { 0 };

	if (!rc->run->options->verbose)
		return;
	words_add(&words, "Checkpoint: ");
	words_add_count(&words, rc->traverse->inodes_done, "inode", "inodes");
	words_add(&words, ", ");
	words_add_bytes(&words, c->saver->bytes);
	words_add(&words, ", %llu ms.", (unsigned long long)(ns / 1000000));
	report_note(rc->report, words.text);
}

/* Reports once that the file can't be written; the check goes on. */
static void tell_unwritten(struct checkpoint *c, const struct repair *rc, int error)
{
	char sentence[PATH_MAX + 128];

	if (c->unwritten)
		return;
	c->unwritten = true;
	snprintf(sentence, sizeof(sentence), "--checkpoint=%s can't be written: %s%s", rc->run->options->checkpoint,
		 strerror(-error), c->exists ? "; it is as it was before" : "");
	report_aside(rc->report, sentence);
}

/* Writes a checkpoint. held: when the sweep was asked to stop. Returns when the next checkpoint is due. */
static uint64_t write_checkpoint(struct checkpoint *c, const struct repair *rc, uint64_t held)
{
	int ret = write_state(c, rc);
	const uint64_t now = watch_now(), cost = now > held ? now - held : 0;

	if (!ret) {
		__atomic_store_n(&c->exists, true, __ATOMIC_RELAXED);
		tell_written(c, rc, cost);
	} else if (ret != -ENODEV) { /* -ENODEV will be reported, and ends the run */
		tell_unwritten(c, rc, ret);
	}
	return now + checkpoint_interval(cost);
}

/* ---- the sweep ---- */

static enum phase_result interrupted(const struct checkpoint *c, const struct repair *rc)
{
	if (!c->exists)
		return trouble(rc, "stopped, and no checkpoint could be written: the next run starts over");
	report_stopped(rc->report, c->command);
	return PHASE_INTERRUPTED;
}

static int begin_watch(struct checkpoint *c)
{
	int ret = watch_begin(&c->watch);

	__atomic_store_n(&c->watching, true, __ATOMIC_RELEASE);
	return ret;
}

enum phase_result checkpoint_sweep(struct checkpoint *c, struct repair *rc)
{
	struct sweep *sweep = rc->traverse->sweep;
	const uint64_t start = watch_now();
	uint64_t due = start + checkpoint_interval(0);
	bool stop = false, held;
	int ret = begin_watch(c);

	do {
		if (ret)
			return failed(rc, "the sweep", ret);
		watch_sweep(&c->watch, sweep, due);
		ret = traverse_sweep(rc->traverse);
		stop = watch_swept(&c->watch);
		held = sweep_held(sweep);
		sweep_let_go(sweep);
		if (!ret && held)
			due = write_checkpoint(c, rc, due < watch_now() ? due : watch_now());
	} while (!stop && (ret || held));
	if (ret)
		return failed(rc, "the sweep", ret);
	/* the next phases may take long, too */
	if (!held && (stop || c->exists || watch_now() - start >= checkpoint_interval(0)))
		write_checkpoint(c, rc, watch_now());
	if (watch_last(&c->watch))
		return interrupted(c, rc);
	c->swept = true;
	return PHASE_DONE;
}
