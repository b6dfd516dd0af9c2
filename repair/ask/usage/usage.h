/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What files take up, in all and for each of many ids: users, groups, projects. */
#ifndef XFSCK_REPAIR_USAGE_H
#define XFSCK_REPAIR_USAGE_H

#include <stddef.h>
#include <stdint.h>

/* As `du` counts: a file with several names is one, ... */
struct usage {
	uint64_t files;	   /* of all types */
	uint64_t apparent; /* bytes: sizes of regular files and symbolic links */
	uint64_t used;	   /* bytes on the device, of files of all types */
};

static inline void usage_add(struct usage *usage, const struct usage *other)
{
	usage->files += other->files;
	usage->apparent += other->apparent;
	usage->used += other->used;
}

/* Begin with { 0 }. */
struct usage_table {
	struct usage_of {
		uint32_t id;
		struct usage usage;
	} * v; /* by id, once it is settled */
	size_t count, room;
	size_t tidy; /* when there are so many, those of the same id are joined */
};

/* Add to what an id takes up. 0 or -ENOMEM. */
int usage_table_add(struct usage_table *table, uint32_t id, const struct usage *usage);
/* When all has been added: each id is there once, in ascending order. */
void usage_table_settle(struct usage_table *table);
void usage_table_free(struct usage_table *table);

#endif
