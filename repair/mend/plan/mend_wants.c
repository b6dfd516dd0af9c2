/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which menders get a finding: the one that settles it, and those that may know better what is wrong. */
#include "mend_concerns.h"

#include <stddef.h>

#include "mend/base/mend_of.h"
#include "mend/base/menders.h"

bool mend_concerns(const struct found *found, enum mend_kind kind)
{
	static mend_wants_fn *const wants[MEND_NR] = {
/* clang-format off */
#define OWN(name) NULL
#define MORE(name) mend_##name##_wants
#define x(name, stage, rank, joins, wants, space, sure, text) [MEND_##name] = wants(name),
		/* clang-format on */
		MEND_TABLE(x)
#undef x
	};

	return mend_of(found) == kind || (wants[kind] && wants[kind](found));
}
