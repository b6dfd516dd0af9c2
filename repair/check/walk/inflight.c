/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts inodes in flight, and has helpers for all of them; walk_settle.c ends them. */
#include "inflight.h"

/* The library's memset(): the inline code of gcc takes three times as long, and this runs for every inode. */
static void *(*volatile const clear)(void *, int, size_t) = memset;

struct inflight *inflight_begin(struct walker *w, const struct dinode *inode)
{
	struct inflight *inflight = w->spare;

	if (!inflight) {
		inflight = walk_alloc(w, sizeof(*inflight));
		if (!inflight)
			return NULL;
		pthread_mutex_init(&inflight->lock, NULL);
	} else {
		clear(&inflight->refs, 0, sizeof(*inflight) - offsetof(struct inflight, refs));
	}
	w->spare = NULL;
	inflight->refs = 1;
	inflight->place = w->place;
	inflight->ino = inode->ino;
	inflight->gen = inode->gen;
	inflight->ftype = inode->ftype;
	inflight->linked = inode->nlink > 0;
	inflight->metadata = inode->metadata;
	inflight->reflink = inode->reflink;
	inflight->size = inode->size;
	inflight->nblocks = inode->nblocks;
	inflight->blocks_known = true;
	for (int i = 0; i < 2; i++) {
		inflight->rules[i] = inode->fork[i].rules;
		inflight->fork[i].expected = inode->fork[i].nextents;
		inflight->fork[i].bmbt.limit = inode->nblocks;
	}
	return inflight;
}

void inflight_free(struct walker *w, struct inflight *inflight)
{
	if (inflight)
		pthread_mutex_destroy(&inflight->lock);
	walk_free(w, inflight, sizeof(*inflight));
}

void inflight_get(struct inflight *inflight)
{
	__atomic_fetch_add(&inflight->refs, 1, __ATOMIC_RELAXED);
}

void inflight_place(struct walker *w, const struct inflight *inflight, enum object kind, fsbno_t fsbno,
		    uint64_t fileoff)
{
	w->place = place_of(kind);
	w->place.agno = agno_of_fsbno(w->t->geo, fsbno);
	w->place.agbno = agbno_of_fsbno(w->t->geo, fsbno);
	w->place.ino = inflight->ino;
	w->place.fileoff.v = fileoff;
}

void inflight_gap(struct walker *w, struct inflight *inflight)
{
	inflight->gap = true;
	walk_gap(w, inflight->ino, GAP_CONTENTS);
}
