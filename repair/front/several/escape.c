/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Escapes for XML, TAP and YAML. */
#include "escape.h"

#include <stdbool.h>
#include <string.h>

#include "report/quote.h"

static const char *xml(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;"; /* "]]>" may not occur in text */
	case '"':
		return "&quot;";
	default:
		return NULL;
	}
}

/* In TAP, # begins a directive. */
static const char *tap(char c)
{
	return c == '#' ? "\\#" : c == '\\' ? "\\\\" : NULL;
}

static const char *yaml(char c)
{
	return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
}

/* Returns the escape of a character; NULL: it needs none. */
static const char *stands_for(char c, enum escape how)
{
	switch (how) {
	case ESCAPE_XML:
		return xml(c);
	case ESCAPE_TAP:
		return tap(c);
	case ESCAPE_YAML:
		return yaml(c);
	default:
		return NULL;
	}
}

static void escape(FILE *out, const char *text, size_t length, enum escape how, bool newlines)
{
	const char *slash = how == ESCAPE_TAP || how == ESCAPE_YAML ? "\\\\" : "\\";
	uint32_t code;

	for (size_t i = 0, n; i < length; i += n) {
		const uint8_t *at = (const uint8_t *)text + i;
		const char *instead = stands_for(text[i], how);

		n = quote_character(at, length - i, &code);
		if (!n)
			n = 1;
		if (instead)
			fputs(instead, out);
		else if (quote_all_show(at, n) || (text[i] == '\n' && newlines))
			fwrite(at, 1, n, out);
		else
			for (size_t k = 0; k < n; k++)
				fprintf(out, "%sx%02x", slash, at[k]);
	}
}

void escape_line(FILE *out, const char *text, enum escape how)
{
	escape(out, text, strcspn(text, "\n"), how, false);
}

void escape_text(FILE *out, const char *text, enum escape how)
{
	escape(out, text, strlen(text), how, true);
}

void escape_name(FILE *out, const char *text, enum escape how)
{
	escape(out, text, strlen(text), how, false);
}
