/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which menders want a finding of another one: they may know better what is wrong. */
#include "mend_wants.h"

#include <stddef.h>

#include "mend/base/menders.h"

bool mend_wants(const struct found *found, enum mend_kind kind)
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

	return wants[kind] && wants[kind](found);
}
