/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of single menders: a device of known contents, a file system on it, and what a mender stages there. */
#ifndef XFSCK_TESTS_MENDING_H
#define XFSCK_TESTS_MENDING_H

#include "scratch_device.h"

#include "../../repair/mend/base/mend.h"
#include "../../repair/mend/base/menders.h"
#include "../../repair/mend/plan/mend_run.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "btrees.h"
#include "options.h"

enum { MENDING_AGBLOCKS = 512 };

struct mending {
	struct scratch scratch;
	struct options options;
	struct run run;
	struct repair rc;
	struct mend m;
};

/* That of btrees_geometry(), without realtime groups, and with AGs of 512 blocks. */
static inline struct geometry mending_geometry(void)
{
	struct geometry geo = btrees_geometry();

	geo.dir_block_size = geo.block_size;
	geo.ftype = geo.unwritten = true;
	geo.agblocks = MENDING_AGBLOCKS;
	geo.dblocks = (uint64_t)geo.agcount * MENDING_AGBLOCKS;
	geo.rgcount = 0;
	return geo;
}

static inline void mending_open(struct mending *f, enum mend_kind kind, const struct geometry *geo)
{
	memset(f, 0, sizeof(*f));
	scratch_open(&f->scratch, ENGINE_THREADS, geo->dblocks << geo->block_log);
	f->options.merge_gap = -1;
	f->run.options = &f->options;
	f->run.device = f->scratch.device;
	f->run.max_workers = f->rc.workers = 1;
	f->run.memory = memory_share(0, 1);
	f->rc.run = &f->run;
	f->rc.geo = *geo;
	f->m = (struct mend){ .rc = &f->rc, .now = &f->rc, .kind = kind, .quiet = true };
}

static inline void mending_close(struct mending *f)
{
	mend_round_end(&f->m);
	mend_end(&f->m);
	scratch_close(&f->scratch);
}

/* Byte offset of a block of an AG. */
static inline uint64_t mending_at(const struct mending *f, uint32_t agno, uint32_t agbno)
{
	return ((uint64_t)agno * f->rc.geo.agblocks + agbno) << f->rc.geo.block_log;
}

/* Puts these bytes on the device, as they are before the repair. */
static inline void mending_put(struct mending *f, uint64_t at, const void *bytes, size_t len)
{
	assert_int_equal(pwrite(f->scratch.fd, bytes, len, (off_t)at), len);
}

/* Fails unless these bytes are there, with what the mender has staged. */
static inline void mending_assert(struct mending *f, uint64_t at, const void *bytes, size_t len)
{
	uint8_t *now = malloc(len);

	assert_non_null(now);
	assert_int_equal(mend_read(&f->m, now, at, len), 0);
	assert_memory_equal(now, bytes, len);
	free(now);
}

/* Fails unless so many bytes are staged. */
static inline void mending_assert_staged(const struct mending *f, uint64_t bytes)
{
	assert_int_equal(device_staged(f->scratch.device, LAYER_MEND), bytes);
}

#endif
