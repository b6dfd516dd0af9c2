/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Common code of directories and attributes (ondisk 06, 07): the hash of a name, magic numbers, and the two kinds of
 * block headers.  Checks a header against its expected values.  All faults are reported, but only a wrong magic number,
 * or a block written for another place, makes the rest of the block meaningless.
 */
#include "libxfs/v5.h"
#include "da_header.h"

static inline uint32_t rol32(uint32_t v, unsigned bits)
{
	return v << (bits & 31) | v >> (-bits & 31);
}

uint8_t da_fold_case(uint8_t byte)
{
	/* 0xd7 is the multiplication sign */
	bool upper = (byte >= 'A' && byte <= 'Z') || (byte >= 0xc0 && byte <= 0xde && byte != 0xd7);

	return upper ? byte + 0x20 : byte;
}

static uint32_t hash_folded(const uint8_t *name, size_t len)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < len; i++)
		hash = rol32(hash, 7) ^ da_fold_case(name[i]);
	return hash;
}

static inline uint64_t load64(const uint8_t *bytes)
{
	be64_t word;

	memcpy(&word, bytes, sizeof(word));
	return be64_get(word);
}

static inline uint32_t load32(const uint8_t *bytes)
{
	be32_t word;

	memcpy(&word, bytes, sizeof(word));
	return be32_get(word);
}

/* Loads less than eight bytes as one number, without a loop; overlapping loads do no harm. */
static inline uint64_t load_short(const uint8_t *bytes, size_t len)
{
	if (len >= 4)
		return (uint64_t)load32(bytes) << 8 * (len - 4) | load32(bytes + len - 4);
	if (len == 0)
		return 0;
	return (uint32_t)bytes[0] << 8 * (len - 1) | (uint32_t)bytes[len / 2] << 8 * (len - 1 - len / 2) |
	       bytes[len - 1];
}

/* The hash of eight bytes, the first one highest: combines neighbours 7 bits apart, then pairs 14, then fours 28. */
static inline uint32_t hash_word(uint64_t v)
{
	v = (v >> 1 & 0x7f807f807f807f80) ^ (v & 0x00ff00ff00ff00ff);
	v = (v >> 2 & 0x1fffc0001fffc000) ^ (v & 0x00007fff00007fff);
	return rol32((uint32_t)(v >> 32), 28) ^ (uint32_t)v;
}

uint32_t da_hashname(const uint8_t *name, size_t len, bool fold)
{
	size_t rest = len % sizeof(uint64_t), at = 0;
	uint64_t last;
	uint32_t hash = 0;

	if (fold)
		return hash_folded(name, len);
	/* eight steps of the recurrence at once, which rotate the old hash by 56 */
	for (; at + sizeof(uint64_t) <= len; at += sizeof(uint64_t))
		hash = rol32(hash, 56) ^ hash_word(load64(name + at));
	if (!rest)
		return hash;
	/* zero bytes add nothing */
	last = at ? load64(name + len - sizeof(uint64_t)) & ((1ull << 8 * rest) - 1) : load_short(name, rest);
	return rol32(hash, 7 * (unsigned)rest) ^ hash_word(last);
}

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

/* The bytes, of 16, that no name may have. */
static inline bytes16 bad_bytes(bytes16 bytes)
{
	return (bytes16)(bytes == 0) | (bytes16)(bytes == '/');
}

/* True if any of len >= 8 bytes is bad.  Tests 16 at a time; the last 16 may overlap those before. */
static inline bool any_bad_byte(const uint8_t *name, size_t len)
{
	bytes16 bytes, bad = { 0 };
	words2 halves;

	if (len < sizeof(bytes)) {
		halves = (words2){ load64(name), load64(name + len - sizeof(uint64_t)) };
		bad = bad_bytes((bytes16)halves);
	} else {
		for (size_t i = 0; i + sizeof(bytes) <= len; i += sizeof(bytes)) {
			memcpy(&bytes, name + i, sizeof(bytes));
			bad |= bad_bytes(bytes);
		}
		memcpy(&bytes, name + len - sizeof(bytes), sizeof(bytes));
		bad |= bad_bytes(bytes);
	}
	halves = (words2)bad;
	return halves[0] | halves[1];
}

