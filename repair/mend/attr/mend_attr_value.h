/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of attributes that lie in blocks of their own, each of which has one owner. */
#ifndef XFSCK_REPAIR_MEND_ATTR_VALUE_H
#define XFSCK_REPAIR_MEND_ATTR_VALUE_H

#include "mend_attr_blocks.h"

struct attr_values {
	struct attr_blocks *blocks;
	uint8_t *bytes; /* of the value that was read last */
	uint8_t *taken; /* of each mapped block: it has the value of an attribute that was read */
};

/* 0 or -ENOMEM. Free it, anyway. */
int attr_values_init(struct attr_values *values, struct attr_blocks *blocks);
void attr_values_free(struct attr_values *values);

/* Read the value that the entry says it has. False: it is not there, or its blocks say something else of it. */
bool attr_value_read(struct attr_values *values, const struct attr_entry *entry);
/*
 * The same of an entry that may be wrong about its value's length or place: those are changed where blocks that no
 * other entry took know better, so these entries come after all others.
 */
bool attr_value_search(struct attr_values *values, struct attr_entry *entry);

#endif
