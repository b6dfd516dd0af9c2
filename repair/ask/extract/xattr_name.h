/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes as they are on the disk, and as the system has them: ondisk 07. */
#ifndef XFSCK_REPAIR_XATTR_NAME_H
#define XFSCK_REPAIR_XATTR_NAME_H

#include <stddef.h>
#include <stdint.h>

struct attr_entry;

#define XATTR_NAME_ROOM 272u /* the longest prefix, 255 bytes, and a NUL */

enum xattr_kind {
	XATTR_NONE, /* the system has no name for it */
	XATTR_PLAIN,
	XATTR_ACL_ACCESS, /* these two are stored by their meaning, not as bytes */
	XATTR_ACL_DEFAULT,
};

/* What an attribute is, and the name that the system has for it: "user.", "trusted." or "security.", and its own. */
enum xattr_kind xattr_name_of(const struct attr_entry *attribute, char ret_name[static XATTR_NAME_ROOM]);

/* One entry of an access control list, on the disk and elsewhere with the same numbers. */
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

/* How many entries the value of an ACL attribute has; 0: it is none. */
uint32_t acl_count(const uint8_t *value, size_t len);
struct acl_item acl_item_get(const uint8_t *value, uint32_t index);

/* Bytes of the value that system.posix_acl_access and _default have, for so many entries; and fill it. */
#define ACL_XATTR_BYTES(count) (4 + (size_t)8 * (count))
void acl_xattr_make(const uint8_t *value, uint32_t count, uint8_t *ret);

#endif
