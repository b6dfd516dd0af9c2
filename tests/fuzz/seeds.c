/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seeds DIR IMAGE...: writes inputs for the fuzz targets from the blocks of sound images, to DIR/<target>.  seeds DIR
 * log IMAGE...: writes those for the targets about transactions, from images with dirty logs.  Of each type of object
 * in an image, it takes the smallest, the largest, and some between.  Byte 0 is the variant of fuzz.h that matches the
 * file system (images without one are skipped), byte 1 the byte of fuzz_<target>.c, byte 2 the place of the removed
 * zeroes.
 */
#define _GNU_SOURCE 1

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../mutate/objects.h"
#include "disk/inode.h"
#include "disk/log.h"
#include "disk/sb.h"
#include "fuzz.h"
#include "seeds_log.h"

#define UNIT	  64u /* unit of byte 2 */
#define HEAD_MAX  (255u * UNIT)
#define INPUT_MAX 4400u /* of an input: keeps the corpus small */
#define SAMPLES	  3	/* of each type */

struct source {
	const char *dir;
	struct image image;
	struct targets targets;
	uint8_t variant; /* of fuzz.h */
};

/* The target for each type of object, and the value of byte 1. */
struct recipe {
	const char *type; /* a suffix of -v4 is ignored */
	const char *target;
	uint8_t expect;
};

static const struct recipe recipes[] = {
	{ "superblock", "fuzz_sb", 0 },
	{ "agf", "fuzz_agf", 0 },
	{ "agi", "fuzz_agi", 0 },
	{ "bnobt", "fuzz_btree", BT_BNO },
	{ "cntbt", "fuzz_btree", BT_CNT },
	{ "inobt", "fuzz_btree", BT_INO },
	{ "finobt", "fuzz_btree", BT_FINO },
	{ "rmapbt", "fuzz_btree", BT_RMAP },
	{ "refcountbt", "fuzz_btree", BT_REFC },
	{ "bmbt", "fuzz_btree", BT_BMAP },
	{ "rtrmapbt", "fuzz_btree", BT_RTRMAP },
	{ "rtrefcountbt", "fuzz_btree", BT_RTREFC },
	{ "rtbitmap", "fuzz_rt", 0 },
	{ "rtsummary", "fuzz_rt", 0x40 },
	{ "dquot", "fuzz_dquot", 7 },
	{ "dir-block", "fuzz_dir_block", 0 },
	{ "dir-data", "fuzz_dir_data", 0 },
	{ "dir-free", "fuzz_dir_free", 0 },
	{ "dir-leaf1", "fuzz_dir_leaf", 0 },
	{ "dir-leafn", "fuzz_dir_leaf", 0 },
	{ "da-node", "fuzz_da_node", 0 },
	{ "attr-leaf", "fuzz_attr_leaf", 0 },
	{ "attr-remote", "fuzz_attr_remote", 1 },
	{ "symlink", "fuzz_symlink", 0 },
	{ "inode", "fuzz_dinode", 1 },
	{ "free-inode", "fuzz_dinode", 0 },
};

/* ---- writing an input ---- */

/* Finds the longest run of zeroes that starts at a whole unit, not too far back; all of it may be removed. */
static void longest_zeroes(const uint8_t *bytes, size_t len, size_t *ret_start, size_t *ret_end)
{
	*ret_start = *ret_end = len < HEAD_MAX ? len : HEAD_MAX;
	for (size_t start = 0; start < len && start <= HEAD_MAX; start += UNIT) {
		size_t end = start;

		while (end < len && bytes[end] == 0)
			end++;
		if (end - start > *ret_end - *ret_start) {
			*ret_start = start;
			*ret_end = end;
		}
	}
}

static size_t packed_size(const uint8_t *bytes, size_t len)
{
	size_t start, end;

	longest_zeroes(bytes, len, &start, &end);
	return 3 + start + len - end;
}

static void write_input(const struct source *source, const char *target, uint8_t expect, uint8_t units,
			const uint8_t *head, size_t head_len, const uint8_t *tail, size_t tail_len)
{
	uint8_t crc_too = strcmp(target, "fuzz_bmap") ? 0x80 : 0;
	uint8_t first[3] = { source->variant | crc_too, expect, units };
	uint32_t crc = crc_add(crc_add(crc_add(CRC_SEED, first, sizeof(first)), head, head_len), tail, tail_len);
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", source->dir, target);
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		err(1, "%s", path);
	snprintf(path, sizeof(path), "%s/%s/%08x", source->dir, target, crc);
	file = fopen(path, "w");
	if (!file)
		err(1, "%s", path);
	fwrite(first, 1, sizeof(first), file);
	fwrite(head, 1, head_len, file);
	fwrite(tail, 1, tail_len, file);
	if (fclose(file))
		err(1, "%s", path);
}

