/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mend_lost_names.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "disk/da.h"
#include "libxfs/da.h"
#include "mend/base/mend.h"
#include "mend/base/mend_drop.h"
#include "mend_chunk_search.h"
#include "mend_chunks.h"
#include "mend_dir.h"
#include "mend_dir_before.h"
#include "mend_pptrs.h"
#include "repair.h"
#include "sets/sort.h"

const struct geometry *lost_names_geometry(const struct mend *m)
{
	return m->shrunk.done ? &m->rc->geo : &m->now->geo;
}

bool lost_names_place_is_empty(struct mend *m, xino_t ino)
{
	const struct geometry *geo = &m->now->geo;
	const uint64_t at = bytes_of_ino(geo, ino);
	uint8_t bytes[DINODE_SIZE_MAX];
	const struct dinode_disk *disk = (const void *)bytes;

	if (!ino_valid(geo, ino))
		return ino_valid(lost_names_geometry(m), ino);
	if (ino_set_has(&m->notes.freed, ino))
		return true;
	if (mend_read(m, bytes, at, geo->inode_size) ||
	    (chunk_looks_like_inode(geo, ino, disk) && be16_get(disk->mode)))
		return false;
	return mend_read_before(m, bytes, at, geo->inode_size) || !chunk_looks_like_inode(geo, ino, disk);
}

/* The reason for which a name of this inode is lost. */
static enum drop_reason reason_of(const struct mend *m, xino_t child, bool certain)
{
	return !certain ? DROP_PERHAPS_FREE : ino_valid(&m->now->geo, child) ? DROP_INODE_LOST : DROP_CUT_OFF;
}

int lost_names_of_dir(struct mend *m, xino_t dir, xdaddr_t daddr, const struct dir_names *names, bool certain)
{
	if (sector_set_has(&m->notes.names_noted, daddr))
		return 0;
	for (size_t i = 2; i < names->count; i++) {
		const struct dir_name *n = &names->names[i];

		if (lost_names_place_is_empty(m, n->ino))
			mend_drop_name(m, dir, n->name, n->namelen, n->ino, reason_of(m, n->ino, certain));
	}
	return sector_set_put(&m->notes.names_noted, daddr);
}

struct leaf_visit {
	struct lost_parents *parents;
	xino_t child;
};

static void add_parent(void *ctx, const struct attr_entry *entry)
{
	const struct leaf_visit *v = ctx;
	struct lost_parents *p = v->parents;
	const struct pptr_name name = { entry->parent, v->child, entry->parent_gen, FT_UNKNOWN, entry->namelen, NULL };

	if (entry->flags & ATTR_PARENT && !p->error)
		p->error = pptr_names_add(&p->names, &p->room, &p->count, &name, entry->name);
}

int lost_parents_collect(struct lost_parents *p, xdaddr_t daddr, const uint8_t *block)
{
	const struct geometry *geo = lost_names_geometry(p->m);
	const struct da_blkinfo_disk *info = (const void *)block;
	/* only the root has no siblings */
	const dablk_t dablk = { be32_get(info->forw) || be32_get(info->back) ? UINT32_MAX : 0 };
	const struct da_expect expect = { { be64_get(info->owner) }, daddr, dablk, ATTR_FORK };
	struct leaf_visit visit = { p, expect.owner };
	struct attr_leaf leaf;
	unsigned problems = 0;
	const struct check check = check_counting(geo, &problems);

	if (sector_set_has(&p->m->notes.names_noted, daddr) ||
	    !attr_leaf_decode(&check, block, &expect, attr_ignore, NULL, &leaf) || problems ||
	    !lost_names_place_is_empty(p->m, expect.owner))
		return 0;
	attr_leaf_decode(&check, block, &expect, add_parent, &visit, &leaf);
	return p->error ? p->error : sector_set_put(&p->m->notes.names_noted, daddr);
}

/* True if another inode than the parent was in its place before the repair, or it was no directory. */
static bool parent_was_another(struct mend *m, const struct pptr_name *name)
{
	const struct geometry *geo = &m->now->geo;
	uint8_t bytes[DINODE_SIZE_MAX];
	const struct dinode_disk *disk = (const void *)bytes;

	return ino_valid(geo, name->parent) &&
	       !mend_read_before(m, bytes, bytes_of_ino(geo, name->parent), geo->inode_size) &&
	       mend_chunks_is_inode(geo, name->parent, bytes) &&
	       (!S_ISDIR(be16_get(disk->mode)) || be32_get(disk->gen) != name->parent_gen);
}

static void forget(struct lost_parents *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->names[i].name);
	p->count = 0;
}

int lost_parents_report(struct lost_parents *p, bool certain)
{
	struct dir_before before = { .m = p->m };
	int ret = 0;

	/* by parent, so that each is read once */
	if (p->count)
		qsort(p->names, p->count, sizeof(*p->names), pptr_name_order);
	for (size_t i = 0; i < p->count && !ret; i++) {
		const struct pptr_name *name = &p->names[i];
		bool lacks = false;

		if (parent_was_another(p->m, name))
			continue;
		if (ino_valid(&p->m->now->geo, name->parent))
			ret = dir_before_lacks(&before, name, &lacks);
		if (!ret && !lacks)
			mend_drop_name(p->m, name->parent, name->name, name->namelen, name->child,
				       reason_of(p->m, name->child, certain));
	}
	dir_before_free(&before);
	forget(p);
	return ret;
}

void lost_parents_free(struct lost_parents *p)
{
	forget(p);
	free(p->names);
}
