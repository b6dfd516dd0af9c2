/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/settle/dir/mend_surplus.c: which of the entries of an inode with too few links are dropped, by LSN.  Up
 * to three directories have a name for the inode, and each directory has a date.
 */
#include "letter_dirs.h"

enum {
	DIRS = 3,
	LSN = 0x500000010,
	OLD = LSN - 10,
	NEW = LSN + 10,
	EARLY = 1000, /* times of changes */
	LATE = 2000,
};

struct fixture {
	struct mending f;
	struct found found[8];
	size_t count;
};

static void open_fixture(struct fixture *v, bool crc)
{
	struct geometry geo = letter_dirs_geometry();

	memset(v, 0, sizeof(*v));
	geo.crc = crc;
	geo.inode_size = crc ? 512 : 256;
	mending_open(&v->f, MEND_surplus, &geo);
}

static void close_fixture(struct fixture *v)
{
	mending_close(&v->f);
}

static uint64_t directory(unsigned which)
{
	return DIRECTORY + which;
}

/* Changes an inode that is there. */
static void set_inode(struct fixture *v, uint64_t ino, uint32_t links, uint64_t changed, bool bigtime)
{
	const struct geometry *geo = &v->f.rc.geo;
	const uint64_t at = bytes_of_ino(geo, (xino_t){ ino });
	uint8_t bytes[512];
	struct dinode_disk *disk = (struct dinode_disk *)bytes;

	assert_int_equal(pread(v->f.scratch.fd, bytes, geo->inode_size, (off_t)at), geo->inode_size);
	disk->nlink = be32_put(links);
	disk->times[2] = be64_put(changed);
	if (geo->crc) {
		disk->flags2 = be64_put(bigtime ? DIFLAG2_BIGTIME : 0);
		crc_store(bytes, geo->inode_size, offsetof(struct dinode_disk, crc));
	}
	mending_put(&v->f, at, bytes, geo->inode_size);
}

static void put_directory(struct fixture *v, unsigned which, const char *letters, uint64_t lsn, uint64_t changed)
{
	put_inode(&v->f, directory(which), FT_DIR, letters, lsn);
	set_inode(v, directory(which), 2, changed, false);
}

static void put_file(struct fixture *v, char letter, uint32_t links, uint64_t lsn, uint64_t changed)
{
	put_inode(&v->f, inode_of(letter), FT_REG, "", lsn);
	set_inode(v, inode_of(letter), links, changed, false);
}

/* The check says of this entry that the inode has too few links for all its entries, of which there are `all`. */
static void say(struct fixture *v, unsigned which, const char *letter, unsigned all)
{
	struct found *found = &v->found[v->count++];

	*found = (struct found){ .place = place_of(OBJ_DIR_DATA),
				 .problem = { F_DIR_ENTRY_SURPLUS, 0, NO_INDEX, inode_of(*letter), all },
				 .times = 1 };
	found->place.ino.v = directory(which);
	found->place.name = (struct name_view){ (const uint8_t *)letter, 1 };
}

/* File `a`, with a link less than names, and as many directories with that name, of these dates. */
static void put_case(struct fixture *v, uint64_t file, const uint64_t *dates, unsigned dirs)
{
	put_file(v, 'a', dirs - 1, file, EARLY);
	for (unsigned i = 0; i < dirs; i++) {
		put_directory(v, i, "ab", dates[i], LATE);
		say(v, i, "a", dirs);
	}
}

static void mend(struct fixture *v)
{
	assert_int_equal(mend_surplus(&v->f.m, v->found, v->count), 0);
}

/* Fails unless the directories have these names now. */
static void assert_left(struct fixture *v, const char *first, const char *second)
{
	assert_names(&v->f, directory(0), first);
	assert_names(&v->f, directory(1), second);
}

static void assert_nothing_done(struct fixture *v)
{
	assert_int_equal(v->f.m.done, 0);
	assert_int_equal(v->f.m.drops.count, 0);
	mending_assert_staged(&v->f, 0);
}

/* ---- dates ---- */