size_t da_name_bad_byte(const uint8_t *name, size_t len)
{
	size_t i = 0;

	if (len >= sizeof(uint64_t) && !any_bad_byte(name, len))
		return len;
	while (i < len && name[i] != 0 && name[i] != '/')
		i++;
	return i;
}

void da_name_make_possible(uint8_t *name, size_t len)
{
	for (size_t i = da_name_bad_byte(name, len); i < len; i += da_name_bad_byte(name + i, len - i))
		name[i] = '_';
	if ((len == 1 && name[0] == '.') || (len == 2 && name[0] == '.' && name[1] == '.'))
		name[0] = '_';
}

bool da_name_restore(uint8_t *name, size_t len, uint32_t hash)
{
	const size_t at = da_name_bad_byte(name, len);
	/* the byte was xored into the hash, which was then rotated by 7 for each byte after it */
	const uint32_t differs =
		at < len ? rol32(hash ^ da_hashname(name, len, false), -7u * (unsigned)((len - 1 - at) % 32)) : 0;

	if (at == len || da_name_bad_byte(name + at + 1, len - at - 1) < len - at - 1 || differs > UINT8_MAX)
		return false;
	name[at] ^= (uint8_t)differs;
	if (da_name_bad_byte(name + at, 1) == 1)
		return true;
	name[at] ^= (uint8_t)differs;
	return false;
}

bool da_names_equal(const uint8_t *a, const uint8_t *b, size_t len, bool fold)
{
	if (!fold)
		return memcmp(a, b, len) == 0;
	for (size_t i = 0; i < len; i++)
		if (da_fold_case(a[i]) != da_fold_case(b[i]))
			return false;
	return true;
}

uint32_t da_hash_pptr(const uint8_t *name, size_t len, bool fold, xino_t parent)
{
	return da_hashname(name, len, fold) ^ (uint32_t)(parent.v >> 32) ^ (uint32_t)parent.v;
}

/* Magic numbers in version 4 and 5; 0: no such block, or no header. */
static const struct {
	uint32_t v4, v5;
	bool first; /* 32 bits at the start of the block; else 16 bits after the siblings */
} magics[] = {
	[DA_NODE] = { DA_MAGIC_NODE_V4, DA_MAGIC_NODE, false },
	[DA_DIR_LEAF1] = { DA_MAGIC_DIR_LEAF1_V4, DA_MAGIC_DIR_LEAF1, false },
	[DA_DIR_LEAFN] = { DA_MAGIC_DIR_LEAFN_V4, DA_MAGIC_DIR_LEAFN, false },
	[DA_ATTR_LEAF] = { DA_MAGIC_ATTR_LEAF_V4, DA_MAGIC_ATTR_LEAF, false },
	[DA_ATTR_REMOTE] = { 0, DA_MAGIC_ATTR_VALUE, true },
	[DA_DIR_BLOCK] = { DIR_MAGIC_BLOCK_V4, DIR_MAGIC_BLOCK, true },
	[DA_DIR_DATA] = { DIR_MAGIC_DATA_V4, DIR_MAGIC_DATA, true },
	[DA_DIR_FREE] = { DIR_MAGIC_FREE_V4, DIR_MAGIC_FREE, true },
};

#define MAGICS (sizeof(magics) / sizeof(magics[0]))

uint32_t da_magic_of(const struct geometry *g, enum da_magic kind)
{
	return g->crc ? magics[kind].v5 : magics[kind].v4;
}

static enum da_magic find_magic(const struct geometry *g, uint32_t magic, bool first)
{
	for (enum da_magic kind = DA_NODE; kind < MAGICS; kind++)
		if (magics[kind].first == first && magic != 0 && da_magic_of(g, kind) == magic)
			return kind;
	return DA_UNKNOWN;
}

