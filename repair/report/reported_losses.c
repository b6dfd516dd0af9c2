/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all forms of the report need to know about losses: paths before and after the repair, and a summary in words. */
#include "report_losses.h"

#include "names/paths.h"
#include "sets/number_set.h"

/* Finds a path in the first of two sets if it is complete there, else in the second. */
static bool path_by(struct paths *first, struct paths *second, xino_t ino, struct path *path)
{
	struct path other;

	path->len = 0;
	if (ino.v == NULL_INO)
		return false;
	paths_find(first, ino, path);
	if (path->len && path->kind == PATH_WHOLE)
		return true;
	paths_find(second, ino, &other);
	if (other.len && (other.kind == PATH_WHOLE || !path->len))
		*path = other;
	return path->len > 0;
}

bool losses_path(const struct reported_losses *reported, xino_t ino, struct path *path)
{
	const bool gone = reported->gone && ino_set_has(reported->gone, ino);

	return path_by(reported->before, gone ? NULL : reported->after, ino, path);
}

bool losses_path_now(const struct reported_losses *reported, xino_t ino, struct path *path)
{
	return path_by(reported->after, reported->before, ino, path);
}

bool losses_left_out(const struct loss *l)
{
	return l->fate == FATE_GAINED && (l->kind != LOSS_NAME || l->reattached);
}

void losses_gone(const struct loss_list *list, struct ino_set *gone)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct loss *l = &list->all[i];

		if (l->kind == LOSS_INODE && l->fate == FATE_LOST && l->reason != DROP_RECREATED &&
		    ino_set_put(gone, l->ino))
			return;
	}
}

/* "250", "250 to 260", "about 250" */
static void add_range(struct words *w, const struct loss_figures *f, uint64_t least, uint64_t most)
{
	if (f->counters_old)
		words_add(w, "about ");
	words_add_number(w, least);
	if (least == most)
		return;
	words_add(w, " to ");
	words_add_number(w, most);
}

/* Returns the verb for `count` files. */
static const char *verb_of(bool no_modify, uint64_t count)
{
	return no_modify ? "would be " : count == 1 ? "is " : "are ";
}

/* Adds ", 3 damaged" if count is not 0; the first such part has a verb. */
static void add_part(struct words *w, uint64_t count, const char *what, bool no_modify, bool *any)
{
	if (!count)
		return;
	words_add(w, *any ? ", " : "; ");
	words_add_number(w, count);
	words_add(w, " %s%s", *any ? "" : verb_of(no_modify, count), what);
	*any = true;
}

static void add_gone(struct words *w, const struct loss_figures *f, bool no_modify, bool *any)
{
	if (!figures_gone(f))
		return;
	words_add(w, *any ? ", " : "; ");
	add_range(w, f, f->lost + f->missing, figures_gone(f));
	words_add(w, " %sgone", *any ? "" : verb_of(no_modify, figures_gone(f)));
	*any = true;
}

void losses_words(struct words *w, const struct losses *l, bool no_modify, bool zeroed)
{
	const struct loss_figures *f = &l->figures;
	const uint64_t all = figures_all(f);
	const bool inexact = f->missing_most || !f->missing_known;
	bool any = false;

	words_add(w, all == f->in_place && all != 1 ? "All " : "");
	if (all != f->in_place) {
		words_add_number(w, f->in_place);
		words_add(w, inexact ? " of about " : " of ");
	}
	words_add_count(w, all, "file", "files");
	words_add(w, " %sin place%s", verb_of(no_modify, f->in_place), zeroed ? "" : " and unchanged");
	add_part(w, f->damaged - f->unconfirmed, "changed or incomplete", no_modify, &any);
	add_part(w, f->unconfirmed, "not confirmed", no_modify, &any);
	add_part(w, f->moved, "in another place", no_modify, &any);
	add_gone(w, f, no_modify, &any);
	if (!f->missing_known)
		words_add(w, "%s an unknown number of other files may be gone", any ? ", and" : ";");
	words_add(w, zeroed ? "; what they held where the device reads as zeroes is gone" : "");
}

bool losses_missing_words(struct words *w, const struct losses *l)
{
	const struct loss_figures *f = &l->figures;

	if (f->missing_known && !f->missing_most)
		return false;
	if (!f->missing_most) {
		words_add(w, "More files may be missing: an inode btree is lost, and no counter shows how many it had");
		return true;
	}
	if (!f->missing_known)
		words_add(w, "at least ");
	add_range(w, f, f->missing, f->missing_most);
	words_add(w, f->missing_most == 1 ? " more file is missing; its name is unknown"
					  : " more files are missing; their names are unknown");
	return true;
}