static void write_object(const struct source *source, const char *target, uint8_t expect, const uint8_t *bytes,
			 size_t len)
{
	size_t start, end;

	if (packed_size(bytes, len) > INPUT_MAX)
		return;
	longest_zeroes(bytes, len, &start, &end);
	write_input(source, target, expect, (uint8_t)((start + UNIT - 1) / UNIT), bytes, start, bytes + end, len - end);
}

/* ---- contents of an inode ---- */

static void write_data_fork(const struct source *source, const struct dinode_disk *inode, const uint8_t *fork,
			    size_t size)
{
	uint64_t nextents = be32_get(inode->nextents), large = be64_get(inode->large_nextents);
	uint16_t type = be16_get(inode->mode) & MODE_TYPE;
	uint64_t length = be64_get(inode->size);
	uint8_t target[2] = { (uint8_t)length, (uint8_t)(length >> 8) };

	if (source->image.nrext64)
		nextents = large;
	if (inode->format == DINODE_FMT_LOCAL && type == MODE_DIR && length <= size)
		write_input(source, "fuzz_dir_sf", (uint8_t)(size / 4), 255, fork, length, NULL, 0);
	else if (inode->format == DINODE_FMT_LOCAL && type == MODE_SYMLINK && length <= size)
		write_input(source, "fuzz_symlink", (uint8_t)(0x80 | (size / 4 & 0x7f)), 255, fork, length, target, 2);
	else if (inode->format == DINODE_FMT_EXTENTS && nextents > 0 && nextents * 16 <= size)
		write_input(source, "fuzz_bmap", (uint8_t)(0x80 | size / 16), (uint8_t)nextents, fork, nextents * 16,
			    NULL, 0);
	else if (inode->format == DINODE_FMT_BTREE)
		write_object(source, "fuzz_bmdr", (uint8_t)(size / 8), fork, size / 8 * 8);
}

static void write_forks(const struct source *source, const struct target *target)
{
	const uint8_t *bytes = source->image.sound + target->start;
	const struct dinode_disk *inode = (const struct dinode_disk *)bytes;
	size_t core = inode->version > 2 ? sizeof(*inode) : DINODE_SIZE_V4;
	size_t room = target->length - core;
	size_t data = inode->forkoff && inode->forkoff * 8u < room ? inode->forkoff * 8u : room;

	if (be16_get(inode->mode) == 0)
		return;
	write_data_fork(source, inode, bytes + core, data);
	if (data < room && inode->aformat == DINODE_FMT_LOCAL)
		write_object(source, "fuzz_attr_sf", (uint8_t)((room - data) / 4), bytes + core + data,
			     (room - data) / 4 * 4);
	if (data < room && inode->aformat == DINODE_FMT_BTREE)
		write_object(source, "fuzz_bmdr", (uint8_t)((room - data) / 8), bytes + core + data,
			     (room - data) / 8 * 8);
}

/* ---- choosing ---- */

static int by_size(const void *left, const void *right, void *ctx)
{
	const struct target *a = left, *b = right;
	const struct image *image = ctx;
	size_t a_size = packed_size(image->sound + a->start, a->length);
	size_t b_size = packed_size(image->sound + b->start, b->length);

	return a_size < b_size ? -1 : a_size > b_size;
}

static const struct recipe *recipe_of(const struct target *target)
{
	const char *name = target->type->name, *suffix = strstr(name, "-v4");
	size_t len = suffix ? (size_t)(suffix - name) : strlen(name);

	for (size_t i = 0; i < sizeof(recipes) / sizeof(recipes[0]); i++)
		if (strlen(recipes[i].type) == len && !strncmp(recipes[i].type, name, len))
			return &recipes[i];
	return NULL;
}

static uint8_t expect_of(const struct source *source, const struct recipe *recipe, const struct target *target)
{
	bool one_block = target->length == source->image.block_size;

	if (!strcmp(recipe->target, "fuzz_da_node"))
		return one_block ? 0x80 : 0;
	if (!strcmp(recipe->target, "fuzz_btree") && target->start / target->length % 2)
		return recipe->expect | 0x10; /* alternately as a root and not */
	return recipe->expect;
}

