/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares paths name by name: "/a" wants "/a/b", and not "/ab". */
#include "wanted.h"

#include "sets/byte_buffer.h"

bool wanted_is_archive(const char *to)
{
	const size_t len = strlen(to);

	return !strcmp(to, "-") || (len > 4 && !strcmp(to + len - 4, ".tar"));
}

/* Take one path from a list, up to a comma, without its "\", doubled "/" and those at its end. */
static const char *take(const char *at, struct byte_buffer *path, int *ret)
{
	for (; *at && *at != ',' && !*ret; at++) {
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '/' && path->len && path->bytes[path->len - 1] == '/')
			continue;
		*ret = byte_buffer_add(path, at, 1);
	}
	if (!*ret && (!path->len || path->bytes[0] != '/'))
		*ret = -EINVAL;
	if (!*ret && path->bytes[path->len - 1] == '/')
		path->len--;
	return at;
}

int wanted_parse(const char *list, struct wanted *w)
{
	int ret = 0;

	*w = (struct wanted){ 0 };
	for (;;) {
		struct byte_buffer path = { 0 };

		list = take(list, &path, &ret);
		if (!ret)
			ret = array_add(w->paths, w->room, w->count,
					(struct wanted_path){ path.bytes, path.len, false });
		if (ret) {
			free(path.bytes);
			wanted_free(w);
			return ret;
		}
		w->all |= path.len == 0;
		if (!*list++)
			return 0;
	}
}

void wanted_free(struct wanted *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->paths[i].path);
	free(w->paths);
	*w = (struct wanted){ 0 };
}

/* True if a path is `other`, or is below it. */
static bool is_below(const uint8_t *path, size_t len, const uint8_t *other, size_t other_len)
{
	return len >= other_len && !memcmp(path, other, other_len) && (len == other_len || path[other_len] == '/');
}

enum wanted_how wanted_look(struct wanted *w, const uint8_t *path, size_t len)
{
	enum wanted_how how = WANTED_NOT;

	for (size_t i = 0; i < w->count; i++) {
		struct wanted_path *p = &w->paths[i];

		if (is_below(path, len, p->path, p->len)) {
			p->met = true;
			how = WANTED_YES;
		} else if (how == WANTED_NOT && is_below(p->path, p->len, path, len)) {
			how = WANTED_WAY;
		}
	}
	return how;
}
