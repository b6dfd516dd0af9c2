/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One record of the log (ondisk 11). */
#include "../../libxfs/log_record.h"
#include "logs.h"

struct bench {
	struct check c;
	struct log_reader log;
};

static struct bench bench_of(struct fixture *f)
{
	memset(&f->reported, 0, sizeof(f->reported));
	return (struct bench){
		.c = { &f->geo, reported_add, &f->reported },
		.log = log_reader_of(read_fixture, f, f->bbs),
	};
}

static bool decode(struct fixture *f, uint32_t bb, struct log_record *ret_record)
{
	struct bench b = bench_of(f);

	return log_record_decode(&b.c, &b.log, bb, ret_record);
}

static bool verify(struct fixture *f, uint32_t bb)
{
	struct bench b = bench_of(f);
	struct log_record record;

	assert_true(log_record_decode(&b.c, &b.log, bb, &record));
	assert_int_equal(f->reported.count, 0);
	return log_record_verify(&b.c, &b.log, &record);
}

static void header_of_a_record_is_read(void **state)
{
	struct fixture *f = *state;
	uint32_t bb = put_record(f, (struct spec){ .blocks = 20 });
	struct log_record record;

	assert_true(decode(f, bb, &record));
	assert_int_equal(f->reported.count, 0);
	assert_int_equal(record.bb, 2);
	assert_int_equal(record.cycle, 1);
	assert_int_equal(record.header_blocks, 1);
	assert_int_equal(record.blocks, 21);
	assert_int_equal(record.ops, 5);
	assert_true(record.tail.v == lsn(1, 2));
	assert_true(record.tail_possible);
	assert_true(record.has_crc);
}

static void large_buffers_have_more_header_blocks(void **state)
{
	static const struct {
		uint32_t size, headers;
	} sizes[] = { { 16384, 1 }, { 32768, 1 }, { 33280, 2 }, { 65536, 2 }, { 102400, 4 }, { 262144, 8 } };
	struct fixture *f = *state;
	struct log_record record;

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint32_t bb = put_record(f, (struct spec){ .blocks = 1, .size = sizes[i].size });

		assert_true(decode(f, bb, &record));
		assert_int_equal(record.header_blocks, sizes[i].headers);
		assert_int_equal(record.blocks, sizes[i].headers + 1);
		assert_true(verify(f, bb));
	}
}

static void other_blocks_are_no_headers(void **state)
{
	struct fixture *f = *state;
	uint32_t bb = put_small(f);
	struct log_record record;

	assert_false(decode(f, bb + 1, &record));
	assert_int_equal(f->reported.count, 0);
}

static void fields_of_the_header_are_checked(void **state)
{
	static const struct {
		uint32_t offset, value;
		enum finding finding;
		uint64_t got, want;
		bool extent_known;
	} faults[] = {
		{ VERSION, 1, F_LOG_RECORD_VERSION, 1, 2, true },
		{ LSN + 4, 5, F_LOG_RECORD_LSN, 0x100000005, 0x100000004, true },
		{ LSN, 2, F_LOG_RECORD_LSN, 0x200000004, 0x100000004, true },
		{ TAIL_LSN, 0, F_LOG_RECORD_TAIL, 4, 0x100000004, true }, /* there is no lap before the first */
		{ TAIL_LSN, 2, F_LOG_RECORD_TAIL, 0x200000004, 0x100000004, true },
		{ TAIL_LSN + 4, 5, F_LOG_RECORD_TAIL, 0x100000005, 0x100000004, true },
		{ TAIL_LSN + 4, BBS, F_LOG_RECORD_TAIL, 0x100000000 | BBS, 0x100000004, true },
		{ FMT, 0, F_LOG_RECORD_FORMAT, 0, 1, true },
		{ FMT, 3, F_LOG_RECORD_FORMAT, 3, 1, true },
		{ FS_UUID + 4, 0, F_LOG_RECORD_UUID, 0, 0, true },
		{ LEN, 0, F_LOG_RECORD_LEN, 0, 32768, false },
		{ LEN, 513, F_LOG_RECORD_LEN, 513, 32768, false },
		{ LEN, 33280, F_LOG_RECORD_LEN, 33280, 32768, false },
		{ H_SIZE, 0, F_LOG_RECORD_SIZE, 0, 262144, false },
		{ H_SIZE, 32769, F_LOG_RECORD_SIZE, 32769, 262144, false },
		{ H_SIZE, 262656, F_LOG_RECORD_SIZE, 262656, 262144, false },
	};
	struct fixture *f = *state;
	struct log_record record;
	uint32_t bb;

	put_small(f);
	f->tail = lsn(1, 4);
	bb = put_small(f);
	assert_int_equal(bb, 4);
	for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		uint8_t *field = f->bytes[bb] + faults[i].offset;
		uint32_t saved = get32(field);

		put32(field, faults[i].value);
		assert_int_equal(decode(f, bb, &record), faults[i].extent_known);
		assert_reported_once(&f->reported, faults[i].finding, faults[i].got, faults[i].want);
		assert_int_equal(f->reported.problems[0].index, bb);
		put32(field, saved);
	}
	assert_true(decode(f, bb, &record));
	assert_int_equal(f->reported.count, 0);
}

