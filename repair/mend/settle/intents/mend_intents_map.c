/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completes BUI and XMI: extents that a file gets or gives up, and ranges that two files exchange (ondisk 11).
 * Afterwards, AG btrees are rebuilt, which settles the owners there.
 */
#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "mend/base/mend.h"
#include "mend_intents.h"
#include "repair.h"

/* ---- the files of interrupted operations ---- */

static int copy_map(const struct mend_fork *fork, struct mend_map *ret_map)
{
	for (size_t i = 0; i < fork->count; i++)
		if (mend_map_add(ret_map, &fork->extents[i]))
			return -ENOMEM;
	return 0;
}

int finish_file(struct finish *f, xino_t ino, struct finish_file **ret_file)
{
	struct finish_file *file;
	int ret;

	for (size_t i = 0; i < f->count; i++) {
		if (f->files[i]->inode.ino.v == ino.v) {
			*ret_file = f->files[i];
			return 0;
		}
	}
	if (array_grow(&f->files, &f->room, f->count, sizeof(struct finish_file *)))
		return -ENOMEM;
	file = calloc(1, sizeof(*file));
	if (!file)
		return -ENOMEM;
	ret = mend_inode_load(f->m, ino, &file->inode);
	if (ret) {
		free(file);
		return ret == -ENOENT ? FINISH_IMPOSSIBLE : ret;
	}
	f->files[f->count++] = file;
	ret = copy_map(&file->inode.fork[DATA_FORK], &file->map[DATA_FORK]);
	if (!ret)
		ret = copy_map(&file->inode.fork[ATTR_FORK], &file->map[ATTR_FORK]);
	*ret_file = file;
	return ret;
}

enum xmi_flag {
	XMI_ATTR_FORK = 1,
	XMI_SET_SIZES = 2,
	XMI_INO1_WRITTEN = 4,
	XMI_CLEAR_INO1_REFLINK = 8,
	XMI_CLEAR_INO2_REFLINK = 16,
};

/* Gets the file, if this fork has a fully readable extent map. */
static int map_of(struct finish *f, xino_t ino, enum fork fork, struct finish_file **ret_file)
{
	const struct dinode_fork *of;
	int ret = finish_file(f, ino, ret_file);

	if (ret)
		return ret;
	of = &(*ret_file)->inode.inode.fork[fork];
	if (!of->present || !of->ok || (of->format != FMT_EXTENTS && of->format != FMT_BTREE) ||
	    !(*ret_file)->inode.fork[fork].whole)
		return FINISH_IMPOSSIBLE;
	return 0;
}

/* Adds an extent to the map, where there must be a hole. */
static int put_extent(struct mend_map *map, const struct bmap_record *extent)
{
	size_t next = mend_map_behind(map->v, map->count, extent->off.v);

	if (next < map->count && map->v[next].off.v < mend_map_end(extent))
		return FINISH_IMPOSSIBLE;
	if (mend_map_add(map, extent))
		return -ENOMEM;
	mend_map_sort(map);
	return 0;
}

/* Removes a range from the map, which must match the extent. */
static int take_extent(struct mend_map *map, const struct bmap_record *extent)
{
	struct mend_map cut = { 0 };
	int ret = mend_map_cut(map, extent->off.v, mend_map_end(extent), &cut);

	if (!ret && mend_map_blocks(cut.v, cut.count) != extent->len)
		ret = FINISH_IMPOSSIBLE;
	for (size_t i = 0; i < cut.count && !ret; i++)
		if (cut.v[i].start.v - extent->start.v != cut.v[i].off.v - extent->off.v)
			ret = FINISH_IMPOSSIBLE;
	free(cut.v);
	return ret;
}

int finish_bui(struct finish *f, const struct log_intent_extent *said)
{
	enum fork fork = said->flags & INTENT_ATTR_FORK ? ATTR_FORK : DATA_FORK;
	const struct bmap_record extent = {
		.off.v = said->startoff,
		.start.v = said->startblock,
		.len = said->len,
		.unwritten = said->flags & BUI_UNWRITTEN,
	};
	struct finish_file *file;
	int ret = map_of(f, (xino_t){ said->owner }, fork, &file);

	if (ret)
		return ret;
	if (file->inode.inode.fork[fork].rules.realtime != !!(said->flags & BUI_REALTIME))
		return FINISH_IMPOSSIBLE;
	file->remapped[fork] = true;
	return (said->flags & 0xff) == BUI_MAP ? put_extent(&file->map[fork], &extent)
					       : take_extent(&file->map[fork], &extent);
}

/* ---- exchange ---- */

/* The two sides of an exchange. */
struct exchange {
	struct finish *f;
	enum fork fork;
	struct finish_file *file[2];
	struct mend_map *map[2];
	uint64_t from[2];
};

