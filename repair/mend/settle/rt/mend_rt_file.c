/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects the entries of realtime groups' files: each must exist once, under its name (ondisk 09, invariant 4).  An
 * entry is pointed at the inode that is this file by its metadata type.  If there is none, the inode of the entry
 * becomes that file, or else a new one is made.  A file without an entry in the end is freed, because its contents can
 * be derived.  Contents may be wrong after this: mend_rt_space.c.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "mend/collect/mend_facts.h"
#include "mend/make/mend_metadir.h"
#include "mend/make/mend_new_inode.h"
#include "repair.h"
#include "check/walk/walker.h"
#include "mend/base/menders.h"

/* A file that a group must have. */
struct slot {
	struct metafile metafile;
	char name[24];
	const struct found *found; /* for reporting changes: the first one about the group, or else the first of all */
};

struct rt_file_work {
	struct mend *m;
	const struct found *found;
	size_t count;
	struct metadir dir; /* the directory "rtgroups" */
	struct slot *fresh; /* files that need new inodes */
	size_t nfresh, room;
};

static struct slot slot_of_file(const struct rt_file_work *w, uint32_t rgno, enum rtfile kind)
{
	struct slot slot = { .metafile = { rtfile_metatype(kind), rgno }, .found = w->found };

	rtfile_name(rgno, kind, slot.name, sizeof(slot.name));
	for (size_t i = 0; i < w->count; i++) {
		if (w->found[i].place.rgno != rgno)
			continue;
		slot.found = &w->found[i];
		break;
	}
	return slot;
}

static int put_name(struct rt_file_work *w, const struct slot *slot, xino_t ino)
{
	mend_done(w->m, slot->found);
	return metadir_put(w->m, &w->dir, slot->name, ino);
}

/* ---- which inode is which file ---- */

/* Sets *ret_is if an inode is this file by its metadata type. 0 or negative errno. */
static int is_file(struct mend *m, xino_t ino, const struct metafile *metafile, bool *ret_is)
{
	struct mend_inode inode;
	int ret = mend_inode_decode(m, ino, &inode);

	*ret_is = !ret && inode.inode.ftype == FT_REG && dinode_is_metafile(&inode.inode, metafile);
	if (!ret)
		mend_inode_free(&inode);
	return ret == -ENOENT ? 0 : ret;
}

/* True if the inode is a realtime group's file by its metadata type, and the entry of that file points to it. */
static bool named_rightly(struct rt_file_work *w, const struct mend_inode *inode)
{
	const struct dinode *core = &inode->inode;
	char name[24];

	if (!core->metadata || !core->rtfile)
		return false;
	rtfile_name(core->rgno, rtfile_of(core->rtfile), name, sizeof(name));
	return metadir_find(w->m, &w->dir, name).v == inode->ino.v;
}

/* Turns the inode of an entry into the right file, if possible. *ret_done: it is now. 0 or negative errno. */
static int adopt_file(struct rt_file_work *w, const struct slot *slot, xino_t ino, bool *ret_done)
{
	struct mend_inode inode;
	int ret = mend_inode_load(w->m, ino, &inode);

	*ret_done = false;
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	if (inode.inode.ftype == FT_REG && !named_rightly(w, &inode))
		ret = metadir_adopt(w->m, &inode, &slot->metafile, ret_done);
	if (*ret_done)
		mend_done(w->m, slot->found);
	mend_inode_free(&inode);
	return ret;
}

/* Points the entry of a file at the right inode; without one, notes that a new one is needed. 0 or negative errno. */
static int settle_slot(struct rt_file_work *w, uint32_t rgno, enum rtfile kind)
{
	const struct rt_group *group = &w->m->now->traverse->rt.group[rgno];
	const struct slot slot = slot_of_file(w, rgno, kind);
	const xino_t named = metadir_find(w->m, &w->dir, slot.name);
	bool right;
	int ret = is_file(w->m, named, &slot.metafile, &right);

	if (ret || right)
		return ret;
	if (group->file[kind].count)
		return put_name(w, &slot, group->file[kind].ino);
	ret = adopt_file(w, &slot, named, &right);
	if (ret || right)
		return ret;
	ret = array_add(w->fresh, w->room, w->nfresh, slot);
	return ret;
}

/* Drops the name of a file that this file system does not have. */
static void drop_name(struct rt_file_work *w, uint32_t rgno, enum rtfile kind)
{
	const struct slot slot = slot_of_file(w, rgno, kind);

	if (metadir_drop(w->m, &w->dir, slot.name))
		mend_done(w->m, slot.found);
}