static void tail_may_be_a_lap_behind(void **state)
{
	struct fixture *f = *state;
	struct log_record record;
	uint32_t bb;

	f->cycle = 3;
	f->tail = lsn(2, 100);
	f->at = 100;
	bb = put_small(f);
	assert_true(decode(f, bb, &record));
	assert_int_equal(f->reported.count, 0);
	f->tail = lsn(2, 100);
	bb = put_small(f);
	assert_true(decode(f, bb, &record));
	assert_reported_once(&f->reported, F_LOG_RECORD_TAIL, lsn(2, 100), lsn(3, 102));
	assert_false(record.tail_possible);
	put64(f->bytes[bb] + TAIL_LSN, lsn(2, BBS - 1));
	assert_true(decode(f, bb, &record));
	assert_int_equal(f->reported.count, 0);
	put64(f->bytes[bb] + TAIL_LSN, lsn(2, BBS));
	assert_true(decode(f, bb, &record));
	assert_reported_once(&f->reported, F_LOG_RECORD_TAIL, lsn(2, BBS), lsn(3, 102));
	put64(f->bytes[bb] + TAIL_LSN, lsn(1, 200));
	assert_true(decode(f, bb, &record));
	assert_reported_once(&f->reported, F_LOG_RECORD_TAIL, lsn(1, 200), lsn(3, 102));
}

static void both_uuids_of_the_file_system_are_right(void **state)
{
	struct fixture *f = *state;
	struct log_record record;

	memset(f->bytes[0] + FS_UUID, 0x22, 16);
	assert_true(decode(f, 0, &record));
	assert_int_equal(f->reported.count, 0);
}

static void record_of_an_old_mkfs_is_larger_than_it_says(void **state)
{
	struct fixture *f = *state;
	struct log_record record;

	put32(f->bytes[0] + LEN, 511 * 512);
	assert_true(decode(f, 0, &record));
	assert_int_equal(f->reported.count, 0);
	assert_int_equal(record.blocks, 512);
	put32(f->bytes[0] + LEN, 513 * 512);
	assert_false(decode(f, 0, &record));
	assert_reported_once(&f->reported, F_LOG_RECORD_LEN, 513 * 512, 512 * 512);
}

static void record_longer_than_the_log_is_refused(void **state)
{
	struct fixture *f = *state;
	struct log_record record;

	f->bbs = 64;
	f->at = 10;
	put_record(f, (struct spec){ .blocks = 60 });
	assert_false(decode(f, 10, &record));
	assert_reported_once(&f->reported, F_LOG_RECORD_LEN, 60 * 512, 64);
}

