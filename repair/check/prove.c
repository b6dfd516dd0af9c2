/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides from what is known before the sweep, so that the same file system gets the same answer every time. */
#include "prove.h"

#include "memory.h"
#include "options.h"
#include "repair.h"
#include "run.h"
#include "check/walk/traverse.h"

/*
 * With fewer bytes of inodes, a whole check takes a tenth of a second on a fast device and seconds on a slow one: too
 * little to justify a proof that relies on the first check.
 */
#define BOOKS_LEAST (UINT64_C(64) << 20)

bool prove_by_books(const struct repair *rc)
{
	switch (rc->run->options->prove) {
	case PROVE_WHOLE:
		return false;
	case PROVE_BOOKS:
		return true;
	default:
		return inodes_expected(rc) << rc->geo.inode_log >= BOOKS_LEAST;
	}
}

bool prove_spares_blocks(const struct repair *rc)
{
	return rc->traverse && rc->traverse->keep_for_gaps && rc->traverse->gaps < GAPS_FEW;
}
