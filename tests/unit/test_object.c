/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of block kinds: where their fields lie, by the numbers of ondisk 01 to 10 written down here again; and
 * blocks of the builders, each of which is one of its own kind and of no other.
 */
#include <string.h>

#include "made_objects.h"

#define NOTHING 0u /* an offset that such objects don't have */

/* ---- the fields ---- */

static const struct {
	const char *magic, *magic_v4; /* NULL: none */
	unsigned magic_at, crc, uuid, lsn, blkno, owner, owner_bytes;
	enum object object;
} fields[] = {
	{ "XFSB", "XFSB", 0, 224, 32, 240, NOTHING, NOTHING, 0, OBJ_SUPERBLOCK },
	{ "XAGF", "XAGF", 0, 216, 64, 208, NOTHING, NOTHING, 0, OBJ_AGF },
	{ "XAGI", "XAGI", 0, 312, 296, 320, NOTHING, NOTHING, 0, OBJ_AGI },
	{ "XAFL", NULL, 0, 32, 8, 24, NOTHING, NOTHING, 0, OBJ_AGFL },
	{ "AB3B", "ABTB", 0, 52, 32, 24, 16, 48, 4, OBJ_BNOBT },
	{ "AB3C", "ABTC", 0, 52, 32, 24, 16, 48, 4, OBJ_CNTBT },
	{ "IAB3", "IABT", 0, 52, 32, 24, 16, 48, 4, OBJ_INOBT },
	{ "FIB3", NULL, 0, 52, 32, 24, 16, 48, 4, OBJ_FINOBT },
	{ "RMB3", NULL, 0, 52, 32, 24, 16, 48, 4, OBJ_RMAPBT },
	{ "R3FC", NULL, 0, 52, 32, 24, 16, 48, 4, OBJ_REFCBT },
	{ "IN", "IN", 0, 100, 160, 112, NOTHING, NOTHING, 0, OBJ_INODE },
	{ "XDB3", "XD2B", 0, 4, 24, 16, 8, 40, 8, OBJ_DIR_BLOCK },
	{ "XDD3", "XD2D", 0, 4, 24, 16, 8, 40, 8, OBJ_DIR_DATA },
	{ "\x3d\xf1", "\xd2\xf1", 8, 12, 32, 24, 16, 48, 8, OBJ_DIR_LEAF },
	{ "\x3d\xff", "\xd2\xff", 8, 12, 32, 24, 16, 48, 8, OBJ_DIR_LEAF },
	{ "XDF3", "XD2F", 0, 4, 24, 16, 8, 40, 8, OBJ_DIR_FREE },
	{ "\x3b\xee", "\xfb\xee", 8, 12, 32, 24, 16, 48, 8, OBJ_ATTR_LEAF },
	{ "\x3e\xbe", "\xfe\xbe", 8, 12, 32, 24, 16, 48, 8, OBJ_DA_NODE },
	{ "XARM", NULL, 0, 12, 16, 48, 40, 32, 8, OBJ_ATTR_REMOTE },
	{ "BMA3", "BMAP", 0, 64, 40, 32, 24, 56, 8, OBJ_BMBT },
	{ "XSLM", NULL, 0, 12, 16, 48, 40, 32, 8, OBJ_SYMLINK },
	{ "Frog", NULL, 0, 4, 40, NOTHING, NOTHING, NOTHING, 0, OBJ_RTSB },
	{ "BMPZ", NULL, 0, 4, 32, 24, 16, 8, 8, OBJ_RTBITMAP },
	{ "SUMY", NULL, 0, 4, 32, 24, 16, 8, 8, OBJ_RTSUMMARY },
	{ "MAPR", NULL, 0, 64, 40, 32, 24, 56, 8, OBJ_RTRMAPBT },
	{ "RCNT", NULL, 0, 64, 40, 32, 24, 56, 8, OBJ_RTREFCBT },
	{ "DQ", "DQ", 0, 108, 120, 112, NOTHING, NOTHING, 0, OBJ_QUOTA_USER },
	{ "DQ", "DQ", 0, 108, 120, 112, NOTHING, NOTHING, 0, OBJ_QUOTA_GROUP },
	{ "DQ", "DQ", 0, 108, 120, 112, NOTHING, NOTHING, 0, OBJ_QUOTA_PROJECT },
};
_Static_assert(sizeof(fields) / sizeof(fields[0]) == OBJECT_KINDS, "a row of numbers for each kind");

