/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the superblock of a realtime device (ondisk 09, invariant 5), which has only the uuids and the label that
 * match the device with its file system.
 */
#include "ag_header.h"
#include "libxfs/crc.h"
#include "libxfs/rt.h"

#define RTSB(field) ((uint32_t)offsetof(struct rtsb_disk, field))

/* Reports that a label or uuid differs; the values are left 0, as they are no numbers. */
static void check_name(const struct check *c, enum finding finding, uint32_t offset, const void *got, const void *want,
		       size_t size)
{
	if (memcmp(got, want, size) != 0)
		problem(c, finding, offset, 0, 0);
}

void rtsb_check(const struct check *c, const void *block)
{
	const struct rtsb_disk *disk = block;
	const struct geometry *g = c->geo;

	if (!check_eq(c, F_BLOCK_MAGIC, RTSB(magicnum), be32_get(disk->magicnum), RTSB_MAGIC))
		return;
	crc_check(c, block, g->block_size, RTSB(crc));
	check_eq(c, F_RTSB_PAD, RTSB(pad), be32_get(disk->pad), 0);
	check_name(c, F_RTSB_FNAME, RTSB(fname), disk->fname, g->label, sizeof(disk->fname));
	check_name(c, F_RTSB_UUID, RTSB(uuid), disk->uuid, g->uuid, sizeof(disk->uuid));
	check_name(c, F_RTSB_META_UUID, RTSB(meta_uuid), disk->meta_uuid, g->meta_uuid, sizeof(disk->meta_uuid));
	ag_header_zero(c, F_RTSB_TAIL, block, sizeof(*disk), g->block_size);
}
