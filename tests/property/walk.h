/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walkers: each adds the structures of one kind of object, which has just begun, to the catalog.  The image must be
 * sound: invalid values end the program.
 */
#ifndef PROPERTY_WALK_H
#define PROPERTY_WALK_H

#include "catalog.h"

/* Size of a directory entry in a block in bytes. */
size_t dir_entry_size(size_t namelen);

#define FTYPE_SIZE 1 /* all directory entries of version 5 have it */

/* Finds all objects of an image and walks them. */
void find_objects(struct catalog *catalog);

void walk_superblock(struct catalog *catalog, enum kind kind);
void walk_agf(struct catalog *catalog, enum kind kind);
void walk_agfl(struct catalog *catalog, enum kind kind);
void walk_agi(struct catalog *catalog, enum kind kind);
void walk_ag_btree(struct catalog *catalog, enum kind kind);
void walk_bmbt(struct catalog *catalog, enum kind kind);
void walk_inode(struct catalog *catalog, enum kind kind);
void walk_free_inode(struct catalog *catalog, enum kind kind);
void walk_dir_block(struct catalog *catalog, enum kind kind);
void walk_dir_data(struct catalog *catalog, enum kind kind);
void walk_dir_leaf(struct catalog *catalog, enum kind kind);
void walk_da_node(struct catalog *catalog, enum kind kind);
void walk_dir_free(struct catalog *catalog, enum kind kind);
void walk_attr_leaf(struct catalog *catalog, enum kind kind);
void walk_attr_remote(struct catalog *catalog, enum kind kind);
void walk_symlink(struct catalog *catalog, enum kind kind);
void walk_log_record(struct catalog *catalog, enum kind kind);

void walk_leaf_entries(struct catalog *catalog, enum kind kind, size_t offset, size_t count);

/* The contents of an inode's forks, size bytes from offset of the inode on. */
void walk_dir_sf(struct catalog *catalog, size_t offset, size_t size);
void walk_attr_sf(struct catalog *catalog, size_t offset, size_t size);
void walk_symlink_target(struct catalog *catalog, enum kind kind, size_t offset, size_t size);
void walk_extents(struct catalog *catalog, enum kind kind, size_t offset, size_t count);
void walk_bmdr(struct catalog *catalog, size_t offset, size_t size);

#endif
