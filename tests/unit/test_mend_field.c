/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/restore/mend_field.c: a field of a header gets its value, and nothing else changes but the checksum. */
#include "mending.h"

#include <string.h>

#include "bytes.h"

enum { SECTOR = 512, AGS = 2, AG_BYTES = 256 * 4096 };

/* Where the headers are, and their fields and checksums: ondisk 01 and 02. */
static const struct field {
	enum finding finding;
	enum object object;
	unsigned sector, offset, width, crc;
} fields[] = {
	{ F_SB_BLOCKSIZE, OBJ_SUPERBLOCK, 0, 4, 4, 224 },
	{ F_SB_VERSIONNUM, OBJ_SUPERBLOCK, 0, 100, 2, 224 },
	{ F_SB_SECTLOG, OBJ_SUPERBLOCK, 0, 121, 1, 224 },
	{ F_SB_INPROGRESS, OBJ_SUPERBLOCK, 0, 126, 1, 224 },
	{ F_SB_IMAX_PCT, OBJ_SUPERBLOCK, 0, 127, 1, 224 },
	{ F_SB_ICOUNT_COUNT, OBJ_SUPERBLOCK, 0, 128, 8, 224 },
	{ F_SB_IFREE_COUNT, OBJ_SUPERBLOCK, 0, 136, 8, 224 },
	{ F_SB_FDBLOCKS_COUNT, OBJ_SUPERBLOCK, 0, 144, 8, 224 },
	{ F_SB_FREXTENTS_COUNT, OBJ_SUPERBLOCK, 0, 152, 8, 224 },
	{ F_SB_QFLAGS, OBJ_SUPERBLOCK, 0, 176, 2, 224 },
	{ F_SB_SHARED_VN, OBJ_SUPERBLOCK, 0, 179, 1, 224 },
	{ F_SB_INOALIGNMT, OBJ_SUPERBLOCK, 0, 180, 4, 224 },
	{ F_AGF_FREEBLKS_COUNT, OBJ_AGF, 1, 52, 4, 216 },
	{ F_AGF_LONGEST_COUNT, OBJ_AGF, 1, 56, 4, 216 },
	{ F_AGF_BTREEBLKS_COUNT, OBJ_AGF, 1, 60, 4, 216 },
	{ F_AGF_RMAP_BLOCKS_COUNT, OBJ_AGF, 1, 80, 4, 216 },
	{ F_AGF_REFCOUNT_BLOCKS_COUNT, OBJ_AGF, 1, 84, 4, 216 },
	{ F_AGI_FREECOUNT_COUNT, OBJ_AGI, 2, 28, 4, 312 },
	{ F_AGI_IBLOCKS_COUNT, OBJ_AGI, 2, 336, 4, 312 },
	{ F_AGI_FBLOCKS_COUNT, OBJ_AGI, 2, 340, 4, 312 },
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

#define VALUE UINT64_C(0x1122334455667788)

static void open_fields(struct mending *f, bool crc)
{
	mending_open(f, MEND_field,
		     &(struct geometry){ .sector_size = SECTOR,
					 .block_size = 4096,
					 .block_log = 12,
					 .agcount = AGS,
					 .agblocks = 256,
					 .agblock_log = 8,
					 .dblocks = AGS * 256,
					 .inopb_log = 3,
					 .crc = crc });
}

/* CRC-32C, bit by bit. */
static uint32_t naive_crc(const uint8_t *bytes, unsigned crc_at)
{
	uint32_t crc = UINT32_MAX;

	for (unsigned i = 0; i < SECTOR; i++) {
		crc ^= i >= crc_at && i < crc_at + 4 ? 0 : bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	return ~crc;
}

static struct found found_of(const struct field *field, unsigned agno, uint64_t want)
{
	struct found found = { .place = place_of(field->object), .problem = { field->finding, 0, NO_INDEX, 0, want } };

	found.place.agno.v = agno;
	return found;
}

static uint64_t value_of(const struct field *field)
{
	return VALUE >> (64 - 8 * field->width);
}

/* The bytes of the field, the first one being the most significant; else those of the file, and the new checksum. */
static void assert_only_field(const struct field *field, const uint8_t *now, uint64_t at, bool crc)
{
	const uint32_t sum = naive_crc(now, field->crc);

	for (unsigned i = 0; i < SECTOR; i++) {
		if (i >= field->offset && i < field->offset + field->width)
			assert_int_equal(now[i], 0x11 * (i - field->offset + 1));
		else if (crc && i >= field->crc && i < field->crc + 4)
			assert_int_equal(now[i], sum >> (8 * (i - field->crc)) & 0xff);
		else
			assert_int_equal(now[i], scratch_byte(at + i));
	}
}

static void set_each(bool crc)
{
	for (size_t i = 0; i < FIELDS; i++) {
		const struct field *field = &fields[i];
		const uint64_t at = AG_BYTES + (uint64_t)field->sector * SECTOR;
		const struct found found = found_of(field, 1, value_of(field));
		uint8_t sector[SECTOR];
		struct mending f;

		open_fields(&f, crc);
		assert_int_equal(mend_field(&f.m, &found, 1), 0);
		assert_int_equal(f.m.done, 1);
		assert_int_equal(device_staged(f.scratch.device, LAYER_MEND), SECTOR);
		assert_int_equal(mend_read(&f.m, sector, at, SECTOR), 0);
		assert_only_field(field, sector, at, crc);
		mending_close(&f);
	}
}

static void only_the_field_and_the_checksum_change(void **state)
{
	(void)state;
	set_each(true);
}

static void version_4_gets_no_checksum(void **state)
{
	(void)state;
	set_each(false);
}

static void what_has_its_value_is_not_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < FIELDS; i++) {
		const struct field *field = &fields[i];
		const uint64_t at = (uint64_t)field->sector * SECTOR + field->offset;
		struct found found = found_of(field, 0, 0);
		struct mending f;

		for (unsigned k = 0; k < field->width; k++)
			found.problem.want = found.problem.want << 8 | scratch_byte(at + k);
		open_fields(&f, true);
		assert_int_equal(mend_field(&f.m, &found, 1), 0);
		assert_int_equal(f.m.done, 0);
		assert_int_equal(device_staged(f.scratch.device, LAYER_MEND), 0);
		mending_close(&f);
	}
}