static void an_entry_older_than_the_inode_and_the_other_entry_is_dropped(void **state)
{
	(void)state;
	for (unsigned first = 0; first < 2; first++) {
		struct fixture v;

		open_fixture(&v, true);
		put_case(&v, LSN, (const uint64_t[]){ first ? LSN : OLD, first ? OLD : LSN }, 2);
		mend(&v);
		assert_left(&v, first ? "ab" : "b", first ? "b" : "ab");
		assert_dropped(&v.f, "a", DROP_OUTDATED);
		assert_int_equal(v.f.m.done, 1);
		assert_int_equal(v.f.m.guesses, 1);
		assert_true(ino_set_has(&v.f.m.round.settled, (xino_t){ inode_of('a') }));
		close_fixture(&v);
	}
}

static void as_many_are_dropped_as_there_are_too_many(void **state)
{
	static const uint64_t dates[] = { OLD + 1, LSN, OLD };

	(void)state;
	for (unsigned links = 1; links < DIRS; links++) {
		struct fixture v;

		open_fixture(&v, true);
		put_case(&v, LSN, dates, DIRS);
		set_inode(&v, inode_of('a'), links, EARLY, false);
		mend(&v);
		assert_left(&v, links == 1 ? "b" : "ab", "ab");
		assert_names(&v.f, directory(2), "b");
		assert_int_equal(v.f.m.done, DIRS - links);
		close_fixture(&v);
	}
}

/* They tell nothing then: the link count is corrected instead. */
static void dates_that_do_not_tell_the_entries_apart_drop_none(void **state)
{
	static const struct {
		uint64_t inode, dates[2];
	} cases[] = {
		{ LSN, { LSN - 1, LSN - 1 } }, /* one part of a directory, or one transaction */
		{ LSN, { LSN, LSN + 1 } },     /* written with the inode */
		{ LSN, { LSN + 1, LSN + 2 } }, /* after it */
		{ LSN, { 0, LSN } },	       /* not known */
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture v;

		open_fixture(&v, true);
		put_case(&v, cases[i].inode, cases[i].dates, 2);
		for (unsigned dir = 0; dir < 2; dir++)
			set_inode(&v, directory(dir), 2, EARLY, false);
		mend(&v);
		assert_left(&v, "ab", "ab");
		assert_nothing_done(&v);
		close_fixture(&v);
	}
}

/* ---- entries that came later ---- */

/* The inode was written before the entry was added, so its link count may not include it. */
static void none_is_dropped_if_another_was_added_later(void **state)
{
	enum { LATER, CHANGED_BEFORE, OTHER_FORMAT, CASES };

	(void)state;
	for (unsigned is = 0; is < CASES; is++) {
		struct fixture v;

		open_fixture(&v, true);
		put_case(&v, LSN, (const uint64_t[]){ OLD, NEW }, 2);
		if (is != LATER)
			set_inode(&v, directory(1), 2, EARLY, is == OTHER_FORMAT);
		mend(&v);
		/* adding an entry changes the directory: it was not changed after the inode, so neither was it added */
		assert_left(&v, is == CHANGED_BEFORE ? "b" : "ab", "ab");
		assert_int_equal(v.f.m.done, is == CHANGED_BEFORE);
		close_fixture(&v);
	}
}

/* Times before 1970 are earlier in the older format, which has a sign. */
static void times_are_compared_as_their_format_has_them(void **state)
{
	(void)state;
	for (unsigned bigtime = 0; bigtime < 2; bigtime++) {
		struct fixture v;

		open_fixture(&v, true);
		put_case(&v, LSN, (const uint64_t[]){ OLD, NEW }, 2);
		set_inode(&v, inode_of('a'), 1, EARLY, bigtime);
		set_inode(&v, directory(1), 2, UINT64_MAX, bigtime);
		mend(&v);
		assert_left(&v, bigtime ? "ab" : "b", "ab");
		close_fixture(&v);
	}
}

/* The directory is stale then: its other names are, too. */
static void an_outdated_entry_beside_it_decides(void **state)
{
	(void)state;
	for (unsigned beside = 0; beside < 2; beside++) {
		struct fixture v;

		open_fixture(&v, true);
		put_case(&v, LSN, (const uint64_t[]){ OLD, NEW }, 2);
		put_file(&v, 'b', 1, LSN, EARLY);
		put_directory(&v, 2, "b", LSN, EARLY);
		if (beside) {
			say(&v, 0, "b", 2);
			say(&v, 2, "b", 2);
		}
		mend(&v);
		assert_left(&v, beside ? "" : "ab", "ab");
		assert_names(&v.f, directory(2), "b");
		assert_int_equal(v.f.m.done, beside ? 2 : 0);
		close_fixture(&v);
	}
}

