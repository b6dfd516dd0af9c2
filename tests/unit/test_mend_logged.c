/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/restore/mend_logged.c: when an object becomes what the log has of it.  All states of an inode, and of a
 * block, with all kinds of findings are compared with the rules, written down once more.
 */
#include "mending.h"

#include "../../repair/log/log_trace.h"
#include "../../repair/mend/restore/mend_logged.h"
#include "libxfs/attr_build.h"
#include "libxfs/dinode_mend.h"
#include "libxfs/log_stamp.h"

enum {
	NUMBER = 1 << 18 | 20 << 3,
	BLOCK_BYTES = 4096,
	INODE_BYTES = 512,
	FORK = 200, /* a byte in the data fork of an inode */
	GEN = 95,   /* the last one of its generation */
	FIRST_LSN = 0x500000010,
	SECOND_LSN = 0x500000011,
};

struct fixture {
	struct mending f;
	struct device_window window;
	struct log_trace trace;
	uint8_t logged[BLOCK_BYTES], disk[BLOCK_BYTES];
};

static void open_fixture(struct fixture *v)
{
	struct geometry geo = mending_geometry();

	memset(v, 0, sizeof(*v));
	geo.metadir = false;
	geo.agcount = 2;
	geo.agblocks = 256;
	geo.dblocks = 2 * 256;
	geo.head_lsn.v = UINT64_MAX;
	mending_open(&v->f, MEND_logged, &geo);
}

static struct found found_at(enum object object, enum finding finding)
{
	struct found found = { .place = place_of(object), .problem = { .finding = finding }, .times = 1 };

	found.place.agno.v = 1;
	found.place.agbno.v = AGBNO;
	found.place.ino.v = NUMBER;
	found.place.fileoff.v = 0;
	return found;
}

/* ---- inodes ---- */

enum state { SAME, OTHER_GEN, OTHER_FORK, BAD_MAGIC, BAD_NUMBER, BAD_UUID, BAD_CHECKSUM, STATES };

static void make_inode(const struct geometry *geo, uint8_t *bytes, bool used, uint64_t lsn)
{
	struct dinode_disk *disk = (struct dinode_disk *)bytes;

	if (used)
		dinode_make_empty(geo, bytes, (xino_t){ NUMBER }, 1, FT_REG);
	else
		dinode_make_free(geo, bytes, (xino_t){ NUMBER }, 1);
	if (used)
		disk->nlink = be32_put(1);
	disk->lsn = be64_put(lsn);
	crc_store(bytes, INODE_BYTES, offsetof(struct dinode_disk, crc));
}

static void put_inode(struct fixture *v, enum state is, bool used, uint64_t lsn)
{
	struct dinode_disk *disk = (struct dinode_disk *)v->disk;

	make_inode(&v->f.rc.geo, v->disk, used, lsn);
	if (is == OTHER_GEN)
		v->disk[GEN] ^= 1;
	if (is == OTHER_FORK)
		v->disk[FORK] ^= 1;
	if (is == BAD_MAGIC)
		v->disk[0] ^= 1;
	if (is == BAD_NUMBER)
		disk->ino = be64_put(NUMBER + 1);
	if (is == BAD_UUID)
		disk->uuid[3] ^= 1;
	crc_store(v->disk, INODE_BYTES, offsetof(struct dinode_disk, crc));
	if (is == BAD_CHECKSUM)
		v->disk[300] ^= 1;
	mending_put(&v->f, bytes_of_ino(&v->f.rc.geo, (xino_t){ NUMBER }), v->disk, INODE_BYTES);
	v->window.begun = false;
}

static void log_inode(struct fixture *v, bool used)
{
	make_inode(&v->f.rc.geo, v->logged, used, FIRST_LSN);
	v->trace = (struct log_trace){ .daddr = { bytes_of_ino(&v->f.rc.geo, (xino_t){ NUMBER }) >> SECTOR_LOG },
				       .len = 1,
				       .ino = { NUMBER },
				       .known = true,
				       .lsn = { FIRST_LSN },
				       .bytes = v->logged };
}