static void fields_of_one_header_are_all_set(void **state)
{
	struct found found[2];
	uint8_t sector[SECTOR];
	struct mending f;

	(void)state;
	open_fields(&f, true);
	found[0] = found_of(&fields[5], 0, 5);
	found[1] = found_of(&fields[6], 0, 6);
	assert_int_equal(mend_field(&f.m, found, 2), 0);
	assert_int_equal(f.m.done, 2);
	assert_int_equal(mend_read(&f.m, sector, 0, SECTOR), 0);
	assert_int_equal(get32(sector + 132), 5);
	assert_int_equal(get32(sector + 140), 6);
	mending_close(&f);
}

/* A group that is not there has no header to set. */
static void nothing_is_written_beyond_the_last_group(void **state)
{
	const struct found found = found_of(&fields[FIELDS - 1], AGS, 1);
	struct mending f;

	(void)state;
	open_fields(&f, true);
	assert_int_equal(mend_field(&f.m, &found, 1), 0);
	assert_int_equal(f.m.done, 0);
	assert_int_equal(device_staged(f.scratch.device, LAYER_MEND), 0);
	mending_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_field_and_the_checksum_change),
		cmocka_unit_test(version_4_gets_no_checksum),
		cmocka_unit_test(what_has_its_value_is_not_written),
		cmocka_unit_test(fields_of_one_header_are_all_set),
		cmocka_unit_test(nothing_is_written_beyond_the_last_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