static void sound_records_are_verified(void **state)
{
	struct fixture *f = *state;

	assert_true(verify(f, put_small(f)));
	assert_true(verify(f, put_record(f, (struct spec){ .blocks = 64 })));
	/* extended headers count as far as the payload needs them */
	assert_true(verify(f, put_record(f, (struct spec){ .blocks = 504, .size = 262144 })));
	assert_true(verify(f, put_record(f, (struct spec){ .blocks = 65, .size = 262144 })));
	assert_true(verify(f, put_record(f, (struct spec){ .blocks = 1, .size = 262144 })));
	assert_true(verify(f, put_record(f, (struct spec){ .blocks = 3, .i386 = true })));
	f->at = BBS - 10;
	f->tail = lsn(1, 2);
	assert_true(verify(f, put_record(f, (struct spec){ .blocks = 40 })));
}

static void wrong_checksum_is_reported(void **state)
{
	/* the header; header data; an extended header; the payload */
	static const uint32_t places[][2] = { { 0, NUM_LOGOPS }, { 0, 299 }, { 1, 200 }, { 9, 100 }, { 11, 511 } };
	struct fixture *f = *state;
	uint32_t bb = put_record(f, (struct spec){ .blocks = 504, .size = 262144 });

	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		uint8_t *byte = &f->bytes[bb + places[i][0]][places[i][1]];

		*byte ^= 0x10;
		assert_false(verify(f, bb));
		assert_int_equal(f->reported.count, 1);
		assert_int_equal(f->reported.problems[0].finding, F_LOG_RECORD_CRC);
		assert_int_equal(f->reported.problems[0].index, bb);
		*byte ^= 0x10;
	}
	assert_true(verify(f, bb));
}

static void what_no_checksum_covers_may_be_anything(void **state)
{
	struct fixture *f = *state;
	uint32_t bb = put_record(f, (struct spec){ .blocks = 64, .size = 65536 });

	f->bytes[bb][400] = 1;
	f->bytes[bb + 1][300] = 1;
	f->bytes[bb + 1][100] = 1; /* in an extended header that the payload does not need */
	assert_true(verify(f, bb));
}

static void only_mkfs_leaves_out_the_checksum(void **state)
{
	struct fixture *f = *state;

	assert_true(verify(f, 0));
	put32(f->bytes[0] + PREV_BLOCK, 0);
	assert_false(verify(f, 0));
	assert_int_equal(reported_times(&f->reported, F_LOG_RECORD_CRC), 1);
}

static void stamp_of_another_lap_is_reported(void **state)
{
	struct fixture *f = *state;
	uint32_t bb = put_record(f, (struct spec){ .blocks = 20 });

	put32(f->bytes[bb + 7], 0);
	assert_false(verify(f, bb));
	assert_reported_once(&f->reported, F_LOG_CYCLE, 0, 1);
	assert_int_equal(f->reported.problems[0].index, bb + 7);
}

static void header_inside_a_record_is_reported(void **state)
{
	struct fixture *f = *state;
	uint32_t bb = put_record(f, (struct spec){ .blocks = 20 });

	put_stale(f, bb + 7, 1);
	assert_false(verify(f, bb));
	assert_reported_once(&f->reported, F_LOG_CYCLE, 1, 1);
}

static void unmount_record_is_known_by_its_operation(void **state)
{
	struct fixture *f = *state;
	uint32_t transaction = put_small(f),
		 unmount = put_record(f, (struct spec){ .blocks = 1, .size = 65536, .unmount = true });
	struct bench b = bench_of(f);
	struct log_record record;

	assert_true(log_record_decode(&b.c, &b.log, transaction, &record));
	assert_false(log_record_unmounts(&b.c, &b.log, &record));
	assert_true(log_record_decode(&b.c, &b.log, unmount, &record));
	assert_true(log_record_unmounts(&b.c, &b.log, &record));
	assert_int_equal(f->reported.count, 0);
	record.ops = 2;
	assert_true(log_record_unmounts(&b.c, &b.log, &record));
	assert_reported_once(&f->reported, F_LOG_RECORD_OPS, 2, 1);
	f->bytes[unmount + 2][8] = 0x69;
	b.log.count = 0;
	assert_false(log_record_unmounts(&b.c, &b.log, &record));
}

