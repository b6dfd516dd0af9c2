/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass distributes the records over many small ranges of numbers in the new array; then each range, which fits into
 * the processor's cache, is sorted.  The places of each part's records in each range are computed first, so that all
 * parts can be distributed at the same time.
 */
#include "sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "parallel.h"

#define RANGE_RECORDS 32u	 /* records in a range, on average */
#define RANGES_LOG    18u	 /* at most 1 << RANGES_LOG ranges */
#define ALONE	      4096u	 /* with fewer records, one thread is enough */
#define STEP_BYTES    (1u << 20) /* of a part that are freed at a time; 1/16 of a part that uses large pages */
#define SLICES	      8u	 /* slices of the ranges for each thread, since ranges differ in size */

struct spreading {
	struct spread_input *inputs;
	unsigned ninputs, threads;
	const struct number_order *o;
	uint64_t *least, *most; /* the least and the greatest number of each part */
	uint64_t first;		/* the least number of all */
	unsigned shift;		/* (number - first) >> shift is the range */
	size_t nranges, of;	/* number of ranges; number of records */
	size_t *next;		/* per part and range: first the number of records, later the place of the next one */
	uint8_t *sorted;
};

/* ---- distributing ---- */

static uint64_t number_of(const struct spreading *s, const uint8_t *record)
{
	return s->o->number(record, s->o->ctx);
}

static void find_bounds(void *ctx, size_t i)
{
	const struct spreading *s = ctx;
	const struct spread_input *input = &s->inputs[i];
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t k = 0; k < input->count; k++) {
		uint64_t number = number_of(s, input->records + k * s->o->size);

		least = number < least ? number : least;
		most = number > most ? number : most;
	}
	s->least[i] = least;
	s->most[i] = most;
}

static size_t range_of(const struct spreading *s, const uint8_t *record)
{
	return (size_t)((number_of(s, record) - s->first) >> s->shift);
}

static void count_records(void *ctx, size_t i)
{
	const struct spreading *s = ctx;
	size_t *count = s->next + i * s->nranges;

	for (size_t k = 0; k < s->inputs[i].count; k++)
		count[range_of(s, s->inputs[i].records + k * s->o->size)]++;
}

/* Returns the memory of a part to the system while its records are distributed, so that not both arrays use it all. */
struct giving {
	uint8_t *from; /* not returned yet */
	uintptr_t page;
	size_t step; /* bytes */
};

static struct giving begin_giving(const struct spread_input *input, size_t size)
{
	const size_t bytes = input->count * size;
	const bool large = bytes / 16 >= STEP_BYTES;

	return (struct giving){ .from = input->records,
				.page = large ? LARGE_PAGE : (uintptr_t)sysconf(_SC_PAGESIZE),
				.step = large ? bytes / 16 : STEP_BYTES };
}

/* Returns the whole pages before `to`. */
static void give_back(struct giving *g, const uint8_t *to)
{
	uintptr_t start = ((uintptr_t)g->from + g->page - 1) / g->page * g->page,
		  end = (uintptr_t)to / g->page * g->page;

	if (start >= end)
		return;
	g->from += start - (uintptr_t)g->from;
	madvise(g->from, end - start, MADV_DONTNEED);
	g->from += end - start;
}

static void spread(void *ctx, size_t i)
{
	const struct spreading *s = ctx;
	const struct spread_input *input = &s->inputs[i];
	size_t *next = s->next + i * s->nranges, size = s->o->size;
	struct giving giving = begin_giving(input, size);

	for (size_t k = 0; k < input->count; k++) {
		uint8_t *record = input->records + k * size;

		memcpy(s->sorted + next[range_of(s, record)]++ * size, record, size);
		if ((size_t)(record - giving.from) >= giving.step)
			give_back(&giving, record);
	}
}

static bool choose_ranges(struct spreading *s)
{
	uint64_t most = 0;
	size_t wanted = 2; /* so that any shift is less than 64 */

	while (wanted < s->of / RANGE_RECORDS && wanted < 1u << RANGES_LOG)
		wanted *= 2;
	s->first = UINT64_MAX;
	for (unsigned i = 0; i < s->ninputs; i++) {
		s->first = s->least[i] < s->first ? s->least[i] : s->first;
		most = s->most[i] > most ? s->most[i] : most;
	}
	while ((most - s->first) >> s->shift >= wanted)
		s->shift++;
	s->nranges = (size_t)((most - s->first) >> s->shift) + 1;
	s->next = calloc(s->nranges * s->ninputs + 1, sizeof(*s->next));
	return s->next;
}

/* Turns s->next from counts into places: within a range, records of the first part come first. */
static void place_ranges(struct spreading *s)
{
	size_t begin = 0;

	for (size_t range = 0; range < s->nranges; range++) {
		for (unsigned i = 0; i < s->ninputs; i++) {
			size_t *next = &s->next[i * s->nranges + range], records = *next;

			*next = begin;
			begin += records;
		}
	}
}

/* ---- sorting the ranges ---- */

/* Returns the end of a range: after distributing, the place of the next record of its last part. */
static size_t end_of(const struct spreading *s, size_t range)
{
	return s->next[(s->ninputs - 1) * s->nranges + range];
}

/* Sorts the ranges of one slice. */
static void sort_slice(void *ctx, size_t slice)
{
	const struct spreading *s = ctx;
	size_t slices = (size_t)SLICES * s->ninputs;
	size_t from = s->nranges * slice / slices, to = s->nranges * (slice + 1) / slices;
	size_t begin = from ? end_of(s, from - 1) : 0;

	for (size_t i = from; i < to; begin = end_of(s, i++))
		number_sort(s->sorted + begin * s->o->size, end_of(s, i) - begin, s->o);
}

static void drop(struct spread_input *input)
{
	free(input->records);
	*input = (struct spread_input){ 0 };
}

/* Puts all records into their ranges; the parts have no contents afterwards.  False: out of memory. */
static bool spread_all(struct spreading *s)
{
	parallel_each(s->threads, s->ninputs, find_bounds, s);
	if (!choose_ranges(s))
		return false;
	parallel_each(s->threads, s->ninputs, count_records, s);
	place_ranges(s);
	parallel_each(s->threads, s->ninputs, spread, s);
	return true;
}

uint8_t *spread_sort(struct spread_input *inputs, unsigned ninputs, const struct number_order *o, size_t *ret_count)
{
	struct spreading s = { .inputs = inputs, .ninputs = ninputs, .o = o };
	bool done;

	for (unsigned i = 0; i < ninputs; i++)
		s.of += inputs[i].count;
	*ret_count = s.of;
	s.threads = s.of < ALONE ? 1 : ninputs;
	s.sorted = malloc((s.of + 1) * o->size);
	if (s.sorted)
		large_memory(s.sorted, s.of * o->size);
	s.least = calloc(2 * (size_t)ninputs + 1, sizeof(*s.least));
	s.most = s.least + ninputs;
	done = s.sorted && s.least && (!s.of || spread_all(&s));
	for (unsigned i = 0; i < ninputs; i++)
		drop(&inputs[i]);
	if (done && s.of)
		parallel_each(s.threads, (size_t)SLICES * ninputs, sort_slice, &s);
	if (!done) {
		free(s.sorted);
		s.sorted = NULL;
	}
	free(s.least);
	free(s.next);
	return s.sorted;
}