/* Makes new inodes for files without one. 0, -ENOSPC or another negative errno. */
static int make_fresh(struct rt_file_work *w)
{
	const xino_t directory = w->dir.dir.inode.ino;
	xino_t *inos = calloc(w->nfresh, sizeof(*inos));
	int ret = inos ? mend_new_inodes_find(w->m, inos, w->nfresh) : -ENOMEM;

	for (size_t i = 0; i < w->nfresh && !ret; i++) {
		ret = mend_new_inode(w->m, inos[i], FT_REG, directory, &w->fresh[i].metafile);
		if (!ret)
			ret = put_name(w, &w->fresh[i], inos[i]);
	}
	free(inos);
	return ret;
}

/* ---- the directory ---- */

/* Returns a directory with names of such files; 0: none. */
static xino_t directory_by_names(const struct mend *m)
{
	const struct rt_state *rt = &m->now->traverse->rt;

	for (uint32_t rg = 0; rg < m->now->geo.rgcount; rg++)
		for (enum rtfile kind = 0; kind < RTFILE_NR; kind++)
			if (rt->group[rg].name[kind].count)
				return rt->group[rg].name[kind].directory;
	return (xino_t){ 0 };
}

/* ---- all of it ---- */

/* Frees an orphan that is a realtime group's file by its metadata type, if the file exists or is not needed. */
static int free_surplus(struct rt_file_work *w, const struct found *orphan)
{
	struct mend *m = w->m;
	struct mend_inode inode;
	int ret = mend_inode_load(m, orphan->place.ino, &inode);

	if (ret)
		return mend_left(m, orphan, 1, ret);
	if (inode.inode.metadata && inode.inode.rtfile && !named_rightly(w, &inode))
		ret = metadir_free_file(m, &inode, orphan);
	mend_inode_free(&inode);
	return ret;
}

static int settle_names(struct rt_file_work *w)
{
	const struct geometry *geo = &w->m->now->geo;
	int ret = 0;

	for (uint32_t rg = 0; rg < geo->rgcount && !ret; rg++) {
		for (enum rtfile kind = 0; kind < RTFILE_NR && !ret; kind++) {
			if (rtfile_wanted(geo, kind))
				ret = settle_slot(w, rg, kind);
			else
				drop_name(w, rg, kind);
		}
	}
	if (w->nfresh && !ret)
		ret = make_fresh(w);
	for (size_t i = 0; i < w->count && !ret; i++)
		if (w->found[i].problem.finding == F_INODE_ORPHAN)
			ret = free_surplus(w, &w->found[i]);
	return ret ? ret : metadir_write(w->m, &w->dir);
}

static int settle_all(struct rt_file_work *w)
{
	bool changed = false;
	int ret = metadir_begin(w->m, "rtgroups", w->m->now->traverse->rt.directory, directory_by_names(w->m), &w->dir,
				&changed);

	if (changed && !ret)
		mend_done(w->m, w->found);
	if (!ret) {
		ret = settle_names(w);
		metadir_end(&w->dir);
	}
	free(w->fresh);
	return mend_left(w->m, w->found, 1, ret);
}

/* Without realtime groups, the superblock names the files: if such an inode is free, makes it that file. */
static int make_old(struct mend *m, const struct found *found)
{
	const struct geometry *geo = &m->now->geo;
	const xino_t ino = found->place.ino;
	struct mend_facts facts;
	size_t count;
	const struct ino_fact *chunk;
	int ret;

	if (ino.v != geo->rbmino.v && ino.v != geo->rsumino.v)
		return 0;
	ret = mend_facts_collect(m, &ino, 1, FACTS_CHUNKS, &facts);
	if (ret)
		return ret;
	chunk = mend_facts_of(&facts, ino, FACT_CHUNK, &count);
	if (count && !chunk->value) {
		ret = mend_new_inode(m, ino, FT_REG, ino, NULL);
		if (!ret)
			mend_done(m, found);
	}
	mend_facts_free(&facts);
	return ret;
}

bool mend_rt_file_wants(const struct found *found)
{
	/* a realtime group's file without an entry, or a free inode that the superblock names */
	return found->problem.finding == F_INODE_ORPHAN || found->problem.finding == F_INODE_ROOTED_DANGLING;
}

int mend_rt_file(struct mend *m, const struct found *found, size_t count)
{
	struct rt_file_work w = { .m = m, .found = found, .count = count };
	bool any = false;
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		any |= found[i].problem.finding != F_INODE_ORPHAN;
		if (found[i].problem.finding == F_INODE_ROOTED_DANGLING)
			ret = make_old(m, &found[i]);
	}
	return !ret && any && has_rtgroups(&m->now->geo) ? settle_all(&w) : ret;
}
