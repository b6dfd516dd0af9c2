/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inodes that no directory names (ondisk 12, D7).  They go back to where their parent pointers say they were, under
 * their old names; else to where the log has them; else to lost+found, named by their number, with all that is below
 * them.  If lost+found has no room for that, because no block is free, any directory that has room will do, but only
 * when nothing else can be mended first, since that may give blocks back.
 * A place that a parent pointer or the log tells is likely, any other a guess.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mend/base/mend_follows.h"
#include "mend/base/menders.h"
#include "mend/make/lost_found.h"
#include "mend/make/mend_metadir.h"
#include "mend/make/mend_nlink.h"
#include "mend/make/mend_pptrs.h"
#include "mend/restore/mend_logged_names.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

/* A name to add for an orphan. */
struct place_to {
	xino_t directory;
	const struct found *orphan;
	struct pptr_name *name; /* a copy, to be freed; NULL: its number, in lost+found or elsewhere */
	enum reattached_by by;
	uint8_t ftype; /* the orphan's type, set when it is named */
};

/* What becomes of an orphan. */
struct fate {
	uint32_t names; /* how many it has got */
	bool home;	/* there is a place for it */
	bool pptr_due;	/* it lacks a parent pointer for one of these names */
};

struct homes {
	struct mend *m;
	const struct found *orphans;
	struct fate *fates;	 /* per orphan */
	struct mend_pptrs own;	 /* parent pointers of orphans */
	struct mend_pptrs pptrs; /* parent pointers to the directories that orphans return to */
	struct place_to *places;
	size_t count, room;
	size_t homeless; /* orphans that have no place by parent pointers or the log, and may go to lost+found */
};

/* Add a place for an orphan. name: copied, since the next question to h->own may free it; or NULL. 0 or -ENOMEM. */
static int add_place(struct homes *h, xino_t directory, const struct found *orphan, const struct pptr_name *name,
		     enum reattached_by by)
{
	struct pptr_name *own = NULL;

	if (array_grow(&h->places, &h->room, h->count, sizeof(*h->places)))
		return -ENOMEM;
	if (name) {
		own = malloc(sizeof(*own) + name->namelen);
		if (!own)
			return -ENOMEM;
		*own = *name;
		own->name = memcpy(own + 1, name->name, name->namelen);
	}
	h->places[h->count++] = (struct place_to){ directory, orphan, own, by, FT_UNKNOWN };
	h->fates[orphan - h->orphans].home = true;
	return 0;
}

/* True if an orphan may go to lost+found: not if it is of the metadata tree, since users could change it there. */
static bool may_be_lodged(struct mend *m, const struct found *orphan)
{
	struct mend_inode inode;
	bool may;

	if (mend_inode_decode(m, orphan->place.ino, &inode))
		return true;
	may = !inode.inode.metadata;
	mend_inode_free(&inode);
	return may;
}

/* Add the places that an orphan's parent pointers lead to. 0 or negative errno. */
static int find_home(struct homes *h, const struct found *orphan)
{
	struct pptr_name *const *names;
	size_t count;
	int ret = mend_pptrs_of_child(&h->own, orphan->place.ino, &names, &count);

	for (size_t i = 0; i < count && !ret; i++) {
		bool is;

		ret = mend_pptrs_is_home(&h->own, names[i], &is);
		if (!ret && is)
			ret = add_place(h, names[i]->parent, orphan, names[i], BY_PARENT_POINTER);
	}
	return ret;
}

/*
 * Add the places that the log has for other orphans, for a directory only one; and count the orphans that have no place
 * then.  No orphan is looked for twice, since the log stays the same.  0 or negative errno.
 */
static int find_logged_homes(struct homes *h, size_t count)
{
	struct ino_set homeless = { 0 };
	struct logged_names names = { 0 };
	int ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i++) {
		const xino_t ino = h->orphans[i].place.ino;

		if (!h->fates[i].home)
			ret = ino_set_add(&h->m->notes.asked.names, ino);
		if (!h->fates[i].home && ret > 0)
			ret = ino_set_add(&homeless, ino);
	}
	if (ret >= 0)
		ret = ino_set_count(&homeless) ? logged_names_collect(h->m, &homeless, &names) : 0;
	for (size_t i = 0; i < count && !ret; i++) {
		const struct pptr_name *first;
		size_t n = h->fates[i].home ? 0 : logged_names_of(&names, h->orphans[i].place.ino, &first);

		for (size_t k = 0; k < n && !ret && (!k || first[k].ftype != FT_DIR); k++)
			ret = add_place(h, first[k].parent, &h->orphans[i], &first[k], BY_LOG);
		h->homeless += !h->fates[i].home && may_be_lodged(h->m, &h->orphans[i]);
	}
	logged_names_free(&names);
	ino_set_free(&homeless);
	return ret;
}

/* Orphans that have found no home go to lost+found. */
static int lodge(struct homes *h, const struct found *orphans, size_t count, xino_t lost_found)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		if (!h->fates[i].home && may_be_lodged(h->m, &orphans[i]))
			ret = add_place(h, lost_found, &orphans[i], NULL, BY_NOBODY);
	return ret;
}

