/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The overlay: layers of staged sectors over a device, with a common page store and lock. Staged sectors replace bytes
 * after these were read, so requests are not split. If the temporary file fails, no more is staged, so that an
 * incomplete overlay is never committed.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "kept.h"
#include "layer.h"
#include "overlay.h"

#define DEFAULT_LIMIT (64u << 20)
#define MAX_RANGE     (1u << 20) /* the most bytes that device_staged_each() passes at once */

struct overlay {
	atomic_bool any;
	pthread_rwlock_t lock; /* for the following members */
	struct pages *pages;
	struct layer layers[LAYERS];
	unsigned shown;	  /* number of layers that readers see, from the lowest */
	atomic_int error; /* of the temporary file, after it could not be read or written */
};

struct overlay *overlay_create(void)
{
	struct overlay *overlay = calloc(1, sizeof(*overlay));

	if (!overlay)
		return NULL;
	overlay->pages = pages_create(DEFAULT_LIMIT);
	if (!overlay->pages) {
		free(overlay);
		return NULL;
	}
	pthread_rwlock_init(&overlay->lock, NULL);
	overlay->shown = LAYERS;
	return overlay;
}

void overlay_destroy(struct overlay *overlay)
{
	if (!overlay)
		return;
	for (unsigned layer = 0; layer < LAYERS; layer++)
		layer_clear(&overlay->layers[layer], overlay->pages);
	pages_destroy(overlay->pages);
	pthread_rwlock_destroy(&overlay->lock);
	free(overlay);
}

bool overlay_any(const struct overlay *overlay)
{
	return atomic_load_explicit(&overlay->any, memory_order_relaxed);
}

int overlay_apply_layer(struct overlay *overlay, enum overlay_layer layer, uint8_t *bytes, uint64_t offset,
			uint64_t len)
{
	int ret;

	pthread_rwlock_rdlock(&overlay->lock);
	ret = layer_get(&overlay->layers[layer], overlay->pages, bytes, offset, len);
	pthread_rwlock_unlock(&overlay->lock);
	if (ret)
		atomic_store(&overlay->error, ret);
	return ret;
}

int overlay_apply(struct overlay *overlay, uint8_t *bytes, uint64_t offset, uint64_t len)
{
	int ret = 0;

	pthread_rwlock_rdlock(&overlay->lock);
	for (unsigned layer = 0; layer < overlay->shown && !ret; layer++)
		ret = layer_get(&overlay->layers[layer], overlay->pages, bytes, offset, len);
	pthread_rwlock_unlock(&overlay->lock);
	if (ret)
		atomic_store(&overlay->error, ret);
	return ret;
}

/* True if the sector at this offset is staged in a layer that readers see. */
static bool is_staged(const struct overlay *overlay, uint64_t offset)
{
	uint64_t page = offset >> STORE_PAGE_LOG;
	unsigned sector = (unsigned)(offset >> SECTOR_LOG) % PAGE_SECTORS;
	unsigned staged = 0;

	for (unsigned layer = 0; layer < overlay->shown; layer++)
		staged |= layer_staged(&overlay->layers[layer], page);
	return staged >> sector & 1;
}

/* Returns the first group of a layer in [first, behind); behind: there is none. */
static uint64_t next_group(const struct layer *layer, uint64_t first, uint64_t behind)
{
	uint64_t next = behind;

	if (layer->count >= behind - first) {
		for (next = first; next < behind && !layer_find(layer, next);)
			next++;
		return next;
	}
	for (uint32_t i = 0; i < layer->count; i++)
		if (layer->groups[i].number >= first && layer->groups[i].number < next)
			next = layer->groups[i].number;
	return next;
}

uint64_t overlay_next(struct overlay *overlay, uint64_t start, uint64_t end)
{
	const uint64_t first = start >> GROUP_LOG, behind = ((end - 1) >> GROUP_LOG) + 1;
	uint64_t next = behind;

	pthread_rwlock_rdlock(&overlay->lock);
	for (unsigned layer = 0; layer < LAYERS && next > first; layer++)
		next = next_group(&overlay->layers[layer], first, next);
	pthread_rwlock_unlock(&overlay->lock);
	if (next == behind)
		return end;
	return next == first ? start : next << GROUP_LOG;
}

