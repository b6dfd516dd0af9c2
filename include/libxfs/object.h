/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every kind of block and header, one row each: how large it is, where magic number, checksum, owner and address lie in
 * it, as what the log has it, and how it is decoded (ondisk 00, section 6).
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
	SIZE_SECTOR,	/* a header of an AG, in sector `sector` of it */
	SIZE_DIR_BLOCK, /* blocks of directories may have several of the file system's */
	SIZE_DA_BLOCK,	/* nodes of hash trees: as one of a directory's, or one block, where attributes have them */
	SIZE_INODE,
	SIZE_EXTENT, /* of a symlink: only its map tells */
};

/* What is known of an object before its bytes are looked at. */
struct object_at {
	struct place place;
	const struct bmap_rules *rules; /* a bmbt block: of the fork that it may belong to */
	const struct agf *agf;		/* an AGFL: which says which slots are active */
};

typedef bool object_decode(const struct check *c, const struct object_kind *kind, const uint8_t *bytes,
			   const struct object_at *at);

struct object_kind {
	enum object object;	  /* as which findings name it */
	uint32_t magic, magic_v4; /* 0: this version has no such blocks, or they have none */
	uint8_t magic_offset, magic_width;
	struct v5_header at;
	enum object_size size;
	enum ag_sector sector; /* AG_SECTORS: it has no sector of its own in an AG */
	enum btree_kind tree;  /* BT_NR: it is no block of a btree */
	enum log_buf_type
		logged;	       /* LB_UNKNOWN: logged by other items, or in buffers without a date (LSN) of their own */
	bool only;	       /* nothing else in the file system has what it holds */
	object_decode *decode; /* NULL: by itself it says too little, or it is but compared with another one */
};

#define OBJECT_KINDS 29u
extern const struct object_kind object_kinds[OBJECT_KINDS];

/* The kind of the objects that findings name so; of leaves of a directory, one of two. NULL: it is no block or header.
 */
const struct object_kind *object_kind(enum object object);
/*
 * All kinds that a block may be of which findings name so: the first for NULL, or the one behind `before`; NULL at the
 * end.  Without a right magic number, a directory's data block was taken for one of two kinds by its place, and any
 * block of attributes for a leaf.
 */
const struct object_kind *object_next(enum object object, const struct object_kind *before);

/* The header in this sector of an AG. */
const struct object_kind *object_of_sector(enum ag_sector sector);

/* The object that findings about blocks of this btree name. */
enum object object_of_btree(enum btree_kind tree);

/* Bytes of an object of this kind, which its checksum is of; 0: not known. */
size_t object_bytes(const struct geometry *g, const struct object_kind *kind, const struct place *place);

/* Where on the data device an object lies, in bytes.  False: its place is not one that such an object can have. */
bool object_offset(const struct geometry *g, const struct object_kind *kind, const struct place *place,
		   uint64_t *ret_offset);

/* True if the bytes begin as an object of this kind does.  False for blocks without a magic number. */
bool object_has_magic(const struct geometry *g, const struct object_kind *kind, const uint8_t *bytes);
/* Give them its magic number.  False: it has none in this version. */
bool object_put_magic(const struct geometry *g, const struct object_kind *kind, uint8_t *bytes);

/*
 * True if the bytes, object_bytes() of them, are an object of this kind, and nothing is wrong with it at its place but
 * perhaps its date (LSN) and checksum.
 */
bool object_decodes(const struct geometry *g, const struct object_kind *kind, const uint8_t *bytes,
		    const struct object_at *at);

#endif
