/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the blocks of the hash trees of directories and attributes, and the other blocks of directories, attributes
 * and symlinks (ondisk 06, 07, 08).  A directory block has dir_block_size bytes, an attribute block block_size.
 *
 * A decoder returns false if the block has another magic number, if it was written for another place and another owner
 * (v5_check_header()), or if a count in it is impossible.  It has reported that, but has visited nothing, and has not
 * set its ret_ argument.
 */
#ifndef XFSCK_LIBXFS_DA_H
#define XFSCK_LIBXFS_DA_H

#include <stddef.h>

#include "be.h"
#include "check.h"

/* What is known of a block before it is decoded. */
struct da_expect {
	xino_t owner;
	xdaddr_t daddr; /* of its first sector */
	dablk_t dablk;	/* its first block in the fork's da space */
	enum fork fork; /* DATA_FORK: a directory, ATTR_FORK: attributes; their trees have different roots */
};

/* The siblings of a block on its level of the tree; 0: none. */
struct da_siblings {
	dablk_t forw, back;
};

/* The hash of a name (ondisk 06).  fold: ignores case, as ascii-ci file systems do. */
uint32_t da_hashname(const uint8_t *name, size_t len, bool fold);
/* Index of the first byte that is not allowed in directory entries (ondisk 06, "Valid names"), or len. */
size_t da_name_bad_byte(const uint8_t *name, size_t len);
/* Makes a directory entry's name valid: replaces each byte that is not allowed by an underscore. */
void da_name_make_possible(uint8_t *name, size_t len);
/*
 * Restores the only byte of a name that is not allowed, from the hash of the right name.  False: there is no such byte
 * or more than one, or no value gives that hash; the name is unchanged.
 */
bool da_name_restore(uint8_t *name, size_t len, uint32_t hash);
/* True if two names of the same length are the same to the file system. */
bool da_names_equal(const uint8_t *a, const uint8_t *b, size_t len, bool fold);
/* Upper case to lower case, as ascii-ci file systems fold it: ASCII and Latin-1 (ondisk 06). */
uint8_t da_fold_case(uint8_t byte);
/* The hash of a parent pointer (ondisk 07). */
uint32_t da_hash_pptr(const uint8_t *name, size_t len, bool fold, xino_t parent);

enum da_magic {
	DA_UNKNOWN,
	DA_NODE,
	DA_DIR_LEAF1,
	DA_DIR_LEAFN,
	DA_ATTR_LEAF,
	DA_ATTR_REMOTE,
	DA_DIR_BLOCK,
	DA_DIR_DATA,
	DA_DIR_FREE,
};

/* The kind of a block by its magic number alone; DA_UNKNOWN if len is less than DA_HEADER_SIZE. */
enum da_magic da_identify(const struct check *c, const void *block, size_t len);

/* a da node, whose children are da nodes or leaves */
struct da_node {
	uint8_t level; /* 1: its children are leaves; 0: unknown, since it is wrong on the disk, which was reported */
	uint16_t count;
	dablk_t forw, back;		/* 0: none */
	uint32_t first_hash, last_hash; /* of its entries */
};

/* Decodes a da node.  child: called for each entry whose pointer is valid. */
bool da_node_decode(const struct check *c, const void *block, size_t len, const struct da_expect *expect,
		    void (*child)(void *ctx, dablk_t before, uint32_t hash), void *ctx, struct da_node *ret_node);
/* A callback that does nothing. */
void da_ignore_node(void *ctx, dablk_t before, uint32_t hash);

/* ---- directories ---- */

enum dir_entry_kind {
	ENTRY_NAME,
	ENTRY_DOT,
	ENTRY_DOTDOT,
	ENTRY_INVALID, /* an entry with an invalid inode number */
};

struct dir_entry {
	enum dir_entry_kind kind;
	uint8_t namelen;
	uint8_t ftype;	     /* as stored; 0 if entries have none */
	const uint8_t *name; /* in the decoded buffer; the right name of `.` and `..`, even if it is damaged */
	xino_t target;	     /* ino_valid() except for ENTRY_INVALID; of `.` always the directory itself */
	uint32_t hash;	     /* of the name */
	uint32_t address;    /* dataptr: byte offset in data space / 8; 0 for shortform entries */
};

