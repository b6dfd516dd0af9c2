/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parent pointers as a witness for names that are lost with a directory's block (ondisk 07): one traversal of all
 * attributes, for all directories of a round.
 */
#include "mend_pptrs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "traverse.h"

/* An inode in use, for the types of children. */
struct kind {
	xino_t ino;
	uint8_t ftype;
};

struct lane {
	struct pptr_name *names;
	size_t count, room;
	struct kind *kinds;
	size_t nkinds, kinds_room;
	int error;
};

struct collect {
	struct lane *lanes;
};

static void pptr_fact_found(void *ctx, unsigned at, const struct pptr_fact *fact)
{
	struct lane *lane = &((struct collect *)ctx)->lanes[at];
	struct pptr_name name = { fact->parent, fact->child, fact->parent_gen, FT_UNKNOWN, fact->namelen, NULL };

	if (lane->error)
		return;
	lane->error = array_grow(&lane->names, &lane->room, lane->count, sizeof(*lane->names));
	if (!lane->error)
		name.name = malloc(fact->namelen ? fact->namelen : 1);
	if (!lane->error && !name.name)
		lane->error = -ENOMEM;
	if (lane->error)
		return;
	memcpy(name.name, fact->name, fact->namelen);
	lane->names[lane->count++] = name;
}

static void inode_found(void *ctx, unsigned at, const struct dinode *inode)
{
	struct lane *lane = &((struct collect *)ctx)->lanes[at];

	if (lane->error)
		return;
	lane->error = array_grow(&lane->kinds, &lane->kinds_room, lane->nkinds, sizeof(*lane->kinds));
	if (!lane->error)
		lane->kinds[lane->nkinds++] = (struct kind){ inode->ino, (uint8_t)inode->ftype };
}

static int by_parent(const void *a, const void *b)
{
	const struct pptr_name *x = a, *y = b;

	if (x->parent.v != y->parent.v)
		return x->parent.v < y->parent.v ? -1 : 1;
	if (x->child.v != y->child.v)
		return x->child.v < y->child.v ? -1 : 1;
	if (x->namelen != y->namelen)
		return x->namelen < y->namelen ? -1 : 1;
	return memcmp(x->name, y->name, x->namelen);
}

static int by_child(const void *a, const void *b)
{
	const struct pptr_name *x = *(struct pptr_name *const *)a, *y = *(struct pptr_name *const *)b;

	if (x->child.v != y->child.v)
		return x->child.v < y->child.v ? -1 : 1;
	return by_parent(x, y);
}

static int by_ino(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	return (x->ino.v > y->ino.v) - (x->ino.v < y->ino.v);
}

/* All lanes' names as one array, with the types of the children. */
static int join(struct mend_pptrs *p, struct lane *lanes, unsigned nlanes)
{
	struct kind *kinds;
	size_t nkinds = 0, n = 0;

	for (unsigned i = 0; i < nlanes; i++) {
		if (lanes[i].error)
			return lanes[i].error;
		p->count += lanes[i].count;
		nkinds += lanes[i].nkinds;
	}
	p->names = calloc(p->count + 1, sizeof(*p->names));
	p->children = calloc(p->count + 1, sizeof(struct pptr_name *));
	kinds = calloc(nkinds + 1, sizeof(*kinds));
	if (!p->names || !p->children || !kinds) {
		p->count = 0;
		free(kinds);
		return -ENOMEM;
	}
	nkinds = 0;
	for (unsigned i = 0; i < nlanes; i++) {
		if (lanes[i].count)
			memcpy(p->names + n, lanes[i].names, lanes[i].count * sizeof(*p->names));
		if (lanes[i].nkinds)
			memcpy(kinds + nkinds, lanes[i].kinds, lanes[i].nkinds * sizeof(*kinds));
		n += lanes[i].count;
		nkinds += lanes[i].nkinds;
		lanes[i].count = 0;
	}
	qsort(kinds, nkinds, sizeof(*kinds), by_ino);
	qsort(p->names, p->count, sizeof(*p->names), by_parent);
	for (size_t i = 0; i < p->count; i++) {
		const struct kind key = { p->names[i].child, 0 };
		const struct kind *kind = bsearch(&key, kinds, nkinds, sizeof(*kinds), by_ino);

		p->names[i].ftype = kind ? kind->ftype : FT_UNKNOWN;
		p->children[i] = &p->names[i];
	}
	qsort(p->children, p->count, sizeof(struct pptr_name *), by_child);
	free(kinds);
	return 0;
}

