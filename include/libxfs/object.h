/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of blocks and headers, one row each: size, offsets of magic number, checksum, owner and address, buffer
 * type in the log, and decoder (ondisk 00, section 6).
 */
#ifndef XFSCK_LIBXFS_OBJECT_H
#define XFSCK_LIBXFS_OBJECT_H

#include "check.h"
#include "disk/log_item.h"
#include "libxfs/v5.h"
#include "place.h"

struct agf;
struct bmap_rules;
struct object_kind;

enum object_size {
	SIZE_BLOCK,
	SIZE_SECTOR,	/* an AG header, in sector `sector` of the AG */
	SIZE_DIR_BLOCK, /* directory blocks can have several file system blocks */
	SIZE_DA_BLOCK,	/* da nodes: a directory block in directories, one block in attribute forks */
	SIZE_INODE,
	SIZE_EXTENT, /* of a symlink: its size is known only from the extent map */
};

/* What is known of an object before its bytes are looked at. */
struct object_at {
	struct place place;
	const struct bmap_rules *rules; /* of a bmbt block: rules of the fork that it may belong to */
	const struct agf *agf;		/* of an AGFL: says which slots are active */
};

typedef bool object_decode(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
			   const struct object_at *at);

struct object_kind {
	enum object object;	  /* the object in findings */
	uint32_t magic, magic_v4; /* 0: none in this version */
	uint8_t magic_offset, magic_width;
	struct v5_header at;
	enum object_size size;
	enum ag_sector sector;	  /* AG_SECTORS: not an AG header */
	enum btree_kind tree;	  /* BT_NR: not a btree block */
	enum log_buf_type logged; /* LB_UNKNOWN: logged by other items, or in buffers without an LSN of their own */
	bool only;		  /* nothing else in the file system has the same facts */
	object_decode *decode;	  /* NULL: it can't be checked alone, or is only compared with another object */
};

#define OBJECT_KINDS 29u
extern const struct object_kind object_kinds[OBJECT_KINDS];

/*
 * The kind of the objects with this name in findings; for directory leaves, one of two.  NULL: not a block or header.
 */
const struct object_kind *object_kind(enum object object);
/*
 * Iterates over all kinds of blocks with this name in findings: the first for NULL, else the one after `before`; NULL
 * at the end.  Without a right magic number, directory data blocks are named by their place, and any attribute block as
 * a leaf.
 */
const struct object_kind *object_next(enum object object, const struct object_kind *before);

/* The header in this sector of an AG. */
const struct object_kind *object_of_sector(enum ag_sector sector);

/* The name of the blocks of this btree in findings. */
enum object object_of_btree(enum btree_kind tree);

/* Size of an object of this kind in bytes, all of which its checksum covers; 0: unknown. */
size_t object_bytes(const struct geometry *g, const struct object_kind *kind, const struct place *place);

/* Byte of the data device where an object lies.  False: such an object can't be at this place. */
bool object_offset(const struct geometry *g, const struct object_kind *kind, const struct place *place,
		   uint64_t *ret_offset);

/* True if the bytes have the magic number of this kind.  False for blocks without a magic number. */
bool object_has_magic(const struct geometry *g, const struct object_kind *kind, const uint8_t *bytes);
/* The kind with the magic number of these bytes that is logged in buffers; NULL: none. */
const struct object_kind *object_logged_as(const struct geometry *g, const uint8_t *bytes);
/* Sets the magic number.  False: this version has none. */
bool object_put_magic(const struct geometry *g, const struct object_kind *kind, uint8_t *bytes);

/*
 * True if the bytes, object_bytes() of them, are an object of this kind that belongs at its place and is sound, except
 * perhaps for LSN and checksum.
 */
bool object_decodes(const struct geometry *g, const struct object_kind *kind, const uint8_t *bytes,
		    const struct object_at *at);

#endif
