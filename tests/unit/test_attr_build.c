/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attributes that are built are sound to the decoders and read back the same.  The decoders are tested with blocks made
 * from the on-disk facts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "attrs.h"
#include "libxfs/attr_build.h"
#include "libxfs/da_build.h"

#define ITEMS_MAX 3000
#define DADDR	  0x4320u

struct set {
	struct geometry geo;
	struct attr_item items[ITEMS_MAX];
	uint8_t names[ITEMS_MAX][255];
	uint8_t value[65536];
	size_t count;
	struct reported reported;
	size_t visited; /* items that came back, in order */
	uint8_t block[65536];
};

static struct set *new_set(uint8_t block_log, bool v5, size_t count)
{
	static const uint8_t flags[] = { 0, ATTR_ROOT, ATTR_SECURE };
	struct set *s = test_calloc(1, sizeof(*s));

	s->geo = attrs_geometry(block_log);
	if (!v5) {
		s->geo.crc = s->geo.parent = false;
		s->geo.version = 4;
	}
	s->count = count;
	for (size_t i = 0; i < sizeof(s->value); i++)
		s->value[i] = (uint8_t)(i * 7 + i / 251);
	for (size_t i = 0; i < count; i++) {
		int len = snprintf((char *)s->names[i], sizeof(s->names[i]), "name.%zu", i * 7919);

		s->items[i] = (struct attr_item){
			.flags = flags[i % 3],
			.namelen = (uint8_t)len,
			.name = s->names[i],
			.value = s->value + i,
			.valuelen = (uint32_t)(i * 37 % 200),
			.hash = da_hashname(s->names[i], (size_t)len, false),
		};
	}
	return s;
}

/* Attributes are read back in the order in which they were built. */
static void compare(void *ctx, const struct attr_entry *got)
{
	struct set *s = ctx;
	const struct attr_item *want = &s->items[s->visited++];

	assert_true(s->visited <= s->count);
	assert_int_equal(got->namelen, want->namelen);
	assert_memory_equal(got->name, want->name, want->namelen);
	assert_int_equal(got->flags & ~ATTR_LOCAL, want->flags);
	assert_int_equal(got->valuelen, want->valuelen);
	assert_int_equal(attr_hash(&s->geo, got), want->hash);
	if (got->remote)
		assert_int_equal(got->valueblk.v, want->valueblk.v);
	else
		assert_memory_equal(got->value, want->value, want->valuelen);
}

static struct check check_of(struct set *s)
{
	s->reported.count = 0;
	return (struct check){ &s->geo, reported_add, &s->reported };
}

static const struct da_expect place = { { OWNER }, { DADDR }, { 7 }, ATTR_FORK };

static void shortform_reads_back_and_tells_its_size(void **state)
{
	struct set *s = new_set(12, true, 9);
	struct check c = check_of(s);
	size_t bytes = 4; /* the header, then three bytes each */

	(void)state;
	for (size_t i = 0; i < s->count; i++)
		bytes += 3u + s->items[i].namelen + s->items[i].valuelen;
	assert_int_equal(attr_build_sf_size(s->items, s->count), bytes);
	memset(s->block, 0xee, sizeof(s->block));
	attr_build_sf(s->block, s->items, s->count);
	assert_int_equal(s->block[bytes], 0xee);
	assert_true(attr_sf_decode(&c, s->block, bytes, place.owner, compare, s));
	assert_int_equal(s->reported.count, 0);
	assert_int_equal(s->visited, s->count);
	test_free(s);
}

static void long_values_and_many_attributes_have_no_shortform(void **state)
{
	struct set *s = new_set(12, true, 300);

	(void)state;
	for (size_t i = 0; i < s->count; i++)
		s->items[i].valuelen = 0;
	assert_int_not_equal(attr_build_sf_size(s->items, 255), 0);
	assert_int_equal(attr_build_sf_size(s->items, 256), 0);
	s->items[3].valuelen = 255;
	assert_int_not_equal(attr_build_sf_size(s->items, 4), 0);
	s->items[3].valuelen = 256;
	assert_int_equal(attr_build_sf_size(s->items, 4), 0);
	test_free(s);
}

static void parent_pointers_read_back(void **state)
{
	struct set *s = new_set(9, true, 1);
	struct check c = check_of(s);
	struct attr_leaf leaf;

	(void)state;
	memset(s->names[0], 'p', sizeof(s->names[0]));
	s->items[0] = (struct attr_item){ .flags = ATTR_PARENT,
					  .namelen = 255,
					  .name = s->names[0],
					  .value = parent_value(PARENT, 77),
					  .valuelen = 12,
					  .hash = da_hash_pptr(s->names[0], 255, false, (xino_t){ PARENT }) };
	/* their values are always with their names, in the smallest block */
	assert_false(attr_build_is_remote(&s->geo, &s->items[0]));
	attr_build_leaf(&s->geo, s->block, &place, s->items, 1, (struct da_siblings){ 0 });
	assert_true(attr_leaf_decode(&c, s->block, &place, compare, s, &leaf));
	assert_int_equal(s->reported.count, 0);
	assert_int_equal(s->visited, 1);
	test_free(s);
}

