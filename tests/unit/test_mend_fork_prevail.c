/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/mend/settle/inode/mend_fork_prevail.c: which blocks of a file's map are replaced by those that the rmapbt has.
 * Random maps are damaged, and the result is compared with a twin that knows only single blocks.
 */
#include "btrees.h"

#include <stdlib.h>
#include <string.h>

#include "../../repair/mend/base/mend.h"
#include "../../repair/mend/base/unowned_ranges.h"
#include "../../repair/mend/collect/group_age.h"
#include "../../repair/mend/collect/mend_claims.h"
#include "../../repair/mend/settle/inode/mend_inode_fork.h"
#include "../../repair/repair.h"

enum { FILE_LEN = 16, NUMBER = 131, SPACE = 1000 /* the first block of the file */, BLOCKS = 64, MOST = 16 };

/* A block of the file, by its number; 0: a hole. */
struct blocks_of {
	uint64_t at[FILE_LEN];
};

struct fixture {
	struct repair rc;
	struct mend m;
	struct fork_work w;
	struct mend_facts facts;
	struct claims claims;
	struct unowned_ranges lacking;
	struct unowned_range ranges[BLOCKS];
	struct found found[2 * FILE_LEN];
	struct bmap_record extents[FILE_LEN];
	bool lost[BLOCKS];	 /* blocks from SPACE on without an owner */
	bool disputed[FILE_LEN]; /* blocks of the map with another claimant */
};

static void open_fixture(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->rc.geo = btrees_geometry();
	f->m = (struct mend){ .rc = &f->rc, .now = &f->rc };
	f->w = (struct fork_work){ .m = &f->m,
				   .facts = &f->facts,
				   .which = DATA_FORK,
				   .found = f->found,
				   .claims = &f->claims,
				   .lacking = &f->lacking };
	f->lacking.v = f->ranges;
	f->rc.geo.rootino.v = 128;
	f->w.inode.ino.v = f->w.inode.inode.ino.v = NUMBER;
	f->w.inode.inode.ftype = FT_REG;
	f->w.inode.inode.fork[DATA_FORK].present = true;
	f->w.inode.inode.size = (uint64_t)FILE_LEN << f->rc.geo.block_log;
	f->w.inode.fork[DATA_FORK] = (struct mend_fork){ .extents = f->extents, .whole = true };
}

static void close_fixture(struct fixture *f)
{
	ino_set_free(&f->claims.miscounted);
	group_set_free(&f->m.notes.old_groups);
	free(f->w.map.v);
	free(f->w.rmap.v);
}

/* Adds runs of blocks to a map. */
static void put_blocks(struct mend_map *map, const struct blocks_of *blocks)
{
	for (uint64_t off = 0, n; off < FILE_LEN; off += n) {
		const uint64_t start = blocks->at[off];

		for (n = 1; off + n < FILE_LEN && start && blocks->at[off + n] == start + n; n++)
			;
		if (start)
			assert_int_equal(
				mend_map_add(map, &(struct bmap_record){ { off }, { start }, (uint32_t)n, false }), 0);
	}
}

/* Says something of a block of the file. */
static void say(struct fixture *f, enum finding finding, enum object object, uint64_t off)
{
	struct found *found = &f->found[f->w.count++];

	*found = (struct found){ .place = place_of(object), .problem = { finding, 0, NO_INDEX, 1, NUMBER + 1 } };
	found->place.fileoff.v = off;
}

/* Says which blocks have no owner, and which of the map have another one or are free; and what is no dispute. */
static void put_findings(struct fixture *f)
{
	for (uint64_t at = 0, n; at < BLOCKS; at += n) {
		for (n = 1; at + n < BLOCKS && f->lost[at] && f->lost[at + n]; n++)
			;
		if (f->lost[at])
			f->ranges[f->lacking.count++] =
				(struct unowned_range){ SPACE + at, SPACE + at + n, false, NULL };
	}
	for (uint64_t off = 0; off < FILE_LEN; off++) {
		if (f->disputed[off])
			say(f, off % 2 ? F_SPACE_CLAIMED_TWICE : F_SPACE_FREE_IN_USE, OBJ_DATA_FORK, off);
		say(f, off % 2 ? F_SPACE_CLAIMED_TWICE : F_RMAP_LACKS, off % 2 ? OBJ_ATTR_FORK : OBJ_DATA_FORK, off);
	}
}

static struct blocks_of blocks_in(const struct mend_map *map)
{
	struct blocks_of blocks = { { 0 } };

	for (size_t i = 0; i < map->count; i++)
		for (uint32_t k = 0; k < map->v[i].len; k++) {
			assert_int_equal(blocks.at[map->v[i].off.v + k], 0);
			blocks.at[map->v[i].off.v + k] = map->v[i].start.v + k;
		}
	return blocks;
}

