/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of directory blocks arrive in the order of the disk, so many blocks may be incomplete at a time.  A block has
 * memory from its first part to its last.  All blocks together have at most ASSEMBLY_BYTES_MAX, since a damaged extent
 * map may have parts of any number of blocks without ever completing one.
 */
#include "walk.h"

#include <stdlib.h>

#include "inflight.h"

#define ASSEMBLY_BYTES_MAX (128ull << 20)

static uint8_t *take_bytes(struct walker *w)
{
	uint32_t size = w->t->geo->dir_block_size;
	uint8_t *bytes = NULL;

	if (__atomic_add_fetch(&w->t->assembly_bytes, size, __ATOMIC_RELAXED) <= ASSEMBLY_BYTES_MAX)
		bytes = calloc(1, size);
	if (!bytes)
		__atomic_sub_fetch(&w->t->assembly_bytes, size, __ATOMIC_RELAXED);
	return bytes;
}

void assembly_done(struct walker *w, uint8_t *bytes)
{
	if (!bytes)
		return;
	free(bytes);
	__atomic_sub_fetch(&w->t->assembly_bytes, w->t->geo->dir_block_size, __ATOMIC_RELAXED);
}

struct assembly *assembly_of(struct walker *w, struct inflight *inflight, uint64_t db_start)
{
	struct assembly **bucket, *a;

	if (!inflight->assemblies)
		inflight->assemblies = walk_alloc(w, sizeof(*inflight->assemblies));
	if (!inflight->assemblies)
		return NULL;
	bucket = &inflight->assemblies->buckets[(db_start >> w->t->geo->dirblk_log) % ASSEMBLY_BUCKETS];
	for (a = *bucket; a; a = a->next)
		if (a->db_start == db_start)
			return a;
	a = walk_alloc(w, sizeof(*a));
	if (!a)
		return NULL;
	a->db_start = db_start;
	a->next = *bucket;
	*bucket = a;
	return a;
}

/* Reports it once, for the directory: the first block to be abandoned depends on the order in which they arrive. */
static void tell_scattered(struct walker *w, struct inflight *inflight)
{
	const struct place place = w->place;

	if (inflight->assemblies->scattered)
		return;
	inflight->assemblies->scattered = true;
	w->place = inflight->place;
	w->place.object = OBJ_DIRECTORY;
	walk_problem(w, F_DIR_BLOCK_SCATTERED, NO_INDEX, 0, ASSEMBLY_BYTES_MAX >> 20);
	w->place = place;
}

static void give_up(struct walker *w, struct inflight *inflight, struct assembly *a)
{
	a->over = true;
	tell_scattered(w, inflight);
	inflight_gap(w, inflight);
}

uint8_t *assembly_add(struct walker *w, struct inflight *inflight, struct assembly *a, uint64_t fileoff,
		      const uint8_t *bytes, uint32_t len)
{
	const struct geometry *geo = w->t->geo;
	uint8_t *complete;

	if (a->over)
		return NULL;
	if (!a->bytes)
		a->bytes = take_bytes(w);
	if (!a->bytes) {
		give_up(w, inflight, a);
		return NULL;
	}
	memcpy(a->bytes + ((fileoff - a->db_start) << geo->block_log), bytes, len);
	a->have += len >> geo->block_log;
	if (a->have < 1u << geo->dirblk_log)
		return NULL;
	a->over = true;
	complete = a->bytes;
	a->bytes = NULL;
	return complete;
}

void assemblies_settle(struct walker *w, const struct assemblies *assemblies)
{
	for (unsigned i = 0; assemblies && i < ASSEMBLY_BUCKETS; i++)
		for (const struct assembly *a = assemblies->buckets[i]; a; a = a->next)
			if (!a->over)
				walk_problem(w, F_DIR_BLOCK_PARTLY_MAPPED, NO_INDEX, a->db_start, 0);
}

void assemblies_free(struct walker *w, struct assemblies *assemblies)
{
	for (unsigned i = 0; assemblies && i < ASSEMBLY_BUCKETS; i++) {
		while (assemblies->buckets[i]) {
			struct assembly *a = assemblies->buckets[i];

			assemblies->buckets[i] = a->next;
			assembly_done(w, a->bytes);
			walk_free(w, a, sizeof(*a));
		}
	}
	walk_free(w, assemblies, sizeof(*assemblies));
}
