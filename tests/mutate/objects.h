/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in an image something lies that looks like metadata, by position and by
 * magic number alone: of any version, with or without a right checksum.  Leftovers in
 * free space look the same.
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
	uint16_t self_at; /* where its address in sectors is, or its inode number, in 64 bits; or NO_SELF */
	uint16_t header;  /* bytes of it that are not records */
	bool dir_block;	  /* as large as a directory block */
};

/* What is mutated as a whole, and has one checksum. */
struct target {
	const struct object_type *type;
	uint64_t start; /* byte in the image */
	uint32_t length;
};

struct targets {
	struct target *all; /* sorted by type, then by address */
	size_t count;
	size_t *first; /* of each type that the image has, and behind the last */
	size_t types;
};

void targets_find(const struct image *image, struct targets *ret_targets);
void targets_free(struct targets *targets);

/* Leaves out all other types. False: there is none of this name. */
bool targets_keep(struct targets *targets, const char *type);

bool target_is_log_record(const struct target *target);
bool target_is_superblock(const struct target *target);

/* What others call the object: an inode by its number, everything else by its address. */
uint64_t target_fsbno(const struct image *image, const struct target *target);
uint64_t target_ino(const struct image *image, const struct target *target);

/* Makes it say so itself, if that is said at all. */
void target_fix_self(const struct image *image, const struct target *target);

/* Makes the checksum right, of what has one. */
void target_fix_checksum(const struct image *image, const struct target *target);

#endif
