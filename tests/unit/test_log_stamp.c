/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LSNs and checksums of replayed buffers: the offsets are those of ondisk 02, 03, 05 to 09, written down here again. */
#include <string.h>

#include "reported.h"
#include "le_bytes.h"
#include "be.h"
#include "libxfs/crc.h"
#include "libxfs/log_stamp.h"

#define BLOCK 4096u
#define DATE  0x300000010ull

static const struct {
	const char *magic;
	unsigned at; /* bytes from the start */
	enum log_buf_type type;
	unsigned lsn, crc, uuid;
} kinds[] = {
	{ "AB3B", 0, LB_BTREE, 24, 52, 32 },	     { "AB3C", 0, LB_BTREE, 24, 52, 32 },
	{ "IAB3", 0, LB_BTREE, 24, 52, 32 },	     { "FIB3", 0, LB_BTREE, 24, 52, 32 },
	{ "RMB3", 0, LB_BTREE, 24, 52, 32 },	     { "R3FC", 0, LB_BTREE, 24, 52, 32 },
	{ "BMA3", 0, LB_BTREE, 32, 64, 40 },	     { "MAPR", 0, LB_BTREE, 32, 64, 40 },
	{ "RCNT", 0, LB_BTREE, 32, 64, 40 },	     { "XAGF", 0, LB_AGF, 208, 216, 64 },
	{ "XAFL", 0, LB_AGFL, 24, 32, 8 },	     { "XAGI", 0, LB_AGI, 320, 312, 296 },
	{ "XFSB", 0, LB_SUPERBLOCK, 240, 224, 32 },  { "XSLM", 0, LB_SYMLINK, 48, 12, 16 },
	{ "XDB3", 0, LB_DIR_BLOCK, 16, 4, 24 },	     { "XDD3", 0, LB_DIR_DATA, 16, 4, 24 },
	{ "XDF3", 0, LB_DIR_FREE, 16, 4, 24 },	     { "\x3d\xf1", 8, LB_DIR_LEAF1, 24, 12, 32 },
	{ "\x3d\xff", 8, LB_DIR_LEAFN, 24, 12, 32 }, { "\x3e\xbe", 8, LB_DA_NODE, 24, 12, 32 },
	{ "\x3b\xee", 8, LB_ATTR_LEAF, 24, 12, 32 }, { "BMPZ", 0, LB_RTBITMAP, 24, 4, 32 },
	{ "SUMY", 0, LB_RTSUMMARY, 24, 4, 32 },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static struct geometry geometry(void)
{
	struct geometry geo = { .crc = true, .metadir = true, .block_size = BLOCK };

	memset(geo.meta_uuid, 0x5a, sizeof(geo.meta_uuid));
	memset(geo.uuid, 0x5a, sizeof(geo.uuid));
	return geo;
}

static void fill(uint8_t block[BLOCK], unsigned kind)
{
	memset(block, 0x11, BLOCK);
	memcpy(block + kinds[kind].at, kinds[kind].magic, kinds[kind].at ? 2 : 4);
	memset(block + kinds[kind].uuid, 0x5a, 16);
}

static void put_be64(uint8_t *at, uint64_t value)
{
	be64_t be = be64_put(value);

	memcpy(at, &be, sizeof(be));
}

static void every_kind_is_dated_and_summed_where_its_header_says(void **state)
{
	const struct geometry geo = geometry();
	uint8_t block[BLOCK], before[BLOCK];

	(void)state;
	for (unsigned i = 0; i < KINDS; i++) {
		uint32_t crc;

		fill(block, i);
		memcpy(before, block, BLOCK);
		put_be64(before + kinds[i].lsn, DATE);
		crc = crc_block(before, BLOCK, kinds[i].crc);
		put_le32(before + kinds[i].crc, crc);
		log_stamp_set(&geo, kinds[i].type, block, BLOCK, (lsn_t){ DATE });
		assert_memory_equal(block, before, BLOCK);
		assert_true(log_stamp_lsn(&geo, LB_UNKNOWN, block).v == DATE);
		assert_false(log_stamp_torn(&geo, kinds[i].type, block, BLOCK));
		block[BLOCK - 1] ^= 1;
		assert_true(log_stamp_torn(&geo, kinds[i].type, block, BLOCK));
		/* of an unknown kind, and so of unknown length: not judged */
		assert_false(log_stamp_torn(&geo, LB_UNKNOWN, block, BLOCK));
	}
}

static void an_address_is_that_of_a_block_of_the_file_system(void **state)
{
	static const struct {
		uint64_t daddr;
		bool right;
	} addresses[] = { { 0, true },	 { 8, true },	 { 9, false },		{ 15, false },
			  { 792, true }, { 800, false }, { UINT64_MAX, false }, { UINT64_MAX - 7, false } };
	struct geometry geo = geometry();
	uint8_t block[BLOCK];
	xdaddr_t daddr;

	(void)state;
	geo.block_log = 12;
	geo.dblocks = 100;
	fill(block, 0);
	for (unsigned i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		put_be64(block + 16, addresses[i].daddr);
		assert_int_equal(log_stamp_daddr(&geo, block, &daddr), addresses[i].right);
		assert_true(!addresses[i].right || daddr.v == addresses[i].daddr);
	}
}

static void a_block_of_another_type_than_the_log_says_is_left_alone(void **state)
{
	const struct geometry geo = geometry();
	uint8_t block[BLOCK], before[BLOCK];

	(void)state;
	for (unsigned i = 0; i < KINDS; i++) {
		fill(block, i);
		memcpy(before, block, BLOCK);
		log_stamp_set(&geo, kinds[i].type == LB_AGF ? LB_AGI : LB_AGF, block, BLOCK, (lsn_t){ DATE });
		assert_memory_equal(block, before, BLOCK);
	}
}

static void what_is_of_another_file_system_has_no_date(void **state)
{
	const struct geometry geo = geometry();
	uint8_t block[BLOCK];

	(void)state;
	for (unsigned i = 0; i < KINDS; i++) {
		fill(block, i);
		put_be64(block + kinds[i].lsn, DATE);
		block[kinds[i].uuid + 15] ^= 1;
		assert_true(log_stamp_lsn(&geo, kinds[i].type, block).v == NULL_LSN);
	}
}

static void an_lsn_of_0_is_no_date(void **state)
{
	const struct geometry geo = geometry();
	uint8_t block[BLOCK];

	(void)state;
	fill(block, 0);
	put_be64(block + kinds[0].lsn, 0);
	assert_true(log_stamp_lsn(&geo, LB_BTREE, block).v == NULL_LSN);
}

static void version_4_has_no_dates(void **state)
{
	struct geometry geo = geometry();
	uint8_t block[BLOCK], before[BLOCK];

	(void)state;
	geo.crc = false;
	fill(block, 0);
	memcpy(before, block, BLOCK);
	assert_true(log_stamp_lsn(&geo, LB_BTREE, block).v == NULL_LSN);
	log_stamp_set(&geo, LB_BTREE, block, BLOCK, (lsn_t){ DATE });
	assert_memory_equal(block, before, BLOCK);
}

static void the_superblock_has_another_uuid_where_the_user_has_changed_his(void **state)
{
	struct geometry geo = geometry();
	uint8_t block[BLOCK];

	(void)state;
	memset(geo.uuid, 0x77, sizeof(geo.uuid));
	memset(block, 0, BLOCK);
	memcpy(block, "XFSB", 4);
	memset(block + 32, 0x77, 16);
	memset(block + 248, 0x5a, 16);
	put_be64(block + 240, DATE);
	assert_true(log_stamp_lsn(&geo, LB_SUPERBLOCK, block).v == DATE);
	block[248] = 0;
	assert_true(log_stamp_lsn(&geo, LB_SUPERBLOCK, block).v == NULL_LSN);
}

static void bits_of_a_realtime_bitmap_without_headers_are_no_date(void **state)
{
	struct geometry geo = geometry();
	uint8_t block[BLOCK];

	(void)state;
	geo.metadir = false;
	fill(block, 0); /* looks like a btree block */
	put_be64(block + kinds[0].lsn, DATE);
	assert_true(log_stamp_lsn(&geo, LB_RTBITMAP, block).v == NULL_LSN);
	assert_true(log_stamp_lsn(&geo, LB_BTREE, block).v == DATE);
}

static void values_of_attributes_are_summed_block_by_block_and_not_dated(void **state)
{
	const struct geometry geo = geometry();
	uint8_t blocks[2 * BLOCK];

	(void)state;
	memset(blocks, 0x22, sizeof(blocks));
	memcpy(blocks, "XARM", 4);
	memcpy(blocks + BLOCK, "XARM", 4);
	log_stamp_set(&geo, LB_ATTR_REMOTE, blocks, sizeof(blocks), (lsn_t){ DATE });
	for (unsigned i = 0; i < 2; i++) {
		const uint8_t *block = blocks + i * (size_t)BLOCK;
		uint32_t crc;

		crc = get_le32(block + 12);
		assert_int_equal(crc, crc_block(block, BLOCK, 12));
		for (unsigned k = 48; k < 56; k++)
			assert_int_equal(block[k], 0xff);
	}
}

/* Where blocks of files have their address and owner: ondisk 05 to 09 again. */
static void blocks_of_files_say_where_they_belong(void **state)
{
	static const struct {
		const char *magic;
		unsigned at, crc, uuid, blkno, owner;
	} of_files[] = {
		{ "BMA3", 0, 64, 40, 24, 56 },	   { "MAPR", 0, 64, 40, 24, 56 },     { "RCNT", 0, 64, 40, 24, 56 },
		{ "XSLM", 0, 12, 16, 40, 32 },	   { "XDB3", 0, 4, 24, 8, 40 },	      { "XDD3", 0, 4, 24, 8, 40 },
		{ "XDF3", 0, 4, 24, 8, 40 },	   { "\x3d\xf1", 8, 12, 32, 16, 48 }, { "\x3d\xff", 8, 12, 32, 16, 48 },
		{ "\x3e\xbe", 8, 12, 32, 16, 48 }, { "\x3b\xee", 8, 12, 32, 16, 48 }, { "XARM", 0, 12, 16, 40, 32 },
		{ "BMPZ", 0, 4, 32, 16, 8 },	   { "SUMY", 0, 4, 32, 16, 8 },
	};
	const struct geometry geo = geometry();
	uint8_t block[BLOCK];
	xdaddr_t daddr = { 0 };
	xino_t owner = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(of_files) / sizeof(of_files[0]); i++) {
		memset(block, 0x11, BLOCK);
		memcpy(block + of_files[i].at, of_files[i].magic, of_files[i].at ? 2 : 4);
		memset(block + of_files[i].uuid, 0x5a, 16);
		put_be64(block + of_files[i].blkno, 0x1234567);
		put_be64(block + of_files[i].owner, 0x89abcde);
		crc_store(block, BLOCK, of_files[i].crc);
		assert_true(log_stamp_place(&geo, block, BLOCK, &daddr, &owner));
		assert_int_equal(daddr.v, 0x1234567);
		assert_int_equal(owner.v, 0x89abcde);
		/* of another file system, or not as it was written */
		block[of_files[i].uuid] ^= 1;
		crc_store(block, BLOCK, of_files[i].crc);
		assert_false(log_stamp_place(&geo, block, BLOCK, &daddr, &owner));
		block[of_files[i].uuid] ^= 1;
		assert_false(log_stamp_place(&geo, block, BLOCK, &daddr, &owner));
	}
}

