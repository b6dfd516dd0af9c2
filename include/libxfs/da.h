/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of the hash tree that directories and attributes share, and the
 * blocks of directories, attributes and symlinks (ondisk 06, 07, 08).  A
 * directory block has dir_block_size bytes, an attribute block block_size.
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

/* Name hash (ondisk 06); fold: as on an ascii-ci file system. */
uint32_t da_hashname(const uint8_t *name, size_t len, bool fold);
/* Index of the first byte that no name in a directory may have (ondisk 06, "Valid names"), or len. */
size_t da_name_bad_byte(const uint8_t *name, size_t len);
/* Make a directory entry's name valid: each byte that makes it invalid becomes an underscore. */
void da_name_make_possible(uint8_t *name, size_t len);
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

/* What a block is by its magic alone.  len >= 64. */
enum da_magic da_identify(const struct check *c, const void *block, size_t len);

/* a node: parent of nodes or leaves */
struct da_node {
	uint8_t level; /* 1: its children are leaves; 0: wrong on disk and reported, not known */
	uint16_t count;
	dablk_t forw, back;		/* 0: none */
	uint32_t first_hash, last_hash; /* of its entries */
};

/* False, and nothing visited, if it is no node.  child: called for each entry with a plausible block. */
bool da_node_decode(const struct check *c, const void *block, size_t len, const struct da_expect *expect,
		    void (*child)(void *ctx, dablk_t before, uint32_t hash), void *ctx, struct da_node *ret_node);
/* A callback that does nothing. */
void da_ignore_node(void *ctx, dablk_t before, uint32_t hash);

/* ---- directories ---- */

enum dir_entry_kind {
	ENTRY_NAME,
	ENTRY_DOT,
	ENTRY_DOTDOT,
	ENTRY_ASTRAY, /* a name, but its inode number, or something else in the entry, is invalid */
};

struct dir_entry {
	enum dir_entry_kind kind;
	uint8_t namelen;
	uint8_t ftype;	     /* as stored; 0 where entries carry none */
	const uint8_t *name; /* in the buffer that was decoded; for `.` and `..` what it should be */
	xino_t target;	     /* ino_valid() unless it is astray; of `.` always the directory itself */
	uint32_t hash;	     /* of the name */
	uint32_t address;    /* dataptr: byte offset in data space / 8; 0 for shortform entries */
};

typedef void dir_visit_entry(void *ctx, const struct dir_entry *entry);
/* a live leaf entry; hashes that repeat in one leaf come one after the other */
typedef void dir_visit_leaf(void *ctx, uint32_t hash, uint32_t address);
/* Callbacks that do nothing. */
dir_visit_entry dir_ignore_entry;
dir_visit_leaf dir_ignore_leaf;

/* Shortform directory of size bytes in a fork of fork_size.  `.` and `..` are visited too, `.` first.
 * False if the header makes the rest meaningless. */
bool dir_sf_decode(const struct check *c, const uint8_t *fork, size_t fork_size, uint64_t size, xino_t ino,
		   dir_visit_entry *visit, void *ctx);

struct dir_data {
	uint16_t longest; /* bytes of the longest free region, 0: none; as stored if damage hides regions */
	uint32_t entries; /* used ones, `.` and `..` included */
};

/* A data block (leaf and node format). False if it is none. Bad entries are reported and not visited;
 * decoding goes on behind them where the next one can be found. */
bool dir_data_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_entry *visit,
		     void *ctx, struct dir_data *ret_data);

/* The only block of a block-format directory: data, and the leaf entries at its end. The two are compared
 * by the caller, except that duplicate names are found and reported here. */
bool dir_block_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_entry *visit,
		      dir_visit_leaf *visit_leaf, void *ctx, struct dir_data *ret_data);

/* Looks up the hash that the hash index has for the entry at an address.  False: it has none, or several. */
typedef bool dir_hash_at(const void *ctx, uint32_t address, uint32_t *ret_hash);
/*
 * Set right how long the names of entries are, in a block of either kind, and which are no free regions, where hash and
 * room leave no doubt.  For who writes all names anew: the checksum stays as it is.  dablk: the block's.
 */
void dir_data_mend(const struct geometry *geo, void *block, dablk_t dablk, dir_hash_at *hash_at, const void *ctx);

struct dir_leaf {
	bool leaf1;	    /* carries bests[] */
	dablk_t forw, back; /* 0: none */
	uint32_t count;	    /* stale ones included */
	uint32_t stale;
	uint32_t first_hash, last_hash; /* meaningless if count is 0 */
	const be16_t *bests;		/* leaf1: in the buffer */
	uint32_t nbests;		/* 0: not a leaf1, or its number is damaged (reported) */
};

/* A leaf1 or leafn block. False if it is neither. */
bool dir_leaf_decode(const struct check *c, const void *block, const struct da_expect *expect, dir_visit_leaf *visit,
		     void *ctx, struct dir_leaf *ret_leaf);

