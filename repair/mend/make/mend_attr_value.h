/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of attributes that lie in blocks of their own. No block is taken for two values. */
#ifndef XFSCK_REPAIR_MEND_ATTR_VALUE_H
#define XFSCK_REPAIR_MEND_ATTR_VALUE_H

#include <stdbool.h>
#include <stdint.h>

struct attr_entry;

struct attr_values {
	struct attr_blocks *blocks;
	uint8_t *bytes; /* the value that was read last */
	uint8_t *taken; /* per mapped block: 1: a value that was read has it */
};

/* 0 or -ENOMEM; free it in any case. */
int attr_values_init(struct attr_values *values, struct attr_blocks *blocks);
void attr_values_free(struct attr_values *values);

/* Read the value of an entry into values->bytes. False: it is not there, or its blocks say something else of it. */
bool attr_value_read(struct attr_values *values, const struct attr_entry *entry);
/*
 * The same for an entry that may be wrong about the length or place of its value: these are corrected in it, if blocks
 * that no value has taken tell what is right.  So such entries come after all others.
 */
bool attr_value_search(struct attr_values *values, struct attr_entry *entry);

#endif
