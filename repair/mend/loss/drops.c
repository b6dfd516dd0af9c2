/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of records that menders gave up. */
#include "drops.h"

#include "array.h"

static size_t bytes_of(const struct drops *drops)
{
	return drops->count * sizeof(*drops->all) + drops->name_bytes;
}

void drops_add(struct drops *drops, const struct drop *drop, size_t limit)
{
	uint8_t *name = bytes_of(drops) < limit ? malloc(drop->namelen + 1u) : NULL;

	if (!name || array_grow(&drops->all, &drops->room, drops->count, sizeof(*drops->all))) {
		free(name);
		drops->left_out++;
		return;
	}
	if (drop->namelen)
		memcpy(name, drop->name, drop->namelen);
	drops->name_bytes += drop->namelen;
	drops->all[drops->count] = *drop;
	drops->all[drops->count++].name = name;
}

void drops_free(struct drops *drops)
{
	for (size_t i = 0; i < drops->count; i++)
		free((void *)drops->all[i].name);
	free(drops->all);
	*drops = (struct drops){ 0 };
}
