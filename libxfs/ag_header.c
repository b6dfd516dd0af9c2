/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the common parts of the header sectors of an AG: roots and heights of btrees, counters, and unused bytes
 * (ondisk 02, invariants 3, 4 and 7).  mkfs, growfs and repairs clear the whole sector before they fill it in, and the
 * kernel writes known fields only.
 */
#include "ag_header.h"

#include "be.h"

static uint32_t word_at(const void *sector, uint32_t offset)
{
	be32_t word;

	memcpy(&word, (const uint8_t *)sector + offset, sizeof(word));
	return be32_get(word);
}

bool ag_header_tree(const struct check *c, const void *sector, agno_t agno, const struct ag_header_tree *tree,
		    agbno_t *ret_root, uint32_t *ret_level)
{
	agbno_t root = { word_at(sector, tree->root_offset) };
	uint32_t level = word_at(sector, tree->level_offset);
	uint32_t max_level = c->geo->btree[tree->kind].max_level;
	bool ok = true;

	*ret_root = root;
	*ret_level = level;
	if (!agbno_valid(c->geo, agno, root))
		ok = problem(c, tree->root_finding, tree->root_offset, root.v, 0);
	if (level < 1 || level > max_level) /* not fatal, since the root block also has the level */
		problem(c, tree->level_finding, tree->level_offset, level, max_level);
	return ok;
}

bool ag_header_at_most(const struct check *c, enum finding finding, uint32_t offset, uint64_t got, uint64_t most)
{
	return got <= most || problem(c, finding, offset, got, most);
}

void ag_header_zero(const struct check *c, enum finding finding, const void *sector, uint32_t from, uint32_t to)
{
	const uint8_t *bytes = sector;

	for (uint32_t i = from; i < to; i++)
		if (bytes[i] != 0) {
			problem(c, finding, i, bytes[i], 0);
			return;
		}
}

static void put_word(void *sector, uint32_t offset, uint32_t value)
{
	const be32_t word = be32_put(value);

	memcpy((uint8_t *)sector + offset, &word, sizeof(word));
}

void ag_header_put_tree(void *sector, const struct ag_header_tree *tree, agbno_t root, uint32_t level)
{
	put_word(sector, tree->root_offset, root.v);
	put_word(sector, tree->level_offset, level);
}
