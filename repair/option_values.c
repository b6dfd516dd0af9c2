/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of options: numbers, choices and flags, and how the user is told that one is wrong. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "option_parser.h"

enum options_result option_refuse(const struct parser *p, const char *format, ...)
{
	va_list args;

	fprintf(p->err, "%s: ", p->options.program);
	va_start(args, format);
	vfprintf(p->err, format, args);
	va_end(args);
	fprintf(p->err, "\nTry '%s --help'.\n", p->options.program);
	return OPTIONS_USAGE;
}

/* Parse a whole number from min to max; as in xfs_repair, 0x in front means hexadecimal, and 0 octal. */
static bool parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *ret_number)
{
	unsigned long long number;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	number = strtoull(text, &end, 0);
	if (errno || *end || number < min || number > max)
		return false;
	*ret_number = number;
	return true;
}

bool option_is_digits(const char *text)
{
	return text[0] && !text[strspn(text, "0123456789")];
}

enum options_result option_set_number(const struct parser *p, const char *name, const char *text, uint64_t min,
				      uint64_t max, uint64_t *ret_number)
{
	if (parse_number(text, min, max, ret_number))
		return OPTIONS_RUN;
	return option_refuse(p, "%s: '%s' is not a number from %llu to %llu", name, text, (unsigned long long)min,
			     (unsigned long long)max);
}

enum options_result option_set_unsigned(const struct parser *p, const char *name, const char *text, unsigned min,
					unsigned max, unsigned *ret_number)
{
	uint64_t number = 0;
	enum options_result result = option_set_number(p, name, text, min, max, &number);

	if (result == OPTIONS_RUN)
		*ret_number = (unsigned)number;
	return result;
}

void option_set_flag(struct parser *p, size_t at)
{
	*(bool *)((char *)&p->options + at) = true;
}

enum options_result option_set_choice(const struct parser *p, const char *name, const char *text,
				      const char *const words[3], unsigned *ret_choice)
{
	for (unsigned i = 0; i < 3; i++) {
		if (!strcmp(text, words[i])) {
			*ret_choice = i;
			return OPTIONS_RUN;
		}
	}
	return option_refuse(p, "%s: '%s' is none of %s, %s, %s", name, text, words[0], words[1], words[2]);
}
