/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints names from the disk safely, and words for a shell. */
#ifndef XFSCK_REPAIR_QUOTE_H
#define XFSCK_REPAIR_QUOTE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Length of the UTF-8 character at the beginning of bytes, and its code point; 0 if there is none, or it is not in its
 * shortest form, a surrogate, or beyond U+10FFFF.  length must be at least 1.
 */
size_t quote_character(const uint8_t *bytes, size_t length, uint32_t *ret_code);

/* Whether all of the bytes are UTF-8 characters that can be printed as they are. */
bool quote_all_show(const uint8_t *bytes, size_t length);

/*
 * Print the bytes, without quotation marks around them: characters that are visible as they are, " and \ behind a \,
 * and all other bytes as \xNN.
 */
void quote_print(FILE *out, const uint8_t *bytes, size_t length);
/* The same, between quotation marks. */
void quote_marked(FILE *out, const uint8_t *bytes, size_t length);

/* Print a sentence; what does not show of the names in it, as control characters, as ?. */
void quote_sentence(FILE *out, const char *sentence);
/* Print a line "program: sentence", the same way. */
__attribute__((format(printf, 3, 4))) void quote_said(FILE *err, const char *program, const char *format, ...);
__attribute__((format(printf, 3, 0))) void quote_vsaid(FILE *err, const char *program, const char *format,
						       va_list args);

/* Print a name, as of a file, as a shell takes it; what does not show as numbers. */
void quote_shell(FILE *out, const char *name);

#endif
