/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The collection of findings: its output does not depend on the order or on the workers that add them. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../repair/mend/plan/damage.h"
#include "../../repair/report/findings.h"
#include "../../repair/report/report_text.h"
#include "reported.h"

static uint64_t random_state;
static bool starved;

/* Replaces the library's: findings allocate with it. */
void *reallocarray(void *ptr, size_t nmemb, size_t size)
{
	return starved ? NULL : realloc(ptr, nmemb * size);
}

static uint64_t random_number(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % below;
}

/* Values from small ranges, so that ties and duplicates are frequent. */
static struct found random_found(void)
{
	struct found f = { place_of((enum object)random_number(OBJECT_NR)), { 0 }, 1, false };

	f.place.agno.v = random_number(4) ? (uint32_t)random_number(3) : NO_AGNO;
	f.place.agbno.v = random_number(3) ? (uint32_t)random_number(3) : NULL_AGBNO;
	f.place.ino.v = random_number(2) ? random_number(3) : NULL_INO;
	f.place.fileoff.v = random_number(2) ? random_number(2) : NO_FILEOFF;
	if (random_number(2))
		f.place.name = (struct name_view){ (const uint8_t *)"name", (uint8_t)random_number(5) };
	f.problem = (struct problem){ (enum finding)random_number(FINDING_NR < 6 ? FINDING_NR : 6),
				      (uint32_t)random_number(2), random_number(2) ? NO_INDEX : 1, random_number(2),
				      random_number(2) };
	return f;
}

static void shuffle(struct found *found, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t k = random_number(i);
		struct found swap = found[i - 1];

		found[i - 1] = found[k];
		found[k] = swap;
	}
}

/* Returns all of it as text, excess included; the caller frees it. */
static char *text_of(struct findings *findings)
{
	const struct found *found;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	findings_settle(findings);
	while ((found = findings_next(findings)))
		report_text_finding(out, found, NULL, true);
	for (unsigned i = 0; i < FINDING_NR; i++) {
		if (findings_excess(findings, i))
			report_text_excess(out, i, findings_excess(findings, i));
	}
	fclose(out);
	return text;
}

/* Returns the text of these findings after they were added by random workers. */
static char *text_by_workers(const struct found *found, size_t count, unsigned workers)
{
	struct findings *f = findings_new(workers);
	char *text;

	for (size_t i = 0; i < count; i++)
		findings_add(f, (unsigned)random_number(workers), &found[i].place, &found[i].problem);
	text = text_of(f);
	findings_free(f);
	return text;
}

static void the_order_does_not_depend_on_workers_or_time(void **state)
{
	static struct found found[400];

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		char *first = NULL;
		size_t count;

		random_state = seed * 0x9e3779b97f4a7c15;
		count = 1 + random_number(400);
		for (size_t i = 0; i < count; i++)
			found[i] = random_found();
		for (unsigned workers = 1; workers <= 8; workers++) {
			char *text = text_by_workers(found, count, workers);

			if (first)
				assert_string_equal(text, first);
			else
				first = strdup(text);
			free(text);
			shuffle(found, count);
		}
		free(first);
	}
}

static void equal_findings_come_out_once_and_sorted(void **state)
{
	static struct found found[3000];
	const struct found *next;
	struct found previous = { 0 };
	struct findings *f = findings_new(3);
	size_t distinct = 0, taken = 0;

	(void)state;
	random_state = 4711;
	for (size_t i = 0; i < 3000; i++) {
		bool new = true;

		found[i] = random_found();
		for (size_t k = 0; k < i && new; k++)
			new = found_compare(&found[i], &found[k]) != 0;
		distinct += new;
		findings_add(f, (unsigned)random_number(3), &found[i].place, &found[i].problem);
	}
	findings_settle(f);
	while ((next = findings_next(f))) {
		if (taken++)
			assert_true(found_compare(&previous, next) < 0);
		previous = *next;
	}
	assert_int_equal(taken, distinct);
	assert_true(distinct < 3000);
	findings_free(f);
}

#define MANY (FINDINGS_SHOWN * 5 / 2)

