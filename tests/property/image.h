/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A copy of an image in memory, to be damaged, and the fields of its superblock. */
#ifndef PROPERTY_IMAGE_H
#define PROPERTY_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* bytes that are not a hole */
struct range {
	uint64_t start;
	uint64_t end;
};

struct image {
	const char *path; /* of the original */
	char copy[64];	  /* path of the copy, which child processes can open */
	int fd;
	blkcnt_t copy_size; /* space used by the copy, in units of 512 bytes */
	uint64_t size;
	uint8_t *bytes;	      /* the copy */
	const uint8_t *sound; /* the original */
	struct range *data;
	size_t ndata;

	uint8_t version;
	uint32_t block_size;
	uint32_t sector_size;
	uint32_t dir_block_size;
	uint32_t inode_size;
	uint32_t inodes_per_block;
	uint32_t agblocks;
	uint32_t agcount;
	uint8_t block_log;
	uint8_t inopb_log;
	uint8_t agblock_log;
	uint64_t rootino;
	uint8_t uuid[16]; /* of the metadata */
	struct range log;
	struct range last_record; /* of the log */
	uint64_t head;		  /* LSN after it, which limits all others */
	bool rmapbt;
	bool parent;
	bool nrext64;
};

/* Ends the program if the image is unusable, or not one that the table of fields describes. */
void image_open(struct image *image, const char *path);
/* Like image_open(), for any file system; last_record and head are not set. */
void image_open_any(struct image *image, const char *path);
void image_close(struct image *image);

/* Restores len bytes at start of the copy from the original, including holes. */
void image_restore(struct image *image, uint64_t start, uint64_t len);

/* True unless another program has written to the copy, which must equal the original. */
bool image_intact(const struct image *image);

/* Big-endian number of that many bytes, at most 8. */
uint64_t number_get(const uint8_t *bytes, size_t size);
void number_put(uint8_t *bytes, size_t size, uint64_t value);

#endif