struct dir_free {
	uint32_t firstdb, nvalid, nused;
	const be16_t *bests; /* nvalid of them, in the buffer */
};

/* A free index block; expect->dablk must agree with firstdb (ondisk 06). */
bool dir_free_decode(const struct check *c, const void *block, const struct da_expect *expect,
		     struct dir_free *ret_free);

/* ---- attributes ---- */

#define ATTR_LOCAL	0x01
#define ATTR_ROOT	0x02
#define ATTR_SECURE	0x04
#define ATTR_PARENT	0x08
#define ATTR_INCOMPLETE 0x80

struct attr_entry {
	uint8_t flags;	 /* ATTR_* as stored; never ATTR_INCOMPLETE, see below */
	uint8_t namelen; /* at least 1 */
	bool remote;
	const uint8_t *name;  /* in the buffer that was decoded */
	uint32_t valuelen;    /* bytes */
	const uint8_t *value; /* NULL if remote */
	dablk_t valueblk;     /* remote: first block in the attr fork, not 0 */
	/* parent pointers (ATTR_PARENT): what the value says; sound if the entry was visited */
	xino_t parent;
	uint32_t parent_gen;
};

/* The hash that an entry for it in a leaf has: of its name, and of a parent pointer's parent. It is sound. */
uint32_t attr_hash(const struct geometry *geo, const struct attr_entry *entry);

/*
 * Called for each attribute that is sound, which includes one with a wrong hash.  Others are reported: flags, name,
 * place or value can't be, or it is the same as one before it (names that repeat in another leaf are for the caller
 * to find).  Incomplete ones are reported and not visited: nothing they say can be relied on.
 */
typedef void attr_visit(void *ctx, const struct attr_entry *entry);
attr_visit attr_ignore; /* does nothing */

/* Shortform attributes in a fork of fork_size bytes.  False, and nothing visited, if the fork can't hold a header. */
bool attr_sf_decode(const struct check *c, const uint8_t *fork, size_t fork_size, xino_t ino, attr_visit *visit,
		    void *ctx);

struct attr_leaf {
	dablk_t forw, back;		/* 0: none */
	uint32_t count;			/* entries, whatever state they are in */
	uint32_t first_hash, last_hash; /* as stored; meaningless if count is 0 */
	uint32_t remote_entries;	/* visited entries whose value is remote */
	uint32_t left_out;		/* entries that were not visited */
};

/* A leaf of the attribute fork.  False, and nothing visited, if it is none by its magic. */
bool attr_leaf_decode(const struct check *c, const void *block, const struct da_expect *expect, attr_visit *visit,
		      void *ctx, struct attr_leaf *ret_leaf);

/*
 * Set right what a single wrong field did to entries of such a leaf, where hashes and the room between names leave no
 * doubt: where a name lies, how long it or its value is, flags that can't be.  For who writes all that it has anew:
 * the header and the checksum stay as they are.
 */
void attr_leaf_mend(const struct geometry *geo, void *block, xino_t owner);

struct attr_remote {
	uint32_t offset; /* of these bytes in the value; a multiple of attr_remote_capacity() */
	uint32_t bytes;	 /* 1 to attr_remote_capacity(); they lie at the end of the header */
};

/*
 * One block of a remote value on V5; on V4 they are nothing but bytes.  False, with *ret_remote not set, if magic,
 * offset or bytes are reported.  Else the caller compares offset and bytes with the entry in the leaf:
 * F_ATTR_REMOTE_OFFSET, F_ATTR_REMOTE_BYTES.
 */
bool attr_remote_decode(const struct check *c, const void *block, const struct da_expect *expect,
			struct attr_remote *ret_remote);

/* Bytes of a value that one value block holds. */
uint32_t attr_remote_capacity(const struct geometry *g);

/* ---- symlinks ---- */

/* An inline target of size bytes; the size is reported, as the inode's, unless it is 1 to fork_size and 1024. */
bool symlink_local_check(const struct check *c, const uint8_t *fork, size_t fork_size, uint64_t size);

struct symlink_part {
	uint32_t offset; /* of these bytes in the target */
	uint32_t bytes;	 /* at least 1 */
};

/*
 * One extent of a remote target of size bytes: len bytes, whole blocks; expect->dablk is its first block in the data
 * fork.  False, with *ret_part not set, if magic, offset or bytes are reported; V4 blocks have none of these, and what
 * they hold follows from place and size.  Else the caller adds up the parts: offset must be
 * the sum of those before (F_SYMLINK_OFFSET; of the first it is checked here), the sum of all the inode's size.
 */
bool symlink_remote_decode(const struct check *c, const void *extent, size_t len, const struct da_expect *expect,
			   uint64_t size, struct symlink_part *ret_part);

#endif