static void header_without_its_magic_is_known_again(void **state)
{
	struct fixture *f = *state;
	uint32_t bb = put_small(f);
	uint8_t *block = f->bytes[bb];

	assert_false(log_lost_magic(&f->geo, block, (lsn_t){ lsn(1, bb) }));
	put32(block, 1);
	assert_true(log_lost_magic(&f->geo, block, (lsn_t){ lsn(1, bb) }));
	assert_false(log_lost_magic(&f->geo, block, (lsn_t){ lsn(2, bb) }));
	block[FS_UUID] ^= 1;
	assert_false(log_lost_magic(&f->geo, block, (lsn_t){ lsn(1, bb) }));
}

static void one_bad_block_does_not_hide_its_neighbours(void **state)
{
	struct fixture *f = *state;
	struct bench b = bench_of(f);

	f->bad = 77;
	assert_null(log_block(&b.log, 77));
	assert_int_equal(b.log.unreadable, 77);
	assert_memory_equal(log_block(&b.log, 76), f->bytes[76], 512);
	assert_memory_equal(log_block(&b.log, 78), f->bytes[78], 512);
	assert_memory_equal(log_block(&b.log, BBS - 1), f->bytes[BBS - 1], 512);
	f->bad = 5;
	assert_null(log_block(&b.log, 5));
	assert_int_equal(b.log.unreadable, 77);
}

static void what_lies_behind_the_end_of_the_device_is_not_asked_for_again(void **state)
{
	struct fixture *f = *state;
	struct bench b = bench_of(f);
	unsigned reads;

	f->ends = 70;
	assert_null(log_block(&b.log, 100));
	assert_int_equal(b.log.unreadable, 100);
	reads = f->reads;
	for (uint32_t bb = 100; bb < BBS; bb++)
		assert_null(log_block(&b.log, bb));
	assert_int_equal(f->reads, reads);
	assert_memory_equal(log_block(&b.log, 69), f->bytes[69], 512);
	assert_memory_equal(log_block(&b.log, 0), f->bytes[0], 512);
	assert_null(log_block(&b.log, 70));
}

static void records_of_version_1_have_one_header_block(void **state)
{
	struct fixture *f = *state;
	uint32_t bb, too_long;
	struct log_record record;

	f->geo.log_version = 1;
	bb = put_record(f, (struct spec){ .blocks = 64 });
	too_long = put_record(f, (struct spec){ .blocks = 65 });
	/* in version 1 the size of the buffer is fixed, and its field is ignored */
	put32(block_at(f, bb) + H_SIZE, 0);
	assert_true(decode(f, bb, &record));
	assert_int_equal(f->reported.count, 0);
	assert_int_equal(record.header_blocks, 1);
	assert_int_equal(record.blocks, 65);
	put32(block_at(f, bb) + H_SIZE, 262144);
	assert_true(decode(f, bb, &record));
	assert_int_equal(f->reported.count, 0);
	assert_int_equal(record.header_blocks, 1);
	assert_false(decode(f, too_long, &record));
	assert_reported_once(&f->reported, F_LOG_RECORD_LEN, 65 * 512, 32768);
}

static void records_of_irix_are_sound(void **state)
{
	struct fixture *f = *state;
	uint32_t bb;
	struct log_record record;

	f->geo.log_version = 1;
	bb = put_small(f);
	put32(block_at(f, bb) + FMT, 0);
	memset(block_at(f, bb) + FS_UUID, 0, 16);
	assert_true(decode(f, bb, &record));
	assert_int_equal(f->reported.count, 0);
	f->geo.log_version = 2;
	put32(block_at(f, bb) + VERSION, 2);
	decode(f, bb, &record);
	assert_int_equal(reported_times(&f->reported, F_LOG_RECORD_FORMAT), 1);
	assert_int_equal(reported_times(&f->reported, F_LOG_RECORD_UUID), 1);
}

