/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The huge directory.  Its names have eight characters.  The first three are constant, and the fourth is one of 16 that
 * differ in their low four bits, which become the highest ones of the hash; each of the last four is one of 64, and
 * they become the low 28 bits, xored with a constant.  So all hashes differ, and names can be numbered in hash order.
 * The number in the order of data blocks is another one: a multiple modulo the number of names, so that neighbours in
 * one order are far apart in the other, as in a directory that has grown.
 */
#include <err.h>

#include "disk/dir.h"
#include "group.h"
#include "huge_parts.h"
#include "libxfs/da_build.h"
#include "libxfs/dinode.h"

#define NAME_LEN  8u
#define NAMES_MAX (1ull << 28)
#define ENTRY	  24u			  /* bytes of an entry */
#define FULL	  ((4096u - 64u) / ENTRY) /* entries of a block, ... */
#define FIRST	  (FULL - 2u)		  /* ... and of the first one, which also has `.` and `..` */
#define PREFIX	  "nam"
#define COLUMN	  0x60u /* 16 characters */
#define LETTERS	  0x40u /* 64 characters */

/* ---- names ---- */

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static uint64_t times(uint64_t a, uint64_t b, uint64_t modulo)
{
	return (uint64_t)((unsigned __int128)a * b % modulo);
}

/* The inverse of a modulo n; a and n are coprime. */
static uint64_t inverse(uint64_t a, uint64_t n)
{
	int64_t t = 0, next_t = 1;
	uint64_t r = n, next_r = a % n;

	while (next_r) {
		const uint64_t quotient = r / next_r, rest = r % next_r;
		const int64_t new_t = t - (int64_t)quotient * next_t;

		t = next_t;
		next_t = new_t;
		r = next_r;
		next_r = rest;
	}
	return t < 0 ? (uint64_t)(t + (int64_t)n) : (uint64_t)t;
}

void huge_dir_order(struct huge *huge)
{
	if (!huge->names || huge->names > NAMES_MAX)
		errx(2, "a directory can't have %llu names", (unsigned long long)huge->names);
	huge->step = (uint64_t)((double)huge->names * 0.6180339887) | 1;
	while (gcd(huge->step, huge->names) != 1)
		huge->step += 2;
	huge->step %= huge->names;
	huge->back = inverse(huge->step, huge->names);
}

/* The name with this number in the order of hashes; returns its hash. */
static uint32_t make_name(const struct huge *huge, uint64_t number, uint8_t name[NAME_LEN])
{
	const uint64_t rank = number * (NAMES_MAX / huge->names);
	const uint32_t constant = da_hashname((const uint8_t *)PREFIX "\x60", 4, false) >> 4;

	memcpy(name, PREFIX, 3);
	name[3] = (uint8_t)(COLUMN | rank >> 24);
	for (unsigned i = 0; i < 4; i++) {
		const unsigned shift = 7 * (3 - i);
		const uint32_t flip = constant >> shift & 0x7f;
		const uint32_t digit = rank >> 6 * (3 - i) & 0x3f;

		/* its part of the hash grows with the digit */
		name[4 + i] = (uint8_t)(LETTERS | (digit ^ (flip & 0x3f)));
	}
	return da_hashname(name, NAME_LEN, false);
}

/* ---- where names are ---- */

uint32_t huge_dir_blocks(uint64_t names)
{
	return names <= FIRST ? 1 : (uint32_t)(1 + (names - FIRST + FULL - 1) / FULL);
}

/* The address of the name in this place. */
static uint32_t address_of(uint64_t place)
{
	const uint64_t block = place < FIRST ? 0 : 1 + (place - FIRST) / FULL;
	const uint32_t at = (uint32_t)(place < FIRST ? place * ENTRY + 32 : (place - FIRST) % FULL * ENTRY);

	return (uint32_t)(block * 4096 + 64 + at) / 8;
}

static uint64_t target_of(const struct computed *computed, uint64_t place)
{
	const struct cells *cells = &computed->cells;
	const uint64_t file = place / computed->options.huge_dir;
	const uint64_t cell = file / computed->cell.nnamed, agno = cell / cells->count;
	const uint32_t agbno = cells->base + (uint32_t)(cell % cells->count) * cells->length;
	const fsbno_t fsb = fsbno_of(&computed->geo, (agno_t){ (uint32_t)agno }, (agbno_t){ agbno });

	return (fsb.v << computed->geo.inopb_log) + computed->cell.named[file % computed->cell.nnamed];
}

static struct da_expect place_of(const struct computed *computed, uint32_t agbno, uint64_t dablk)
{
	return (struct da_expect){ { ROOT_INO + HUGE_DIR_SLOT },
				   daddr_of(&computed->geo, (agno_t){ 0 }, (agbno_t){ agbno }),
				   { (uint32_t)dablk },
				   DATA_FORK };
}

/* Number of names in data blocks before this one. */
static uint64_t names_before(const struct huge *huge, uint32_t block)
{
	const uint64_t before = block ? FIRST + (uint64_t)(block - 1) * FULL : 0;

	return before < huge->names ? before : huge->names;
}

