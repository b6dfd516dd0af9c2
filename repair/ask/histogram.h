/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts numbers by size, in classes 0, 1, 2 to 3, 4 to 7 ... */
#ifndef XFSCK_REPAIR_HISTOGRAM_H
#define XFSCK_REPAIR_HISTOGRAM_H

#include <stdint.h>

struct table;

#define HISTOGRAM_CLASSES 65

/* Start with { 0 }. */
struct histogram {
	struct histogram_class {
		uint64_t count; /* numbers in the class ... */
		uint64_t sum;	/* ... and the sum of their weights */
	} of[HISTOGRAM_CLASSES];
};

/* Returns the class of a number: 0 for 0, n + 1 for 2^n to 2^(n + 1) - 1. */
static inline unsigned histogram_class(uint64_t number)
{
	return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* Return the smallest and the largest number of a class. */
static inline uint64_t histogram_from(unsigned class)
{
	return class ? UINT64_C(1) << (class - 1) : 0;
}

static inline uint64_t histogram_to(unsigned class)
{
	return class < 64 ? (UINT64_C(1) << class) - 1 : UINT64_MAX;
}

/* Counts a number with this weight. */
static inline void histogram_add(struct histogram *histogram, uint64_t number, uint64_t weight)
{
	struct histogram_class *class = &histogram->of[histogram_class(number)];

	class->count++;
	class->sum += weight;
}

static inline void histogram_join(struct histogram *histogram, const struct histogram *other)
{
	for (unsigned i = 0; i < HISTOGRAM_CLASSES; i++) {
		histogram->of[i].count += other->of[i].count;
		histogram->of[i].sum += other->of[i].sum;
	}
}

/*
 * Adds the cells of class i, which is not empty, to a row of a table: its least number, "to" its greatest if different,
 * the greatest alone, count and sum.
 */
void histogram_cells(struct table *table, const struct histogram *histogram, unsigned i);

#endif
