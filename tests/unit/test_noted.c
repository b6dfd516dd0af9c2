/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries that are noted are returned as they were, or some are reported as missing; pairs lead to the directories that
 * may have an entry of an inode.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../repair/names/noted.h"
#include "base/sink.h"
#include "in_range.h"

#define COUNT 30000u

/* Makes entry number i in a directory of so many; each third one will be noted as a parent pointer. */
static struct entry_fact entry_number(uint64_t i, char *room)
{
	const int len = snprintf(room, 256, "%0*llu", (int)(i % 255) + 1, (unsigned long long)i);

	return (struct entry_fact){ .directory = { 1000 + i / 7 % 3 },
				    .target = { i * 3 },
				    .ftype = (uint8_t)(i % 5),
				    .name = (const uint8_t *)room,
				    .namelen = (uint8_t)(len < 255 ? len : 255) };
}

struct told {
	uint64_t count[2]; /* by worker: even numbers were added in the first */
	uint64_t wrong;
};

static bool is_former(uint64_t i)
{
	return i % 3 == 0;
}

static struct pptr_fact pptr_of(const struct entry_fact *e)
{
	return (struct pptr_fact){
		.child = e->target, .parent = e->directory, .ftype = e->ftype, .name = e->name, .namelen = e->namelen
	};
}

static void told_entry(void *ctx, unsigned worker, const struct entry_fact *e)
{
	struct told *told = ctx;
	const uint64_t i = e->target.v / 3;
	char room[256];
	const struct entry_fact was = entry_number(i, room);

	told->count[i & 1]++;
	if (worker || e->directory.v != was.directory.v || e->target.v != was.target.v || e->ftype != was.ftype ||
	    e->namelen != was.namelen || memcmp(e->name, was.name, was.namelen) != 0 || e->dot || e->dotdot)
		told->wrong++;
	told->wrong += is_former(i);
}

static void told_pptr(void *ctx, unsigned worker, const struct pptr_fact *p)
{
	struct told *told = ctx;
	const uint64_t i = p->child.v / 3;
	char room[256];
	const struct entry_fact entry = entry_number(i, room);
	const struct pptr_fact was = pptr_of(&entry);

	told->count[i & 1]++;
	if (worker || !is_former(i) || p->parent.v != was.parent.v || p->ftype != was.ftype ||
	    p->namelen != was.namelen || memcmp(p->name, was.name, was.namelen) != 0)
		told->wrong++;
}

static const struct sink_ops ops_of_told = { .entry = told_entry, .pptr = told_pptr };

static struct names_noted *filled(size_t limit)
{
	struct names_noted *noted = names_noted_new(2, limit, true);

	assert_non_null(noted);
	for (uint64_t i = 0; i < COUNT; i++) {
		char room[256];
		const struct entry_fact entry = entry_number(i, room);
		const struct pptr_fact pptr = pptr_of(&entry);

		if (is_former(i))
			names_noted_add_pptr(noted, i & 1, &pptr);
		else
			names_noted_add(noted, i & 1, &entry);
		names_noted_add(noted, i & 1,
				&(struct entry_fact){ .dot = true, .name = (const uint8_t *)".", .namelen = 1 });
		names_noted_add(noted, i & 1, &(struct entry_fact){ .target = { 5 } }); /* damaged: without a name */
	}
	return noted;
}

static void all_are_told(void **state)
{
	struct told told = { 0 };
	struct names_noted *noted = filled(64u << 20);

	(void)state;
	assert_true(names_noted_whole(noted));
	names_noted_tell(noted, &(struct sink){ &ops_of_told, &told, NULL });
	assert_int_equal(told.count[0], COUNT / 2);
	assert_int_equal(told.count[1], COUNT / 2);
	assert_int_equal(told.wrong, 0);
	names_noted_free(noted);
	names_noted_free(NULL);
}

static void too_many_are_noticed(void **state)
{
	struct told told = { 0 };
	struct names_noted *noted = filled(2u << 20);

	(void)state;
	assert_false(names_noted_whole(noted));
	names_noted_tell(noted, &(struct sink){ &ops_of_told, &told, NULL });
	assert_in_range(told.count[0], 1, COUNT / 2 - 1);
	assert_int_equal(told.wrong, 0);
	names_noted_free(noted);
	noted = names_noted_new(2, 0, true);
	assert_true(names_noted_whole(noted));
	names_noted_free(noted);
}

static void pair(struct names_noted *noted, unsigned worker, uint64_t directory, uint64_t target)
{
	names_noted_add(noted, worker, &(struct entry_fact){ .directory = { directory }, .target = { target } });
}

/* Directory 1000 has the inodes 64 to 127 and 200; directory 2000, in another lane, has 70, and 5000 has 300. */
static struct names_noted *pairs(size_t limit)
{
	struct names_noted *noted = names_noted_new(2, limit, false);

	assert_non_null(noted);
	for (uint64_t ino = 64; ino < 128; ino++) {
		pair(noted, 0, 1000, ino);
		pair(noted, 0, 1000, 200);
	}
	pair(noted, 1, 2000, 70);
	pair(noted, 1, 5000, 300);
	return noted;
}

static void directories_of_the_chunk_are_found(void **state)
{
	struct names_noted *noted = pairs(1 << 20);
	struct ino_set inos = { 0 }, dirs = { 0 };

	(void)state;
	ino_set_put(&inos, (xino_t){ 71 });
	assert_int_equal(names_noted_near(noted, &inos, &dirs), 0);
	assert_int_equal(ino_set_count(&dirs), 2);
	assert_true(ino_set_has(&dirs, (xino_t){ 1000 }));
	assert_true(ino_set_has(&dirs, (xino_t){ 2000 }));
	ino_set_free(&dirs);
	ino_set_free(&inos);
	names_noted_free(noted);
}

/* Two pairs fit into the lane, however often they alternate; with room for one, no directory is returned. */
static void all_or_nothing_is_told(void **state)
{
	struct ino_set inos = { 0 };

	(void)state;
	ino_set_put(&inos, (xino_t){ 200 });
	for (size_t room = 1; room <= 2; room++) {
		struct names_noted *noted = pairs(room * 2 * 16);
		struct ino_set dirs = { 0 };

		assert_int_equal(names_noted_near(noted, &inos, &dirs), 0);
		assert_int_equal(ino_set_count(&dirs), room - 1);
		ino_set_free(&dirs);
		names_noted_free(noted);
	}
	ino_set_free(&inos);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_told),
		cmocka_unit_test(too_many_are_noticed),
		cmocka_unit_test(directories_of_the_chunk_are_found),
		cmocka_unit_test(all_or_nothing_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
