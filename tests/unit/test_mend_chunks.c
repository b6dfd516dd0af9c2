/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/make/mend_chunks.c: which inodes of a chunk in the inobt are in use. */
#include "scratch_device.h"

#include "../../repair/mend/base/mend.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "btrees.h"
#include "../../repair/mend/make/mend_chunk_search.h"

#define START 64u /* of the chunk in its AG */

struct fixture {
	struct scratch scratch;
	struct run run;
	struct repair rc;
	struct mend m;
	struct survey_ag ag;
	struct chunk_search search;
	struct chunk_candidate candidate;
	uint8_t chunk[INODES_PER_CHUNK * 512];
};

static void put_inode(struct fixture *f, unsigned i, bool in_use)
{
	const struct geometry *g = &f->rc.geo;
	struct dinode_disk *d = (void *)(f->chunk + (size_t)i * g->inode_size);

	memset(d, 0, g->inode_size);
	d->magic = be16_put(DINODE_MAGIC);
	d->version = DINODE_VERSION;
	memcpy(d->uuid, g->meta_uuid, sizeof(d->uuid));
	d->ino = be64_put(ino_of(g, (agno_t){ 0 }, (agino_t){ START + i }).v);
	d->mode = be16_put(in_use ? MODE_REG | 0644 : 0);
	d->nlink = be32_put(in_use);
	crc_store(d, g->inode_size, offsetof(struct dinode_disk, crc));
}

/* In the inobt the first 8 inodes are in use. In fact the second is free, and so are all others but the last. */
static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->rc.run = &f->run;
	scratch_open(&f->scratch, ENGINE_THREADS, 1u << 20);
	f->rc.run->device = f->scratch.device;
	f->rc.geo = btrees_geometry();
	f->rc.geo.crc = true;
	f->m = (struct mend){ .rc = &f->rc, .now = &f->rc };
	assert_int_equal(block_map_new(&f->ag.inodes, 0, AG_LEN), 0);
	assert_int_equal(block_map_new(&f->ag.others, 0, AG_LEN), 0);
	assert_int_equal(block_map_new(&f->ag.single, 0, AG_LEN), 0);
	assert_int_equal(block_map_new(&f->ag.free, 0, AG_LEN), 0);
	f->search = (struct chunk_search){ .m = &f->m, .geo = &f->rc.geo, .ag = &f->ag, .trust = INOBT_BUT_USAGE };
	f->candidate = (struct chunk_candidate){ BY_INOBT, { .start = { START }, .count = 64, .freecount = 56 } };
	f->candidate.record.free = ~0xffull;
	for (unsigned i = 0; i < INODES_PER_CHUNK; i++)
		put_inode(f, i, i == 63 || (i < 8 && i != 1));
	assert_int_equal(mend_write(&f->m, f->chunk, bytes_of_agino(&f->rc.geo, (agno_t){ 0 }, (agino_t){ START }),
				    sizeof(f->chunk)),
			 0);
}

static void close_fixture(struct fixture *f)
{
	ino_set_free(&f->m.round.usage);
	ino_set_free(&f->m.round.named);
	block_map_free(&f->ag.inodes);
	block_map_free(&f->ag.others);
	block_map_free(&f->ag.single);
	block_map_free(&f->ag.free);
	scratch_close(&f->scratch);
}

static void assert_free(struct fixture *f, uint64_t want)
{
	const struct chunk_outcome outcome = chunk_settle(&f->search, &f->candidate, f->chunk);

	assert_true(outcome.is_chunk);
	assert_true(outcome.record.free == want);
	assert_int_equal(outcome.record.freecount, __builtin_popcountll(want));
}

#define AS_RECORDED   (~0xffull)
#define BY_THE_INODES ((~0xffull & ~(1ull << 63)) | 1ull << 1)

static void what_inodes_say_counts_unless_the_check_has_been_there(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	assert_free(&f, AS_RECORDED);
	f.search.trust = INOBT_WHOLE;
	assert_free(&f, BY_THE_INODES);
	close_fixture(&f);
}

static void an_inode_whose_use_is_in_doubt_has_its_chunk_read(void **state)
{
	struct fixture f;

	(void)state;
	for (unsigned i = 0; i < 3 * INODES_PER_CHUNK; i += 16) {
		const bool near = i / INODES_PER_CHUNK == START / INODES_PER_CHUNK;

		open_fixture(&f);
		assert_int_equal(mend_chunks_doubt_usage(&f.m, ino_of(&f.rc.geo, f.search.agno, (agino_t){ i })), 0);
		assert_free(&f, near ? BY_THE_INODES : AS_RECORDED);
		close_fixture(&f);
	}
}

static void a_chunk_that_is_not_aligned_is_read_for_any_of_its_inodes(void **state)
{
	struct fixture f;

	(void)state;
	for (unsigned i = 0; i < 4 * INODES_PER_CHUNK; i += 16) {
		struct chunk_outcome outcome;

		open_fixture(&f);
		f.rc.geo.cluster_align = 4; /* as with sparse chunks */
		f.candidate.record.start.v = START + 32;
		assert_int_equal(mend_chunks_doubt_usage(&f.m, ino_of(&f.rc.geo, (agno_t){ 0 }, (agino_t){ i })), 0);
		outcome = chunk_settle(&f.search, &f.candidate, f.chunk);
		assert_true(outcome.is_chunk);
		assert_int_equal(outcome.record.free == AS_RECORDED, i < 64 || i >= 192);
		close_fixture(&f);
	}
}

static void a_record_that_contradicts_itself_is_not_believed(void **state)
{
	struct fixture f;

	(void)state;
	open_fixture(&f);
	f.candidate.record.freecount = 55;
	assert_free(&f, BY_THE_INODES);
	close_fixture(&f);
}

/*
 * A chunk that is in no inobt, and whose blocks a file claims: had the file written them, these inodes would be gone.
 * If no entry names the inodes, the blocks stay the file's.
 */
static void a_chunk_with_named_inodes_outweighs_a_files_claim(void **state)
{
	for (unsigned named = 0; named < 2; named++) {
		struct chunk_outcome outcome;
		struct fixture f;
		xino_t first;

		(void)state;
		open_fixture(&f);
		first = ino_of(&f.rc.geo, (agno_t){ 0 }, (agino_t){ START });
		f.candidate = (struct chunk_candidate){ BY_NAMES, { .start = { START } } };
		block_map_set(&f.ag.others, agbno_of_agino(&f.rc.geo, (agino_t){ START }).v, 1, true);
		if (named)
			assert_int_equal(ino_set_put(&f.m.round.named, first), 0);
		outcome = chunk_settle(&f.search, &f.candidate, f.chunk);
		assert_int_equal(outcome.is_chunk && inobt_existing(outcome.record.holemask) & 1, named);
		close_fixture(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_inodes_say_counts_unless_the_check_has_been_there),
		cmocka_unit_test(an_inode_whose_use_is_in_doubt_has_its_chunk_read),
		cmocka_unit_test(a_chunk_that_is_not_aligned_is_read_for_any_of_its_inodes),
		cmocka_unit_test(a_record_that_contradicts_itself_is_not_believed),
		cmocka_unit_test(a_chunk_with_named_inodes_outweighs_a_files_claim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
