/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies the filters of --list, which have the meaning of those of find(1) with the same names. */
#include "list.h"

#include <fnmatch.h>
#include <string.h>

/* True if a time is later than `seconds`. */
static bool is_after(struct time_stamp t, int64_t seconds)
{
	return t.seconds > seconds || (t.seconds == seconds && t.nsec);
}

bool list_wants_file(const struct list_filter *f, const struct file_record *r)
{
	const struct time_stamp modified = r->times[TIME_MODIFICATION];

	return (!f->types || f->types >> dinode_type_of(r->mode) & 1) && (!f->newer || is_after(modified, f->after)) &&
	       (!f->older || modified.seconds < f->before) && (!f->larger || r->size > f->above) &&
	       (!f->smaller || r->size < f->below) && (!f->user || r->uid == f->uid) &&
	       (!f->group || r->gid == f->gid) && (!f->project || r->projid == f->projid);
}

/* True if a path is the directory, or below it. */
static bool is_under(const struct byte_buffer *path, const char *dir)
{
	size_t len = strlen(dir);

	while (len && dir[len - 1] == '/')
		len--;
	return path->len >= len && !memcmp(path->bytes, dir, len) && (path->len == len || path->bytes[len] == '/');
}

bool list_wants_path(const struct list_filter *f, const struct file_name *name, const struct byte_buffer *path)
{
	char last[256] = "/"; /* for the root */

	if (f->under && !is_under(path, f->under))
		return false;
	if (!f->name)
		return true;
	if (name->len) {
		memcpy(last, name->name, name->len);
		last[name->len] = '\0';
	}
	return fnmatch(f->name, last, 0) == 0;
}