static void blocks_of_groups_belong_to_no_file(void **state)
{
	const struct geometry geo = geometry();
	uint8_t block[BLOCK];
	xdaddr_t daddr;
	xino_t owner;

	(void)state;
	for (unsigned i = 0; i < KINDS; i++) {
		if (kinds[i].type != LB_AGF && kinds[i].type != LB_AGI && kinds[i].type != LB_AGFL &&
		    kinds[i].type != LB_SUPERBLOCK && (kinds[i].type != LB_BTREE || kinds[i].lsn != 24))
			continue;
		fill(block, i);
		crc_store(block, BLOCK, kinds[i].crc);
		assert_false(log_stamp_place(&geo, block, BLOCK, &daddr, &owner));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_dated_and_summed_where_its_header_says),
		cmocka_unit_test(an_address_is_that_of_a_block_of_the_file_system),
		cmocka_unit_test(a_block_of_another_type_than_the_log_says_is_left_alone),
		cmocka_unit_test(what_is_of_another_file_system_has_no_date),
		cmocka_unit_test(an_lsn_of_0_is_no_date),
		cmocka_unit_test(version_4_has_no_dates),
		cmocka_unit_test(the_superblock_has_another_uuid_where_the_user_has_changed_his),
		cmocka_unit_test(bits_of_a_realtime_bitmap_without_headers_are_no_date),
		cmocka_unit_test(values_of_attributes_are_summed_block_by_block_and_not_dated),
		cmocka_unit_test(blocks_of_files_say_where_they_belong),
		cmocka_unit_test(blocks_of_groups_belong_to_no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
