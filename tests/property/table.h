/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All structures of the table of fields. */
#ifndef PROPERTY_TABLE_H
#define PROPERTY_TABLE_H

#include "field.h"

/* clang-format off */
#define STRUCTURES(x) \
	x(primary) \
	x(secondary) \
	x(agf) \
	x(agfl) \
	x(agfl_active) \
	x(agfl_inactive) \
	x(agi) \
	x(btree_short) \
	x(alloc_rec) \
	x(alloc_key) \
	x(inobt_rec) \
	x(inobt_key) \
	x(rmap_rec) \
	x(rmap_range) \
	x(refcount_rec) \
	x(refcount_key) \
	x(btree_long) \
	x(btree_long_ptr) \
	x(extent) \
	x(bmbt_key) \
	x(bmdr) \
	x(inode_device) \
	x(free_inode) \
	x(dir_sf_header) \
	x(dir_sf_parent4) \
	x(dir_sf_parent8) \
	x(dir_sf_entry) \
	x(dir_sf_name) \
	x(dir_sf_ino4) \
	x(dir_sf_ino8) \
	x(dir_ftype) \
	x(dir_data_header) \
	x(dir_entry) \
	x(dir_name) \
	x(dir_padding) \
	x(dir_tag) \
	x(dir_free_region) \
	x(dir_block_tail) \
	x(dir_leaf_header) \
	x(dir_leaf_entry) \
	x(dir_stale_entry) \
	x(dir_best) \
	x(dir_free_header) \
	x(da_node_header) \
	x(da_node_entry) \
	x(attr_sf_header) \
	x(attr_sf_entry) \
	x(attr_sf_name) \
	x(attr_leaf_header) \
	x(attr_leaf_entry) \
	x(attr_leaf_local) \
	x(attr_leaf_remote) \
	x(attr_hashed_name) \
	x(attr_parent) \
	x(attr_value) \
	x(attr_acl) \
	x(attr_acl_entry) \
	x(attr_remote_header) \
	x(symlink_header) \
	x(symlink_target) \
	x(log_header) \
	x(log_op) \
	x(unused) \
	x(zero)
/* clang-format on */

#define x(name) extern const struct structure name##_structure;
STRUCTURES(x)
#undef x

/* Ends the program if a bit of a structure belongs to no field. */
void table_check(void);

/* Prints the fields with an excuse, one per line. */
void table_list_excuses(void);

/* The structure number i, counting from 0, or NULL. */
const struct structure *table_get(size_t i);

#endif