static void leaves_take_all_and_are_full(void **state)
{
	static const struct {
		uint8_t block_log;
		bool v5;
	} kinds[] = { { 9, false }, { 10, true }, { 12, false }, { 12, true }, { 16, false }, { 16, true } };

	(void)state;
	for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		struct set *s = new_set(kinds[k].block_log, kinds[k].v5, ITEMS_MAX);
		uint32_t header = kinds[k].v5 ? 80 : 32;
		size_t done = 0;

		for (size_t i = 0; i < s->count; i++)
			s->items[i].valueblk.v = (uint32_t)i + 1; /* where it is remote */
		qsort(s->items, s->count, sizeof(s->items[0]), attr_item_order);
		while (done < s->count) {
			struct check c = check_of(s);
			size_t n = attr_build_leaf_fit(&s->geo, s->items + done, s->count - done);
			uint64_t bytes = header;
			struct attr_leaf leaf;

			assert_true(n > 0);
			attr_build_leaf(&s->geo, s->block, &place, s->items + done, n,
					(struct da_siblings){ .forw = { 9 }, .back = { 5 } });
			assert_true(attr_leaf_decode(&c, s->block, &place, compare, s, &leaf));
			assert_int_equal(s->reported.count, 0);
			assert_int_equal(leaf.count, n);
			assert_int_equal(leaf.left_out, 0);
			assert_int_equal(leaf.back.v, 5);
			assert_int_equal(leaf.forw.v, 9);
			done += n;
			assert_int_equal(s->visited, done);
			/* one more would not have had room: 8 bytes for the entry, then the name and what precedes it
			 */
			for (size_t i = done - n; i <= done && i < s->count; i++) {
				const struct attr_item *item = &s->items[i];
				bool remote = attr_build_is_remote(&s->geo, item);
				uint32_t name = remote ? 11u + item->namelen : 3u + item->namelen + item->valuelen;

				bytes += 8 + ((name + 3) & ~3u);
			}
			assert_true(done == s->count || bytes > s->geo.block_size);
		}
		test_free(s);
	}
}

static void values_of_three_quarters_of_a_block_are_remote(void **state)
{
	struct set *s = new_set(12, true, 1);
	struct attr_item *item = &s->items[0];

	(void)state;
	item->valuelen = 3072 - 3 - item->namelen - 4;
	assert_false(attr_build_is_remote(&s->geo, item));
	item->valuelen += 1;
	assert_true(attr_build_is_remote(&s->geo, item));
	item->valuelen = 65536;
	assert_true(attr_build_is_remote(&s->geo, item));
	test_free(s);
}

static void value_blocks_read_back(void **state)
{
	(void)state;
	for (unsigned v5 = 0; v5 < 2; v5++) {
		struct set *s = new_set(12, v5, 1);
		struct attr_item *item = &s->items[0];
		uint32_t header = v5 ? 56 : 0, capacity = 4096 - header, done = 0;

		item->valuelen = 65536;
		item->value = s->value;
		assert_int_equal(attr_build_value_blocks(&s->geo, item), v5 ? 17 : 16);
		for (uint32_t i = 0; i < attr_build_value_blocks(&s->geo, item); i++) {
			struct check c = check_of(s);
			struct attr_remote part = { done, 65536 - done < capacity ? 65536 - done : capacity };

			memset(s->block, 0xee, sizeof(s->block));
			attr_build_value(&s->geo, s->block, &place, item, i * capacity);
			if (v5)
				assert_true(attr_remote_decode(&c, s->block, &place, &part));
			assert_int_equal(s->reported.count, 0);
			assert_int_equal(part.offset, done);
			assert_memory_equal(s->block + header, s->value + done, part.bytes);
			done += part.bytes;
		}
		assert_int_equal(done, 65536);
		/* beyond the end of the value there is nothing */
		if (v5)
			assert_int_equal(s->block[4095], 0);
		test_free(s);
	}
}

static void remember_child(void *ctx, dablk_t before, uint32_t hash)
{
	uint32_t *next = ctx;

	assert_int_equal(before.v, *next + 1);
	assert_int_equal(hash, *next * 3);
	++*next;
}

static void nodes_read_back(void **state)
{
	(void)state;
	for (unsigned v5 = 0; v5 < 2; v5++) {
		struct set *s = new_set(10, v5, 0);
		static const struct da_expect root = { { OWNER }, { DADDR }, { 0 }, ATTR_FORK };
		size_t room = da_build_node_room(&s->geo, ATTR_FORK);
		struct check c = check_of(s);
		struct da_child children[200];
		struct da_node node;
		uint32_t next = 0;

		/* directory blocks may be larger */
		s->geo.dir_block_size = 4096;
		assert_int_equal(room, (1024 - (v5 ? 64 : 16)) / 8);
		for (uint32_t i = 0; i < room; i++)
			children[i] = (struct da_child){ i * 3, { i + 1 } };
		s->block[1024] = 0xee;
		da_build_node(&s->geo, s->block, &root, 1, (struct da_children){ children, room },
			      (struct da_siblings){ 0 });
		assert_int_equal(s->block[1024], 0xee);
		assert_true(da_node_decode(&c, s->block, 1024, &root, remember_child, &next, &node));
		assert_int_equal(s->reported.count, 0);
		assert_int_equal(next, room);
		assert_int_equal(node.level, 1);
		test_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shortform_reads_back_and_tells_its_size),
		cmocka_unit_test(long_values_and_many_attributes_have_no_shortform),
		cmocka_unit_test(parent_pointers_read_back),
		cmocka_unit_test(leaves_take_all_and_are_full),
		cmocka_unit_test(values_of_three_quarters_of_a_block_are_remote),
		cmocka_unit_test(value_blocks_read_back),
		cmocka_unit_test(nodes_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
