/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a cell: its inodes and all their blocks. */
#include <err.h>
#include <stdlib.h>

#include "disk/btree.h"
#include "disk/symlink.h"
#include "libxfs/bmap_build.h"
#include "libxfs/crc.h"
#include "libxfs/dinode_mend.h"
#include "plan.h"

#define BMBT_LEAVES_MAX 18u
#define YEAR_2026	1790000000ull /* seconds since 1970 */

/* The place of an inode. */
struct spot {
	struct pattern *pattern;
	uint32_t block;
	size_t at;
};

static struct dinode_disk *core_at(const struct spot *spot)
{
	return (void *)(spot->pattern->blocks[spot->block].bytes + spot->at);
}

static void put_target(uint8_t *to, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		to[i] = i % 9 ? 'a' + (uint8_t)(i % 23) : '/';
}

static void put_link(const struct plan *plan, const struct spot *spot, uint32_t index)
{
	const struct file *file = &plan->files[index];
	struct dinode_disk *core = core_at(spot);
	const uint32_t block = file->extents ? (uint32_t)file->map->start.v : 0;
	struct symlink_disk *header;

	if (!file->extents) {
		core->format = DINODE_FMT_LOCAL;
		put_target((uint8_t *)(core + 1), file->target);
		return;
	}
	header = (void *)pattern_bytes(spot->pattern, block, offsetof(struct symlink_disk, crc));
	header->magic = be32_put(SYMLINK_MAGIC);
	header->bytes = be32_put(file->target);
	memcpy(header->uuid, plan->geo->meta_uuid, sizeof(header->uuid));
	header->owner = be64_put(plan_ino(plan, index));
	header->blkno = be64_put((uint64_t)block << (plan->geo->block_log - SECTOR_LOG));
	put_target((uint8_t *)(header + 1), file->target);
	pattern_shift(spot->pattern, block, offsetof(struct symlink_disk, owner), SHIFT_INO);
	pattern_shift(spot->pattern, block, offsetof(struct symlink_disk, blkno), SHIFT_DADDR);
}

static void shift_extents(struct pattern *pattern, uint32_t block, size_t at, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		pattern_shift(pattern, block,
			      at + i * sizeof(struct bmbt_rec_disk) + offsetof(struct bmbt_rec_disk, l1), SHIFT_EXTENT);
}

static void put_bmbt_leaf(const struct plan *plan, struct pattern *pattern, const struct file *file, uint32_t i,
			  uint64_t owner)
{
	const struct geometry *g = plan->geo;
	const uint32_t from = file->extents * i / file->bmbt_leaves, to = file->extents * (i + 1) / file->bmbt_leaves;
	const uint32_t block = file->bmbt_at + i;
	const struct bmbt_place place = { { owner },
					  { block },
					  { i ? block - 1 : NULL_FSBNO },
					  { i + 1 < file->bmbt_leaves ? block + 1 : NULL_FSBNO } };

	bmbt_build_leaf(g, pattern_bytes(pattern, block, offsetof(struct btree_long_disk, crc)), &place,
			file->map + from, to - from);
	pattern_shift(pattern, block, offsetof(struct btree_long_disk, blkno), SHIFT_DADDR);
	pattern_shift(pattern, block, offsetof(struct btree_long_disk, owner), SHIFT_INO);
	if (i)
		pattern_shift(pattern, block, offsetof(struct btree_long_disk, leftsib), SHIFT_FSB);
	if (i + 1 < file->bmbt_leaves)
		pattern_shift(pattern, block, offsetof(struct btree_long_disk, rightsib), SHIFT_FSB);
	shift_extents(pattern, block, sizeof(struct btree_long_disk), to - from);
}

static void put_bmbt(const struct plan *plan, const struct spot *spot, uint32_t index)
{
	const struct file *file = &plan->files[index];
	const uint32_t room = plan_fork_room(plan, file);
	struct bmbt_child children[BMBT_LEAVES_MAX];
	size_t at = spot->at + sizeof(struct dinode_disk) + sizeof(struct bmdr_disk) +
		    bmbt_root_room(room) * sizeof(struct bmbt_key_disk);

	if (file->bmbt_leaves > BMBT_LEAVES_MAX || file->bmbt_leaves > bmbt_root_room(room))
		errx(2, "a file of a cell has too many extents");
	for (uint32_t i = 0; i < file->bmbt_leaves; i++) {
		put_bmbt_leaf(plan, spot->pattern, file, i, plan_ino(plan, index));
		children[i] = (struct bmbt_child){ file->map[file->extents * i / file->bmbt_leaves].off,
						   { file->bmbt_at + i } };
		pattern_shift(spot->pattern, spot->block, at + i * sizeof(be64_t), SHIFT_FSB);
	}
	core_at(spot)->format = DINODE_FMT_BTREE;
	bmbt_build_root((uint8_t *)(core_at(spot) + 1), room, 1, children, file->bmbt_leaves);
}