static uint32_t number(const char *text)
{
	uint32_t value = 0;

	for (size_t i = 0; text && text[i]; i++)
		value = value << 8 | (uint8_t)text[i];
	return value;
}

static void fields_lie_where_the_format_has_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < OBJECT_KINDS; i++) {
		const struct object_kind *kind = &object_kinds[i];

		assert_int_equal(kind->object, fields[i].object);
		assert_int_equal(kind->magic, number(fields[i].magic));
		assert_int_equal(kind->magic_v4, number(fields[i].magic_v4));
		assert_int_equal(kind->magic_offset, fields[i].magic_at);
		assert_int_equal(kind->magic_width, strlen(fields[i].magic));
		assert_int_equal(kind->at.crc, fields[i].crc);
		assert_int_equal(kind->at.uuid, fields[i].uuid);
		assert_int_equal(kind->at.lsn, fields[i].lsn);
		assert_int_equal(kind->at.blkno, fields[i].blkno);
		assert_int_equal(kind->at.owner, fields[i].owner);
		assert_int_equal(kind->at.owner_bytes, fields[i].owner_bytes);
	}
}

static void sizes_and_places_follow_from_the_kind(void **state)
{
	static const struct {
		enum object object;
		uint64_t off;
		size_t bytes;
		uint64_t offset;
	} want[] = {
		{ OBJ_AGF, NO_FILEOFF, 512, AG_LEN * 4096ull + 512 },
		{ OBJ_AGI, NO_FILEOFF, 512, AG_LEN * 4096ull + 1024 },
		{ OBJ_AGFL, NO_FILEOFF, 512, AG_LEN * 4096ull + 1536 },
		{ OBJ_INOBT, NO_FILEOFF, 4096, (AG_LEN + AGBNO) * 4096ull },
		{ OBJ_BMBT, NO_FILEOFF, 4096, (AG_LEN + AGBNO) * 4096ull },
		{ OBJ_DIR_DATA, 4, 16384, (AG_LEN + AGBNO) * 4096ull },
		{ OBJ_DIR_FREE, 1 << 24, 16384, (AG_LEN + AGBNO) * 4096ull },
		{ OBJ_DA_NODE, 1 << 23, 16384, (AG_LEN + AGBNO) * 4096ull },
		{ OBJ_DA_NODE, 1, 4096, (AG_LEN + AGBNO) * 4096ull },
		{ OBJ_ATTR_LEAF, 1, 4096, (AG_LEN + AGBNO) * 4096ull },
		{ OBJ_SYMLINK, 0, 0, (AG_LEN + AGBNO) * 4096ull },
		/* the inode has its place from its number: AG 2, inode 0x123 of it, 8 in a block */
		{ OBJ_INODE, NO_FILEOFF, 512, (2 * AG_LEN + 0x24) * 4096ull + 3 * 512 },
	};
	struct geometry g = btrees_geometry();

	(void)state;
	g.dir_block_size = 16384;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct object_kind *kind = object_kind(want[i].object);
		struct place place = place_of(want[i].object);
		uint64_t offset;

		place.agno.v = AGNO;
		place.agbno.v = AGBNO;
		place.ino.v = INO;
		place.fileoff.v = want[i].off;
		assert_int_equal(object_bytes(&g, kind, &place), want[i].bytes);
		assert_true(object_offset(&g, kind, &place, &offset));
		assert_int_equal(offset, want[i].offset);
		place.agno.v = g.agcount;
		place.ino.v = NULL_INO;
		assert_false(object_offset(&g, kind, &place, &offset));
	}
	assert_null(object_kind(OBJ_DATA_FORK));
	assert_null(object_next(OBJ_DIRECTORY, NULL));
}

static void blocks_whose_kind_the_magic_would_tell_may_be_of_several(void **state)
{
	const struct object_kind *kind = object_next(OBJ_DIR_DATA, NULL);

	(void)state;
	assert_int_equal(kind->object, OBJ_DIR_BLOCK);
	kind = object_next(OBJ_DIR_DATA, kind);
	assert_int_equal(kind->object, OBJ_DIR_DATA);
	assert_null(object_next(OBJ_DIR_DATA, kind));
	kind = object_next(OBJ_ATTR_LEAF, NULL);
	assert_int_equal(kind->object, OBJ_ATTR_LEAF);
	kind = object_next(OBJ_ATTR_LEAF, kind);
	assert_int_equal(kind->object, OBJ_DA_NODE);
	kind = object_next(OBJ_ATTR_LEAF, kind);
	assert_int_equal(kind->object, OBJ_ATTR_REMOTE);
	assert_null(object_next(OBJ_ATTR_LEAF, kind));
	kind = object_next(OBJ_BMBT, NULL);
	assert_int_equal(kind->object, OBJ_BMBT);
	assert_null(object_next(OBJ_BMBT, kind));
}