static struct blocks_of mend(struct fixture *f, const struct blocks_of *map, const struct blocks_of *rmap)
{
	put_blocks(&f->w.map, map);
	put_blocks(&f->w.rmap, rmap);
	for (size_t i = 0; i < f->w.map.count; i++)
		f->extents[i] = f->w.map.v[i];
	f->w.inode.fork[DATA_FORK].count = f->w.map.count;
	put_findings(f);
	assert_int_equal(fork_rmap_prevail(&f->w), 0);
	return blocks_in(&f->w.map);
}

/* ---- the twin ---- */

/* True if these blocks of the file may be wrong in the map: some are missing, or have another owner. */
static bool may_be_wrong(const struct fixture *f, const struct blocks_of *map, uint64_t from, uint64_t end)
{
	bool hole = false, disputed = false;

	for (uint64_t off = from; off < end; off++) {
		hole |= !map->at[off];
		disputed |= f->disputed[off];
	}
	/* what lies beyond the end of a file whose counts are right is no part of it */
	if (hole)
		return end <= (f->w.inode.inode.size >> f->rc.geo.block_log) + 1 ||
		       ino_set_has(&f->claims.miscounted, f->w.inode.ino);
	return disputed;
}

static struct blocks_of twin(const struct fixture *f, const struct blocks_of *was, const struct blocks_of *rmap)
{
	struct blocks_of map = *was, now;
	bool wrong[SPACE + BLOCKS + FILE_LEN] = {
		false
	}; /* by block plus FILE_LEN minus offset: where replaced ones began */

	for (uint64_t b = SPACE; b < SPACE + BLOCKS; b++)
		for (uint64_t off = 0, n; off < FILE_LEN; off += n) {
			bool same = true;

			n = 1;
			if (rmap->at[off] != b || !f->lost[b - SPACE] ||
			    (off && b > SPACE && f->lost[b - 1 - SPACE] && rmap->at[off - 1] == b - 1))
				continue;
			while (off + n < FILE_LEN && rmap->at[off + n] == b + n && f->lost[b + n - SPACE])
				n++;
			for (uint64_t i = off; i < off + n; i++)
				same &= map.at[i] == rmap->at[i];
			if (same || !may_be_wrong(f, &map, off, off + n))
				continue;
			for (uint64_t i = off; i < off + n; i++) {
				if (map.at[i])
					wrong[map.at[i] + FILE_LEN - i] = true;
				map.at[i] = rmap->at[i];
			}
		}
	now = map;
	for (uint64_t off = 0; off < FILE_LEN; off++)
		if (map.at[off] && rmap->at[off] && wrong[map.at[off] + FILE_LEN - off])
			now.at[off] = rmap->at[off];
	return now;
}

static uint32_t next(uint64_t *state, uint32_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)(*state >> 33) % below;
}

/* Four extents, some of them beside each other, with random holes. */
static struct blocks_of random_blocks(uint64_t *state)
{
	struct blocks_of blocks = { { 0 } };
	uint32_t off = 0;

	for (unsigned i = 0; i < 4; i++) {
		const uint32_t len = 1 + next(state, 4),
			       start = SPACE + 16 * ((i * 7 + next(state, 2)) % 4) + next(state, 4);

		off += next(state, 2);
		for (uint32_t k = 0; k < len && off < FILE_LEN; k++, off++)
			blocks.at[off] = start + k;
	}
	return blocks;
}

/* Moves the blocks of some part of the file to another place, or makes a hole there. */
static void damage(struct blocks_of *map, uint64_t *state)
{
	const uint32_t from = next(state, FILE_LEN), len = 1 + next(state, 6);
	const uint32_t by = next(state, 3) ? 1 + next(state, 12) : 0;

	for (uint32_t off = from; off < from + len && off < FILE_LEN; off++)
		if (map->at[off])
			map->at[off] = by ? SPACE + (map->at[off] - SPACE + by) % BLOCKS : 0;
}

