/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps names in blocks of memory, one after the other; the directory only once for consecutive entries. */
#include "names_seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/sink.h"

#define BLOCK_BYTES (256u << 10)

/* The head of a name; len 0: no name follows, and the next entries are in this directory. */
struct seen_head {
	xino_t ino; /* the target, or the directory */
	uint8_t ftype;
	uint8_t len;
};

struct seen_block {
	struct seen_block *next;
	size_t used;
	uint8_t bytes[BLOCK_BYTES];
};

struct names_seen {
	unsigned nlanes;
	size_t most; /* blocks of a lane */
	struct seen_lane {
		struct seen_block *first, *last;
		size_t blocks;
		xino_t directory;
		bool full; /* some were dropped */
		uint8_t apart[64];
	} lanes[];
};

struct names_seen *names_seen_new(unsigned workers, size_t limit)
{
	struct names_seen *seen = calloc(1, sizeof(*seen) + workers * sizeof(seen->lanes[0]));

	if (seen) {
		seen->nlanes = workers;
		seen->most = limit / workers / sizeof(struct seen_block);
	}
	return seen;
}

void names_seen_free(struct names_seen *seen)
{
	for (unsigned i = 0; seen && i < seen->nlanes; i++)
		for (struct seen_block *block = seen->lanes[i].first, *next; block; block = next) {
			next = block->next;
			free(block);
		}
	free(seen);
}

/* Makes room for so many bytes.  False: there is none. */
static bool reserve(const struct names_seen *seen, struct seen_lane *l, size_t bytes)
{
	struct seen_block *block;

	if (l->last && BLOCK_BYTES - l->last->used >= bytes)
		return true;
	block = l->blocks < seen->most && !l->full ? malloc(sizeof(*block)) : NULL;
	if (!block) {
		l->full = true;
		return false;
	}
	block->next = NULL;
	block->used = 0;
	if (l->last)
		l->last->next = block;
	else
		l->first = block;
	l->last = block;
	l->blocks++;
	return true;
}

static void put(struct seen_block *block, const void *bytes, size_t len)
{
	memcpy(block->bytes + block->used, bytes, len);
	block->used += len;
}

void names_seen_add(struct names_seen *seen, unsigned worker, const struct entry_fact *e)
{
	const struct seen_head head = { e->target, e->ftype, e->namelen }, directory = { .ino = e->directory };
	struct seen_lane *l = &seen->lanes[worker];

	if (e->dot || e->dotdot || !e->namelen || !reserve(seen, l, 2 * sizeof(head) + e->namelen))
		return;
	if (l->directory.v != e->directory.v) {
		put(l->last, &directory, sizeof(directory));
		l->directory = e->directory;
	}
	put(l->last, &head, sizeof(head));
	put(l->last, e->name, e->namelen);
}

bool names_seen_whole(const struct names_seen *seen)
{
	for (unsigned i = 0; i < seen->nlanes; i++)
		if (seen->lanes[i].full)
			return false;
	return true;
}

/* Passes the entries of a block to the sink.  *directory: that of its first entries. */
static void tell_block(const struct seen_block *block, xino_t *directory, const struct sink *sink)
{
	struct seen_head head;

	for (size_t at = 0; at < block->used; at += head.len) {
		memcpy(&head, block->bytes + at, sizeof(head));
		at += sizeof(head);
		if (head.len)
			sink_tell(sink, entry, 0,
				  &(struct entry_fact){ .directory = *directory,
							.target = head.ino,
							.ftype = head.ftype,
							.name = block->bytes + at,
							.namelen = head.len });
		else
			*directory = head.ino;
	}
}

void names_seen_tell(const struct names_seen *seen, const struct sink *sink)
{
	for (unsigned i = 0; i < seen->nlanes; i++) {
		xino_t directory = { 0 };

		for (const struct seen_block *block = seen->lanes[i].first; block; block = block->next)
			tell_block(block, &directory, sink);
	}
}
