/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps entries in blocks of memory, one after the other; the directory only once for consecutive ones. */
#include "noted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "base/sink.h"

#define BLOCK_BYTES (256u << 10)
#define CHUNK_SHIFT 6  /* 64 inodes */
#define LOOK_BACK   4u /* pairs that are compared before one is added, since chunks of a directory alternate */

/* The head of a name; len 0: no name follows, and the next entries are in this directory. */
struct noted_head {
	xino_t ino; /* the target, or the directory */
	uint8_t ftype;
	uint8_t len;
	bool former; /* from a parent pointer of the target */
};

struct noted_block {
	struct noted_block *next;
	size_t used;
	uint8_t bytes[BLOCK_BYTES];
};

struct pair {
	uint64_t chunk;
	xino_t directory;
};

struct names_noted {
	unsigned nlanes;
	bool entries;
	size_t most; /* blocks or pairs of a lane */
	struct noted_lane {
		struct noted_block *first, *last;
		size_t blocks;
		xino_t directory;
		struct pair *pairs;
		size_t count, room;
		bool full; /* some were dropped */
		uint8_t apart[64];
	} lanes[];
};

struct names_noted *names_noted_new(unsigned workers, size_t limit, bool entries)
{
	struct names_noted *noted = calloc(1, sizeof(*noted) + workers * sizeof(noted->lanes[0]));

	if (noted) {
		noted->nlanes = workers;
		noted->entries = entries;
		noted->most = limit / workers / (entries ? sizeof(struct noted_block) : sizeof(struct pair));
	}
	return noted;
}

void names_noted_free(struct names_noted *noted)
{
	for (unsigned i = 0; noted && i < noted->nlanes; i++) {
		for (struct noted_block *block = noted->lanes[i].first, *next; block; block = next) {
			next = block->next;
			free(block);
		}
		free(noted->lanes[i].pairs);
	}
	free(noted);
}

/* Makes room for so many bytes.  False: there is none. */
static bool reserve(const struct names_noted *noted, struct noted_lane *l, size_t bytes)
{
	struct noted_block *block;

	if (l->last && BLOCK_BYTES - l->last->used >= bytes)
		return true;
	block = l->blocks < noted->most && !l->full ? malloc(sizeof(*block)) : NULL;
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

static void put(struct noted_block *block, const void *bytes, size_t len)
{
	memcpy(block->bytes + block->used, bytes, len);
	block->used += len;
}

static void add_name(const struct names_noted *noted, struct noted_lane *l, xino_t directory,
		     const struct noted_head *head, const uint8_t *name)
{
	if (!head->len || !reserve(noted, l, 2 * sizeof(*head) + head->len))
		return;
	if (l->directory.v != directory.v) {
		put(l->last, &(struct noted_head){ .ino = directory }, sizeof(*head));
		l->directory = directory;
	}
	put(l->last, head, sizeof(*head));
	put(l->last, name, head->len);
}

static void add_pair(const struct names_noted *noted, struct noted_lane *l, const struct entry_fact *e)
{
	const struct pair pair = { e->target.v >> CHUNK_SHIFT, e->directory };

	for (size_t back = 1; back <= LOOK_BACK && back <= l->count; back++)
		if (l->pairs[l->count - back].chunk == pair.chunk &&
		    l->pairs[l->count - back].directory.v == pair.directory.v)
			return;
	if (l->count == noted->most || array_add(l->pairs, l->room, l->count, pair))
		l->full = true;
}

void names_noted_add(struct names_noted *noted, unsigned worker, const struct entry_fact *entry)
{
	if (entry->dot || entry->dotdot)
		return;
	if (noted->entries)
		add_name(noted, &noted->lanes[worker], entry->directory,
			 &(struct noted_head){ entry->target, entry->ftype, entry->namelen, false }, entry->name);
	else
		add_pair(noted, &noted->lanes[worker], entry);
}

void names_noted_add_pptr(struct names_noted *noted, unsigned worker, const struct pptr_fact *pptr)
{
	add_name(noted, &noted->lanes[worker], pptr->parent,
		 &(struct noted_head){ pptr->child, pptr->ftype, pptr->namelen, true }, pptr->name);
}

/* True if some were dropped. */
static bool is_full(const struct names_noted *noted)
{
	for (unsigned i = 0; i < noted->nlanes; i++)
		if (noted->lanes[i].full)
			return true;
	return false;
}

bool names_noted_whole(const struct names_noted *noted)
{
	return noted->entries && !is_full(noted);
}

/* Passes the entries of a block to the sink.  *directory: that of its first entries. */
static void tell_block(const struct noted_block *block, xino_t *directory, const struct sink *sink)
{
	struct noted_head head;

	for (size_t at = 0; at < block->used; at += head.len) {
		memcpy(&head, block->bytes + at, sizeof(head));
		at += sizeof(head);
		if (!head.len)
			*directory = head.ino;
		else if (head.former)
			sink_tell(sink, pptr, 0,
				  &(struct pptr_fact){ .child = head.ino,
						       .parent = *directory,
						       .ftype = head.ftype,
						       .name = block->bytes + at,
						       .namelen = head.len });
		else
			sink_tell(sink, entry, 0,
				  &(struct entry_fact){ .directory = *directory,
							.target = head.ino,
							.ftype = head.ftype,
							.name = block->bytes + at,
							.namelen = head.len });
	}
}

void names_noted_tell(const struct names_noted *noted, const struct sink *sink)
{
	for (unsigned i = 0; i < noted->nlanes; i++) {
		xino_t directory = { 0 };

		for (const struct noted_block *block = noted->lanes[i].first; block; block = block->next)
			tell_block(block, &directory, sink);
	}
}

int names_noted_near(const struct names_noted *noted, const struct ino_set *inos, struct ino_set *dirs)
{
	struct number_set chunks = { 0 };
	xino_t *all;
	int ret;

	if (noted->entries || is_full(noted))
		return 0;
	all = ino_set_sorted(inos);
	ret = all ? 0 : -ENOMEM;
	for (size_t i = 0; i < ino_set_count(inos) && ret >= 0; i++)
		ret = number_set_add(&chunks, all[i].v >> CHUNK_SHIFT);
	for (unsigned i = 0; i < noted->nlanes; i++) {
		const struct noted_lane *lane = &noted->lanes[i];

		for (size_t k = 0; k < lane->count && ret >= 0; k++)
			if (number_set_has(&chunks, lane->pairs[k].chunk))
				ret = ino_set_put(dirs, lane->pairs[k].directory);
	}
	number_set_free(&chunks);
	free(all);
	return ret < 0 ? ret : 0;
}
