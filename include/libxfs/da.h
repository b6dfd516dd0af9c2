/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of the hash tree that directories and attributes share, and the
 * blocks of directories, attributes and symlinks (ondisk 06, 07, 08).  A
 * directory block has dir_block_size bytes, an attribute block block_size.
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
	enum fork fork; /* DATA_FORK: of a directory, ATTR_FORK: of attributes; their trees lie in different places */
};

/* The blocks before and behind a block on its level of the tree; 0: there is none. */
struct da_siblings {
	dablk_t forw, back;
};

/* Hash of a name (ondisk 06).  fold: without regard to case, as on an ascii-ci file system. */
uint32_t da_hashname(const uint8_t *name, size_t len, bool fold);
/* Index of the first byte that no name in a directory may have (ondisk 06, "Valid names"), or len. */
size_t da_name_bad_byte(const uint8_t *name, size_t len);
/* Make a directory entry's name valid: each byte that makes it invalid becomes an underscore. */
void da_name_make_possible(uint8_t *name, size_t len);
/*
 * If one byte of a name is impossible, and the hash of the right name is known, give it the value that it had.  False:
 * more bytes are, or none is, or another byte does not give that hash; the name is unchanged.
 */
bool da_name_restore(uint8_t *name, size_t len, uint32_t hash);
/* Whether two names of the same length are the same to the file system. */
bool da_names_equal(const uint8_t *a, const uint8_t *b, size_t len, bool fold);
/* Upper case to lower case as ascii-ci file systems fold it: ASCII and Latin-1 (ondisk 06). */
uint8_t da_fold_case(uint8_t byte);
/* Hash of a parent pointer (ondisk 07). */
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

/* a node, whose children are nodes or leaves */
struct da_node {
	uint8_t level; /* 1: its children are leaves; 0: not known, since it is wrong on the disk, which was reported */
	uint16_t count;
	dablk_t forw, back;		/* 0: none */
	uint32_t first_hash, last_hash; /* of its entries */
};

/* A node.  child: called for each entry that points to a block which can be a part of the tree. */
bool da_node_decode(const struct check *c, const void *block, size_t len, const struct da_expect *expect,
		    void (*child)(void *ctx, dablk_t before, uint32_t hash), void *ctx, struct da_node *ret_node);
/* A callback that does nothing. */
void da_ignore_node(void *ctx, dablk_t before, uint32_t hash);

/* ---- directories ---- */

enum dir_entry_kind {
	ENTRY_NAME,
	ENTRY_DOT,
	ENTRY_DOTDOT,
	ENTRY_INVALID, /* a name whose inode number is invalid */
};

struct dir_entry {
	enum dir_entry_kind kind;
	uint8_t namelen;
	uint8_t ftype;	     /* as stored; 0 where entries carry none */
	const uint8_t *name; /* in the buffer that was decoded; of `.` and `..`, the right name even if it is damaged */
	xino_t target;	     /* ino_valid() except for ENTRY_INVALID; of `.` always the directory itself */
	uint32_t hash;	     /* of the name */
	uint32_t address;    /* dataptr: byte offset in data space / 8; 0 for shortform entries */
};

typedef void dir_visit_entry(void *ctx, const struct dir_entry *entry);
/* Called for each leaf entry that is not stale; in a sound leaf, entries with the same hash follow each other. */
typedef void dir_visit_leaf(void *ctx, uint32_t hash, uint32_t address);
/* Callbacks that do nothing. */
dir_visit_entry dir_ignore_entry;
dir_visit_leaf dir_ignore_leaf;

/*
 * A shortform directory of size bytes in a fork of fork_size.  `.` and `..`, which it does not store as entries, are
 * visited first, `..` if its inode number is valid.  False: the fork has no room for the header, which is reported.
 */
bool dir_sf_decode(const struct check *c, const uint8_t *fork, size_t fork_size, uint64_t size, xino_t ino,
		   dir_visit_entry *visit, void *ctx);

/*
 * The name of the entry that a problem is about, by the offset with which it was reported, in a block or in the fork of
 * a shortform directory: size bytes.  NULL: there is none.
 */
const uint8_t *dir_entry_name_at(const uint8_t *bytes, size_t size, bool shortform, uint32_t offset, uint8_t *ret_len);

struct dir_data {
	uint16_t longest; /* bytes of the longest free region, 0: none; as stored if damage hides regions */
	uint32_t entries; /* with `.` and `..`, and with bad ones */
};

/*
 * A data block of a directory in leaf or node format.  An entry with a bad inode number is visited as ENTRY_INVALID;
 * one without a name is only reported.  Behind damage, decoding goes on where the next entry can be found.
 */
bool dir_data_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_entry *visit,
		     void *ctx, struct dir_data *ret_data);

/*
 * The only block of a block-format directory: entries, as in a data block, and behind them the leaf entries.  Leaf
 * entries that point to no entry, and names that occur twice, are reported here; all else that entries and leaf
 * entries must agree in is for the caller to compare.
 */
bool dir_block_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_entry *visit,
		      dir_visit_leaf *visit_leaf, void *ctx, struct dir_data *ret_data);

/* Looks up the hash that the hash index has for the entry at an address.  False: it has none, or several. */
typedef bool dir_hash_at(const void *ctx, uint32_t address, uint32_t *ret_hash);
/*
 * In a data block or a block-format block, set right name lengths, and entries that look like free regions, if the hash
 * of an entry and the room that it has leave no doubt.  The checksum is not updated: the caller builds the directory
 * anew from what it reads.  dablk: of the block.
 */
void dir_data_mend(const struct geometry *geo, void *block, dablk_t dablk, dir_hash_at *hash_at, const void *ctx);