/*
 * A lost inode is what the log has.  One that is there is it only if something about it is wrong which the log's
 * version settles, and if it is not newer; one without an LSN was written by a tool, but for a lost mode.
 */
static bool inode_rule(enum state is, bool disk_used, uint64_t lsn, bool logged_used, const struct found *found)
{
	const bool lost = is >= BAD_MAGIC;
	const bool forks_differ = is == OTHER_FORK,
		   differs = is != SAME || disk_used != logged_used || lsn != FIRST_LSN;

	if (lost)
		return true;
	if (!found || lsn > FIRST_LSN)
		return false;
	switch (found->problem.finding) {
	case F_INODE_FREE_IN_USE:
		return logged_used && differs;
	case F_INODE_USED_BUT_FREE:
		return !logged_used && differs && lsn;
	case F_SPACE_CLAIMED_TWICE:
		return logged_used && forks_differ && lsn;
	case F_INODE_FLAGS:
		return logged_used && differs && lsn;
	default: /* which is no damage of the inode itself */
		return false;
	}
}

static void an_inode_is_what_the_log_has_by_the_rules(void **state)
{
	static const enum finding findings[] = { F_INODE_FREE_IN_USE, F_INODE_USED_BUT_FREE, F_SPACE_CLAIMED_TWICE,
						 F_INODE_FLAGS, F_INODE_NLINK_COUNT };
	static const uint64_t lsns[] = { 0, FIRST_LSN - 1, FIRST_LSN, SECOND_LSN };
	unsigned cases = 0;
	struct fixture v;

	(void)state;
	open_fixture(&v);
	for (enum state is = SAME; is < STATES; is++)
		for (unsigned bits = 0; bits < 4; bits++)
			for (unsigned l = 0; l < 4; l++)
				for (unsigned i = 0; i <= sizeof(findings) / sizeof(findings[0]); i++) {
					const bool disk_used = bits & 1, logged_used = bits & 2;
					const struct found found = found_at(OBJ_INODE, i ? findings[i - 1] : 0);

					if (is == OTHER_FORK && !disk_used)
						continue;
					put_inode(&v, is, disk_used, lsns[l]);
					log_inode(&v, logged_used);
					assert_int_equal(
						mend_logged_prevails(&v.f.m, &v.window, &v.trace, i ? &found : NULL),
						inode_rule(is, disk_used, lsns[l], logged_used, i ? &found : NULL));
					cases++;
				}
	assert_int_equal(cases, 7 * 4 * 4 * 6 - 2 * 4 * 6);
	mending_close(&v.f);
}

/* Findings about other objects of the inode don't say that the inode is wrong. */
static void only_findings_about_an_inode_and_its_maps_count(void **state)
{
	static const struct {
		enum object object;
		bool counts;
	} cases[] = { { OBJ_INODE, true },     { OBJ_DATA_FORK, true },	 { OBJ_ATTR_FORK, true },
		      { OBJ_DIRECTORY, true }, { OBJ_DIR_BLOCK, false }, { OBJ_BMBT, false },
		      { OBJ_SYMLINK, false } };
	struct fixture v;

	(void)state;
	open_fixture(&v);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct found found = found_at(cases[i].object, F_INODE_FLAGS);

		put_inode(&v, OTHER_GEN, true, FIRST_LSN);
		log_inode(&v, true);
		assert_int_equal(mend_logged_prevails(&v.f.m, &v.window, &v.trace, &found), cases[i].counts);
	}
	mending_close(&v.f);
}

