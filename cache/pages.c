/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A store of pages of 4 KiB. Memory is allocated in arenas, so that the heap does not fragment, and pages have no
 * overhead. Beyond the limit, pages go to an unlinked temporary file, which vanishes however the program ends. Room in
 * the file is allocated together with the page, so that a full disk is noticed then, not when the page is written.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layer.h"
#include "whole.h"

#define ARENA_PAGES 64u
#define ARENA_BYTES ((size_t)ARENA_PAGES * STORE_PAGE)
#define FILE_PAGES  256u       /* growth of the file */
#define SLOT_FILE   (1u << 31) /* flag of a slot: the page is in the file */
#define MAX_SLOTS   (SLOT_FILE - 1)

/* slots that were freed */
struct spare {
	uint32_t *slots;
	size_t count;
	size_t capacity;
};

struct pages {
	size_t limit;
	size_t used; /* bytes of memory */

	uint8_t **arenas;
	uint32_t arena_count;
	uint32_t memory_next; /* the first slot never used */
	struct spare memory_spare;

	int fd; /* negative: no file yet */
	uint32_t file_count;
	uint32_t file_next;
	struct spare file_spare;
};

struct pages *pages_create(size_t limit)
{
	struct pages *pages = calloc(1, sizeof(*pages));

	if (!pages)
		return NULL;
	pages->limit = limit;
	pages->fd = -1;
	return pages;
}

void pages_destroy(struct pages *pages)
{
	if (!pages)
		return;
	for (uint32_t i = 0; i < pages->arena_count; i++)
		free(pages->arenas[i]);
	free(pages->arenas);
	free(pages->memory_spare.slots);
	free(pages->file_spare.slots);
	if (pages->fd >= 0)
		close(pages->fd);
	free(pages);
}

void pages_limit(struct pages *pages, size_t limit)
{
	pages->limit = limit;
}

void pages_charge(struct pages *pages, size_t bytes)
{
	pages->used += bytes;
}

void pages_discharge(struct pages *pages, size_t bytes)
{
	pages->used -= bytes;
}

/* Adds an arena. False: out of memory, or the limit is reached. */
static bool grow_memory(struct pages *pages)
{
	uint8_t **arenas;

	if (pages->used > pages->limit || pages->limit - pages->used < ARENA_BYTES ||
	    pages->arena_count >= MAX_SLOTS / ARENA_PAGES)
		return false;
	arenas = reallocarray(pages->arenas, pages->arena_count + 1, sizeof(*arenas));
	if (!arenas)
		return false;
	pages->arenas = arenas;
	arenas[pages->arena_count] = malloc(ARENA_BYTES);
	if (!arenas[pages->arena_count])
		return false;
	pages->arena_count++;
	pages->used += ARENA_BYTES;
	return true;
}

/* Returns the byte offset of a slot in the file. */
static off_t file_offset(uint32_t slot)
{
	return (off_t)(slot & ~SLOT_FILE) << STORE_PAGE_LOG;
}

static int grow_file(struct pages *pages)
{
	int ret;

	if (pages->fd < 0) {
		ret = temporary_open();
		if (ret < 0)
			return ret;
		pages->fd = ret;
	}
	if (pages->file_count >= MAX_SLOTS - FILE_PAGES)
		return -EFBIG;
	ret = posix_fallocate(pages->fd, file_offset(pages->file_count), (off_t)FILE_PAGES << STORE_PAGE_LOG);
	if (ret)
		return -ret;
	pages->file_count += FILE_PAGES;
	return 0;
}

int pages_alloc(struct pages *pages, uint32_t *ret_slot)
{
	int ret;

	if (pages->memory_spare.count) {
		*ret_slot = pages->memory_spare.slots[--pages->memory_spare.count];
		return 0;
	}
	if (pages->memory_next < pages->arena_count * ARENA_PAGES || grow_memory(pages)) {
		*ret_slot = pages->memory_next++;
		return 0;
	}
	if (pages->file_spare.count) {
		*ret_slot = pages->file_spare.slots[--pages->file_spare.count];
		return 0;
	}
	if (pages->file_next == pages->file_count) {
		ret = grow_file(pages);
		if (ret)
			return ret;
	}
	*ret_slot = SLOT_FILE | pages->file_next++;
	return 0;
}

void pages_free(struct pages *pages, uint32_t slot)
{
	struct spare *spare = slot & SLOT_FILE ? &pages->file_spare : &pages->memory_spare;

	if (spare->count == spare->capacity) {
		size_t capacity = spare->capacity ? 2 * spare->capacity : 64;
		uint32_t *slots = reallocarray(spare->slots, capacity, sizeof(*slots));

		if (!slots)
			return; /* the page just cannot be reused */
		spare->slots = slots;
		spare->capacity = capacity;
	}
	spare->slots[spare->count++] = slot;
}

static uint8_t *in_memory(const struct pages *pages, uint32_t slot)
{
	return pages->arenas[slot / ARENA_PAGES] + (size_t)(slot % ARENA_PAGES) * STORE_PAGE;
}

int pages_write(struct pages *pages, uint32_t slot, uint32_t at, const void *bytes, size_t len)
{
	if (!(slot & SLOT_FILE)) {
		memcpy(in_memory(pages, slot) + at, bytes, len);
		return 0;
	}
	return whole_write(pages->fd, (uint64_t)file_offset(slot) + at, bytes, len);
}

int pages_read(const struct pages *pages, uint32_t slot, uint32_t at, void *bytes, size_t len)
{
	if (!(slot & SLOT_FILE)) {
		memcpy(bytes, in_memory(pages, slot) + at, len);
		return 0;
	}
	return whole_read(pages->fd, (uint64_t)file_offset(slot) + at, bytes, len, -EIO);
}
