/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evidence that the last write of an inode was lost, while its checksum is right:
 * - An entry in a newer part of a directory has another file type, or no parent pointer.
 * - More entries in newer parts of directories than its link count: adding an entry writes the inode, too, and an entry
 *   that was removed since lies in a part whose last write was lost, which is older than the inode.
 * - It maps a block that is another inode's by its header, and was written later.
 * A link count that differs from the entries is no evidence by itself: the directory may be stale.
 */
#include "mend_stale.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "libxfs/log_stamp.h"
#include "libxfs/object.h"
#include "mend/base/mend.h"
#include "mend/collect/group_age.h"
#include "mend_dir.h"
#include "mend_dir_dates.h"
#include "repair.h"
#include "sets/ordered.h"

#define ENTRIES_MOST 10000u /* number of entries whose LSNs are looked up: findings beyond that tell nothing new */
#define AREA_BYTES   UINT64_C(65536) /* least usual chunk of an array, which loses its last writes together */

/* An entry that contradicts its inode. */
struct dated_entry {
	const struct found *found;
	xino_t dir, ino; /* ino: 0 until its directory is read */
	bool later;	 /* its part of the directory is newer than the inode */
	lsn_t date;
};

struct stale_work {
	struct mend *m;
	struct dated_entry *v;
	size_t count, room;
};

static int add_entry(struct stale_work *w, const struct found *found, uint64_t dir, uint64_t ino)
{
	const struct dated_entry one = { found, { dir }, { ino }, false, { NULL_LSN } };

	if (!found->place.name.len || w->count == ENTRIES_MOST)
		return 0;
	return array_add(w->v, w->room, w->count, one);
}

/* ---- blocks ---- */

/* Doubts an inode one of whose blocks belongs to another inode, and was written later. 0 or -ENOMEM. */
static int judge_block(struct mend *m, const struct place *place)
{
	const struct geometry *geo = &m->now->geo;
	const struct object_kind *kind = object_kind(place->object);
	const uint32_t whole = kind ? (uint32_t)object_bytes(geo, kind, place) : 0;
	const uint32_t size = whole ? whole : geo->block_size; /* of a symlink */
	const xdaddr_t at = daddr_of(geo, place->agno, place->agbno);
	uint8_t *bytes = malloc(size);
	lsn_t date = { NULL_LSN };
	xdaddr_t daddr;
	xino_t owner;
	uint16_t mode;

	if (!bytes)
		return -ENOMEM;
	if (ino_valid(geo, place->ino) && !mend_read(m, bytes, bytes_of_daddr(at), size) &&
	    log_stamp_place(geo, bytes, size, &daddr, &owner) && daddr.v == at.v && owner.v != place->ino.v)
		date = log_stamp_lsn(geo, LB_UNKNOWN, bytes);
	free(bytes);
	return date.v != NULL_LSN && inode_date_before(m, place->ino, &mode).v < date.v
		       ? inode_doubt_stale(m, place->ino, date)
		       : 0;
}

/* ---- entries ---- */

static int note(struct stale_work *w, const struct found *found)
{
	const struct problem *p = &found->problem;

	switch (p->finding) {
	case F_DIR_ENTRY_FTYPE_INODE:
		return add_entry(w, found, found->place.ino.v, 0);
	case F_DIR_ENTRY_SURPLUS:
		return add_entry(w, found, found->place.ino.v, p->got);
	case F_PPTR_LACKS:
		return add_entry(w, found, p->want, found->place.ino.v);
	case F_BLOCK_OWNER:
		return judge_block(w->m, &found->place);
	case F_INODE_NLINK_COUNT:
	case F_INODE_ORPHAN:
		return ino_valid(&w->m->now->geo, found->place.ino)
			       ? ino_set_put(&w->m->notes.odd_links, inode_cluster(&w->m->now->geo, found->place.ino))
			       : 0;
	default:
		return 0;
	}
}

/* Sets the LSN of an entry in an open directory, and its inode. */
static void date_entry(struct mend *m, struct dir_edit *dir, const struct dir_dates *dates, struct dated_entry *e)
{
	const struct geometry *geo = &m->now->geo;
	struct dir_names *names = &dir->names;
	size_t at = names->count;
	uint16_t mode;

	while ((at = dir_names_next(geo, names, &e->found->place.name, at)) < names->count)
		if (!e->ino.v || names->names[at].ino.v == e->ino.v)
			break;
	if (at == names->count)
		return;
	e->ino = names->names[at].ino;
	e->date = dir_dates_of_name(geo, dates, &names->names[at]);
	e->later = e->date.v != NULL_LSN && inode_date_before(m, e->ino, &mode).v < e->date.v;
}

