/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aligned memory for reads, recycled by size. Some freed buffers are kept in a list per size class, so that the heap
 * does not fragment, and pages that were touched are reused. Buffers in a list are poisoned for AddressSanitizer.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "device.h"

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else /* a compiler without sanitizers */
#define ASAN_POISON_MEMORY_REGION(addr, size)	((void)(addr), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#endif

#define CLASSES	    45		/* 4, 5, 6, 7, 8, 10, 12 ... KiB to 8 MiB; larger buffers are not kept */
#define KEPT_BYTES  (16u << 20) /* the most that is kept, unless device_buffers_limit() sets less */
#define PAGE_BYTES  4096u
#define PAGED_BYTES (64u << 10) /* from this size on, buffers begin at a page, so that a request has fewer segments */
#define HUGE_BYTES  (2u << 20)	/* from this size on, they get huge pages if possible: fewer segments still */

struct buffers {
	uint32_t align;
	pthread_mutex_t lock; /* for the following members */
	struct buffer *waiting[CLASSES];
	size_t waiting_bytes; /* at most `most` */
	size_t most;
};

/* The header right in front of the memory that was handed out. */
struct buffer {
	struct buffers *owner;
	struct buffer *next;
	void *allocation;
	unsigned size_class; /* CLASSES: larger than any class */
};

struct buffers *buffers_create(uint32_t align)
{
	struct buffers *buffers = calloc(1, sizeof(*buffers));

	if (!buffers)
		return NULL;
	buffers->align = align;
	buffers->most = KEPT_BYTES;
	pthread_mutex_init(&buffers->lock, NULL);
	return buffers;
}

void buffers_destroy(struct buffers *buffers)
{
	if (!buffers)
		return;
	for (unsigned size_class = 0; size_class < CLASSES; size_class++) {
		struct buffer *buffer;

		while ((buffer = buffers->waiting[size_class])) {
			buffers->waiting[size_class] = buffer->next;
			free(buffer->allocation);
		}
	}
	pthread_mutex_destroy(&buffers->lock);
	free(buffers);
}

void device_buffers_limit(struct device *device, size_t bytes)
{
	pthread_mutex_lock(&device->buffers->lock);
	device->buffers->most = bytes < KEPT_BYTES ? bytes : KEPT_BYTES;
	pthread_mutex_unlock(&device->buffers->lock);
}

static size_t class_bytes(unsigned size_class)
{
	return (size_t)(4 + size_class % 4) << (10 + size_class / 4);
}

static struct buffer *take_waiting(struct buffers *buffers, unsigned size_class)
{
	struct buffer *buffer;

	pthread_mutex_lock(&buffers->lock);
	buffer = buffers->waiting[size_class];
	if (buffer) {
		buffers->waiting[size_class] = buffer->next;
		buffers->waiting_bytes -= class_bytes(size_class);
	}
	pthread_mutex_unlock(&buffers->lock);
	if (buffer)
		ASAN_UNPOISON_MEMORY_REGION(buffer + 1, class_bytes(size_class));
	return buffer;
}

static struct buffer *allocate(struct buffers *buffers, unsigned size_class, size_t len)
{
	uint32_t wanted = len >= HUGE_BYTES ? HUGE_BYTES : len >= PAGED_BYTES ? PAGE_BYTES : 1;
	uint32_t align = wanted > buffers->align ? wanted : buffers->align;
	struct buffer *buffer;
	uint8_t *allocation;

	/* the header takes one unit of alignment, so that the memory after it is aligned */
	allocation = aligned_alloc(align, align + align_up(len, align));
	if (!allocation)
		return NULL;
	if (len >= HUGE_BYTES)
		madvise(allocation + align, len, MADV_HUGEPAGE); /* a hint: failure does not matter */
	buffer = (struct buffer *)(allocation + align) - 1;
	*buffer = (struct buffer){ .owner = buffers, .allocation = allocation, .size_class = size_class };
	return buffer;
}

void *device_buffer(const struct device *device, size_t len)
{
	struct buffers *buffers = device->buffers;
	struct buffer *buffer = NULL;
	unsigned size_class = 0;

	if (len > SIZE_MAX / 2)
		return NULL;
	len = align_up(len, buffers->align);
	while (size_class < CLASSES && class_bytes(size_class) < len)
		size_class++;
	if (size_class < CLASSES) {
		buffer = take_waiting(buffers, size_class);
		len = class_bytes(size_class);
	}
	if (!buffer)
		buffer = allocate(buffers, size_class, len);
	return buffer ? buffer + 1 : NULL;
}

/* Puts a freed buffer into the list of its size class. False: enough are kept. */
static bool keep(struct buffer *buffer)
{
	struct buffers *buffers = buffer->owner;
	size_t bytes = class_bytes(buffer->size_class);
	bool kept;

	pthread_mutex_lock(&buffers->lock);
	kept = buffers->waiting_bytes + bytes <= buffers->most;
	if (kept) {
		ASAN_POISON_MEMORY_REGION(buffer + 1, bytes);
		buffer->next = buffers->waiting[buffer->size_class];
		buffers->waiting[buffer->size_class] = buffer;
		buffers->waiting_bytes += bytes;
	}
	pthread_mutex_unlock(&buffers->lock);
	return kept;
}

void device_buffer_free(void *buf)
{
	struct buffer *buffer = buf;

	if (!buf)
		return;
	buffer--;
	if (buffer->size_class == CLASSES || !keep(buffer))
		free(buffer->allocation);
}
