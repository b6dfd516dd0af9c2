/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Alignment of inode chunks and stripes (ondisk 00, section 3; ondisk 01, invariants 3 and 4). */
#include "ag_headers.h"

static void default_chunks_are_told(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.chunk_blocks, 8);
	assert_int_equal(sb.geo.cluster_blocks, 4);
	assert_int_equal(sb.geo.cluster_align, 8);
	assert_int_equal(sb.geo.sparse_align, 4);
}

static struct superblock without_sparse(uint32_t inoalignmt)
{
	struct superblock sb = superblock_sound();

	put(sb.sector, SB_INCOMPAT, 4, 0xe9);
	put(sb.sector, SB_SPINO_ALIGN, 4, 0);
	put(sb.sector, SB_INOALIGNMT, 4, inoalignmt);
	return sb;
}

static void clusters_grow_with_the_inode_if_they_are_aligned(void **state)
{
	struct superblock scaled = without_sparse(4);
	struct superblock early = without_sparse(2);

	(void)state;
	assert_superblock_sound(&scaled);
	assert_int_equal(scaled.geo.cluster_blocks, 4);
	assert_int_equal(scaled.geo.cluster_align, 4);
	assert_int_equal(scaled.geo.sparse_align, 0);

	/* the oldest mkfs for version 5 */
	assert_superblock_sound(&early);
	assert_int_equal(early.geo.cluster_blocks, 2);
	assert_int_equal(early.geo.cluster_align, 2);
}

static void large_blocks_hold_whole_clusters(void **state)
{
	struct superblock sb = superblock_sound();

	(void)state;
	/* as mkfs -b size=64k writes it: both alignments round to 0 */
	put(sb.sector, SB_BLOCKSIZE, 4, 65536);
	put(sb.sector, SB_BLOCKLOG, 1, 16);
	put(sb.sector, SB_INOPBLOCK, 2, 128);
	put(sb.sector, SB_INOPBLOG, 1, 7);
	put(sb.sector, SB_INOALIGNMT, 4, 0);
	put(sb.sector, SB_SPINO_ALIGN, 4, 0);
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.chunk_blocks, 1);
	assert_int_equal(sb.geo.cluster_blocks, 1);
	assert_int_equal(sb.geo.cluster_align, 1);
	assert_int_equal(sb.geo.sparse_align, 0);
}

static void wrong_chunk_alignment_is_reported(void **state)
{
	struct geometry g;

	(void)state;
	g = assert_superblock_field(superblock_sound(), SB_INOALIGNMT, 4, 4, F_SB_INOALIGNMT, 8, true);
	assert_int_equal(g.cluster_align, 8);
	assert_superblock_field(without_sparse(4), SB_INOALIGNMT, 4, 8, F_SB_INOALIGNMT, 4, true);
	assert_superblock_field(without_sparse(4), SB_INOALIGNMT, 4, 0, F_SB_INOALIGNMT, 4, true);
}

static void wrong_sparse_alignment_is_reported(void **state)
{
	struct geometry g;

	(void)state;
	g = assert_superblock_field(superblock_sound(), SB_SPINO_ALIGN, 4, 0, F_SB_SPINO_ALIGN, 4, true);
	assert_int_equal(g.sparse_align, 4);
	assert_superblock_field(without_sparse(4), SB_SPINO_ALIGN, 4, 4, F_SB_SPINO_ALIGN, 0, true);
}

static struct superblock striped(void)
{
	struct superblock sb = superblock_sound();

	put(sb.sector, SB_VERSIONNUM, 2, 0xb5b5);
	put(sb.sector, SB_UNIT, 4, 16);
	put(sb.sector, SB_WIDTH, 4, 64);
	return sb;
}

static void stripe_is_sound(void **state)
{
	struct superblock sb = striped(), plain = superblock_sound();

	(void)state;
	assert_superblock_sound(&sb);
	assert_int_equal(sb.geo.stripe_disks, 4);
	assert_superblock_sound(&plain);
	assert_int_equal(plain.geo.stripe_disks, 1);
}

