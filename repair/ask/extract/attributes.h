/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The attributes of a file, one by one, with their values. */
#ifndef XFSCK_REPAIR_EXTRACT_ATTRIBUTES_H
#define XFSCK_REPAIR_EXTRACT_ATTRIBUTES_H

#include "sets/byte_buffer.h"
#include "units.h"
#include "xattr_name.h"

struct contents;
struct repair;

/* Begin with { .rc, .contents }. */
struct attributes {
	const struct repair *rc;
	struct contents *contents;
	struct byte_buffer map; /* of the attribute fork: struct contents_record */
	struct byte_buffer block, value;
	uint64_t lost; /* how many of the file are lost, at least */
};

struct attribute {
	enum xattr_kind kind;
	char name[XATTR_NAME_ROOM];
	const uint8_t *value;
	uint32_t valuelen;
};

void attributes_free(struct attributes *a);
/*
 * Call each() for the attributes of a file, until it returns other than 0; inodes come in ascending order.  That, 0 or
 * negative errno.  a->lost has those that could not be read.
 */
int attributes_each(struct attributes *a, xino_t ino, int (*each)(void *ctx, const struct attribute *attribute),
		    void *ctx);

#endif
