/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names from the disk, for people. */
#ifndef XFSCK_REPAIR_QUOTE_H
#define XFSCK_REPAIR_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Length of the character of UTF-8 that begins at bytes: the shortest form of a code point up to U+10FFFF that is no
 * surrogate; 0: there is none. length is at least 1. *ret_code is set unless 0 is returned.
 */
size_t quote_character(const uint8_t *bytes, size_t length, uint32_t *ret_code);

/* Whether the bytes are text: characters that show as themselves, all of them. */
bool quote_all_show(const uint8_t *bytes, size_t length);

/*
 * The bytes without quotation marks around them: characters that show as themselves are printed as they are, " and \
 * behind a \, and every byte of anything else as \xNN.
 */
void quote_print(FILE *out, const uint8_t *bytes, size_t length);

#endif
