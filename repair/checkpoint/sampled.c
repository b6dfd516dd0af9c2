/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves a sample of what was read, and compares it with the device when resuming. */
#include <errno.h>
#include <stdlib.h>

#include "cache.h"
#include "checkpoint/state.h"
#include "repair.h"
#include "report/words.h"
#include "run.h"
#include "sets/save.h"
#include "check/walk/samples.h"
#include "check/walk/traverse.h"

#define LOADED_MOST ((size_t)8 * SAMPLES_MOST) /* the most samples to compare; runs with many threads save more */

void sampled_save(const struct repair *rc, struct saver *s)
{
	const struct traverse *t = rc->traverse;
	uint64_t seen = 0, count = 0;
	unsigned skip = 0;

	for (unsigned i = 0; i < t->nwalkers; i++) {
		const struct samples *samples = t->walkers[i]->samples;

		seen += samples->seen;
		count += samples->count;
		skip = samples->skip > skip ? samples->skip : skip;
	}
	save_number(s, seen);
	save_number(s, skip);
	save_number(s, count);
	for (unsigned i = 0; i < t->nwalkers; i++) {
		const struct samples *samples = t->walkers[i]->samples;

		for (size_t n = 0; n < samples->count; n++) {
			save_number(s, samples->of[n].offset);
			save_number(s, samples->of[n].len);
			save_number(s, samples->of[n].crc);
		}
	}
}

/* True if the device still holds this data; a read error counts as a difference. */
static bool is_same(struct device *device, const struct sample *sample, uint8_t *buf, struct loader *l)
{
	const int ret = device_read_once(device, buf, sample->offset, sample->len);

	if (ret == -ENOMEM)
		load_failed(l, ret);
	return !ret && samples_crc(buf, sample->len) == sample->crc;
}

static struct sample load_sample(const struct device *device, struct loader *l)
{
	struct sample sample;

	sample.offset = load_at_most(l, device_bytes(device));
	sample.len = (uint32_t)load_at_most(l, SAMPLE_BYTES);
	sample.crc = (uint32_t)load_at_most(l, UINT32_MAX);
	return sample;
}

bool sampled_load(const struct repair *rc, struct loader *l, struct words *why)
{
	struct device *device = rc->run->device;
	struct samples *samples = rc->traverse->walkers[0]->samples;
	uint8_t *buf = malloc(SAMPLE_BYTES);
	size_t count;

	if (!buf)
		load_failed(l, -ENOMEM);
	samples->seen = load_number(l);
	samples->skip = (unsigned)load_at_most(l, 63);
	count = load_count(l);
	for (size_t n = 0; n < count && load_good(l); n++) {
		const struct sample sample = load_sample(device, l);

		if (!load_good(l))
			break;
		if (n < LOADED_MOST && !why->length && !is_same(device, &sample, buf, l))
			words_add(why, "data at byte %llu has changed", (unsigned long long)sample.offset);
		if (count <= SAMPLES_MOST || n % (count / SAMPLES_MOST + 1) == 0)
			samples_add(samples, &sample);
	}
	free(buf);
	return load_good(l) && !why->length;
}
