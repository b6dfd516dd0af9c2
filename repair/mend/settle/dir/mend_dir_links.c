/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the only entry of a directory (ondisk 12, D10).  If there are several, the one stays that its parent pointer
 * names; else the one in the directory of its `..`; else the first.  If the block with `..` is newer than the parent
 * pointer, `..` takes precedence.  Also finds an orphan that a dangling entry may have named, if there is only one.
 */
#include "mend_dir_links.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "libxfs/dir_build.h"
#include "mend/base/mend.h"
#include "mend/collect/mend_inode.h"
#include "mend/make/mend_dir_dates.h"
#include "repair.h"
#include "report/findings.h"
#include "sets/ordered.h"

static int link_order(const void *a, const void *b)
{
	const struct dir_link *x = a, *y = b;

	if (x->found->problem.got != y->found->problem.got)
		return x->found->problem.got < y->found->problem.got ? -1 : 1;
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

/*
 * Sets how doubtful an entry is: the parent pointer counts most, unless the target's `..` is newer, then `..`, then the
 * type in the entry.  0 or negative errno.
 */
static int set_doubt(struct mend *m, const struct mend_pptrs *pptrs, const struct dir_links *links,
		     struct dir_link *link)
{
	const struct dir_table *dirs = &m->now->dirs;
	const struct found *found = link->found;
	const struct name_view *view = &found->place.name;
	const struct dir_name name = { .ino = { found->problem.got }, .name = view->bytes, .namelen = view->len };
	size_t at = dir_table_find(dirs, name.ino);
	const bool says = at < dirs->count && dir_table_at(dirs, at).parent.v == found->place.ino.v;
	const bool confirmed = mend_pptrs_confirm(pptrs, found->place.ino, &name);
	bool newer = false;
	int ret = confirmed == says ? 0 : dotdot_is_newer(m, name.ino, &newer);

	link->doubt = (confirmed ? 0 : newer ? 2 : 4) + (says ? 0 : newer ? 4 : 2) + is_mistyped(links, found);
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
	for (size_t i = 0; i < links.count && !ret; i++) {
		ret = mend_pptrs_know(pptrs, links.v[i].found->place.ino);
		if (!ret)
			ret = set_doubt(m, pptrs, &links, &links.v[i]);
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
