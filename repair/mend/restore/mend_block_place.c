/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores misplaced blocks of files and inodes: they were written to another block's place by mistake, or exchanged.
 * In version 5, a block names its place and owner (ondisk 00, section 6).  It is restored if it is intact, if a map of
 * that file, or an inobt, points to the place that it names, and if the block there is damaged.  (Nothing points to the
 * place of a block that was freed long ago.)  Where it is now does not matter.  Other menders correct what is still
 * wrong afterwards, and inodes in another's place (mend_inode_place.c).  This is certain: the checksummed block and the
 * map are two records.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libxfs/log_stamp.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"
#include "sets/ordered.h"

/* The place of a block that holds something else, according to a finding. */
struct spot {
	xdaddr_t daddr;
	const struct found *found;
	uint8_t *bytes; /* the right contents, read from another spot; NULL: not found */
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

/* Returns the spot at this address for a block of this file; owner NULL_INO: for inodes. NULL: none. */
static struct spot *spot_of(const struct spots *s, xdaddr_t daddr, xino_t owner)
{
	for (size_t i = ordered_from(s->v, s->count, MEMBER(s->v, daddr), daddr.v);
	     i < s->count && s->v[i].daddr.v == daddr.v; i++) {
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

/* Returns the spot that a block of `len` bytes belongs to by its header; NULL: none. */
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

/* Reads the contents of a spot. If they belong to another spot, keeps them there. 0 or -ENOMEM. */
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

/* Writes the right contents to a spot. 0 or negative errno. */
static int put_spot_back(struct mend *m, const struct spot *spot)
{
	const struct geometry *geo = &m->now->geo;
	const uint64_t at = bytes_of_daddr(spot->daddr);
	uint8_t *block = NULL;
	int ret;

	if (of_inodes(&spot->found->place)) { /* intact inodes there stay */
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

/* Gets the spots of these findings, by address; ret->v has room for all. Blocks of version 4 don't name their place. */
static void spots_of(const struct geometry *geo, const struct found *found, size_t count, struct spots *ret)
{
	for (size_t i = 0; i < count && geo->crc; i++) {
		const struct place *place = &found[i].place;

		if (agbno_valid(geo, place->agno, place->agbno))
			ret->v[ret->count++] =
				(struct spot){ daddr_of(geo, place->agno, place->agbno), &found[i], NULL, 0 };
	}
	if (ret->count)
		ordered_sort(ret->v, ret->count, MEMBERS(MEMBER(ret->v, daddr)));
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
	/* all are read before any is written, because blocks may have been exchanged */
	for (size_t i = 0; i < s.count && !ret; i++)
		if (s.v[i].bytes)
			ret = put_spot_back(m, &s.v[i]);
	for (size_t i = 0; i < s.count; i++)
		free(s.v[i].bytes);
	free(s.v);
	return ret;
}
