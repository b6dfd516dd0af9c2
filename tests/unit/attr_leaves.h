/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves of the attribute fork as tests build them, byte by byte at the offsets of ondisk 07. */
#ifndef XFSCK_TESTS_ATTR_LEAVES_H
#define XFSCK_TESTS_ATTR_LEAVES_H

#include "attrs.h"
#include "libxfs/crc.h"

/* byte offsets of the header's fields */
enum {
	FORW = 0,
	BACK = 4,
	MAGIC = 8,
	PAD0 = 10,
	CRC = 12,
	BLKNO = 16,
	LSN = 24,
	UUID = 32,
	HDR_OWNER = 48,
	COUNT = 56,
	USEDBYTES = 58,
	FIRSTUSED = 60,
	HOLES = 62,
	PAD1 = 63,
	FREEMAP = 64,
	PAD2 = 76,
	ENTRIES = 80
};

#define DADDR 0x4321u
#define LOCAL ATTR_LOCAL

struct fixture {
	struct geometry geo;
	uint8_t *block; /* block_size bytes */
	uint32_t used;	/* bytes of names and values, at the end of the block */
	unsigned count; /* entries */
	bool keep_crc;	/* decode() leaves the checksum as it is; else it makes it right */
	struct reported reported;
	struct visited visited;
	struct attr_leaf leaf;
	bool decoded;
};

static uint8_t storage[65536];

static inline struct fixture empty_leaf_of(uint8_t block_log)
{
	struct fixture f = { .geo = attrs_geometry(block_log), .block = storage };

	memset(storage, 0, sizeof(storage));
	put16(f.block, MAGIC, 0x3bee);
	put64(f.block, BLKNO, DADDR);
	memcpy(f.block + UUID, f.geo.meta_uuid, 16);
	put64(f.block, HDR_OWNER, OWNER);
	return f;
}

static inline uint32_t names_start(const struct fixture *f)
{
	return f->geo.block_size - f->used;
}

static inline uint32_t entries_end(const struct fixture *f)
{
	return ENTRIES + 8 * f->count;
}

/* Fills in the counts of the header; there are no holes between the names. */
static inline void put_header_counts(struct fixture *f)
{
	put16(f->block, COUNT, (uint16_t)f->count);
	put16(f->block, USEDBYTES, (uint16_t)f->used);
	put16(f->block, FIRSTUSED, (uint16_t)names_start(f));
	put16(f->block, FREEMAP, (uint16_t)entries_end(f));
	put16(f->block, FREEMAP + 2, (uint16_t)(names_start(f) - entries_end(f)));
}

static inline uint32_t entry_hash(const struct fixture *f, unsigned i)
{
	return (uint32_t)get16(f->block, ENTRIES + 8 * i) << 16 | get16(f->block, ENTRIES + 8 * i + 2);
}

static inline uint8_t *entry_at(struct fixture *f, unsigned i)
{
	return f->block + ENTRIES + 8 * i;
}

/* Makes room for a name below the others and adds an entry for it, in order of hashes.  Returns its index. */
static inline unsigned insert(struct fixture *f, uint8_t flags, uint32_t hash, uint32_t bytes)
{
	unsigned i = 0;

	while (i < f->count && entry_hash(f, i) <= hash)
		i++;
	memmove(entry_at(f, i + 1), entry_at(f, i), 8 * (f->count - i));
	f->count++;
	f->used += (bytes + 3) / 4 * 4;
	assert_true(entries_end(f) <= names_start(f));
	put32(entry_at(f, i), 0, hash);
	put16(entry_at(f, i), 4, (uint16_t)names_start(f));
	entry_at(f, i)[6] = flags;
	entry_at(f, i)[7] = 0;
	return i;
}

static inline uint32_t name_hash(const char *name)
{
	return da_hashname((const uint8_t *)name, strlen(name), false);
}

static inline unsigned add_hashed(struct fixture *f, uint8_t flags, const char *name, const void *value,
				  uint16_t valuelen, uint32_t hash)
{
	uint8_t namelen = (uint8_t)strlen(name);
	unsigned i = insert(f, flags | LOCAL, hash, 3u + namelen + valuelen);
	uint8_t *at = f->block + names_start(f);

	put16(at, 0, valuelen);
	at[2] = namelen;
	memcpy(at + 3, name, namelen);
	if (valuelen)
		memcpy(at + 3 + namelen, value, valuelen);
	put_header_counts(f);
	return i;
}

static inline unsigned add_local(struct fixture *f, uint8_t flags, const char *name, const void *value,
				 uint16_t valuelen)
{
	return add_hashed(f, flags, name, value, valuelen, name_hash(name));
}

static inline unsigned add_parent(struct fixture *f, const char *name, uint64_t ino, uint32_t gen)
{
	uint32_t hash = name_hash(name) ^ (uint32_t)(ino >> 32) ^ (uint32_t)ino;

	return add_hashed(f, ATTR_PARENT, name, parent_value(ino, gen), 12, hash);
}

static inline unsigned add_remote(struct fixture *f, uint8_t flags, const char *name, uint32_t valueblk,
				  uint32_t valuelen)
{
	uint8_t namelen = (uint8_t)strlen(name);
	unsigned i = insert(f, flags, name_hash(name), 11u + namelen);
	uint8_t *at = f->block + names_start(f);

	put32(at, 0, valueblk);
	put32(at, 4, valuelen);
	at[8] = namelen;
	memcpy(at + 9, name, namelen);
	put_header_counts(f);
	return i;
}

static inline struct fixture *decode(struct fixture *f)
{
	struct check c = { &f->geo, reported_add, &f->reported };
	const struct da_expect expect = { { OWNER }, { DADDR }, { 0 }, ATTR_FORK };
	le32_t crc;

	if (!f->keep_crc) {
		crc = le32_put(crc_block(f->block, f->geo.block_size, CRC));
		memcpy(f->block + CRC, &crc, sizeof(crc));
	}
	f->decoded = attr_leaf_decode(&c, f->block, &expect, remember, &f->visited, &f->leaf);
	return f;
}

#define SOUND_COUNT 6

/* Returns a leaf with attributes of every kind. */
static inline struct fixture sound_leaf(void)
{
	struct fixture f = empty_leaf_of(12);

	add_parent(&f, "file", PARENT, 77);
	add_local(&f, 0, "alpha", "first value", 11);
	add_local(&f, ATTR_SECURE, "selinux", "label", 6);
	add_remote(&f, 0, "big", 3, 9000);
	add_local(&f, ATTR_ROOT, "nothing", NULL, 0);
	add_local(&f, 0, "omega", "last value", 10);
	assert_int_equal(f.count, SOUND_COUNT);
	return f;
}

/* Returns the index of the entry with this name's hash. */
static inline unsigned index_of(const struct fixture *f, const char *name)
{
	for (unsigned i = 0; i < f->count; i++)
		if (entry_hash(f, i) == name_hash(name))
			return i;
	fail();
	return 0;
}

static inline uint32_t name_offset(struct fixture *f, const char *name)
{
	return get16(entry_at(f, index_of(f, name)), 4);
}

#endif
