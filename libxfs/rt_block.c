/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header of the bitmap and summary blocks of realtime groups (ondisk 09; 00, invariant 4). */
#include "rt_block.h"

#include "libxfs/v5.h"

bool rt_block_check(const struct check *c, const uint8_t *block, uint32_t magic, const struct rt_expect *expect)
{
	static const struct v5_header header = V5_HEADER(rt_header_disk, );
	const struct rt_header_disk *disk = (const struct rt_header_disk *)block;

	if (!rt_header_size(c->geo))
		return true;
	return check_eq(c, F_BLOCK_MAGIC, offsetof(struct rt_header_disk, magic), be32_get(disk->magic), magic) &&
	       v5_check_header(c, block, c->geo->block_size, &header, expect->daddr, expect->owner.v);
}