bool overlay_gap(struct overlay *overlay, uint64_t start, uint64_t end, uint64_t *ret_start, uint64_t *ret_end)
{
	uint64_t first = align_down(start, SECTOR_SIZE), last;
	bool known = !atomic_load(&overlay->error); /* if not, staged sectors cannot be relied on */

	pthread_rwlock_rdlock(&overlay->lock);
	while (known && first < end && is_staged(overlay, first))
		first += SECTOR_SIZE;
	for (last = first; last < end && !(known && is_staged(overlay, last)); last += SECTOR_SIZE)
		;
	pthread_rwlock_unlock(&overlay->lock);
	if (first >= end)
		return false;
	*ret_start = first > start ? first : start;
	*ret_end = last < end ? last : end;
	return true;
}

bool overlay_is_below(struct overlay *overlay, unsigned layers, uint64_t offset, uint64_t len)
{
	const uint64_t end = offset + len;
	bool differs = false;
	unsigned from, to;

	pthread_rwlock_rdlock(&overlay->lock);
	from = layers < overlay->shown ? layers : overlay->shown;
	to = layers < overlay->shown ? overlay->shown : layers;
	for (unsigned layer = from; layer < to && !differs; layer++)
		for (uint64_t at = offset; at < end && !differs; at += STORE_PAGE - at % STORE_PAGE)
			differs = layer_staged(&overlay->layers[layer], at >> STORE_PAGE_LOG);
	pthread_rwlock_unlock(&overlay->lock);
	return !differs;
}

/* True if nothing is staged in the layers above, so that readers see this one. */
static bool is_uppermost(const struct overlay *overlay, unsigned layer)
{
	while (++layer < LAYERS)
		if (overlay->layers[layer].sectors)
			return false;
	return true;
}

/* Updates a cache after staging, with the bytes that readers will see, or drops the range (bytes NULL). */
static void tell_kept(struct kept *kept, const void *bytes, uint64_t offset, size_t len)
{
	if (bytes)
		kept_replace(kept, bytes, offset, len);
	else
		kept_forget(kept, offset, len);
}

int device_stage(struct device *device, enum overlay_layer layer, const void *buf, uint64_t offset, size_t len)
{
	struct overlay *overlay = device->overlay;
	struct layer *into = &overlay->layers[layer];
	const void *seen = NULL;
	int ret;

	if ((offset | len) % SECTOR_SIZE || offset > device->bytes || len > device->bytes - offset)
		return -ERANGE;
	pthread_rwlock_wrlock(&overlay->lock);
	ret = atomic_load(&overlay->error);
	if (!ret)
		ret = layer_reserve(into, overlay->pages, offset, len);
	if (!ret) {
		ret = layer_put(into, overlay->pages, buf, offset, len);
		if (ret)
			atomic_store(&overlay->error, ret);
		atomic_store_explicit(&overlay->any, true, memory_order_relaxed);
	}
	if (!ret && is_uppermost(overlay, layer))
		seen = buf;
	pthread_rwlock_unlock(&overlay->lock);
	tell_kept(device->kept, seen, offset, len);
	tell_kept(device->ahead, seen, offset, len);
	return ret;
}

void device_unstage(struct device *device, enum overlay_layer layer)
{
	struct overlay *overlay = device->overlay;

	pthread_rwlock_wrlock(&overlay->lock);
	layer_clear(&overlay->layers[layer], overlay->pages);
	pthread_rwlock_unlock(&overlay->lock);
	kept_forget_all(device->kept);
	kept_forget_all(device->ahead);
}

void device_stage_limit(struct device *device, size_t limit)
{
	struct overlay *overlay = device->overlay;

	pthread_rwlock_wrlock(&overlay->lock);
	pages_limit(overlay->pages, limit);
	pthread_rwlock_unlock(&overlay->lock);
}

uint64_t device_staged(const struct device *device, enum overlay_layer layer)
{
	struct overlay *overlay = device->overlay;
	uint64_t sectors;

	pthread_rwlock_rdlock(&overlay->lock);
	sectors = overlay->layers[layer].sectors;
	pthread_rwlock_unlock(&overlay->lock);
	return sectors << SECTOR_LOG;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return (first > second) - (first < second);
}

