/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the contents of a cell.  Each twentieth inode is a directory, some inodes are free, and a few are of each
 * rarer kind.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "../number.h"
#include "plan.h"

#define INODES_PER_DIR 20u
#define VALUE_MAX      6000u

uint32_t plan_random(struct plan *plan, uint32_t below)
{
	return (uint32_t)(number_random(&plan->random) >> 32) % below;
}

static bool is_dir(const struct plan *plan, uint32_t index)
{
	return plan->files[index].used && plan->files[index].ftype == FT_DIR;
}

/* The number of names of a directory: most have few, and are in short form; some fill a block; others several. */
static uint32_t dir_room(struct plan *plan, uint32_t number)
{
	if (number == 0)
		return 40;
	if (number == 5) /* it also gets all remaining names */
		return 700;
	if (number % 100 == 20)
		return 250;
	if (number % 15 == 7)
		return 50 + plan_random(plan, 30);
	return 3 + plan_random(plan, 9);
}

static enum ftype random_type(struct plan *plan)
{
	static const enum ftype rare[] = { FT_CHR, FT_BLK, FT_FIFO, FT_SOCK };
	const uint32_t chance = plan_random(plan, 1000);

	return chance < 23 ? FT_SYMLINK : chance < 28 ? rare[chance % 4] : FT_REG;
}

bool plan_is_fragmented(uint32_t index)
{
	return index / 64 % 16 == 9 && index % 64 == 33;
}

/* Chooses the inodes in use, and their types. */
static void choose_types(struct plan *plan)
{
	uint32_t dirs = 0;

	for (uint32_t i = 0; i < CELL_INODES; i++) {
		struct file *file = &plan->files[i];
		const bool dir = i % INODES_PER_DIR == 0;

		/* free ones come in groups, so that some chunks have none */
		file->used = dir || i / 16 % 11 || plan_random(plan, 3);
		if (!file->used)
			continue;
		file->gen = (uint32_t)number_random(&plan->random);
		file->ftype = dir ? FT_DIR : plan_is_fragmented(i) ? FT_REG : random_type(plan);
		file->nlink = 1;
		plan->cell->regular_files += file->ftype == FT_REG;
		if (dir)
			file->room = dir_room(plan, dirs++);
	}
	plan->cell->directories = dirs;
}

/* Adds a name of `index` to a directory. */
static void add_link(struct plan *plan, uint32_t parent, uint32_t index)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-_0123456789.";
	struct file *file = &plan->files[index];
	struct link *link = &file->links[file->nlinks++];
	const uint32_t more = plan_random(plan, 4) ? 2 + plan_random(plan, 6) : plan_random(plan, 18);

	link->parent = parent;
	link->namelen = (uint8_t)sprintf((char *)link->name, "%x%c", index, 'g' + (int)file->nlinks);
	for (uint32_t i = 0; i < more; i++)
		link->name[link->namelen++] = (uint8_t)letters[plan_random(plan, sizeof(letters) - 1)];
	plan->files[parent].room -= plan->files[parent].room > 0;
	plan->files[parent].nlink += file->ftype == FT_DIR;
	plan->cell->names++;
}

/* Puts each directory into an earlier one with room. */
static void link_dirs(struct plan *plan)
{
	for (uint32_t i = INODES_PER_DIR; i < CELL_INODES; i += INODES_PER_DIR) {
		uint32_t parent = 0;

		for (unsigned tries = 0; tries < 8; tries++) {
			parent = plan_random(plan, i / INODES_PER_DIR) * INODES_PER_DIR;
			if (plan->files[parent].room > 1)
				break;
			parent = 0;
		}
		add_link(plan, parent, i);
		plan->files[i].nlink = 2 + (plan->files[i].nlink - 1); /* `.` */
	}
	plan->files[0].nlink++; /* its name in the directory of the group is counted, this is `.` */
}

static uint32_t next_dir(const struct plan *plan, uint32_t dir)
{
	while (dir < CELL_INODES && !plan->files[dir].room)
		dir += INODES_PER_DIR;
	return dir < CELL_INODES ? dir : 5 * INODES_PER_DIR;
}

