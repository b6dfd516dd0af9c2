/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache: blocks as the overlay shows them, for checks and menders that read again what a check has read. Callers
 * offer only blocks that they wanted, not bytes between them. They are kept in pages of 4 KiB, whatever the block size,
 * so that the room of a dropped page fits any other; a page records which of its sectors are present.
 *
 * Everything is read in turn, again and again, so the oldest pages stay: dropping them for new ones would lose each
 * page just before it is needed. But pages read together with many others (inode clusters) are dropped for those that
 * need a request of their own (btree and directory blocks).
 */
#include "kept.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "large.h"
#include "zeroes.h"

#define PAGE_LOG   12u
#define PAGE_BYTES (1u << PAGE_LOG)
#define ALL	   0xffu      /* all sectors of a page */
#define SHARDS	   16u	      /* parts with a lock each, so that threads rarely wait for each other */
#define RUN_LOG	   7u	      /* 1 << RUN_LOG neighbouring pages share a shard */
#define LOOK_AT	   16u	      /* pages examined to find one that can be dropped */
#define HUGE_FROM  (8u << 20) /* bytes of a shard; beyond that, large pages save more than they may waste */

_Static_assert(PAGE_BYTES / SECTOR_SIZE == 8, "a bit per sector");

struct page {
	uint64_t number;
	uint32_t next; /* index + 1 of the next page with the same hash; 0: none */
	uint8_t there; /* a bit for each sector that is present */
	bool cheap;    /* cheap to read again, so it may be dropped */
};

struct shard {
	pthread_mutex_t lock;
	uint32_t *heads; /* for each hash: index + 1 of the first page; 0: none */
	uint32_t mask;	 /* number of hashes - 1 */
	struct page *pages;
	uint8_t *bytes; /* contents of pages[], in the same order */
	uint32_t room, count;
	uint32_t hand; /* where to look next for a page to drop */
	bool lent;     /* a caller may be reading its bytes, so that no page may be dropped or changed */
};

struct kept {
	atomic_bool any; /* false: the cache is off */
	size_t limit;
	struct shard shards[SHARDS];
};

struct kept *kept_create(void)
{
	struct kept *kept = calloc(1, sizeof(*kept));

	for (unsigned i = 0; kept && i < SHARDS; i++)
		pthread_mutex_init(&kept->shards[i].lock, NULL);
	return kept;
}

static void shard_clear(struct shard *s)
{
	free(s->heads);
	free(s->pages);
	free(s->bytes);
	s->heads = NULL;
	s->pages = NULL;
	s->bytes = NULL;
	s->mask = s->room = s->count = s->hand = 0;
	s->lent = false;
}

void kept_destroy(struct kept *kept)
{
	for (unsigned i = 0; kept && i < SHARDS; i++) {
		shard_clear(&kept->shards[i]);
		pthread_mutex_destroy(&kept->shards[i].lock);
	}
	free(kept);
}

/* Allocates room for this many pages, which takes memory only as it is used. False: out of memory. */
static bool shard_init(struct shard *s, uint32_t room)
{
	uint32_t hashes = 64;

	while (hashes < room)
		hashes *= 2;
	s->heads = calloc(hashes, sizeof(*s->heads));
	s->pages = calloc(room, sizeof(*s->pages));
	s->bytes = malloc((size_t)room << PAGE_LOG);
	if (!s->heads || !s->pages || !s->bytes) {
		shard_clear(s);
		return false;
	}
	if ((size_t)room << PAGE_LOG > HUGE_FROM)
		large_memory(s->bytes + HUGE_FROM, ((size_t)room << PAGE_LOG) - HUGE_FROM);
	s->mask = hashes - 1;
	s->room = room;
	return true;
}

void kept_limit(struct kept *kept, size_t limit)
{
	size_t each = limit / SHARDS / (PAGE_BYTES + sizeof(struct page) + 2 * sizeof(uint32_t));

	if (kept->limit == limit)
		return;
	kept->limit = limit;
	for (unsigned i = 0; i < SHARDS; i++) {
		struct shard *s = &kept->shards[i];

		pthread_mutex_lock(&s->lock);
		shard_clear(s);
		/* a shard without memory stays empty */
		if (each)
			shard_init(s, each < UINT32_MAX / 4 ? (uint32_t)each : UINT32_MAX / 4);
		pthread_mutex_unlock(&s->lock);
	}
	atomic_store(&kept->any, each > 0);
}

void device_keep(struct device *device, size_t limit)
{
	kept_limit(device->kept, limit);
}

/* ---- pages of a shard, under its lock ---- */

/* Returns the shard of a page; neighbours mostly share it. */
static struct shard *shard_of(struct kept *kept, uint64_t number)
{
	return &kept->shards[((number >> RUN_LOG) * UINT64_C(0x9e3779b97f4a7c15)) >> 60];
}

/* Returns the head of a page's list; those of neighbours are adjacent, since a sweep looks them up in order. */
static uint32_t *head_of(const struct shard *s, uint64_t number)
{
	uint64_t run = number >> RUN_LOG, in_run = number & ((1u << RUN_LOG) - 1);

	return &s->heads[((run * UINT64_C(0x9e3779b97f4a7c15) >> 28) + in_run) & s->mask];
}