/* ---- blocks of each kind ---- */

/* Returns the kind that the block decodes as, by its place in the table; OBJECT_KINDS: none, or several. */
static size_t decodes_as(const struct made *b)
{
	size_t is = OBJECT_KINDS, times = 0;

	for (size_t i = 0; i < OBJECT_KINDS; i++)
		if (object_decodes(&b->geo, &object_kinds[i], b->bytes, &b->at)) {
			is = i;
			times++;
		}
	return times == 1 ? is : OBJECT_KINDS;
}

static void a_block_is_of_its_own_kind_and_of_no_other(void **state)
{
	struct made b;

	(void)state;
	for (size_t i = 0; i < OBJECT_KINDS; i++) {
		make(&b, i);
		assert_int_equal(decodes_as(&b), object_kinds[i].decode ? i : OBJECT_KINDS);
		if (!object_kinds[i].decode)
			continue;
		/* without its magic it is of none, and with that put back it is the same again */
		b.bytes[object_kinds[i].magic_offset] ^= 1;
		assert_false(object_has_magic(&b.geo, &object_kinds[i], b.bytes));
		assert_int_equal(decodes_as(&b), OBJECT_KINDS);
		assert_true(object_put_magic(&b.geo, &object_kinds[i], b.bytes));
		assert_int_equal(decodes_as(&b), i);
	}
}

static void attributes_have_nodes_too(void **state)
{
	struct made b;

	(void)state;
	make(&b, (size_t)(object_kind(OBJ_DA_NODE) - object_kinds));
	make_node_of(&b, false);
	assert_int_equal(decodes_as(&b), b.kind);
}

/* LSN and checksum don't distinguish kinds: a wrong one is a finding of its own.  All other fields of a header do. */
static void a_wrong_header_is_no_object_of_the_kind(void **state)
{
	struct made b;

	(void)state;
	for (size_t i = 0; i < OBJECT_KINDS; i++) {
		const struct v5_header *at = &object_kinds[i].at;

		if (!object_kinds[i].decode || object_kinds[i].object >= OBJ_QUOTA_USER)
			continue;
		make(&b, i);
		b.bytes[at->crc] ^= 1;
		assert_int_equal(decodes_as(&b), i);
		b.bytes[at->uuid] ^= 1;
		assert_int_equal(decodes_as(&b), OBJECT_KINDS);
		b.bytes[at->uuid] ^= 1;
		if (!at->blkno)
			continue;
		b.bytes[at->blkno + 7] ^= 8;
		assert_int_equal(decodes_as(&b), OBJECT_KINDS);
		b.bytes[at->blkno + 7] ^= 8;
		b.bytes[at->owner + at->owner_bytes - 1] ^= 1;
		assert_int_equal(decodes_as(&b), OBJECT_KINDS);
	}
}

static void trees_and_sectors_lead_to_their_objects(void **state)
{
	(void)state;
	assert_int_equal(object_of_btree(BT_BNO), OBJ_BNOBT);
	assert_int_equal(object_of_btree(BT_REFC), OBJ_REFCBT);
	assert_int_equal(object_of_btree(BT_BMAP), OBJ_BMBT);
	assert_int_equal(object_of_btree(BT_RTREFC), OBJ_RTREFCBT);
	assert_int_equal(object_of_sector(SB_SECTOR)->object, OBJ_SUPERBLOCK);
	assert_int_equal(object_of_sector(AGI_SECTOR)->object, OBJ_AGI);
	assert_int_equal(object_of_sector(AGFL_SECTOR)->object, OBJ_AGFL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_lie_where_the_format_has_them),
		cmocka_unit_test(sizes_and_places_follow_from_the_kind),
		cmocka_unit_test(blocks_whose_kind_the_magic_would_tell_may_be_of_several),
		cmocka_unit_test(a_block_is_of_its_own_kind_and_of_no_other),
		cmocka_unit_test(attributes_have_nodes_too),
		cmocka_unit_test(a_wrong_header_is_no_object_of_the_kind),
		cmocka_unit_test(trees_and_sectors_lead_to_their_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