/* Puts files into directories in order, so that those of one directory are close together. */
static void link_files(struct plan *plan)
{
	uint32_t dir = 0;

	for (uint32_t i = 0; i < CELL_INODES; i++) {
		struct file *file = &plan->files[i];

		if (!file->used || is_dir(plan, i))
			continue;
		dir = next_dir(plan, dir);
		add_link(plan, dir, i);
		if (file->ftype == FT_REG && plan_random(plan, 100) == 0) {
			add_link(plan, next_dir(plan, dir), i);
			file->nlink++;
		}
	}
}

static void add_attrs(struct plan *plan, struct file *file)
{
	static uint8_t value[VALUE_MAX];
	static const char *const names[] = { "colour", "checksum", "comment.of.a.user", "mime_type", "origin" };
	const uint32_t chance = plan_random(plan, 1000);

	memset(value, 'v', sizeof(value));
	if (chance < 50) {
		attrs_add(&file->attrs, 0, (const uint8_t *)"tag", 3, value, 1 + plan_random(plan, 39));
		return;
	}
	if (chance >= 55 || file->ftype != FT_REG)
		return;
	file->attrs.leaf = true;
	for (uint32_t i = 0; i < 5; i++)
		attrs_add(&file->attrs, i == 4 ? ATTR_SECURE : 0, (const uint8_t *)names[i], (uint8_t)strlen(names[i]),
			  value, 60 + plan_random(plan, 180));
	if (chance < 52) {
		attrs_add(&file->attrs, ATTR_ROOT, (const uint8_t *)"large", 5, value, VALUE_MAX);
		file->attrs.value_blocks = 2;
	}
}

static void add_parents(const struct plan *plan, struct file *file)
{
	if (file == plan->files) { /* the name is set when the number is known */
		attrs_add_parent(&file->attrs, (const uint8_t *)"00000000", NUMBER_NAME_LEN, SHIFT_AG_INO);
		file->attrs.numbered = true;
	}
	for (uint32_t i = 0; i < file->nlinks; i++)
		attrs_add_parent(&file->attrs, file->links[i].name, file->links[i].namelen, SHIFT_INO);
}

uint32_t plan_fork_room(const struct plan *plan, const struct file *file)
{
	const bool device = file->ftype != FT_REG && file->ftype != FT_DIR && file->ftype != FT_SYMLINK;

	if (device && file->attrs.count) /* attributes begin right after the number of the device */
		return 8;
	return plan->geo->inode_size - (uint32_t)sizeof(struct dinode_disk) - attrs_fork_size(&file->attrs);
}

static void fill_dirs(struct plan *plan)
{
	for (uint32_t i = 0; i < CELL_INODES; i += INODES_PER_DIR)
		dir_begin(&plan->files[i].dir, SHIFT_INO, i ? SHIFT_INO : SHIFT_AG_INO);
	for (uint32_t i = 0; i < CELL_INODES; i++) {
		const struct file *file = &plan->files[i];

		for (uint32_t j = 0; j < file->nlinks; j++)
			dir_add(&plan->files[file->links[j].parent].dir, file->links[j].name, file->links[j].namelen,
				(uint8_t)file->ftype, i);
	}
	for (uint32_t i = 0; i < CELL_INODES; i += INODES_PER_DIR)
		dir_measure(plan->geo, &plan->files[i].dir, plan_fork_room(plan, &plan->files[i]));
}

void plan_files(struct plan *plan)
{
	plan->files = calloc(CELL_INODES, sizeof(*plan->files));
	if (!plan->files)
		err(2, "a cell");
	choose_types(plan);
	link_dirs(plan);
	link_files(plan);
	for (uint32_t i = 0; i < CELL_INODES; i++) {
		struct file *file = &plan->files[i];

		if (!file->used)
			continue;
		if (plan->options.parent)
			add_parents(plan, file);
		add_attrs(plan, file);
		if (file->ftype == FT_SYMLINK)
			file->target = plan_random(plan, 10) ? 5 + plan_random(plan, 40) : 400 + plan_random(plan, 500);
	}
	fill_dirs(plan);
}
