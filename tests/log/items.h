/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The regions of items in the log, which lie in the byte order of the machine that wrote them. */
#ifndef TESTS_LOG_ITEMS_H
#define TESTS_LOG_ITEMS_H

#include <stdbool.h>
#include <stdint.h>

/* Which region of a transaction comes next; starts as { 0 }. */
struct item_position {
	bool begun;	  /* the region that a transaction begins with is over */
	uint16_t type;	  /* of the item */
	uint16_t regions; /* of it */
	uint16_t region;  /* of these */
};

/*
 * Turns the next region, which is in the order of a little-endian machine, into that of a big-endian one.  What is
 * raw metadata stays.
 */
void item_swap(const struct item_position *position, uint8_t *region, uint32_t len);

/* The core of an inode, from either order to the other; bigtime: its time stamps are numbers of 8 bytes. */
void item_swap_inode(uint8_t *core, uint32_t len, bool bigtime);

/*
 * A region of a little-endian 64-bit machine as a 32-bit one writes it: without the padding.  Returns the new length;
 * what is dropped are the last bytes.
 */
uint32_t item_shorten(const struct item_position *position, uint8_t *region, uint32_t len);

/* Goes on behind a region, which must be as it was before item_swap(). */
void item_next(struct item_position *position, const uint8_t *region, uint32_t len);

#endif
