/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes of an inode in a pattern: in the inode, or in a leaf, one of them with a remote value. */
#ifndef XFSCK_TESTS_COMPUTED_ATTRS_H
#define XFSCK_TESTS_COMPUTED_ATTRS_H

#include "libxfs/attr_build.h"
#include "libxfs/bmap.h"
#include "pattern.h"

#define ATTRS_MAX 12u

struct attr_value {
	uint8_t bytes[12]; /* of parent pointers */
};

struct attrs {
	struct attr_item items[ATTRS_MAX];
	enum shift shifts[ATTRS_MAX]; /* of parent pointers: of the parent */
	struct attr_value values[ATTRS_MAX];
	uint32_t count;
	bool numbered; /* the first is a parent pointer whose name is the number of the pattern */
	bool leaf;
	uint32_t leaf_at;		 /* block of the pattern */
	uint32_t value_at, value_blocks; /* of a remote value */
};

/* Adds an attribute; name and value must live as long.  value may be NULL if it has no bytes. */
void attrs_add(struct attrs *attrs, uint8_t flags, const uint8_t *name, uint8_t namelen, const uint8_t *value,
	       uint32_t valuelen);
/* Adds a parent pointer, whose parent's number is relative as `shift` says; attrs_set_parent() sets it. */
void attrs_add_parent(struct attrs *attrs, const uint8_t *name, uint8_t namelen, enum shift shift);
void attrs_set_parent(struct attrs *attrs, uint32_t index, uint64_t ino, uint32_t gen);
/* Size of the fork in an inode in bytes; 0: none. */
uint32_t attrs_fork_size(const struct attrs *attrs);
/* Extents of the fork, at most two. */
uint32_t attrs_extents(const struct attrs *attrs, struct bmap_record *records);
/* Writes the fork at byte `at` of a block. */
void attrs_put_fork(struct pattern *pattern, uint32_t block, size_t at, const struct attrs *attrs);
/* Writes its blocks, if any. */
void attrs_put_blocks(struct pattern *pattern, const struct attrs *attrs, uint64_t owner);

/* Sets the hashes of parent pointers in a leaf, once these have their real numbers, and sorts the entries. */
void attrs_sort_leaf(const struct geometry *g, uint8_t *block);

#endif