struct dir_leaf {
	bool leaf1;	    /* carries bests[] */
	dablk_t forw, back; /* 0: none */
	uint32_t count;	    /* stale ones included */
	uint32_t stale;
	uint32_t first_hash, last_hash; /* meaningless if count is 0 */
	const be16_t *bests;		/* leaf1: in the buffer that was decoded */
	uint32_t nbests;		/* 0: not a leaf1, or the number is damaged, which was reported */
};

/* A leaf1 or leafn block: leaf1 is accepted only where the root of the tree lies. */
bool dir_leaf_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_leaf *visit,
		     void *ctx, struct dir_leaf *ret_leaf);

struct dir_free {
	uint32_t firstdb, nvalid, nused;
	const be16_t *bests; /* nvalid of them, in the buffer that was decoded */
};

/* A free index block.  firstdb is checked against expect->dablk (ondisk 06). */
bool dir_free_decode(const struct check *c, const void *block, const struct da_expect *expect,
		     struct dir_free *ret_free);

/* ---- attributes ---- */

#define ATTR_LOCAL	0x01
#define ATTR_ROOT	0x02
#define ATTR_SECURE	0x04
#define ATTR_PARENT	0x08
#define ATTR_INCOMPLETE 0x80

struct attr_entry {
	uint8_t flags;	 /* ATTR_* as stored; ATTR_INCOMPLETE is never visited, see attr_visit */
	uint8_t namelen; /* at least 1 */
	bool remote;
	const uint8_t *name;  /* in the buffer that was decoded */
	uint32_t valuelen;    /* bytes */
	const uint8_t *value; /* NULL if remote */
	dablk_t valueblk;     /* remote: first block in the attr fork, not 0 */
	/* of parent pointers (ATTR_PARENT), from the value: checked before the entry is visited */
	xino_t parent;
	uint32_t parent_gen;
};

/* The hash that a sound attribute has in a leaf: that of its name or, of a parent pointer, of name and parent. */
uint32_t attr_hash(const struct geometry *geo, const struct attr_entry *entry);

/*
 * Called for each sound attribute, and for one with a wrong hash if all else about it is sound.  Reported and not
 * visited are attributes with impossible flags, name, place or value; those that are the same as an earlier one of the
 * same leaf or fork (the caller finds those that repeat in another leaf); and incomplete ones, since nothing that they
 * say can be relied on.
 */
typedef void attr_visit(void *ctx, const struct attr_entry *entry);
attr_visit attr_ignore; /* does nothing */

/* Shortform attributes in a fork of fork_size bytes.  False: the fork has no room for the header, which is reported. */
bool attr_sf_decode(const struct check *c, const uint8_t *fork, size_t fork_size, xino_t ino, attr_visit *visit,
		    void *ctx);
/* How many attributes there were at least, other than incomplete ones, that are not visited since they are damaged. */
uint32_t attr_sf_damaged(const struct geometry *geo, const uint8_t *fork, size_t fork_size, xino_t ino);

struct attr_leaf {
	dablk_t forw, back;		/* 0: none */
	uint32_t count;			/* entries, whatever state they are in */
	uint32_t first_hash, last_hash; /* as stored; meaningless if count is 0 */
	uint32_t remote_entries;	/* visited entries whose value is remote */
	uint32_t left_out;		/* entries that were not visited */
};

/* A leaf of the attribute fork. */
bool attr_leaf_decode(const struct check *c, const void *block, const struct da_expect *expect, attr_visit *visit,
		      void *ctx, struct attr_leaf *ret_leaf);

/*
 * Set right entries of an attribute leaf in which one field is wrong, if hashes and the room between names leave no
 * doubt: where a name lies, how long it or its value is, and impossible flags.  Header and checksum are not updated:
 * the caller builds the attributes anew from what it reads.  owner: the inode.
 */
void attr_leaf_mend(const struct geometry *geo, void *block, xino_t owner);

struct attr_remote {
	uint32_t offset; /* of these bytes in the value; a multiple of attr_remote_capacity() */
	uint32_t bytes;	 /* 1 to attr_remote_capacity(); they lie right behind the header */
};

/*
 * One block of a remote value in version 5; in version 4 these blocks have no header.  Returns false also if offset or
 * bytes are impossible.  That they agree with the leaf entry is for the caller to check, who reports it as
 * F_ATTR_REMOTE_OFFSET or F_ATTR_REMOTE_BYTES.
 */
bool attr_remote_decode(const struct check *c, const void *block, const struct da_expect *expect,
			struct attr_remote *ret_remote);

/* Bytes of a value that one value block holds. */
uint32_t attr_remote_capacity(const struct geometry *g);

/* ---- symlinks ---- */

/*
 * Check a target of size bytes in the inode.  False, after a report: the size is 0, or exceeds fork_size or 1024 (then
 * it is the inode's size that is reported), or the target has a NUL.
 */
bool symlink_local_check(const struct check *c, const uint8_t *fork, size_t fork_size, uint64_t size);

struct symlink_part {
	uint32_t offset; /* of these bytes in the target */
	uint32_t bytes;	 /* at least 1 */
};

/*
 * One extent of a remote target of size bytes.  It has len bytes, a multiple of the block size; expect->dablk is its
 * first block in the data fork.  In version 4 there is no header, and what the extent holds follows from its place and
 * from size.  Returns false also if offset or bytes are impossible.  The caller adds up the parts: the offset of each
 * must be the sum of the bytes before it (else F_SYMLINK_OFFSET; of the first part this is checked here), and the sum
 * of all must be the inode's size.
 */
bool symlink_remote_decode(const struct check *c, const void *extent, size_t len, const struct da_expect *expect,
			   uint64_t size, struct symlink_part *ret_part);

#endif