static void records_of_version_4_may_have_no_checksum(void **state)
{
	struct fixture *f = *state;
	uint32_t bb = put_small(f);

	memset(block_at(f, bb) + H_CRC, 0, 4);
	assert_false(verify(f, bb));
	f->geo.crc = false;
	assert_true(verify(f, bb));
	block_at(f, bb)[H_CRC] = 1;
	assert_false(verify(f, bb));
}

static void record_of_an_old_mkfs_says_less_than_it_has(void **state)
{
	struct fixture *f = *state;
	uint32_t bb = put_record(f, (struct spec){ .blocks = 1, .unmount = true, .mkfs = true });
	uint32_t kernel = put_unmount(f);
	struct log_record record;

	put32(block_at(f, bb) + LEN, 20);
	assert_true(decode(f, bb, &record));
	assert_int_equal(f->reported.count, 0);
	assert_int_equal(record.blocks, 2);
	put32(block_at(f, kernel) + LEN, 20);
	assert_false(decode(f, kernel, &record));
	assert_reported_once(&f->reported, F_LOG_RECORD_LEN, 20, 262144);
}

static void checksum_tells_which_bit_has_changed(void **state)
{
	/* of a record with two header blocks: header, extended header, payload with its cycle, last byte */
	static const uint32_t offsets[] = { 40, 304, 512 + 8, 1024, 1024 + 3, 1024 + 77, 81 * 512 - 1 };
	struct fixture *f = *state;
	uint32_t bb = put_record(f, (struct spec){ .blocks = 79, .size = 65536 });
	struct bench b = bench_of(f);
	struct log_record record;
	struct log_bit bit;

	assert_true(log_record_decode(&b.c, &b.log, bb, &record));
	assert_int_equal(record.header_blocks, 2);
	assert_false(log_record_find_bit(&b.log, &record, &bit));
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		uint8_t *byte = block_at(f, bb) + offsets[i];

		*byte ^= 1u << i;
		b = bench_of(f);
		assert_true(log_record_find_bit(&b.log, &record, &bit));
		assert_int_equal(bit.record, bb);
		assert_int_equal(bit.bb, bb + offsets[i] / 512);
		assert_int_equal(bit.offset, offsets[i] % 512);
		assert_int_equal(bit.mask, 1u << i);
		*byte ^= 2u << i; /* now it is two bits */
		b = bench_of(f);
		assert_false(log_record_find_bit(&b.log, &record, &bit));
		*byte ^= 3u << i;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		log_test(header_of_a_record_is_read),
		log_test(large_buffers_have_more_header_blocks),
		log_test(other_blocks_are_no_headers),
		log_test(fields_of_the_header_are_checked),
		log_test(tail_may_be_a_lap_behind),
		log_test(both_uuids_of_the_file_system_are_right),
		log_test(record_of_an_old_mkfs_is_larger_than_it_says),
		log_test(record_longer_than_the_log_is_refused),
		log_test(sound_records_are_verified),
		log_test(wrong_checksum_is_reported),
		log_test(what_no_checksum_covers_may_be_anything),
		log_test(only_mkfs_leaves_out_the_checksum),
		log_test(stamp_of_another_lap_is_reported),
		log_test(header_inside_a_record_is_reported),
		log_test(unmount_record_is_known_by_its_operation),
		log_test(header_without_its_magic_is_known_again),
		log_test(one_bad_block_does_not_hide_its_neighbours),
		log_test(what_lies_behind_the_end_of_the_device_is_not_asked_for_again),
		log_test(records_of_version_1_have_one_header_block),
		log_test(records_of_irix_are_sound),
		log_test(records_of_version_4_may_have_no_checksum),
		log_test(record_of_an_old_mkfs_says_less_than_it_has),
		log_test(checksum_tells_which_bit_has_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
