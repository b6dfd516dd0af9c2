/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several threads take parts of the AG in turn, because they mostly wait for the device. */
#include "mend_facts.h"

#include <errno.h>
#include <stdlib.h>

#include "base/devices.h"
#include "parallel.h"
#include "prefetch.h"
#include "repair.h"

#define SCAN_THREADS 8u
#define SCAN_BYTES   (256u << 10) /* bytes read together */
#define SCAN_BLOCKS  1024u	  /* blocks that a thread takes at a time */

struct scanning {
	const struct mend_scan *scan;
	uint32_t end; /* number of blocks of the AG */
	bool failed;  /* atomic: out of memory */
};

static uint64_t offset_of(const struct mend_scan *s, uint64_t block)
{
	return ag_offset(&s->m->now->geo, s->agno) + (block << s->m->now->geo.block_log);
}

/* Visits the wanted blocks among [first, first + count). Reads them together, or one by one if that fails. */
static void read_run(const struct mend_scan *s, uint8_t *bytes, uint64_t first, uint32_t count)
{
	const struct geometry *g = &s->m->now->geo;
	const bool failed = mend_read_once(s->m, bytes, offset_of(s, first), (size_t)count << g->block_log);

	for (uint32_t i = 0; i < count; i++) {
		if (!s->wants(s->ctx, first + i))
			continue;
		if (!failed)
			s->visit(s->ctx, first + i, bytes + ((size_t)i << g->block_log));
		else if (count > 1)
			read_run(s, bytes, first + i, 1);
	}
}

static void scan_part(void *ctx, size_t part)
{
	struct scanning *w = ctx;
	const struct mend_scan *s = w->scan;
	const struct geometry *g = &s->m->now->geo;
	const uint32_t most = g->block_size < SCAN_BYTES ? SCAN_BYTES >> g->block_log : 1;
	const uint32_t gap = sweep_options_of(s->m->now).merge_gap >> g->block_log;
	const uint64_t from = (uint64_t)part * SCAN_BLOCKS;
	const uint64_t to = w->end - from < SCAN_BLOCKS ? w->end : from + SCAN_BLOCKS;
	uint8_t *bytes = malloc((size_t)most << g->block_log);
	uint64_t first = from, behind = from; /* [first, behind) is read next */
	struct mend_holes holes = { 0 };

	if (!bytes)
		__atomic_store_n(&w->failed, true, __ATOMIC_RELAXED);
	for (uint64_t b = from; bytes && b < to; b++) {
		uint64_t hole;

		if (!s->wants(s->ctx, b))
			continue;
		hole = mend_hole_blocks(s->m, &holes, offset_of(s, b));
		if (hole) {
			b += hole - 1;
			continue;
		}
		if (first < behind && (b - behind > gap || b - first >= most)) {
			read_run(s, bytes, first, (uint32_t)(behind - first));
			first = behind;
		}
		first = first == behind ? b : first;
		behind = b + 1;
	}
	if (bytes && first < behind)
		read_run(s, bytes, first, (uint32_t)(behind - first));
	free(bytes);
}

int mend_scan(const struct mend_scan *scan)
{
	struct scanning w = { .scan = scan, .end = ag_length(&scan->m->now->geo, scan->agno) };

	parallel_each(SCAN_THREADS, (w.end + SCAN_BLOCKS - 1) / SCAN_BLOCKS, scan_part, &w);
	return w.failed ? -ENOMEM : 0;
}
