/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranges that an earlier run could not read stay unreadable for a resumed run: more attempts would wear the disk out.
 * But the device may only have been out of reach for a while: so each range is tested once, and if any is readable now,
 * the state that was built without it is void.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache.h"
#include "checkpoint/private.h"
#include "checkpoint/state.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "run.h"

void unreadable_save(const struct repair *rc, struct saver *s)
{
	uint64_t at = 0, start, len, count = 0;

	for (; device_next_unreadable(rc->run->device, at, &start, &len); at = start + len)
		count++;
	save_number(s, count);
	for (at = 0; count-- && device_next_unreadable(rc->run->device, at, &start, &len); at = start + len) {
		save_number(s, start);
		save_number(s, len);
	}
}

bool unreadable_load(struct checkpoint *c, const struct repair *rc, struct loader *l)
{
	const uint64_t bytes = device_bytes(rc->run->device);
	const size_t count = load_count(l);

	c->unreadable = calloc(count ? count : 1, sizeof(*c->unreadable));
	if (!c->unreadable)
		load_failed(l, -ENOMEM);
	for (size_t i = 0; i < count && load_good(l); i++) {
		struct unreadable_range *range = &c->unreadable[i];

		range->start = load_at_most(l, bytes);
		range->len = load_at_most(l, bytes - range->start);
		c->nunreadable++;
	}
	return load_good(l);
}

enum phase_result checkpoint_try_unreadable(struct checkpoint *c, struct repair *rc)
{
	char sentence[PATH_MAX + 160];
	int ret = 0;

	for (size_t i = 0; c && c->loader && i < c->nunreadable && !ret; i++)
		ret = device_was_unreadable(rc->run->device, c->unreadable[i].start, c->unreadable[i].len);
	if (!ret)
		return PHASE_DONE;
	if (ret != -EAGAIN)
		return failed(rc, "retrying unreadable ranges", ret);
	checkpoint_forget_old(c);
	snprintf(sentence, sizeof(sentence),
		 "%s: parts of the device could not be read then, and can be now: the check starts over",
		 rc->run->options->resume);
	report_aside(rc->report, sentence);
	return PHASE_DONE;
}