static void put_data_fork(const struct plan *plan, const struct spot *spot, uint32_t index, bool wide)
{
	struct file *file = &plan->files[index];
	struct bmbt_rec_disk *records = (void *)(core_at(spot) + 1);

	if (file->bmbt_leaves) {
		put_bmbt(plan, spot, index);
	} else if (file->extents) {
		for (uint32_t i = 0; i < file->extents; i++)
			records[i] = bmap_record_put(&file->map[i]);
		shift_extents(spot->pattern, spot->block, spot->at + sizeof(struct dinode_disk), file->extents);
	}
	if (file->ftype == FT_SYMLINK)
		put_link(plan, spot, index);
	if (file->ftype != FT_DIR)
		return;
	if (file->dir.form == DIR_SHORT) {
		core_at(spot)->format = DINODE_FMT_LOCAL;
		dir_put_short(spot->pattern, spot->block, spot->at + sizeof(struct dinode_disk),
			      plan_fork_room(plan, file), &file->dir, wide);
	} else {
		dir_put_blocks(spot->pattern, &file->dir, plan_ino(plan, index));
	}
	file->size = file->dir.size;
}

static void put_attr_fork(const struct plan *plan, const struct spot *spot, uint32_t index)
{
	const struct file *file = &plan->files[index];
	const uint32_t room = plan_fork_room(plan, file);
	struct dinode_disk *core = core_at(spot);
	struct bmap_record records[2];

	if (!file->attrs.count)
		return;
	core->forkoff = (uint8_t)(room / 8);
	core->aformat = file->attrs.leaf ? DINODE_FMT_EXTENTS : DINODE_FMT_LOCAL;
	core->nextents = be32_put(attrs_extents(&file->attrs, records));
	attrs_put_fork(spot->pattern, spot->block, spot->at + sizeof(*core) + room, &file->attrs);
	attrs_put_blocks(spot->pattern, &file->attrs, plan_ino(plan, index));
}

static void put_core(const struct plan *plan, const struct spot *spot, uint32_t index)
{
	const struct file *file = &plan->files[index];
	struct dinode_disk *core = core_at(spot);
	uint64_t blocks = file->bmbt_leaves + (file->attrs.leaf ? 1 + file->attrs.value_blocks : 0);
	const uint64_t seconds = YEAR_2026 + index;

	for (uint32_t i = 0; i < file->extents; i++)
		blocks += file->map[i].len;
	core->mode = be16_put((uint16_t)((be16_get(core->mode) & MODE_TYPE) | (file->ftype == FT_DIR ? 0755 : 0644)));
	core->nlink = be32_put(file->nlink);
	core->uid = core->gid = be32_put(1000 + index % 7);
	core->size = be64_put(file->size);
	core->nblocks = be64_put(blocks);
	core->large_nextents = be64_put(file->extents);
	core->crtime = be64_put((seconds + (1ull << 31)) * NSEC_PER_SEC);
	for (unsigned i = 0; i < 3; i++)
		core->times[i] = core->crtime;
	if (file->shares)
		core->flags2 = be64_put(be64_get(core->flags2) | DIFLAG2_REFLINK);
}

static void set_numbers(struct plan *plan, uint32_t index)
{
	struct file *file = &plan->files[index];
	const bool numbered = file->attrs.numbered;

	if (plan->options.parent) {
		if (numbered)
			attrs_set_parent(&file->attrs, 0, plan->options.group_dir, plan->options.group_gen);
		for (uint32_t i = 0; i < file->nlinks; i++)
			attrs_set_parent(&file->attrs, i + numbered, plan_ino(plan, file->links[i].parent),
					 plan->files[file->links[i].parent].gen);
	}
	if (file->ftype != FT_DIR)
		return;
	file->dir.names[0].ino.v = plan_ino(plan, index);
	file->dir.names[1].ino.v = index ? plan_ino(plan, file->links[0].parent) : plan->options.group_dir;
}

/* Replaces the indices of inodes in names by inode numbers. */
static void set_names(struct plan *plan)
{
	for (uint32_t i = 0; i < CELL_INODES; i++) {
		struct dir *dir = &plan->files[i].dir;

		for (size_t j = 2; j < dir->count; j++)
			dir->names[j].ino.v = plan_ino(plan, (uint32_t)dir->names[j].ino.v);
		if (plan->files[i].used)
			set_numbers(plan, i);
	}
}

void plan_write(struct plan *plan, struct pattern *pattern, bool wide)
{
	const struct geometry *g = plan->geo;

	if (!wide)
		set_names(plan);
	for (uint32_t i = 0; i < CELL_INODES; i++) {
		const struct file *file = &plan->files[i];
		const struct spot spot = { pattern, plan->chunks[i / 64] + i % 64 / g->inodes_per_block,
					   (i % g->inodes_per_block) * g->inode_size };
		uint8_t *bytes = pattern_bytes(pattern, spot.block, CRC_OF_INODES) + spot.at;
		const xino_t ino = { plan_ino(plan, i) };

		pattern_shift(pattern, spot.block, spot.at + offsetof(struct dinode_disk, ino), SHIFT_INO);
		if (!file->used) {
			dinode_make_free(g, bytes, ino, i);
			continue;
		}
		dinode_make_empty(g, bytes, ino, file->gen, file->ftype);
		put_data_fork(plan, &spot, i, wide);
		put_attr_fork(plan, &spot, i);
		put_core(plan, &spot, i);
	}
}
