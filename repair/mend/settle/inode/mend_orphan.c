/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reconnects inodes without directory entries (ondisk 12, D7): to where their parent pointers say, under their old
 * names; else to where the log has them; else to lost+found, named by their number, with everything below them.  If
 * lost+found has no room because no block is free, any directory with room is used, as a last resort, since other
 * repairs may free blocks.  A place from a parent pointer or the log is likely, any other a guess.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mend/base/mend.h"
#include "mend/make/mend_dir.h"
#include "mend/make/mend_dir_before.h"
#include "mend/make/mend_metadir.h"
#include "mend/make/mend_new_inode.h"
#include "mend/make/mend_pptrs.h"
#include "mend/restore/mend_logged.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"
#include "mend/base/menders.h"

static const uint8_t lost_found_name[] = "lost+found";
#define LOST_FOUND_LEN (sizeof(lost_found_name) - 1)

/* True if these bytes are the name of lost+found. */
static bool lost_found_is_name(const uint8_t *name, size_t len)
{
	return len == LOST_FOUND_LEN && !memcmp(name, lost_found_name, len);
}

/* Makes a free inode lost+found, and names it in the root. 0; -ENOSPC: no room for its name; or a negative errno. */
static int make_lost_found(struct mend *m, xino_t ino)
{
	const struct geometry *geo = &m->now->geo;
	const struct dir_name name = {
		.ino = ino, .name = lost_found_name, .namelen = LOST_FOUND_LEN, .ftype = FT_DIR
	};
	struct mend_inode inode;
	struct dir_edit root;
	int ret = mend_inode_read(m, ino, &inode); /* it must be readable before it gets a name */

	if (ret)
		return ret;
	mend_inode_free(&inode);
	ret = dir_edit_begin(m, geo->rootino, &root);
	if (ret)
		return ret;
	ret = dir_names_add(geo, &root.names, &name);
	if (!ret)
		ret = mend_nlink_add(m, &root.inode, 1);
	if (!ret)
		ret = dir_edit_write(m, &root);
	if (!ret)
		ret = mend_follows_pptr(m, ino, geo->rootino, name.name, name.namelen);
	dir_edit_end(&root);
	return ret ? ret : mend_new_inode(m, ino, FT_DIR, geo->rootino, NULL);
}

/*
 * Finds lost+found, or makes it if the root has none.  home: the orphan that will be reconnected under that name, or
 * NULL_INO.  *ret_ino: the root if lost+found can't be made, because its name is taken or no inode is free; NULL_INO if
 * the root has no room for the name or is unreadable.  0 or negative errno.
 */
static int lost_found_find(struct mend *m, xino_t home, xino_t *ret_ino)
{
	const struct geometry *geo = &m->now->geo;
	struct dir_edit root;
	enum ftype type;
	xino_t named = home;
	size_t at;
	int ret = dir_edit_begin(m, geo->rootino, &root);

	ret_ino->v = NULL_INO;
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	at = dir_names_find(geo, &root.names, lost_found_name, LOST_FOUND_LEN);
	if (at < root.names.count)
		named = root.names.names[at].ino;
	dir_edit_end(&root);
	if (named.v == NULL_INO) {
		ret = mend_new_inodes_find(m, &named, 1);
		if (ret == -ENOSPC || ret == -ENOENT)
			*ret_ino = geo->rootino;
		if (!ret)
			ret = make_lost_found(m, named);
		if (!ret)
			*ret_ino = named;
		return ret == -ENOSPC || ret == -ENOENT ? 0 : ret;
	}
	ret = mend_inode_type(m, named, &type);
	*ret_ino = type == FT_DIR ? named : geo->rootino;
	return ret;
}

/* A future entry for an orphan. */
struct place_to {
	xino_t directory;
	const struct found *orphan;
	struct pptr_name *name; /* a copy, to be freed; NULL: the name is its inode number */
	enum reattached_by by;
	struct reattached_what what; /* set when the entry is made */
};

/* What was done for an orphan. */
struct orphan_state {
	uint32_t names; /* number of new entries */
	bool has_place; /* it has a place */
	bool pptr_due;	/* it lacks a parent pointer for one of these entries */
};

struct orphans_work {
	struct mend *m;
	const struct found *orphans;
	struct orphan_state *states; /* per orphan */
	struct mend_pptrs own;	     /* parent pointers of the orphans */
	struct dir_before before;    /* the directories that these name, before the repair */
	struct mend_pptrs pptrs;     /* parent pointers to the directories where orphans return */
	struct place_to *places;
	size_t count, room;
	size_t without_place; /* orphans without a place from parent pointers or the log that may go to lost+found */
};

