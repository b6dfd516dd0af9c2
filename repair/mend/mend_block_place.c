/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of files that lie in another's place: written there by mistake, or exchanged.  Those of version 5 say where
 * they belong and to whom (ondisk 00, section 6).  One goes there if it is whole, and if what a map of the same file
 * leads to there is damaged as well: of a block that was given up long ago nobody expects anything any more.  What then
 * is still in the wrong place is for others to mend.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "libxfs/log_stamp.h"
#include "mend.h"

/* A place that a map leads to, and where something else is than what belongs there. */
struct spot {
	xdaddr_t daddr;
	const struct found *found;
	uint8_t *bytes; /* that belong here, found elsewhere; or NULL */
	uint32_t len;
};

static bool of_file(const struct place *place)
{
	switch (place->object) {
	case OBJ_BMBT:
	case OBJ_DIR_BLOCK:
	case OBJ_DIR_DATA:
	case OBJ_DIR_LEAF:
	case OBJ_DIR_FREE:
	case OBJ_DA_NODE:
	case OBJ_ATTR_LEAF:
	case OBJ_ATTR_REMOTE:
	case OBJ_SYMLINK:
		return place->ino.v != NULL_INO;
	default:
		return false;
	}
}

bool mend_block_place_may_help(const struct found *found)
{
	return (found->problem.finding == F_BLOCK_BLKNO || found->problem.finding == F_BLOCK_MAGIC) &&
	       of_file(&found->place);
}

static int by_daddr(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	return (x->daddr.v > y->daddr.v) - (x->daddr.v < y->daddr.v);
}

static bool before_daddr(const void *element, const void *key)
{
	return by_daddr(element, key) < 0;
}

/* The spot at that address, of that file. */
static struct spot *spot_of(struct spot *spots, size_t count, xdaddr_t daddr, xino_t owner)
{
	const struct spot key = { .daddr = daddr };
	size_t i = array_lower_bound(spots, count, sizeof(*spots), &key, before_daddr);

	for (; i < count && spots[i].daddr.v == daddr.v; i++)
		if (spots[i].found->place.ino.v == owner.v)
			return &spots[i];
	return NULL;
}

/* Read what lies at a spot, and keep it for where it belongs.  0 or negative errno. */
static int find_home(struct mend *m, struct spot *spots, size_t count, const struct spot *from)
{
	const struct geometry *geo = &m->now->geo;
	const uint32_t sizes[] = { geo->block_size, geo->dir_block_size };
	uint8_t *bytes = malloc(geo->dir_block_size);
	struct spot *home = NULL;
	xdaddr_t daddr;
	xino_t owner;

	if (!bytes)
		return -ENOMEM;
	for (unsigned i = 0; i < 2 && !home; i++) {
		if (mend_read(m, bytes, bytes_of_daddr(from->daddr), sizes[i]) ||
		    !log_stamp_place(geo, bytes, sizes[i], &daddr, &owner))
			continue;
		home = spot_of(spots, count, daddr, owner);
		if (home && home != from && !home->bytes) {
			home->bytes = bytes;
			home->len = sizes[i];
			return 0;
		}
	}
	free(bytes);
	return 0;
}

static int put_back(struct mend *m, const struct spot *spot)
{
	int ret = mend_write(m, spot->bytes, bytes_of_daddr(spot->daddr), spot->len);

	if (!ret)
		mend_done(m, spot->found);
	return ret;
}

int mend_block_place(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	struct spot *spots = calloc(count, sizeof(*spots));
	size_t n = 0;
	int ret = spots ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && spots && geo->crc; i++) {
		const struct place *place = &found[i].place;

		if (agbno_valid(geo, place->agno, place->agbno))
			spots[n++] = (struct spot){ daddr_of(geo, place->agno, place->agbno), &found[i], NULL, 0 };
	}
	if (n)
		qsort(spots, n, sizeof(*spots), by_daddr);
	for (size_t i = 0; i < n && !ret && !mend_exhausted(m); i++)
		if (spots[i].found->problem.finding == F_BLOCK_BLKNO)
			ret = find_home(m, spots, n, &spots[i]);
	/* all have been read before the first is written: they may be exchanged */
	for (size_t i = 0; i < n && !ret; i++)
		if (spots[i].bytes)
			ret = put_back(m, &spots[i]);
	for (size_t i = 0; i < n; i++)
		free(spots[i].bytes);
	free(spots);
	return ret;
}
