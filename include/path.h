/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of paths, as text. */
#ifndef XFSCK_PATH_H
#define XFSCK_PATH_H

#include <string.h>

/* What is behind the last slash of a path; all of it, if there is none. */
static inline const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
