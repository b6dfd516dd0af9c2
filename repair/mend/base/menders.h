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
 * Mend what these findings are about, all of which the mender settles (mend_of()) or wants.  They are sorted by inode,
 * then place; those that are about no inode come last.  Names in them are valid during the call only.  The mender
 * reports each object that it has mended by mend_done().  0, also if nothing could be mended, or a negative errno.
 */
typedef int mender(struct mend *m, const struct found *found, size_t count);
#define x(name, stage, rank, joins, wants, space, sure, text) mender mend_##name;
MEND_TABLE(x)
#undef x

/*
 * Returns true if a mender wants a finding that a row gives to another one, since it may know better what is wrong, or
 * may need to know of it.  It says so beside its mender, for those whose row in include/mends.h says MORE.
 */
typedef bool mend_wants_fn(const struct found *found);
#define x(name, stage, rank, joins, wants, space, sure, text) mend_wants_fn mend_##name##_wants;
MEND_TABLE(x)
#undef x

#endif
