/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects of an image that look like metadata, by position and magic number alone: of any version, with or without
 * a right checksum.  Leftovers in free space look the same.
 */
#ifndef MUTATE_OBJECTS_H
#define MUTATE_OBJECTS_H

#include "../property/image.h"

#define NO_CRC	UINT16_MAX
#define NO_SELF UINT16_MAX

struct object_type {
	const char *name;
	uint32_t magic;
	uint8_t magic_at;
	uint8_t magic_size;
	uint16_t crc_at;
	uint16_t self_at; /* offset of its address in sectors, or its inode number, in 64 bits; or NO_SELF */
	uint16_t header;  /* size of the part without records in bytes */
	bool dir_block;	  /* as large as a directory block */
};

/* The unit of mutation, with one checksum. */
struct target {
	const struct object_type *type;
	uint64_t start; /* byte in the image */
	uint32_t length;
};

struct targets {
	struct target *all; /* sorted by type, then by address */
	size_t count;
	size_t *first; /* index of the first of each type in the image, and of the end */
	size_t types;
};

void targets_find(const struct image *image, struct targets *ret_targets);
void targets_free(struct targets *targets);

/* Removes all other types.  False: there is none of this name. */
bool targets_keep(struct targets *targets, const char *type);

bool target_is_log_record(const struct target *target);
bool target_is_superblock(const struct target *target);

/* The number by which other objects refer to it: an inode by its number, everything else by its address. */
uint64_t target_fsbno(const struct image *image, const struct target *target);
uint64_t target_ino(const struct image *image, const struct target *target);

/* Sets that number in the object itself, if it has a field for it. */
void target_fix_self(const struct image *image, const struct target *target);

/* Corrects the checksum, if there is one. */
void target_fix_checksum(const struct image *image, const struct target *target);

#endif
