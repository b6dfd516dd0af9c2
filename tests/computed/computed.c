/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "computed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "disk/inode.h"
#include "disk/sb.h"
#include "group.h"
#include "huge.h"

/* ---- options ---- */

static bool parse_number(const char *text, const char *name, uint64_t *ret_number)
{
	const size_t len = strlen(name);
	char *end;

	if (strncmp(text, name, len) != 0 || text[len] != '=')
		return false;
	*ret_number = strtoull(text + len + 1, &end, 0);
	return end != text + len + 1 && !*end;
}

static bool parse_one(const char *word, struct computed_options *o)
{
	uint64_t groups;

	if (parse_number(word, "groups", &groups)) {
		o->groups = (uint32_t)groups;
		return groups >= 2 && groups <= 100000;
	}
	if (!strcmp(word, "parent"))
		return o->parent = true;
	if (!strcmp(word, "damaged"))
		return o->damaged = true;
	if (parse_number(word, "huge_file", &o->huge_file) || parse_number(word, "huge_dir", &o->huge_dir) ||
	    parse_number(word, "shared", &o->shared))
		return o->huge_file <= HUGE_FILE_MAX && o->huge_dir <= HUGE_DIR_MAX && o->shared <= SHARED_MAX;
	return parse_number(word, "inodes", &o->inodes) || parse_number(word, "seed", &o->seed) ||
	       parse_number(word, "group_size", &o->group_size) || parse_number(word, "wrong_links", &o->wrong_links);
}

bool computed_parse(const char *text, struct computed_options *ret_options, char *message, size_t size)
{
	char *copy = strdup(text), *rest;
	bool right = copy;

	*ret_options = (struct computed_options){ .inodes = 100000, .groups = 4, .seed = 1 };
	for (char *word = right ? strtok_r(copy, ",", &rest) : NULL; word; word = strtok_r(NULL, ",", &rest)) {
		if (parse_one(word, ret_options))
			continue;
		snprintf(message, size, "\"%s\" is no option of a computed file system", word);
		right = false;
		break;
	}
	free(copy);
	if (right && ret_options->parent && ret_options->huge_dir) {
		snprintf(message, size, "a huge directory can't be had with parent pointers");
		right = false;
	}
	return right;
}

/* ---- the file system ---- */

struct computed *computed_create(const struct computed_options *options, char *message, size_t size)
{
	struct computed *computed = calloc(1, sizeof(*computed));
	const struct cell_options cell = {
		.seed = options->seed,
		.parent = options->parent,
		.group_dir = ROOT_INO + GROUP_DIR_SLOT,
		.group_gen = GROUP_GEN,
		.huge_file = ROOT_INO + HUGE_FILE_SLOT,
		.huge_extents = (uint32_t)options->huge_file,
		.more_names = (uint32_t)options->huge_dir,
		.shared = (uint32_t)options->shared,
	};

	if (!computed) {
		snprintf(message, size, "no memory");
		return NULL;
	}
	computed->options = *options;
	headers_superblock(computed, (1u << 28) - 1); /* for everything that does not depend on the size of groups */
	cell_create(&computed->geo, &cell, &computed->cell);
	if (!group_plan(computed, message, size)) {
		computed_destroy(computed);
		return NULL;
	}
	headers_superblock(computed, computed->geo.agblocks); /* now the counters are known */
	group_write(computed);
	return computed;
}

void computed_destroy(struct computed *computed)
{
	group_free(computed);
	cell_destroy(&computed->cell);
	free(computed);
}

uint64_t computed_bytes(const struct computed *computed)
{
	return computed->geo.dblocks << computed->geo.block_log;
}

/* True if files of a cell of group 1 have wrong link counts. */
static bool in_wrong_cell(const struct computed *computed, uint32_t number)
{
	return (uint64_t)number * CELL_INODES < computed->options.wrong_links;
}

struct computed_facts computed_facts(const struct computed *computed)
{
	const uint64_t groups = computed->options.groups, cells = groups * computed->cells.count;
	struct computed_facts facts = {
		.inodes = cells * (CELL_INODES - computed->cell.inodes_free) + groups + 1 +
			  !!computed->options.huge_dir + !!computed->options.huge_file,
		.directories = cells * computed->cell.directories + groups + 1 + !!computed->options.huge_dir,
		.names = cells * (computed->cell.names + 1) + groups + huge_names(computed) +
			 !!computed->options.huge_dir + !!computed->options.huge_file,
		.blocks = computed->geo.dblocks,
		.metadata = cells * computed->cell.metadata,
	};

	for (uint32_t i = 0; i < groups; i++) {
		facts.metadata += group_of(computed, (agno_t){ i })->end - FREELIST_BLOCKS;
		facts.wrong += computed->options.damaged && i % 10 == 1 ? 3 : 0;
	}
	for (uint32_t i = 0; i < computed->cells.count && in_wrong_cell(computed, i); i++)
		facts.wrong += computed->cell.regular_files;
	return facts;
}

/* ---- blocks ---- */

/* Damages this cell: a name, and a link count. */
static void damage(const struct computed *computed, const struct pattern_place *place, uint32_t block, uint8_t *bytes)
{
	const struct cell_victims *victims = &computed->cell.victims;
	const struct geometry *g = &computed->geo;
	struct dinode_disk *core = (void *)(bytes + victims->file % g->inodes_per_block * g->inode_size);

	if (!computed->options.damaged || place->agno.v % 10 != 1 || place->number != computed->cells.count / 2)
		return;
	if (block == victims->dir_block)
		bytes[130] ^= 1; /* of a name */
	if (block == victims->file >> g->inopb_log)
		core->nlink = be32_put(2);
}

