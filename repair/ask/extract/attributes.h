/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attributes of a file, one by one, with their values. */
#ifndef XFSCK_REPAIR_EXTRACT_ATTRIBUTES_H
#define XFSCK_REPAIR_EXTRACT_ATTRIBUTES_H

#include "sets/byte_buffer.h"
#include "units.h"
#include "xattr_name.h"

struct contents;
struct repair;

/* Start with { .rc, .contents }. */
struct attributes {
	const struct repair *rc;
	struct contents *contents;
	struct byte_buffer map; /* extents of the attribute fork: struct contents_record */
	struct byte_buffer block, value;
	uint64_t lost; /* number of lost attributes, at least */
};

struct attribute {
	enum xattr_kind kind;
	char name[XATTR_NAME_ROOM];
	const uint8_t *value;
	uint32_t valuelen;
};

void attributes_free(struct attributes *a);
/*
 * Calls each() for the attributes of a file until it returns a value other than 0; call it in ascending inode order.
 * Returns that value, 0 or negative errno. Sets a->lost to the number of unreadable ones.
 */
int attributes_each(struct attributes *a, xino_t ino, int (*each)(void *ctx, const struct attribute *attribute),
		    void *ctx);

#endif
