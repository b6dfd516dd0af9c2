/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places on a device as the user writes them: "123s", "0x7b000b", "3:77", "rt:99f" ... */
#ifndef XFSCK_REPAIR_WHERE_H
#define XFSCK_REPAIR_WHERE_H

#include <stddef.h>
#include <stdio.h>

#include "units.h"

struct words;

enum where_unit {
	WHERE_BYTE,	   /* 503808b */
	WHERE_SECTOR,	   /* 123s, of 512 bytes */
	WHERE_FSBLOCK,	   /* 123f, as xfs_db counts them; of the realtime section, a realtime block number */
	WHERE_GROUP_BLOCK, /* 3:77, block 77 of group 3 */
};

struct where {
	enum device_role device; /* "log:" and "rt:" in front of it; else that of the data */
	enum where_unit unit;
	uint32_t group;	 /* WHERE_GROUP_BLOCK */
	uint64_t number; /* in that unit; what it is in bytes may not fit into 64 bits */
};

/* Parse a number without sign, decimal or with 0x in front; length: of the text. False: it is none, or too large. */
bool where_number(const char *text, size_t length, uint64_t *ret_number);
/* Parse a place. False: it has none of the forms. */
bool where_parse(const char *text, size_t length, struct where *ret_where);

/* Places in the order in which they were given.  Start with { 0 }. */
struct where_list {
	struct where *v;
	size_t count, room;
};

void where_list_free(struct where_list *list);
/* Parse places with commas between them. 0, -ENOMEM, or -EINVAL after *why was filled. */
int where_list_parse(struct where_list *list, const char *text, struct words *why);
/* Read places, one a line, with comments from # on. The same, or the negative errno of a read that failed. */
int where_list_read(struct where_list *list, FILE *in, struct words *why);

#endif
