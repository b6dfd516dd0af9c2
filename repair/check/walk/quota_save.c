/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves the state of quota during a check. */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "quota.h"
#include "sets/save.h"

static void save_table(const struct quota_table *table, struct saver *s)
{
	save_number(s, table->count);
	for (size_t i = 0; i < table->room; i++) {
		const struct quota_tally *tally = &table->slots[i];

		if (!tally->taken)
			continue;
		save_number(s, tally->id);
		for (unsigned what = 0; what < QUOTA_COUNTS; what++) {
			save_number(s, tally->used[what]);
			save_number(s, tally->recorded[what]);
		}
	}
}

static void load_table(struct quota_table *table, const struct hash_key *key, struct loader *l)
{
	const size_t count = load_count(l);

	quota_table_free(table);
	for (size_t i = 0; i < count && load_good(l); i++) {
		struct quota_tally *tally = quota_table_get(table, key, (uint32_t)load_at_most(l, UINT32_MAX));

		if (!tally) {
			load_failed(l, -ENOMEM);
			return;
		}
		for (unsigned what = 0; what < QUOTA_COUNTS; what++) {
			tally->used[what] = load_number(l);
			tally->recorded[what] = load_number(l);
		}
	}
}

int quota_save(struct quota *quota, struct saver *s)
{
	const struct quota_lane *sum = &quota->lanes[0];
	size_t names = 0;
	int ret = quota_close(quota);

	for (unsigned type = 0; type < QUOTA_TYPES && !ret; type++) {
		save_table(&sum->ids[type], s);
		save_table(&sum->blocks[type], s);
		save_number(s, sum->gap[type]);
		save_number(s, sum->file[type][0].v + 1);
		save_number(s, sum->file[type][1].v + 1);
	}
	save_number(s, sum->directory.v + 1);
	for (unsigned i = 0; i < quota->nlanes; i++)
		names += quota->lanes[i].nnames;
	save_number(s, names);
	for (unsigned i = 0; i < quota->nlanes; i++) {
		for (size_t n = 0; n < quota->lanes[i].nnames; n++) {
			const struct quota_name *name = &quota->lanes[i].names[n];

			save_number(s, name->directory.v);
			save_number(s, name->target.v);
			save_number(s, name->type);
		}
	}
	return ret;
}

void quota_load(struct quota *quota, struct loader *l)
{
	struct quota_lane *lane = &quota->lanes[0];
	size_t names;

	/* the other lanes are still empty: only inodes and their blocks have facts about quota */
	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		load_table(&lane->ids[type], &quota->key, l);
		load_table(&lane->blocks[type], &quota->key, l);
		lane->gap[type] = load_bool(l);
		lane->file[type][0].v = load_number(l) - 1;
		lane->file[type][1].v = load_number(l) - 1;
	}
	lane->directory.v = load_number(l) - 1;
	names = load_count(l);
	for (size_t n = 0; n < names && load_good(l); n++) {
		const struct quota_name name = { { load_number(l) },
						 { load_number(l) },
						 (enum quota_type)load_at_most(l, QUOTA_TYPES - 1) };

		if (array_add(lane->names, lane->names_room, lane->nnames, name))
			load_failed(l, -ENOMEM);
	}
}
