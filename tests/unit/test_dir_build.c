/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directories that are built are sound to the decoders and read back the same.  The decoders are tested with blocks
 * made from the on-disk facts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "dirs.h"
#include "libxfs/dir_build.h"

#define NAMES_MAX 6000

struct set {
	struct dirs d;
	struct dir_name names[NAMES_MAX];
	uint8_t bytes[NAMES_MAX][255];
	size_t count;
};

static struct set *new_set(uint8_t block_log, uint8_t dirblk_log, bool v5, bool ftype, size_t count, unsigned longest)
{
	struct set *s = test_calloc(1, sizeof(*s));

	if (v5)
		dirs_init(&s->d, block_log, dirblk_log, 0);
	else
		dirs_init_v4(&s->d, block_log, dirblk_log, 0, ftype);
	s->count = count;
	for (size_t i = 0; i < count; i++) {
		int len = i == 0 ? 1 : i == 1 ? 2 : snprintf((char *)s->bytes[i], 32, "%zu", i * 7919);

		memset(s->bytes[i] + (i < 2 ? 0 : len), i < 2 ? '.' : 'n',
		       sizeof(s->bytes[i]) - (size_t)(i < 2 ? 0 : len));
		if (i >= 2 && (unsigned)len < longest)
			len += (int)(i * 31 % (longest - (unsigned)len + 1));
		s->names[i] = (struct dir_name){ .ino = { i == 0   ? DIR_INO
							  : i == 1 ? PARENT_INO
								   : FILE_INO + i },
						 .name = s->bytes[i],
						 .namelen = (uint8_t)len,
						 .ftype = i < 2 ? 2 : (uint8_t)(1 + i % 7),
						 .hash = da_hashname(s->bytes[i], (size_t)len, false) };
	}
	return s;
}

/* Fails unless the names visited are names[from, to), in that order. */
static void assert_names(const struct set *s, size_t from, size_t to)
{
	assert_int_equal(s->d.reported.count, 0);
	assert_int_equal(s->d.nentries, to - from);
	for (size_t i = 0; i < s->d.nentries && i < 64; i++) {
		const struct dir_entry *got = &s->d.entries[i];
		const struct dir_name *want = &s->names[from + i];

		assert_int_equal(got->target.v, want->ino.v);
		assert_int_equal(got->namelen, want->namelen);
		assert_memory_equal(got->name, want->name, want->namelen);
		assert_int_equal(got->ftype, s->d.geo.ftype ? want->ftype : 0);
	}
}

static void shortform_reads_back_and_knows_its_room(void **state)
{
	static const bool versions[][2] = { { true, true }, { false, false }, { false, true } };

	(void)state;
	for (unsigned v = 0; v < 3; v++) {
		for (unsigned wide = 0; wide < 2; wide++) {
			struct set *s = new_set(12, 0, versions[v][0], versions[v][1], 9, 20);
			uint8_t fork[400], small[400];
			uint32_t size, again;
			struct check c;

			if (wide) { /* 33 bits: one more group than there can be of that size otherwise */
				s->d.geo.agcount = 1u << 17;
				s->d.geo.dblocks = (uint64_t)s->d.geo.agcount * s->d.geo.agblocks;
				s->names[4].ino.v = (1ull << 35) + 4096;
			}
			c = dirs_check(&s->d);
			assert_true(dir_build_sf(&s->d.geo, fork, sizeof(fork), s->names, s->count, &size));
			assert_true(dir_sf_decode(&c, fork, sizeof(fork), size, (xino_t){ DIR_INO }, remember_entry,
						  &s->d));
			assert_names(s, 0, s->count);
			assert_true(dir_build_sf(&s->d.geo, small, size, s->names, s->count, &again));
			assert_false(dir_build_sf(&s->d.geo, small, size - 1, s->names, s->count, &again));
			test_free(s);
		}
	}
}

static void block_form_reads_back_and_is_used_as_long_as_names_fit(void **state)
{
	(void)state;
	for (unsigned v5 = 0; v5 < 2; v5++) {
		struct set *s = new_set(12, 0, v5, true, 90, 60);
		struct dir_data data;
		struct check c;
		uint64_t bytes;

		while (!dir_build_fits_block(&s->d.geo, s->names, s->count))
			s->count--;
		/* from the facts: header, entries of 16 bytes or so, 8 bytes each at the end, and 8 */
		bytes = (v5 ? 64 : 16) + 8;
		for (size_t i = 0; i < s->count; i++)
			bytes += entry_bytes(&s->d, s->names[i].namelen) + 8;
		assert_true(bytes <= 4096);
		assert_true(bytes + entry_bytes(&s->d, s->names[s->count].namelen) + 8 > 4096);

		c = dirs_check(&s->d);
		memset(s->d.block, 0xee, sizeof(s->d.block));
		dir_build_block(&s->d.geo, s->d.block, &s->d.expect, s->names, s->count);
		assert_true(
			dir_block_decode(&c, s->d.block, &s->d.expect, remember_entry, remember_leaf, &s->d, &data));
		assert_int_equal(s->d.reported.count, 0);
		assert_int_equal(data.entries, s->count);
		assert_int_equal(s->d.nleaves, s->count);
		for (size_t i = 0; i < s->count && i < 64; i++) {
			assert_int_equal(s->d.leaves[i].hash, s->names[i].hash);
			assert_int_equal(s->d.leaves[i].address, s->names[i].address);
		}
		test_free(s);
	}
}