#define NUMBER_LEN 24

/* The name that an orphan gets; number: room for a name that is its inode number. */
static struct dir_name name_of(const struct place_to *place, uint8_t ftype, char number[NUMBER_LEN])
{
	struct dir_name name = { .ino = place->orphan->place.ino, .ftype = ftype };

	if (place->name) {
		name.name = place->name->name;
		name.namelen = place->name->namelen;
	} else {
		name.namelen = (uint8_t)snprintf(number, NUMBER_LEN, "%" PRIu64, name.ino.v);
		name.name = (const uint8_t *)number;
	}
	return name;
}

/* Add an orphan's name to a directory's names. 0 or negative errno. */
static int add_name(struct homes *h, struct dir_names *names, const struct place_to *place, uint8_t ftype)
{
	const struct geometry *geo = &h->m->now->geo;
	char number[NUMBER_LEN];
	const struct dir_name name = name_of(place, ftype, number);
	size_t at = dir_names_find(geo, names, name.name, name.namelen);
	int ret;

	/* if the name is taken, one that the log has gets a number behind it, by dir_names_unique() */
	if (at == names->count || place->by != BY_PARENT_POINTER)
		return dir_names_add(geo, names, &name);
	ret = mend_pptrs_know(&h->pptrs, place->directory);
	if (ret)
		return ret;
	if (at >= 2 && !mend_pptrs_confirm(&h->pptrs, place->directory, &names->names[at])) {
		names->names[at].ino = name.ino;
		names->names[at].ftype = ftype;
		return 0;
	}
	return names->names[at].ino.v == name.ino.v ? 0 : dir_names_add(geo, names, &name);
}

/* Set the `..` of a directory, if it is another one. 0 or negative errno. */
static int set_parent(struct mend *m, xino_t child, xino_t into)
{
	struct dir_edit dir;
	int ret = dir_edit_begin(m, child, &dir);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	if (dir.names.names[1].ino.v != into.v) {
		const xino_t from = dir.names.names[1].ino;

		dir.names.names[1].ino = into;
		ret = dir_edit_write(m, &dir);
		if (!ret)
			ret = mend_nlink_moved(m, from, into);
	}
	dir_edit_end(&dir);
	return ret;
}

/* Report that an orphan has got a name, and have a parent pointer added for it if needed. 0 or -ENOMEM. */
static int say_named(struct homes *h, const struct place_to *place)
{
	const struct found *orphan = place->orphan;
	struct fate *fate = &h->fates[orphan - h->orphans];
	char number[NUMBER_LEN];
	const struct dir_name name = name_of(place, FT_UNKNOWN, number);
	const bool pptr_due = place->by != BY_PARENT_POINTER;
	int ret = reattached_add(&h->m->rc->run->reattached, orphan->place.ino, place->by);

	mend_done_sure(h->m, orphan, place->by == BY_NOBODY ? SURE_GUESS : SURE_LIKELY);
	fate->names++;
	fate->pptr_due |= pptr_due;
	return ret || !pptr_due ? ret
				: mend_follows_pptr(h->m, orphan->place.ino, place->directory, name.name, name.namelen);
}

/*
 * Note the orphans of whose parent pointers the last check's findings are out of date, since these led to their names.
 * Have link counts mended, which the last check has compared without the new names.  0 or -ENOMEM.
 */
static int settle_links(struct homes *h, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const struct fate *fate = &h->fates[i];
		struct found links = h->orphans[i];

		links.problem.finding = F_INODE_NLINK_COUNT;
		links.problem.want += fate->names;
		if (!fate->pptr_due)
			ret = ino_set_put(&h->m->round.reattached, links.place.ino);
		if (!ret && fate->names && links.problem.got != links.problem.want)
			ret = mend_follows(h->m, MEND_nlink, &links);
	}
	return ret;
}

/* As mend_left() of the orphans of these places. */
static int leave(struct mend *m, const struct place_to *places, size_t count, int error)
{
	int ret = count ? 0 : error;

	for (size_t i = 0; i < count && !ret; i++)
		ret = mend_left(m, places[i].orphan, 1, error);
	return ret;
}

/* Name orphans in one directory: `count` places in it. 0 or negative errno. */
static int fill_directory(struct homes *h, struct place_to *places, size_t count)
{
	struct mend *m = h->m;
	struct dir_edit dir;
	int ret = dir_edit_begin(m, places->directory, &dir);

	if (ret)
		return leave(m, places, count, ret);
	for (size_t i = 0; i < count && !ret; i++) {
		struct mend_inode child;

		ret = mend_inode_decode(m, places[i].orphan->place.ino, &child);
		if (ret)
			break;
		places[i].ftype = (uint8_t)child.inode.ftype;
		ret = add_name(h, &dir.names, &places[i], places[i].ftype);
		mend_inode_free(&child);
	}
	if (!ret)
		ret = dir_edit_write(m, &dir);
	dir_edit_end(&dir);
	/* `..` and parent pointers follow once the names are staged */
	for (size_t i = 0; i < count && !ret; i++) {
		ret = say_named(h, &places[i]);
		if (!ret && places[i].ftype == FT_DIR)
			ret = set_parent(m, places[i].orphan->place.ino, places->directory);
	}
	return leave(m, places, count, ret);
}

