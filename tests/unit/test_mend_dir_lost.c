/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/settle/dir/mend_dir_lost.c: which names of a lost block its directory gets, and which it loses. */
#include "letter_dirs.h"

#include "../../repair/mend/blocks/mend_space.h"
#include "../../repair/mend/collect/mend_survey.h"
#include "check/walk/walker.h"
#include "disk/attr.h"
#include "libxfs/attr_build.h"

enum {
	BLOCK = 100, /* the lost block, of AG 1 */
	ELSEWHERE = 110,
	LSN = 0x500000010,
	CUT_OFF = 2 << 18 | 20 << 3, /* an inode of AG 2, which is gone */
};

struct fixture {
	struct mending f;
	struct traverse traverse;
	struct ag_state ags[2];
	struct mend_survey survey;
	struct survey_ag maps[2];
	struct found found[64];
	size_t count;
};

static void open_fixture(struct fixture *v)
{
	const struct geometry geo = letter_dirs_geometry();

	memset(v, 0, sizeof(*v));
	mending_open(&v->f, MEND_dir_lost, &geo);
	v->traverse.ags = v->ags;
	v->f.rc.traverse = &v->traverse;
}

static void close_fixture(struct fixture *v)
{
	struct mend *m = &v->f.m;

	for (unsigned ag = 0; ag < 2; ag++) {
		block_map_free(&v->maps[ag].claimed);
		block_map_free(&v->maps[ag].free);
	}
	m->survey = NULL;
	for (enum mend_kind kind = 0; kind < MEND_NR; kind++)
		free(m->follows[kind].found);
	mending_close(&v->f);
}

/* ---- the file system ---- */

static void put_directory(struct fixture *v, const char *letters)
{
	put_inode(&v->f, DIRECTORY, FT_DIR, letters, LSN);
}

/* Puts a block of the directory there, the only one or a further one, whose header says that it is of block `says`. */
static void put_block(struct fixture *v, uint32_t agbno, uint32_t says, uint64_t owner, const char *letters, bool only,
		      uint64_t lsn)
{
	const struct geometry *geo = &v->f.rc.geo;
	const struct da_expect place = { { owner }, daddr_of(geo, (agno_t){ 1 }, (agbno_t){ says }), { 0 }, DATA_FORK };
	struct dir_name names[MOST + 2];
	uint8_t block[4096], letter[MOST];
	const size_t n = fill_names(letters, owner, letter, names);
	uint16_t best;

	if (only)
		dir_build_block(geo, block, &place, names, n);
	else
		dir_build_data(geo, block, &place, names + 2, n - 2, &best);
	if (geo->crc) {
		((struct dir_blkhdr_disk *)block)->lsn = be64_put(lsn);
		crc_store(block, sizeof(block), offsetof(struct dir_blkhdr_disk, crc));
	}
	mending_put(&v->f, mending_at(&v->f, 1, agbno), block, sizeof(block));
}

/* Puts a wrong tag into the entry of the first letter of the further block there, whose checksum is right all the same.
 */
static void break_entry(struct fixture *v, uint32_t agbno)
{
	uint8_t block[4096];

	assert_int_equal(pread(v->f.scratch.fd, block, sizeof(block), (off_t)mending_at(&v->f, 1, agbno)),
			 sizeof(block));
	block[DA_HEADER_SIZE + 15] ^= 8; /* behind inode number, length, letter, and type */
	crc_store(block, sizeof(block), offsetof(struct dir_blkhdr_disk, crc));
	mending_put(&v->f, mending_at(&v->f, 1, agbno), block, sizeof(block));
}

/* ---- what a check finds in it ---- */

static struct found *say(struct fixture *v, enum finding finding, enum object object, uint64_t ino, uint32_t agbno)
{
	struct found *found = &v->found[v->count++];

	assert_true(v->count <= sizeof(v->found) / sizeof(v->found[0]));
	*found = (struct found){ .place = place_of(object), .problem = { finding, 0, NO_INDEX, 1, 0 }, .times = 1 };
	found->place.ino.v = ino;
	found->place.agno.v = 1;
	found->place.agbno.v = agbno;
	return found;
}

static void lose(struct fixture *v, uint32_t agbno, uint32_t len)
{
	say(v, F_SPACE_LOST, OBJ_AG, NULL_INO, agbno)->problem.got = len;
}