static void maps_are_those_of_the_twin(void **state)
{
	uint64_t random = 2463534242;
	unsigned changed = 0, whole = 0;

	(void)state;
	for (unsigned n = 0; n < 20000; n++) {
		struct blocks_of right, map, now, want;
		bool confirmed = false;
		struct fixture f;

		open_fixture(&f);
		right = map = random_blocks(&random);
		damage(&map, &random);
		f.w.inode.inode.size = (uint64_t)next(&random, FILE_LEN + 2) << f.rc.geo.block_log;
		if (next(&random, 2))
			assert_int_equal(ino_set_put(&f.claims.miscounted, f.w.inode.ino), 0);
		for (unsigned off = 0; off < FILE_LEN; off++) {
			confirmed |= map.at[off] && map.at[off] == right.at[off];
			if (right.at[off] && map.at[off] != right.at[off])
				f.lost[right.at[off] - SPACE] = next(&random, 8);
			f.disputed[off] = map.at[off] != right.at[off] && map.at[off] && next(&random, 2);
		}
		for (unsigned off = 0; off < FILE_LEN; off++)
			if (map.at[off])
				f.lost[map.at[off] - SPACE] = false;
		if (confirmed) { /* else they may be another file's */
			want = twin(&f, &map, &right);
			now = mend(&f, &map, &right);
			assert_memory_equal(now.at, want.at, sizeof(want.at));
			changed += memcmp(map.at, now.at, sizeof(map.at)) != 0;
			whole += memcmp(map.at, now.at, sizeof(map.at)) != 0 &&
				 memcmp(right.at, now.at, sizeof(now.at)) == 0;
		}
		close_fixture(&f);
	}
	assert_true(changed > 2000);
	assert_true(whole > 1000);
}

/* ---- one rule each ---- */

/* Blocks 4 to 7 of the file are missing in the map, lost, and in the rmapbt. */
static void open_hole(struct fixture *f, struct blocks_of *map, struct blocks_of *rmap)
{
	open_fixture(f);
	memset(map, 0, sizeof(*map));
	for (unsigned i = 0; i < 8; i++) {
		rmap->at[i] = SPACE + i;
		map->at[i] = i < 4 ? SPACE + i : 0;
		f->lost[i] = i >= 4;
	}
	for (unsigned i = 8; i < FILE_LEN; i++)
		rmap->at[i] = 0;
}

static void only_data_of_users_files_is_put_back(void **state)
{
	enum { RIGHT, ATTRIBUTES, DIRECTORY, METADATA, REALTIME, OLD_GROUP, SHARED, SHARED_REFLINK, CASES };

	(void)state;
	for (unsigned is = 0; is < CASES; is++) {
		const bool back = is == RIGHT || is == SHARED_REFLINK;
		struct blocks_of map, rmap, now;
		struct fixture f;

		open_hole(&f, &map, &rmap);
		f.w.which = is == ATTRIBUTES ? ATTR_FORK : DATA_FORK;
		f.w.inode.inode.ftype = is == DIRECTORY ? FT_DIR : FT_REG;
		f.w.inode.inode.metadata = is == METADATA;
		f.w.inode.inode.fork[DATA_FORK].rules.realtime = is == REALTIME;
		f.w.inode.inode.reflink = is == SHARED_REFLINK;
		if (is == OLD_GROUP)
			assert_int_equal(group_note_old(&f.m, agno_of_fsbno(&f.rc.geo, (fsbno_t){ SPACE })), 0);
		put_findings(&f);
		f.w.count = 0;
		f.ranges[0].shared = is == SHARED || is == SHARED_REFLINK;
		memset(f.lost, 0, sizeof(f.lost));
		now = mend(&f, &map, &rmap);
		assert_memory_equal(now.at, back ? rmap.at : map.at, sizeof(now.at));
		close_fixture(&f);
	}
}

/* An extent marked unwritten, all of it in the rmapbt, whose record says or does not say the same, or lies elsewhere.
 */
static void an_extent_is_written_if_the_rmapbt_says_so(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		const bool unwritten = i & 1, elsewhere = i & 2;
		const struct bmap_record extent = { { 0 }, { SPACE }, 4, true };
		const struct bmap_record first = { { 0 }, { SPACE }, 2, true };
		const struct bmap_record second = { { 2 }, { SPACE + 2 + elsewhere }, 2, unwritten };
		struct fixture f;

		open_fixture(&f);
		assert_int_equal(mend_map_add(&f.w.map, &extent), 0);
		assert_int_equal(mend_map_add(&f.w.rmap, &first), 0);
		assert_int_equal(mend_map_add(&f.w.rmap, &second), 0);
		f.extents[0] = extent;
		f.w.inode.fork[DATA_FORK].count = 1;
		assert_int_equal(fork_rmap_prevail(&f.w), 0);
		if (unwritten || elsewhere) {
			assert_int_equal(f.w.map.count, 1);
			assert_true(f.w.map.v[0].unwritten);
			assert_int_equal(f.w.map.v[0].len, 4);
		} else {
			assert_int_equal(f.w.map.count, 2);
			assert_true(f.w.map.v[0].unwritten);
			assert_false(f.w.map.v[1].unwritten);
			assert_int_equal(f.w.map.v[1].off.v, 2);
			assert_int_equal(f.w.map.v[1].start.v, SPACE + 2);
		}
		close_fixture(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_are_those_of_the_twin),
		cmocka_unit_test(only_data_of_users_files_is_put_back),
		cmocka_unit_test(an_extent_is_written_if_the_rmapbt_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
