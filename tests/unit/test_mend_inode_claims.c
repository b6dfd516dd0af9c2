/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/settle/inode/mend_inode_claims.c: which of two claimants keeps blocks.  The only free blocks, for copies,
 * are those that the rebuilt inode gives up.
 */
#include <stdlib.h>

#include "nothing_free.h"

#include "../../repair/mend/base/unowned_ranges.h"
#include "../../repair/mend/collect/group_age.h"
#include "../../repair/mend/collect/mend_claims.h"
#include "../../repair/mend/settle/inode/mend_inode_fork.h"
#include "check/walk/shared.h"

/* Inodes of AG 1, in its block 20; the lower number is the first. */
enum { FIRST = 1 << 12 | 20 << 3, SECOND, DIRECTORY };
enum { MAX_FACTS = 8, MAX_CLAIMS = 8, ROOM = 250 /* for copies: from that block on */ };

#define OLD 0x500000010u
#define NEW 0x500000020u

struct disputed {
	struct nothing_free f;
	struct ino_fact rmap[MAX_FACTS];
	struct mend_facts facts;
	struct found claims[MAX_CLAIMS];
	size_t nclaims;
	struct bmap_record extents[MAX_CLAIMS]; /* of the inode that is settled */
	size_t nextents;
	struct mend_map map; /* its map afterwards */
};

static void open_disputed(struct disputed *d)
{
	memset(d, 0, sizeof(*d));
	nothing_free_open(&d->f);
	d->facts.v = d->rmap;
	nothing_free_extent(&d->f, 0, ROOM, 20);
	assert_true(mend_own_begin(&d->f.m, &d->f.inode, DATA_FORK));
}

static void close_disputed(struct disputed *d)
{
	assert_int_equal(mend_own_end(&d->f.m, true, 0), 0);
	free(d->f.shared[1].map);
	free(d->f.shared[1].first);
	free(d->map.v);
	d->f.m.notes.wrong = NULL; /* it is a test's own */
	nothing_free_close(&d->f);
}

static uint64_t offset_of(const struct disputed *d, fsbno_t block)
{
	return bytes_of_daddr(daddr_of_fsbno(&d->f.rc.geo, block));
}

/* Writes an inode with a file size of so many blocks and this LSN; 0: not known. */
static void put_inode(struct disputed *d, uint64_t ino, enum ftype ftype, uint64_t blocks, uint64_t lsn, bool reflink)
{
	const struct geometry *geo = &d->f.rc.geo;
	const xino_t at = { ino };
	uint8_t bytes[512];
	struct dinode_disk *disk = (struct dinode_disk *)bytes;

	dinode_make_empty(geo, bytes, at, 1, ftype);
	disk->size = be64_put(blocks * geo->block_size);
	disk->lsn = be64_put(lsn);
	disk->flags2 = be64_put(be64_get(disk->flags2) | (reflink ? DIFLAG2_REFLINK : 0));
	crc_store(bytes, sizeof(bytes), offsetof(struct dinode_disk, crc));
	assert_int_equal(mend_write(&d->f.m, bytes, bytes_of_ino(geo, at), sizeof(bytes)), 0);
}

static void put_files(struct disputed *d, uint64_t lsn_of_first, uint64_t lsn_of_second, bool reflink)
{
	put_inode(d, FIRST, FT_REG, 100, lsn_of_first, reflink);
	put_inode(d, SECOND, FT_REG, 100, lsn_of_second, reflink);
}

/* Adds an rmap record of the data fork of an inode; call in the order of inodes and offsets. */
static void put_rmap(struct disputed *d, uint64_t ino, uint64_t off, uint32_t agbno, uint32_t len)
{
	assert_true(d->facts.count < MAX_FACTS);
	d->rmap[d->facts.count++] = (struct ino_fact){ .ino = { ino },
						       .kind = FACT_RMAP,
						       .len = len,
						       .value = nothing_free_block(&d->f, agbno).v,
						       .off = { off } };
}

static void put_finding(struct disputed *d, enum finding finding, struct place place, uint64_t got, uint64_t want)
{
	assert_true(d->nclaims < MAX_CLAIMS);
	d->claims[d->nclaims++] = (struct found){ place, { finding, 0, NO_INDEX, got, want }, 1, false };
}

/* The place of blocks in an inode's data fork. */
static struct place place_in(uint64_t ino, uint64_t off, uint32_t agbno)
{
	struct place place = place_of(OBJ_DATA_FORK);

	place.agno.v = 1;
	place.agbno.v = agbno;
	place.ino.v = ino;
	place.fileoff.v = off;
	return place;
}