/* The orphan that goes back to the root under the name lost+found; NULL_INO: there is none. */
static xino_t home_as_lost_found(const struct homes *h)
{
	for (size_t i = 0; i < h->count; i++) {
		const struct pptr_name *name = h->places[i].name;

		if (h->places[i].directory.v == h->m->now->geo.rootino.v &&
		    lost_found_is_name(name->name, name->namelen))
			return h->places[i].orphan->place.ino;
	}
	return (xino_t){ NULL_INO };
}

/* ---- the last resort ---- */

#define WAY_UP	  64u  /* directories that lie deeper than this below the root are not tried */
#define TRIES_MAX 256u /* directories without room, after which this is given up */

/* True if the way up from a directory leads to the root, without passing an orphan. */
static bool hangs_from_root(const struct mend *m, const struct ino_set *orphans, xino_t dir)
{
	const struct dir_table *dirs = &m->now->dirs;

	for (unsigned i = 0; i < WAY_UP && !ino_set_has(orphans, dir); i++) {
		size_t at = dir_table_find(dirs, dir);

		if (dir.v == m->now->geo.rootino.v)
			return true;
		if (at == dirs->count)
			return false;
		dir = dirs->dirs[at].parent;
	}
	return false;
}

/* Name the orphans without a name in any directory that has room: the root, else the first by number. */
static int lodge_in_any(struct homes *h, size_t count, const struct ino_set *orphans)
{
	const struct dir_table *dirs = &h->m->now->dirs;
	xino_t dir = h->m->now->geo.rootino;
	size_t next = 0;
	unsigned tries = 0;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		struct place_to place = { .orphan = &h->orphans[i], .by = BY_NOBODY };

		if (h->fates[i].names || !may_be_lodged(h->m, &h->orphans[i]))
			continue;
		while (!ret && !h->fates[i].names && tries < TRIES_MAX) {
			place.directory = dir;
			ret = fill_directory(h, &place, 1);
			if (ret || h->fates[i].names)
				break;
			tries++;
			while (next < dirs->count && !hangs_from_root(h->m, orphans, dirs->dirs[next].dir))
				next++;
			if (next == dirs->count)
				return 0;
			dir = dirs->dirs[next++].dir;
		}
	}
	return ret;
}

/*
 * For orphans that have no name yet: free empty directories of the metadata tree, and lodge others in any directory, if
 * that is allowed; else note that it is wanted.  0 or negative errno.
 */
static int lodge_the_rest(struct homes *h, size_t count)
{
	struct ino_set orphans = { 0 };
	bool all = true;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const bool left = !h->fates[i].names, may = may_be_lodged(h->m, &h->orphans[i]);

		ret = ino_set_put(&orphans, h->orphans[i].place.ino);
		all &= !left || !may;
		if (!ret && left && !may)
			ret = metadir_free_empty(h->m, &h->orphans[i]);
	}
	h->m->orphans_anywhere.wanted |= !all;
	if (!ret && !all && h->m->orphans_anywhere.allowed)
		ret = lodge_in_any(h, count, &orphans);
	ino_set_free(&orphans);
	return ret;
}

int mend_orphan(struct mend *m, const struct found *found, size_t count)
{
	struct homes h = { .m = m,
			   .orphans = found,
			   .fates = calloc(count, sizeof(*h.fates)),
			   .own = { .m = m, .own = true },
			   .pptrs = { .m = m } };
	xino_t lost_found = { NULL_INO };
	int ret = h.fates ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret; i++)
		ret = mend_pptrs_want(&h.own, found[i].place.ino);
	for (size_t i = 0; i < count && !ret; i++)
		ret = find_home(&h, &found[i]);
	mend_pptrs_free(&h.own);
	if (!ret)
		ret = find_logged_homes(&h, count);
	/* if a name is taken, parent pointers to that directory tell who is right */
	for (size_t i = 0; i < h.count && !ret; i++)
		ret = mend_pptrs_want(&h.pptrs, h.places[i].directory);
	if (!ret && h.homeless)
		ret = lost_found_find(m, home_as_lost_found(&h), &lost_found);
	if (!ret && lost_found.v != NULL_INO)
		ret = lodge(&h, found, count, lost_found);
	ordered_sort(h.places, h.count, MEMBERS(MEMBER(h.places, directory), MEMBER(h.places, orphan)));
	for (size_t i = 0, n; i < h.count && !ret; i += n) {
		n = ordered_run(h.places + i, h.count - i, MEMBER(h.places, directory));
		ret = fill_directory(&h, h.places + i, n);
	}
	if (!ret)
		ret = lodge_the_rest(&h, count);
	if (!ret)
		ret = settle_links(&h, count);
	for (size_t i = 0; i < h.count; i++)
		free(h.places[i].name);
	free(h.places);
	free(h.fates);
	mend_pptrs_free(&h.pptrs);
	return mend_left(m, found, count, ret);
}