/* Returns the numbers of a layer's groups, ascending; the caller frees them. NULL: out of memory, or none. */
static uint64_t *sorted_groups(struct overlay *overlay, const struct layer *layer, uint32_t *ret_count)
{
	uint64_t *numbers;

	pthread_rwlock_rdlock(&overlay->lock);
	*ret_count = layer->count;
	numbers = layer->count ? calloc(layer->count, sizeof(*numbers)) : NULL;
	for (uint32_t i = 0; numbers && i < layer->count; i++)
		numbers[i] = layer->groups[i].number;
	pthread_rwlock_unlock(&overlay->lock);
	if (numbers)
		qsort(numbers, *ret_count, sizeof(*numbers), compare_numbers);
	return numbers;
}

/* Drops cached ranges that are staged in a layer. */
static void forget_layer(struct device *device, enum overlay_layer layer)
{
	uint32_t count;
	uint64_t *numbers = sorted_groups(device->overlay, &device->overlay->layers[layer], &count);

	if (count && !numbers) {
		kept_forget_all(device->kept);
		kept_forget_all(device->ahead);
	}
	for (uint32_t i = 0; numbers && i < count; i++) {
		kept_forget(device->kept, numbers[i] << GROUP_LOG, UINT64_C(1) << GROUP_LOG);
		kept_forget(device->ahead, numbers[i] << GROUP_LOG, UINT64_C(1) << GROUP_LOG);
	}
	free(numbers);
}

void device_show(struct device *device, unsigned layers)
{
	struct overlay *overlay = device->overlay;
	unsigned before;

	pthread_rwlock_wrlock(&overlay->lock);
	before = overlay->shown;
	overlay->shown = layers;
	pthread_rwlock_unlock(&overlay->lock);
	for (unsigned layer = 0; layer < LAYERS; layer++)
		if ((layer < before) != (layer < layers))
			forget_layer(device, layer);
}

/* Adjacent sectors for one call of fn. */
struct staged_range {
	staged_fn *fn;
	void *ctx;
	uint8_t *bytes; /* MAX_RANGE bytes */
	uint64_t offset;
	size_t len;
};

static int finish_range(struct staged_range *range)
{
	int ret = range->len ? range->fn(range->ctx, range->offset, range->bytes, range->len) : 0;

	range->len = 0;
	return ret;
}

/* Adds the sectors of a group, which has some; calls fn for completed ranges. */
static int add_group(struct overlay *overlay, enum overlay_layer layer, uint64_t number, struct staged_range *range)
{
	uint64_t start = number << GROUP_LOG;
	uint8_t staged[GROUP_PAGES], bytes[STORE_PAGE];

	pthread_rwlock_rdlock(&overlay->lock);
	memcpy(staged, layer_find(&overlay->layers[layer], number)->staged, sizeof(staged));
	pthread_rwlock_unlock(&overlay->lock);
	for (unsigned page = 0; page < GROUP_PAGES; page++) {
		uint64_t offset = start + (uint64_t)page * STORE_PAGE;
		int ret = staged[page] ? overlay_apply_layer(overlay, layer, bytes, offset, STORE_PAGE) : 0;

		for (unsigned sector = 0; sector < PAGE_SECTORS && !ret; sector++) {
			uint64_t at = offset + (uint64_t)sector * SECTOR_SIZE;

			if (!(staged[page] >> sector & 1))
				continue;
			if (range->offset + range->len != at || range->len == MAX_RANGE)
				ret = finish_range(range);
			if (!range->len)
				range->offset = at;
			memcpy(range->bytes + range->len, bytes + (size_t)sector * SECTOR_SIZE, SECTOR_SIZE);
			range->len += SECTOR_SIZE;
		}
		if (ret)
			return ret;
	}
	return 0;
}

int device_staged_each(struct device *device, enum overlay_layer layer, staged_fn *fn, void *ctx)
{
	struct overlay *overlay = device->overlay;
	struct staged_range range = { .fn = fn, .ctx = ctx };
	uint32_t count;
	uint64_t *numbers = sorted_groups(overlay, &overlay->layers[layer], &count);
	int ret = atomic_load(&overlay->error);

	if (!count)
		return ret;
	range.bytes = malloc(MAX_RANGE);
	if (!ret && (!numbers || !range.bytes))
		ret = -ENOMEM;
	for (uint32_t i = 0; i < count && !ret; i++)
		ret = add_group(overlay, layer, numbers[i], &range);
	if (!ret)
		ret = finish_range(&range);
	free(range.bytes);
	free(numbers);
	return ret;
}