/* Reports that an inode's blocks are claimed by `want` as well. */
static void put_claim(struct disputed *d, uint64_t ino, uint64_t off, uint32_t agbno, uint32_t len, uint64_t want)
{
	put_finding(d, F_SPACE_CLAIMED_TWICE, place_in(ino, off, agbno), len, want);
}

/* Reports that an inode's blocks are free as well. */
static void put_free(struct disputed *d, uint64_t ino, uint64_t off, uint32_t agbno, uint32_t len)
{
	put_finding(d, F_SPACE_FREE_IN_USE, place_in(ino, off, agbno), len, 0);
}

/* Reports that more files have the two blocks from 100 on than the refcount btree says: these two, at that offset. */
static void put_shared_often(struct disputed *d, uint64_t off)
{
	put_finding(d, F_SPACE_SHARED_OFTEN, place_in(FIRST, off, 100), 2, SECOND);
	put_finding(d, F_SPACE_SHARED_OFTEN, place_in(SECOND, off, 100), 2, FIRST);
}

/* Reports that blocks have no owner. */
static void put_lost(struct disputed *d, uint32_t agbno, uint32_t len)
{
	struct place place = place_of(OBJ_AG);

	place.agno.v = 1;
	place.agbno.v = agbno;
	put_finding(d, F_SPACE_LOST, place, len, 0);
}

/* Reports that an inode counts other extents than its map has. */
static void put_miscount(struct disputed *d, uint64_t ino)
{
	struct place place = place_of(OBJ_INODE);

	place.ino.v = ino;
	put_finding(d, F_INODE_NEXTENTS_XREF, place, 8, 10);
}

/* Reports that an inode counts fewer blocks than it has. */
static void put_surplus(struct disputed *d, uint64_t ino)
{
	struct place place = place_of(OBJ_INODE);

	place.ino.v = ino;
	put_finding(d, F_INODE_NBLOCKS_XREF, place, 8, 10);
}

/* Both files claim blocks 100 and 101, at different offsets. */
static void put_both(struct disputed *d)
{
	put_claim(d, FIRST, 10, 100, 2, SECOND);
	put_claim(d, SECOND, 20, 100, 2, FIRST);
}

/* Both files claim them at the same offset, as files that share do. */
static void put_both_there(struct disputed *d, uint64_t off)
{
	put_claim(d, FIRST, off, 100, 2, SECOND);
	put_claim(d, SECOND, off, 100, 2, FIRST);
}

/* A file and a directory claim the same blocks. */
static void put_file_and_directory(struct disputed *d, uint64_t lsn_of_file, uint64_t lsn_of_directory)
{
	put_inode(d, FIRST, FT_REG, 100, lsn_of_file, false);
	put_inode(d, DIRECTORY, FT_DIR, 100, lsn_of_directory, false);
	put_claim(d, FIRST, 10, 100, 2, DIRECTORY);
	put_claim(d, DIRECTORY, 20, 100, 2, FIRST);
}

/* Notes that the extent with block 100 at that offset of the file has a wrong start. */
static void note_wrong(struct disputed *d, struct wrong_extent *wrong, uint64_t ino, uint64_t off)
{
	*wrong = (struct wrong_extent){ { ino }, OBJ_DATA_FORK, off - nothing_free_block(&d->f, 100).v };
	d->f.m.notes.wrong = wrong;
	d->f.m.notes.nwrong = 1;
}

/* Adds an extent to the inode that is settled. */
static void put_extent(struct disputed *d, uint64_t off, uint32_t agbno, uint32_t len)
{
	d->extents[d->nextents++] = (struct bmap_record){ { off }, nothing_free_block(&d->f, agbno), len, false };
}

/* Settles the inode's extents; d->map is the result. */
static void settle(struct disputed *d, uint64_t ino)
{
	struct claims claims;
	struct unowned_ranges lacking;
	struct fork_work w = { .m = &d->f.m, .facts = &d->facts, .claims = &claims, .lacking = &lacking };
	size_t first = 0, nrmap;
	const struct ino_fact *rmap = mend_facts_of(&d->facts, (xino_t){ ino }, FACT_RMAP, &nrmap);

	assert_int_equal(claims_new(&d->f.rc.geo, d->claims, d->nclaims, &d->facts, &claims), 0);
	assert_int_equal(unowned_ranges_of_all(&d->f.rc.geo, d->claims, d->nclaims, &lacking), 0);
	while (first < claims.count && claims.found[first].place.ino.v != ino)
		first++;
	assert_int_equal(mend_inode_decode(&d->f.m, (xino_t){ ino }, &w.inode), 0);
	w.found = claims.found + first;
	w.count = mend_of_one_inode(w.found, claims.count - first);
	for (size_t i = 0; i < nrmap; i++) {
		const struct bmap_record extent = { rmap[i].off, { rmap[i].value }, rmap[i].len, false };

		/* blocks that the rmapbt has for both are not used any more */
		if (!fsblock_set_has(&d->f.m.notes.two_owners, extent.start))
			assert_int_equal(mend_map_add(&w.rmap, &extent), 0);
	}
	for (size_t i = 0; i < d->nextents; i++)
		assert_int_equal(mend_map_add(&w.map, &d->extents[i]), 0);
	assert_int_equal(inode_claims_settle(&w), 0);
	mend_inode_free(&w.inode);
	unowned_ranges_free(&lacking);
	claims_free(&claims);
	free(w.rmap.v);
	free(d->map.v);
	d->map = w.map;
	d->nextents = 0;
}