enum da_magic da_identify(const struct check *c, const void *block, size_t len)
{
	const struct dir_blkhdr_disk *dir = block;
	const struct da_blkinfo_disk *info = block;
	enum da_magic kind;

	if (len < DA_HEADER_SIZE)
		return DA_UNKNOWN;
	/* first the magics at the start of the block, where others have a sibling pointer, which is never that large */
	kind = find_magic(c->geo, be32_get(dir->magic), true);
	return kind != DA_UNKNOWN ? kind : find_magic(c->geo, be16_get(info->magic), false);
}

/* Block of the root of the tree. */
static uint64_t root_dablk(const struct geometry *g, const struct da_expect *expect)
{
	return expect->fork == ATTR_FORK ? 0 : DIR_LEAF_OFFSET >> g->block_log;
}

bool da_dablk_possible(const struct geometry *g, const struct da_expect *expect, dablk_t dablk)
{
	uint64_t root = root_dablk(g, expect);

	/* no pointer leads to the root, or to the block itself */
	if (dablk.v == root || dablk.v == expect->dablk.v)
		return false;
	if (expect->fork == ATTR_FORK)
		return true;
	return dablk.v > root && dablk.v < DIR_FREE_OFFSET >> g->block_log &&
	       ((dablk.v - root) & ((1u << g->dirblk_log) - 1)) == 0;
}

static void check_sibling(const struct check *c, const struct da_expect *expect, enum finding finding, size_t offset,
			  dablk_t sibling)
{
	if (sibling.v == 0)
		return;
	if (expect->dablk.v == root_dablk(c->geo, expect) || !da_dablk_possible(c->geo, expect, sibling))
		problem(c, finding, (uint32_t)offset, sibling.v, 0);
}

bool da_header_check(const struct check *c, const void *block, size_t len, const struct da_expect *expect,
		     enum da_magic kind, struct da_siblings *ret_siblings)
{
	static const struct v5_header header = V5_HEADER(da_blkinfo_disk, );
	const struct da_blkinfo_disk *info = block;

	if (!check_eq(c, F_BLOCK_MAGIC, offsetof(struct da_blkinfo_disk, magic), be16_get(info->magic),
		      da_magic_of(c->geo, kind)))
		return false;
	if (c->geo->crc && !v5_check_header(c, block, len, &header, expect->daddr, expect->owner.v))
		return false;

	ret_siblings->forw.v = be32_get(info->forw);
	ret_siblings->back.v = be32_get(info->back);
	check_sibling(c, expect, F_DA_FORW, offsetof(struct da_blkinfo_disk, forw), ret_siblings->forw);
	check_sibling(c, expect, F_DA_BACK, offsetof(struct da_blkinfo_disk, back), ret_siblings->back);
	return true;
}

bool dir_header_check(const struct check *c, const void *block, const struct da_expect *expect, enum da_magic kind)
{
	static const struct v5_header header = V5_HEADER(dir_blkhdr_disk, );
	const struct dir_blkhdr_disk *hdr = block;

	return check_eq(c, F_BLOCK_MAGIC, offsetof(struct dir_blkhdr_disk, magic), be32_get(hdr->magic),
			da_magic_of(c->geo, kind)) &&
	       (!c->geo->crc ||
		v5_check_header(c, block, c->geo->dir_block_size, &header, expect->daddr, expect->owner.v));
}

void dir_ignore_entry(void *ctx, const struct dir_entry *entry)
{
	(void)ctx;
	(void)entry;
}

void da_ignore_node(void *ctx, dablk_t before, uint32_t hash)
{
	(void)ctx;
	(void)before;
	(void)hash;
}

void dir_ignore_leaf(void *ctx, uint32_t hash, uint32_t address)
{
	(void)ctx;
	(void)hash;
	(void)address;
}

void attr_ignore(void *ctx, const struct attr_entry *entry)
{
	(void)ctx;
	(void)entry;
}
