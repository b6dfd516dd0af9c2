/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Order, LSNs and places of replayed items (ondisk 11, "Recovery rules"), on a small device of known contents. */
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "scratch_device.h"
#include "le_bytes.h"
#include "log_items.h"
#include "libxfs/crc.h"
#include "../../repair/log/replay.h"

#define BLOCK  4096u
#define BLOCKS 256u
#define SECTOR 1600u /* of the buffer of most tests: block 200 */
#define DATE   0x200000040ull

enum { MAGIC_AT = 0, LSN_AT = 24, UUID_AT = 32, CRC_AT = 52 }; /* of the btrees of AGs */

struct fixture {
	struct run run;
	struct repair rc;
	struct replay r;
	struct replay_counts counts;
	struct scratch scratch;
	struct reported reported;
};

static void begin(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->rc.run = &f->run;
	scratch_open(&f->scratch, ENGINE_THREADS, (uint64_t)BLOCKS * BLOCK);
	f->r.rc = &f->rc;
	f->r.geo = item_geometry();
	f->r.geo.agcount = 1;
	f->r.geo.dblocks = BLOCKS;
	f->r.end = (uint64_t)BLOCKS * BLOCK;
	f->r.geo.logstart.v = 32;
	f->r.geo.logblocks = 16;
	memset(f->r.geo.meta_uuid, 0x5a, 16);
	memset(f->r.geo.uuid, 0x5a, 16);
	f->r.check = (struct check){ &f->r.geo, reported_add, &f->reported };
	f->r.counts = &f->counts;
	f->r.lsn.v = DATE;
	f->r.buffer = malloc(REPLAY_BUFFER_MAX);
	f->r.cache = block_cache_new(f->scratch.device, BLOCK, 16 * BLOCK);
	assert_non_null(f->r.buffer);
	assert_non_null(f->r.cache);
}

static void end(struct fixture *f)
{
	block_cache_free(f->r.cache);
	extent_counts_free(&f->r.cancelled);
	extent_counts_free(&f->r.undated);
	free(f->r.buffer);
	scratch_close(&f->scratch);
}

static void read_back(struct fixture *f, uint64_t block, uint8_t bytes[BLOCK])
{
	assert_int_equal(block_cache_read(f->r.cache, bytes, block * BLOCK, BLOCK), 0);
}

/* A buffer item of one block, of which the chunk of 128 bytes with this number was logged: all of it `fill`. */
static void chunk_item(struct item *i, uint16_t flags, uint64_t sector, unsigned chunk, uint8_t fill)
{
	item_begin(i, false, 0x123c, 2, 24);
	item16(i, 0, 4, flags);
	item16(i, 0, 6, 8);
	item64(i, 0, 8, sector);
	item32(i, 0, 16, 1);
	item32(i, 0, 20, 1u << chunk);
	set_region_len(i, 1, 128);
	memset(i->bytes[1], fill, 128);
}

static void cancel_item(struct item *i, uint64_t sector)
{
	item_begin(i, false, 0x123c, 1, 24);
	item16(i, 0, 4, 2);
	item16(i, 0, 6, 8);
	item64(i, 0, 8, sector);
	item32(i, 0, 16, 1);
}

#define BTREE (4u << 11)

/* The header of a block of a bnobt, and the rest of its first chunk. */
static void btree_item(struct item *i, uint64_t sector)
{
	chunk_item(i, BTREE, sector, 0, 0);
	put_be(i->bytes[1] + MAGIC_AT, 0x41423342, 4);
	memset(i->bytes[1] + UUID_AT, 0x5a, 16);
}

static void a_cancelled_buffer_is_left_alone_until_its_last_cancellation(void **state)
{
	uint8_t bytes[BLOCK];
	struct fixture f;
	struct item change, cancel;

	(void)state;
	begin(&f);
	chunk_item(&change, 0, SECTOR, 3, 0x77);
	cancel_item(&cancel, SECTOR);
	*extent_counts_add(&f.r.cancelled, (xdaddr_t){ SECTOR }, 8) = 2;
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(replay_buf(&f.r, &change.item), 0);
		read_back(&f, 200, bytes);
		assert_int_equal(scratch_differences(bytes, 200ull * BLOCK, BLOCK), 0);
		assert_int_equal(replay_buf(&f.r, &cancel.item), 0);
	}
	assert_int_equal(f.counts.cancelled, 2);
	assert_int_equal(replay_buf(&f.r, &change.item), 0);
	read_back(&f, 200, bytes);
	assert_int_equal(bytes[3 * 128], 0x77);
	end(&f);
}