static void has(const struct disputed *d, size_t i, uint64_t off, uint32_t agbno, uint32_t len)
{
	assert_true(i < d->map.count);
	assert_int_equal(d->map.v[i].off.v, off);
	assert_int_equal(d->map.v[i].start.v, nothing_free_block(&d->f, agbno).v);
	assert_int_equal(d->map.v[i].len, len);
}

/* Settles the inode; it must give up two blocks of the file, and the loss must be noted. */
static void settle_noted(struct disputed *d, uint64_t ino, uint64_t off)
{
	const struct drops *drops = &d->f.m.drops;
	const size_t before = drops->count;
	const struct drop *drop;

	settle(d, ino);
	assert_int_equal(drops->count, before + 1);
	drop = &drops->all[before];
	assert_int_equal(drop->kind, LOSS_DATA);
	assert_int_equal(drop->reason, DROP_OTHERS_BLOCKS);
	assert_int_equal(drop->ino.v, ino);
	assert_int_equal(drop->target.v, NULL_INO);
	assert_int_equal(drop->offset, off);
	assert_int_equal(drop->blocks, 2);
}

/* Settles the inode; it must give up nothing. */
static void settle_all_stays(struct disputed *d, uint64_t ino)
{
	const size_t before = d->f.m.drops.count;

	settle(d, ino);
	assert_int_equal(d->f.m.drops.count, before);
}

/* The inode must keep its two blocks from 100 on. */
static void keeps(struct disputed *d, uint64_t ino, uint64_t off)
{
	put_extent(d, off, 100, 2);
	settle_all_stays(d, ino);
	assert_int_equal(d->map.count, 1);
	has(d, 0, off, 100, 2);
}

/* The inode must give up its two blocks from 100 on, and have a hole there. */
static void drops(struct disputed *d, uint64_t ino, uint64_t off)
{
	put_extent(d, off, 100, 2);
	settle_noted(d, ino, off);
	assert_int_equal(d->map.count, 0);
}

/* The inode must get a copy of the two blocks from 100 on. */
static void copies(struct disputed *d, uint64_t ino, uint64_t off)
{
	uint8_t bytes[2 * 4096];

	put_extent(d, off, 100, 2);
	settle_all_stays(d, ino);
	assert_int_equal(d->map.count, 1);
	assert_int_equal(d->map.v[0].off.v, off);
	assert_int_equal(d->map.v[0].len, 2);
	assert_true(d->map.v[0].start.v >= nothing_free_block(&d->f, ROOM).v);
	assert_int_equal(mend_read(&d->f.m, bytes, offset_of(d, d->map.v[0].start), sizeof(bytes)), 0);
	assert_int_equal(scratch_differences(bytes, offset_of(d, nothing_free_block(&d->f, 100)), sizeof(bytes)), 0);
}

static void without_witness_the_first_of_two_files_keeps_and_the_other_has_a_hole(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_both(&d);
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 20);
	close_disputed(&d);
}

static void without_witness_the_older_has_a_hole(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, OLD, NEW, false);
	put_both(&d);
	drops(&d, FIRST, 10);
	keeps(&d, SECOND, 20);
	/* one LSN alone is no evidence */
	put_files(&d, 0, NEW, false);
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 20);
	close_disputed(&d);
}

static void who_miscounts_has_a_hole_even_if_he_is_newer(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, NEW, OLD, false);
	put_both(&d);
	put_miscount(&d, FIRST);
	drops(&d, FIRST, 10);
	keeps(&d, SECOND, 20);
	/* if both do, the LSNs decide */
	put_miscount(&d, SECOND);
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 20);
	close_disputed(&d);
}

