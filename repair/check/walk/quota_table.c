/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table with open addressing.  The hash is keyed, so that no choice of ids can make it slow. */
#include "quota_table.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 16u

/* Returns the slot that holds an id, or the free one for it; the table is never full. */
static size_t slot_of_id(const struct quota_table *table, const struct hash_key *key, uint32_t id)
{
	size_t i = hash2(key, id, 0) & (table->room - 1);

	while (table->slots[i].taken && table->slots[i].id != id)
		i = (i + 1) & (table->room - 1);
	return i;
}

static int grow(struct quota_table *table, const struct hash_key *key)
{
	struct quota_table bigger = { .room = table->room ? table->room * 2 : FIRST_ROOM, .count = table->count };

	bigger.slots = calloc(bigger.room, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (size_t i = 0; i < table->room; i++)
		if (table->slots[i].taken)
			bigger.slots[slot_of_id(&bigger, key, table->slots[i].id)] = table->slots[i];
	free(table->slots);
	*table = bigger;
	return 0;
}

struct quota_tally *quota_table_get(struct quota_table *table, const struct hash_key *key, uint32_t id)
{
	struct quota_tally *tally;

	if (table->room && table->slots[table->last].taken && table->slots[table->last].id == id)
		return &table->slots[table->last];
	if (table->count + 1 > table->room / 4 * 3 && grow(table, key))
		return NULL;
	table->last = slot_of_id(table, key, id);
	tally = &table->slots[table->last];
	table->count += !tally->taken;
	tally->taken = true;
	tally->id = id;
	return tally;
}

const struct quota_tally *quota_table_find(const struct quota_table *table, const struct hash_key *key, uint32_t id)
{
	const struct quota_tally *tally = table->room ? &table->slots[slot_of_id(table, key, id)] : NULL;

	return tally && tally->taken ? tally : NULL;
}

int quota_table_merge(struct quota_table *into, const struct quota_table *from, const struct hash_key *key)
{
	for (size_t i = 0; i < from->room; i++) {
		const struct quota_tally *tally = &from->slots[i];
		struct quota_tally *sum = tally->taken ? quota_table_get(into, key, tally->id) : NULL;

		if (!tally->taken)
			continue;
		if (!sum)
			return -ENOMEM;
		for (unsigned what = 0; what < QUOTA_COUNTS; what++) {
			sum->used[what] += tally->used[what];
			sum->recorded[what] += tally->recorded[what];
		}
	}
	return 0;
}

void quota_table_free(struct quota_table *table)
{
	free(table->slots);
	*table = (struct quota_table){ 0 };
}
