/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of the huge directory, for the files that build it. */
#ifndef XFSCK_TESTS_COMPUTED_HUGE_PARTS_H
#define XFSCK_TESTS_COMPUTED_HUGE_PARTS_H

#include "huge.h"

/* Chooses the places of names. */
void huge_dir_order(struct huge *huge);
/* Number of data blocks for that many names. */
uint32_t huge_dir_blocks(uint64_t names);
void huge_dir_read_data(const struct computed *computed, uint32_t index, uint8_t *block);
/* A block of the hash tree: the root, the other nodes from the top, the leaves. */
void huge_dir_read_index(const struct computed *computed, uint32_t index, uint8_t *block);
void huge_dir_read_free(const struct computed *computed, uint32_t index, uint8_t *block);

#endif
