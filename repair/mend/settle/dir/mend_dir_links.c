/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the only entry of a directory (ondisk 12, D10).  Of several entries, the one with the latest LSN stays.  A
 * move of a directory writes the directory and the blocks of both entries.  If one of these writes was lost, the older
 * block is outdated.  If LSNs don't tell, the entry stays that the parent pointer names; else the one in the directory
 * of `..`; else the first.  LSNs count only on file systems with parent pointers.  There, an entry with a wrong inode
 * number is recognized: another inode has a parent pointer for it.  Also finds an orphan that a dangling entry may have
 * named, if there is only one.
 */
#include "mend_dir_links.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "libxfs/dir_build.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_inode.h"
#include "mend/make/mend_dir.h"
#include "mend/make/mend_dir_dates.h"
#include "repair.h"
#include "report/findings.h"
#include "sets/ordered.h"

static int link_order(const void *a, const void *b)
{
	const struct dir_link *x = a, *y = b;

	if (x->found->problem.got != y->found->problem.got)
		return x->found->problem.got < y->found->problem.got ? -1 : 1;
	if (x->date.v != y->date.v)
		return x->date.v > y->date.v ? -1 : 1;
	if (x->doubt != y->doubt)
		return x->doubt < y->doubt ? -1 : 1;
	return (x->found > y->found) - (x->found < y->found);
}

/* Compares by directory and name. */
static int entry_order(const struct found *a, const struct found *b)
{
	const struct name_view *x = &a->place.name, *y = &b->place.name;

	if (a->place.ino.v != b->place.ino.v)
		return a->place.ino.v < b->place.ino.v ? -1 : 1;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return x->len ? memcmp(x->bytes, y->bytes, x->len) : 0;
}

static int by_entry(const void *a, const void *b)
{
	const struct dir_link *x = a, *y = b;

	return entry_order(x->found, y->found);
}

static int mistyped_order(const void *a, const void *b)
{
	return entry_order(*(const struct found *const *)a, *(const struct found *const *)b);
}

/* True if the type in the entry is not that of its directory. */
static bool is_mistyped(const struct dir_links *links, const struct found *found)
{
	return links->nmistyped &&
	       bsearch(&found, links->mistyped, links->nmistyped, sizeof(const struct found *), mistyped_order);
}

static lsn_t later(lsn_t a, lsn_t b)
{
	return a.v > b.v ? a : b;
}

/*
 * Sets how doubtful an entry is: the parent pointer counts most, then `..`, then the type in the entry; and its date,
 * of which that of its part of the directory is set already.  0 or negative errno.
 */
static int judge_link(struct mend *m, const struct mend_pptrs *pptrs, const struct dir_links *links,
		      struct dir_link *link)
{
	const struct dir_table *dirs = &m->now->dirs;
	const struct found *found = link->found;
	const struct name_view *view = &found->place.name;
	const struct dir_name name = { .ino = { found->problem.got }, .name = view->bytes, .namelen = view->len };
	size_t at = dir_table_find(dirs, name.ino);
	const bool says = at < dirs->count && dir_table_at(dirs, at).parent.v == found->place.ino.v;
	const bool confirmed = mend_pptrs_confirm(pptrs, found->place.ino, &name);
	lsn_t pptr, dotdot;
	int ret;

	link->doubt = (confirmed ? 0 : 4) + (says ? 0 : 2) + is_mistyped(links, found);
	if (!m->now->geo.parent || (!says && !confirmed))
		return 0;
	ret = dir_parent_dates(m, name.ino, &pptr, &dotdot);
	if (says)
		link->date = later(link->date, dotdot);
	if (confirmed)
		link->date = pptr.v ? later(link->date, pptr) : (lsn_t){ NULL_LSN };
	return ret;
}

/* Sets the LSNs of the parts of a directory with these entries. 0 or negative errno. */
static int date_links(struct mend *m, struct dir_link *v, size_t count)
{
	struct dir_dates dates = { 0 };
	struct dir_edit dir;
	int ret = dir_edit_begin(m, v->found->place.ino, &dir);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	ret = dir_dates_collect(m, &dir.inode, &dates);
	for (size_t i = 0; i < count && !ret; i++)
		v[i].date = dir_dates_of_found(&m->now->geo, &dates, &dir.names, v[i].found);
	dir_dates_free(&dates);
	dir_edit_end(&dir);
	return ret;
}

static bool entry_below(const void *element, const void *key)
{
	const struct dir_link *link = element;

	return entry_order(link->found, key) < 0;
}

/* Takes the date from entries that another inode has a parent pointer for. */
static void doubt_claimed(const struct mend_pptrs *pptrs, struct dir_link *v, size_t count)
{
	const struct pptr_name *n;
	const size_t names = mend_pptrs_to_directory(pptrs, v->found->place.ino, &n);

	for (size_t i = 0; i < names; i++) {
		const struct found like = { .place = { .ino = n[i].parent, .name = { n[i].name, n[i].namelen } } };
		size_t at = array_lower_bound(v, count, sizeof(*v), &like, entry_below);

		for (; at < count && !entry_order(v[at].found, &like); at++)
			if (v[at].found->problem.got != n[i].child.v)
				v[at].date.v = 0;
	}
}