/* Gives that many inodes of group 1 a wrong link count. */
static void wrong_links(const struct computed *computed, const struct pattern_place *place, uint32_t block,
			uint8_t *bytes)
{
	const struct geometry *g = &computed->geo;

	if (place->agno.v != 1 || computed->cell.narrow.blocks[block].crc != CRC_OF_INODES)
		return;
	for (uint32_t i = 0; i < g->inodes_per_block; i++) {
		struct dinode_disk *core = (void *)(bytes + i * g->inode_size);

		if (core->mode.b[0] >> 4 == MODE_REG >> 12)
			core->nlink = be32_put(be32_get(core->nlink) + 5);
	}
}

static void read_cell(const struct computed *computed, agno_t agno, uint32_t agbno, uint8_t *bytes)
{
	const struct cells *cells = &computed->cells;
	const uint32_t number = (agbno - cells->base) / cells->length, block = (agbno - cells->base) % cells->length;
	const struct pattern_place place = { agno, { agbno - block }, number };
	const bool wide = ino_of(&computed->geo, agno, (agino_t){ 0 }).v > UINT32_MAX;
	const struct pattern *pattern = wide ? &computed->cell.wide : &computed->cell.narrow;

	if (!pattern->blocks[block].bytes) {
		memset(bytes, 0, computed->geo.block_size);
		return;
	}
	pattern_copy(pattern, &place, block, bytes);
	damage(computed, &place, block, bytes);
	if (in_wrong_cell(computed, number))
		wrong_links(computed, &place, block, bytes);
	pattern_seal(pattern, block, bytes);
}

/* Reads a block between the headers and the cells. */
static void read_fixed(const struct computed *computed, agno_t agno, uint32_t agbno, uint8_t *bytes)
{
	const struct group_kind *kind = group_of(computed, agno);
	const struct pattern *pattern = &computed->fixed[agno.v == 0];
	const struct pattern_place place = { agno, { 0 }, agno.v };

	for (enum btree_kind tree = 0; tree < BT_AG_NR; tree++) {
		const uint32_t index = agbno - kind->trees[tree].base;

		if (agbno >= kind->trees[tree].base && index < kind->trees[tree].shape.blocks) {
			tree_read(computed, agno, tree, index, bytes);
			return;
		}
	}
	if (agno.v == 0 && huge_read(computed, agbno, bytes))
		return;
	if (agbno >= pattern->length || !pattern->blocks[agbno].bytes) {
		memset(bytes, 0, computed->geo.block_size);
		return;
	}
	pattern_copy(pattern, &place, agbno, bytes);
	pattern_seal(pattern, agbno, bytes);
}

static void read_block(const struct computed *computed, uint64_t block, uint8_t *bytes)
{
	const agno_t agno = { (uint32_t)(block / computed->geo.agblocks) };
	const uint32_t agbno = (uint32_t)(block % computed->geo.agblocks);
	const struct cells *cells = &computed->cells;

	if (agbno == 0)
		headers_read(computed, agno, bytes);
	else if (agbno < cells->base)
		read_fixed(computed, agno, agbno, bytes);
	else if (agbno - cells->base < (uint64_t)cells->length * cells->count)
		read_cell(computed, agno, agbno, bytes);
	else if (agno.v == computed->options.groups / 2 && agbno >= computed->geo.agblocks - LOG_BLOCKS)
		headers_read_log(computed, agbno - (computed->geo.agblocks - LOG_BLOCKS), bytes);
	else
		memset(bytes, 0, computed->geo.block_size);
}

void computed_read(const struct computed *computed, void *buf, uint64_t offset, size_t len)
{
	const uint32_t block_size = computed->geo.block_size;
	uint8_t part[SB_MAX_BLOCK], *to = buf;

	while (len) {
		const uint32_t skip = (uint32_t)(offset % block_size);
		const size_t n = len < block_size - skip ? len : block_size - skip;

		if (n == block_size) {
			read_block(computed, offset / block_size, to);
		} else {
			read_block(computed, offset / block_size, part);
			memcpy(to, part + skip, n);
		}
		to += n;
		offset += n;
		len -= n;
	}
}

/* ---- places of metadata ---- */

/* The next metadata block from `agbno` on; agblocks: none in the group. */
static uint32_t next_agbno(const struct computed *computed, agno_t agno, uint32_t agbno)
{
	const struct cells *cells = &computed->cells;
	const struct group_kind *kind = group_of(computed, agno);
	const uint32_t agblocks = computed->geo.agblocks;

	if (agbno == 0)
		return 0;
	if (agbno < CHUNK_AGBNO)
		return CHUNK_AGBNO;
	if (agbno < kind->end)
		return agbno;
	if (agbno < cells->base)
		agbno = cells->base;
	if ((agbno - cells->base) / cells->length < cells->count) {
		const uint32_t block = (agbno - cells->base) % cells->length;

		agbno += computed->cell.next[block] - block; /* a cell begins with metadata */
	}
	if ((agbno - cells->base) / cells->length < cells->count)
		return agbno;
	if (agno.v == computed->options.groups / 2 && agbno <= agblocks - LOG_BLOCKS)
		return agblocks - LOG_BLOCKS;
	return agblocks;
}

uint64_t computed_next(const struct computed *computed, uint64_t offset)
{
	const struct geometry *g = &computed->geo;
	const uint64_t block = offset >> g->block_log;
	const agno_t agno = { (uint32_t)(block / g->agblocks) };

	if (agno.v >= g->agcount)
		return computed_bytes(computed);
	return ((uint64_t)agno.v * g->agblocks + next_agbno(computed, agno, (uint32_t)(block % g->agblocks)))
	       << g->block_log;
}