typedef void dir_visit_entry(void *ctx, const struct dir_entry *entry);
/* Called for each leaf entry that is not stale; in a sound leaf, entries with the same hash are adjacent. */
typedef void dir_visit_leaf(void *ctx, uint32_t hash, uint32_t address);
/* Callbacks that do nothing. */
dir_visit_entry dir_ignore_entry;
dir_visit_leaf dir_ignore_leaf;

/*
 * Decodes a shortform directory of size bytes in a fork of fork_size.  Visits `.` and `..` first, which it does not
 * store as entries; `..` if its inode number is valid.  False: the fork has no room for the header, which is reported.
 */
bool dir_sf_decode(const struct check *c, const uint8_t *fork, size_t fork_size, uint64_t size, xino_t ino,
		   dir_visit_entry *visit, void *ctx);

/*
 * The name of the entry that a problem is about, found by the problem's offset in a block or in the fork of a shortform
 * directory: size bytes.  NULL: none.
 */
const uint8_t *dir_entry_name_at(const uint8_t *bytes, size_t size, bool shortform, uint32_t offset, uint8_t *ret_len);

struct dir_data {
	uint16_t longest; /* bytes of the longest free region, 0: none; as stored if damage hides free regions */
	uint32_t entries; /* including `.` and `..`, and invalid ones */
};

/*
 * Decodes a data block of a directory in leaf or node format.  An entry with an invalid inode number is visited as
 * ENTRY_INVALID; one without a name is only reported.  After damage, decoding resumes at the next entry that it can
 * find.
 */
bool dir_data_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_entry *visit,
		     void *ctx, struct dir_data *ret_data);

/*
 * Decodes the only block of a block-format directory: entries, as in a data block, and the leaf entries after them.
 * Reports leaf entries that point to no entry, and duplicate names; the caller compares entries and leaf entries in all
 * other respects.
 */
bool dir_block_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_entry *visit,
		      dir_visit_leaf *visit_leaf, void *ctx, struct dir_data *ret_data);

/* Looks up the hash of the entry at an address in the hash index.  False: none, or several. */
typedef bool dir_hash_at(const void *ctx, uint32_t address, uint32_t *ret_hash);
/*
 * Corrects name lengths, and entries that look like free regions, in a data block or block-format block, if the hash of
 * an entry and its room leave no doubt.  Does not update the checksum: the caller rebuilds the directory from what it
 * reads.  dablk: of the block.
 */
void dir_data_mend(const struct geometry *geo, void *block, dablk_t dablk, dir_hash_at *hash_at, const void *ctx);

struct dir_leaf {
	bool leaf1;	    /* has bests[] */
	dablk_t forw, back; /* 0: none */
	uint32_t count;	    /* including stale ones */
	uint32_t stale;
	uint32_t first_hash, last_hash; /* meaningless if count is 0 */
	const be16_t *bests;		/* leaf1: in the decoded buffer */
	uint32_t nbests;		/* 0: not a leaf1, or the number is wrong, which was reported */
};

/* Decodes a leaf1 or leafn block; a leaf1 is accepted only at the root of the tree. */
bool dir_leaf_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_leaf *visit,
		     void *ctx, struct dir_leaf *ret_leaf);

struct dir_free {
	uint32_t firstdb, nvalid, nused;
	const be16_t *bests; /* nvalid of them, in the decoded buffer */
};

/* Decodes a free index block.  Checks firstdb against expect->dablk (ondisk 06). */
bool dir_free_decode(const struct check *c, const void *block, const struct da_expect *expect,
		     struct dir_free *ret_free);

/* ---- attributes ---- */

#define ATTR_LOCAL	0x01
#define ATTR_ROOT	0x02
#define ATTR_SECURE	0x04
#define ATTR_PARENT	0x08
#define ATTR_INCOMPLETE 0x80

struct attr_entry {
	uint8_t flags;	 /* ATTR_* as stored; incomplete ones are never visited, see attr_visit */
	uint8_t namelen; /* at least 1 */
	bool remote;
	const uint8_t *name;  /* in the decoded buffer */
	uint32_t valuelen;    /* bytes */
	const uint8_t *value; /* NULL if remote */
	dablk_t valueblk;     /* remote: first block in the attr fork, not 0 */
	/* of parent pointers (ATTR_PARENT), from the value; valid */
	xino_t parent;
	uint32_t parent_gen;
};

