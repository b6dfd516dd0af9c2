/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regions of log items, in the byte order of the machine that wrote them. */
#ifndef TESTS_LOG_ITEMS_H
#define TESTS_LOG_ITEMS_H

#include <stdbool.h>
#include <stdint.h>

/* The next region of a transaction; starts as { 0 }. */
struct item_position {
	bool begun;	  /* the header of the transaction has been passed */
	uint16_t type;	  /* of the item */
	uint16_t regions; /* number of its regions */
	uint16_t region;  /* index of the next one */
};

/* Converts the next region from little-endian to big-endian byte order.  Keeps raw metadata. */
void item_swap(const struct item_position *position, uint8_t *region, uint32_t len);

/* Swaps the core of an inode, in either direction; bigtime: its timestamps are numbers of 8 bytes. */
void item_swap_inode(uint8_t *core, uint32_t len, bool bigtime);

/*
 * Converts a region of a little-endian 64-bit machine to that of a 32-bit one: without the padding.  Returns the new
 * length; the last bytes are unused.
 */
uint32_t item_shorten(const struct item_position *position, uint8_t *region, uint32_t len);

/* Advances past a region, which must be in its state before item_swap(). */
void item_next(struct item_position *position, const uint8_t *region, uint32_t len);

#endif