/* Of a file with extents, which were not logged: nothing is put back that would map none. */
static void an_inode_without_its_map_in_the_log_stays(void **state)
{
	(void)state;
	for (unsigned logged = 0; logged < 2; logged++) {
		struct fixture v;
		struct dinode_disk *disk = (struct dinode_disk *)v.logged;

		open_fixture(&v);
		put_inode(&v, BAD_CHECKSUM, true, FIRST_LSN);
		log_inode(&v, true);
		disk->format = DINODE_FMT_LOCAL;
		disk->mode = be16_put(MODE_SYMLINK | MODE_ACCESS);
		disk->size = be64_put(5);
		memcpy(v.logged + sizeof(*disk), "there", 5);
		crc_store(v.logged, INODE_BYTES, offsetof(struct dinode_disk, crc));
		v.trace.fork[DATA_FORK].fields = LOG_INODE_DDATA;
		v.trace.fork[DATA_FORK].len = 4 + logged;
		assert_int_equal(mend_logged_prevails(&v.f.m, &v.window, &v.trace, NULL), logged);
		mending_close(&v.f);
	}
}

/* Parent pointers can be restored later, other attributes are lost: better than to lose the inode, and not otherwise.
 */
static void an_inode_without_its_attributes_in_the_log_replaces_only_a_lost_one(void **state)
{
	(void)state;
	for (unsigned lost = 0; lost < 2; lost++) {
		const struct found found = found_at(OBJ_INODE, F_INODE_FLAGS);
		struct fixture v;
		struct dinode_disk *disk = (struct dinode_disk *)v.logged;

		open_fixture(&v);
		put_inode(&v, lost ? BAD_CHECKSUM : OTHER_GEN, true, FIRST_LSN);
		log_inode(&v, true);
		disk->forkoff = 24;
		disk->aformat = DINODE_FMT_LOCAL;
		crc_store(v.logged, INODE_BYTES, offsetof(struct dinode_disk, crc));
		assert_int_equal(mend_logged_prevails(&v.f.m, &v.window, &v.trace, &found), lost);
		assert_int_equal(v.trace.attributes_left_out, lost);
		mending_close(&v.f);
	}
}

/* Neighbours are read together. */
static void inodes_are_read_in_windows(void **state)
{
	struct fixture v;

	(void)state;
	open_fixture(&v);
	put_inode(&v, SAME, true, FIRST_LSN);
	log_inode(&v, true);
	assert_false(mend_logged_prevails(&v.f.m, &v.window, &v.trace, NULL));
	assert_true(v.window.begun && v.window.readable);
	assert_int_equal(v.window.start, v.trace.daddr.v << SECTOR_LOG & ~(uint64_t)(DEVICE_WINDOW - 1));
	mending_close(&v.f);
}

/* ---- blocks ---- */

enum block { EQUAL, OTHER_VALUE, NOISE, ELSEWHERE, OTHERS, BLOCKS };

static void make_block(const struct geometry *geo, uint8_t *block, uint32_t agbno, uint64_t ino, uint64_t lsn,
		       const char *value)
{
	const struct attr_item item = { .namelen = 4,
					.name = (const uint8_t *)"name",
					.value = (const uint8_t *)value,
					.valuelen = 5,
					.hash = da_hashname((const uint8_t *)"name", 4, false) };
	const struct da_expect place = { { ino }, daddr_of(geo, (agno_t){ 1 }, (agbno_t){ agbno }), { 0 }, ATTR_FORK };

	attr_build_leaf(geo, block, &place, &item, 1, (struct da_siblings){ 0 });
	log_stamp_set(geo, LB_ATTR_LEAF, block, BLOCK_BYTES, (lsn_t){ lsn });
}

static void put_block(struct fixture *v, enum block is, uint64_t lsn)
{
	make_block(&v->f.rc.geo, v->disk, is == ELSEWHERE ? AGBNO + 1 : AGBNO, is == OTHERS ? NUMBER + 1 : NUMBER, lsn,
		   is == OTHER_VALUE ? "other" : "value");
	if (is == NOISE)
		for (unsigned i = 0; i < BLOCK_BYTES; i++)
			v->disk[i] = scratch_byte(i);
	mending_put(&v->f, mending_at(&v->f, 1, AGBNO), v->disk, BLOCK_BYTES);
}

