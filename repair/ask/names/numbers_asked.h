/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that the user asks about: "131,0x84", or @FILE with one on each line. */
#ifndef XFSCK_REPAIR_NUMBERS_ASKED_H
#define XFSCK_REPAIR_NUMBERS_ASKED_H

#include <stddef.h>
#include <stdint.h>

#define NUMBERS_WHY 512 /* bytes for a sentence */

struct numbers_asked {
	uint64_t *all; /* in the order in which they are asked */
	size_t count, room;
};

/*
 * Read the numbers, decimal or with 0x in front hexadecimal; free them with numbers_asked_free() in any case.  Blank
 * lines of a file are passed over.  0 or a negative errno, with the reason in why.
 */
int numbers_asked_read(const char *list, struct numbers_asked *ret, char why[static NUMBERS_WHY]);
void numbers_asked_free(struct numbers_asked *numbers);

#endif
