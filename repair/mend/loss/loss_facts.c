/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps facts as records, in pages of each thread, until they are sorted by inode. */
#include <stdlib.h>
#include <string.h>

#include "loss_fact.h"
#include "sets/sort.h"

#define PAGE_BYTES 65536u
#define PASS_KEY   UINT64_C(0x9e3779b97f4a7c15)

struct page {
	struct page *next;
	size_t used;
	_Alignas(uint64_t) uint8_t bytes[PAGE_BYTES];
};

struct lane {
	struct page *pages;
	size_t count;
};

struct loss_facts {
	struct lane *lanes;
	unsigned nlanes;
	const struct doubts *doubts;
	uint32_t pass, passes;
	struct loss_fact **sorted;
	size_t limit;
	/* atomic */
	size_t used;
	bool full;
};

struct loss_facts *loss_facts_new(unsigned workers, size_t limit)
{
	struct loss_facts *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->lanes = calloc(workers, sizeof(*f->lanes));
	f->nlanes = workers;
	f->passes = 1;
	f->limit = limit;
	if (!f->lanes) {
		free(f);
		return NULL;
	}
	return f;
}

void loss_facts_free(struct loss_facts *f)
{
	for (unsigned i = 0; f && i < f->nlanes; i++) {
		while (f->lanes[i].pages) {
			struct page *next = f->lanes[i].pages->next;

			free(f->lanes[i].pages);
			f->lanes[i].pages = next;
		}
	}
	if (f) {
		free(f->lanes);
		free(f->sorted);
	}
	free(f);
}

void loss_facts_want(struct loss_facts *f, const struct doubts *doubts, uint32_t pass, uint32_t passes)
{
	f->doubts = doubts;
	f->pass = pass;
	f->passes = passes;
}

bool loss_facts_full(const struct loss_facts *f)
{
	return __atomic_load_n(&f->full, __ATOMIC_RELAXED);
}

static bool is_wanted(const struct loss_facts *f, xino_t ino)
{
	return (!f->doubts || doubts_has(f->doubts, ino)) &&
	       (f->passes == 1 || (ino.v * PASS_KEY >> 32) % f->passes == f->pass);
}

/* Returns a page with room for this many bytes; NULL: none. */
static struct page *room_for(struct loss_facts *f, struct lane *lane, size_t bytes)
{
	struct page *page = lane->pages;

	if (page && PAGE_BYTES - page->used >= bytes)
		return page;
	if (__atomic_add_fetch(&f->used, sizeof(*page), __ATOMIC_RELAXED) > f->limit)
		return NULL;
	page = malloc(sizeof(*page));
	if (!page)
		return NULL;
	page->next = lane->pages;
	page->used = 0;
	lane->pages = page;
	return page;
}

void loss_facts_put(void *ctx, unsigned worker, const struct loss_fact *fact, const uint8_t *bytes)
{
	struct loss_facts *f = ctx;
	const size_t need = fact_bytes(fact);
	struct loss_fact *copy;
	struct page *page;

	if (!is_wanted(f, fact->ino) || loss_facts_full(f))
		return;
	page = room_for(f, &f->lanes[worker], need);
	if (!page) {
		__atomic_store_n(&f->full, true, __ATOMIC_RELAXED);
		return;
	}
	copy = (void *)(page->bytes + page->used);
	*copy = *fact;
	if (fact->len)
		memcpy(copy->bytes, bytes, fact->len);
	page->used += need;
	f->lanes[worker].count++;
}

#define COMPARE(x, y, field)                                                                                           \
	do {                                                                                                           \
		if ((x)->field != (y)->field)                                                                          \
			return (x)->field < (y)->field ? -1 : 1;                                                       \
	} while (0)

/* Compares by inode, kind, identity, then side. */
static int fact_order(const void *a, const void *b)
{
	const struct loss_fact *x = *(struct loss_fact *const *)a, *y = *(struct loss_fact *const *)b;

	COMPARE(x, y, ino.v);
	COMPARE(x, y, kind);
	COMPARE(x, y, a);
	if (x->kind == FACT_NAME)
		COMPARE(x, y, b);
	if (x->kind == FACT_ATTRIBUTE)
		COMPARE(x, y, flags);
	COMPARE(x, y, side);
	COMPARE(x, y, b);
	COMPARE(x, y, c);
	return 0;
}

static uint64_t number_of(const void *record, const void *ctx)
{
	(void)ctx;
	return (*(struct loss_fact *const *)record)->ino.v;
}

struct loss_fact **loss_facts_sorted(struct loss_facts *f, size_t *ret_count)
{
	static const struct number_order order = { sizeof(struct loss_fact *), number_of, NULL, fact_order, NULL };
	size_t count = 0, n = 0;

	for (unsigned i = 0; i < f->nlanes; i++)
		count += f->lanes[i].count;
	free(f->sorted);
	f->sorted = calloc(count + 1, sizeof(struct loss_fact *));
	if (!f->sorted)
		return NULL;
	for (unsigned i = 0; i < f->nlanes; i++) {
		for (struct page *page = f->lanes[i].pages; page; page = page->next) {
			for (size_t at = 0; at < page->used; at += fact_bytes((void *)(page->bytes + at)))
				f->sorted[n++] = (void *)(page->bytes + at);
		}
	}
	number_sort(f->sorted, n, &order);
	*ret_count = n;
	return f->sorted;
}