/* chunks: how many of the 32 are in the log, from the start on; the others are zero. */
static void log_block(struct fixture *v, unsigned chunks)
{
	make_block(&v->f.rc.geo, v->logged, AGBNO, NUMBER, FIRST_LSN, "value");
	v->trace = (struct log_trace){ .daddr = daddr_of(&v->f.rc.geo, (agno_t){ 1 }, (agbno_t){ AGBNO }),
				       .len = BLOCK_BYTES >> SECTOR_LOG,
				       .ino = { NULL_INO },
				       .known = true,
				       .lsn = { FIRST_LSN },
				       .type = LB_ATTR_LEAF,
				       .bytes = v->logged };
	for (unsigned i = 0; i < chunks; i++)
		log_trace_add_chunk(&v->trace, i);
	memset(v->logged + (size_t)chunks * LOG_BUF_CHUNK, 0, BLOCK_BYTES - (size_t)chunks * LOG_BUF_CHUNK);
}

/*
 * A lost block is what the log has, if that is all of it.  One in its place stays if it was called lost, since it was
 * mended; else it is wrong if it differs, unless it is newer.
 */
static bool block_rule(enum block is, uint64_t lsn, bool complete, bool says_lost)
{
	if (is >= NOISE)
		return complete;
	return !says_lost && lsn <= FIRST_LSN && (is == OTHER_VALUE || lsn != FIRST_LSN);
}

static void a_block_is_what_the_log_has_by_the_rules(void **state)
{
	static const enum finding lost[] = { F_BLOCK_MAGIC, F_BLOCK_CRC, F_BLOCK_BLKNO,	  F_BLOCK_OWNER,
					     F_BLOCK_UUID,  F_INODE_INO, F_IO_UNREADABLE, F_ATTR_NAME };
	static const uint64_t lsns[] = { FIRST_LSN - 1, FIRST_LSN, SECOND_LSN };
	struct fixture v;

	(void)state;
	open_fixture(&v);
	for (enum block is = EQUAL; is < BLOCKS; is++)
		for (unsigned l = 0; l < 3; l++)
			for (unsigned i = 0; i < 8; i++)
				for (unsigned missing = 0; missing < 2; missing++) {
					const struct found found = found_at(OBJ_ATTR_LEAF, lost[i]);

					if (missing && is == OTHER_VALUE)
						continue; /* the value comes from the disk then */
					put_block(&v, is, lsns[l]);
					log_block(&v, 32 - missing);
					assert_int_equal(mend_logged_prevails(&v.f.m, &v.window, &v.trace, &found),
							 block_rule(is, lsns[l], !missing, i < 7) &&
								 !(missing && is == EQUAL && lsns[l] == FIRST_LSN));
				}
	mending_close(&v.f);
}

/* The log has an object that is of another place or owner, or has errors of its own. */
static void what_the_log_has_must_be_intact(void **state)
{
	enum { RIGHT, OTHER_PLACE, OTHER_OWNER, BROKEN, CASES };

	(void)state;
	for (unsigned is = 0; is < CASES; is++) {
		const struct found found = found_at(OBJ_ATTR_LEAF, F_BLOCK_CRC);
		struct fixture v;

		open_fixture(&v);
		put_block(&v, NOISE, FIRST_LSN);
		log_block(&v, 32);
		if (is == OTHER_PLACE || is == OTHER_OWNER)
			make_block(&v.f.rc.geo, v.logged, AGBNO + (is == OTHER_PLACE), NUMBER + (is == OTHER_OWNER),
				   FIRST_LSN, "value");
		if (is == BROKEN)
			v.logged[64 + 1] ^= 1; /* the count of entries */
		assert_int_equal(mend_logged_prevails(&v.f.m, &v.window, &v.trace, &found), is == RIGHT);
		mending_close(&v.f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_inode_is_what_the_log_has_by_the_rules),
		cmocka_unit_test(only_findings_about_an_inode_and_its_maps_count),
		cmocka_unit_test(an_inode_without_its_map_in_the_log_stays),
		cmocka_unit_test(an_inode_without_its_attributes_in_the_log_replaces_only_a_lost_one),
		cmocka_unit_test(inodes_are_read_in_windows),
		cmocka_unit_test(a_block_is_what_the_log_has_by_the_rules),
		cmocka_unit_test(what_the_log_has_must_be_intact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