/* The right hash of an attribute in a leaf: that of its name or, for a parent pointer, of name and parent. */
uint32_t attr_hash(const struct geometry *geo, const struct attr_entry *entry);

/*
 * Called for each sound attribute, and for one with only a wrong hash.  Attributes with invalid flags, name, place or
 * value are reported and not visited.  Neither are duplicates in the same leaf or fork (the caller finds those in other
 * leaves), nor incomplete ones, whose contents are unreliable.
 */
typedef void attr_visit(void *ctx, const struct attr_entry *entry);
attr_visit attr_ignore; /* does nothing */

/* Decodes shortform attributes in a fork of fork_size bytes.  False: no room for the header, which is reported. */
bool attr_sf_decode(const struct check *c, const uint8_t *fork, size_t fork_size, xino_t ino, attr_visit *visit,
		    void *ctx);
/* The least number of attributes, except incomplete ones, that are not visited because of damage. */
uint32_t attr_sf_damaged(const struct geometry *geo, const uint8_t *fork, size_t fork_size, xino_t ino);

struct attr_leaf {
	dablk_t forw, back;		/* 0: none */
	uint32_t count;			/* all entries */
	uint32_t first_hash, last_hash; /* as stored; meaningless if count is 0 */
	uint32_t remote_entries;	/* visited entries with a remote value */
	uint32_t left_out;		/* entries that were not visited */
};

/* Decodes a leaf of the attribute fork. */
bool attr_leaf_decode(const struct check *c, const void *block, const struct da_expect *expect, attr_visit *visit,
		      void *ctx, struct attr_leaf *ret_leaf);

/*
 * True if bytes of an attribute leaf that belong to no readable entry are not zero: the kernel zeroes what it frees, so
 * a name may have been there.  owner: the inode.
 */
bool attr_leaf_has_strays(const struct geometry *geo, const void *block, xino_t owner);

/*
 * Corrects entries of an attribute leaf with one wrong field, if hashes and the room between names leave no doubt:
 * offset of the name, length of the name or value, invalid flags.  Does not update header and checksum: the caller
 * rebuilds the attributes from what it reads.  owner: the inode.
 */
void attr_leaf_mend(const struct geometry *geo, void *block, xino_t owner);

struct attr_remote {
	uint32_t offset; /* of these bytes in the value, a multiple of attr_remote_capacity() */
	uint32_t bytes;	 /* 1 to attr_remote_capacity(), after the header */
};

/*
 * Decodes one block of a remote value in version 5; in version 4 these blocks have no header.  False also if offset or
 * bytes are invalid.  The caller compares them with the leaf entry, and reports F_ATTR_REMOTE_OFFSET or
 * F_ATTR_REMOTE_BYTES.
 */
bool attr_remote_decode(const struct check *c, const void *block, const struct da_expect *expect,
			struct attr_remote *ret_remote);

/* Capacity of a value block in bytes. */
uint32_t attr_remote_capacity(const struct geometry *g);

/* ---- symlinks ---- */

/*
 * Checks a target of size bytes in the inode.  False, after a report: size is 0, or exceeds fork_size or 1024 (reported
 * as the inode's size), or the target has a NUL.
 */
bool symlink_local_check(const struct check *c, const uint8_t *fork, size_t fork_size, uint64_t size);

struct symlink_part {
	uint32_t offset; /* of these bytes in the target */
	uint32_t bytes;	 /* at least 1 */
};

/*
 * Decodes one extent of a remote target of size bytes.  It has len bytes, a multiple of the block size; expect->dablk
 * is its first block in the data fork.  In version 4 there is no header, and the contents follow from its place and
 * size.  False also if offset or bytes are invalid.  The caller adds up the parts: the offset of each must be the sum
 * of the bytes before it (else F_SYMLINK_OFFSET; checked here for the first part), and the total must be the inode's
 * size.
 */
bool symlink_remote_decode(const struct check *c, const void *extent, size_t len, const struct da_expect *expect,
			   uint64_t size, struct symlink_part *ret_part);

#endif
