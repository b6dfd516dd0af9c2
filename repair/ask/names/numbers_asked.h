/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers given by the user: "131,0x84", or @FILE with one per line. */
#ifndef XFSCK_REPAIR_NUMBERS_ASKED_H
#define XFSCK_REPAIR_NUMBERS_ASKED_H

#include <stddef.h>
#include <stdint.h>

#define NUMBERS_WHY 512 /* bytes of a sentence */

struct numbers_asked {
	uint64_t *all; /* in the order given */
	size_t count, room;
};

/*
 * Reads the numbers, decimal or 0x hexadecimal; skips blank lines of a file. Call numbers_asked_free() in any case. 0
 * or a negative errno, with the reason in why.
 */
int numbers_asked_read(const char *list, struct numbers_asked *ret, char why[static NUMBERS_WHY]);
void numbers_asked_free(struct numbers_asked *numbers);

#endif
