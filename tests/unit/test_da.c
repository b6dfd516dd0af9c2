/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hash of names, identification of blocks, and the header of nodes and leaves (here of nodes). */
#include "dirs.h"

/* The recurrence of ondisk 06, byte by byte. */
static uint32_t hash_by_bytes(const uint8_t *name, size_t len)
{
	uint32_t h = 0;

	for (size_t i = 0; i < len; i++)
		h = (h << 7 | h >> 25) ^ name[i];
	return h;
}

static void names_of_any_length_have_the_hash_of_the_recurrence(void **state)
{
	uint8_t name[255];

	(void)state;
	for (size_t i = 0; i < sizeof(name); i++)
		name[i] = (uint8_t)(i * 37 + 11);
	for (size_t len = 0; len <= sizeof(name); len++)
		assert_int_equal(da_hashname(name, len, false), hash_by_bytes(name, len));
}

static void first_byte_that_no_name_may_have_is_found(void **state)
{
	static const uint8_t bad[] = { 0, '/' };
	uint8_t name[40];

	(void)state;
	for (size_t len = 0; len <= sizeof(name); len++) {
		memset(name, 0xaf, sizeof(name)); /* a '/' but for its highest bit */
		assert_int_equal(da_name_bad_byte(name, len), len);
		memset(name, 0x80, sizeof(name));
		assert_int_equal(da_name_bad_byte(name, len), len);
		for (size_t at = 0; at < sizeof(name); at++) {
			memset(name, 'a', sizeof(name));
			name[at] = bad[at % 2];
			name[sizeof(name) - 1] = 0;
			assert_int_equal(da_name_bad_byte(name, len), at < len ? at : len);
		}
	}
}

static void well_known_names_have_their_known_hashes(void **state)
{
	(void)state;
	assert_int_equal(da_hashname((const uint8_t *)".", 1, false), 0x2e);
	assert_int_equal(da_hashname((const uint8_t *)"..", 2, false), 0x172e);
}

static void folded_hash_takes_upper_case_of_ascii_and_latin1_as_lower(void **state)
{
	static const uint8_t upper[] = "AbZ\xc0\xd6\xd7\xd8\xde\xdf@[";
	static const uint8_t lower[] = "abz\xe0\xf6\xd7\xf8\xfe\xdf@[";
	size_t len = sizeof(upper) - 1;

	(void)state;
	assert_int_equal(da_hashname(upper, len, true), da_hashname(lower, len, false));
	assert_int_equal(da_hashname(lower, len, true), da_hashname(lower, len, false));
	assert_int_not_equal(da_hashname(upper, len, false), da_hashname(lower, len, false));
	assert_true(da_names_equal(upper, lower, len, true));
	assert_false(da_names_equal(upper, lower, len, false));
	/* the characters next to the letters are themselves: 0xd7 is no upper case of 0xf7 */
	assert_false(da_names_equal((const uint8_t *)"\xd7", (const uint8_t *)"\xf7", 1, true));
	assert_false(da_names_equal((const uint8_t *)"@", (const uint8_t *)"`", 1, true));
}

static void hash_of_a_parent_pointer_mixes_in_both_halves_of_the_inode_number(void **state)
{
	const uint8_t *name = (const uint8_t *)"name";
	uint32_t plain = da_hashname(name, 4, false);

	(void)state;
	assert_int_equal(da_hash_pptr(name, 4, false, (xino_t){ 0x500001234 }), plain ^ 5 ^ 0x1234);
}

static void blocks_are_known_by_their_magic(void **state)
{
	static const struct {
		uint32_t at, magic;
		enum da_magic kind;
	} known[] = {
		{ 8, 0x3ebe, DA_NODE },		{ 8, 0x3df1, DA_DIR_LEAF1 },	   { 8, 0x3dff, DA_DIR_LEAFN },
		{ 8, 0x3bee, DA_ATTR_LEAF },	{ 0, 0x58444233, DA_DIR_BLOCK },   { 0, 0x58444433, DA_DIR_DATA },
		{ 0, 0x58444633, DA_DIR_FREE }, { 0, 0x5841524d, DA_ATTR_REMOTE }, { 0, 0x12345678, DA_UNKNOWN },
	};
	struct dirs d;

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct check c;

		dirs_init(&d, 12, 0, 0);
		c = dirs_check(&d);
		if (known[i].at == 8)
			put16(d.block + 8, known[i].magic);
		else
			put32(d.block, known[i].magic);
		assert_int_equal(da_identify(&c, d.block, 4096), known[i].kind);
	}
}