/* The directory has lost blocks, as far as is known. */
static void damage(struct fixture *v)
{
	say(v, F_BLOCK_MAGIC, OBJ_DIR_DATA, DIRECTORY, 50);
}

/* These inodes have no name.  A capital has names, but counts one more; after `!` they count one less. */
static void orphan(struct fixture *v, const char *letters)
{
	const bool less = letters[0] == '!';

	for (const char *c = letters + less; *c; c++) {
		struct found *found = say(v, F_INODE_ORPHAN, OBJ_INODE, inode_of(*c), 0);

		if (!less && !isupper(*c))
			continue;
		found->problem.finding = F_INODE_NLINK_COUNT;
		found->problem.got = less ? 1 : 2;
		found->problem.want = less ? 2 : 1;
	}
}

static void mend(struct fixture *v)
{
	assert_int_equal(mend_dir_lost(&v->f.m, v->found, v->count), 0);
}

/* ---- whose block it is, and how old ---- */

static void names_of_a_lost_block_come_back(void **state)
{
	(void)state;
	for (unsigned only = 0; only < 2; only++) {
		struct fixture v;

		open_fixture(&v);
		put_directory(&v, "ab");
		put_block(&v, BLOCK, BLOCK, DIRECTORY, "cde", only, LSN);
		damage(&v);
		lose(&v, BLOCK - 3, 9);
		mend(&v);
		assert_names(&v.f, DIRECTORY, "abcde");
		assert_int_equal(v.f.m.done, 1);
		assert_int_equal(v.f.m.likely, 1);
		assert_dropped(&v.f, "", 0);
		close_fixture(&v);
	}
}

