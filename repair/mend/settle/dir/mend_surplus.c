/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drops surplus entries: an inode has more entries than links, and there are no parent pointers to tell which are wrong
 * (ondisk 12, D7).  A stale directory still has names that were removed or moved to another directory.  LSNs tell:
 * moving a name writes the inode and the new entry later than the block with the old one.  So surplus entries are
 * dropped if they are older than the inode and the other entries, and if either none of the others was added after the
 * inode was written, which may then not count it, or another entry in the same part of the directory is outdated.
 * Otherwise the link count is corrected.  LSNs alone make it a guess.
 */
#include <errno.h>
#include <stdlib.h>

#include "libxfs/dinode_mend.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "mend/make/mend_chunks.h"
#include "mend/make/mend_dir.h"
#include "mend/make/mend_dir_dates.h"
#include "repair.h"
#include "sets/ordered.h"

/* A timestamp of an inode; only those of one format are comparable. */
struct stamp {
	bool bigtime;
	uint64_t value;
};

/* An entry of an inode with too few links. */
struct surplus {
	const struct found *found; /* F_DIR_ENTRY_SURPLUS */
	xino_t directory, target;
	lsn_t date;	      /* LSN of its part of the directory; 0: unknown */
	struct stamp changed; /* ctime of the directory */
	bool outdated;
	bool among_outdated; /* another entry in the same part of the directory is outdated */
};

struct surplus_work {
	struct mend *m;
	struct surplus *v;
	size_t count;
};

/* ---- LSNs ---- */

/* Returns the ctime of an inode, which users can't set. */
static struct stamp stamp_of(const struct dinode_disk *disk)
{
	return (struct stamp){ be64_get(disk->flags2) & DIFLAG2_BIGTIME, be64_get(disk->times[2]) };
}

/* Sets the LSNs of entries that are all in one directory. 0 or negative errno. */
static int date_entries(struct surplus_work *w, struct surplus *v, size_t count)
{
	const struct geometry *geo = &w->m->now->geo;
	struct dir_dates dates = { 0 };
	struct dir_edit dir;
	int ret = dir_edit_begin(w->m, v->directory, &dir);

	if (ret)
		return mend_left(w->m, v->found, 1, ret);
	ret = dir_dates_collect(w->m, &dir.inode, &dates);
	for (size_t i = 0; i < count && !ret; i++) {
		v[i].date = dir_dates_of_found(geo, &dates, &dir.names, v[i].found);
		v[i].changed = stamp_of(mend_inode_disk(&dir.inode));
	}
	dir_dates_free(&dates);
	dir_edit_end(&dir);
	return ret;
}

/* ---- outdated entries ---- */

/* Fields of an inode with too few links. */
struct target {
	uint32_t links;
	lsn_t date;
	struct stamp changed;
};

/* False: the inode has been recreated, or is not intact and in use. */
static bool read_target(struct mend *m, xino_t ino, struct target *ret)
{
	uint8_t bytes[DINODE_SIZE_MAX] = { 0 };
	const struct dinode_disk *disk = (const struct dinode_disk *)bytes;

	if (!ino_valid(&m->now->geo, ino) || ino_set_has(&m->notes.rebuilt, ino) ||
	    !mend_chunks_read_in_use(m, ino, bytes))
		return false;
	*ret = (struct target){ be32_get(disk->nlink), { be64_get(disk->lsn) }, stamp_of(disk) };
	return true;
}

/* True if the entry existed when the inode was last written. */
static bool is_not_later(const struct surplus *s, const struct target *target)
{
	const struct stamp *x = &s->changed, *y = &target->changed;

	if (s->date.v <= target->date.v)
		return true;
	if (x->bigtime != y->bigtime)
		return false;
	return x->bigtime ? x->value <= y->value : (int64_t)x->value <= (int64_t)y->value;
}

