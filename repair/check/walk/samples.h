/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample of what a sweep has read, by which another run sees that the device still holds the same: checksums of
 * blocks that are spread evenly over all that was read so far.
 */
#ifndef XFSCK_REPAIR_SAMPLES_H
#define XFSCK_REPAIR_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#define SAMPLES_MOST 128u
#define SAMPLE_BYTES 16384u /* of a longer piece only the begin is looked at */

struct sample {
	uint64_t offset; /* byte of the device */
	uint32_t len;	 /* bytes */
	uint32_t crc;
};

/* Begin with { 0 }. */
struct samples {
	uint64_t seen; /* pieces that were read */
	unsigned skip; /* one of 2 to the power of skip is taken */
	size_t count;
	struct sample of[SAMPLES_MOST];
};

/* A piece has been read, if it could be: take it, or not. */
void samples_see(struct samples *samples, const uint8_t *bytes, uint64_t offset, uint32_t len);
/* Add a sample of another run. */
void samples_add(struct samples *samples, const struct sample *sample);
uint32_t samples_crc(const uint8_t *bytes, uint32_t len);

#endif
