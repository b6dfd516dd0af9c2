/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the parts of the decoder of attribute leaves. */
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
	const struct attr_leaf_fields_disk *fields; /* of the header */
	uint32_t fields_offset;			    /* byte offset of `fields` */
	const struct attr_leaf_entry_disk *entries;
	uint32_t entries_offset;
	uint32_t size;	/* bytes */
	uint32_t count; /* entries: initially from the header, then as count_entries() decides */
	xino_t owner;
};

/* Sets up the fields for a block that has the magic number of a leaf. */
void attr_leaf_open(const struct check *c, const void *block, xino_t owner, struct attr_leaf_block *ret_block);

/* Byte offset of a header field in the block. */
#define ATTR_LEAF_OFF(b, field) ((b)->fields_offset + (uint32_t)offsetof(struct attr_leaf_fields_disk, field))

static inline uint32_t attr_leaf_entries_possible(const struct attr_leaf_block *b)
{
	return (uint32_t)((b->size - b->entries_offset) / sizeof(*b->entries));
}

/* Byte offset of an entry in the block. */
static inline uint32_t attr_leaf_entry_offset(const struct attr_leaf_block *b, uint32_t index)
{
	return b->entries_offset + index * (uint32_t)sizeof(struct attr_leaf_entry_disk);
}

/* ---- attr_name.c: an entry, and the name that it points to ---- */

struct attr_name {
	struct attr_entry attr;
	uint32_t start;	    /* byte offset of the name and the lengths in front of it */
	uint32_t len;	    /* bytes, including a local value, rounded up to words */
	uint32_t hash;	    /* as stored in the entry */
	uint32_t want_hash; /* computed from the name */
};

/* Reads an entry.  True if it is sound; its hash is not compared.  Reports its faults to c. */
bool attr_name_read(const struct attr_leaf_block *b, const struct check *c, uint32_t index, struct attr_name *ret_name);

/* Like attr_name_read(), but true only if the hash is right as well, which leaves no doubt.  Reports nothing. */
bool attr_name_certain(const struct attr_leaf_block *b, uint32_t index, struct attr_name *ret_name);

/* ---- attr_space.c: the used bytes of the block ---- */

struct attr_space {
	uint32_t names_bytes;					      /* used by names and values */
	uint32_t names_start;					      /* lowest used byte, or the end of the block */
	bool complete;						      /* the bytes of every entry are included */
	uint64_t map[ATTR_LEAF_MAX_SIZE / ATTR_LEAF_NAME_ALIGN / 64]; /* bit i: word i of the block is used */
};

void attr_space_init(struct attr_space *space, uint32_t block_size);

/* Takes len bytes at start, both whole words within the block.  False: some of them are in use; nothing was changed. */
bool attr_space_take(struct attr_space *space, uint32_t start, uint32_t len);

/* Length of the free run at start, which must be word-aligned, in bytes. */
uint32_t attr_space_run(const struct attr_space *space, uint32_t start, uint32_t block_size);

/* Checks the header's fields about space against the bytes used by entries and names. */
void attr_space_check(struct attr_space *space, const struct attr_leaf_block *b);

#endif