/* Judges entries that are all in one directory, sorted by name. 0 or negative errno. */
static int judge_directory(struct mend *m, struct mend_pptrs *pptrs, const struct dir_links *links, struct dir_link *v,
			   size_t count)
{
	int ret = mend_pptrs_know(pptrs, v->found->place.ino);

	if (!ret && m->now->geo.parent)
		ret = date_links(m, v, count);
	if (!ret)
		doubt_claimed(pptrs, v, count);
	for (size_t i = 0; i < count && !ret; i++)
		ret = judge_link(m, pptrs, links, &v[i]);
	return ret;
}

/* Collects further entries for the same directory, and orphans, except those whose parent is unknown. */
static void collect_links(const struct mend *m, const struct found *found, size_t count, struct dir_links *links)
{
	const struct dir_table *dirs = &m->now->dirs;

	for (size_t i = 0; i < count; i++) {
		size_t at;

		if (found[i].problem.finding == F_DIR_ENTRY_FTYPE_INODE)
			links->mistyped[links->nmistyped++] = &found[i];
		if (found[i].problem.finding == F_DIR_LINKED_AGAIN)
			links->v[links->count++].found = &found[i];
		if (found[i].problem.finding != F_INODE_ORPHAN ||
		    ino_set_has(&m->notes.parent_unknown, found[i].place.ino))
			continue;
		at = dir_table_find(dirs, found[i].place.ino);
		if (at < dirs->count)
			links->orphans[links->norphans++] =
				(struct dir_orphan){ found[i].place.ino, dir_table_at(dirs, at).parent };
	}
	if (links->nmistyped)
		qsort(links->mistyped, links->nmistyped, sizeof(const struct found *), mistyped_order);
	ordered_sort(links->orphans, links->norphans,
		     MEMBERS(MEMBER(links->orphans, parent), MEMBER(links->orphans, ino)));
}

/* Returns the only orphan, if all other findings (at least one) are about one directory; else NULL_INO. */
static xino_t only_orphan(const struct found *found, size_t count)
{
	xino_t orphan = { NULL_INO }, dir = { NULL_INO };

	for (size_t i = 0; i < count; i++) {
		const bool is = found[i].problem.finding == F_INODE_ORPHAN;
		xino_t *one = is ? &orphan : &dir;

		if (one->v != NULL_INO && (is || one->v != found[i].place.ino.v))
			return (xino_t){ NULL_INO };
		*one = found[i].place.ino;
	}
	return dir.v != NULL_INO ? orphan : dir;
}

/*
 * Sets links->file.  None with parent pointers, which tell more, or if findings were cut, so that there may be more
 * orphans.
 */
static int find_file(struct mend *m, const struct found *found, size_t count, struct dir_links *links)
{
	int ret;

	links->file.v = NULL_INO;
	if (m->now->geo.parent || findings_cut(m->now->findings))
		return 0;
	links->file = only_orphan(found, count);
	if (links->file.v == NULL_INO)
		return 0;
	ret = mend_inode_type(m, links->file, &links->file_type);
	if (links->file_type == FT_DIR || links->file_type == FT_UNKNOWN)
		links->file.v = NULL_INO;
	return ret;
}

int dir_links_settle(struct mend *m, struct mend_pptrs *pptrs, const struct found *found, size_t count,
		     struct dir_links *ret_links)
{
	struct dir_links links = { .v = calloc(count + 1, sizeof(*links.v)),
				   .orphans = calloc(count + 1, sizeof(*links.orphans)),
				   .mistyped = calloc(count + 1, sizeof(const struct found *)) };
	int ret = links.v && links.orphans && links.mistyped ? 0 : -ENOMEM;

	if (!ret) {
		collect_links(m, found, count, &links);
		ret = find_file(m, found, count, &links);
	}
	if (links.count)
		qsort(links.v, links.count, sizeof(*links.v), by_entry);
	for (size_t i = 0, n; i < links.count && !ret; i += n) {
		for (n = 1; i + n < links.count && links.v[i + n].found->place.ino.v == links.v[i].found->place.ino.v;
		     n++)
			;
		ret = judge_directory(m, pptrs, &links, &links.v[i], n);
	}
	if (links.count)
		qsort(links.v, links.count, sizeof(*links.v), link_order);
	if (ret)
		dir_links_free(&links);
	else
		*ret_links = links;
	return ret;
}

void dir_links_free(struct dir_links *links)
{
	free(links->v);
	free(links->orphans);
	free(links->mistyped);
}

xino_t dir_links_orphan(const struct dir_links *links, xino_t parent)
{
	const struct dir_orphan *orphans = links->orphans;
	size_t at = ordered_find(orphans, links->norphans, MEMBER(orphans, parent), parent.v);

	/* none or several */
	if (at == links->norphans || ordered_run(orphans + at, links->norphans - at, MEMBER(orphans, parent)) != 1)
		return (xino_t){ NULL_INO };
	return orphans[at].ino;
}

static bool link_below(const void *element, const void *key)
{
	const struct dir_link *link = element;
	const uint64_t *child = key;

	return link->found->problem.got < *child;
}

bool dir_links_stays(const struct dir_links *links, const struct found *found)
{
	size_t at = array_lower_bound(links->v, links->count, sizeof(*links->v), &found->problem.got, link_below);
	const struct found *stays = at < links->count ? links->v[at].found : NULL;

	/* found may be a copy */
	return stays && stays->problem.got == found->problem.got && !entry_order(stays, found);
}
