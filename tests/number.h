/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers for test programs: from their arguments, and at random. */
#ifndef XFSCK_TESTS_NUMBER_H
#define XFSCK_TESTS_NUMBER_H

#include <err.h>
#include <stdint.h>
#include <stdlib.h>

/* Parses a number in any base of C; ends the program if it is invalid. */
static inline uint64_t number(const char *text)
{
	char *end;
	uint64_t value = strtoull(text, &end, 0);

	if (end == text || *end)
		errx(2, "\"%s\" is no number", text);
	return value;
}

/* splitmix64: any initial state will do */
static inline uint64_t number_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

#endif
