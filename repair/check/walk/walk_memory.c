/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of the walkers.  Hundreds of thousands of wants and inodes in flight, of few sizes, are allocated and often
 * freed by another thread.  Each walker keeps the pieces that it frees, and reuses them; otherwise it cuts them from
 * slabs, which live until the end of a sweep over all inodes.
 */
#include "ahead.h"
#include "walker.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define CLASS_BYTES	 64u
#define FIRST_SLAB_BYTES (64u << 10) /* enough for small file systems */
#define SLAB_BYTES	 (2u << 20) /* a huge page, if the system has them, since pieces are accessed in random order */

struct recycled {
	struct recycled *next;
};

struct slab {
	struct slab *next;
	size_t room; /* length of bytes[] */
	uint8_t apart[CLASS_BYTES - sizeof(struct slab *) - sizeof(size_t)];
	uint8_t bytes[];
};

static size_t size_class(size_t size)
{
	return (size + CLASS_BYTES - 1) / CLASS_BYTES;
}

/* True if pieces of this class are cut from slabs, and so never freed one by one. */
static bool is_cut(size_t class)
{
#ifdef __SANITIZE_ADDRESS__ /* malloc() for all, so that a use after free is found */
	(void)class;
	return false;
#else
	return class < WALK_SIZE_CLASSES;
#endif
}

static struct slab *slab_new(struct slab *next)
{
	size_t bytes = next ? SLAB_BYTES : FIRST_SLAB_BYTES;
	struct slab *slab = aligned_alloc(next ? SLAB_BYTES : CLASS_BYTES, bytes);

	if (!slab)
		return NULL;
	if (next)
		madvise(slab, bytes, MADV_HUGEPAGE); /* only a hint: failure does not matter */
	slab->next = next;
	slab->room = bytes - sizeof(*slab);
	return slab;
}

static void *cut(struct walker *w, size_t bytes)
{
	struct slab *slab = w->slabs;
	void *piece;

	if (!slab || w->slab_used + bytes > slab->room) {
		slab = slab_new(slab);
		if (!slab)
			return NULL;
		w->slabs = slab;
		w->slab_used = 0;
	}
	piece = slab->bytes + w->slab_used;
	w->slab_used += bytes;
	return piece;
}

void walk_failed(struct walker *w)
{
	__atomic_store_n(&w->t->error, -ENOMEM, __ATOMIC_RELAXED);
}

void *walk_alloc(struct walker *w, size_t size)
{
	size_t class = size_class(size);
	struct recycled *recycled = w->recycled[class < WALK_SIZE_CLASSES ? class : 0];
	void *p;

	if (!is_cut(class)) {
		p = malloc(size);
	} else if (recycled) {
		w->recycled[class] = recycled->next;
		ahead_fetch((const uint8_t *)recycled->next, size); /* for the next call: it has left the cache */
		p = recycled;
	} else {
		p = cut(w, class * CLASS_BYTES);
	}
	if (p)
		memset(p, 0, size);
	else
		walk_failed(w);
	return p;
}

void walk_free(struct walker *w, void *p, size_t size)
{
	size_t class = size_class(size);
	struct recycled *recycled = p;

	if (!p || !is_cut(class)) {
		free(p);
		return;
	}
	recycled->next = w->recycled[class];
	w->recycled[class] = recycled;
}

void walk_memory_free(struct walker *w)
{
	memset(w->recycled, 0, sizeof(w->recycled));
	w->slab_used = 0;
	while (w->slabs) {
		struct slab *next = w->slabs->next;

		free(w->slabs);
		w->slabs = next;
	}
}
