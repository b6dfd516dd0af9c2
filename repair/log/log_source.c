/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads blocks of the log.  Records are read in small steps, and some blocks twice, such as a header again after its
 * payload; so callers that read the whole log make it be read ahead in large windows.
 */
#include "log_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/log.h"

#define WINDOWS	      8
#define WINDOW_BYTES  (512u << 10)
#define WINDOW_BLOCKS (WINDOW_BYTES >> SECTOR_LOG)
#define CHUNK_BLOCKS  UINT64_C(64) /* as log_examine() reads them */
#define NEAR_BLOCKS   (LOG_MAX_IN_FLIGHT * LOG_MAX_RECORD >> SECTOR_LOG)

struct log_ahead {
	struct window {
		uint64_t bb, count;
		uint8_t *bytes;
	} windows[WINDOWS];
	unsigned next; /* the window to replace next */
	uint8_t bytes[WINDOWS][WINDOW_BYTES];
};

struct log_source log_source_of(const struct geometry *geo, struct device *device, struct device *log_device)
{
	if (log_device)
		return (struct log_source){ log_device, 0, NULL };
	return (struct log_source){ device, bytes_of_daddr(daddr_of_fsbno(geo, geo->logstart)), NULL };
}

int log_source_read_ahead(struct log_source *log)
{
	log->ahead = malloc(sizeof(*log->ahead));
	if (!log->ahead)
		return -ENOMEM;
	log->ahead->next = 0;
	for (unsigned i = 0; i < WINDOWS; i++)
		log->ahead->windows[i] = (struct window){ 0, 0, log->ahead->bytes[i] };
	return 0;
}

void log_source_forget(struct log_source *log)
{
	free(log->ahead);
	log->ahead = NULL;
}

/* Reads without caching: a log may be as large as everything else, and is read again in large windows. */
static int read_device(const struct log_source *log, void *buf, uint64_t bb, uint64_t count)
{
	return device_read_once(log->device, buf, log->start + (bb << SECTOR_LOG), (size_t)count << SECTOR_LOG);
}

/* Returns the window that has these blocks, or NULL.  *ret_goes_on: some window ends where they begin. */
static const struct window *find_window(const struct log_ahead *ahead, uint64_t bb, uint32_t count, bool *ret_goes_on)
{
	const struct window *found = NULL;

	*ret_goes_on = false;
	for (unsigned i = 0; i < WINDOWS; i++) {
		const struct window *window = &ahead->windows[i];

		if (window->count && bb == window->bb + window->count)
			*ret_goes_on = true;
		if (bb >= window->bb && bb + count <= window->bb + window->count)
			found = window;
	}
	return found;
}

/* Reads a window that begins with these blocks: a large one if goes_on, else only these.  NULL: unreadable. */
static const struct window *read_window(const struct log_source *log, uint64_t bb, uint32_t count, bool goes_on)
{
	struct log_ahead *ahead = log->ahead;
	struct window *window = &ahead->windows[ahead->next];
	uint64_t end = (device_bytes(log->device) - log->start) >> SECTOR_LOG;
	uint64_t more = WINDOW_BLOCKS;

	if (!goes_on || bb > end || more > end - bb)
		more = count;
	window->count = 0;
	if (read_device(log, window->bytes, bb, more))
		return NULL;
	window->bb = bb;
	window->count = more;
	ahead->next = (ahead->next + 1) % WINDOWS;
	return window;
}

static uint64_t round_down(uint64_t bb)
{
	return bb - bb % CHUNK_BLOCKS;
}

/* Reads blocks [bb, end) ahead; errors are ignored. */
static void read_windows(const struct log_source *log, uint64_t bb, uint64_t end)
{
	while (bb < end) {
		uint32_t count = end - bb < WINDOW_BLOCKS ? (uint32_t)(end - bb) : WINDOW_BLOCKS;

		read_window(log, bb, count, false);
		bb += count;
	}
}

void log_source_read_near(const struct log_source *log, uint64_t bbs, uint64_t bb)
{
	const uint64_t last = round_down(bbs - 1), near = round_down(bb);
	const uint64_t first = near > NEAR_BLOCKS + CHUNK_BLOCKS ? near - NEAR_BLOCKS : CHUNK_BLOCKS;

	if (!log->ahead || bb >= last || last <= CHUNK_BLOCKS)
		return;
	read_windows(log, 0, CHUNK_BLOCKS);
	read_windows(log, first, near + 2 * CHUNK_BLOCKS < last ? near + 2 * CHUNK_BLOCKS : last);
	read_windows(log, last, bbs);
}

int log_source_read(void *ctx, void *buf, uint64_t bb, uint32_t count)
{
	const struct log_source *log = ctx;
	const struct window *window;
	bool goes_on;

	if (!log->ahead || count > WINDOW_BLOCKS)
		return read_device(log, buf, bb, count);
	window = find_window(log->ahead, bb, count, &goes_on);
	if (!window)
		window = read_window(log, bb, count, goes_on);
	/* the unreadable blocks may be behind the wanted ones */
	if (!window)
		return read_device(log, buf, bb, count);
	memcpy(buf, window->bytes + ((bb - window->bb) << SECTOR_LOG), (size_t)count << SECTOR_LOG);
	return 0;
}
