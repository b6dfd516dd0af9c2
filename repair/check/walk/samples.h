/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample of the data that a sweep has read: checksums of blocks, spread evenly over all that were read so far.
 * Another run checks with it that the device is unchanged.
 */
#ifndef XFSCK_REPAIR_SAMPLES_H
#define XFSCK_REPAIR_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#define SAMPLES_MOST 128u
#define SAMPLE_BYTES 16384u /* only the start of longer pieces is used */

struct sample {
	uint64_t offset; /* byte of the device */
	uint32_t len;	 /* bytes */
	uint32_t crc;
};

/* Start with { 0 }. */
struct samples {
	uint64_t seen; /* pieces that were read */
	unsigned skip; /* one in 2^skip pieces is taken */
	size_t count;
	struct sample of[SAMPLES_MOST];
};

/* Takes or skips a piece that was read successfully. */
void samples_see(struct samples *samples, const uint8_t *bytes, uint64_t offset, uint32_t len);
/* Adds a sample of another run. */
void samples_add(struct samples *samples, const struct sample *sample);
uint32_t samples_crc(const uint8_t *bytes, uint32_t len);

#endif