static void a_buffer_of_another_length_is_not_the_cancelled_one(void **state)
{
	uint8_t bytes[BLOCK];
	struct fixture f;
	struct item change;

	(void)state;
	begin(&f);
	chunk_item(&change, 0, SECTOR, 3, 0x77);
	*extent_counts_add(&f.r.cancelled, (xdaddr_t){ SECTOR }, 16) = 1;
	assert_int_equal(replay_buf(&f.r, &change.item), 0);
	read_back(&f, 200, bytes);
	assert_int_equal(bytes[3 * 128], 0x77);
	end(&f);
}

static uint64_t lsn_of(const uint8_t *block)
{
	be64_t lsn;

	memcpy(&lsn, block + LSN_AT, sizeof(lsn));
	return be64_get(lsn);
}

static void transactions_of_one_date_all_count_and_then_the_buffer_is_dated(void **state)
{
	uint8_t bytes[BLOCK];
	struct fixture f;
	struct item header, second;
	uint32_t crc;

	(void)state;
	begin(&f);
	btree_item(&header, SECTOR);
	chunk_item(&second, BTREE, SECTOR, 5, 0x66);
	assert_int_equal(replay_buf(&f.r, &header.item), 0);
	assert_int_equal(replay_buf(&f.r, &second.item), 0);
	read_back(&f, 200, bytes);
	assert_true(lsn_of(bytes) == 0);
	assert_int_equal(replay_buf_date(&f.r), 0);
	read_back(&f, 200, bytes);
	assert_true(lsn_of(bytes) == DATE);
	assert_int_equal(bytes[5 * 128], 0x66);
	crc = get_le32(bytes + CRC_AT);
	assert_int_equal(crc, crc_block(bytes, BLOCK, CRC_AT));
	end(&f);
}

static void a_buffer_that_is_as_old_as_a_transaction_stays(void **state)
{
	uint8_t bytes[BLOCK];
	struct fixture f;
	struct item header, later;

	(void)state;
	begin(&f);
	btree_item(&header, SECTOR);
	assert_int_equal(replay_buf(&f.r, &header.item), 0);
	assert_int_equal(replay_buf_date(&f.r), 0);
	chunk_item(&later, BTREE, SECTOR, 5, 0x66);
	assert_int_equal(replay_buf(&f.r, &later.item), 0);
	read_back(&f, 200, bytes);
	assert_int_equal(f.counts.newer, 1);
	assert_int_equal(scratch_differences(bytes + 5 * 128, 200ull * BLOCK + 5 * 128, 128), 0);
	f.r.lsn.v = DATE + 1;
	assert_int_equal(replay_buf(&f.r, &later.item), 0);
	read_back(&f, 200, bytes);
	assert_int_equal(bytes[5 * 128], 0x66);
	end(&f);
}

static void changes_of_the_log_itself_and_outside_of_the_file_system_are_reported(void **state)
{
	/* the last block of the log; a block beyond the end; one that goes beyond it */
	static const uint64_t sectors[] = { 47 * 8, BLOCKS * 8, BLOCKS * 8 - 1 };
	struct fixture f;
	struct item i;

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		begin(&f);
		chunk_item(&i, 0, sectors[k], 0, 0x77);
		assert_int_equal(replay_buf(&f.r, &i.item), 0);
		assert_reported_once(&f.reported, F_LOG_REPLAY_PLACE, 8, sectors[k]);
		assert_int_equal(block_cache_flush(f.r.cache), 0);
		assert_int_equal(device_staged(f.scratch.device, LAYER_REPLAY), 0);
		end(&f);
	}
}

static void what_lies_behind_the_end_of_the_device_is_reported(void **state)
{
	struct fixture f;
	struct item i;

	(void)state;
	begin(&f);
	f.r.end = 2ull * BLOCKS * BLOCK;
	chunk_item(&i, 0, BLOCKS * 8, 0, 0x77);
	assert_int_equal(replay_buf(&f.r, &i.item), 0);
	assert_reported_once(&f.reported, F_LOG_REPLAY_UNREADABLE, BLOCK, BLOCKS * 8);
	end(&f);
}