/* What it shows must be right, the directory must lack something, and the block must have no owner. */
static void the_block_of_another_is_left_alone(void **state)
{
	enum { OWNER, ADDRESS, CHECKSUM, KIND, ENTRY, NOT_LOST, NOTHING_LACKS, KNOWN, TAKEN, CASES };

	(void)state;
	for (unsigned is = 0; is < CASES; is++) {
		const uint8_t noise[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
		struct fixture v;

		open_fixture(&v);
		put_directory(&v, "ab");
		put_inode(&v.f, OTHER, FT_DIR, "xy", LSN);
		put_block(&v, BLOCK, is == ADDRESS ? BLOCK + 1 : BLOCK, is == OWNER ? OTHER : DIRECTORY, "cde", false,
			  LSN);
		if (is == ENTRY)
			break_entry(&v, BLOCK);
		if (is == CHECKSUM || is == KIND)
			mending_put(&v.f, mending_at(&v.f, 1, BLOCK) + (is == KIND ? 0 : 4000), noise, sizeof(noise));
		if (is != NOTHING_LACKS)
			damage(&v);
		if (is == KNOWN)
			assert_int_equal(sector_set_put(&v.f.m.notes.names_known,
							daddr_of(&v.f.rc.geo, (agno_t){ 1 }, (agbno_t){ BLOCK })),
					 0);
		if (is == TAKEN)
			assert_int_equal(
				mend_space_give(&v.f.m, fsbno_of(&v.f.rc.geo, (agno_t){ 1 }, (agbno_t){ BLOCK })), 0);
		lose(&v, is == NOT_LOST ? BLOCK + 1 : BLOCK, 1);
		mend(&v);
		assert_names(&v.f, DIRECTORY, "ab");
		assert_names(&v.f, OTHER, "xy");
		assert_int_equal(v.f.m.done, 0);
		mending_assert_staged(&v.f, 0);
		close_fixture(&v);
	}
}

/* A block that was freed long ago: the directory has most of its names elsewhere. */
static void a_block_is_used_if_the_directory_lacks_at_least_half_of_its_names(void **state)
{
	static const char *const blocks[] = { "abcd", "abcde", "abcdef", "ac", "acde", "a", "c", "abc", "abcdeA" };

	(void)state;
	for (unsigned i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		char all[MOST + 1] = "ab";
		unsigned there = 0;
		struct fixture v;

		open_fixture(&v);
		put_directory(&v, "ab");
		put_block(&v, BLOCK, BLOCK, DIRECTORY, blocks[i], false, LSN);
		damage(&v);
		lose(&v, BLOCK, 1);
		mend(&v);
		for (const char *c = blocks[i]; *c; c++)
			if (strchr("ab", tolower(*c)))
				there++;
			else
				strncat(all, c, 1);
		assert_names(&v.f, DIRECTORY, 2 * there <= strlen(blocks[i]) ? all : "ab");
		assert_int_equal(v.f.m.done, 2 * there <= strlen(blocks[i]));
		assert_int_equal(device_staged(v.f.scratch.device, LAYER_MEND) > 0, v.f.m.done);
		close_fixture(&v);
	}
}

/* Its names are known then, and don't come back if they are removed. */
static void a_block_without_anything_new_is_not_read_again(void **state)
{
	(void)state;
	for (unsigned used = 0; used < 2; used++) {
		struct fixture v;

		open_fixture(&v);
		put_directory(&v, "ab");
		put_block(&v, BLOCK, BLOCK, DIRECTORY, used ? "cde" : "abc", false, LSN);
		damage(&v);
		lose(&v, BLOCK, 1);
		mend(&v);
		assert_int_equal(sector_set_has(&v.f.m.notes.names_known,
						daddr_of(&v.f.rc.geo, (agno_t){ 1 }, (agbno_t){ BLOCK })),
				 !used);
		close_fixture(&v);
	}
}

/* Two lost blocks of one directory are one repair. */
static void all_blocks_of_a_directory_come_back_at_once(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	put_directory(&v, "ab");
	put_block(&v, BLOCK, BLOCK, DIRECTORY, "cde", false, LSN);
	put_block(&v, ELSEWHERE, ELSEWHERE, DIRECTORY, "fgh", false, LSN);
	damage(&v);
	lose(&v, BLOCK, 1);
	lose(&v, ELSEWHERE, 1);
	mend(&v);
	assert_names(&v.f, DIRECTORY, "abcdefgh");
	assert_int_equal(v.f.m.done, 1);
	close_fixture(&v);
}

static void a_damaged_block_casts_no_doubt_on_its_directory(void **state)
{
	(void)state;
	for (unsigned address = 0; address < 2; address++) {
		const uint8_t noise[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
		struct fixture v;

		open_fixture(&v);
		put_directory(&v, "ab");
		put_block(&v, BLOCK, BLOCK + address, DIRECTORY, "cde", false, LSN + 1);
		if (!address)
			mending_put(&v.f, mending_at(&v.f, 1, BLOCK) + 4000, noise, sizeof(noise));
		lose(&v, BLOCK, 1);
		mend(&v);
		assert_false(ino_set_has(&v.f.m.notes.stale, (xino_t){ DIRECTORY }));
		mending_assert_staged(&v.f, 0);
		close_fixture(&v);
	}
}

/* A file that was given the number of a deleted directory. */
static void a_block_newer_than_a_file_in_its_directorys_place_is_left_alone(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	put_inode(&v.f, DIRECTORY, FT_REG, "", LSN);
	put_block(&v, BLOCK, BLOCK, DIRECTORY, "cde", true, LSN + 1);
	lose(&v, BLOCK, 1);
	mend(&v);
	assert_int_equal(v.f.m.done, 0);
	assert_false(ino_set_has(&v.f.m.notes.stale, (xino_t){ DIRECTORY }));
	close_fixture(&v);
}

/* The directory knows better than its lost block where its names lead. */
static void a_name_that_the_directory_has_stays(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	put_directory(&v, "aB");
	put_block(&v, BLOCK, BLOCK, DIRECTORY, "Abcde", true, LSN);
	damage(&v);
	lose(&v, BLOCK, 1);
	mend(&v);
	assert_names(&v.f, DIRECTORY, "aBcde");
	assert_dropped(&v.f, "", 0);
	close_fixture(&v);
}

/*
 * The directory's inode is older: its last write was lost.  The block then is right about its names; if it is the
 * only one, also about those that it lacks.
 */
static void a_block_newer_than_its_directory_is_right(void **state)
{
	(void)state;
	for (unsigned only = 0; only < 2; only++) {
		struct fixture v;

		open_fixture(&v);
		put_directory(&v, "abcd");
		put_block(&v, BLOCK, BLOCK, DIRECTORY, "aBcx", only, LSN + 1);
		lose(&v, BLOCK, 1);
		mend(&v);
		assert_names(&v.f, DIRECTORY, only ? "aBcx" : "aBcdx");
		assert_dropped(&v.f, only ? "bd" : "b", DROP_OUTDATED);
		assert_true(ino_set_has(&v.f.m.notes.stale, (xino_t){ DIRECTORY }));
		close_fixture(&v);
	}
}

/* Blocks of equal directories lie in each other's place. */
static void an_exchanged_block_goes_to_its_owner(void **state)
{
	(void)state;
	for (unsigned lacks = 0; lacks < 2; lacks++) {
		struct fixture v;

		open_fixture(&v);
		put_directory(&v, "ab");
		put_inode(&v.f, OTHER, FT_DIR, "xy", LSN);
		put_block(&v, ELSEWHERE, BLOCK, DIRECTORY, "cde", false, LSN);
		if (lacks)
			damage(&v);
		say(&v, F_BLOCK_OWNER, OBJ_DIR_DATA, OTHER, ELSEWHERE);
		mend(&v);
		assert_names(&v.f, DIRECTORY, lacks ? "abcde" : "ab");
		assert_names(&v.f, OTHER, "xy");
		close_fixture(&v);
	}
}

/* ---- groups whose free blocks are not known ---- */

/* Says that the block has no owner, by a survey.  known: it is not free either; else it may be. */
static void doubt_free(struct fixture *v, bool known)
{
	for (unsigned ag = 0; ag < 2; ag++) {
		assert_int_equal(block_map_new(&v->maps[ag].claimed, 0, v->f.rc.geo.agblocks), 0);
		assert_int_equal(block_map_new(&v->maps[ag].free, 0, v->f.rc.geo.agblocks), 0);
		block_map_set(&v->maps[ag].claimed, 0, ag ? BLOCK : v->f.rc.geo.agblocks, true);
		v->maps[ag].free_in_part = !known;
	}
	v->survey = (struct mend_survey){ .ags = v->maps, .agcount = 2 };
	v->f.m.survey = &v->survey;
}

/*
 * It may have been free for long: only names of inodes that lack one, or are lost themselves, are believed.  If a
 * survey knows that it is not free, it is used like one that a finding is about.
 */
static void of_a_block_that_may_be_free_only_needed_names_are_used(void **state)
{
	static const char *const orphans[] = { "", "c", "cd", "x" };

	(void)state;
	for (unsigned i = 0; i < 16; i++) {
		const bool stray = i < 4, known = i >= 8 && i < 12, most_there = i >= 12;
		const bool used = stray && (i == 1 || i == 2);
		struct fixture v;

		open_fixture(&v);
		put_directory(&v, "ab");
		for (const char *c = "abcd"; *c; c++)
			put_inode(&v.f, inode_of(*c), FT_REG, "", LSN);
		/* nothing is in the place of inode `e` */
		put_block(&v, BLOCK, BLOCK, DIRECTORY, most_there ? "abc" : "cde", false, LSN);
		if (stray || known || most_there) /* it was made for its blocks */
			assert_int_equal(ino_set_put(&v.f.m.notes.stray_dirs, (xino_t){ DIRECTORY }), 0);
		damage(&v);
		orphan(&v, orphans[i % 4]);
		doubt_free(&v, known);
		mend(&v);
		assert_names(&v.f, DIRECTORY, known && i > 8 ? "abcde" : !used ? "ab" : i == 1 ? "abce" : "abcde");
		assert_int_equal(sector_set_has(&v.f.m.notes.names_known,
						daddr_of(&v.f.rc.geo, (agno_t){ 1 }, (agbno_t){ BLOCK })),
				 used);
		close_fixture(&v);
	}
}

/* ---- directories whose inodes are lost as well ---- */

enum what_shows {
	FREE_KNOWN,	 /* the block is not free, by the group's bnobt */
	LEADS_TO_FILE,	 /* `c` is the name of a file that is there */
	LEADS_TO_OTHERS, /* ..., but of a directory */
	NO_EVIDENCE,
	IN_USE,	   /* another inode is in the place of the directory */
	WAS_THERE, /* ..., before the repair */
	FREED,	   /* it was, and a mender freed it */
	OF_ROOT,
	MADE_FREE, /* a mender made a free inode there, where nothing was */
	BROKEN,	   /* the block has an impossible entry */
	NO_AGF,
	TREE_IN_PART,
	CASES_OF_EVIDENCE,
};

static void put_evidence(struct fixture *v, enum what_shows is)
{
	const uint64_t at = bytes_of_ino(&v->f.rc.geo, (xino_t){ DIRECTORY });
	const uint8_t zeroes[512] = { 0 };

	const bool known = is == FREE_KNOWN || is >= IN_USE;

	v->ags[1].have_agf = known && is != NO_AGF;
	v->ags[1].tree[BT_BNO].blocks = known;
	v->ags[1].tree[BT_BNO].gap = is == TREE_IN_PART;
	if (is == LEADS_TO_FILE || is == LEADS_TO_OTHERS)
		put_inode(&v->f, inode_of('c'), is == LEADS_TO_FILE ? FT_REG : FT_DIR, "", LSN);
	if (is == IN_USE || is == WAS_THERE || is == FREED)
		put_inode(&v->f, DIRECTORY, FT_REG, "", LSN);
	if (is == WAS_THERE || is == FREED)
		assert_int_equal(mend_write(&v->f.m, zeroes, at, sizeof(zeroes)), 0);
	if (is == FREED)
		assert_int_equal(ino_set_put(&v->f.m.notes.freed, (xino_t){ DIRECTORY }), 0);
	if (is == MADE_FREE)
		assert_int_equal(mend_inode_put_free(&v->f.m, (xino_t){ DIRECTORY }), 0);
	if (is == OF_ROOT)
		v->f.rc.geo.rootino.v = DIRECTORY;
}

/*
 * The block may have been free already when the inode was lost: then its directory was deleted.  In each case it is
 * reported which names the block has of inodes that are lost as well, since the directory may not be made after all.
 */
static void a_directory_is_made_for_a_block_that_is_not_free(void **state)
{
	(void)state;
	for (enum what_shows is = FREE_KNOWN; is < CASES_OF_EVIDENCE; is++) {
		const bool made = is == FREE_KNOWN || is == LEADS_TO_FILE || is == FREED || is == MADE_FREE;
		const bool noted = is == LEADS_TO_OTHERS || is == NO_EVIDENCE || is == NO_AGF || is == TREE_IN_PART;
		struct fixture v;

		open_fixture(&v);
		put_evidence(&v, is);
		put_block(&v, BLOCK, BLOCK, DIRECTORY, "cde", false, LSN);
		if (is == BROKEN)
			break_entry(&v, BLOCK);
		lose(&v, BLOCK, 1);
		for (unsigned twice = 0; twice < 2; twice++)
			mend(&v);
		assert_int_equal(ino_set_has(&v.f.m.notes.stray_dirs, (xino_t){ DIRECTORY }), made);
		assert_int_equal(v.f.m.round.names_wait, made);
		assert_int_equal(v.f.m.follows[MEND_inode_named].count, is == FREED);
		assert_int_equal(v.f.m.follows[MEND_ag_inodes].count, made && is != FREED);
		assert_dropped(&v.f,
			       !made && !noted				      ? ""
			       : is == LEADS_TO_FILE || is == LEADS_TO_OTHERS ? "de"
									      : "cde",
			       made && is != LEADS_TO_FILE ? DROP_INODE_LOST : DROP_PERHAPS_FREE);
		assert_int_equal(v.f.m.done, 0);
		close_fixture(&v);
	}
}

/* ---- names that only unowned blocks have ---- */

/* The file system had one group more, which lies beyond the end of the device.  old: of rc, and outlives the fixture.
 */
static void shrink(struct fixture *v, struct repair *old)
{
	*old = v->f.rc;
	old->geo.agcount = 3;
	old->geo.dblocks = 3 * 256;
	v->f.m.rc = old;
	v->f.m.shrunk.done = true;
}

/* A directory beyond the end has a block before it. */
static void names_in_a_directory_that_is_cut_off_are_reported(void **state)
{
	(void)state;
	for (unsigned shrunk = 0; shrunk < 2; shrunk++) {
		struct fixture v;
		struct repair old;

		open_fixture(&v);
		if (shrunk)
			shrink(&v, &old);
		put_inode(&v.f, inode_of('c'), FT_REG, "", LSN);
		put_evidence(&v, FREE_KNOWN);
		put_block(&v, BLOCK, BLOCK, CUT_OFF, "cde", false, LSN);
		lose(&v, BLOCK, 1);
		mend(&v);
		assert_dropped(&v.f, shrunk ? "de" : "", DROP_INODE_LOST);
		assert_int_equal(ino_set_count(&v.f.m.notes.stray_dirs), 0);
		close_fixture(&v);
	}
}

/* The directory has got back from elsewhere what exists of the block: the rest leads to inodes that are destroyed. */
static void names_of_destroyed_inodes_are_reported(void **state)
{
	(void)state;
	for (unsigned certain = 0; certain < 2; certain++) {
		struct fixture v;

		open_fixture(&v);
		put_directory(&v, "abc");
		for (const char *c = "abcd"; *c; c++)
			put_inode(&v.f, inode_of(*c), FT_REG, "", LSN);
		put_evidence(&v, certain ? FREE_KNOWN : NO_EVIDENCE);
		put_block(&v, BLOCK, BLOCK, DIRECTORY, "abcdx", false, LSN);
		damage(&v);
		lose(&v, BLOCK, 1);
		for (unsigned twice = 0; twice < 2; twice++)
			mend(&v);
		assert_names(&v.f, DIRECTORY, "abc");
		assert_dropped(&v.f, "x", certain ? DROP_INODE_LOST : DROP_PERHAPS_FREE);
		close_fixture(&v);
	}
}

enum parent_pointer {
	OF_LOST_FILE,
	OF_FILE, /* the inode is there */
	IN_LOST_DIRECTORY,
	IN_NEWER_DIRECTORY,   /* another generation */
	IN_DIRECTORY_WITHOUT, /* which is intact, and has no such name */
	WITH_WRONG_CHECKSUM,
	AMONG_OTHERS, /* the leaf is not the root */
	OF_FILE_CUT_OFF,
	CASES_OF_POINTERS,
};

/* Puts an attribute leaf of inode `x` there, with its parent pointer. */
static void put_leaf(struct fixture *v, uint64_t parent, uint32_t gen, enum parent_pointer is)
{
	const struct geometry *geo = &v->f.rc.geo;
	const struct da_siblings siblings = { .forw = { is == AMONG_OTHERS ? 7 : 0 } };
	const struct da_expect place = { { is == OF_FILE_CUT_OFF ? (uint64_t)CUT_OFF : inode_of('x') },
					 daddr_of(geo, (agno_t){ 1 }, (agbno_t){ BLOCK }),
					 { 0 },
					 ATTR_FORK };
	const struct attr_parent_disk value = { .ino = be64_put(parent), .gen = be32_put(gen) };
	const struct attr_item item = { .flags = ATTR_PARENT,
					.namelen = 1,
					.name = (const uint8_t *)"x",
					.value = (const uint8_t *)&value,
					.valuelen = sizeof(value),
					.hash = da_hash_pptr((const uint8_t *)"x", 1, false, (xino_t){ parent }) };
	uint8_t block[4096];

	attr_build_leaf(geo, block, &place, &item, 1, siblings);
	block[sizeof(block) / 2] ^= is == WITH_WRONG_CHECKSUM;
	mending_put(&v->f, mending_at(&v->f, 1, BLOCK), block, sizeof(block));
}

/* A file is destroyed with its inode, and so is its directory's block: only an attribute leaf has its name. */
static void parent_pointers_show_names_of_destroyed_inodes(void **state)
{
	(void)state;
	for (unsigned certain = 0; certain < 2; certain++)
		for (enum parent_pointer is = 0; is < CASES_OF_POINTERS; is++) {
			const bool reported = is == OF_LOST_FILE || is == IN_LOST_DIRECTORY || is >= AMONG_OTHERS;
			struct fixture v;
			struct repair old;

			open_fixture(&v);
			v.f.rc.geo.parent = true;
			if (is == OF_FILE_CUT_OFF)
				shrink(&v, &old);
			if (is != IN_LOST_DIRECTORY)
				put_inode(&v.f, DIRECTORY, FT_DIR, is == IN_DIRECTORY_WITHOUT ? "ab" : "abx", LSN);
			if (is == OF_FILE)
				put_inode(&v.f, inode_of('x'), FT_REG, "", LSN);
			put_evidence(&v, certain ? FREE_KNOWN : NO_EVIDENCE);
			put_leaf(&v, DIRECTORY, is == IN_NEWER_DIRECTORY ? 0 : 1, is);
			lose(&v, BLOCK, 1);
			for (unsigned twice = 0; twice < 2; twice++)
				mend(&v);
			assert_dropped(&v.f, reported ? "x" : "",
				       !certain		       ? DROP_PERHAPS_FREE
				       : is == OF_FILE_CUT_OFF ? DROP_CUT_OFF
							       : DROP_INODE_LOST);
			assert_int_equal(v.f.m.done, 0);
			close_fixture(&v);
		}
}

/* ---- version 4: no block names its owner, but the first one by its `.` ---- */

static void without_headers_one_directory_and_nameless_inodes_show_whose_it_is(void **state)
{
	static const char *const orphans[] = { "", "c", "!cdef", "cd", "CD", "cdef" };

	(void)state;
	for (unsigned i = 0; i < 6; i++)
		for (unsigned two = 0; two < 2; two++) {
			struct fixture v;

			open_fixture(&v);
			v.f.rc.geo.crc = false;
			v.f.rc.geo.version = 4;
			put_directory(&v, "ab");
			put_inode(&v.f, OTHER, FT_DIR, "xy", 0);
			put_block(&v, BLOCK, BLOCK, DIRECTORY, "cdef", false, 0);
			damage(&v);
			if (two)
				say(&v, F_BLOCK_MAGIC, OBJ_DIR_DATA, OTHER, 51);
			orphan(&v, orphans[i]);
			lose(&v, BLOCK, 1);
			mend(&v);
			assert_names(&v.f, DIRECTORY, !two && i >= 3 ? "abcdef" : "ab");
			assert_names(&v.f, OTHER, "xy");
			assert_int_equal(v.f.m.guesses, !two && i >= 3);
			close_fixture(&v);
		}
}

static void without_headers_the_first_block_shows_its_owner(void **state)
{
	(void)state;
	for (unsigned two = 0; two < 2; two++) {
		struct fixture v;

		open_fixture(&v);
		v.f.rc.geo.crc = false;
		v.f.rc.geo.version = 4;
		put_directory(&v, "ab");
		put_inode(&v.f, OTHER, FT_DIR, "xy", 0);
		put_block(&v, BLOCK, BLOCK, DIRECTORY, "cde", true, 0);
		damage(&v);
		if (two)
			say(&v, F_BLOCK_MAGIC, OBJ_DIR_DATA, OTHER, 51);
		lose(&v, BLOCK, 1);
		mend(&v);
		assert_names(&v.f, DIRECTORY, "abcde");
		assert_names(&v.f, OTHER, "xy");
		close_fixture(&v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_a_lost_block_come_back),
		cmocka_unit_test(the_block_of_another_is_left_alone),
		cmocka_unit_test(a_block_is_used_if_the_directory_lacks_at_least_half_of_its_names),
		cmocka_unit_test(a_block_without_anything_new_is_not_read_again),
		cmocka_unit_test(all_blocks_of_a_directory_come_back_at_once),
		cmocka_unit_test(a_damaged_block_casts_no_doubt_on_its_directory),
		cmocka_unit_test(a_block_newer_than_a_file_in_its_directorys_place_is_left_alone),
		cmocka_unit_test(a_name_that_the_directory_has_stays),
		cmocka_unit_test(a_block_newer_than_its_directory_is_right),
		cmocka_unit_test(an_exchanged_block_goes_to_its_owner),
		cmocka_unit_test(of_a_block_that_may_be_free_only_needed_names_are_used),
		cmocka_unit_test(a_directory_is_made_for_a_block_that_is_not_free),
		cmocka_unit_test(names_of_destroyed_inodes_are_reported),
		cmocka_unit_test(names_in_a_directory_that_is_cut_off_are_reported),
		cmocka_unit_test(parent_pointers_show_names_of_destroyed_inodes),
		cmocka_unit_test(without_headers_one_directory_and_nameless_inodes_show_whose_it_is),
		cmocka_unit_test(without_headers_the_first_block_shows_its_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
