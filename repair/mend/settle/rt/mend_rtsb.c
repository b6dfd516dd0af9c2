/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The superblock of the realtime device: all of it follows from the file system's (ondisk 09, invariant 5). */
#include <errno.h>
#include <stdlib.h>

#include "libxfs/rt_build.h"
#include "mend/base/mend.h"
#include "repair.h"
#include "run.h"
#include "mend/base/menders.h"

int mend_rtsb(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t *block;
	int ret;

	if (!count || !m->rc->run->rt_device || !has_rtsb(geo) || device_bytes(m->rc->run->rt_device) < geo->block_size)
		return 0;
	block = malloc(geo->block_size);
	if (!block)
		return -ENOMEM;
	rt_build_sb(geo, block);
	ret = device_stage(m->rc->run->rt_device, LAYER_MEND, block, 0, geo->block_size);
	if (!ret)
		mend_done(m, found);
	free(block);
	return ret;
}
