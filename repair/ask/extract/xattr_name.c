/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On disk, access control lists are attributes of the root namespace, big-endian, with 12 bytes per entry. */
#include "xattr_name.h"

#include <string.h>

#include "be.h"
#include "libxfs/da.h"

struct acl_item_disk {
	be32_t tag, id;
	be16_t perm, pad;
};
_Static_assert(sizeof(struct acl_item_disk) == 12, "acl");

#define ACL_XATTR_VERSION 2

static bool is_named(const struct attr_entry *e, const char *name)
{
	return e->namelen == strlen(name) && !memcmp(e->name, name, e->namelen);
}

enum xattr_kind xattr_name_of(const struct attr_entry *e, char ret_name[static XATTR_NAME_ROOM])
{
	const char *prefix = e->flags & ATTR_ROOT ? "trusted." : e->flags & ATTR_SECURE ? "security." : "user.";
	const size_t len = strlen(prefix);

	if (e->flags & ATTR_PARENT || memchr(e->name, 0, e->namelen))
		return XATTR_NONE;
	memcpy(ret_name, prefix, len);
	memcpy(ret_name + len, e->name, e->namelen);
	ret_name[len + e->namelen] = '\0';
	if (e->flags & ATTR_ROOT && is_named(e, "SGI_ACL_FILE"))
		return XATTR_ACL_ACCESS;
	if (e->flags & ATTR_ROOT && is_named(e, "SGI_ACL_DEFAULT"))
		return XATTR_ACL_DEFAULT;
	return XATTR_PLAIN;
}

uint32_t acl_count(const uint8_t *value, size_t len)
{
	be32_t disk;
	uint32_t count;

	if (len < sizeof(disk))
		return 0;
	memcpy(&disk, value, sizeof(disk));
	count = be32_get(disk);
	return count <= (len - sizeof(disk)) / sizeof(struct acl_item_disk) ? count : 0;
}

struct acl_item acl_item_get(const uint8_t *value, uint32_t index)
{
	struct acl_item_disk disk;

	memcpy(&disk, value + sizeof(be32_t) + (size_t)index * sizeof(disk), sizeof(disk));
	return (struct acl_item){ (uint16_t)be32_get(disk.tag), be16_get(disk.perm), be32_get(disk.id) };
}

void acl_xattr_make(const uint8_t *value, uint32_t count, uint8_t *ret)
{
	const le32_t version = le32_put(ACL_XATTR_VERSION); /* little-endian, even in system calls */

	memcpy(ret, &version, sizeof(version));
	for (uint32_t i = 0; i < count; i++) {
		const struct acl_item item = acl_item_get(value, i);
		const bool named = item.tag == ACL_TAG_USER || item.tag == ACL_TAG_GROUP;
		const le32_t tag_and_perm = le32_put(item.tag | (uint32_t)item.perm << 16);
		const le32_t id = le32_put(named ? item.id : UINT32_MAX);
		uint8_t *at = ret + ACL_XATTR_BYTES(i);

		memcpy(at, &tag_and_perm, sizeof(tag_and_perm));
		memcpy(at + 4, &id, sizeof(id));
	}
}
