/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds new directories (ondisk 06).  Data blocks are filled without holes, so that each has at most one free region,
 * at its end.  The decoders beside this file check the same rules.
 */
#include "libxfs/dir_build.h"

#include <stdlib.h>

#include "da_header.h"
#include "dir_data.h"
#include "libxfs/crc.h"

int dir_name_order(const void *a, const void *b)
{
	const struct dir_name *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

/* ---- headers ---- */

void dir_build_header(const struct geometry *g, uint8_t *block, const struct da_expect *place, enum da_magic kind)
{
	struct dir_blkhdr_disk *hdr = (void *)block;

	hdr->magic = be32_put(da_magic_of(g, kind));
	if (!g->crc)
		return;
	hdr->blkno = be64_put(place->daddr.v);
	memcpy(hdr->uuid, g->meta_uuid, sizeof(hdr->uuid));
	hdr->owner = be64_put(place->owner.v);
}

static void put_dir_header(const struct geometry *g, uint8_t *block, const struct da_expect *place, enum da_magic kind)
{
	memset(block, 0, g->dir_block_size);
	dir_build_header(g, block, place, kind);
}

static void seal_dir(const struct geometry *g, uint8_t *block)
{
	if (g->crc)
		crc_store(block, g->dir_block_size, offsetof(struct dir_blkhdr_disk, crc));
}

/* ---- shortform ---- */

static uint8_t *put_ino(uint8_t *at, xino_t ino, bool wide)
{
	const be64_t eight = be64_put(ino.v);
	const be32_t four = be32_put((uint32_t)ino.v);

	if (wide)
		memcpy(at, &eight, sizeof(eight));
	else
		memcpy(at, &four, sizeof(four));
	return at + (wide ? sizeof(eight) : sizeof(four));
}

bool dir_build_sf(const struct geometry *g, uint8_t *fork, uint32_t room, const struct dir_name *names, size_t count,
		  uint32_t *ret_size)
{
	struct dir_sf_header_disk *header = (void *)fork;
	uint32_t offset = da_header_size(g) + 2 * DIR_ENTRY_MIN; /* after `.` and `..` */
	uint32_t size = (uint32_t)sizeof(*header), wide = 0;
	uint8_t *at;

	for (size_t i = 1; i < count; i++) {
		wide += names[i].ino.v > UINT32_MAX;
		if (i > 1) {
			size += (uint32_t)sizeof(struct dir_sf_entry_disk) + names[i].namelen + g->ftype;
			offset += dir_entry_size(g, names[i].namelen);
		}
	}
	size += (uint32_t)(count - 1) * (uint32_t)(wide ? sizeof(be64_t) : sizeof(be32_t));
	if (count - 2 > UINT8_MAX || size > room ||
	    offset + count * sizeof(struct dir_leaf_entry_disk) + sizeof(struct dir_block_tail_disk) >
		    g->dir_block_size)
		return false;
	*header = (struct dir_sf_header_disk){ (uint8_t)(count - 2), (uint8_t)wide };
	at = put_ino(fork + sizeof(*header), names[1].ino, wide);
	offset = da_header_size(g) + 2 * DIR_ENTRY_MIN;
	for (size_t i = 2; i < count; i++) {
		struct dir_sf_entry_disk *entry = (void *)at;

		entry->namelen = names[i].namelen;
		entry->offset = be16_put((uint16_t)offset);
		memcpy(entry->name, names[i].name, names[i].namelen);
		at = entry->name + names[i].namelen;
		if (g->ftype)
			*at++ = names[i].ftype;
		at = put_ino(at, names[i].ino, wide);
		offset += dir_entry_size(g, names[i].namelen);
	}
	*ret_size = size;
	return true;
}

/* ---- entries ---- */

static void put_tag(uint8_t *block, uint32_t at, uint32_t size)
{
	const be16_t tag = be16_put((uint16_t)at);

	memcpy(block + at + size - DIR_TAG_SIZE, &tag, sizeof(tag));
}

/*
 * Writes as many entries as fit between the header and `end`, and makes the rest up to `end` one free region.  Returns
 * the number of entries.
 */
static size_t put_entries(const struct geometry *g, uint8_t *block, uint32_t end, const struct da_expect *place,
			  struct dir_name *names, size_t count, uint16_t *ret_best)
{
	struct dir_bestfree_disk *best = (void *)(block + dir_blkhdr_size(g));
	uint32_t base = (uint32_t)(((uint64_t)place->dablk.v << g->block_log) / DIR_ALIGN);
	uint32_t at = da_header_size(g);
	size_t i;

	for (i = 0; i < count && dir_entry_size(g, names[i].namelen) <= end - at; i++) {
		uint32_t size = dir_entry_size(g, names[i].namelen);
		struct dir_entry_disk *entry = (void *)(block + at);

		entry->inumber = be64_put(names[i].ino.v);
		entry->namelen = names[i].namelen;
		memcpy(entry->name, names[i].name, names[i].namelen);
		if (g->ftype)
			entry->name[names[i].namelen] = names[i].ftype;
		put_tag(block, at, size);
		names[i].address = base + at / DIR_ALIGN;
		at += size;
	}
	*ret_best = (uint16_t)(end - at);
	if (at < end) {
		struct dir_unused_disk *unused = (void *)(block + at);

		*unused = (struct dir_unused_disk){ be16_put(DIR_FREETAG), be16_put((uint16_t)(end - at)) };
		put_tag(block, at, end - at);
		best[0] = (struct dir_bestfree_disk){ be16_put((uint16_t)at), be16_put((uint16_t)(end - at)) };
	}
	return i;
}

size_t dir_build_data(const struct geometry *g, uint8_t *block, const struct da_expect *place, struct dir_name *names,
		      size_t count, uint16_t *ret_best)
{
	size_t done;

	put_dir_header(g, block, place, DA_DIR_DATA);
	done = put_entries(g, block, g->dir_block_size, place, names, count, ret_best);
	seal_dir(g, block);
	return done;
}

/* ---- block form ---- */

/* The end of the entries in a block-format directory of `count` names, which leaves room for leaf entries and tail. */
static uint32_t block_data_end(const struct geometry *g, size_t count)
{
	return g->dir_block_size - (uint32_t)sizeof(struct dir_block_tail_disk) -
	       (uint32_t)(count * sizeof(struct dir_leaf_entry_disk));
}

bool dir_build_fits_block(const struct geometry *g, const struct dir_name *names, size_t count)
{
	uint64_t bytes = da_header_size(g) + sizeof(struct dir_block_tail_disk);

	for (size_t i = 0; i < count && bytes <= g->dir_block_size; i++)
		bytes += dir_entry_size(g, names[i].namelen) + sizeof(struct dir_leaf_entry_disk);
	return bytes <= g->dir_block_size;
}

static void put_leaf_entries(struct dir_leaf_entry_disk *entries, const struct dir_name *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		entries[i] = (struct dir_leaf_entry_disk){ be32_put(names[i].hash), be32_put(names[i].address) };
}

void dir_build_block(const struct geometry *g, uint8_t *block, const struct da_expect *place, struct dir_name *names,
		     size_t count)
{
	uint32_t end = block_data_end(g, count);
	struct dir_block_tail_disk *tail;
	uint16_t best;

	put_dir_header(g, block, place, DA_DIR_BLOCK);
	put_entries(g, block, end, place, names, count, &best);
	qsort(names, count, sizeof(*names), dir_name_order);
	put_leaf_entries((void *)(block + end), names, count);
	tail = (void *)(block + g->dir_block_size - sizeof(*tail));
	*tail = (struct dir_block_tail_disk){ be32_put((uint32_t)count), be32_put(0) };
	seal_dir(g, block);
}

/* ---- index ---- */

size_t dir_build_leaf_room(const struct geometry *g, size_t nbests)
{
	size_t tail = nbests ? sizeof(struct dir_leaf_tail_disk) + nbests * sizeof(be16_t) : 0;
	size_t room = g->dir_block_size - da_header_size(g);

	return tail < room ? (room - tail) / sizeof(struct dir_leaf_entry_disk) : 0;
}

/* Writes the counts and leaf entries, which are the same in leaf1 and leafn blocks. */
static void put_leaf(const struct geometry *g, uint8_t *block, const struct dir_name *names, size_t count)
{
	struct dir_leaf_counts_disk *counts = (void *)(block + da_blkinfo_size(g));

	counts->count = be16_put((uint16_t)count);
	put_leaf_entries((void *)(block + da_header_size(g)), names, count);
}

void dir_build_leafn(const struct geometry *g, uint8_t *block, const struct da_expect *place,
		     const struct dir_name *names, size_t count, struct da_siblings siblings)
{
	da_put_header(g, block, place, DA_DIR_LEAFN, siblings);
	put_leaf(g, block, names, count);
	da_seal(g, block, DATA_FORK);
}

void dir_build_leaf1(const struct geometry *g, uint8_t *block, const struct da_expect *place,
		     const struct dir_name *names, size_t count, struct dir_bests bests)
{
	struct dir_leaf_tail_disk *tail = (void *)(block + g->dir_block_size - sizeof(*tail));
	be16_t *slots = (be16_t *)tail - bests.count;

	da_put_header(g, block, place, DA_DIR_LEAF1, (struct da_siblings){ 0 });
	put_leaf(g, block, names, count);
	*tail = (struct dir_leaf_tail_disk){ be32_put((uint32_t)bests.count) };
	for (size_t i = 0; i < bests.count; i++)
		slots[i] = be16_put(bests.v[i]);
	da_seal(g, block, DATA_FORK);
}

size_t dir_build_free_room(const struct geometry *g)
{
	return (g->dir_block_size - da_header_size(g)) / sizeof(be16_t);
}

void dir_build_free(const struct geometry *g, uint8_t *block, const struct da_expect *place, uint32_t firstdb,
		    struct dir_bests bests)
{
	struct dir_free_range_disk *range = (void *)(block + dir_blkhdr_size(g));
	be16_t *slots = (void *)(block + da_header_size(g));
	uint32_t used = 0;

	put_dir_header(g, block, place, DA_DIR_FREE);
	for (size_t i = 0; i < bests.count; i++) {
		slots[i] = be16_put(bests.v[i]);
		used += bests.v[i] != DIR_NULL_BEST;
	}
	*range = (struct dir_free_range_disk){ be32_put(firstdb), be32_put((uint32_t)bests.count), be32_put(used) };
	seal_dir(g, block);
}