/* A node at the second block of the leaf space. */
static void blocks_of_v4_have_magics_of_their_own(void **state)
{
	static const struct {
		uint32_t at, magic;
		enum da_magic kind;
	} known[] = {
		{ 8, 0xfebe, DA_NODE },		{ 8, 0xd2f1, DA_DIR_LEAF1 },	 { 8, 0xd2ff, DA_DIR_LEAFN },
		{ 8, 0xfbee, DA_ATTR_LEAF },	{ 0, 0x58443242, DA_DIR_BLOCK }, { 0, 0x58443244, DA_DIR_DATA },
		{ 0, 0x58443246, DA_DIR_FREE }, { 0, 0x5841524d, DA_UNKNOWN },	 { 0, 0, DA_UNKNOWN },
		{ 8, 0x3ebe, DA_UNKNOWN },	{ 0, 0x58444433, DA_UNKNOWN },
	};
	struct dirs d;

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct check c;

		dirs_init_v4(&d, 9, 0, 0, false);
		c = dirs_check(&d);
		if (known[i].at == 8)
			put16(d.block + 8, known[i].magic);
		else
			put32(d.block, known[i].magic);
		assert_int_equal(da_identify(&c, d.block, d.geo.block_size), known[i].kind);
		d.geo.crc = true;
		d.geo.version = 5;
		if (known[i].kind != DA_UNKNOWN)
			assert_int_equal(da_identify(&c, d.block, d.geo.block_size), DA_UNKNOWN);
	}
}

static void make_node(struct dirs *d)
{
	dirs_init(d, 12, 0, 0);
	d->expect.dablk.v = leaf_space(d) + 1;
	put_da_header(d, 0x3ebe, 1);
	put16(d->block + 58, 1);
	put_leaf(d->block + 64, 77, leaf_space(d) + 5);
	put32(d->block, leaf_space(d) + 2);
	put32(d->block + 4, leaf_space(d) + 3);
	seal(d, 12);
}

static bool decode(struct dirs *d)
{
	struct check c = dirs_check(d);
	struct da_node node;

	return da_node_decode(&c, d->block, d->geo.dir_block_size, &d->expect, remember_child, d, &node);
}

static void sound_header_is_accepted(void **state)
{
	struct dirs d;

	(void)state;
	make_node(&d);
	assert_true(decode(&d));
	assert_int_equal(d.reported.count, 0);
}

static void wrong_magic_is_all_that_is_reported(void **state)
{
	struct dirs d;

	(void)state;
	make_node(&d);
	put16(d.block + 8, 0x3ebf);
	assert_false(decode(&d));
	assert_reported_once(&d.reported, F_BLOCK_MAGIC, 0x3ebf, 0x3ebe);
	assert_int_equal(d.nchildren, 0);
}

static void wrong_checksum_does_not_stop_decoding(void **state)
{
	struct dirs d;
	uint32_t right, wrong;

	(void)state;
	make_node(&d);
	right = get_le32(d.block + 12);
	wrong = right ^ 1;
	put_le32(d.block + 12, wrong);
	assert_true(decode(&d));
	assert_reported_once(&d.reported, F_BLOCK_CRC, wrong, right);
	assert_int_equal(d.nchildren, 1);
}

static void wrong_address_owner_uuid_and_lsn_are_reported_each_by_itself(void **state)
{
	static const struct {
		uint32_t at;
		enum finding finding;
		uint64_t want;
	} fields[] = {
		{ 16, F_BLOCK_BLKNO, DIR_DADDR },
		{ 24, F_BLOCK_LSN, 0x200000000 },
		{ 32, F_BLOCK_UUID, 0xa0a1a2a3a4a5a6a7 },
		{ 48, F_BLOCK_OWNER, DIR_INO },
	};
	struct dirs d;

	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		make_node(&d);
		put64(d.block + fields[i].at, 0x1122334455667788);
		seal(&d, 12);
		assert_true(decode(&d));
		assert_reported_once(&d.reported, fields[i].finding, 0x1122334455667788, fields[i].want);
		assert_int_equal(d.nchildren, 1);
	}
}

static void siblings_outside_of_the_leaf_space_are_reported(void **state)
{
	struct dirs d;
	uint32_t wrong[4];

	(void)state;
	make_node(&d);
	wrong[0] = 1;
	wrong[1] = leaf_space(&d);     /* the root has no siblings */
	wrong[2] = leaf_space(&d) + 1; /* itself */
	wrong[3] = free_space(&d);
	for (int i = 0; i < 4; i++) {
		make_node(&d);
		put32(d.block, wrong[i]);
		seal(&d, 12);
		assert_true(decode(&d));
		assert_reported_once(&d.reported, F_DA_FORW, wrong[i], 0);

		make_node(&d);
		put32(d.block + 4, wrong[i]);
		seal(&d, 12);
		assert_true(decode(&d));
		assert_reported_once(&d.reported, F_DA_BACK, wrong[i], 0);
	}
}

