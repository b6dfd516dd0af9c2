/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checksums of blocks (ondisk 00), against a bitwise twin of the definition. */
#include "reported.h"
#include "libxfs/crc.h"

/* CRC-32C bit by bit: reflected polynomial 0x82F63B78, all ones before, inverted after. */
static uint32_t bitwise(const uint8_t *bytes, size_t len)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < len; i++) {
		crc ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

static void fill(uint8_t *bytes, size_t len)
{
	uint32_t state = 1;

	for (size_t i = 0; i < len; i++) {
		state = state * 1103515245 + 12345;
		bytes[i] = (uint8_t)(state >> 16);
	}
}

static void library_passes_its_selftest(void **state)
{
	(void)state;
	assert_int_equal(crc_selftest(), 0);
}

static void twin_gives_the_published_check_value(void **state)
{
	(void)state;
	assert_int_equal(bitwise((const uint8_t *)"123456789", 9), 0xe3069283);
}

static void checksum_counts_its_own_field_as_zero(void **state)
{
	static const size_t lengths[] = { 4, 36, 136, 512, 1000, 4096, 65536, 131071, 131072, 200000 };
	static uint8_t block[200000];
	static uint8_t zeroed[200000];

	(void)state;
	fill(block, sizeof(block));
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t len = lengths[i];
		size_t offsets[] = { 0, len / 3, len - 4 };

		for (unsigned k = 0; k < 3 && offsets[k] + 4 <= len; k++) {
			memcpy(zeroed, block, len);
			memset(zeroed + offsets[k], 0, 4);
			assert_int_equal(crc_block(block, len, offsets[k]), bitwise(zeroed, len));
		}
	}
}

static void field_may_be_anywhere(void **state)
{
	uint8_t block[512], zeroed[512];

	(void)state;
	fill(block, sizeof(block));
	for (size_t offset = 0; offset + 4 <= sizeof(block); offset++) {
		memcpy(zeroed, block, sizeof(block));
		memset(zeroed + offset, 0, 4);
		assert_int_equal(crc_block(block, sizeof(block), offset), bitwise(zeroed, sizeof(block)));
	}
}

static void checksum_is_stored_little_endian(void **state)
{
	struct reported r = { 0 };
	struct check c = { NULL, reported_add, &r };
	uint8_t block[512];
	uint32_t crc;

	(void)state;
	fill(block, sizeof(block));
	crc = crc_block(block, sizeof(block), 100);
	for (unsigned i = 0; i < 4; i++)
		block[100 + i] = (uint8_t)(crc >> 8 * i);
	assert_true(crc_check(&c, block, sizeof(block), 100));
	assert_int_equal(r.count, 0);
}

static void one_wrong_bit_is_reported(void **state)
{
	struct reported r = { 0 };
	struct check c = { NULL, reported_add, &r };
	uint8_t block[512] = { 0 };
	le32_t good = le32_put(crc_block(block, sizeof(block), 52));

	(void)state;
	memcpy(block + 52, &good, sizeof(good));
	block[511] ^= 0x10;
	assert_false(crc_check(&c, block, sizeof(block), 52));
	assert_reported_once(&r, F_BLOCK_CRC, le32_get(good), crc_block(block, sizeof(block), 52));
	assert_int_equal(r.problems[0].offset, 52);
}

static void a_checksum_is_computed_again_only_for_who_wants_to_know(void **state)
{
	const struct check known = check_known(NULL), silent = check_silent(NULL);
	uint8_t block[512] = { 1 };

	(void)state;
	assert_true(crc_check(&known, block, sizeof(block), 52));
	assert_false(crc_check(&silent, block, sizeof(block), 52));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(library_passes_its_selftest),
		cmocka_unit_test(twin_gives_the_published_check_value),
		cmocka_unit_test(checksum_counts_its_own_field_as_zero),
		cmocka_unit_test(field_may_be_anywhere),
		cmocka_unit_test(checksum_is_stored_little_endian),
		cmocka_unit_test(one_wrong_bit_is_reported),
		cmocka_unit_test(a_checksum_is_computed_again_only_for_who_wants_to_know),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
