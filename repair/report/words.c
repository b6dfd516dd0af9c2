/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats numbers with thousands separators, counts with their nouns, sizes and durations. */
#include <inttypes.h>
#include <stdarg.h>

#include "words.h"

void words_add(struct words *words, const char *format, ...)
{
	size_t room = sizeof(words->text) - words->length;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(words->text + words->length, room, format, args);
	va_end(args);
	if (n > 0)
		words->length += (size_t)n < room ? (size_t)n : room - 1;
}

void words_add_number(struct words *words, uint64_t number)
{
	if (number >= 1000) {
		words_add_number(words, number / 1000);
		words_add(words, ",%03" PRIu64, number % 1000);
	} else {
		words_add(words, "%" PRIu64, number);
	}
}

void words_print_number(FILE *out, uint64_t number)
{
	struct words w = { 0 };

	words_add_number(&w, number);
	fputs(w.text, out);
}

void words_add_count(struct words *words, uint64_t count, const char *one, const char *many)
{
	words_add_number(words, count);
	words_add(words, " %s", count == 1 ? one : many);
}

void words_add_bytes(struct words *words, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)bytes;
	unsigned unit = 0;

	for (; value >= 999.5; unit++)
		value /= 1024;
	words_add(words, "%.*f %s", unit && value < 9.95 ? 1 : 0, value, units[unit]);
}

void words_add_duration(struct words *words, uint64_t seconds)
{
	if (seconds < 60) {
		words_add(words, "%" PRIu64 " s", seconds);
	} else if (seconds < 3600) {
		words_add(words, "%" PRIu64 " min %02" PRIu64 " s", seconds / 60, seconds % 60);
	} else {
		words_add_number(words, seconds / 3600);
		words_add(words, " h %02" PRIu64 " min", seconds / 60 % 60);
	}
}

void words_add_age(struct words *words, uint64_t seconds)
{
	if (seconds >= 2 * 86400)
		words_add_count(words, seconds / 86400, "day", "days");
	else
		words_add_duration(words, seconds);
}
