/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/restore/mend_byte.c: the one byte of a block that its checksum shows to be wrong; no guess at more. */
#include "scratch_device.h"

#include <string.h>

#include "../../repair/mend/base/mend.h"
#include "../../repair/mend/base/menders.h"
#include "../../repair/mend/plan/mend_run.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "ag_headers.h"

enum { AGF_CRC = 216, AT = SECTOR };

struct fixture {
	struct scratch scratch;
	struct run run;
	struct repair rc;
	struct mend m;
	uint8_t agf[SECTOR];
};

/* CRC-32C, bit by bit, stored with the least significant byte first. */
static void put_naive_crc(uint8_t *bytes)
{
	uint32_t crc = UINT32_MAX;

	memset(bytes + AGF_CRC, 0, 4);
	for (unsigned i = 0; i < SECTOR; i++) {
		crc ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	for (unsigned i = 0; i < 4; i++)
		bytes[AGF_CRC + i] = (uint8_t)(~crc >> 8 * i);
}

/* A sound AGF of AG 0: offsets of ondisk 02. */
static void fill_agf(uint8_t *agf)
{
	static const struct {
		unsigned offset;
		uint32_t value;
	} fields[] = { { 0, 0x58414746 }, { 4, 1 },  { 8, 0 },	{ 12, AGBLOCKS }, { 16, 1 }, { 20, 2 }, { 24, 5 },
		       { 28, 1 },	  { 32, 1 }, { 36, 2 }, { 40, 3 },	  { 44, 8 }, { 48, 6 }, { 52, 15000 },
		       { 56, 9000 },	  { 60, 4 }, { 80, 5 }, { 84, 1 },	  { 88, 6 }, { 92, 1 } };

	memset(agf, 0, SECTOR);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		put(agf, fields[i].offset, 4, fields[i].value);
	put_uuid(agf, 64);
	put(agf, 208, 8, 0x100000040);
	put_naive_crc(agf);
}

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->rc.run = &f->run;
	scratch_open(&f->scratch, ENGINE_THREADS, 1 << 16);
	f->run.device = f->scratch.device;
	f->rc.geo = headers_geometry();
	f->m = (struct mend){ .rc = &f->rc, .now = &f->rc, .kind = MEND_group_byte, .quiet = true };
	fill_agf(f->agf);
}

static void close_fixture(struct fixture *f)
{
	mend_round_end(&f->m);
	mend_end(&f->m);
	scratch_close(&f->scratch);
}

/* Mends the AGF with these bytes on the disk. True: it was written; ret: what it is then. */
static bool mended(struct fixture *f, const uint8_t *disk, uint8_t *ret)
{
	const struct found found = { .place = { .object = OBJ_AGF, .agno.v = 0 }, .problem.finding = F_BLOCK_CRC };

	assert_int_equal(pwrite(f->scratch.fd, disk, SECTOR, AT), SECTOR);
	assert_int_equal(mend_group_byte(&f->m, &found, 1), 0);
	assert_int_equal(mend_read(&f->m, ret, AT, SECTOR), 0);
	return device_staged(f->scratch.device, LAYER_MEND) > 0;
}

static void any_single_byte_comes_back(void **state)
{
	(void)state;
	for (unsigned at = 0; at < SECTOR; at += at < 100 || (at > 200 && at < 230) ? 1 : 37) {
		uint8_t disk[SECTOR], now[SECTOR];
		struct fixture f;

		if (at >= AGF_CRC && at < AGF_CRC + 4)
			continue;
		open_fixture(&f);
		memcpy(disk, f.agf, SECTOR);
		disk[at] ^= (uint8_t)(1 + at % 255);
		assert_true(mended(&f, disk, now));
		assert_memory_equal(now, f.agf, SECTOR);
		assert_int_equal(f.m.done, 1);
		close_fixture(&f);
	}
}

/* The checksum does not tell what two bytes were. */
static void two_bytes_are_left_alone(void **state)
{
	(void)state;
	for (unsigned at = 16; at < 64; at += 4) {
		uint8_t disk[SECTOR], now[SECTOR];
		struct fixture f;

		open_fixture(&f);
		memcpy(disk, f.agf, SECTOR);
		disk[at + 3] ^= 0x5a;
		disk[at + 64] ^= 0x11;
		assert_false(mended(&f, disk, now));
		assert_memory_equal(now, disk, SECTOR);
		assert_int_equal(f.m.done, 0);
		close_fixture(&f);
	}
}

/* Then the checksum was that of a wrong block, or the byte is one by chance. */
static void a_block_with_another_error_is_left_alone(void **state)
{
	uint8_t disk[SECTOR], now[SECTOR];
	struct fixture f;

	(void)state;
	open_fixture(&f);
	put(f.agf, 12, 4, AGBLOCKS - 1); /* the length */
	put_naive_crc(f.agf);
	memcpy(disk, f.agf, SECTOR);
	disk[55] ^= 4;
	assert_false(mended(&f, disk, now));
	assert_memory_equal(now, disk, SECTOR);
	close_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_single_byte_comes_back),
		cmocka_unit_test(two_bytes_are_left_alone),
		cmocka_unit_test(a_block_with_another_error_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
