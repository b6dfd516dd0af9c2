/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks an attribute, wherever it is stored (ondisk 07): its flags, its name, and the values that the file system
 * interprets: parent pointers and ACLs.  The caller has made sure that name and value lie within its buffer.  The
 * ledger compares parent pointers with directories.
 */
#include "attr.h"

#include "disk/attr.h"

static bool check_flags(const struct check *c, uint8_t allowed, uint32_t offset, uint32_t index, uint8_t flags)
{
	uint8_t namespace = flags & ATTR_NAMESPACES;

	if ((flags & ~allowed) == 0 && (namespace & (namespace - 1)) == 0 &&
	    (c->geo->parent || namespace != ATTR_PARENT))
		return true;
	return problem_at(c, F_ATTR_FLAGS, offset, index, flags, allowed);
}

/* True if a directory entry can have this name (ondisk 06, "Valid names"). */
static bool is_entry_name(const uint8_t *name, size_t len)
{
	bool dots = name[0] == '.' && (len == 1 || (len == 2 && name[1] == '.'));

	return !dots && da_name_bad_byte(name, len) == len;
}

static bool check_parent(const struct check *c, xino_t owner, uint32_t offset, uint32_t index, struct attr_entry *entry)
{
	struct attr_parent_disk value;

	if (entry->remote)
		return problem_at(c, F_ATTR_PARENT_REMOTE, offset, index, entry->valuelen, sizeof(value));
	if (entry->valuelen != sizeof(value))
		return problem_at(c, F_ATTR_PARENT_SIZE, offset, index, entry->valuelen, sizeof(value));
	if (!is_entry_name(entry->name, entry->namelen))
		return problem_at(c, F_ATTR_NAME, offset, index, entry->namelen, 0);
	memcpy(&value, entry->value, sizeof(value));
	entry->parent.v = be64_get(value.ino);
	entry->parent_gen = be32_get(value.gen);
	/* no directory contains itself; the root is its own parent, but has no parent pointer */
	if (!ino_valid(c->geo, entry->parent) || entry->parent.v == owner.v)
		return problem_at(c, F_ATTR_PARENT_INO, offset, index, entry->parent.v, 0);
	return true;
}

static bool is_acl(const struct attr_entry *entry)
{
	static const char access[] = "SGI_ACL_FILE", inherited[] = "SGI_ACL_DEFAULT";

	if (!(entry->flags & ATTR_ROOT) || entry->remote)
		return false;
	return (entry->namelen == sizeof(access) - 1 && memcmp(entry->name, access, sizeof(access) - 1) == 0) ||
	       (entry->namelen == sizeof(inherited) - 1 && memcmp(entry->name, inherited, sizeof(inherited) - 1) == 0);
}

/*
 * Reports ACL entries that kernels reject: an unknown tag; owner, group, others or mask twice; or one of these missing
 * (the mask only if there are named users or groups).  Kernels check neither the order of entries, nor whether a user
 * or group occurs twice.
 */
static bool check_acl_entries(const struct check *c, uint32_t offset, uint32_t index, const struct attr_entry *entry,
			      uint32_t count)
{
	const uint32_t once = ACL_USER_OBJ | ACL_GROUP_OBJ | ACL_MASK | ACL_OTHER, named = ACL_USER | ACL_GROUP;
	uint32_t seen = 0, must;

	for (uint32_t i = 0; i < count; i++) {
		struct attr_acl_entry_disk acl;
		uint32_t tag;

		memcpy(&acl, entry->value + sizeof(struct attr_acl_disk) + i * sizeof(acl), sizeof(acl));
		tag = be32_get(acl.tag);
		if (tag == 0 || (tag & ~(once | named)) || (tag & (tag - 1)) || (tag & seen & once))
			return problem_at(c, F_ATTR_ACL_ENTRY, offset, index, i, tag);
		seen |= tag;
	}
	must = ACL_USER_OBJ | ACL_GROUP_OBJ | ACL_OTHER | (seen & named ? ACL_MASK : 0);
	return (must & ~seen) == 0 || problem_at(c, F_ATTR_ACL_LACKS, offset, index, count, must & ~seen);
}

/* Checks the count of an ACL against its size (ondisk 07, "Interaction with the inode"). */
static bool check_acl(const struct check *c, uint32_t offset, uint32_t index, const struct attr_entry *entry)
{
	struct attr_acl_disk acl = { .count = be32_put(0) };
	uint64_t want = sizeof(acl);

	if (entry->valuelen >= sizeof(acl)) {
		memcpy(&acl, entry->value, sizeof(acl));
		want += (uint64_t)be32_get(acl.count) * sizeof(struct attr_acl_entry_disk);
	}
	if (entry->valuelen != want)
		return problem_at(c, F_ATTR_ACL, offset, index, entry->valuelen, want);
	return check_acl_entries(c, offset, index, entry, be32_get(acl.count));
}

bool attr_check(const struct check *c, xino_t owner, uint8_t allowed, uint32_t offset, uint32_t index,
		struct attr_entry *entry)
{
	if (!check_flags(c, allowed, offset, index, entry->flags))
		return false;
	if (entry->namelen == 0)
		return problem_at(c, F_ATTR_NAMELEN, offset, index, 0, 1);
	if (entry->flags & ATTR_PARENT)
		return check_parent(c, owner, offset, index, entry);
	if (memchr(entry->name, '\0', entry->namelen))
		return problem_at(c, F_ATTR_NAME, offset, index, entry->namelen, 0);
	return !is_acl(entry) || check_acl(c, offset, index, entry);
}

uint32_t attr_hash(const struct geometry *geo, const struct attr_entry *entry)
{
	if (entry->flags & ATTR_PARENT)
		return da_hash_pptr(entry->name, entry->namelen, geo->ascii_ci, entry->parent);
	return da_hashname(entry->name, entry->namelen, false);
}

bool attr_same(const struct attr_entry *a, const struct attr_entry *b)
{
	if (a->namelen != b->namelen || ((a->flags ^ b->flags) & ATTR_NAMESPACES) != 0)
		return false;
	/* a file with hard links may have the same name in several directories */
	if ((a->flags & ATTR_PARENT) && a->parent.v != b->parent.v)
		return false;
	return memcmp(a->name, b->name, a->namelen) == 0;
}
