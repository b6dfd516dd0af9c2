/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the decoder of attribute leaves. */
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
	const struct attr_leaf_fields_disk *fields; /* of the header ... */
	uint32_t fields_offset;			    /* ... and at which byte they lie */
	const struct attr_leaf_entry_disk *entries;
	uint32_t entries_offset;
	uint32_t size;	/* bytes */
	uint32_t count; /* how many entries there are: at first as the header says, later as count_entries() decides */
	xino_t owner;
};

/* Find the parts of a block that has the magic number of a leaf. */
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
	uint32_t hash;	    /* as the entry has it */
	uint32_t want_hash; /* as computed from the name */
};

/* Read an entry.  True if it is sound, apart from its hash, which is not compared; else its faults are reported to c.
 */
bool attr_name_read(const struct attr_leaf_block *b, const struct check *c, uint32_t index, struct attr_name *ret_name);

/* The same, and true only if the hash is right, too, which leaves no doubt that this is an entry.  Reports nothing. */
bool attr_name_certain(const struct attr_leaf_block *b, uint32_t index, struct attr_name *ret_name);

/* ---- attr_space.c: which bytes of the block are taken ---- */

struct attr_space {
	uint32_t names_bytes;					      /* taken by names and values */
	uint32_t names_start;					      /* lowest byte of them, or the end of the block */
	bool complete;						      /* the bytes of every entry have been taken */
	uint64_t map[ATTR_LEAF_MAX_SIZE / ATTR_LEAF_NAME_ALIGN / 64]; /* bit i: word i of the block is taken */
};

void attr_space_init(struct attr_space *space, uint32_t block_size);

/* Take len bytes at start, both whole words in the block.  False: some are taken already, and nothing was done. */
bool attr_space_take(struct attr_space *space, uint32_t start, uint32_t len);

/* How many bytes are free in one piece from start on, which must be a whole word. */
uint32_t attr_space_run(const struct attr_space *space, uint32_t start, uint32_t block_size);

/* Check the fields of the header about space against what has been taken for entries and names. */
void attr_space_check(struct attr_space *space, const struct attr_leaf_block *b);

#endif
