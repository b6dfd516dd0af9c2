/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The copy of an image is in memory, where damage is quick and leaves nothing behind.  The superblock of a sound image
 * is valid, so it is read here without checks.
 */
#define _GNU_SOURCE 1

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk/log.h"
#include "disk/sb.h"
#include "image.h"

uint64_t number_get(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++)
		value = value << 8 | bytes[i];
	return value;
}

void number_put(uint8_t *bytes, size_t size, uint64_t value)
{
	while (size-- > 0) {
		bytes[size] = (uint8_t)value;
		value >>= 8;
	}
}

/* Space used by the copy. */
static blkcnt_t copy_size(const struct image *image)
{
	struct stat st;

	if (fstat(image->fd, &st) < 0)
		err(1, "copy of %s", image->path);
	return st.st_blocks;
}

/* Copies all data, and records its ranges. */
static void copy_data(struct image *image, int fd)
{
	off_t start = 0, end = 0;

	while ((start = lseek(fd, end, SEEK_DATA)) >= 0) {
		end = lseek(fd, start, SEEK_HOLE);
		if (end < 0)
			err(1, "%s", image->path);
		image->data = reallocarray(image->data, image->ndata + 1, sizeof(*image->data));
		if (!image->data)
			err(1, "%s", image->path);
		image->data[image->ndata++] = (struct range){ (uint64_t)start, (uint64_t)end };
		memcpy(image->bytes + start, image->sound + start, (size_t)(end - start));
	}
}

static void read_superblock(struct image *image)
{
	const struct sb_disk *sb = (const struct sb_disk *)image->sound;
	uint64_t logstart = be64_get(sb->logstart), agno, agbno;
	uint32_t incompat = be32_get(sb->features_incompat);

	if (image->size < sizeof(*sb) || be32_get(sb->magicnum) != SB_MAGIC)
		errx(1, "%s: no XFS", image->path);
	image->version = be16_get(sb->versionnum) & SB_VERSION_NUMBER;
	image->block_size = be32_get(sb->blocksize);
	image->sector_size = be16_get(sb->sectsize);
	image->dir_block_size = image->block_size << sb->dirblklog;
	image->inode_size = be16_get(sb->inodesize);
	image->inodes_per_block = be16_get(sb->inopblock);
	image->agblocks = be32_get(sb->agblocks);
	image->agcount = be32_get(sb->agcount);
	image->block_log = sb->blocklog;
	image->inopb_log = sb->inopblog;
	image->agblock_log = sb->agblklog;
	image->rootino = be64_get(sb->rootino);
	image->rmapbt = be32_get(sb->features_ro_compat) & SB_RO_COMPAT_RMAPBT;
	image->nrext64 = incompat & SB_INCOMPAT_NREXT64;
	image->parent = incompat & SB_INCOMPAT_PARENT;
	memcpy(image->uuid, incompat & SB_INCOMPAT_META_UUID ? sb->meta_uuid : sb->uuid, sizeof(image->uuid));

	agno = logstart >> sb->agblklog;
	agbno = logstart & ((1ull << sb->agblklog) - 1);
	image->log.start = (agno * image->agblocks + agbno) << sb->blocklog;
	image->log.end = image->log.start;
	if (logstart)
		image->log.end += (uint64_t)be32_get(sb->logblocks) << sb->blocklog;
	if (be64_get(sb->dblocks) << sb->blocklog > image->size)
		errx(1, "%s: shorter than its file system", image->path);
}

/* Finds the last record: the one with the highest LSN.  It must be a short unmount record. */
static void find_last_record(struct image *image)
{
	const struct log_header_disk *last = NULL;

	for (uint64_t at = image->log.start; at < image->log.end; at += LOG_BLOCK) {
		const struct log_header_disk *header = (const struct log_header_disk *)(image->sound + at);

		if (be32_get(header->magic) != LOG_MAGIC || (last && be64_get(header->lsn) <= be64_get(last->lsn)))
			continue;
		last = header;
		image->last_record = (struct range){ at, at + LOG_BLOCK + be32_get(header->len) };
	}
	if (!last || be32_get(last->num_logops) != 1 || be32_get(last->size) > LOG_HEADER_COVERS)
		errx(1, "%s: its log does not end in an unmount record", image->path);
	image->head = be64_get(last->lsn) + (image->last_record.end - image->last_record.start) / LOG_BLOCK;
}

void image_open_any(struct image *image, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*image = (struct image){ .path = path };
	if (fd < 0 || fstat(fd, &st) < 0)
		err(1, "%s", path);
	image->size = (uint64_t)st.st_size;
	image->fd = memfd_create("damaged", 0);
	if (image->fd < 0 || ftruncate(image->fd, st.st_size) < 0)
		err(1, "copy of %s", path);
	image->sound = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, fd, 0);
	image->bytes = mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_SHARED, image->fd, 0);
	if (image->sound == MAP_FAILED || image->bytes == MAP_FAILED)
		err(1, "%s", path);
	snprintf(image->copy, sizeof(image->copy), "/proc/self/fd/%d", image->fd);
	copy_data(image, fd);
	close(fd);
	image->copy_size = copy_size(image);
	read_superblock(image);
}

void image_open(struct image *image, const char *path)
{
	image_open_any(image, path);
	if (image->version != 5 || image->log.end == image->log.start)
		errx(1, "%s: no XFS of version 5 with an internal log", image->path);
	if (image->dir_block_size != image->block_size)
		errx(1, "%s: directory blocks of more than one block", image->path);
	find_last_record(image);
}

void image_close(struct image *image)
{
	munmap((void *)image->sound, image->size);
	munmap(image->bytes, image->size);
	close(image->fd);
	free(image->data);
}

void image_restore(struct image *image, uint64_t start, uint64_t len)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = start + len;

	start &= ~(page - 1);
	end = (end + page - 1) & ~(page - 1);
	if (fallocate(image->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)start, (off_t)(end - start)) < 0)
		err(1, "copy of %s", image->path);
	for (size_t i = 0; i < image->ndata; i++) {
		uint64_t first = image->data[i].start > start ? image->data[i].start : start;
		uint64_t last = image->data[i].end < end ? image->data[i].end : end;

		if (first < last)
			memcpy(image->bytes + first, image->sound + first, last - first);
	}
}

bool image_intact(const struct image *image)
{
	for (size_t i = 0; i < image->ndata; i++) {
		const struct range *r = &image->data[i];

		if (memcmp(image->bytes + r->start, image->sound + r->start, r->end - r->start) != 0)
			return false;
	}
	/* a write into a hole would have filled it */
	return copy_size(image) == image->copy_size;
}