static struct page *find(const struct shard *s, uint64_t number)
{
	uint32_t at = s->room ? *head_of(s, number) : 0;

	while (at && s->pages[at - 1].number != number)
		at = s->pages[at - 1].next;
	return at ? &s->pages[at - 1] : NULL;
}

/* Removes a page from its hash list. */
static void take_out(struct shard *s, const struct page *page)
{
	uint32_t *at = head_of(s, page->number);

	while (&s->pages[*at - 1] != page)
		at = &s->pages[*at - 1].next;
	*at = page->next;
}

/* Drops a page without sectors, or a cheap one unless the new one is cheap as well. NULL: none found nearby. */
static struct page *give_way(struct shard *s, bool cheap)
{
	for (unsigned i = 0; i < LOOK_AT && i < s->count && !s->lent; i++) {
		struct page *page = &s->pages[s->hand];

		s->hand = (s->hand + 1) % s->count;
		if (!page->there || (page->cheap && !cheap)) {
			take_out(s, page);
			return page;
		}
	}
	return NULL;
}

/* Returns the page with this number, added if necessary; NULL: no room. */
static struct page *find_or_add(struct shard *s, uint64_t number, bool cheap)
{
	struct page *page = find(s, number);
	uint32_t *head;

	if (page || !s->room)
		return page;
	page = s->count < s->room ? &s->pages[s->count++] : give_way(s, cheap);
	if (!page)
		return NULL;
	head = head_of(s, number);
	*page = (struct page){ .number = number, .next = *head, .cheap = cheap };
	*head = (uint32_t)(page - s->pages) + 1;
	return page;
}

static uint8_t *bytes_of(const struct shard *s, const struct page *page)
{
	return s->bytes + ((size_t)(page - s->pages) << PAGE_LOG);
}

/* ---- ranges ---- */

/* The part of a range that is in one page. */
struct slice {
	uint64_t number;
	uint32_t at, len; /* bytes in the page */
	uint8_t sectors;
};

static struct slice slice_of(uint64_t offset, uint64_t end)
{
	struct slice slice = { .number = offset >> PAGE_LOG, .at = (uint32_t)(offset % PAGE_BYTES) };

	slice.len = end - offset < PAGE_BYTES - slice.at ? (uint32_t)(end - offset) : PAGE_BYTES - slice.at;
	slice.sectors = (uint8_t)(ALL >> (8 - slice.len / SECTOR_SIZE) << slice.at / SECTOR_SIZE);
	return slice;
}

/* True if the cache is on, and the range consists of whole sectors. */
static bool may_be_kept(const struct kept *kept, uint64_t offset, size_t len)
{
	return atomic_load_explicit(&kept->any, memory_order_relaxed) && len && (offset | len) % SECTOR_SIZE == 0 &&
	       len <= UINT64_MAX - offset;
}

bool kept_take(struct kept *kept, void *buf, uint64_t offset, size_t len)
{
	uint64_t end = offset + len;
	uint8_t *to = buf;

	if (!may_be_kept(kept, offset, len))
		return false;
	while (offset < end) {
		const struct slice slice = slice_of(offset, end);
		struct shard *s = shard_of(kept, slice.number);
		const struct page *page;
		bool there;

		pthread_mutex_lock(&s->lock);
		page = find(s, slice.number);
		there = page && (page->there & slice.sectors) == slice.sectors;
		if (there)
			memcpy(to, bytes_of(s, page) + slice.at, slice.len);
		pthread_mutex_unlock(&s->lock);
		if (!there)
			return false;
		to += slice.len;
		offset += slice.len;
	}
	return true;
}

bool device_kept(struct device *device, void *buf, uint64_t offset, size_t len)
{
	if (!kept_take(device->kept, buf, offset, len))
		return false;
	atomic_fetch_add_explicit(&device->bytes_kept, len, memory_order_relaxed);
	return true;
}

/*
 * Returns a pointer to a range that is present, and contiguous within a shard; else NULL. Only shards with free room
 * are lent, since none of their pages is dropped until device_give_back().
 */
static const uint8_t *lend(struct kept *kept, uint64_t offset, size_t len)
{
	struct slice slice = slice_of(offset, offset + len);
	struct shard *s = shard_of(kept, slice.number);
	const struct page *first, *page;
	bool there;

	if (shard_of(kept, (offset + len - 1) >> PAGE_LOG) != s)
		return NULL;
	pthread_mutex_lock(&s->lock);
	first = page = s->count < s->room ? find(s, slice.number) : NULL;
	there = page && (page->there & slice.sectors) == slice.sectors;
	for (uint64_t at = offset + slice.len; there && at < offset + len; at += slice.len) {
		slice = slice_of(at, offset + len);
		page++;
		there = page < s->pages + s->count && page->number == slice.number &&
			(page->there & slice.sectors) == slice.sectors;
	}
	s->lent |= there;
	pthread_mutex_unlock(&s->lock);
	return there ? bytes_of(s, first) + offset % PAGE_BYTES : NULL;
}