static void quota_that_was_turned_off_is_not_replayed(void **state)
{
	uint8_t bytes[BLOCK];
	struct fixture f;
	struct item i;

	(void)state;
	begin(&f);
	f.r.quota_off = LOG_BUF_GDQUOT;
	chunk_item(&i, LOG_BUF_GDQUOT | 3u << 11, SECTOR, 2, 0x77);
	assert_int_equal(replay_buf(&f.r, &i.item), 0);
	read_back(&f, 200, bytes);
	assert_int_equal(scratch_differences(bytes, 200ull * BLOCK, BLOCK), 0);
	chunk_item(&i, LOG_BUF_UDQUOT | 1u << 11, SECTOR, 2, 0x77);
	assert_int_equal(replay_buf(&f.r, &i.item), 0);
	read_back(&f, 200, bytes);
	assert_int_equal(bytes[2 * 128], 0x77);
	end(&f);
}

static void icreate_item(struct item *i, uint32_t agbno)
{
	item_begin(i, false, 0x123f, 1, 28);
	put_be(i->bytes[0] + 4, 0, 4);
	put_be(i->bytes[0] + 8, agbno, 4);
	put_be(i->bytes[0] + 12, 64, 4);
	put_be(i->bytes[0] + 16, 512, 4);
	put_be(i->bytes[0] + 20, 8, 4);
	put_be(i->bytes[0] + 24, 0xabcdef01, 4);
}

static void a_chunk_is_made_unless_one_of_its_buffers_was_cancelled(void **state)
{
	uint8_t bytes[BLOCK];
	struct fixture f;
	struct item i;

	(void)state;
	begin(&f);
	f.r.geo.cluster_blocks = 4;
	icreate_item(&i, 200);
	*extent_counts_add(&f.r.cancelled, (xdaddr_t){ SECTOR + 32 }, 32) = 1;
	assert_int_equal(replay_icreate(&f.r, &i.item), 0);
	read_back(&f, 200, bytes);
	assert_int_equal(scratch_differences(bytes, 200ull * BLOCK, BLOCK), 0);
	assert_int_equal(f.counts.cancelled, 1);
	*extent_counts_find(&f.r.cancelled, (xdaddr_t){ SECTOR + 32 }, 32) = 0;
	assert_int_equal(replay_icreate(&f.r, &i.item), 0);
	read_back(&f, 207, bytes);
	/* the last inode of the last block */
	assert_int_equal(bytes[7 * 512], 0x49);
	assert_int_equal(bytes[7 * 512 + 159], (207 * 8 + 7) & 0xff);
	read_back(&f, 208, bytes);
	assert_int_equal(scratch_differences(bytes, 208ull * BLOCK, BLOCK), 0);
	assert_int_equal(f.reported.count, 0);
	end(&f);
}

/* Writes a block of an extent map with these children, or none, that belongs to inode 1. */
static void put_bmbt(struct fixture *f, uint64_t block, unsigned level, unsigned children, const uint64_t *pointers)
{
	uint8_t bytes[BLOCK] = { 'B', 'M', 'A', '3' };

	put_be(bytes + 4, level, 2);
	put_be(bytes + 6, children, 2);
	put_be(bytes + 56, 1, 8);
	for (unsigned i = 0; i < children && level; i++)
		put_be(bytes + 72 + 251 * 8 + i * 8, pointers[i], 8);
	assert_int_equal(block_cache_write(f->r.cache, bytes, block * BLOCK, BLOCK), 0);
}

/* Writes an inode whose data fork has a root of level 2 with these children. */
static void root_inode(uint8_t inode[512], unsigned blocks, unsigned children, const uint64_t *pointers)
{
	memset(inode, 0, 512);
	inode[5] = 3;
	put_be(inode + 64, blocks, 8);
	put_be(inode + 176, 2, 2);
	put_be(inode + 178, children, 2);
	for (unsigned i = 0; i < children; i++)
		put_be(inode + 180 + 20 * 8 + i * 8, pointers[i], 8);
}

