/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repair/checkpoint/rows.c, and what saves the rows: what is read back is what was written, and no byte of a file, with
 * whatever value, leads anywhere but to an error or to findings.
 */
#define _GNU_SOURCE 1 /* memfd_create() */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../../repair/names/dir_runs.h"
#include "../../repair/walk/walk.h"
#include "../fuzz/checkpoint_check.h"

#define VARIANTS 6u /* of the file systems of the fuzz targets */

/* Posts some of each kind of what a check learns, from both workers. */
static void learn(struct checkpoint_check *c)
{
	const struct geometry *geo = &c->rc.geo;
	struct traverse *t = c->rc.traverse;
	static const uint8_t name[] = "a name";
	const uint64_t first = (uint64_t)geo->first_data_agbno << geo->inopb_log; /* an inode that can be */
	const struct sink sink = ledger_sink(c->rc.ledger);

	for (unsigned i = 0; i < CHECK_WORKERS; i++) {
		struct walker *w = t->walkers[i];
		const xino_t ino = { first + i };
		const struct claim claim = { .at = { { i }, { 100 + i }, 7 }, .owner = ino.v };
		const struct problem problem = { F_INODE_NBLOCKS_XREF, 3, 4, 5, UINT64_MAX };
		const uint32_t ids[QUOTA_TYPES] = { 1, i, UINT32_MAX };
		const uint64_t used[QUOTA_COUNTS] = { 1, 2, 3 };
		struct place place = place_of(OBJ_DIRECTORY);

		sink_tell(&sink, claim, i, &claim);
		place.ino = ino;
		place.agno.v = i;
		place.name = (struct name_view){ name, sizeof(name) - 1 };
		findings_add(c->rc.findings, i, &place, &problem);
		assert_int_equal(quota_charge(c->rc.quota, i, ids, used), 0);
		dir_runs_add(t->dirs, i, (struct dir_parent){ ino, geo->rootino });
		walk_gap(w, ino, GAP_CLAIMS);
		w->totals.inodes = 1000 + i;
		t->ags[i].inodes = 64 * (i + 1);
		t->ags[i].tree[BT_INO].siblings = 0x123456789abcdef * (i + 1);
		t->ags[i].have_agi = t->ags[i].have_agf = true;
		walk_add(w, t->ags[i].unlinked, t->ags[i].unlinked_room, t->ags[i].nunlinked,
			 (struct unlinked_inode){ 77, NULL_AGINO });
	}
}

/* Wants blocks and inodes, and holds the sweep before any is read. */
static void want(struct checkpoint_check *c)
{
	struct walker *w = c->rc.traverse->walkers[0];

	for (uint32_t ag = 0; ag < c->rc.geo.agcount; ag++) {
		const struct inobt_record chunk = { .start = { 64 * 20 }, .count = 64, .free = 0xf0 };
		struct btree_expect leaf = { .kind = BT_BNO,
					     .agno = { ag },
					     .agbno = { 33 },
					     .owner = ag,
					     .keys_ok = true,
					     .has_low = true,
					     .low = { { 5, 6, 0 } } };

		walk_btree_wanted(w, &leaf);
		leaf.kind = BT_INO;
		leaf.root = leaf.unsure = true;
		walk_btree_wanted(w, &leaf);
		walk_chunk_found(w, (agno_t){ ag }, &chunk);
	}
	sweep_hold(c->rc.traverse->sweep);
	assert_int_equal(traverse_sweep(c->rc.traverse), 0);
	sweep_let_go(c->rc.traverse->sweep);
}

/* The state as bytes, without length and checksum; the caller's to free. */
static uint8_t *bytes_of(struct checkpoint_check *c, size_t *ret_size)
{
	static struct saver s;
	int fd = memfd_create("state", MFD_CLOEXEC);
	uint8_t *bytes;

	assert_true(fd >= 0);
	save_begin(&s, fd);
	assert_int_equal(rows_save(&c->rc, &s), 0);
	assert_int_equal(save_end(&s), 0);
	*ret_size = (size_t)s.bytes;
	bytes = malloc(*ret_size);
	assert_non_null(bytes);
	assert_int_equal(pread(fd, bytes, *ret_size, 0), *ret_size);
	close(fd);
	return bytes;
}

static uint8_t *make_state(unsigned variant, size_t *ret_size)
{
	struct checkpoint_check c;
	uint8_t *bytes;

	check_make(&c, variant);
	learn(&c);
	want(&c);
	bytes = bytes_of(&c, ret_size);
	check_unmake(&c);
	return bytes;
}

/* Reads a state into a check, which goes on with it if it can: 0 or negative errno. */
static int load(unsigned variant, const uint8_t *bytes, size_t size)
{
	struct checkpoint_check c;
	int fd = check_file(bytes, size), ret;

	check_make(&c, variant);
	ret = check_load(&c, fd);
	if (!ret)
		check_go_on(&c);
	close(fd);
	check_unmake(&c);
	return ret;
}

static void what_is_read_back_is_what_was_written(void **state)
{
	(void)state;
	for (unsigned variant = 0; variant < FUZZ_VARIANTS; variant++) {
		size_t size, again_size;
		uint8_t *bytes = make_state(variant, &size), *again;
		int fd = check_file(bytes, size);
		struct checkpoint_check c;

		check_make(&c, variant);
		assert_int_equal(check_load(&c, fd), 0);
		assert_int_equal(traverse_totals(c.rc.traverse).inodes, 2001);
		sweep_hold(c.rc.traverse->sweep);
		assert_int_equal(traverse_sweep(c.rc.traverse), 0);
		sweep_let_go(c.rc.traverse->sweep);
		again = bytes_of(&c, &again_size);
		assert_int_equal(again_size, size);
		close(fd);
		check_unmake(&c);
		assert_int_equal(load(variant, again, again_size), 0);
		free(again);
		free(bytes);
	}
}

static void a_state_that_ends_early_is_refused(void **state)
{
	size_t size;
	uint8_t *bytes = make_state(0, &size);

	(void)state;
	for (size_t cut = 0; cut < size; cut += cut < 64 || cut + 600 > size ? 1 : 97)
		assert_int_equal(load(0, bytes, cut), -EBADMSG);
	free(bytes);
}

/* Most of a state are sums, which may have any value. */
static void no_byte_does_harm(void **state)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };

	(void)state;
	for (unsigned variant = 0; variant < VARIANTS; variant++) {
		size_t size;
		uint8_t *bytes = make_state(variant, &size);

		for (size_t i = variant; i<size; i += i + 3000> size ? VARIANTS : 61) {
			const uint8_t was = bytes[i];

			bytes[i] = values[i / 7 % sizeof(values)];
			load(variant, bytes, size);
			bytes[i] = was;
		}
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_back_is_what_was_written),
		cmocka_unit_test(a_state_that_ends_early_is_refused),
		cmocka_unit_test(no_byte_does_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