static void write_type(const struct source *source, struct target *first, size_t count)
{
	const struct recipe *recipe = recipe_of(first);

	if (!recipe)
		return;
	qsort_r(first, count, sizeof(*first), by_size, (void *)&source->image);
	for (size_t i = 0; i < SAMPLES; i++) {
		const struct target *target = &first[i * (count - 1) / (SAMPLES - 1)];
		const uint8_t *bytes = source->image.sound + target->start;

		write_object(source, recipe->target, expect_of(source, recipe, target), bytes, target->length);
		/* the AGFL needs the header with its active range */
		if (!strcmp(recipe->target, "fuzz_agf") && source->image.sector_size == 512)
			write_input(source, "fuzz_agfl", 0, 512 / UNIT, bytes, 512, bytes + 1024, 512);
		if (!strcmp(recipe->type, "inode"))
			write_forks(source, target);
	}
}

/* Writes one of the inodes for each pair of formats, besides the samples. */
static void write_inodes(const struct source *source, const struct target *first, size_t count)
{
	bool seen[1 << 12] = { false };

	for (size_t i = 0; i < count; i++) {
		const struct dinode_disk *inode = (const struct dinode_disk *)(source->image.sound + first[i].start);
		unsigned type = be16_get(inode->mode) >> 12, key;

		key = type << 8 | (inode->format & 7) << 5 | (inode->aformat & 3) << 3 |
		      (be32_get(inode->nextents) + be64_get(inode->large_nextents) > 2) << 2 |
		      (inode->forkoff > 20) << 1;
		if (seen[key] || type == 0)
			continue;
		seen[key] = true;
		write_forks(source, &first[i]);
		write_object(source, "fuzz_dinode", 1, source->image.sound + first[i].start, first[i].length);
	}
}

/* Writes the beginning of the log and the blocks around its last record; the target makes it a log of 24 blocks. */
static void write_log(const struct source *source)
{
	const struct image *image = &source->image;
	const uint8_t *log = image->sound + image->log.start;
	uint64_t blocks = (image->log.end - image->log.start) / LOG_BLOCK, last = 0;
	const uint64_t count = 24;

	if (blocks < count)
		return;
	for (uint64_t block = 0; block < blocks; block++)
		if (number_get(log + block * LOG_BLOCK, 4) == LOG_MAGIC)
			last = block;
	write_object(source, "fuzz_log", count / 8, log, count * LOG_BLOCK);
	last = last > 4 ? last - 4 : 0;
	if (last + count <= blocks)
		write_object(source, "fuzz_log", count / 8, log + last * LOG_BLOCK, count * LOG_BLOCK);
}

static bool like(const struct image *image, const struct fuzz_variant *v)
{
	const struct sb_disk *sb = (const struct sb_disk *)image->sound;
	bool ftype = image->version == 5 || be32_get(sb->features2) & SB_FEATURES2_FTYPE;

	return v->version == image->version && 1u << v->block_log == image->block_size &&
	       1u << v->inode_log == image->inode_size && image->block_size << v->dirblk_log == image->dir_block_size &&
	       v->ftype == ftype && (v->version == 4 || v->old != image->nrext64);
}

static void write_image(struct source *source, const char *path)
{
	const struct targets *targets = &source->targets;

	image_open_any(&source->image, path);
	while (source->variant < FUZZ_VARIANTS && !like(&source->image, fuzz_variant(source->variant)))
		source->variant++;
	if (source->variant < FUZZ_VARIANTS) {
		targets_find(&source->image, &source->targets);
		for (size_t i = 0; i < targets->types; i++) {
			struct target *first = &targets->all[targets->first[i]];
			size_t count = targets->first[i + 1] - targets->first[i];

			if (!strcmp(first->type->name, "inode"))
				write_inodes(source, first, count);
			write_type(source, first, count);
		}
		write_log(source);
		targets_free(&source->targets);
	} else {
		warnx("%s: no variant of fuzz.h is like it", path);
	}
	image_close(&source->image);
}

static void write_log_seed(void *ctx, const char *target, uint8_t expect, uint8_t units, const uint8_t *bytes,
			   size_t len)
{
	write_input(ctx, target, expect, units, bytes, len, NULL, 0);
}

int main(int argc, char **argv)
{
	if (argc > 3 && !strcmp(argv[2], "log")) {
		struct source source = { .dir = argv[1] };

		for (int i = 3; i < argc; i++)
			seeds_of_log(argv[i], INPUT_MAX, write_log_seed, &source);
		return 0;
	}
	if (argc < 3)
		errx(2, "usage: seeds DIR [log] IMAGE...");
	for (int i = 2; i < argc; i++) {
		struct source source = { .dir = argv[1] };

		write_image(&source, argv[i]);
	}
	return 0;
}
