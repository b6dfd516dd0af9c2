/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads numbers given by the user. */
#include "numbers_asked.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* Converts `length` bytes to a number; false: not a number. */
static bool number_of(const char *text, size_t length, uint64_t *ret_number)
{
	char copy[32];
	char *end;
	bool hex;

	if (!length || length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	hex = copy[0] == '0' && (copy[1] == 'x' || copy[1] == 'X');
	if (!isxdigit((unsigned char)copy[hex ? 2 : 0]))
		return false;
	errno = 0;
	*ret_number = strtoull(copy, &end, hex ? 16 : 10);
	return !errno && end == copy + length;
}

/* Adds a number. where: put in front of an error message. */
static int add(struct numbers_asked *numbers, const char *where, const char *text, size_t length, char *why)
{
	uint64_t number;

	if (!number_of(text, length, &number)) {
		snprintf(why, NUMBERS_WHY, "%s'%.*s' is not a number", where, length < 100 ? (int)length : 100, text);
		return -EINVAL;
	}
	if (!array_add(numbers->all, numbers->room, numbers->count, number))
		return 0;
	snprintf(why, NUMBERS_WHY, "out of memory");
	return -ENOMEM;
}

static int read_lines(FILE *file, const char *path, struct numbers_asked *numbers, char *why)
{
	char where[NUMBERS_WHY / 2];
	char *line = NULL;
	size_t room = 0;
	int ret = 0;

	for (uintmax_t at = 1; !ret && getline(&line, &room, file) >= 0; at++) {
		const char *text = line + strspn(line, " \t\r\n");

		snprintf(where, sizeof(where), "%.100s, line %ju: ", path, at);
		if (*text)
			ret = add(numbers, where, text, strcspn(text, " \t\r\n"), why);
	}
	free(line);
	if (!ret && ferror(file)) {
		ret = -EIO;
		snprintf(why, NUMBERS_WHY, "cannot read %.200s: %s", path, strerror(errno));
	}
	return ret;
}

static int read_file(const char *path, struct numbers_asked *numbers, char *why)
{
	FILE *file = fopen(path, "re");
	int ret;

	if (!file) {
		ret = -errno;
		snprintf(why, NUMBERS_WHY, "cannot open %.200s: %s", path, strerror(errno));
		return ret;
	}
	ret = read_lines(file, path, numbers, why);
	fclose(file);
	return ret;
}

int numbers_asked_read(const char *list, struct numbers_asked *ret, char why[static NUMBERS_WHY])
{
	int error = 0;

	*ret = (struct numbers_asked){ 0 };
	if (list[0] == '@')
		return read_file(list + 1, ret, why);
	for (bool more = true; more && !error;) {
		const size_t length = strcspn(list, ",");

		error = add(ret, "", list, length, why);
		more = list[length] == ',';
		list += length + 1;
	}
	return error;
}

void numbers_asked_free(struct numbers_asked *numbers)
{
	free(numbers->all);
	*numbers = (struct numbers_asked){ 0 };
}
