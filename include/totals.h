/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of the objects in a file system. */
#ifndef XFSCK_TOTALS_H
#define XFSCK_TOTALS_H

#include <stdint.h>

/*
 * The counts in the summary, as x(name); the phases fill them in.  inodes: in use; entries: of directories, without .
 * and ..; metadata_blocks: blocks decoded.
 */
#define TOTALS_TABLE(x)                                                                                                \
	x(inodes) x(free_inodes) x(directories) x(entries) x(extents) x(attributes) x(metadata_blocks) x(metadata_bytes)
/*
 * The same without internal files, as the account of losses counts them (loss.h); targets: of symbolic links;
 * attributes: without parent pointers; data: blocks of written data, counted once per file that maps them.
 */
#define TOTALS_OF_USERS(x) x(inodes) x(names) x(targets) x(attributes) x(data)

struct totals {
#define x(name) uint64_t name;
	TOTALS_TABLE(x)
	struct {
		TOTALS_OF_USERS(x)
	} users;
#undef x
};

/* Adds the counts of `one` so many times; -1 takes them off. */
static inline void totals_add(struct totals *sum, const struct totals *one, int times)
{
#define x(name) sum->name += one->name * (uint64_t)times;
	TOTALS_TABLE(x)
#undef x
#define x(name) sum->users.name += one->users.name * (uint64_t)times;
	TOTALS_OF_USERS(x)
#undef x
}

#endif