/* Even if the other file miscounts and is older. */
static void an_extent_whose_blocks_lie_elsewhere_becomes_a_hole(void **state)
{
	struct disputed d;
	struct wrong_extent wrong;

	(void)state;
	open_disputed(&d);
	put_files(&d, NEW, OLD, false);
	put_both(&d);
	put_miscount(&d, SECOND);
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 20);
	note_wrong(&d, &wrong, FIRST, 10);
	drops(&d, FIRST, 10);
	keeps(&d, SECOND, 20);
	/* only that extent is wrong, not the file */
	note_wrong(&d, &wrong, FIRST, 11);
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 20);
	close_disputed(&d);
}

/* Even if the other file miscounts and is older: the conflicts of the extent's other blocks decide. */
static void an_extent_that_collides_with_too_much_becomes_a_hole(void **state)
{
	enum { THE_LOG, THE_TREES, WHAT_IS_FREE, ANOTHER_FILE, ANOTHER_EXTENTS_LOG, CASES };

	for (unsigned with = 0; with < CASES; with++) {
		struct disputed d;

		(void)state;
		open_disputed(&d);
		put_files(&d, NEW, OLD, false);
		put_both(&d);
		put_miscount(&d, SECOND);
		if (with == THE_LOG)
			put_claim(&d, FIRST, 14, 104, 1, OWNER_LOG);
		if (with == THE_TREES)
			put_claim(&d, FIRST, 14, 104, 1, OWNER_AG);
		if (with == WHAT_IS_FREE)
			put_free(&d, FIRST, 14, 104, 1);
		if (with == ANOTHER_FILE) /* is no other kind of owner */
			put_claim(&d, FIRST, 14, 104, 1, DIRECTORY);
		if (with == ANOTHER_EXTENTS_LOG)
			put_claim(&d, FIRST, 15, 104, 1, OWNER_LOG);
		if (with < ANOTHER_FILE) {
			drops(&d, FIRST, 10);
			keeps(&d, SECOND, 20);
		} else {
			keeps(&d, FIRST, 10);
			drops(&d, SECOND, 20);
		}
		close_disputed(&d);
	}
}

static void what_is_free_stays_unless_the_extent_is_wrong(void **state)
{
	struct disputed d;
	struct wrong_extent wrong;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_free(&d, FIRST, 10, 100, 2);
	keeps(&d, FIRST, 10);
	note_wrong(&d, &wrong, FIRST, 10);
	drops(&d, FIRST, 10);
	close_disputed(&d);
}

static void what_lies_beyond_the_end_gives_way(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_inode(&d, FIRST, FT_REG, 9, 0, false);
	put_inode(&d, SECOND, FT_REG, 100, 0, false);
	put_both(&d);
	drops(&d, FIRST, 10);
	keeps(&d, SECOND, 20);
	put_inode(&d, SECOND, FT_REG, 9, 0, false);
	drops(&d, SECOND, 20);
	close_disputed(&d);
}

/* The disputed blocks may be the surplus. */
static void who_has_too_many_gives_way_and_nobody_to_him(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_both(&d);
	put_surplus(&d, FIRST);
	keeps(&d, SECOND, 20);
	drops(&d, FIRST, 10);
	close_disputed(&d);
}

static void whom_the_rmapbt_confirms_keeps_and_the_other_has_a_hole(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_both(&d);
	put_rmap(&d, SECOND, 20, 100, 2);
	keeps(&d, SECOND, 20);
	drops(&d, FIRST, 10);
	close_disputed(&d);
}

/* Its rmap records are there, so these blocks never were its. */
static void who_has_others_in_the_rmapbt_and_none_there_has_a_hole(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_both(&d);
	put_rmap(&d, FIRST, 0, 180, 4);
	put_rmap(&d, SECOND, 20, 100, 2);
	drops(&d, FIRST, 10);
	close_disputed(&d);
}

/* A copy does no harm: the contents decide. If the rmapbt has other blocks of the directory, none of its are lost. */
static void a_directory_gets_a_copy_unless_the_rmapbt_has_others_of_it(void **state)
{
	for (unsigned others = 0; others < 2; others++) {
		struct disputed d;

		(void)state;
		open_disputed(&d);
		put_file_and_directory(&d, 0, 0);
		put_rmap(&d, FIRST, 10, 100, 2);
		if (others)
			put_rmap(&d, DIRECTORY, 0, 180, 4);
		keeps(&d, FIRST, 10);
		if (others)
			drops(&d, DIRECTORY, 20);
		else
			copies(&d, DIRECTORY, 20);
		close_disputed(&d);
	}
}