static uint64_t owner_of(struct fixture *f, uint64_t block)
{
	uint8_t bytes[BLOCK];
	be64_t owner;
	uint32_t crc;

	read_back(f, block, bytes);
	memcpy(&owner, bytes + 56, sizeof(owner));
	crc = get_le32(bytes + 64);
	if (be64_get(owner) != 1)
		assert_int_equal(crc, crc_block(bytes, BLOCK, 64));
	return be64_get(owner);
}

static void begin_owner(struct fixture *f)
{
	begin(f);
	f->r.geo.btree[BT_BMAP].node_max = 251;
	f->r.geo.btree[BT_BMAP].leaf_max = 251;
	f->r.geo.btree[BT_BMAP].max_level = 5;
}

static void all_blocks_of_a_bmbt_get_the_new_owner(void **state)
{
	static const uint64_t nodes[] = { 100, 101 }, left[] = { 110, 111 }, right[] = { 120 };
	static const uint64_t all[] = { 100, 101, 110, 111, 120 };
	uint8_t inode[512];
	struct fixture f;

	(void)state;
	begin_owner(&f);
	put_bmbt(&f, 100, 1, 2, left);
	put_bmbt(&f, 101, 1, 1, right);
	for (unsigned i = 2; i < 5; i++)
		put_bmbt(&f, all[i], 0, 7, NULL);
	put_bmbt(&f, 121, 0, 7, NULL);
	root_inode(inode, 500, 2, nodes);
	assert_int_equal(replay_owner(&f.r, inode, (xino_t){ 4711 }, DATA_FORK), 0);
	assert_int_equal(f.reported.count, 0);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(owner_of(&f, all[i]), 4711);
	assert_int_equal(owner_of(&f, 121), 1);
	end(&f);
}

static void a_bmbt_that_loops_comes_to_an_end(void **state)
{
	static const uint64_t again[] = { 100, 100, 100, 100, 100 };
	uint8_t inode[512];
	struct fixture f;

	(void)state;
	begin_owner(&f);
	put_bmbt(&f, 100, 1, 5, again);
	root_inode(inode, 3, 5, again);
	assert_int_equal(replay_owner(&f.r, inode, (xino_t){ 4711 }, DATA_FORK), 0);
	assert_true(reported_times(&f.reported, F_LOG_REPLAY_BMBT) > 0);
	end(&f);
}

static void what_is_no_block_of_the_bmbt_is_reported(void **state)
{
	static const uint64_t child[] = { 100 }, outside[] = { BLOCKS };
	uint8_t inode[512];
	struct fixture f;

	(void)state;
	begin_owner(&f);
	put_bmbt(&f, 100, 0, 7, NULL); /* level 1 it should be */
	root_inode(inode, 3, 1, child);
	assert_int_equal(replay_owner(&f.r, inode, (xino_t){ 4711 }, DATA_FORK), 0);
	assert_reported_once(&f.reported, F_LOG_REPLAY_BMBT, 100, 1);
	assert_int_equal(owner_of(&f, 100), 1);
	f.reported.count = 0;
	root_inode(inode, 3, 1, outside);
	assert_int_equal(replay_owner(&f.r, inode, (xino_t){ 4711 }, DATA_FORK), 0);
	assert_reported_once(&f.reported, F_LOG_REPLAY_BMBT, BLOCKS, 1);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cancelled_buffer_is_left_alone_until_its_last_cancellation),
		cmocka_unit_test(a_buffer_of_another_length_is_not_the_cancelled_one),
		cmocka_unit_test(transactions_of_one_date_all_count_and_then_the_buffer_is_dated),
		cmocka_unit_test(a_buffer_that_is_as_old_as_a_transaction_stays),
		cmocka_unit_test(changes_of_the_log_itself_and_outside_of_the_file_system_are_reported),
		cmocka_unit_test(what_lies_behind_the_end_of_the_device_is_reported),
		cmocka_unit_test(quota_that_was_turned_off_is_not_replayed),
		cmocka_unit_test(a_chunk_is_made_unless_one_of_its_buffers_was_cancelled),
		cmocka_unit_test(all_blocks_of_a_bmbt_get_the_new_owner),
		cmocka_unit_test(a_bmbt_that_loops_comes_to_an_end),
		cmocka_unit_test(what_is_no_block_of_the_bmbt_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
