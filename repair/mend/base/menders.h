/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All menders, by the rows of include/mends.h. */
#ifndef XFSCK_REPAIR_MENDERS_H
#define XFSCK_REPAIR_MENDERS_H

#include <stdbool.h>
#include <stddef.h>

#include "mends.h"

struct found;
struct mend;

/*
 * Mends the objects of these findings, which belong to the mender (mend_of()) or are wanted by it.  They are sorted by
 * inode, then place; findings without an inode come last.  Names in them are valid during the call only.  The mender
 * reports each repaired object by mend_done().  Returns 0, even if nothing could be mended, or a negative errno.
 */
typedef int mender(struct mend *m, const struct found *found, size_t count);
#define x(name, stage, rank, joins, wants, space, sure, text) mender mend_##name;
MEND_TABLE(x)
#undef x

/*
 * True if a mender also wants a finding whose row names another mender, because it may know better what is wrong or
 * needs the information.  Defined for menders whose row in include/mends.h says MORE.
 */
typedef bool mend_wants_fn(const struct found *found);
#define x(name, stage, rank, joins, wants, space, sure, text) mend_wants_fn mend_##name##_wants;
MEND_TABLE(x)
#undef x

#endif