static int collect(struct mend_pptrs *p)
{
	struct repair *now = p->m->now;
	const struct sweep_options options = sweep_options_of(now);
	const struct scope scope = { .pptrs = true };
	struct sink_ops ops = sink_of_nothing;
	struct collect c = { calloc(now->workers, sizeof(*c.lanes)) };
	const struct sink sink = { &ops, &c, &now->key };
	struct traverse *t = NULL;
	int ret = c.lanes ? 0 : -ENOMEM;

	ops.pptr = pptr_fact_found;
	ops.inode = inode_found;
	if (!ret)
		ret = traverse_new(&now->geo, now->device, now->primary, &scope, &sink, NULL, &options, &t);
	if (!ret)
		ret = traverse_all(t);
	traverse_free(t);
	if (!ret)
		ret = join(p, c.lanes, now->workers);
	for (unsigned i = 0; c.lanes && i < now->workers; i++) {
		for (size_t k = 0; k < c.lanes[i].count; k++)
			free(c.lanes[i].names[k].name);
		free(c.lanes[i].names);
		free(c.lanes[i].kinds);
	}
	free(c.lanes);
	p->collected = true;
	return ret;
}

int mend_pptrs_know(struct mend_pptrs *p)
{
	return p->collected || !p->m->now->geo.parent ? 0 : collect(p);
}

int mend_pptrs_of_child(struct mend_pptrs *p, xino_t child, struct pptr_name *const **ret_first, size_t *ret_count)
{
	int ret = mend_pptrs_know(p);
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (p->children[mid]->child.v < child.v)
			low = mid + 1;
		else
			high = mid;
	}
	*ret_first = p->children + low;
	for (*ret_count = 0; low + *ret_count < p->count && p->children[low + *ret_count]->child.v == child.v;)
		(*ret_count)++;
	return ret;
}

bool mend_pptrs_confirm(const struct mend_pptrs *p, xino_t directory, const struct dir_name *name)
{
	const struct pptr_name key = {
		.parent = directory, .child = name->ino, .namelen = name->namelen, .name = (uint8_t *)name->name
	};

	return p->count && bsearch(&key, p->names, p->count, sizeof(*p->names), by_parent);
}

#define GARBLED_MAX 20000u /* names in a directory: beyond, looking for each takes too long */

/* An entry that leads to the child under a name that the child does not know: its name was damaged. */
static size_t find_garbled(const struct mend_pptrs *p, xino_t directory, xino_t child, const struct dir_names *names)
{
	for (size_t i = 2; i < names->count && names->count < GARBLED_MAX; i++)
		if (names->names[i].namelen && names->names[i].ino.v == child.v &&
		    !mend_pptrs_confirm(p, directory, &names->names[i]))
			return i;
	return names->count;
}

/* One name that a child says it has in the directory. */
static int settle_name(struct mend_pptrs *p, xino_t directory, const struct pptr_name *n, struct dir_names *names)
{
	const struct geometry *geo = &p->m->now->geo;
	const struct dir_name name = { n->child, n->name, n->namelen, n->ftype, 0, 0 };
	size_t at = dir_names_find(geo, names, n->name, n->namelen);

	if (n->ftype == FT_UNKNOWN)
		return 0;
	if (at == names->count) {
		size_t garbled = find_garbled(p, directory, n->child, names);

		return garbled < names->count ? dir_names_rename(geo, names, garbled, n->name, n->namelen)
					      : dir_names_add(geo, names, &name);
	}
	if (at >= 2 && names->names[at].ino.v != n->child.v && !mend_pptrs_confirm(p, directory, &names->names[at])) {
		names->names[at].ino = n->child;
		names->names[at].ftype = n->ftype;
	}
	return 0;
}

int mend_pptrs_names(struct mend_pptrs *p, xino_t directory, struct dir_names *names)
{
	int ret = mend_pptrs_know(p);
	size_t low = 0, high;

	for (high = p->count; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (p->names[mid].parent.v < directory.v)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < p->count && p->names[low].parent.v == directory.v && !ret; low++)
		ret = settle_name(p, directory, &p->names[low], names);
	return ret;
}

void mend_pptrs_free(struct mend_pptrs *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->names[i].name);
	free(p->names);
	free(p->children);
}
