/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of numbers, fast enough for a lookup per directory entry; and sets of units made from it. */
#ifndef XFSCK_REPAIR_NUMBER_SET_H
#define XFSCK_REPAIR_NUMBER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"
#include "units.h"

/* Start with { 0 }.  Any thread may search while none adds. */
struct number_set {
	uint64_t *slots; /* 0: empty */
	size_t count;
	unsigned log; /* there are 1 << log slots */
	bool zero;    /* 0 is in the set, though in no slot */
	struct hash_key key;
};

void number_set_free(struct number_set *set);
bool number_set_has(const struct number_set *set, uint64_t number);
/* Adds a number.  Returns 1: added, 0: it was there already, or -ENOMEM. */
int number_set_add(struct number_set *set, uint64_t number);
/* Removes a number, if it is there. */
void number_set_drop(struct number_set *set, uint64_t number);
/* Adds all numbers of another set.  Returns 0 or -ENOMEM. */
int number_set_put_all(struct number_set *set, const struct number_set *from);
/* Returns all numbers in ascending order, for the caller to free; NULL: out of memory. */
uint64_t *number_set_sorted(const struct number_set *set);

/*
 * Declares `struct name`, a set of such units, which starts with { 0 }, and its functions: name_free(), name_count(),
 * name_has(), name_add(), name_drop() and name_put_all() as above, and name_put(), which returns 0 or -ENOMEM whether
 * or not the unit was there already.
 */
#define NUMBER_SET(name, unit)                                                                                         \
	struct name {                                                                                                  \
		struct number_set numbers;                                                                             \
	};                                                                                                             \
	static inline void name##_free(struct name *set)                                                               \
	{                                                                                                              \
		number_set_free(&set->numbers);                                                                        \
	}                                                                                                              \
	static inline size_t name##_count(const struct name *set)                                                      \
	{                                                                                                              \
		return set->numbers.count;                                                                             \
	}                                                                                                              \
	static inline bool name##_has(const struct name *set, unit one)                                                \
	{                                                                                                              \
		return number_set_has(&set->numbers, one.v);                                                           \
	}                                                                                                              \
	static inline int name##_add(struct name *set, unit one)                                                       \
	{                                                                                                              \
		return number_set_add(&set->numbers, one.v);                                                           \
	}                                                                                                              \
	static inline void name##_drop(struct name *set, unit one)                                                     \
	{                                                                                                              \
		number_set_drop(&set->numbers, one.v);                                                                 \
	}                                                                                                              \
	static inline int name##_put_all(struct name *set, const struct name *from)                                    \
	{                                                                                                              \
		return number_set_put_all(&set->numbers, &from->numbers);                                              \
	}                                                                                                              \
	static inline int name##_put(struct name *set, unit one)                                                       \
	{                                                                                                              \
		const int ret = name##_add(set, one);                                                                  \
                                                                                                                       \
		return ret < 0 ? ret : 0;                                                                              \
	}

/* A set of inode numbers, and their order. */

NUMBER_SET(ino_set, xino_t)

/* Compares inode numbers, for qsort() and bsearch(). */
int ino_order(const void *a, const void *b);
/* Returns all inode numbers in ascending order, for the caller to free; NULL: out of memory. */
xino_t *ino_set_sorted(const struct ino_set *set);
/* Drops all but the `most` lowest numbers. 0 or -ENOMEM: the set is as it was, or empty. */
int ino_set_keep_lowest(struct ino_set *set, size_t most);

/* Sets of blocks, of sectors, and of allocation groups. */

NUMBER_SET(fsblock_set, fsbno_t)
NUMBER_SET(sector_set, xdaddr_t)
NUMBER_SET(group_set, agno_t)

#endif
