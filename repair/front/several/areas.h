/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of an image are called in --report=junit and --report=tap.  Each area is one test, which fails if
 * anything harmful is found there.  An image has the same tests whatever is found, so that servers which keep a history
 * see which have begun to fail, and which pass again: their names must not change.
 */
#ifndef XFSCK_REPAIR_AREAS_H
#define XFSCK_REPAIR_AREAS_H

#include "findings.h"

/* x(symbol, name, beginnings of the ids of findings with blanks between) */
#define AREA_TABLE(x)                                                                                                  \
	x(DEVICE, "device", "io") x(SUPERBLOCK, "superblock", "sb") x(LOG, "log", "log") x(                            \
		BLOCKS, "metadata blocks", "block") x(GROUPS, "allocation groups", "ag agf agfl agi")                  \
		x(BTREES, "btrees", "btree bnobt cntbt alloc inobt finobt rmap refcount") x(SPACE, "space", "space")   \
			x(INODES, "inodes", "inode inodes unlinked") x(MAPS, "extent maps", "bmap bmdr")               \
				x(DIRECTORIES, "directories", "dir tree") x(ATTRIBUTES, "attributes", "attr pptr")     \
					x(INDEXES, "hash indexes", "da") x(SYMLINKS, "symbolic links", "symlink")      \
						x(QUOTAS, "quotas", "dquot quota")                                     \
							x(REALTIME, "realtime section",                                \
							  "rtsb rtbitmap rtsummary rtgroup rtfile")

enum area {
#define x(symbol, name, beginnings) AREA_##symbol,
	AREA_TABLE(x)
#undef x
		AREA_NR, /* none, which a test excludes */
};

const char *area_name(enum area area);
enum area area_of(enum finding finding);

#endif
