/* SPDX-License-Identifier: GPL-2.0-or-later */
/* repair/mend/plan/damage.c: findings reach the menders they concern, and sets of findings are told apart. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../repair/mend/plan/damage.h"
#include "../../repair/report/findings.h"
#include "report.h"

static struct found found_of(enum finding finding, enum object object, uint64_t ino, uint64_t got)
{
	struct found found = { .place = place_of(object), .problem = { finding, 0, NO_INDEX, got, 0 }, .times = 1 };

	found.place.agno.v = 0;
	found.place.ino.v = ino;
	return found;
}

static void add(struct damage *d, struct found found)
{
	assert_int_equal(damage_add(d, &found), 0);
}

static size_t count_of(const struct damage *d, enum mend_kind kind)
{
	struct found some[16];

	assert_true(d->count <= 16);
	return damage_of_kind(d, kind, some);
}

static void each_way_of_mending_gets_what_concerns_it(void **state)
{
	struct damage d = { 0 };
	struct found some[4];

	(void)state;
	add(&d, found_of(F_INODE_NLINK_COUNT, OBJ_INODE, 131, 2));
	add(&d, found_of(F_INODE_ORPHAN, OBJ_INODE, 132, 0));
	add(&d, found_of(F_INODE_NLINK_COUNT, OBJ_INODE, 133, 3));
	add(&d, found_of(F_SB_ICOUNT_COUNT, OBJ_SUPERBLOCK, NULL_INO, 64));
	assert_int_equal(damage_of_kind(&d, MEND_nlink, some), 2);
	assert_int_equal(some[0].place.ino.v, 131);
	assert_int_equal(some[1].place.ino.v, 133);
	assert_int_equal(damage_of_kind(&d, MEND_field, some), 1);
	assert_int_equal(some[0].problem.finding, F_SB_ICOUNT_COUNT);
	/* an inode without a name may be the right target of an entry */
	assert_int_equal(count_of(&d, MEND_orphan), 1);
	assert_int_equal(count_of(&d, MEND_dir), 1);
	assert_int_equal(count_of(&d, MEND_ag_space), 0);
	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++)
		assert_int_equal(d.prints[kind] != 0, count_of(&d, kind) != 0);
	damage_free(&d);
	assert_int_equal(d.count, 0);
	assert_true(d.all == 0 && d.prints[MEND_nlink] == 0);
}

static void fingerprints_do_not_depend_on_the_order(void **state)
{
	const struct found a = found_of(F_INODE_NLINK_COUNT, OBJ_INODE, 131, 2);
	const struct found b = found_of(F_INODE_NLINK_COUNT, OBJ_INODE, 133, 3);
	struct damage ab = { 0 }, ba = { 0 };

	(void)state;
	add(&ab, a);
	assert_true(ab.all != 0);
	add(&ab, b);
	add(&ba, b);
	add(&ba, a);
	assert_true(ab.all == ba.all);
	assert_true(ab.prints[MEND_nlink] == ba.prints[MEND_nlink]);
	damage_free(&ab);
	damage_free(&ba);
}

/* Among the sets are some that differ in one number, by powers of 2, and some with two numbers exchanged. */
static void different_sets_have_different_fingerprints(void **state)
{
	enum { SETS = 5 * 64 };
	uint64_t prints[SETS];
	size_t n = 0;

	(void)state;
	for (unsigned bit = 0; bit < 64; bit++) {
		for (unsigned which = 0; which < 5; which++) {
			const uint64_t value = 1ull << bit;
			struct damage d = { 0 };

			switch (which) {
			case 0:
				add(&d, found_of(F_INODE_NLINK_COUNT, OBJ_INODE, value, 0));
				break;
			case 1:
				add(&d, found_of(F_INODE_NLINK_COUNT, OBJ_INODE, 0, value));
				break;
			case 2:
				add(&d, found_of(F_INODE_NLINK_COUNT, OBJ_INODE, value, 7));
				add(&d, found_of(F_INODE_NLINK_COUNT, OBJ_INODE, 3, 8));
				break;
			case 3:
				add(&d, found_of(F_INODE_NLINK_COUNT, OBJ_INODE, value, 8));
				add(&d, found_of(F_INODE_NLINK_COUNT, OBJ_INODE, 3, 7));
				break;
			default:
				/* the same twice is not the same as none */
				add(&d, found_of(F_INODE_ORPHAN, OBJ_INODE, value, 0));
				add(&d, found_of(F_INODE_ORPHAN, OBJ_INODE, value, 0));
				break;
			}
			prints[n++] = d.all;
			damage_free(&d);
		}
	}
	for (size_t i = 0; i < n; i++) {
		assert_true(prints[i] != 0);
		for (size_t k = 0; k < i; k++)
			assert_true(prints[i] != prints[k]);
	}
}

static void only_damage_is_collected_and_what_there_was_is_gone(void **state)
{
	const struct found damage = found_of(F_INODE_NLINK_COUNT, OBJ_INODE, 131, 2);
	const struct found note = found_of(F_DQUOT_LIMITS, OBJ_QUOTA_USER, 132, 2);
	struct findings *findings = findings_new(1);
	struct damage d = { 0 };

	(void)state;
	assert_non_null(findings);
	assert_false(severity_is_damage(finding_severity(F_DQUOT_LIMITS)));
	findings_add(findings, 0, &damage.place, &damage.problem);
	findings_add(findings, 0, &note.place, &note.problem);
	findings_settle(findings);
	add(&d, found_of(F_INODE_ORPHAN, OBJ_INODE, 140, 0));
	for (unsigned times = 0; times < 2; times++) { /* findings can be read again */
		assert_int_equal(damage_collect(&d, findings), 0);
		assert_int_equal(d.count, 1);
		assert_int_equal(d.found[0].place.ino.v, 131);
		assert_int_equal(count_of(&d, MEND_orphan), 0);
	}
	damage_free(&d);
	findings_free(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_way_of_mending_gets_what_concerns_it),
		cmocka_unit_test(fingerprints_do_not_depend_on_the_order),
		cmocka_unit_test(different_sets_have_different_fingerprints),
		cmocka_unit_test(only_damage_is_collected_and_what_there_was_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
