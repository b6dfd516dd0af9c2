/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes every piece at first.  Whenever there are too many, drops every second one, and takes half as many. */
#include "samples.h"

#include "libxfs/crc.h"

uint32_t samples_crc(const uint8_t *bytes, uint32_t len)
{
	return ~crc_add(CRC_SEED, bytes, len);
}

void samples_add(struct samples *samples, const struct sample *sample)
{
	if (samples->count == SAMPLES_MOST) {
		samples->count /= 2;
		for (size_t i = 0; i < samples->count; i++)
			samples->of[i] = samples->of[2 * i];
		samples->skip++;
	}
	samples->of[samples->count++] = *sample;
}

void samples_see(struct samples *samples, const uint8_t *bytes, uint64_t offset, uint32_t len)
{
	const uint64_t number = samples->seen++;
	struct sample sample = { offset, len < SAMPLE_BYTES ? len : SAMPLE_BYTES, 0 };

	if (number & ((1ull << samples->skip % 64) - 1))
		return;
	sample.crc = samples_crc(bytes, sample.len);
	samples_add(samples, &sample);
}
