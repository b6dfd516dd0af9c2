/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file system whose geometry is known and of which nothing can be decoded: for tests of menders without free blocks.
 * A survey finds only the claims of the headers; the tests report other owners with mend_space_claim().
 */
#ifndef XFSCK_TESTS_NOTHING_FREE_H
#define XFSCK_TESTS_NOTHING_FREE_H

#include <errno.h>

#include "scratch_device.h"

#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "check/walk/walker.h"
#include "btrees.h"
#include "disk/dir.h"
#include "../../repair/mend/blocks/mend_space.h"
#include "../../repair/mend/collect/mend_inode.h"
#include "../../repair/mend/plan/mend_run.h"
#include "options.h"

enum { NOTHING_FREE_AGS = 2, NOTHING_FREE_LEN = 300 };

struct nothing_free {
	struct scratch scratch;
	struct options options;
	struct run run;
	struct repair rc;
	struct mend m;
	struct traverse traverse;
	struct ag_state ags[NOTHING_FREE_AGS];
	struct shared shared[NOTHING_FREE_AGS];
	uint8_t primary[512];
	struct bmap_record extents[8];
	struct btree_expect tree[8];
	struct mend_inode inode; /* its data fork has these extents and this tree */
};

static inline void nothing_free_open(struct nothing_free *f)
{
	memset(f, 0, sizeof(*f));
	f->rc.run = &f->run;
	scratch_open(&f->scratch, ENGINE_THREADS, 1 << 22);
	f->options.merge_gap = -1;
	f->rc.run->options = &f->options;
	f->rc.run->device = f->scratch.device;
	f->rc.geo = btrees_geometry();
	f->rc.geo.metadir = false;
	f->rc.geo.rgcount = 0;
	f->rc.geo.dir_block_size = f->rc.geo.block_size;
	f->rc.geo.agcount = NOTHING_FREE_AGS;
	f->rc.geo.agblocks = NOTHING_FREE_LEN;
	f->rc.geo.agblock_log = 9;
	f->rc.geo.dblocks = NOTHING_FREE_AGS * NOTHING_FREE_LEN;
	f->rc.run->max_workers = f->rc.workers = 1;
	f->rc.run->memory = memory_share(0, 1);
	f->rc.primary = f->primary;
	f->rc.traverse = &f->traverse;
	f->traverse = (struct traverse){ .geo = &f->rc.geo, .ags = f->ags, .shared = f->shared };
	f->m = (struct mend){ .rc = &f->rc, .now = &f->rc };
	f->inode.ino.v = 131;
	f->inode.fork[DATA_FORK] = (struct mend_fork){ .extents = f->extents, .tree = f->tree, .whole = true };
}

static inline void nothing_free_close(struct nothing_free *f)
{
	mend_round_end(&f->m);
	mend_end(&f->m);
	scratch_close(&f->scratch);
}

/* Block agbno of AG 1. */
static inline fsbno_t nothing_free_block(const struct nothing_free *f, uint32_t agbno)
{
	return fsbno_of(&f->rc.geo, (agno_t){ 1 }, (agbno_t){ agbno });
}

/* Adds an extent to the data fork: `len` blocks from block agbno of AG 1 on, at block `off` of the file. */
static inline void nothing_free_extent(struct nothing_free *f, uint64_t off, uint32_t agbno, uint32_t len)
{
	struct mend_fork *fork = &f->inode.fork[DATA_FORK];

	f->extents[fork->count++] = (struct bmap_record){ { off }, nothing_free_block(f, agbno), len, false };
}

/* Adds block agbno of AG 1 to the blocks of the data fork's bmbt. */
static inline void nothing_free_node(struct nothing_free *f, uint32_t agbno, bool keys_ok)
{
	struct mend_fork *fork = &f->inode.fork[DATA_FORK];

	f->tree[fork->ntree++] = (struct btree_expect){ .agno = { 1 }, .agbno = { agbno }, .keys_ok = keys_ok };
}

/* Fails unless mend_space_take() of so many blocks gives this run. */
static inline void nothing_free_assert_take(struct nothing_free *f, uint32_t want, fsbno_t block, uint32_t len)
{
	fsbno_t start;
	uint32_t got;

	assert_int_equal(mend_space_take(&f->m, want, &start, &got), 0);
	assert_int_equal(start.v, block.v);
	assert_int_equal(got, len);
}

static inline void nothing_free_assert_none_free(struct nothing_free *f)
{
	fsbno_t start;
	uint32_t got;

	assert_int_equal(mend_space_take(&f->m, 1, &start, &got), -ENOSPC);
}

/* Gives block agbno of AG 1 to another owner.  Owners are known only after mend_space_take() has failed. */
static inline void nothing_free_lose(struct nothing_free *f, uint32_t agbno)
{
	const struct mend_survey *owners;

	nothing_free_assert_none_free(f);
	assert_int_equal(mend_space_owners(&f->m, &owners), 0);
	assert_non_null(owners);
	mend_space_claim(&f->m, nothing_free_block(f, agbno), 1);
}

/* Stages, at block agbno of AG 1, a directory block of inode `ino` with the address of block `says` in its header. */
static inline void nothing_free_dir_block(struct nothing_free *f, uint64_t ino, uint32_t agbno, uint32_t says,
					  uint32_t size)
{
	const uint64_t offset = bytes_of_daddr(daddr_of_fsbno(&f->rc.geo, nothing_free_block(f, agbno)));
	uint8_t *block = calloc(1, size);
	struct dir_blkhdr_disk *header = (struct dir_blkhdr_disk *)block;

	assert_non_null(block);
	header->magic = be32_put(DIR_MAGIC_DATA);
	header->blkno = be64_put(daddr_of_fsbno(&f->rc.geo, nothing_free_block(f, says)).v);
	header->owner = be64_put(ino);
	memcpy(header->uuid, f->rc.geo.meta_uuid, sizeof(header->uuid));
	crc_store(header, size, offsetof(struct dir_blkhdr_disk, crc));
	assert_int_equal(mend_write(&f->m, block, offset, size), 0);
	free(block);
}

#endif