/* Marks which of all entries for one inode are outdated; may be called again for the same entries. Returns 0. */
static int judge_entries(struct surplus_work *w, struct surplus *v, size_t count)
{
	bool sure = true, counted = true;
	struct target target;
	size_t surplus;

	if (count != v->found->problem.want || !read_target(w->m, v->target, &target) || target.links >= count)
		return 0;
	ordered_sort(v, count, MEMBERS(MEMBER(v, date)));
	surplus = count - target.links;
	if (!v[0].date.v || !target.links || v[surplus - 1].date.v >= v[surplus].date.v ||
	    v[surplus - 1].date.v >= target.date.v)
		return 0;
	for (size_t i = 0; i < surplus; i++)
		sure &= v[i].among_outdated;
	for (size_t i = surplus; i < count; i++)
		counted &= is_not_later(&v[i], &target);
	for (size_t i = 0; i < surplus; i++)
		v[i].outdated |= sure || counted;
	return 0;
}

/* Notes if one of the entries in the same part of a directory is outdated. Returns 0. */
static int judge_part(struct surplus_work *w, struct surplus *v, size_t count)
{
	bool any = false;

	(void)w;
	for (size_t i = 0; i < count; i++)
		any |= v[i].outdated;
	for (size_t i = 0; i < count; i++)
		v[i].among_outdated = any;
	return 0;
}

/* ---- dropping them ---- */

/* Drops the outdated ones among entries that are all in one directory. 0 or negative errno. */
static int drop_entries(struct surplus_work *w, struct surplus *v, size_t count)
{
	bool any = false;
	struct dir_edit dir;
	int ret;

	for (size_t i = 0; i < count; i++)
		any |= v[i].outdated;
	if (!any)
		return 0;
	ret = dir_edit_begin(w->m, v->directory, &dir);
	if (ret)
		return mend_left(w->m, v->found, 1, ret);
	for (size_t i = 0; i < count; i++) {
		const size_t at = dir_names_of_found(&w->m->now->geo, &dir.names, v[i].found);

		if (v[i].outdated && at < dir.names.count)
			dir_names_remove(&dir.names, at, DROP_OUTDATED);
	}
	ret = dir_edit_write(w->m, &dir);
	for (size_t i = 0; i < count && !ret; i++) {
		if (!v[i].outdated)
			continue;
		mend_done(w->m, v[i].found);
		/* its link count is right now */
		ret = ino_set_put(&w->m->round.settled, v[i].target);
	}
	dir_edit_end(&dir);
	return mend_left(w->m, v->found, 1, ret);
}

/* ---- all of them ---- */

/* Sorts the entries, and calls step() for each run of equal ones. 0 or negative errno. */
static int each_run(struct surplus_work *w, const struct member *order,
		    int (*step)(struct surplus_work *w, struct surplus *v, size_t count))
{
	int ret = 0;

	ordered_sort(w->v, w->count, order);
	for (size_t i = 0, n; i < w->count && !ret && !mend_exhausted(w->m); i += n) {
		n = ordered_alike(&w->v[i], w->count - i, order);
		ret = step(w, &w->v[i], n);
	}
	return ret;
}

int mend_surplus(struct mend *m, const struct found *found, size_t count)
{
	struct surplus_work w = { .m = m, .v = calloc(count + 1, sizeof(*w.v)) };
	int ret = w.v ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret && m->now->geo.crc; i++)
		if (found[i].place.name.len)
			w.v[w.count++] = (struct surplus){ .found = &found[i],
							   .directory = found[i].place.ino,
							   .target = { found[i].problem.got } };
	if (!ret)
		ret = each_run(&w, MEMBERS(MEMBER(w.v, directory)), date_entries);
	if (!ret)
		ret = each_run(&w, MEMBERS(MEMBER(w.v, target)), judge_entries);
	if (!ret)
		ret = each_run(&w, MEMBERS(MEMBER(w.v, directory), MEMBER(w.v, date)), judge_part);
	if (!ret)
		ret = each_run(&w, MEMBERS(MEMBER(w.v, target)), judge_entries);
	if (!ret)
		ret = each_run(&w, MEMBERS(MEMBER(w.v, directory)), drop_entries);
	free(w.v);
	return ret;
}