/* Adds what was cut from the other map to map `to`, at the corresponding offset. */
static int put_moved(struct exchange *x, const struct mend_map *cut, unsigned to)
{
	const struct geometry *geo = &x->f->m->now->geo;

	for (size_t i = 0; i < cut->count; i++) {
		struct bmap_record moved = cut->v[i];

		moved.off.v = moved.off.v - x->from[!to] + x->from[to];
		if (mend_map_add(x->map[to], &moved))
			return -ENOMEM;
		if (!x->file[to]->inode.inode.fork[x->fork].rules.realtime)
			x->f->groups[agno_of_fsbno(geo, moved.start).v] = true;
	}
	mend_map_sort(x->map[to]);
	return 0;
}

/* Exchanges [at, at + len), relative to the start of the ranges. */
static int exchange_part(struct exchange *x, uint64_t at, uint64_t len)
{
	struct mend_map cut[2] = { 0 };
	int ret = 0;

	for (unsigned i = 0; i < 2 && !ret; i++)
		ret = mend_map_cut(x->map[i], x->from[i] + at, x->from[i] + at + len, &cut[i]);
	for (unsigned i = 0; i < 2 && !ret; i++)
		ret = put_moved(x, &cut[i], !i);
	if (cut[0].count || cut[1].count)
		x->file[0]->remapped[x->fork] = x->file[1]->remapped[x->fork] = true;
	free(cut[0].v);
	free(cut[1].v);
	return ret;
}

/* Exchanges only ranges where the first file has written extents. */
static int exchange_written(struct exchange *x, uint64_t len)
{
	struct mend_map written = { 0 }, rest = { 0 };
	int ret = 0;

	for (size_t i = 0; i < x->map[0]->count && !ret; i++)
		if (!x->map[0]->v[i].unwritten)
			ret = mend_map_add(&written, &x->map[0]->v[i]);
	if (!ret)
		ret = mend_map_cut(&written, x->from[0], x->from[0] + len, &rest);
	for (size_t i = 0; i < rest.count && !ret; i++)
		ret = exchange_part(x, rest.v[i].off.v - x->from[0], rest.v[i].len);
	free(written.v);
	free(rest.v);
	return ret;
}

static void set_reflink(struct finish_file *file, bool on)
{
	struct dinode_disk *disk = mend_inode_disk(&file->inode);
	uint64_t flags = be64_get(disk->flags2) & ~(uint64_t)DIFLAG2_REFLINK;

	disk->flags2 = be64_put(on ? flags | DIFLAG2_REFLINK : flags);
}

static bool has_reflink(struct finish_file *file)
{
	return be64_get(mend_inode_disk(&file->inode)->flags2) & DIFLAG2_REFLINK;
}

/* Sets the reflink flags, and exchanges sizes if the operation says so. */
static void exchange_cores(struct exchange *x, const struct log_xmi *xmi)
{
	bool reflink = has_reflink(x->file[0]) || has_reflink(x->file[1]);

	if (xmi->flags & XMI_ATTR_FORK)
		return;
	set_reflink(x->file[0], reflink && !(xmi->flags & XMI_CLEAR_INO1_REFLINK));
	set_reflink(x->file[1], reflink && !(xmi->flags & XMI_CLEAR_INO2_REFLINK));
	if (!(xmi->flags & XMI_SET_SIZES))
		return;
	mend_inode_disk(&x->file[0]->inode)->size = be64_put(xmi->isize1);
	mend_inode_disk(&x->file[1]->inode)->size = be64_put(xmi->isize2);
}

static bool overlap(const struct log_xmi *xmi)
{
	uint64_t a = xmi->startoff1.v, b = xmi->startoff2.v;

	return xmi->ino1.v == xmi->ino2.v && (a < b ? b - a : a - b) < xmi->blockcount;
}

int finish_xmi(struct finish *f, const struct log_xmi *xmi)
{
	enum fork fork = xmi->flags & XMI_ATTR_FORK ? ATTR_FORK : DATA_FORK;
	struct exchange x = { .f = f, .fork = fork, .from = { xmi->startoff1.v, xmi->startoff2.v } };
	const xino_t inos[2] = { xmi->ino1, xmi->ino2 };
	const uint32_t gens[2] = { xmi->igen1, xmi->igen2 };
	bool realtime[2];
	int ret;

	for (unsigned i = 0; i < 2; i++) {
		ret = map_of(f, inos[i], fork, &x.file[i]);
		if (ret)
			return ret;
		if (x.file[i]->inode.inode.gen != gens[i])
			return FINISH_IMPOSSIBLE;
		x.map[i] = &x.file[i]->map[fork];
		realtime[i] = x.file[i]->inode.inode.fork[fork].rules.realtime;
	}
	/* larger realtime extents affect which ranges count as written */
	if (overlap(xmi) || realtime[0] != realtime[1] ||
	    (realtime[0] && xmi->flags & XMI_INO1_WRITTEN && f->m->now->geo.rextsize > 1))
		return FINISH_IMPOSSIBLE;
	ret = xmi->flags & XMI_INO1_WRITTEN ? exchange_written(&x, xmi->blockcount)
					    : exchange_part(&x, 0, xmi->blockcount);
	exchange_cores(&x, xmi);
	return ret;
}