static void too_many_of_one_kind_keep_the_first_and_count_the_rest(void **state)
{
	/* each inode number below MANY once, then every tenth of them once more */
	static struct found found[MANY + MANY / 10];
	const size_t count = sizeof(found) / sizeof(found[0]);
	char *first = NULL;

	(void)state;
	random_state = 42;
	for (size_t i = 0; i < count; i++) {
		found[i] = (struct found){ place_of(OBJ_INODE), { F_BLOCK_CRC, 0, NO_INDEX, 1, 2 }, 1, false };
		found[i].place.ino.v = i < MANY ? i : (i - MANY) * 10;
		found[i].place.name = (struct name_view){ (const uint8_t *)"name", 4 };
	}
	for (unsigned workers = 1; workers <= 3; workers++) {
		struct findings *f = findings_new(workers);
		const struct found *next;
		uint64_t ino = 0;
		char *text;

		for (size_t i = 0; i < count; i++)
			findings_add(f, (unsigned)random_number(workers), &found[i].place, &found[i].problem);
		findings_settle(f);
		while ((next = findings_next(f)))
			assert_true(next->place.ino.v == ino++);
		assert_int_equal(ino, FINDINGS_SHOWN);
		assert_int_equal(findings_excess(f, F_BLOCK_CRC), (MANY - FINDINGS_SHOWN) * 11 / 10);
		findings_free(f);

		text = text_by_workers(found, count, workers);
		if (first)
			assert_string_equal(text, first);
		else
			first = strdup(text);
		free(text);
		shuffle(found, count);
	}
	free(first);
}

static void menders_are_given_more_than_the_user_is_shown(void **state)
{
	struct found found = { place_of(OBJ_INODE), { F_BLOCK_CRC, 0, NO_INDEX, 1, 2 }, 1, false };
	struct findings *f = findings_new(1);
	uint64_t all = 0, shown = 0;
	const struct found *next;

	(void)state;
	findings_keep(f, 2 * FINDINGS_SHOWN);
	for (uint64_t ino = 0; ino < MANY; ino++) {
		if (ino == 2 * FINDINGS_SHOWN) {
			findings_settle(f);
			assert_false(findings_cut(f));
		}
		found.place.ino.v = ino;
		findings_add(f, 0, &found.place, &found.problem);
	}
	findings_settle(f);
	while ((next = findings_next_shown(f)))
		assert_true(next->place.ino.v == shown++);
	assert_int_equal(shown, FINDINGS_SHOWN);
	findings_rewind(f);
	while ((next = findings_next(f)))
		assert_true(next->place.ino.v == all++);
	assert_int_equal(all, 2 * FINDINGS_SHOWN);
	assert_true(findings_cut(f));
	assert_int_equal(findings_excess(f, F_BLOCK_CRC), MANY - FINDINGS_SHOWN);
	/* later findings are new, reported ones are not */
	findings_mark_reported(f);
	found.place.ino.v = MANY;
	findings_add(f, 0, &found.place, &found.problem);
	findings_settle(f);
	assert_int_equal(findings_excess(f, F_BLOCK_CRC), 1);
	findings_free(f);
}

static void once_in_order_they_take_no_more_than_they_are(void **state)
{
	struct found found = { place_of(OBJ_INODE), { F_BLOCK_CRC, 0, NO_INDEX, 0, 0 }, 1, false };
	struct findings *f = findings_new(1);

	(void)state;
	assert_int_equal(findings_bytes(f), 0);
	for (uint64_t i = 0; i < 2000; i++) {
		found.place.ino.v = i / 2;
		findings_add(f, 0, &found.place, &found.problem);
	}
	findings_settle(f);
	assert_int_equal(findings_bytes(f), 1000 * sizeof(struct found));
	found.place.ino.v = 1000; /* there is room for more all the same */
	findings_add(f, 0, &found.place, &found.problem);
	findings_settle(f);
	assert_int_equal(findings_bytes(f), 1001 * sizeof(struct found));
	findings_free(f);
}

