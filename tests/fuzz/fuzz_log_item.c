/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_log.h"

/*
 * One item: the variant has its type, byte order and number of regions.  Two bytes in front of each region are its
 * length, as far as there are bytes.  As assembled from the log, all lengths are multiples of 4, and buffers are padded
 * to 8.
 */
enum { REGIONS = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct log_region regions[REGIONS];
	uint8_t *bytes[REGIONS] = { NULL };
	struct log_item item;
	struct fuzz f;
	size_t at = 0;

	if (!fuzz_start(&f, data, size))
		return 0;
	f.limit = SIZE_MAX;
	item = (struct log_item){ .type = (enum log_item_type)(LI_EFI + (f.variant & 0x1f)),
				  .big_endian = f.variant & 0x20,
				  .nregions = 1 + (f.variant >> 6) + (f.head ? 2 : 0),
				  .regions = regions };
	for (uint32_t i = 0; i < item.nregions; i++) {
		size_t left = f.size - at, len = left >= 2 ? (f.bytes[at] | f.bytes[at + 1] << 8) & 0x1ffc : 4;
		size_t have;

		at += left >= 2 ? 2 : left;
		left = f.size - at;
		len = len ? len : 4;
		have = len < left ? len : left;
		bytes[i] = calloc(1, (len + 7) / 8 * 8);
		if (!bytes[i])
			abort();
		memcpy(bytes[i], f.bytes + at, have);
		at += have;
		regions[i] = (struct log_region){ bytes[i], (uint32_t)len, 0 };
	}
	fuzz_log_item(&f.check, &item);
	for (uint32_t i = 0; i < item.nregions; i++)
		free(bytes[i]);
	return 0;
}
