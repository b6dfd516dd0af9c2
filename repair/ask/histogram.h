/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of numbers by their size, in classes 0, 1, 2 to 3, 4 to 7 ... */
#ifndef XFSCK_REPAIR_HISTOGRAM_H
#define XFSCK_REPAIR_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_CLASSES 65

/* Begin with { 0 }. */
struct histogram {
	struct histogram_class {
		uint64_t count; /* of numbers in the class, ... */
		uint64_t sum;	/* ... and what they add up to, or their weights */
	} of[HISTOGRAM_CLASSES];
};

/* The class of a number: that of 0 is 0, that of 2 to the power n, and what follows, n + 1. */
static inline unsigned histogram_class(uint64_t number)
{
	return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* The smallest and the largest number of a class. */
static inline uint64_t histogram_from(unsigned class)
{
	return class ? UINT64_C(1) << (class - 1) : 0;
}

static inline uint64_t histogram_to(unsigned class)
{
	return class < 64 ? (UINT64_C(1) << class) - 1 : UINT64_MAX;
}

/* Count a number that has this weight. */
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

#endif