/* Adds a place for an orphan. name: NULL, or copied, because the next query of w->own may free it. 0 or -ENOMEM. */
static int add_place(struct orphans_work *w, xino_t directory, const struct found *orphan, const struct pptr_name *name,
		     enum reattached_by by)
{
	struct pptr_name *own = NULL;

	if (array_grow(&w->places, &w->room, w->count, sizeof(*w->places)))
		return -ENOMEM;
	if (name) {
		own = malloc(sizeof(*own) + name->namelen);
		if (!own)
			return -ENOMEM;
		*own = *name;
		own->name = memcpy(own + 1, name->name, name->namelen);
	}
	w->places[w->count++] = (struct place_to){ directory, orphan, own, by, { 0 } };
	w->states[orphan - w->orphans].has_place = true;
	return 0;
}

/* True if an orphan may go to lost+found: not a metadata inode, since users could change it there. */
static bool may_go_to_lost_found(struct mend *m, const struct found *orphan)
{
	struct mend_inode inode;
	bool may;

	if (mend_inode_decode(m, orphan->place.ino, &inode))
		return true;
	may = !inode.inode.metadata;
	mend_inode_free(&inode);
	return may;
}

/* Adds the places that an orphan's parent pointers give. 0 or negative errno. */
static int find_places(struct orphans_work *w, const struct found *orphan)
{
	struct pptr_name *const *names;
	size_t count;
	int ret = mend_pptrs_of_child(&w->own, orphan->place.ino, &names, &count);

	for (size_t i = 0; i < count && !ret; i++) {
		bool is, removed = false;

		ret = mend_pptrs_is_home(&w->own, names[i], &is);
		if (!ret && is)
			ret = dir_before_removed(&w->before, names[i], &removed);
		if (!ret && is && !removed)
			ret = add_place(w, names[i]->parent, orphan, names[i], BY_PARENT_POINTER);
	}
	return ret;
}

/*
 * Adds the places that the log has for other orphans, only one for a directory, and counts the orphans that have none
 * then.  The log does not change, so each orphan is searched for once.  0 or negative errno.
 */
static int find_logged_places(struct orphans_work *w, size_t count)
{
	struct ino_set without_place = { 0 };
	struct logged_names names = { 0 };
	int ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i++) {
		const xino_t ino = w->orphans[i].place.ino;

		if (!w->states[i].has_place)
			ret = ino_set_add(&w->m->notes.asked.names, ino);
		if (!w->states[i].has_place && ret > 0)
			ret = ino_set_add(&without_place, ino);
	}
	if (ret >= 0)
		ret = ino_set_count(&without_place) ? logged_names_collect(w->m, &without_place, &names) : 0;
	for (size_t i = 0; i < count && !ret; i++) {
		const struct pptr_name *first;
		size_t n = w->states[i].has_place ? 0 : logged_names_of(&names, w->orphans[i].place.ino, &first);

		for (size_t k = 0; k < n && !ret && (!k || first[k].ftype != FT_DIR); k++)
			ret = add_place(w, first[k].parent, &w->orphans[i], &first[k], BY_LOG);
		w->without_place += !w->states[i].has_place && may_go_to_lost_found(w->m, &w->orphans[i]);
	}
	logged_names_free(&names);
	ino_set_free(&without_place);
	return ret;
}

/* Places the other orphans in lost+found. 0 or -ENOMEM. */
static int place_in_lost_found(struct orphans_work *w, const struct found *orphans, size_t count, xino_t lost_found)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		if (!w->states[i].has_place && may_go_to_lost_found(w->m, &orphans[i]))
			ret = add_place(w, lost_found, &orphans[i], NULL, BY_NOBODY);
	return ret;
}

#define NUMBER_LEN 24

/* Returns the new name of an orphan. number: buffer for a name that is its inode number. */
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

/* Adds an orphan's entry to a directory. 0 or negative errno. */
static int add_name(struct orphans_work *w, struct dir_names *names, const struct place_to *place, uint8_t ftype)
{
	const struct geometry *geo = &w->m->now->geo;
	char number[NUMBER_LEN];
	const struct dir_name name = name_of(place, ftype, number);
	size_t at = dir_names_find(geo, names, name.name, name.namelen);
	int ret;

	/* if a name from the log is taken, dir_names_unique() appends a number */
	if (at == names->count || place->by != BY_PARENT_POINTER)
		return dir_names_add(geo, names, &name);
	ret = mend_pptrs_know(&w->pptrs, place->directory);
	if (ret)
		return ret;
	if (at >= 2 && !mend_pptrs_confirm(&w->pptrs, place->directory, &names->names[at])) {
		names->names[at].ino = name.ino;
		names->names[at].ftype = ftype;
		return 0;
	}
	return names->names[at].ino.v == name.ino.v ? 0 : dir_names_add(geo, names, &name);
}

