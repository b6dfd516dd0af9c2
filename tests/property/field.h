/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of fields: the parts of the structures of ondisk 00 to 08, down to the bit, and which of them can't be
 * checked.  Damage to all others must be found.
 */
#ifndef PROPERTY_FIELD_H
#define PROPERTY_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds in the results. */
/* clang-format off */
#define KINDS(x) \
	x(SUPERBLOCK, "superblock") \
	x(SECONDARY, "superblock-secondary") \
	x(AGF, "agf") \
	x(AGFL, "agfl") \
	x(AGI, "agi") \
	x(BNOBT, "bnobt") \
	x(CNTBT, "cntbt") \
	x(INOBT, "inobt") \
	x(FINOBT, "finobt") \
	x(RMAPBT, "rmapbt") \
	x(REFCOUNTBT, "refcountbt") \
	x(BMBT, "bmbt") \
	x(INODE_FILE, "inode-file") \
	x(INODE_DIR, "inode-directory") \
	x(INODE_SYMLINK, "inode-symlink") \
	x(INODE_SPECIAL, "inode-special") \
	x(INODE_FREE, "inode-free") \
	x(EXTENTS, "inode-extents") \
	x(BMDR, "inode-bmdr") \
	x(DIR_SF, "dir-shortform") \
	x(DIR_BLOCK, "dir-block") \
	x(DIR_DATA, "dir-data") \
	x(DIR_LEAF1, "dir-leaf1") \
	x(DIR_LEAFN, "dir-leafn") \
	x(DIR_FREE, "dir-free") \
	x(DA_NODE, "da-node") \
	x(ATTR_SF, "attr-shortform") \
	x(ATTR_LEAF, "attr-leaf") \
	x(ATTR_REMOTE, "attr-remote") \
	x(SYMLINK, "symlink") \
	x(LOG, "log")
/* clang-format on */

enum kind {
#define x(symbol, name) KIND_##symbol,
	KINDS(x)
#undef x
		KIND_NR,
};

const char *kind_name(enum kind kind);

struct damage;

/* The reason why a field can't be checked, and whether it holds for this value; holds is NULL if it holds for all. */
struct excuse {
	const char *reason;
	bool (*holds)(const struct damage *damage);
};

/* One field, or some bits of one. Several may share their bytes, but not their bits. */
struct field {
	const char *name;
	uint16_t offset; /* bytes from the start of the structure */
	uint16_t count;	 /* elements, if it is an array */
	uint8_t size;	 /* bytes of an element: 1 to 8, big-endian */
	uint64_t mask;	 /* its bits in an element; 0: all */
	const struct excuse *excuse;
};

struct structure {
	const char *name;
	uint16_t size; /* bytes, all of which the fields cover */
	uint16_t nfields;
	const struct field *fields;
};

#define STRUCTURE(title, fields_, size_)                                                                               \
	{                                                                                                              \
		.name = (title), .size = (size_), .nfields = sizeof(fields_) / sizeof((fields_)[0]),                   \
		.fields = (fields_)                                                                                    \
	}

#define MEMBER(type, member) (((struct type *)0)->member)
/* A number, and one with only some bits.  Further arguments set members of struct field. */
#define FIELD(type, member, ...)                                                                                       \
	{                                                                                                              \
		.name = #member, .offset = offsetof(struct type, member), .count = 1,                                  \
		.size = sizeof(MEMBER(type, member)), ##__VA_ARGS__                                                    \
	}
#define BITS(type, member, title, bits, ...)                                                                           \
	{                                                                                                              \
		.name = (title), .offset = offsetof(struct type, member), .count = 1,                                  \
		.size = sizeof(MEMBER(type, member)), .mask = (bits), ##__VA_ARGS__                                    \
	}
/* An array of numbers, and one of plain bytes. */
#define ARRAY(type, member, ...)                                                                                       \
	{                                                                                                              \
		.name = #member, .offset = offsetof(struct type, member),                                              \
		.count = sizeof(MEMBER(type, member)) / sizeof(MEMBER(type, member)[0]),                               \
		.size = sizeof(MEMBER(type, member)[0]), ##__VA_ARGS__                                                 \
	}
/* The only field of a structure of that many bytes. */
#define ALONE(title, bytes, ...)                                                                                       \
	{                                                                                                              \
		{                                                                                                      \
			.name = (title), .count = 1, .size = (bytes), ##__VA_ARGS__                                    \
		}                                                                                                      \
	}

/* The bits of one element that belong to the field. */
static inline uint64_t field_mask(const struct field *f)
{
	return f->mask ? f->mask : UINT64_MAX >> (64 - 8 * f->size);
}

#endif