/* No map has the blocks of the rmapbt for that place: they may be its own. */
static void what_the_rmapbt_has_in_that_place_is_for_the_map_to_take(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_claim(&d, FIRST, 10, 100, 2, SECOND);
	put_rmap(&d, FIRST, 8, 180, 5);
	put_extent(&d, 6, 96, 10);
	settle_all_stays(&d, FIRST);
	/* the part of the extent for which the rmapbt has other blocks is removed */
	assert_int_equal(d.map.count, 2);
	has(&d, 0, 6, 96, 2);
	has(&d, 1, 13, 103, 3);
	close_disputed(&d);
}

static void of_an_extent_only_what_is_disputed_becomes_a_hole(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_both(&d);
	put_extent(&d, 16, 96, 10);
	settle_noted(&d, SECOND, 20);
	assert_int_equal(d.map.count, 2);
	has(&d, 0, 16, 96, 4);
	has(&d, 1, 22, 102, 4);
	close_disputed(&d);
}

static void of_two_places_in_a_file_the_later_is_a_hole(void **state)
{
	for (unsigned confirmed = 0; confirmed < 2; confirmed++) {
		struct disputed d;

		(void)state;
		open_disputed(&d);
		put_files(&d, 0, 0, true); /* a reflink file shares no blocks with itself */
		put_claim(&d, FIRST, 10, 100, 2, FIRST);
		put_claim(&d, FIRST, 30, 100, 2, FIRST);
		if (confirmed) {
			put_rmap(&d, FIRST, 10, 100, 2);
			put_rmap(&d, FIRST, 30, 100, 2);
		}
		put_extent(&d, 10, 100, 2);
		put_extent(&d, 30, 100, 2);
		settle_noted(&d, FIRST, 30);
		assert_int_equal(d.map.count, 1);
		has(&d, 0, 10, 100, 2);
		for (uint32_t i = 100; i < 102; i++)
			assert_int_equal(fsblock_set_has(&d.f.m.notes.two_owners, nothing_free_block(&d.f, i)),
					 confirmed);
		close_disputed(&d);
	}
}

static void one_place_told_twice_is_no_claim_of_two(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_claim(&d, FIRST, 10, 100, 2, FIRST);
	keeps(&d, FIRST, 10);
	close_disputed(&d);
}

static void both_are_confirmed(struct disputed *d, bool reflink)
{
	open_disputed(d);
	put_files(d, 0, 0, reflink);
	put_both(d);
	put_rmap(d, FIRST, 10, 100, 2);
	put_rmap(d, SECOND, 20, 100, 2);
}

static void files_that_may_share_blocks_do(void **state)
{
	struct disputed d;

	(void)state;
	both_are_confirmed(&d, true);
	keeps(&d, FIRST, 10);
	keeps(&d, SECOND, 20);
	close_disputed(&d);
}

static void a_file_made_anew_may_have_shared(void **state)
{
	struct disputed d;

	(void)state;
	both_are_confirmed(&d, false);
	assert_int_equal(ino_set_add(&d.f.m.notes.rebuilt, (xino_t){ FIRST }), 1);
	assert_int_equal(ino_set_add(&d.f.m.notes.rebuilt, (xino_t){ SECOND }), 1);
	keeps(&d, SECOND, 20);
	close_disputed(&d);
}

static void blocks_that_were_not_written_are_not_shared(void **state)
{
	struct disputed d;

	(void)state;
	both_are_confirmed(&d, true);
	put_extent(&d, 20, 100, 2);
	d.extents[0].unwritten = true;
	settle_all_stays(&d, SECOND); /* no data is lost */
	assert_int_equal(d.map.count, 0);
	close_disputed(&d);
}

/* Only the refcount btree lacks the sharing, and may be wrong: a copy has the same data. */
static void a_copy_stays_for_files_that_seem_to_share(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, true);
	put_both_there(&d, 20);
	keeps(&d, FIRST, 20);
	copies(&d, SECOND, 20);
	close_disputed(&d);
}

static void so_it_does_for_the_older_of_them(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, OLD, NEW, true);
	put_both_there(&d, 20);
	copies(&d, FIRST, 20);
	keeps(&d, SECOND, 20);
	close_disputed(&d);
}

static void no_copy_stays_for_files_that_have_the_blocks_in_different_places(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, true);
	put_both(&d);
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 20);
	close_disputed(&d);
}

static void nor_if_only_one_of_them_may_share(void **state)
{
	for (unsigned first = 0; first < 2; first++) {
		struct disputed d;

		(void)state;
		open_disputed(&d);
		put_inode(&d, FIRST, FT_REG, 100, 0, first);
		put_inode(&d, SECOND, FT_REG, 100, 0, !first);
		put_both_there(&d, 20);
		keeps(&d, FIRST, 20);
		drops(&d, SECOND, 20);
		close_disputed(&d);
	}
}

