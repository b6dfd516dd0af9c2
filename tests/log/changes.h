/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log items that turn one state of a file system into another. */
#ifndef TESTS_LOG_CHANGES_H
#define TESTS_LOG_CHANGES_H

#include "writer.h"

struct volume {
	uint32_t block_size, sector_size, inode_size;
	uint32_t agblocks;
	uint8_t agblock_log, inopb_log;
	bool crc;
	uint8_t uuid[16]; /* of metadata */
};

struct item_list {
	struct log_item_data *items;
	size_t count, room;
};

/*
 * Adds items that change len bytes at offset of the device, a block or a sector with a header, from one state to the
 * other.  Unused bytes of forks are not logged, and become zero in `after`, too.
 */
void changes_add(struct item_list *list, const struct volume *v, uint64_t offset, uint32_t len, const uint8_t *before,
		 uint8_t *after);

#endif
