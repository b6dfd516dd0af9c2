/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of small sets of inodes.  Threads share them, as two seldom post to the same one at a time.  Their cost is
 * memory that is accessed in random order, so they have 32 bits, half as many as the ledger's.  If a sum is 0 by
 * chance, which happens once in 2^32, the next check has another key and finds the set.  Bytes of evidence are counted
 * for a part of the sets only.
 */
#include "doubts.h"

#include <stdlib.h>

#include "large.h"

#define NEIGHBOURS 64u	      /* neighbouring inodes, such as a chunk, that have neighbouring sets */
#define LEAST	   (1u << 12) /* minimum of sets */
#define MOST	   (1u << 24) /* maximum of sets */
#define WEIGH	   8u	      /* bytes are counted for one in so many groups of neighbours */

struct doubts {
	uint64_t inodes; /* expected */
	size_t nsets;	 /* a power of two */
	unsigned shift;	 /* a 64-bit hash shifted right by this numbers groups of neighbouring sets */
	uint32_t *sums;	 /* atomic; NULL: closed */
	uint32_t *bytes; /* atomic; bytes of evidence, for the sets for which they are counted; NULL: closed */
	uint64_t *bits;	 /* once closed: a bit per set, set if its sum is not 0 */
	/* once closed: bytes of evidence of all sets for which they are counted, and of those in doubt */
	uint64_t weighed, in_doubt;
};

struct doubts *doubts_new(uint64_t inodes, size_t bytes)
{
	struct doubts *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->inodes = inodes ? inodes : MOST;
	for (d->nsets = LEAST; d->nsets < MOST && d->nsets < d->inodes && d->nsets * 2 * sizeof(*d->sums) <= bytes;)
		d->nsets *= 2;
	d->shift = 64 - (unsigned)__builtin_ctzll(d->nsets / NEIGHBOURS);
	d->sums = large_zeroed(d->nsets * sizeof(*d->sums));
	d->bytes = calloc(d->nsets / WEIGH, sizeof(*d->bytes));
	d->bits = calloc(d->nsets / 64, sizeof(*d->bits));
	if (!d->sums || !d->bytes || !d->bits) {
		doubts_free(d);
		return NULL;
	}
	return d;
}

void doubts_free(struct doubts *d)
{
	if (!d)
		return;
	free(d->sums);
	free(d->bytes);
	free(d->bits);
	free(d);
}

/*
 * Returns the set of an inode.  Numbers of chunks often have a common step, so they are spread, lest all fall into a
 * few sets.  One multiplication is not enough: only some of its lower bits change with the number, and of its higher
 * ones with the step.
 */
static size_t set_of(const struct doubts *d, xino_t ino)
{
	uint64_t spread = ino.v / NEIGHBOURS * UINT64_C(0x9e3779b97f4a7c15);

	spread = (spread ^ spread >> 32) * UINT64_C(0xc4ceb9fe1a85ec53) >> d->shift;
	return (size_t)(spread * NEIGHBOURS + ino.v % NEIGHBOURS);
}

/* Returns where the bytes of evidence of a set are counted; NULL: they are not. */
static uint32_t *bytes_of(const struct doubts *d, size_t set)
{
	const size_t neighbours = set / NEIGHBOURS;

	return neighbours % WEIGH ? NULL : &d->bytes[neighbours / WEIGH * NEIGHBOURS + set % NEIGHBOURS];
}

static void add_to_sum(uint32_t *sum, uint32_t change, uint32_t *weight, uint32_t bytes)
{
	__atomic_fetch_add(sum, change, __ATOMIC_RELAXED);
	if (weight)
		__atomic_fetch_add(weight, bytes, __ATOMIC_RELAXED);
}

void doubts_post(struct doubts *d, xino_t ino, uint64_t sum, uint32_t bytes)
{
	const size_t set = set_of(d, ino);

	add_to_sum(&d->sums[set], (uint32_t)sum, bytes_of(d, set), bytes);
}

static void post_oldest(struct doubts_queue *queue)
{
	const unsigned i = queue->oldest;

	if (queue->posts[i].sum)
		add_to_sum(queue->posts[i].sum, queue->posts[i].change, queue->posts[i].weight, queue->posts[i].bytes);
	queue->posts[i].sum = NULL;
	queue->oldest = (i + 1) % DOUBTS_WAITING;
}

void doubts_post_soon(struct doubts *d, struct doubts_queue *queue, xino_t ino, uint64_t sum, uint32_t bytes)
{
	const size_t set = set_of(d, ino);
	const unsigned i = queue->oldest;

	post_oldest(queue);
	queue->posts[i].sum = &d->sums[set];
	queue->posts[i].weight = bytes_of(d, set);
	queue->posts[i].change = (uint32_t)sum;
	queue->posts[i].bytes = bytes;
	__builtin_prefetch(queue->posts[i].sum, 1);
	__builtin_prefetch(queue->posts[i].weight, 1);
}

void doubts_post_rest(struct doubts_queue *queue)
{
	for (unsigned n = 0; n < DOUBTS_WAITING; n++)
		post_oldest(queue);
}

void doubts_close(struct doubts *d)
{
	for (size_t i = 0; i < d->nsets; i++) {
		const uint32_t *weight = bytes_of(d, i);

		d->weighed += weight ? *weight : 0;
		if (!d->sums[i])
			continue;
		d->bits[i / 64] |= UINT64_C(1) << i % 64;
		d->in_doubt += weight ? *weight : 0;
	}
	free(d->sums);
	free(d->bytes);
	d->sums = NULL;
	d->bytes = NULL;
}

bool doubts_has(const struct doubts *d, xino_t ino)
{
	size_t set = set_of(d, ino);

	return d->bits[set / 64] >> set % 64 & 1;
}

uint64_t doubts_count(const struct doubts *d)
{
	uint64_t count = 0;

	for (size_t i = 0; i < d->nsets / 64; i++)
		count += (uint64_t)__builtin_popcountll(d->bits[i]);
	return count;
}

bool doubts_within(const struct doubts *d, const struct doubts *other)
{
	if (d->nsets != other->nsets)
		return false;
	for (size_t i = 0; i < d->nsets / 64; i++)
		if (d->bits[i] & ~other->bits[i])
			return false;
	return true;
}

uint64_t doubts_share(const struct doubts *d, uint64_t bytes)
{
	const unsigned spare = d->weighed >> 47 ? 6 : 0;
	uint64_t share;

	if (!d->weighed)
		return bytes;
	/* in units of 2^-16, and an eighth more, since the other sets may have more bytes */
	share = (d->in_doubt >> spare << 16) / (d->weighed >> spare) * 9 / 8;
	return share < 1u << 16 ? (bytes >> 16) * share + ((bytes & 0xffff) * share >> 16) : bytes;
}
