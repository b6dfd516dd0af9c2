/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding the byte that has changed since a checksum was stored. */
#include "reported.h"
#include "libxfs/crc.h"

#define OFFSET 12u

static void make(uint8_t *block, size_t len)
{
	for (size_t i = 0; i < len; i++)
		block[i] = (uint8_t)(i * i >> 3);
	crc_store(block, len, OFFSET);
}

static void assert_nothing_found(const uint8_t *block, size_t len)
{
	uint8_t was;
	size_t at;

	assert_false(crc_find_byte(block, len, OFFSET, &at, &was));
}

/* Bytes of the checksum as well. */
static void every_byte_is_found_wherever_it_lies(void **state)
{
	uint8_t block[512], was;
	size_t at;

	(void)state;
	make(block, sizeof(block));
	for (size_t i = 0; i < sizeof(block); i++) {
		const uint8_t sound = block[i];

		for (unsigned change = 1; change < 256; change++) {
			block[i] = (uint8_t)(sound ^ change);
			assert_true(crc_find_byte(block, sizeof(block), OFFSET, &at, &was));
			assert_int_equal(at, i);
			assert_int_equal(was, sound);
		}
		block[i] = sound;
	}
}

static void ends_of_large_blocks_are_no_exception(void **state)
{
	static uint8_t block[65536];
	static const size_t places[] = { 0, OFFSET - 1, OFFSET, OFFSET + 4, 30000, sizeof(block) - 1 };
	uint8_t was;
	size_t at;

	(void)state;
	make(block, sizeof(block));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const uint8_t sound = block[places[i]];

		block[places[i]] ^= 0x40;
		assert_true(crc_find_byte(block, sizeof(block), OFFSET, &at, &was));
		assert_int_equal(at, places[i]);
		assert_int_equal(was, sound);
		block[places[i]] = sound;
	}
}

static void nothing_is_found_where_all_is_as_it_was(void **state)
{
	uint8_t block[512];

	(void)state;
	make(block, sizeof(block));
	assert_nothing_found(block, sizeof(block));
}

/* Two changed bits on both sides of a byte border: none looks like one changed byte in so small a block. */
static void two_bytes_are_not_one(void **state)
{
	uint8_t block[512];

	(void)state;
	make(block, sizeof(block));
	for (size_t i = OFFSET + 4; i + 1 < sizeof(block); i++) {
		block[i] ^= 0x01;
		block[i + 1] ^= 0x80;
		assert_nothing_found(block, sizeof(block));
		block[i] ^= 0x01;
		block[i + 1] ^= 0x80;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_is_found_wherever_it_lies),
		cmocka_unit_test(ends_of_large_blocks_are_no_exception),
		cmocka_unit_test(nothing_is_found_where_all_is_as_it_was),
		cmocka_unit_test(two_bytes_are_not_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