/* File `c` was not written since, so its entry is no older than that. */
static void an_entry_beside_it_that_is_not_outdated_stays(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v, true);
	put_case(&v, LSN, (const uint64_t[]){ OLD, LSN }, 2);
	put_directory(&v, 0, "ac", OLD, EARLY);
	put_directory(&v, 2, "c", LSN, EARLY);
	put_file(&v, 'c', 1, OLD, EARLY);
	say(&v, 0, "c", 2);
	say(&v, 2, "c", 2);
	mend(&v);
	assert_left(&v, "c", "ab");
	assert_names(&v.f, directory(2), "c");
	assert_int_equal(v.f.m.done, 1);
	assert_false(ino_set_has(&v.f.m.round.settled, (xino_t){ inode_of('c') }));
	close_fixture(&v);
}

/* ---- what the inode says ---- */

static void an_inode_that_can_not_tell_loses_no_name(void **state)
{
	enum { NO_LINKS, ENOUGH_LINKS, MADE_BY_THE_REPAIR, FREE, NOT_ALL_LISTED, IMPOSSIBLE, CASES };

	(void)state;
	for (unsigned is = 0; is < CASES; is++) {
		struct fixture v;

		open_fixture(&v, true);
		put_case(&v, LSN, (const uint64_t[]){ OLD, LSN }, 2);
		if (is == NO_LINKS || is == ENOUGH_LINKS)
			set_inode(&v, inode_of('a'), is == NO_LINKS ? 0 : 2, EARLY, false);
		if (is == MADE_BY_THE_REPAIR)
			assert_int_equal(ino_set_put(&v.f.m.notes.rebuilt, (xino_t){ inode_of('a') }), 0);
		if (is == FREE)
			put_inode(&v.f, inode_of('a'), FT_UNKNOWN, "", LSN);
		for (unsigned i = 0; i < 2; i++) {
			if (is == NOT_ALL_LISTED)
				v.found[i].problem.want = 3;
			if (is == IMPOSSIBLE)
				v.found[i].problem.got = (uint64_t)1 << 40;
		}
		mend(&v);
		assert_left(&v, "ab", "ab");
		assert_nothing_done(&v);
		close_fixture(&v);
	}
}

/* ---- directories ---- */

static void a_directory_that_can_not_be_read_keeps_its_names(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v, true);
	put_case(&v, LSN, (const uint64_t[]){ OLD, LSN }, 2);
	put_inode(&v.f, directory(0), FT_REG, "", OLD);
	mend(&v);
	assert_names(&v.f, directory(1), "ab");
	assert_nothing_done(&v);
	close_fixture(&v);
}

/* Another inode may have got the same name since. */
static void an_entry_of_this_name_for_another_inode_stays(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v, true);
	put_case(&v, LSN, (const uint64_t[]){ OLD, LSN }, 2);
	put_directory(&v, 0, "Ab", OLD, LATE);
	mend(&v);
	assert_left(&v, "Ab", "ab");
	assert_nothing_done(&v);
	close_fixture(&v);
}

static void without_lsns_none_is_dropped(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v, false);
	put_case(&v, LSN, (const uint64_t[]){ OLD, LSN }, 2);
	mend(&v);
	assert_left(&v, "ab", "ab");
	assert_nothing_done(&v);
	close_fixture(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_older_than_the_inode_and_the_other_entry_is_dropped),
		cmocka_unit_test(as_many_are_dropped_as_there_are_too_many),
		cmocka_unit_test(dates_that_do_not_tell_the_entries_apart_drop_none),
		cmocka_unit_test(none_is_dropped_if_another_was_added_later),
		cmocka_unit_test(times_are_compared_as_their_format_has_them),
		cmocka_unit_test(an_outdated_entry_beside_it_decides),
		cmocka_unit_test(an_entry_beside_it_that_is_not_outdated_stays),
		cmocka_unit_test(an_inode_that_can_not_tell_loses_no_name),
		cmocka_unit_test(a_directory_that_can_not_be_read_keeps_its_names),
		cmocka_unit_test(an_entry_of_this_name_for_another_inode_stays),
		cmocka_unit_test(without_lsns_none_is_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