const uint8_t *device_borrow(struct device *device, uint64_t offset, size_t len, void *spare)
{
	const uint8_t *bytes = may_be_kept(device->kept, offset, len) ? lend(device->kept, offset, len) : NULL;

	if (!bytes)
		return device_kept(device, spare, offset, len) ? spare : NULL;
	atomic_fetch_add_explicit(&device->bytes_kept, len, memory_order_relaxed);
	return bytes;
}

void device_borrow_soon(const struct device *device, uint64_t offset)
{
	const uint64_t number = offset >> PAGE_LOG;
	const struct shard *s = shard_of(device->kept, number);

	if (atomic_load_explicit(&device->kept->any, memory_order_acquire) && s->heads)
		__builtin_prefetch(head_of(s, number));
}

void device_give_back(struct device *device)
{
	for (unsigned i = 0; i < SHARDS; i++) {
		struct shard *s = &device->kept->shards[i];

		pthread_mutex_lock(&s->lock);
		s->lent = false;
		pthread_mutex_unlock(&s->lock);
	}
}

/* Copies sectors that the page lacks; the others stay, since a caller may be reading them. */
static void add_sectors(struct shard *s, struct page *page, const struct slice *slice, const uint8_t *from)
{
	uint8_t *to = bytes_of(s, page);
	uint8_t missing = slice->sectors & (uint8_t)~page->there;

	if (missing == slice->sectors)
		memcpy(to + slice->at, from, slice->len);
	for (unsigned i = 0; i < 8 && missing && missing != slice->sectors; i++)
		if (missing >> i & 1)
			memcpy(to + (size_t)i * SECTOR_SIZE, from + (size_t)i * SECTOR_SIZE - slice->at, SECTOR_SIZE);
	page->there |= missing;
}

void kept_put(struct kept *kept, const void *bytes, uint64_t offset, size_t len, bool cheap)
{
	const uint8_t *from = bytes;
	uint64_t end = offset + len;
	struct shard *s;

	if (!may_be_kept(kept, offset, len))
		return;
	/* under one lock, so that the range can be lent as a whole */
	s = shard_of(kept, offset >> PAGE_LOG);
	pthread_mutex_lock(&s->lock);
	while (offset < end) {
		const struct slice slice = slice_of(offset, end);
		struct shard *next = shard_of(kept, slice.number);
		struct page *page;

		if (next != s) {
			pthread_mutex_unlock(&s->lock);
			pthread_mutex_lock(&next->lock);
		}
		s = next;
		page = find_or_add(s, slice.number, cheap);
		if (page) {
			add_sectors(s, page, &slice, from);
			page->cheap &= cheap;
		}
		from += slice.len;
		offset += slice.len;
	}
	pthread_mutex_unlock(&s->lock);
}

void device_offer(struct device *device, const void *bytes, uint64_t offset, size_t len, bool cheap)
{
	uint64_t bad, bad_len;

	/* a hole of an image file costs nothing to read */
	if (may_be_kept(device->kept, offset, len) &&
	    !(all_zero(bytes, len) && device_next_data(device, offset, SECTOR_SIZE) >= offset + len) &&
	    !device_unreadable(device, offset, len, &bad, &bad_len))
		kept_put(device->kept, bytes, offset, len, cheap);
}

/* Replaces cached sectors of a range by these bytes. If bytes is NULL, or the shard is lent, drops them instead. */
static void change(struct kept *kept, const uint8_t *bytes, uint64_t offset, uint64_t end)
{
	if (!atomic_load_explicit(&kept->any, memory_order_relaxed))
		return;
	while (offset < end) {
		const struct slice slice = slice_of(offset, end);
		struct shard *s = shard_of(kept, slice.number);
		struct page *page;

		pthread_mutex_lock(&s->lock);
		page = find(s, slice.number);
		if (page && bytes && !s->lent) {
			memcpy(bytes_of(s, page) + slice.at, bytes, slice.len);
			page->there |= slice.sectors;
		} else if (page) {
			page->there &= (uint8_t)~slice.sectors;
		}
		pthread_mutex_unlock(&s->lock);
		bytes = bytes ? bytes + slice.len : NULL;
		offset += slice.len;
	}
}

void kept_forget(struct kept *kept, uint64_t offset, uint64_t len)
{
	change(kept, NULL, align_down(offset, SECTOR_SIZE), align_up(offset + len, SECTOR_SIZE));
}

void kept_replace(struct kept *kept, const void *bytes, uint64_t offset, size_t len)
{
	change(kept, bytes, offset, offset + len);
}

void kept_forget_all(struct kept *kept)
{
	for (unsigned i = 0; i < SHARDS; i++) {
		struct shard *s = &kept->shards[i];

		pthread_mutex_lock(&s->lock);
		for (uint32_t page = 0; page < s->count; page++)
			s->pages[page].there = 0;
		pthread_mutex_unlock(&s->lock);
	}
}
