/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays of records sorted by members that are unsigned numbers or units: sorting and searching without a function for
 * each kind of record.
 */
#ifndef XFSCK_REPAIR_ORDERED_H
#define XFSCK_REPAIR_ORDERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The place of a number in each record of an array. */
struct member {
	size_t record;	    /* bytes of a record */
	uint16_t at, bytes; /* of the number: 1, 2, 4 or 8 */
	bool through;	    /* the record is a pointer, and the number is in the struct that it points to */
};

/* A member of this array's records; or the records themselves, which are numbers. */
#define MEMBER(array, name)                                                                                            \
	((struct member){ sizeof(*(array)), offsetof(__typeof__(*(array)), name), sizeof((array)->name), false })
#define ELEMENT(array) ((struct member){ sizeof(*(array)), 0, sizeof(*(array)), false })
/* A member of the structs that this array's pointers point to. */
#define THROUGH(array, name)                                                                                           \
	((struct member){ sizeof(*(array)), offsetof(__typeof__(**(array)), name), sizeof((*(array))->name), true })
/* Several members: the first one decides, then the next. */
#define MEMBERS(...)                                                                                                   \
	(const struct member[])                                                                                        \
	{                                                                                                              \
		__VA_ARGS__,                                                                                           \
		{                                                                                                      \
			0                                                                                              \
		}                                                                                                      \
	}

static inline uint64_t ordered_number(const void *records, size_t index, struct member member)
{
	const uint8_t *at = (const uint8_t *)records + index * member.record;
	uint64_t number;
	uint32_t half;
	uint16_t quarter;

	if (member.through) {
		const void *record;

		memcpy(&record, at, sizeof(record));
		at = record;
	}
	at += member.at;
	switch (member.bytes) {
	case sizeof(number):
		memcpy(&number, at, sizeof(number));
		return number;
	case sizeof(half):
		memcpy(&half, at, sizeof(half));
		return half;
	case sizeof(quarter):
		memcpy(&quarter, at, sizeof(quarter));
		return quarter;
	default:
		return *at;
	}
}

/* Sorts by MEMBERS(); records that are equal in all of them are in any order. */
void ordered_sort(void *records, size_t count, const struct member *members);
/* Compares two records by MEMBERS(). */
int ordered_compare(const void *a, const void *b, const struct member *members);
/* Returns the index of the first record, in records sorted by MEMBERS(), that is not below *key in these, or count. */
size_t ordered_place(const void *records, size_t count, const void *key, const struct member *members);
/* Returns the index of the first one that equals *key in these, or count. */
size_t ordered_same(const void *records, size_t count, const void *key, const struct member *members);
/* Returns how many records at the start are equal in all of MEMBERS(). */
size_t ordered_alike(const void *records, size_t count, const struct member *members);
/* Sorts by MEMBERS(), and keeps only one of equal records.  Returns how many are left. */
size_t ordered_unique(void *records, size_t count, const struct member *members);

/* Returns the index of the first record, in records sorted by a member, where it is at least this number, or count. */
static inline size_t ordered_from(const void *records, size_t count, struct member member, uint64_t number)
{
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (ordered_number(records, middle, member) < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the index of the first record where it is above this number. */
static inline size_t ordered_behind(const void *records, size_t count, struct member member, uint64_t number)
{
	return number == UINT64_MAX ? count : ordered_from(records, count, member, number + 1);
}

/* Returns the index of the first record where it is this number. */
static inline size_t ordered_find(const void *records, size_t count, struct member member, uint64_t number)
{
	const size_t i = ordered_from(records, count, member, number);

	return i < count && ordered_number(records, i, member) == number ? i : count;
}

/* Returns how many records at the start have the same number there. */
static inline size_t ordered_run(const void *records, size_t count, struct member member)
{
	size_t n = 0;

	while (n < count && ordered_number(records, n, member) == ordered_number(records, 0, member))
		n++;
	return n;
}

#endif