static void stripe_unit_goes_with_its_bit_and_divides_the_ag(void **state)
{
	(void)state;
	assert_superblock_field(superblock_sound(), SB_UNIT, 4, 16, F_SB_UNIT, 0, true);
	assert_superblock_field(striped(), SB_UNIT, 4, 0, F_SB_UNIT, 0, true);
	assert_superblock_field(striped(), SB_UNIT, 4, 24, F_SB_UNIT, 0, true);
}

static void stripe_width_is_whole_units(void **state)
{
	(void)state;
	assert_superblock_field(striped(), SB_WIDTH, 4, 65, F_SB_WIDTH, 16, true);
	assert_superblock_field(striped(), SB_WIDTH, 4, 0, F_SB_WIDTH, 16, true);
	assert_superblock_field(superblock_sound(), SB_WIDTH, 4, 64, F_SB_WIDTH, 0, true);
	assert_superblock_field(striped(), SB_WIDTH, 4, 1 << 19, F_SB_WIDTH_MAX, (1 << 19) - 1, true);
}

static struct superblock v4_with(uint32_t block_log, uint32_t inode_log, uint32_t inoalignmt)
{
	struct superblock sb = superblock_v4();

	put(sb.sector, SB_BLOCKSIZE, 4, 1u << block_log);
	put(sb.sector, SB_BLOCKLOG, 1, block_log);
	put(sb.sector, SB_INODESIZE, 2, 1u << inode_log);
	put(sb.sector, SB_INODELOG, 1, inode_log);
	put(sb.sector, SB_INOPBLOCK, 2, 1u << (block_log - inode_log));
	put(sb.sector, SB_INOPBLOG, 1, block_log - inode_log);
	put(sb.sector, SB_INOALIGNMT, 4, inoalignmt);
	return sb;
}

static void clusters_of_version_4_do_not_grow(void **state)
{
	struct superblock small = v4_with(12, 8, 2), large = v4_with(12, 11, 2);

	(void)state;
	assert_superblock_sound(&small);
	assert_int_equal(small.geo.cluster_blocks, 2);
	assert_int_equal(small.geo.cluster_align, 2);
	assert_int_equal(small.geo.chunk_blocks, 4);
	assert_superblock_sound(&large);
	assert_int_equal(large.geo.cluster_blocks, 2);
	assert_int_equal(large.geo.cluster_align, 2);
	assert_int_equal(large.geo.chunk_blocks, 32);
	assert_superblock_field(v4_with(12, 11, 2), SB_INOALIGNMT, 4, 16, F_SB_INOALIGNMT, 2, true);
}

static void alignment_of_version_4_is_a_feature(void **state)
{
	struct superblock none = v4_with(12, 8, 0), too_large = v4_with(16, 8, 0);

	(void)state;
	put(none.sector, SB_VERSIONNUM, 2, 0xb434);
	assert_superblock_sound(&none);
	assert_int_equal(none.geo.cluster_align, 1);
	put(too_large.sector, SB_VERSIONNUM, 2, 0xb434);
	for (uint32_t i = 0; i < 3; i++)
		put(too_large.sector, SB_ROOTINO + 8 * i, 8, 256 + i);
	assert_superblock_sound(&too_large);
	assert_int_equal(too_large.geo.cluster_align, 1);
	assert_int_equal(too_large.geo.chunk_blocks, 1);
	/* without the feature nothing is aligned */
	assert_int_equal(assert_superblock_field(none, SB_INOALIGNMT, 4, 2, F_SB_INOALIGNMT, 0, true).cluster_align, 1);
	assert_superblock_field(superblock_v4(), SB_INOALIGNMT, 4, 0, F_SB_INOALIGNMT, 2, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(default_chunks_are_told),
		cmocka_unit_test(clusters_grow_with_the_inode_if_they_are_aligned),
		cmocka_unit_test(large_blocks_hold_whole_clusters),
		cmocka_unit_test(wrong_chunk_alignment_is_reported),
		cmocka_unit_test(wrong_sparse_alignment_is_reported),
		cmocka_unit_test(stripe_is_sound),
		cmocka_unit_test(stripe_unit_goes_with_its_bit_and_divides_the_ag),
		cmocka_unit_test(stripe_width_is_whole_units),
		cmocka_unit_test(clusters_of_version_4_do_not_grow),
		cmocka_unit_test(alignment_of_version_4_is_a_feature),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
