/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applying buffers, unlinked pointers, new inodes and quota records (ondisk 10; 11, "BUF", "ICREATE", "DQUOT"). */
#include "log_items.h"
#include "le_bytes.h"
#include "libxfs/crc.h"
#include "libxfs/log_apply.h"

#define BLOCK 4096u
#define DATE  0x200000040ull
#define NEXT  96u
#define CRC   100u

/* Begins a buffer of one block, of which these chunks of 128 bytes were logged, each full of its number. */
static void begin_buf(struct item *i, unsigned first, unsigned count)
{
	item_begin(i, false, BUF, 2, 24);
	item16(i, 0, 6, 8);
	item64(i, 0, 8, 1600);
	item32(i, 0, 16, 1);
	item32(i, 0, 20, ((1ull << count) - 1) << first);
	set_region_len(i, 1, count * 128);
	for (unsigned k = 0; k < count * 128; k++)
		i->bytes[1][k] = (uint8_t)(first + k / 128);
}

static void only_what_was_logged_changes(void **state)
{
	uint8_t buf[BLOCK], want[BLOCK];
	struct item i;

	(void)state;
	begin_buf(&i, 30, 2);
	memset(buf, 0xdd, BLOCK);
	memset(want, 0xdd, BLOCK);
	memset(want + (size_t)30 * 128, 30, 128);
	memset(want + (size_t)31 * 128, 31, 128);
	log_buf_apply(&i.item, buf, BLOCK);
	assert_memory_equal(buf, want, BLOCK);
}

static void pieces_behind_the_buffer_count_for_nothing(void **state)
{
	uint8_t buf[BLOCK], want[BLOCK];
	struct item i;

	(void)state;
	begin_buf(&i, 3, 2);
	memset(buf, 0xdd, BLOCK);
	memset(want, 0xdd, BLOCK);
	log_buf_apply(&i.item, buf, 4 * 128);
	assert_memory_equal(buf, want, BLOCK);
}

static void fill_inodes(uint8_t buf[BLOCK])
{
	memset(buf, 0xdd, BLOCK);
	for (unsigned at = 0; at < BLOCK; at += 512)
		put_be(buf + at, 0x494e, 2);
}

static void of_inodes_only_unlinked_pointers_change(void **state)
{
	uint8_t buf[BLOCK], want[BLOCK];
	uint32_t crc;
	struct item i;

	(void)state;
	begin_buf(&i, 3, 5); /* the end of the first inode, all of the second */
	memset(i.bytes[1], 0x11, 5 * 128);
	put_be(i.bytes[1] + 128 + NEXT, 0x77, 4);
	fill_inodes(buf);
	memcpy(want, buf, BLOCK);
	put_be(want + 512 + NEXT, 0x77, 4);
	crc = crc_block(want + 512, 512, CRC);
	put_le32(want + 512 + CRC, crc);
	assert_true(log_unlinked_apply(&i.c, &i.item, buf, BLOCK));
	assert_nothing(&i);
	assert_memory_equal(buf, want, BLOCK);
}

static void every_pointer_that_was_logged_is_set(void **state)
{
	uint8_t buf[BLOCK];
	struct item i;

	(void)state;
	begin_buf(&i, 8, 8); /* the third and the fourth of 512 bytes */
	fill_inodes(buf);
	assert_true(log_unlinked_apply(&i.c, &i.item, buf, BLOCK));
	for (unsigned inode = 0; inode < 8; inode++)
		assert_int_equal(buf[inode * 512 + NEXT], inode == 2 ? 8 : inode == 3 ? 12 : 0xdd);
}

static void inode_0_can_not_be_the_next_unlinked_one(void **state)
{
	uint8_t buf[BLOCK];
	struct item i;

	(void)state;
	begin_buf(&i, 4, 1);
	memset(i.bytes[1], 0, 128);
	fill_inodes(buf);
	assert_false(log_unlinked_apply(&i.c, &i.item, buf, BLOCK));
	assert_only(&i, F_LOG_REPLAY_UNLINKED, 0, 0);
}