static void nor_of_what_was_not_written(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, true);
	put_both_there(&d, 20);
	put_extent(&d, 20, 100, 2);
	d.extents[0].unwritten = true;
	settle_all_stays(&d, SECOND); /* no data is lost */
	assert_int_equal(d.map.count, 0);
	close_disputed(&d);
}

/* Blocks without an owner may be the file's, except in an old group, whose trees lack the sharing. */
static void nor_if_any_blocks_lack_an_owner_but_of_an_old_group_both_keep(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, true);
	put_both_there(&d, 20);
	put_lost(&d, 150, 2);
	keeps(&d, FIRST, 20);
	drops(&d, SECOND, 20);
	assert_true(group_note_old(&d.f.m, (agno_t){ 1 }) >= 0);
	keeps(&d, FIRST, 20);
	keeps(&d, SECOND, 20);
	close_disputed(&d);
}

/* The inode without the flag, if it is the older one, may be in its state from before the sharing. */
static void of_an_old_group_one_flag_is_enough_if_the_later_file_has_it(void **state)
{
	for (unsigned first = 0; first < 2; first++) {
		for (unsigned later = 0; later < 2; later++) {
			struct disputed d;

			(void)state;
			open_disputed(&d);
			put_inode(&d, FIRST, FT_REG, 100, later ? OLD : NEW, first);
			put_inode(&d, SECOND, FT_REG, 100, later ? NEW : OLD, !first);
			put_both_there(&d, 20);
			assert_true(group_note_old(&d.f.m, (agno_t){ 1 }) >= 0);
			if (first == later) {
				(later ? drops : keeps)(&d, FIRST, 20);
				(later ? keeps : drops)(&d, SECOND, 20);
			} else {
				keeps(&d, FIRST, 20);
				keeps(&d, SECOND, 20);
			}
			close_disputed(&d);
		}
	}
}

/* At any offsets, and even if blocks lack an owner. */
static void files_share_what_is_shared_by_the_refcount_btree(void **state)
{
	struct disputed d;
	struct shared_range range = { 100, 101 };

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, true);
	put_both(&d);
	put_lost(&d, 150, 2);
	d.f.shared[1].v = &range;
	d.f.shared[1].count = 1;
	assert_int_equal(shared_settle(&d.f.shared[1], NOTHING_FREE_LEN), 0);
	/* not all of the blocks are shared */
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 20);
	range.end = 102;
	free(d.f.shared[1].map);
	free(d.f.shared[1].first);
	assert_int_equal(shared_settle(&d.f.shared[1], NOTHING_FREE_LEN), 0);
	keeps(&d, FIRST, 10);
	keeps(&d, SECOND, 20);
	/* they may not */
	put_files(&d, 0, 0, false);
	drops(&d, SECOND, 20);
	close_disputed(&d);
}

static void of_those_who_share_too_often_who_is_damaged_has_a_hole(void **state)
{
	struct disputed d;
	struct wrong_extent wrong;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, true);
	put_shared_often(&d, 10);
	keeps(&d, FIRST, 10);
	keeps(&d, SECOND, 10);
	note_wrong(&d, &wrong, SECOND, 10);
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 10);
	d.f.m.notes.nwrong = 0;
	put_inode(&d, SECOND, FT_REG, 100, 0, false); /* it shares nothing */
	drops(&d, SECOND, 10);
	put_miscount(&d, FIRST);
	drops(&d, FIRST, 10);
	close_disputed(&d);
}

/* It doesn't get the blocks back from the rmapbt, and for the other file the conflict is settled. */
static void who_may_not_share_gives_up_what_the_rmapbt_has_as_boths(void **state)
{
	struct disputed d;

	(void)state;
	both_are_confirmed(&d, false);
	drops(&d, SECOND, 20);
	assert_true(fsblock_set_has(&d.f.m.notes.two_owners, nothing_free_block(&d.f, 100)));
	assert_true(fsblock_set_has(&d.f.m.notes.two_owners, nothing_free_block(&d.f, 101)));
	keeps(&d, FIRST, 10);
	close_disputed(&d);
}

static void a_newer_inode_keeps_what_a_stale_rmapbt_has_as_anothers_who_has_a_hole(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, OLD, NEW, false);
	put_both(&d);
	put_rmap(&d, FIRST, 10, 100, 2);
	keeps(&d, SECOND, 20);
	drops(&d, FIRST, 10);
	close_disputed(&d);
}