/* Sets the `..` of a directory if it differs, and counts its entries. 0 or negative errno. */
static int set_parent(struct mend *m, xino_t child, xino_t into, uint64_t *ret_children)
{
	struct dir_edit dir;
	int ret = dir_edit_begin(m, child, &dir);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	*ret_children = dir.names.count - 2;
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

/* Reports that an orphan was reconnected, and has a parent pointer added if needed. 0 or -ENOMEM. */
static int say_named(struct orphans_work *w, const struct place_to *place)
{
	const struct found *orphan = place->orphan;
	struct orphan_state *state = &w->states[orphan - w->orphans];
	char number[NUMBER_LEN];
	const struct dir_name name = name_of(place, FT_UNKNOWN, number);
	const bool pptr_due = place->by != BY_PARENT_POINTER;
	const struct reattached one = { orphan->place.ino, place->by, place->what };
	int ret = reattached_add(&w->m->rc->run->reattached, &one);

	mend_done_sure(w->m, orphan, place->by == BY_NOBODY ? SURE_GUESS : SURE_LIKELY);
	state->names++;
	state->pptr_due |= pptr_due;
	return ret || !pptr_due ? ret
				: mend_follows_pptr(w->m, orphan->place.ino, place->directory, name.name, name.namelen);
}

/*
 * Notes the orphans whose parent pointers gave their new entries: the last check's findings about these are out of
 * date.  Has link counts mended, since the last check compared them without the new entries.  0 or -ENOMEM.
 */
static int settle_links(struct orphans_work *w, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const struct orphan_state *state = &w->states[i];
		struct found links = w->orphans[i];

		links.problem.finding = F_INODE_NLINK_COUNT;
		links.problem.want += state->names;
		if (!state->pptr_due)
			ret = ino_set_put(&w->m->round.reattached, links.place.ino);
		if (!ret && state->names && links.problem.got != links.problem.want)
			ret = mend_follows(w->m, MEND_nlink, &links);
	}
	return ret;
}

/* Calls mend_left() for the orphans of these places. */
static int leave(struct mend *m, const struct place_to *places, size_t count, int error)
{
	int ret = count ? 0 : error;

	for (size_t i = 0; i < count && !ret; i++)
		ret = mend_left(m, places[i].orphan, 1, error);
	return ret;
}

static struct reattached_what what_of(const struct dinode *inode)
{
	return (struct reattached_what){
		.ftype = (uint8_t)inode->ftype,
		.size = inode->size,
		.uid = inode->uid,
		.mtime = dinode_seconds(be64_get(inode->disk->times[1]), inode->flags2 & DIFLAG2_BIGTIME),
	};
}

/* Adds entries for orphans to one directory: `count` places in it. 0 or negative errno. */
static int fill_directory(struct orphans_work *w, struct place_to *places, size_t count)
{
	struct mend *m = w->m;
	struct dir_edit dir;
	int ret = dir_edit_begin(m, places->directory, &dir);

	if (ret)
		return leave(m, places, count, ret);
	for (size_t i = 0; i < count && !ret; i++) {
		struct mend_inode child;

		ret = mend_inode_decode(m, places[i].orphan->place.ino, &child);
		if (ret)
			break;
		places[i].what = what_of(&child.inode);
		ret = add_name(w, &dir.names, &places[i], places[i].what.ftype);
		mend_inode_free(&child);
	}
	if (!ret)
		ret = dir_edit_write(m, &dir);
	dir_edit_end(&dir);
	/* `..` and parent pointers are changed once the entries are staged */
	for (size_t i = 0; i < count && !ret; i++) {
		if (places[i].what.ftype == FT_DIR)
			ret = set_parent(m, places[i].orphan->place.ino, places->directory, &places[i].what.children);
		if (!ret)
			ret = say_named(w, &places[i]);
	}
	return leave(m, places, count, ret);
}

/* Returns the orphan that returns to the root as lost+found; NULL_INO: none. */
static xino_t orphan_named_lost_found(const struct orphans_work *w)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct pptr_name *name = w->places[i].name;

		if (w->places[i].directory.v == w->m->now->geo.rootino.v &&
		    lost_found_is_name(name->name, name->namelen))
			return w->places[i].orphan->place.ino;
	}
	return (xino_t){ NULL_INO };
}

