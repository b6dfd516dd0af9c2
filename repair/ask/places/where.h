/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places on a device as users write them: "123s", "0x7b000b", "3:77", "rt:99f" ... */
#ifndef XFSCK_REPAIR_WHERE_H
#define XFSCK_REPAIR_WHERE_H

#include <stddef.h>
#include <stdio.h>

#include "units.h"

struct words;

enum where_unit {
	WHERE_BYTE,	   /* 503808b */
	WHERE_SECTOR,	   /* 123s, of 512 bytes */
	WHERE_FSBLOCK,	   /* 123f as in xfs_db; in the realtime section, a realtime block number */
	WHERE_GROUP_BLOCK, /* 3:77, block 77 of AG 3 */
};

struct where {
	enum device_role device; /* prefix "log:" or "rt:"; else the data device */
	enum where_unit unit;
	uint32_t group;	 /* WHERE_GROUP_BLOCK */
	uint64_t number; /* in that unit; as bytes it may exceed 64 bits */
};

/* Parses an unsigned number, decimal or 0x hexadecimal; length: of the text. False: invalid, or too large. */
bool where_number(const char *text, size_t length, uint64_t *ret_number);
/* Parses a place. False: invalid. */
bool where_parse(const char *text, size_t length, struct where *ret_where);

/* Places in the order given. Start with { 0 }. */
struct where_list {
	struct where *v;
	size_t count, room;
};

void where_list_free(struct where_list *list);
/* Parses places separated by commas. 0, -ENOMEM, or -EINVAL with the reason in *why. */
int where_list_parse(struct where_list *list, const char *text, struct words *why);
/* Reads places, one per line, with comments after #. 0, -ENOMEM, -EIO, or -EINVAL with the reason in *why. */
int where_list_read(struct where_list *list, FILE *in, struct words *why);

#endif