static void an_older_directory_gets_a_copy_of_what_a_stale_rmapbt_has_as_its_own(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_inode(&d, SECOND, FT_REG, 100, NEW, false);
	put_inode(&d, DIRECTORY, FT_DIR, 100, OLD, false);
	put_claim(&d, SECOND, 20, 100, 2, DIRECTORY);
	put_claim(&d, DIRECTORY, 30, 100, 2, SECOND);
	put_rmap(&d, DIRECTORY, 30, 100, 2);
	keeps(&d, SECOND, 20);
	copies(&d, DIRECTORY, 30);
	close_disputed(&d);
}

static void of_two_whom_the_rmapbt_confirms_the_newer_keeps(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, NEW, OLD, false);
	put_both(&d);
	put_rmap(&d, FIRST, 10, 100, 2);
	put_rmap(&d, SECOND, 20, 100, 2);
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 20);
	close_disputed(&d);
}

static void who_is_as_old_is_not_newer(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, NEW, NEW, false);
	put_both(&d);
	put_rmap(&d, FIRST, 10, 100, 2);
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 20);
	close_disputed(&d);
}

static void a_newer_inode_that_contradicts_itself_does_not_keep(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, OLD, NEW, false);
	put_both(&d);
	put_rmap(&d, FIRST, 10, 100, 2);
	put_surplus(&d, SECOND);
	keeps(&d, FIRST, 10);
	drops(&d, SECOND, 20);
	close_disputed(&d);
}

static void nor_one_of_which_the_rmapbt_has_other_blocks_there(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, OLD, NEW, false);
	put_both(&d);
	put_rmap(&d, FIRST, 10, 100, 2);
	put_rmap(&d, SECOND, 20, 180, 2);
	keeps(&d, FIRST, 10);
	put_extent(&d, 20, 100, 2);
	settle_all_stays(&d, SECOND); /* the map takes those instead: nothing is lost */
	assert_int_equal(d.map.count, 0);
	close_disputed(&d);
}

/* In version 5, a directory block names its owner: a block that does not is the file's. */
static void a_file_has_a_hole_where_a_directory_has_blocks(void **state)
{
	for (unsigned crc = 0; crc < 2; crc++) {
		struct disputed d;

		(void)state;
		open_disputed(&d);
		put_file_and_directory(&d, 0, 0);
		d.f.rc.geo.crc = crc;
		(crc ? keeps : drops)(&d, FIRST, 10);
		(crc ? copies : keeps)(&d, DIRECTORY, 20);
		close_disputed(&d);
	}
}

static void of_two_directories_the_second_gets_a_copy(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_inode(&d, FIRST, FT_DIR, 100, 0, false);
	put_inode(&d, SECOND, FT_DIR, 100, 0, false);
	put_both(&d);
	keeps(&d, FIRST, 10);
	copies(&d, SECOND, 20);
	close_disputed(&d);
}

/* Whatever the rmapbt says: the block holds no data of a file. */
static void a_block_that_says_it_is_a_directorys_is_dropped_by_the_file(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_file_and_directory(&d, NEW, OLD);
	put_rmap(&d, FIRST, 10, 100, 2);
	nothing_free_dir_block(&d.f, DIRECTORY, 101, 101, 4096);
	drops(&d, FIRST, 10);
	keeps(&d, DIRECTORY, 20);
	close_disputed(&d);
}

static void what_is_kept_for_copies_on_write_does_not_take_a_files_blocks(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_claim(&d, FIRST, 10, 100, 2, OWNER_COW);
	keeps(&d, FIRST, 10);
	close_disputed(&d);
}

static void nobody_gets_what_is_the_logs(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_claim(&d, FIRST, 10, 100, 2, OWNER_LOG);
	drops(&d, FIRST, 10);
	close_disputed(&d);
}

/* Even if the rmapbt has the blocks as the file's. */
static void a_file_gives_up_blocks_of_a_chunk_only_if_inodes_in_use_lie_there(void **state)
{
	for (unsigned in_use = 0; in_use < 2; in_use++) {
		struct disputed d;

		(void)state;
		open_disputed(&d);
		put_files(&d, 0, 0, false);
		put_claim(&d, FIRST, 10, 100, 2, OWNER_INODES);
		put_rmap(&d, FIRST, 10, 100, 2);
		put_inode(&d, 1 << 12 | (in_use ? 101 : 102) << 3 | 5, FT_REG, 1, 0, false);
		(in_use ? drops : keeps)(&d, FIRST, 10);
		close_disputed(&d);
	}
}

