/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints names from the disk so that they cannot move the cursor, change colours, reverse the writing direction or end
 * the line. The result does not depend on the locale, so that reports can be compared.
 */
#define _GNU_SOURCE 1 /* vasprintf() */

#include "quote.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct range {
	uint32_t first, last;
};

/* Characters that are invisible, or change how others look, in ascending order. */
static const struct range hidden[] = {
	{ 0x00, 0x1f },	       /* control characters */
	{ 0x7f, 0x9f },	       /* DEL and more control characters */
	{ 0xad, 0xad },	       /* soft hyphen */
	{ 0x61c, 0x61c },      /* direction mark */
	{ 0x180e, 0x180e },    /* vowel separator of zero width */
	{ 0x200b, 0x200f },    /* zero width, direction marks */
	{ 0x2028, 0x202e },    /* separators of lines and paragraphs, direction overrides */
	{ 0x2060, 0x206f },    /* zero width, direction isolates, deprecated formatting */
	{ 0xfdd0, 0xfdef },    /* noncharacters */
	{ 0xfeff, 0xfeff },    /* byte order mark */
	{ 0xfff0, 0xfffb },    /* annotations */
	{ 0xfffe, 0xffff },    /* noncharacters */
	{ 0xe0000, 0xe0fff },  /* tags */
	{ 0xf0000, 0x10ffff }, /* private use: their appearance is not defined */
};

static bool shows(uint32_t code)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]) && code >= hidden[i].first; i++) {
		if (code <= hidden[i].last)
			return false;
	}
	return true;
}

size_t quote_character(const uint8_t *bytes, size_t length, uint32_t *ret_code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t code = bytes[0];
	size_t n;

	if (code < 0x80)
		n = 1;
	else if (code < 0xc0 || code >= 0xf8)
		return 0;
	else
		n = code < 0xe0 ? 2 : code < 0xf0 ? 3 : 4;
	if (n > length)
		return 0;
	if (n > 1)
		code &= 0x7fu >> n;
	for (size_t i = 1; i < n; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (bytes[i] & 0x3f);
	}
	if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return n;
}

bool quote_all_show(const uint8_t *bytes, size_t length)
{
	uint32_t code;

	for (size_t n; length; bytes += n, length -= n) {
		n = quote_character(bytes, length, &code);
		if (!n || !shows(code))
			return false;
	}
	return true;
}

void quote_print(FILE *out, const uint8_t *bytes, size_t length)
{
	size_t n;

	for (size_t at = 0; at < length; at += n) {
		uint32_t code = 0;

		n = quote_character(bytes + at, length - at, &code);
		if (n && shows(code)) {
			if (code == '"' || code == '\\')
				fputc('\\', out);
			fwrite(bytes + at, 1, n, out);
			continue;
		}
		n = n ? n : 1;
		for (size_t i = 0; i < n; i++)
			fprintf(out, "\\x%02x", bytes[at + i]);
	}
}

void quote_marked(FILE *out, const uint8_t *bytes, size_t length)
{
	fputc('"', out);
	quote_print(out, bytes, length);
	fputc('"', out);
}

/* Returns the length in bytes of the visible characters at the start of a text; a NUL ends them. */
static size_t shown(const char *text)
{
	const uint8_t *bytes = (const uint8_t *)text;
	const size_t length = strlen(text);
	size_t at = 0, n = 1;
	uint32_t code;

	for (; at < length && n; at += n) {
		n = quote_character(bytes + at, length - at, &code);
		n = n && shows(code) ? n : 0;
	}
	return at;
}

/* Returns the length in bytes of the invisible character at the start of a text. */
static size_t hidden_length(const char *text)
{
	uint32_t code;
	const size_t n = quote_character((const uint8_t *)text, strlen(text), &code);

	return n ? n : 1;
}

void quote_sentence(FILE *out, const char *sentence)
{
	for (const char *at = sentence; *at;) {
		const size_t length = shown(at);

		fwrite(at, 1, length, out); /* in one call, since standard error is unbuffered */
		at += length;
		if (*at) {
			fputc('?', out);
			at += hidden_length(at);
		}
	}
}

void quote_vsaid(FILE *err, const char *program, const char *format, va_list args)
{
	char *sentence = NULL;

	if (vasprintf(&sentence, format, args) < 0)
		sentence = NULL;
	quote_sentence(err, program);
	fputs(": ", err);
	quote_sentence(err, sentence ? sentence : format);
	fputc('\n', err);
	free(sentence);
}

void quote_said(FILE *err, const char *program, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	quote_vsaid(err, program, format, args);
	va_end(args);
}

/* Prints a name with invisible characters as $'...' with hex escapes, which bash, ksh, zsh and busybox understand. */
static void quote_shell_numbers(FILE *out, const char *name)
{
	fputs("$'", out);
	for (const char *at = name; *at;) {
		const size_t length = shown(at);

		for (size_t i = 0; i < length; i++)
			fprintf(out, at[i] == '\'' || at[i] == '\\' ? "\\%c" : "%c", at[i]);
		at += length;
		for (size_t n = *at ? hidden_length(at) : 0; n; n--)
			fprintf(out, "\\x%02x", (unsigned char)*at++);
	}
	fputc('\'', out);
}

void quote_shell(FILE *out, const char *name)
{
	const bool plain =
		name[0] && !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
					      "/._-+@%=:,")];

	if (name[shown(name)]) {
		quote_shell_numbers(out, name);
		return;
	}
	if (!plain)
		fputc('\'', out);
	for (const char *at = name; *at; at++) {
		if (*at == '\'')
			fputs("'\\''", out);
		else
			fputc(*at, out);
	}
	if (!plain)
		fputc('\'', out);
}