static void names_are_copied(void **state)
{
	struct findings *f = findings_new(1);
	struct problem problem = { F_BLOCK_CRC, 0, NO_INDEX, 1, 2 };
	struct place place = place_of(OBJ_DIRECTORY);
	uint8_t name[UINT8_MAX];

	(void)state;
	place.name = (struct name_view){ name, sizeof(name) };
	for (unsigned i = 0; i < 100; i++) {
		memset(name, 'a' + (int)i % 3, sizeof(name));
		findings_add(f, 0, &place, &problem);
	}
	memset(name, 'z', sizeof(name));
	findings_settle(f);
	for (unsigned i = 0; i < 3; i++) {
		const struct found *found = findings_next(f);

		assert_non_null(found);
		assert_int_equal(found->place.name.len, sizeof(name));
		assert_int_equal(found->place.name.bytes[0], 'a' + i);
		assert_int_equal(found->place.name.bytes[254], 'a' + i);
		assert_int_equal(found->times, i ? 33 : 34);
	}
	assert_null(findings_next(f));
	findings_free(f);
}

static void what_was_told_is_known_when_it_comes_again(void **state)
{
	struct findings *f = findings_new(1);
	struct found found = { place_of(OBJ_AGF), { F_BLOCK_CRC, 0, NO_INDEX, 1, 2 }, 1, false };

	(void)state;
	findings_add(f, 0, &found.place, &found.problem);
	findings_settle(f);
	assert_false(findings_next(f)->reported);
	findings_mark_reported(f);
	findings_rewind(f);
	findings_add(f, 0, &found.place, &found.problem);
	found.problem.got = 3;
	findings_add(f, 0, &found.place, &found.problem);
	findings_settle(f);
	assert_true(findings_next(f)->reported);
	assert_false(findings_next(f)->reported);
	assert_null(findings_next(f));
	findings_free(f);
}

struct worker {
	struct findings *findings;
	unsigned worker;
};

static void *add_many(void *arg)
{
	const struct worker *w = arg;

	for (unsigned i = 0; i < 5000; i++) {
		struct place place = place_of(OBJ_INODE);
		struct problem problem = { F_BLOCK_OWNER, 0, NO_INDEX, 0, 0 };

		place.ino.v = i * 4 + w->worker;
		findings_add(w->findings, w->worker, &place, &problem);
	}
	return NULL;
}

static void threads_add_to_their_own_lanes(void **state)
{
	struct worker workers[4];
	pthread_t threads[4];
	struct findings *f = findings_new(4);
	uint64_t ino = 0;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		workers[i] = (struct worker){ f, i };
		assert_int_equal(pthread_create(&threads[i], NULL, add_many, &workers[i]), 0);
	}
	for (unsigned i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	findings_settle(f);
	for (const struct found *next = findings_next(f); next; next = findings_next(f))
		assert_true(next->place.ino.v == ino++);
	assert_int_equal(ino, FINDINGS_SHOWN);
	assert_int_equal(findings_excess(f, F_BLOCK_OWNER), 20000 - FINDINGS_SHOWN);
	findings_free(f);
}

static void what_there_is_no_memory_for_is_counted_and_not_taken_for_mended(void **state)
{
	const struct place place = place_of(OBJ_AGF);
	const struct problem problem = { .finding = F_AGF_LENGTH, .index = NO_INDEX };
	struct findings *f = findings_new(1);
	struct damage damage = { 0 };

	(void)state;
	starved = true;
	findings_add(f, 0, &place, &problem);
	findings_settle(f);
	starved = false;
	assert_null(findings_next(f));
	assert_int_equal(findings_excess(f, F_AGF_LENGTH), 1);
	assert_int_equal(damage_collect(&damage, f), -ENOMEM);
	damage_free(&damage);
	findings_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_does_not_depend_on_workers_or_time),
		cmocka_unit_test(equal_findings_come_out_once_and_sorted),
		cmocka_unit_test(too_many_of_one_kind_keep_the_first_and_count_the_rest),
		cmocka_unit_test(menders_are_given_more_than_the_user_is_shown),
		cmocka_unit_test(once_in_order_they_take_no_more_than_they_are),
		cmocka_unit_test(names_are_copied),
		cmocka_unit_test(what_was_told_is_known_when_it_comes_again),
		cmocka_unit_test(threads_add_to_their_own_lanes),
		cmocka_unit_test(what_there_is_no_memory_for_is_counted_and_not_taken_for_mended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