static void sibling_inside_a_directory_block_is_reported(void **state)
{
	struct dirs d;

	(void)state;
	dirs_init(&d, 12, 2, 0);
	d.expect.dablk.v = leaf_space(&d) + 4;
	put_da_header(&d, 0x3ebe, 1);
	put16(d.block + 58, 1);
	put_leaf(d.block + 64, 77, leaf_space(&d) + 8);
	put32(d.block, leaf_space(&d) + 13);
	put32(d.block + 4, leaf_space(&d) + 16);
	seal(&d, 12);
	assert_true(decode(&d));
	assert_reported_once(&d.reported, F_DA_FORW, leaf_space(&d) + 13, 0);
}

static void root_with_a_sibling_is_reported(void **state)
{
	struct dirs d;

	(void)state;
	make_node(&d);
	d.expect.dablk.v = leaf_space(&d);
	put32(d.block + 4, 0);
	seal(&d, 12);
	assert_true(decode(&d));
	assert_reported_once(&d.reported, F_DA_FORW, leaf_space(&d) + 2, 0);
}

static void attribute_trees_may_have_siblings_anywhere_but_at_the_root(void **state)
{
	struct dirs d;

	(void)state;
	make_node(&d);
	d.expect.fork = ATTR_FORK;
	d.expect.dablk.v = 7;
	put32(d.block, 3);
	put32(d.block + 4, 4000000000);
	put_leaf(d.block + 64, 77, 1);
	seal(&d, 12);
	assert_true(decode(&d));
	assert_int_equal(d.reported.count, 0);

	put32(d.block, 7); /* itself */
	seal(&d, 12);
	assert_true(decode(&d));
	assert_reported_once(&d.reported, F_DA_FORW, 7, 0);
}

static void one_impossible_byte_of_a_name_is_known_by_its_hash(void **state)
{
	static const char right[] = "a name that is longer than what a hash rotates through";
	const size_t len = sizeof(right) - 1;
	const uint32_t hash = da_hashname((const uint8_t *)right, len, false);
	uint8_t name[sizeof(right)];

	(void)state;
	for (size_t at = 0; at < len; at++) {
		for (unsigned bad = 0; bad <= '/'; bad += '/') {
			memcpy(name, right, sizeof(right));
			name[at] = (uint8_t)bad;
			assert_true(da_name_restore(name, len, hash));
			assert_memory_equal(name, right, len);
		}
	}
	/* none is impossible; two are; another one is wrong, too; the byte would still be impossible */
	assert_false(da_name_restore(name, len, hash));
	name[3] = name[40] = '/';
	assert_false(da_name_restore(name, len, hash));
	name[40] = 'x';
	assert_false(da_name_restore(name, len, hash));
	assert_int_equal(name[3], '/');
	assert_false(da_name_restore(name, len, da_hashname(name, len, false)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_any_length_have_the_hash_of_the_recurrence),
		cmocka_unit_test(first_byte_that_no_name_may_have_is_found),
		cmocka_unit_test(well_known_names_have_their_known_hashes),
		cmocka_unit_test(folded_hash_takes_upper_case_of_ascii_and_latin1_as_lower),
		cmocka_unit_test(hash_of_a_parent_pointer_mixes_in_both_halves_of_the_inode_number),
		cmocka_unit_test(blocks_are_known_by_their_magic),
		cmocka_unit_test(blocks_of_v4_have_magics_of_their_own),
		cmocka_unit_test(sound_header_is_accepted),
		cmocka_unit_test(wrong_magic_is_all_that_is_reported),
		cmocka_unit_test(wrong_checksum_does_not_stop_decoding),
		cmocka_unit_test(wrong_address_owner_uuid_and_lsn_are_reported_each_by_itself),
		cmocka_unit_test(siblings_outside_of_the_leaf_space_are_reported),
		cmocka_unit_test(sibling_inside_a_directory_block_is_reported),
		cmocka_unit_test(root_with_a_sibling_is_reported),
		cmocka_unit_test(one_impossible_byte_of_a_name_is_known_by_its_hash),
		cmocka_unit_test(attribute_trees_may_have_siblings_anywhere_but_at_the_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
