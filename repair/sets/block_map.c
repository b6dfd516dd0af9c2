/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of blocks of a group: a bit for each. */
#include "block_map.h"

#include <errno.h>
#include <stdlib.h>

int block_map_new(struct block_map *map, uint64_t from, uint64_t to)
{
	*map = (struct block_map){ calloc((to - from) / BLOCK_MAP_WORD + 1, sizeof(*map->bits)), from, to };
	return map->bits ? 0 : -ENOMEM;
}

void block_map_free(struct block_map *map)
{
	free(map->bits);
	*map = (struct block_map){ 0 };
}

/* Bits of one word. */
struct word_mask {
	uint64_t word, mask;
};

/* Takes the first word's part off [*start, *start + *len).  False: none of it is in the map. */
static bool next_word(const struct block_map *map, uint64_t *start, uint64_t *len, struct word_mask *ret)
{
	uint64_t before = *start < map->from ? map->from - *start : 0, bit, count;

	if (before >= *len || *start + before >= map->to)
		return false;
	*start += before;
	*len -= before;
	bit = (*start - map->from) % BLOCK_MAP_WORD;
	count = BLOCK_MAP_WORD - bit;
	if (count > map->to - *start)
		count = map->to - *start;
	if (count > *len)
		count = *len;
	ret->word = (*start - map->from) / BLOCK_MAP_WORD;
	ret->mask = UINT64_MAX >> (BLOCK_MAP_WORD - count) << bit;
	*start += count;
	*len -= count;
	return true;
}

void block_map_set(struct block_map *map, uint64_t start, uint64_t len, bool value)
{
	struct word_mask next;

	while (next_word(map, &start, &len, &next))
		if (value)
			map->bits[next.word] |= next.mask;
		else
			map->bits[next.word] &= ~next.mask;
}

void block_map_mark(const struct block_map *map, uint64_t start, uint64_t len)
{
	struct word_mask next;

	while (next_word(map, &start, &len, &next))
		__atomic_fetch_or(&map->bits[next.word], next.mask, __ATOMIC_RELAXED);
}

void block_map_mark_again(const struct block_map *map, const struct block_map *again, uint64_t start, uint64_t len)
{
	struct word_mask next;

	while (next_word(map, &start, &len, &next)) {
		uint64_t before = __atomic_fetch_or(&map->bits[next.word], next.mask, __ATOMIC_RELAXED) & next.mask;

		if (before)
			__atomic_fetch_or(&again->bits[next.word], before, __ATOMIC_RELAXED);
	}
}

void block_map_unite(struct block_map *map, const struct block_map *other)
{
	for (uint64_t i = 0; i <= (map->to - map->from) / BLOCK_MAP_WORD; i++)
		map->bits[i] |= other->bits[i];
}

void block_map_subtract(struct block_map *map, const struct block_map *other)
{
	for (uint64_t i = 0; i <= (map->to - map->from) / BLOCK_MAP_WORD; i++)
		map->bits[i] &= ~other->bits[i];
}

bool block_map_meets(const struct block_map *map, const struct block_map *other)
{
	for (uint64_t i = 0; i <= (map->to - map->from) / BLOCK_MAP_WORD; i++)
		if (map->bits[i] & other->bits[i])
			return true;
	return false;
}

uint64_t block_map_count(const struct block_map *map)
{
	uint64_t count = 0;

	for (uint64_t i = 0; i <= (map->to - map->from) / BLOCK_MAP_WORD; i++)
		count += (uint64_t)__builtin_popcountll(map->bits[i]);
	return count;
}

bool block_map_get(const struct block_map *map, uint64_t block)
{
	uint64_t at = block - map->from;

	return block >= map->from && block < map->to && map->bits[at / BLOCK_MAP_WORD] >> at % BLOCK_MAP_WORD & 1;
}

uint64_t block_map_next(const struct block_map *map, const struct block_map *other, uint64_t from, bool set)
{
	while (from < map->to) {
		const uint64_t at = from - map->from, word = at / BLOCK_MAP_WORD, bit = at % BLOCK_MAP_WORD;
		const uint64_t either = map->bits[word] | other->bits[word];
		const uint64_t wanted = (set ? either : ~either) >> bit;

		from += wanted ? (uint64_t)__builtin_ctzll(wanted) : BLOCK_MAP_WORD - bit;
		if (wanted)
			break;
	}
	return from < map->to ? from : map->to;
}