/* ---- the last resort ---- */

#define WAY_UP	  64u  /* maximum depth of a directory below the root */
#define TRIES_MAX 256u /* number of directories without room before giving up */

/* True if a directory is connected to the root, without an orphan above it. */
static bool hangs_from_root(const struct mend *m, const struct ino_set *orphans, xino_t dir)
{
	const struct dir_table *dirs = &m->now->dirs;

	for (unsigned i = 0; i < WAY_UP && !ino_set_has(orphans, dir); i++) {
		size_t at = dir_table_find(dirs, dir);

		if (dir.v == m->now->geo.rootino.v)
			return true;
		if (at == dirs->count)
			return false;
		dir = dir_table_at(dirs, at).parent;
	}
	return false;
}

/* Reconnects the remaining orphans to any directory with room: the root, else the first one by number. */
static int place_anywhere(struct orphans_work *w, size_t count, const struct ino_set *orphans)
{
	const struct dir_table *dirs = &w->m->now->dirs;
	xino_t dir = w->m->now->geo.rootino;
	size_t next = 0;
	unsigned tries = 0;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		struct place_to place = { .orphan = &w->orphans[i], .by = BY_NOBODY };

		if (w->states[i].names || !may_go_to_lost_found(w->m, &w->orphans[i]))
			continue;
		while (!ret && !w->states[i].names && tries < TRIES_MAX) {
			place.directory = dir;
			ret = fill_directory(w, &place, 1);
			if (ret || w->states[i].names)
				break;
			tries++;
			while (next < dirs->count && !hangs_from_root(w->m, orphans, dir_table_at(dirs, next).dir))
				next++;
			if (next == dirs->count)
				return 0;
			dir = dir_table_at(dirs, next++).dir;
		}
	}
	return ret;
}

/*
 * For orphans without entries: frees empty metadata directories, and reconnects others to any directory if that is
 * allowed; else notes that it is wanted.  0 or negative errno.
 */
static int place_the_rest(struct orphans_work *w, size_t count)
{
	struct ino_set orphans = { 0 };
	bool all = true;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		const bool left = !w->states[i].names, may = may_go_to_lost_found(w->m, &w->orphans[i]);

		ret = ino_set_put(&orphans, w->orphans[i].place.ino);
		all &= !left || !may;
		if (!ret && left && !may)
			ret = metadir_free_empty(w->m, &w->orphans[i]);
	}
	w->m->orphans_anywhere.wanted |= !all;
	if (!ret && !all && w->m->orphans_anywhere.allowed)
		ret = place_anywhere(w, count, &orphans);
	ino_set_free(&orphans);
	return ret;
}

int mend_orphan(struct mend *m, const struct found *found, size_t count)
{
	struct orphans_work w = { .m = m,
				  .orphans = found,
				  .states = calloc(count, sizeof(*w.states)),
				  .own = { .m = m, .own = true },
				  .before = { .m = m },
				  .pptrs = { .m = m } };
	xino_t lost_found = { NULL_INO };
	int ret = w.states ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret; i++)
		ret = mend_pptrs_want(&w.own, found[i].place.ino);
	for (size_t i = 0; i < count && !ret; i++)
		ret = find_places(&w, &found[i]);
	mend_pptrs_free(&w.own);
	dir_before_free(&w.before);
	if (!ret)
		ret = find_logged_places(&w, count);
	/* if a name is taken, parent pointers to that directory decide */
	for (size_t i = 0; i < w.count && !ret; i++)
		ret = mend_pptrs_want(&w.pptrs, w.places[i].directory);
	if (!ret && w.without_place)
		ret = lost_found_find(m, orphan_named_lost_found(&w), &lost_found);
	if (!ret && lost_found.v != NULL_INO)
		ret = place_in_lost_found(&w, found, count, lost_found);
	ordered_sort(w.places, w.count, MEMBERS(MEMBER(w.places, directory), MEMBER(w.places, orphan)));
	for (size_t i = 0, n; i < w.count && !ret; i += n) {
		n = ordered_run(w.places + i, w.count - i, MEMBER(w.places, directory));
		ret = fill_directory(&w, w.places + i, n);
	}
	if (!ret)
		ret = place_the_rest(&w, count);
	if (!ret)
		ret = settle_links(&w, count);
	for (size_t i = 0; i < w.count; i++)
		free(w.places[i].name);
	free(w.places);
	free(w.states);
	mend_pptrs_free(&w.pptrs);
	return mend_left(m, found, count, ret);
}
