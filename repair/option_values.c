/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of options: numbers, choices and flags, and how the user is told that one is wrong. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "option_parser.h"
#include "units.h"

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

bool option_parse_size(const char *text, bool sectors, const char **ret_end, uint64_t *ret_bytes)
{
	static const char units[] = "kMGTP";
	unsigned long long number;
	const char *unit;
	unsigned shift = 0;
	char *end;

	errno = 0;
	number = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
	if (unit)
		shift = 10 * (unsigned)(unit - units + 1);
	else if (sectors && *end == 's')
		shift = SECTOR_LOG;
	*ret_end = end + (shift ? 1 : 0);
	*ret_bytes = (uint64_t)number << shift;
	return !errno && end != text && isdigit((unsigned char)text[0]) && number <= UINT64_MAX >> shift;
}

enum options_result option_set_size(const struct parser *p, const char *name, const char *text, uint64_t *ret_bytes)
{
	const char *end;

	if (!option_parse_size(text, false, &end, ret_bytes) || *end)
		return option_refuse(p, "%s: '%s' is no size: give bytes, or a number with k, M, G, T or P", name,
				     text);
	return OPTIONS_RUN;
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
				      const char *const words[], unsigned *ret_choice)
{
	char all[128] = "";
	size_t len = 0;

	for (unsigned i = 0; words[i]; i++) {
		if (!strcmp(text, words[i])) {
			*ret_choice = i;
			return OPTIONS_RUN;
		}
		if (len < sizeof(all))
			len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i ? ", " : "", words[i]);
	}
	return option_refuse(p, "%s: '%s' is none of %s", name, text, all);
}
