/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts attributes from the disk to those of system calls: ondisk 07. */
#ifndef XFSCK_REPAIR_XATTR_NAME_H
#define XFSCK_REPAIR_XATTR_NAME_H

#include <stddef.h>
#include <stdint.h>

struct attr_entry;

#define XATTR_NAME_ROOM 272u /* the longest prefix, 255 bytes, and a NUL */

enum xattr_kind {
	XATTR_NONE, /* no name in system calls */
	XATTR_PLAIN,
	XATTR_ACL_ACCESS, /* this and the next have another format on disk */
	XATTR_ACL_DEFAULT,
};

/* Returns the kind of an attribute, and its full name with "user.", "trusted." or "security.". */
enum xattr_kind xattr_name_of(const struct attr_entry *attribute, char ret_name[static XATTR_NAME_ROOM]);

/* An entry of an access control list; numbers are the same on disk and elsewhere. */
struct acl_item {
	uint16_t tag, perm;
	uint32_t id;
};
#define ACL_TAG_USER_OBJ  0x01
#define ACL_TAG_USER	  0x02
#define ACL_TAG_GROUP_OBJ 0x04
#define ACL_TAG_GROUP	  0x08
#define ACL_TAG_MASK	  0x10
#define ACL_TAG_OTHER	  0x20

/* Returns the number of entries in the value of an ACL attribute; 0: invalid. */
uint32_t acl_count(const uint8_t *value, size_t len);
struct acl_item acl_item_get(const uint8_t *value, uint32_t index);

/* The size in bytes of system.posix_acl_access or _default with this many entries; converts a value. */
#define ACL_XATTR_BYTES(count) (4 + (size_t)8 * (count))
void acl_xattr_make(const uint8_t *value, uint32_t count, uint8_t *ret);

#endif
