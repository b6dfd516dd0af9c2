/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of files and of inodes that lie in another block's place, because they were written there by mistake, or
 * exchanged.  Blocks of version 5 say where they belong and to whom (ondisk 00, section 6).  Such a block is put back
 * if it is whole, if a map of the same file, or an inobt, leads to the place that it names, and if what lies there is
 * damaged.  (Nothing leads to the place of a block that was given up long ago.)  It does not matter whose place it lies
 * in now.  What is still wrong afterwards is for other menders, as are inodes in the place of others
 * (mend_inode_place.c).  It is certain: the block with its checksum and the map are two witnesses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "libxfs/log_stamp.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"

/* A block whose place, by a finding, holds something else. */
struct spot {
	xdaddr_t daddr;
	const struct found *found;
	uint8_t *bytes; /* what belongs here, read from another spot; NULL: not found */
	uint32_t len;	/* of bytes */
};

struct spots {
	struct spot *v; /* by address */
	size_t count;
};

static bool of_file(const struct place *place)
{
	return object_is_file_block(place->object) && place->ino.v != NULL_INO;
}

static bool of_inodes(const struct place *place)
{
	return place->object == OBJ_INODE;
}

bool mend_block_place_wants(const struct found *found)
{
	return (found->problem.finding == F_BLOCK_BLKNO || found->problem.finding == F_BLOCK_MAGIC) &&
	       (of_file(&found->place) || of_inodes(&found->place) || object_is_ag_btree(found->place.object));
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

/* The spot at this address for a block of this file; owner NULL_INO: for a block of inodes. NULL: there is none. */
static struct spot *spot_of(const struct spots *s, xdaddr_t daddr, xino_t owner)
{
	const struct spot key = { .daddr = daddr };
	size_t i = array_lower_bound(s->v, s->count, sizeof(*s->v), &key, before_daddr);

	for (; i < s->count && s->v[i].daddr.v == daddr.v; i++) {
		const struct place *place = &s->v[i].found->place;

		if (owner.v == NULL_INO ? of_inodes(place) : of_file(place) && place->ino.v == owner.v)
			return &s->v[i];
	}
	return NULL;
}

static xdaddr_t daddr_of_inodes(const struct geometry *geo, xino_t first)
{
	return daddr_of(geo, agno_of_ino(geo, first), agbno_of_agino(geo, agino_of_ino(geo, first)));
}

/* The spot where a block of `len` bytes belongs, by what it says itself; NULL: there is none. */
static struct spot *home_of(const struct geometry *geo, const struct spots *s, const uint8_t *bytes, uint32_t len)
{
	xdaddr_t daddr;
	xino_t owner;

	if (log_stamp_place(geo, bytes, len, &daddr, &owner))
		return spot_of(s, daddr, owner);
	if (len == geo->block_size && mend_inodes_home(geo, bytes, &owner))
		return spot_of(s, daddr_of_inodes(geo, owner), (xino_t){ NULL_INO });
	return NULL;
}

/* Read what lies at a spot; if it belongs to another spot, keep it there.  0 or -ENOMEM. */
static int find_home(struct mend *m, const struct spots *s, const struct spot *from)
{
	const struct geometry *geo = &m->now->geo;
	const uint32_t sizes[] = { geo->block_size, geo->dir_block_size };
	uint8_t *bytes = malloc(geo->dir_block_size);
	struct spot *home = NULL;

	if (!bytes)
		return -ENOMEM;
	for (unsigned i = 0; i < 2 && !home; i++) {
		if (mend_read(m, bytes, bytes_of_daddr(from->daddr), sizes[i]))
			continue;
		home = home_of(geo, s, bytes, sizes[i]);
		if (home && home != from && !home->bytes) {
			home->bytes = bytes;
			home->len = sizes[i];
			return 0;
		}
	}
	free(bytes);
	return 0;
}

/* Write at a spot what belongs there. 0 or negative errno. */
static int put_spot_back(struct mend *m, const struct spot *spot)
{
	const struct geometry *geo = &m->now->geo;
	const uint64_t at = bytes_of_daddr(spot->daddr);
	uint8_t *block = NULL;
	int ret;

	if (of_inodes(&spot->found->place)) { /* inodes that are whole there stay */
		block = calloc(1, spot->len);
		if (!block)
			return -ENOMEM;
		if (mend_read(m, block, at, spot->len))
			memset(block, 0, spot->len);
		mend_inodes_fill(geo, block, spot->bytes, mend_inodes_first(geo, spot->found->place.ino.v));
	}
	ret = mend_write(m, block ? block : spot->bytes, at, spot->len);
	free(block);
	if (!ret)
		mend_done(m, spot->found);
	return ret;
}

/* The spots of these findings, by address; ret->v has room for all. Blocks of version 4 don't say where they belong. */
static void spots_of(const struct geometry *geo, const struct found *found, size_t count, struct spots *ret)
{
	for (size_t i = 0; i < count && geo->crc; i++) {
		const struct place *place = &found[i].place;

		if (agbno_valid(geo, place->agno, place->agbno))
			ret->v[ret->count++] =
				(struct spot){ daddr_of(geo, place->agno, place->agbno), &found[i], NULL, 0 };
	}
	if (ret->count)
		qsort(ret->v, ret->count, sizeof(*ret->v), by_daddr);
}

int mend_block_place(struct mend *m, const struct found *found, size_t count)
{
	struct spots s = { .v = calloc(count, sizeof(*s.v)) };
	int ret = s.v ? 0 : -ENOMEM;

	if (s.v)
		spots_of(&m->now->geo, found, count, &s);
	for (size_t i = 0; i < s.count && !ret && !mend_exhausted(m); i++)
		if (!i || s.v[i].daddr.v != s.v[i - 1].daddr.v) /* each inode of a block may have a finding */
			ret = find_home(m, &s, &s.v[i]);
	/* all are read before the first is written, since blocks may have been exchanged */
	for (size_t i = 0; i < s.count && !ret; i++)
		if (s.v[i].bytes)
			ret = put_spot_back(m, &s.v[i]);
	for (size_t i = 0; i < s.count; i++)
		free(s.v[i].bytes);
	free(s.v);
	return ret;
}
