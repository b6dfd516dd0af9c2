/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that the decoder of attribute leaves is made of. */
#ifndef XFSCK_ATTR_LEAF_H
#define XFSCK_ATTR_LEAF_H

#include "attr.h"
#include "da_header.h"
#include "disk/attr.h"

#define ATTR_LEAF_MAX_SIZE 65536u /* bytes: the largest block */

struct attr_leaf_block {
	const struct check *c;
	struct check quiet;
	const uint8_t *bytes;
	const struct attr_leaf_fields_disk *fields; /* of the header, */
	uint32_t fields_offset;			    /* at this byte */
	const struct attr_leaf_entry_disk *entries;
	uint32_t entries_offset;
	uint32_t size;	/* bytes */
	uint32_t count; /* entries that are believed to be there: at first, those that the header counts */
	xino_t owner;
};

/* The parts of a block, which says that it is a leaf, of that owner. */
void attr_leaf_open(const struct check *c, const void *block, xino_t owner, struct attr_leaf_block *ret_block);

/* Byte in the block of a field of the header. */
#define ATTR_LEAF_OFF(b, field) ((b)->fields_offset + (uint32_t)offsetof(struct attr_leaf_fields_disk, field))

static inline uint32_t attr_leaf_entries_possible(const struct attr_leaf_block *b)
{
	return (uint32_t)((b->size - b->entries_offset) / sizeof(*b->entries));
}

/* Byte in the block at which an entry lies. */
static inline uint32_t attr_leaf_entry_offset(const struct attr_leaf_block *b, uint32_t index)
{
	return b->entries_offset + index * (uint32_t)sizeof(struct attr_leaf_entry_disk);
}

/* ---- attr_name.c: an entry, and the name that it points to ---- */

struct attr_name {
	struct attr_entry attr;
	uint32_t start;	    /* byte in the block of the name, with its lengths in front */
	uint32_t len;	    /* bytes, of a local value too; whole words */
	uint32_t hash;	    /* as the entry has it, */
	uint32_t want_hash; /* and as it must be */
};

/* Read an entry.  True if it is sound but for its hash, which is not compared; else what is wrong is told to c. */
bool attr_name_read(const struct attr_leaf_block *b, const struct check *c, uint32_t index, struct attr_name *ret_name);

/* True if the hash is right as well, which leaves no doubt that this is an entry.  Reports nothing. */
bool attr_name_certain(const struct attr_leaf_block *b, uint32_t index, struct attr_name *ret_name);

/* ---- attr_space.c: who has which bytes of the block ---- */

struct attr_space {
	uint32_t names_bytes;					      /* taken by names and values */
	uint32_t names_start;					      /* lowest byte of them, or the end of the block */
	bool complete;						      /* every entry was given its bytes */
	uint64_t map[ATTR_LEAF_MAX_SIZE / ATTR_LEAF_NAME_ALIGN / 64]; /* bit i: word i of the block is taken */
};

void attr_space_init(struct attr_space *space, uint32_t block_size);

/* Take len bytes at start, both whole words in the block.  False, with nothing taken, if they aren't all free. */
bool attr_space_take(struct attr_space *space, uint32_t start, uint32_t len);

/* Bytes that are free from start on, a whole word, in a block of that size. */
uint32_t attr_space_run(const struct attr_space *space, uint32_t start, uint32_t block_size);

/* Compare the header with the space that was taken for entries and names. */
void attr_space_check(struct attr_space *space, const struct attr_leaf_block *b);

#endif
