/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Escapes text for formats in which some characters have a meaning and others are not allowed. */
#ifndef XFSCK_REPAIR_ESCAPE_H
#define XFSCK_REPAIR_ESCAPE_H

#include <stdio.h>

enum escape {
	ESCAPE_NONE, /* for a terminal */
	ESCAPE_XML,  /* text, or an attribute in double quotes */
	ESCAPE_TAP,  /* the description of a test */
	ESCAPE_YAML, /* a string in double quotes */
};

/*
 * Write all of a text, its first line, or a name (with newlines as \x0a). Characters that can't be displayed and bytes
 * that are no UTF-8 become \xNN: XML has no other way to write most of them.
 */
void escape_text(FILE *out, const char *text, enum escape how);
void escape_line(FILE *out, const char *text, enum escape how);
void escape_name(FILE *out, const char *text, enum escape how);

#endif
