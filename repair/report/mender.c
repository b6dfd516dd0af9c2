/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of include/mends.h that the user sees. */
#include "mender.h"

static const struct {
	const char *name, *text;
	enum sure sure;
} rows[MEND_NR] = { [MEND_NOTHING] = { "nobody", "", SURE_CERTAIN },
#define x(name, stage, rank, joins, wants, space, sure, text) [MEND_##name] = { #name, text, SURE_##sure },
		    MEND_TABLE(x)
#undef x
};

const char *mender_name(enum mend_kind kind)
{
	return rows[kind].name;
}

const char *mender_text(enum mend_kind kind)
{
	return rows[kind].text;
}

enum sure mender_sure(enum mend_kind kind)
{
	return rows[kind].sure;
}