static void data_blocks_take_all_names_and_tell_their_room(void **state)
{
	static const uint8_t sizes[][2] = { { 9, 3 }, { 10, 0 }, { 12, 0 }, { 12, 2 }, { 16, 0 } };

	(void)state;
	for (unsigned k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		struct set *s = new_set(sizes[k][0], sizes[k][1], sizes[k][0] > 9, true, 3000, 255);
		size_t done = 0;

		for (uint32_t db = 0; done < s->count; db++) {
			struct check c = dirs_check(&s->d);
			struct dir_data data;
			uint16_t best;
			size_t n;

			s->d.expect.dablk.v = db << sizes[k][1];
			n = dir_build_data(&s->d.geo, s->d.block, &s->d.expect, s->names + done, s->count - done,
					   &best);
			assert_true(n > 0);
			assert_true(dir_data_decode(&c, s->d.block, &s->d.expect, remember_entry, &s->d, &data));
			assert_names(s, done, done + n);
			assert_int_equal(data.longest, best);
			for (size_t i = 0; i < n && i < 64; i++)
				assert_int_equal(s->names[done + i].address, s->d.entries[i].address);
			done += n;
			if (done < s->count)
				assert_true(best < entry_bytes(&s->d, s->names[done].namelen));
		}
		test_free(s);
	}
}

static void leaves_nodes_and_free_index_read_back(void **state)
{
	(void)state;
	for (unsigned v5 = 0; v5 < 2; v5++) {
		struct set *s = new_set(12, 0, v5, true, 400, 20);
		uint16_t bests[] = { 16, 0, 0xffff, 4000, 8, 0, 24, 32, 40 };
		struct da_child children[500];
		struct dir_leaf leaf;
		struct dir_free index;
		struct da_node node;
		struct check c;

		for (size_t i = 0; i < s->count; i++)
			s->names[i].address = (uint32_t)((i / 50 + (i >= 100)) * 512 + 8 + i % 50 * 2);
		qsort(s->names, s->count, sizeof(s->names[0]), dir_name_order);

		s->d.expect.dablk.v = leaf_space(&s->d);
		c = dirs_check(&s->d);
		dir_build_leaf1(&s->d.geo, s->d.block, &s->d.expect, s->names, s->count,
				(struct dir_bests){ bests, 9 });
		assert_true(dir_leaf_decode(&c, s->d.block, &s->d.expect, remember_leaf, &s->d, &leaf));
		assert_int_equal(s->d.reported.count, 0);
		assert_true(leaf.leaf1);
		assert_int_equal(leaf.count, s->count);
		assert_int_equal(leaf.nbests, 9);
		for (size_t i = 0; i < 9; i++)
			assert_int_equal(be16_get(leaf.bests[i]), bests[i]);
		assert_int_equal(s->d.leaves[63].hash, s->names[63].hash);

		s->d.expect.dablk.v = leaf_space(&s->d) + 2;
		c = dirs_check(&s->d);
		dir_build_leafn(
			&s->d.geo, s->d.block, &s->d.expect, s->names, s->count,
			(struct da_siblings){ .forw = { leaf_space(&s->d) + 3 }, .back = { leaf_space(&s->d) + 1 } });
		assert_true(dir_leaf_decode(&c, s->d.block, &s->d.expect, remember_leaf, &s->d, &leaf));
		assert_int_equal(s->d.reported.count, 0);
		assert_false(leaf.leaf1);
		assert_int_equal(leaf.back.v, leaf_space(&s->d) + 1);
		assert_int_equal(leaf.forw.v, leaf_space(&s->d) + 3);

		for (uint32_t i = 0; i < 500; i++)
			children[i] = (struct da_child){ i * 3, { leaf_space(&s->d) + 1 + i } };
		s->d.expect.dablk.v = leaf_space(&s->d);
		c = dirs_check(&s->d);
		da_build_node(&s->d.geo, s->d.block, &s->d.expect, 1, (struct da_children){ children, 500 },
			      (struct da_siblings){ 0 });
		assert_true(da_node_decode(&c, s->d.block, 4096, &s->d.expect, remember_child, &s->d, &node));
		assert_int_equal(s->d.reported.count, 0);
		assert_int_equal(node.level, 1);
		assert_int_equal(node.last_hash, 499 * 3);
		assert_int_equal(s->d.children[63].v, leaf_space(&s->d) + 64);

		s->d.expect.dablk.v = free_space(&s->d);
		c = dirs_check(&s->d);
		dir_build_free(&s->d.geo, s->d.block, &s->d.expect, 0, (struct dir_bests){ bests, 9 });
		assert_true(dir_free_decode(&c, s->d.block, &s->d.expect, &index));
		assert_int_equal(s->d.reported.count, 0);
		assert_int_equal(index.nvalid, 9);
		assert_int_equal(index.nused, 8);
		test_free(s);
	}
}

static void rooms_are_those_of_the_format(void **state)
{
	struct dirs d;

	(void)state;
	dirs_init(&d, 12, 0, 0);
	assert_int_equal(dir_build_leaf_room(&d.geo, 0), (4096 - 64) / 8);
	assert_int_equal(dir_build_leaf_room(&d.geo, 10), (4096 - 64 - 4 - 20) / 8);
	assert_int_equal(dir_build_leaf_room(&d.geo, 4096), 0);
	assert_int_equal(da_build_node_room(&d.geo, DATA_FORK), (4096 - 64) / 8);
	assert_int_equal(dir_build_free_room(&d.geo), (4096 - 64) / 2);
	dirs_init_v4(&d, 9, 3, 0, false);
	assert_int_equal(dir_build_leaf_room(&d.geo, 0), (4096 - 16) / 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shortform_reads_back_and_knows_its_room),
		cmocka_unit_test(block_form_reads_back_and_is_used_as_long_as_names_fit),
		cmocka_unit_test(data_blocks_take_all_names_and_tell_their_room),
		cmocka_unit_test(leaves_nodes_and_free_index_read_back),
		cmocka_unit_test(rooms_are_those_of_the_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
