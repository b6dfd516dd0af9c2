/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides by what is known before the sweep, so that it is the same each time, whatever the machine has to do. */
#include "prove.h"

#include "memory.h"
#include "options.h"
#include "repair.h"
#include "run.h"
#include "check/walk/traverse.h"

/*
 * A whole check of less inodes than this (in bytes) takes a tenth of a second from a fast device, and seconds from a
 * slow one: that is not worth a proof that rests on the first check.
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