void huge_dir_read_data(const struct computed *computed, uint32_t index, uint8_t *block)
{
	const struct huge *huge = &computed->huge;
	const uint64_t from = names_before(huge, index), to = names_before(huge, index + 1);
	const struct da_expect place = place_of(computed, huge->data_at + index, index);
	struct dir_name names[FULL];
	uint8_t bytes[FULL][NAME_LEN];
	size_t count = 0;
	uint16_t best;

	if (!index) {
		names[count++] = (struct dir_name){
			.ino = place.owner, .name = (const uint8_t *)".", .namelen = 1, .ftype = FT_DIR
		};
		names[count++] = (struct dir_name){
			.ino = { ROOT_INO }, .name = (const uint8_t *)"..", .namelen = 2, .ftype = FT_DIR
		};
	}
	for (uint64_t at = from; at < to; at++, count++) {
		make_name(huge, times(at, huge->back, huge->names), bytes[count]);
		names[count] = (struct dir_name){
			.ino = { target_of(computed, at) }, .name = bytes[count], .namelen = NAME_LEN, .ftype = FT_REG
		};
	}
	dir_build_data(&computed->geo, block, &place, names, count, &best);
}

void huge_dir_read_free(const struct computed *computed, uint32_t index, uint8_t *block)
{
	const struct huge *huge = &computed->huge;
	const uint32_t each = (uint32_t)dir_build_free_room(&computed->geo), first = index * each;
	const struct da_expect place = place_of(computed, huge->free_at + index, (DIR_FREE_OFFSET >> 12) + index);
	uint16_t bests[2048];
	uint32_t count = 0;

	for (; count < each && first + count < huge->data; count++) {
		const uint32_t number = first + count;
		const uint64_t names = names_before(huge, number + 1) - names_before(huge, number);

		bests[count] = (uint16_t)(4096 - 64 - names * ENTRY - (number ? 0 : 32));
	}
	dir_build_free(&computed->geo, block, &place, first, (struct dir_bests){ bests, count });
}

/* ---- the index ---- */

/* Entry number i of the index: `.` and `..`, with the lowest hashes, come first. */
static uint32_t index_hash(const struct huge *huge, uint64_t i, uint32_t *ret_address)
{
	uint8_t name[NAME_LEN];

	if (i < 2) {
		*ret_address = (uint32_t)(64 + 16 * i) / 8;
		return i ? da_hashname((const uint8_t *)"..", 2, false) : da_hashname((const uint8_t *)".", 1, false);
	}
	*ret_address = address_of(times(i - 2, huge->step, huge->names));
	return make_name(huge, i - 2, name);
}

/* The first entry of the index below a block; index may be the number of blocks. */
static uint64_t first_entry(const struct huge *huge, uint32_t level, uint64_t index)
{
	for (; level; level--)
		index = (uint64_t)huge->da_width[level - 1] * index / huge->da_width[level];
	return (huge->names + 2) * index / huge->da_width[0];
}

static void read_leaf(const struct computed *computed, const struct da_expect *place, uint32_t index,
		      struct da_siblings siblings, uint8_t *block)
{
	const struct huge *huge = &computed->huge;
	const uint64_t from = first_entry(huge, 0, index), to = first_entry(huge, 0, index + 1);
	struct dir_name names[512];

	for (uint64_t i = from; i < to; i++)
		names[i - from].hash = index_hash(huge, i, &names[i - from].address);
	dir_build_leafn(&computed->geo, block, place, names, to - from, siblings);
}

void huge_dir_read_index(const struct computed *computed, uint32_t index, uint8_t *block)
{
	const struct huge *huge = &computed->huge;
	const uint32_t start = (uint32_t)(DIR_LEAF_OFFSET >> 12);
	const struct da_expect place = place_of(computed, huge->index_at + index, start + index);
	struct da_siblings siblings;
	struct da_child children[512];
	uint32_t level = huge->da_levels - 1, first = 0, self = start + index;
	uint64_t from, to, address;

	for (; index - first >= huge->da_width[level]; level--)
		first += huge->da_width[level];
	index -= first;
	siblings =
		(struct da_siblings){ { index + 1 < huge->da_width[level] ? self + 1 : 0 }, { index ? self - 1 : 0 } };
	if (!level) {
		read_leaf(computed, &place, index, siblings, block);
		return;
	}
	from = (uint64_t)huge->da_width[level - 1] * index / huge->da_width[level];
	to = (uint64_t)huge->da_width[level - 1] * (index + 1) / huge->da_width[level];
	for (uint64_t i = from; i < to; i++) {
		uint32_t ignored;

		address = start + first + huge->da_width[level] + i;
		children[i - from] =
			(struct da_child){ index_hash(huge, first_entry(huge, level - 1, i + 1) - 1, &ignored),
					   { (uint32_t)address } };
	}
	da_build_node(&computed->geo, block, &place, level, (struct da_children){ children, to - from }, siblings);
}
