/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damage can put bytes with a meaning in paths into names. Names are made safe when they are read, and checked again
 * when they are used.
 */
#include "safe_name.h"

#include <errno.h>
#include <string.h>

#include "libxfs/da.h"

/* True if a name is "." or "..". */
static bool is_dots(const uint8_t *name, size_t len)
{
	return (len == 1 || len == 2) && name[0] == '.' && name[len - 1] == '.';
}

bool safe_name_make(uint8_t *name, size_t len)
{
	if (is_dots(name, len)) {
		memset(name, '_', len);
		return true;
	}
	if (da_name_bad_byte(name, len) == len)
		return false;
	da_name_make_possible(name, len);
	return true;
}

int safe_name_next(const uint8_t **at, const uint8_t *end, char ret_name[static SAFE_NAME_ROOM])
{
	const uint8_t *name = *at;
	size_t len = 0;

	while (name < end && *name == '/')
		name++;
	while (name + len < end && name[len] != '/')
		len++;
	*at = name + len;
	if (!len)
		return 0;
	if (len >= SAFE_NAME_ROOM || is_dots(name, len) || memchr(name, 0, len))
		return -EINVAL;
	memcpy(ret_name, name, len);
	ret_name[len] = '\0';
	return 1;
}
