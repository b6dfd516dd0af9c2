/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Extended attributes: in the inode, in leaves, and values in blocks of their own (ondisk 07). */
#ifndef XFSCK_DISK_ATTR_H
#define XFSCK_DISK_ATTR_H

#include "disk/da.h"

#define ATTR_MAX_VALUE 65536u /* bytes */

/* ---- shortform: this header, then attr_sf_entry_disk, name and value of each, without gaps ---- */

struct attr_sf_header_disk {
	be16_t totsize; /* bytes, with this header */
	uint8_t count;
	uint8_t pad;
};
_Static_assert(sizeof(struct attr_sf_header_disk) == 4, "attr sf header");
_Static_assert(offsetof(struct attr_sf_header_disk, count) == 2, "attr sf header");

struct attr_sf_entry_disk {
	uint8_t namelen;
	uint8_t valuelen;
	uint8_t flags;
	uint8_t name[]; /* the value follows */
};
_Static_assert(sizeof(struct attr_sf_entry_disk) == 3, "attr sf entry");

/* ---- leaf: entries grow up after the header, names and local values down from the end of the block ---- */

#define ATTR_LEAF_FREEMAPS   3
#define ATTR_LEAF_NAME_ALIGN 4u /* of names, their sizes, and the free regions */

struct attr_leaf_freemap_disk {
	be16_t base; /* byte in the block */
	be16_t size; /* bytes, 0: slot not used */
};
_Static_assert(sizeof(struct attr_leaf_freemap_disk) == 4, "attr leaf freemap");

/* after the blkinfo of either size */
struct attr_leaf_fields_disk {
	be16_t count;
	be16_t usedbytes; /* of names and values, each rounded up */
	be16_t firstused; /* byte in the block where the first name begins; 0 stands for 65536 */
	uint8_t holes;	  /* 1: there may be free space between names */
	uint8_t pad1;
	struct attr_leaf_freemap_disk freemap[ATTR_LEAF_FREEMAPS];
};
_Static_assert(sizeof(struct attr_leaf_fields_disk) == 20, "attr leaf fields");

#define ATTR_LEAF_HEADER_SIZE_V4 32u
_Static_assert(DA_BLKINFO_SIZE_V4 + sizeof(struct attr_leaf_fields_disk) == ATTR_LEAF_HEADER_SIZE_V4,
	       "attr leaf header");

struct attr_leaf_header_disk {
	struct da_blkinfo_disk info;
	struct attr_leaf_fields_disk f;
	be32_t pad2;
};
_Static_assert(sizeof(struct attr_leaf_header_disk) == 80, "attr leaf header");
_Static_assert(offsetof(struct attr_leaf_header_disk, f.count) == 56, "attr leaf header");
_Static_assert(offsetof(struct attr_leaf_header_disk, f.usedbytes) == 58, "attr leaf header");
_Static_assert(offsetof(struct attr_leaf_header_disk, f.firstused) == 60, "attr leaf header");
_Static_assert(offsetof(struct attr_leaf_header_disk, f.holes) == 62, "attr leaf header");
_Static_assert(offsetof(struct attr_leaf_header_disk, f.pad1) == 63, "attr leaf header");
_Static_assert(offsetof(struct attr_leaf_header_disk, f.freemap) == 64, "attr leaf header");
_Static_assert(offsetof(struct attr_leaf_header_disk, pad2) == 76, "attr leaf header");

struct attr_leaf_entry_disk {
	be32_t hashval;
	be16_t nameidx; /* byte in the block of a name_local or name_remote */
	uint8_t flags;
	uint8_t pad;
};
_Static_assert(sizeof(struct attr_leaf_entry_disk) == 8, "attr leaf entry");
_Static_assert(offsetof(struct attr_leaf_entry_disk, nameidx) == 4, "attr leaf entry");
_Static_assert(offsetof(struct attr_leaf_entry_disk, flags) == 6, "attr leaf entry");

struct attr_name_local_disk {
	be16_t valuelen;
	uint8_t namelen;
	uint8_t name[]; /* the value follows */
};
_Static_assert(sizeof(struct attr_name_local_disk) == 3, "attr local name");
_Static_assert(offsetof(struct attr_name_local_disk, namelen) == 2, "attr local name");

struct attr_name_remote_disk {
	be32_t valueblk; /* block in the attribute fork */
	be32_t valuelen;
	uint8_t namelen;
	uint8_t name[];
};
_Static_assert(sizeof(struct attr_name_remote_disk) == 9, "attr remote name");
_Static_assert(offsetof(struct attr_name_remote_disk, valuelen) == 4, "attr remote name");
_Static_assert(offsetof(struct attr_name_remote_disk, namelen) == 8, "attr remote name");

/* size of a remote name in a leaf without the name itself: two bytes more than the struct, for historical reasons */
#define ATTR_NAME_REMOTE_FIXED 11u

/* ---- value block: the value's bytes follow ---- */

struct attr_remote_disk {
	be32_t magic;  /* DA_MAGIC_ATTR_VALUE */
	be32_t offset; /* byte in the value */
	be32_t bytes;
	le32_t crc;
	uint8_t uuid[16];
	be64_t owner;
	be64_t blkno;
	be64_t lsn; /* all ones: these blocks never go through the log */
};
_Static_assert(sizeof(struct attr_remote_disk) == 56, "attr remote");
_Static_assert(offsetof(struct attr_remote_disk, crc) == 12, "attr remote");
_Static_assert(offsetof(struct attr_remote_disk, uuid) == 16, "attr remote");
_Static_assert(offsetof(struct attr_remote_disk, owner) == 32, "attr remote");
_Static_assert(offsetof(struct attr_remote_disk, blkno) == 40, "attr remote");
_Static_assert(offsetof(struct attr_remote_disk, lsn) == 48, "attr remote");

/* ---- values with a meaning ---- */

struct attr_parent_disk {
	be64_t ino;
	be32_t gen;
};
_Static_assert(sizeof(struct attr_parent_disk) == 12, "attr parent");
_Static_assert(offsetof(struct attr_parent_disk, gen) == 8, "attr parent");

/* Tags of entries */
#define ACL_USER_OBJ  0x01u /* the owner */
#define ACL_USER      0x02u
#define ACL_GROUP_OBJ 0x04u
#define ACL_GROUP     0x08u
#define ACL_MASK      0x10u
#define ACL_OTHER     0x20u

struct attr_acl_entry_disk {
	be32_t tag;
	be32_t id;
	be16_t perm;
	be16_t pad;
};
_Static_assert(sizeof(struct attr_acl_entry_disk) == 12, "attr acl entry");

struct attr_acl_disk {
	be32_t count;
	struct attr_acl_entry_disk entries[];
};
_Static_assert(sizeof(struct attr_acl_disk) == 4, "attr acl");

#endif
