/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An entry of a directory in short form and a parent pointer that differ in nothing but the name.  There is no hash
 * that could tell which of the two was damaged (ondisk 06, 07).  But names are nearly always text, and damaged names
 * are not: if just one of the two is text, that is the name.
 */
#include "mend_pptr_name.h"

#include <errno.h>

#include "mend/base/mend.h"
#include "mend_dir.h"
#include "repair.h"
#include "report/quote.h"

/* The only finding of this kind about the parent; NULL: there is none, or several. */
static const struct found *only(const struct found *found, size_t count, enum finding finding, uint64_t parent)
{
	const struct found *one = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct problem *p = &found[i].problem;

		if (p->finding != finding || (finding == F_PPTR_STRAY ? p->got : p->want) != parent)
			continue;
		if (one)
			return NULL;
		one = &found[i];
	}
	return one;
}

/* Give an entry of a directory in short form the name that the parent pointer has. 0 or negative errno. */
static int rename_entry(struct mend *m, const struct found *lacks, const struct name_view *right, bool *ret_renamed)
{
	const struct geometry *geo = &m->now->geo;
	const struct name_view *wrong = &lacks->place.name;
	struct dir_edit dir;
	size_t at;
	int ret = dir_edit_begin(m, (xino_t){ lacks->problem.want }, &dir);

	if (ret)
		return mend_left(m, lacks, 1, ret);
	at = dir_names_find(geo, &dir.names, wrong->bytes, wrong->len);
	if (dir.inode.inode.fork[DATA_FORK].format == FMT_LOCAL && at < dir.names.count &&
	    dir.names.names[at].ino.v == lacks->place.ino.v &&
	    dir_names_find(geo, &dir.names, right->bytes, right->len) == dir.names.count) {
		ret = dir_names_rename(geo, &dir.names, at, right->bytes, right->len);
		if (!ret)
			ret = dir_edit_write(m, &dir);
		*ret_renamed = !ret;
	}
	dir_edit_end(&dir);
	return mend_left(m, lacks, 1, ret);
}

int mend_pptr_name(struct mend *m, const struct found *found, size_t count, bool *ret_renamed)
{
	int ret = 0;

	*ret_renamed = false;
	for (size_t i = 0; i < count && !ret && !*ret_renamed; i++) {
		const uint64_t parent = found[i].problem.want;
		const struct name_view *wrong = &found[i].place.name, *right;
		const struct found *stray;

		if (found[i].problem.finding != F_PPTR_LACKS || only(found, count, F_PPTR_LACKS, parent) != &found[i])
			continue;
		stray = only(found, count, F_PPTR_STRAY, parent);
		if (!stray)
			continue;
		right = &stray->place.name;
		if (right->len && quote_all_show(right->bytes, right->len) && !quote_all_show(wrong->bytes, wrong->len))
			ret = rename_entry(m, &found[i], right, ret_renamed);
		if (*ret_renamed)
			mend_done_so(m, &found[i], SURE_LIKELY, "name of the entry restored from the parent pointer");
	}
	return ret;
}
