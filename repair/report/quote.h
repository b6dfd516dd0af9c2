/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints names from the disk safely, and words as a shell reads them. */
#ifndef XFSCK_REPAIR_QUOTE_H
#define XFSCK_REPAIR_QUOTE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Returns the length in bytes of the UTF-8 character at the start of bytes, and sets its code point. Returns 0 if there
 * is none, or if it is overlong, a surrogate, or beyond U+10FFFF. length must be at least 1.
 */
size_t quote_character(const uint8_t *bytes, size_t length, uint32_t *ret_code);

/* True if all bytes are UTF-8 characters that are printed as they are. */
bool quote_all_show(const uint8_t *bytes, size_t length);

/*
 * Prints bytes without quotation marks: visible characters as they are, " and \ with a \ in front, other bytes as \xNN.
 */
void quote_print(FILE *out, const uint8_t *bytes, size_t length);
/* The same, in quotation marks. */
void quote_marked(FILE *out, const uint8_t *bytes, size_t length);

/* Prints a sentence. Characters that are not visible, like control characters in names, become "?". */
void quote_sentence(FILE *out, const char *sentence);
/* Prints a line "program: sentence", filtered the same way. */
__attribute__((format(printf, 3, 4))) void quote_said(FILE *err, const char *program, const char *format, ...);
__attribute__((format(printf, 3, 0))) void quote_vsaid(FILE *err, const char *program, const char *format,
						       va_list args);

/* Prints a name as one word of a shell command. Invisible characters become escape sequences. */
void quote_shell(FILE *out, const char *name);

#endif