/* Sets the LSNs of entries that are all in one directory, if it is readable. 0 or -ENOMEM. */
static int date_entries(struct mend *m, struct dated_entry *v, size_t count)
{
	struct dir_dates dates = { 0 };
	struct dir_edit dir;
	int ret = dir_edit_begin(m, v->dir, &dir);

	if (ret)
		return ret == -ENOMEM ? ret : 0;
	ret = dir_dates_collect(m, &dir.inode, &dates);
	for (size_t i = 0; i < count && !ret; i++)
		date_entry(m, &dir, &dates, &v[i]);
	dir_dates_free(&dates);
	dir_edit_end(&dir);
	return ret == -ENOMEM ? ret : 0;
}

/* Judges the entries of one inode. 0 or -ENOMEM. */
static int judge_entries(struct mend *m, const struct dated_entry *v, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t later = 0;
	lsn_t date = { 0 };
	struct mend_inode inode;
	bool is = false;

	for (size_t i = 0; i < count; i++) {
		if (!v[i].later)
			continue;
		is |= v[i].found->problem.finding != F_DIR_ENTRY_SURPLUS;
		later += v[i].found->problem.finding == F_DIR_ENTRY_SURPLUS;
		date = v[i].date.v > date.v ? v[i].date : date;
	}
	if (later && !is && ino_valid(geo, v->ino) && !mend_inode_read(m, v->ino, &inode)) {
		is = later > be32_get(mend_inode_disk(&inode)->nlink);
		mend_inode_free(&inode);
	}
	return is ? inode_doubt_stale(m, v->ino, date) : 0;
}

int mend_stale_find(struct mend *m, const struct found *found, size_t count)
{
	struct stale_work w = { .m = m };
	int ret = 0;

	for (size_t i = 0; i < count && !ret && m->now->geo.crc; i++)
		ret = note(&w, &found[i]);
	ordered_sort(w.v, w.count, MEMBERS(MEMBER(w.v, dir)));
	for (size_t i = 0, n; i < w.count && !ret; i += n) {
		n = ordered_run(w.v + i, w.count - i, MEMBER(w.v, dir));
		ret = date_entries(m, w.v + i, n);
	}
	ordered_sort(w.v, w.count, MEMBERS(MEMBER(w.v, ino)));
	for (size_t i = 0, n; i < w.count && !ret; i += n) {
		n = ordered_run(w.v + i, w.count - i, MEMBER(w.v, ino));
		ret = judge_entries(m, w.v + i, n);
	}
	free(w.v);
	return ret;
}

/* Returns the number of the area of a device that has an inode. */
static uint64_t area_of(const struct geometry *geo, xino_t ino)
{
	return bytes_of_ino(geo, ino) / AREA_BYTES;
}

/* Adds the areas of stale clusters. 0 or -ENOMEM. */
static int collect_areas(struct mend *m, struct number_set *areas)
{
	const size_t count = ino_set_count(&m->notes.stale);
	xino_t *stale = ino_set_sorted(&m->notes.stale);
	int ret = stale ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && ret >= 0; i++)
		ret = number_set_add(areas, area_of(&m->now->geo, stale[i]));
	free(stale);
	return ret < 0 ? ret : 0;
}

int mend_stale_spread(struct mend *m)
{
	const size_t count = ino_set_count(&m->notes.odd_links);
	struct number_set areas = { 0 };
	xino_t *odd;
	int ret;

	if (!count || !ino_set_count(&m->notes.stale))
		return 0;
	odd = ino_set_sorted(&m->notes.odd_links);
	ret = odd ? collect_areas(m, &areas) : -ENOMEM;
	for (size_t i = 0; i < count && !ret; i++)
		if (number_set_has(&areas, area_of(&m->now->geo, odd[i])))
			ret = inode_doubt_stale(m, odd[i], m->notes.stale_date);
	number_set_free(&areas);
	free(odd);
	return ret;
}
