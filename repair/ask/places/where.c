/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses places on a device. */
#include "where.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "report/words.h"

#define SPACE " \t\r\n"
#define LINE  256 /* the most bytes of a line with a place */
#define SHOWN 64  /* the most bytes of an invalid place that a message shows */

/* The valid forms, for error messages. */
static const char where_forms[] =
	"123s (a sector of 512 bytes), 503808b or 0x7b000b (a byte), 123f (an fsblock), 3:77 (block "
	"77 of AG 3), and these with rt: or log: in front for the realtime and the log device";

/* Returns the value of a digit in this base, or -1. */
static int digit_of(char c, unsigned base)
{
	const int value = isdigit((unsigned char)c)    ? c - '0'
			  : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
						       : -1;

	return value < (int)base ? value : -1;
}

bool where_number(const char *text, size_t length, uint64_t *ret_number)
{
	unsigned base = 10;
	uint64_t number = 0;

	if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
		length -= 2;
	}
	for (size_t i = 0; i < length; i++) {
		const int digit = digit_of(text[i], base);

		if (digit < 0 || __builtin_mul_overflow(number, base, &number) ||
		    __builtin_add_overflow(number, (unsigned)digit, &number))
			return false;
	}
	*ret_number = number;
	return length > 0;
}

/* Removes a prefix. True: it was there. */
static bool take_prefix(const char **text, size_t *length, const char *prefix)
{
	const size_t n = strlen(prefix);

	if (*length < n || memcmp(*text, prefix, n) != 0)
		return false;
	*text += n;
	*length -= n;
	return true;
}

static bool parse_group_block(const char *text, size_t length, const char *colon, struct where *where)
{
	const size_t before = (size_t)(colon - text);
	uint64_t group = 0;

	where->unit = WHERE_GROUP_BLOCK;
	if (!where_number(text, before, &group) || group > UINT32_MAX)
		return false;
	where->group = (uint32_t)group;
	return where_number(colon + 1, length - before - 1, &where->number);
}

bool where_parse(const char *text, size_t length, struct where *ret_where)
{
	struct where where = { .device = ROLE_DATA };
	const char *colon;

	if (take_prefix(&text, &length, "rt:"))
		where.device = ROLE_REALTIME;
	else if (take_prefix(&text, &length, "log:"))
		where.device = ROLE_LOG;
	if (!length)
		return false;
	colon = memchr(text, ':', length);
	if (colon) {
		if (where.device == ROLE_LOG || !parse_group_block(text, length, colon, &where))
			return false;
	} else {
		/* the last letter is the unit, even though b and f are hexadecimal digits */
		switch (text[length - 1]) {
		case 'b':
			where.unit = WHERE_BYTE;
			break;
		case 's':
			where.unit = WHERE_SECTOR;
			break;
		case 'f':
			where.unit = WHERE_FSBLOCK;
			break;
		default:
			return false;
		}
		if (!where_number(text, length - 1, &where.number) ||
		    (where.device == ROLE_LOG && where.unit == WHERE_FSBLOCK))
			return false;
	}
	*ret_where = where;
	return true;
}

void where_list_free(struct where_list *list)
{
	free(list->v);
	*list = (struct where_list){ 0 };
}

static bool shows(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isprint((unsigned char)text[i]))
			return false;
	return true;
}

static int add(struct where_list *list, const char *text, size_t length, struct words *why)
{
	struct where where;

	if (where_parse(text, length, &where))
		return array_add(list->v, list->room, list->count, where);
	if (length <= SHOWN && shows(text, length))
		words_add(why, "'%.*s' is no place: ", (int)length, text);
	else
		words_add(why, "that is no place: ");
	words_add(why, "%s", where_forms);
	return -EINVAL;
}

int where_list_parse(struct where_list *list, const char *text, struct words *why)
{
	int ret;

	for (;;) {
		const size_t length = strcspn(text, ",");

		ret = add(list, text, length, why);
		if (ret || !text[length])
			return ret;
		text += length + 1;
	}
}

/* Skips the rest of a line that did not fit. False: it is not a comment. */
static bool skip_rest(const char *line, FILE *in)
{
	int c = 0;

	if (strchr(line, '\n') || feof(in))
		return true;
	if (!strchr(line, '#'))
		return false;
	while (c != EOF && c != '\n')
		c = getc(in);
	return true;
}

/* Adds the place in a line, if any. 0, -ENOMEM or -EINVAL. */
static int add_line(struct where_list *list, const char *line, bool whole, struct words *why)
{
	const char *text = line + strspn(line, SPACE);
	const size_t length = strcspn(text, SPACE "#");
	const char *behind = text + length + strspn(text + length, SPACE);

	if (!length && whole)
		return 0;
	if (whole && (!*behind || *behind == '#'))
		return add(list, text, length, why);
	words_add(why, "there is more in it than one place");
	return -EINVAL;
}

int where_list_read(struct where_list *list, FILE *in, struct words *why)
{
	char line[LINE];
	int ret = 0;

	for (uint64_t number = 1; !ret && fgets(line, sizeof(line), in); number++) {
		*why = (struct words){ 0 };
		words_add(why, "line %llu: ", (unsigned long long)number);
		ret = add_line(list, line, skip_rest(line, in), why);
	}
	return !ret && ferror(in) ? -EIO : ret;
}
