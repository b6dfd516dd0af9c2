/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests of attribute decoders: a file system, big-endian stores, and a visitor that remembers attributes. */
#ifndef XFSCK_TESTS_ATTRS_H
#define XFSCK_TESTS_ATTRS_H

#include "reported.h"
#include "libxfs/da.h"

#define OWNER  0x1083u
#define PARENT 0x1080u

static inline struct geometry attrs_geometry(uint8_t block_log)
{
	struct geometry g = {
		.block_size = 1u << block_log,
		.sector_size = 512,
		.inode_size = 512,
		.inodes_per_block = (1u << block_log) / 512,
		.block_log = block_log,
		.inode_log = 9,
		.inopb_log = (uint8_t)(block_log - 9),
		.agblock_log = 16,
		.agblocks = 50000,
		.agcount = 4,
		.dblocks = 200000,
		.first_data_agbno = 3,
		.version = 5,
		.crc = true,
		.parent = true,
	};

	for (unsigned i = 0; i < sizeof(g.meta_uuid); i++)
		g.meta_uuid[i] = (uint8_t)(0xa0 + i);
	return g;
}

static inline void put16(uint8_t *block, uint32_t offset, uint16_t value)
{
	block[offset] = (uint8_t)(value >> 8);
	block[offset + 1] = (uint8_t)value;
}

static inline void put32(uint8_t *block, uint32_t offset, uint32_t value)
{
	put16(block, offset, (uint16_t)(value >> 16));
	put16(block, offset + 2, (uint16_t)value);
}

static inline void put64(uint8_t *block, uint32_t offset, uint64_t value)
{
	put32(block, offset, (uint32_t)(value >> 32));
	put32(block, offset + 4, (uint32_t)value);
}

static inline uint16_t get16(const uint8_t *block, uint32_t offset)
{
	return (uint16_t)(block[offset] << 8 | block[offset + 1]);
}

/* Returns the value of a parent pointer. */
static inline const uint8_t *parent_value(uint64_t ino, uint32_t gen)
{
	static uint8_t value[12];

	put64(value, 0, ino);
	put32(value, 8, gen);
	return value;
}

struct visited {
	unsigned count;
	struct attr_entry entries[64];
};

static inline void remember(void *ctx, const struct attr_entry *entry)
{
	struct visited *v = ctx;

	assert_true(v->count < 64);
	v->entries[v->count++] = *entry;
}

/* Returns the visited attribute of that name, or NULL. */
static inline const struct attr_entry *visited_name(const struct visited *v, const char *name)
{
	for (unsigned i = 0; i < v->count; i++)
		if (v->entries[i].namelen == strlen(name) && memcmp(v->entries[i].name, name, strlen(name)) == 0)
			return &v->entries[i];
	return NULL;
}

#endif