static void unlinked_pointers_are_those_of_inodes(void **state)
{
	uint8_t buf[BLOCK];
	struct item i;

	(void)state;
	begin_buf(&i, 4, 1);
	fill_inodes(buf);
	put_be(buf + 512, 0x1234, 2);
	assert_false(log_unlinked_apply(&i.c, &i.item, buf, BLOCK));
	assert_only(&i, F_LOG_REPLAY_NOT_INODE, 0x1234, 0x494e);
}

static void new_inodes_are_free(void **state)
{
	struct geometry geo = item_geometry();
	uint8_t inode[512], want[512] = { 0x49, 0x4e, 0, 0, 3 };
	uint32_t crc;

	(void)state;
	memset(geo.meta_uuid, 0x5a, sizeof(geo.meta_uuid));
	put_be(want + 92, 0xabcdef01, 4);
	put_be(want + NEXT, UINT32_MAX, 4);
	put_be(want + 152, 4711, 8);
	memset(want + 160, 0x5a, 16);
	crc = crc_block(want, 512, CRC);
	put_le32(want + CRC, crc);
	memset(inode, 0xdd, sizeof(inode));
	log_icreate_apply(&geo, (xino_t){ 4711 }, 0xabcdef01, inode);
	assert_memory_equal(inode, want, sizeof(inode));
}

static void begin_record(uint8_t record[136], uint8_t logged[104], uint64_t date)
{
	uint32_t crc;

	memset(record, 0xdd, 136);
	put_be(record, 0x4451, 2);
	put_be(record + 112, date, 8);
	crc = crc_block(record, 136, 108);
	put_le32(record + 108, crc);
	memset(logged, 0x33, 104);
	put_be(logged, 0x4451, 2);
}

static void quota_records_are_replayed_unless_newer(void **state)
{
	static const struct {
		uint64_t date;
		enum log_applied applied;
	} cases[] = {
		{ DATE - 1, LOG_APPLIED },
		{ 0, LOG_APPLIED },
		{ DATE, LOG_NEWER },
		{ DATE + 1, LOG_NEWER },
	};
	uint8_t record[136], want[136], logged[104];
	const struct log_dquot dquot = { .dquot = logged };
	struct item i;
	uint32_t crc;

	(void)state;
	item_begin(&i, false, DQUOT, 2, 24);
	for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		begin_record(record, logged, cases[k].date);
		memcpy(want, record, sizeof(want));
		if (cases[k].applied == LOG_APPLIED) {
			memcpy(want, logged, sizeof(logged));
			crc = crc_block(want, sizeof(want), 108);
			put_le32(want + 108, crc);
		}
		assert_int_equal(log_dquot_apply(&i.c, &dquot, (lsn_t){ DATE }, record), cases[k].applied);
		assert_memory_equal(record, want, sizeof(record));
	}
	assert_nothing(&i);
}

static void what_is_no_quota_record_is_reported(void **state)
{
	uint8_t record[136], logged[104];
	const struct log_dquot dquot = { .dquot = logged };
	struct item i;

	(void)state;
	item_begin(&i, false, DQUOT, 2, 24);
	begin_record(record, logged, 0);
	put_be(record, 0x494e, 2);
	assert_int_equal(log_dquot_apply(&i.c, &dquot, (lsn_t){ DATE }, record), LOG_IMPOSSIBLE);
	assert_only(&i, F_LOG_REPLAY_NOT_DQUOT, 0x494e, 0x4451);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_was_logged_changes),
		cmocka_unit_test(pieces_behind_the_buffer_count_for_nothing),
		cmocka_unit_test(of_inodes_only_unlinked_pointers_change),
		cmocka_unit_test(every_pointer_that_was_logged_is_set),
		cmocka_unit_test(inode_0_can_not_be_the_next_unlinked_one),
		cmocka_unit_test(unlinked_pointers_are_those_of_inodes),
		cmocka_unit_test(new_inodes_are_free),
		cmocka_unit_test(quota_records_are_replayed_unless_newer),
		cmocka_unit_test(what_is_no_quota_record_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
