/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums up usage by id. Consecutive files mostly have the same owner, so usage is added to the last entry or a new one;
 * from time to time entries are sorted, and equal ids merged.
 */
#include "usage.h"

#include "array.h"
#include "sets/sort.h"

#define TIDY_FIRST 4096u

static uint64_t id_of(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct usage_of *)record)->id;
}

static int compare(const void *a, const void *b)
{
	return number_order(id_of(a, NULL), id_of(b, NULL));
}

void usage_table_settle(struct usage_table *table)
{
	const struct number_order order = { .size = sizeof(*table->v), .number = id_of, .compare = compare };
	size_t kept = 0;

	if (table->count)
		number_sort(table->v, table->count, &order);
	for (size_t i = 0; i < table->count; i++) {
		if (kept && table->v[kept - 1].id == table->v[i].id)
			usage_add(&table->v[kept - 1].usage, &table->v[i].usage);
		else
			table->v[kept++] = table->v[i];
	}
	table->count = kept;
}

int usage_table_add(struct usage_table *table, uint32_t id, const struct usage *usage)
{
	if (table->count && table->v[table->count - 1].id == id) {
		usage_add(&table->v[table->count - 1].usage, usage);
		return 0;
	}
	if (table->count >= TIDY_FIRST && table->count >= table->tidy) {
		usage_table_settle(table);
		table->tidy = 2 * table->count;
	}
	return array_add(table->v, table->room, table->count, (struct usage_of){ id, *usage });
}

void usage_table_free(struct usage_table *table)
{
	free(table->v);
}
