/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns entries, which list their findings, into entry and cause by finding. */
#include "entries.h"

/* Sets entry and cause of all findings of an entry. */
static void note_entry(const struct entries *e, const struct entry *entry, struct cause *causes)
{
	const size_t parent = entry->parent < e->count ? e->all[entry->parent].first : entry->parent;
	size_t finding = entry->first;

	for (size_t i = 0; i < entry->count; i++) {
		causes[finding] = (struct cause){ entry->first, parent };
		finding = e->next[finding];
	}
}

void causes_find(const struct entries *e, struct cause *ret_causes)
{
	for (size_t i = 0; i < e->nfound; i++)
		ret_causes[i] = (struct cause){ i, NO_ENTRY };
	for (size_t i = 0; i < e->count; i++)
		note_entry(e, &e->all[i], ret_causes);
}