/* Writes a leaf of the bnobt with one record. */
static void put_bnobt_block(struct disputed *d, uint32_t agbno)
{
	const fsbno_t block = nothing_free_block(&d->f, agbno);
	struct btrees b;

	start(&b, BT_BNO, 0);
	put_alloc(&b, 200, 3);
	put64(b.block + 16, daddr_of_fsbno(&d->f.rc.geo, block).v);
	crc_store(b.block, sizeof(b.block), 52);
	assert_int_equal(mend_write(&d->f.m, b.block, offset_of(d, block), sizeof(b.block)), 0);
}

static void a_file_gives_up_a_btrees_block_only_if_it_is_one(void **state)
{
	struct disputed d;

	(void)state;
	open_disputed(&d);
	put_files(&d, 0, 0, false);
	put_claim(&d, FIRST, 10, 100, 2, OWNER_AG);
	keeps(&d, FIRST, 10);
	put_bnobt_block(&d, 101);
	drops(&d, FIRST, 10);
	close_disputed(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_witness_the_first_of_two_files_keeps_and_the_other_has_a_hole),
		cmocka_unit_test(without_witness_the_older_has_a_hole),
		cmocka_unit_test(who_miscounts_has_a_hole_even_if_he_is_newer),
		cmocka_unit_test(an_extent_whose_blocks_lie_elsewhere_becomes_a_hole),
		cmocka_unit_test(an_extent_that_collides_with_too_much_becomes_a_hole),
		cmocka_unit_test(what_is_free_stays_unless_the_extent_is_wrong),
		cmocka_unit_test(what_lies_beyond_the_end_gives_way),
		cmocka_unit_test(who_has_too_many_gives_way_and_nobody_to_him),
		cmocka_unit_test(whom_the_rmapbt_confirms_keeps_and_the_other_has_a_hole),
		cmocka_unit_test(who_has_others_in_the_rmapbt_and_none_there_has_a_hole),
		cmocka_unit_test(a_directory_gets_a_copy_unless_the_rmapbt_has_others_of_it),
		cmocka_unit_test(what_the_rmapbt_has_in_that_place_is_for_the_map_to_take),
		cmocka_unit_test(of_an_extent_only_what_is_disputed_becomes_a_hole),
		cmocka_unit_test(of_two_places_in_a_file_the_later_is_a_hole),
		cmocka_unit_test(one_place_told_twice_is_no_claim_of_two),
		cmocka_unit_test(files_that_may_share_blocks_do),
		cmocka_unit_test(a_file_made_anew_may_have_shared),
		cmocka_unit_test(blocks_that_were_not_written_are_not_shared),
		cmocka_unit_test(a_copy_stays_for_files_that_seem_to_share),
		cmocka_unit_test(so_it_does_for_the_older_of_them),
		cmocka_unit_test(no_copy_stays_for_files_that_have_the_blocks_in_different_places),
		cmocka_unit_test(nor_if_only_one_of_them_may_share),
		cmocka_unit_test(nor_of_what_was_not_written),
		cmocka_unit_test(nor_if_any_blocks_lack_an_owner_but_of_an_old_group_both_keep),
		cmocka_unit_test(of_an_old_group_one_flag_is_enough_if_the_later_file_has_it),
		cmocka_unit_test(files_share_what_is_shared_by_the_refcount_btree),
		cmocka_unit_test(of_those_who_share_too_often_who_is_damaged_has_a_hole),
		cmocka_unit_test(who_may_not_share_gives_up_what_the_rmapbt_has_as_boths),
		cmocka_unit_test(a_newer_inode_keeps_what_a_stale_rmapbt_has_as_anothers_who_has_a_hole),
		cmocka_unit_test(an_older_directory_gets_a_copy_of_what_a_stale_rmapbt_has_as_its_own),
		cmocka_unit_test(of_two_whom_the_rmapbt_confirms_the_newer_keeps),
		cmocka_unit_test(who_is_as_old_is_not_newer),
		cmocka_unit_test(a_newer_inode_that_contradicts_itself_does_not_keep),
		cmocka_unit_test(nor_one_of_which_the_rmapbt_has_other_blocks_there),
		cmocka_unit_test(a_file_has_a_hole_where_a_directory_has_blocks),
		cmocka_unit_test(of_two_directories_the_second_gets_a_copy),
		cmocka_unit_test(a_block_that_says_it_is_a_directorys_is_dropped_by_the_file),
		cmocka_unit_test(what_is_kept_for_copies_on_write_does_not_take_a_files_blocks),
		cmocka_unit_test(nobody_gets_what_is_the_logs),
		cmocka_unit_test(a_file_gives_up_a_btrees_block_only_if_it_is_one),
		cmocka_unit_test(a_file_gives_up_blocks_of_a_chunk_only_if_inodes_in_use_lie_there),
	};

	return cmocka_run_group_tests_name("mend_inode_claims", tests, NULL, NULL);
}
