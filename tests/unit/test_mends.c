/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of include/mends.h, findings.h and place.h: each mender runs, and each finding has its mender. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../repair/mend/base/mend.h"
#include "../../repair/mend/base/mend_table.h"
#include "../../repair/report/findings.h"
#include "../../repair/report/mender.h"
#include "report.h"

/* Menders of the same rank in a stage would have no order: mend_next() would skip all but one of them. */
static void each_mender_has_a_turn(void **state)
{
	bool had[MEND_NR] = { false };

	(void)state;
	for (enum mend_stage stage = 0; stage < STAGE_NR; stage++)
		for (enum mend_kind kind = MEND_NOTHING; (kind = mend_next(stage, kind)) != MEND_NOTHING;) {
			assert_int_equal(mend_stage(kind), stage);
			assert_false(had[kind]);
			had[kind] = true;
		}
	for (enum mend_kind kind = MEND_NOTHING + 1; kind < MEND_NR; kind++)
		if (!had[kind])
			fail_msg("%s has no turn: is its rank in its stage that of another one?", mender_name(kind));
}

/* True if a mender settles this finding about at least one kind of object. */
static bool has_mender(enum finding finding)
{
	for (enum object object = 0; object < OBJECT_NR; object++) {
		const struct found found = { .place = place_of(object), .problem = { .finding = finding } };

		if (mend_of(&found) != MEND_NOTHING)
			return true;
	}
	return false;
}

/* True if the damage has no mender of its own, since what is wrong shows in other findings. */
static bool shows_elsewhere(enum finding finding)
{
	switch (finding) {
	case F_INODES_LINKS: /* sums that don't balance; their inodes are located, and then found */
	case F_INODES_FTYPE:
	case F_INODES_PARENTS:
	case F_INODES_PPTRS:
		return true;
	default:
		return false;
	}
}

static void each_damage_has_a_mender(void **state)
{
	(void)state;
	for (enum finding finding = 0; finding < FINDING_NR; finding++) {
		const enum severity severity = finding_severity(finding);
		const bool wanted = severity != SEV_FATAL && severity_is_damage(severity) && !shows_elsewhere(finding);

		if (has_mender(finding) != wanted)
			fail_msg("%s: its mender", finding_id(finding));
	}
}

/* Findings whose mender depends on their place. */
static void the_place_tells_which_of_two(void **state)
{
	struct found found = { .place = place_of(OBJ_SUPERBLOCK), .problem = { .finding = F_BLOCK_CRC } };

	(void)state;
	found.place.agno.v = 0;
	assert_int_equal(mend_of(&found), MEND_sb);
	found.place.agno.v = 1;
	assert_int_equal(mend_of(&found), MEND_sb_copy);
	found.place.object = OBJ_AGI;
	assert_int_equal(mend_of(&found), MEND_ag_header);
	found.problem.finding = F_BTREE_ROOT;
	assert_int_equal(mend_of(&found), MEND_ag_inodes);
	found.place.object = OBJ_DA_NODE;
	found.problem.finding = F_BLOCK_CRC;
	found.place.fileoff.v = 1;
	assert_int_equal(mend_of(&found), MEND_attr);
	found.place.fileoff.v = 1 << 23;
	assert_int_equal(mend_of(&found), MEND_dir);
	found.place.object = OBJ_AG;
	found.problem.finding = F_SPACE_LOST;
	assert_int_equal(mend_of(&found), MEND_ag_space);
	found.place.rgno = 0;
	assert_int_equal(mend_of(&found), MEND_rt_space);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_mender_has_a_turn),
		cmocka_unit_test(each_damage_has_a_mender),
		cmocka_unit_test(the_place_tells_which_of_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
