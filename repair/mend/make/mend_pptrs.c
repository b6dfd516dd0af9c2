/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parent pointers as evidence for entries that are lost with a directory block (ondisk 07).  One traversal of all
 * attributes collects those of all inodes queried in a round, or of as many as fit into memory.  If the check has found
 * which inodes have parent pointers without an entry, these inodes and those that the directories name suffice.
 */
#include "mend_pptrs.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "base/over_memory.h"
#include "check/facts.h"
#include "check/memory.h"
#include "mend/base/mend.h"
#include "mend_dir.h"
#include "mend_dir_before.h"
#include "repair.h"
#include "report/quote.h"
#include "run.h"
#include "check/walk/inobt_find.h"
#include "sets/sort.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

/* Names are few compared with everything that is traversed, so one lock for all threads will do. */
struct pptr_collector {
	const struct geometry *geo;
	const xino_t *inos; /* all wanted inodes, sorted */
	size_t first;	    /* parent pointers of and to inos[first] to [end - 1] are collected */
	size_t end;	    /* decreases if they take too much memory; atomic, and changed under the lock */
	size_t limit, used; /* bytes */
	size_t alone;	    /* limit for a single inode: bytes */
	bool beyond;	    /* that one takes more than the limit */
	pthread_mutex_t lock;
	struct pptr_name *names;
	size_t count, room;
	int error;
};

static bool asked_about(const struct pptr_collector *c, xino_t ino)
{
	size_t end = __atomic_load_n(&c->end, __ATOMIC_RELAXED);

	return bsearch(&ino, c->inos + c->first, end - c->first, sizeof(ino), ino_order) != NULL;
}

/* Returns how many bytes a name takes: itself, its place in the other order, sorting, and malloc() overhead. */
static size_t bytes_of(uint8_t namelen)
{
	return 2 * (sizeof(struct pptr_name) + sizeof(struct pptr_name *)) + 16 + namelen;
}

/* Gives up the second half of the inodes and their names. -E2BIG: those of a single inode are too many. */
static int narrow(struct pptr_collector *c)
{
	size_t kept = 0, count = c->end - c->first;

	if (count < 2) {
		if (c->used > c->alone)
			return -E2BIG;
		c->limit = c->alone;
		c->beyond = true;
		return 0;
	}
	__atomic_store_n(&c->end, c->first + count / 2, __ATOMIC_RELAXED);
	for (size_t i = 0; i < c->count; i++) {
		if (asked_about(c, c->names[i].parent) || asked_about(c, c->names[i].child)) {
			c->names[kept++] = c->names[i];
			continue;
		}
		c->used -= bytes_of(c->names[i].namelen);
		free(c->names[i].name);
	}
	c->count = kept;
	return 0;
}

int pptr_names_add(struct pptr_name **names, size_t *room, size_t *count, const struct pptr_name *name,
		   const uint8_t *bytes)
{
	struct pptr_name added = *name;

	if (array_grow(names, room, *count, sizeof(**names)))
		return -ENOMEM;
	added.name = malloc(name->namelen ? name->namelen : 1);
	if (!added.name)
		return -ENOMEM;
	memcpy(added.name, bytes, name->namelen);
	(*names)[(*count)++] = added;
	return 0;
}

static int add_name(struct pptr_collector *c, const struct pptr_fact *fact)
{
	const struct pptr_name name = { fact->parent, fact->child, fact->parent_gen, fact->ftype, fact->namelen, NULL };
	int ret = pptr_names_add(&c->names, &c->room, &c->count, &name, fact->name);

	c->used += ret ? 0 : bytes_of(fact->namelen);
	return ret;
}

static void pptr_found(void *ctx, unsigned worker, const struct pptr_fact *fact)
{
	struct pptr_collector *c = ctx;

	(void)worker;
	if (!asked_about(c, fact->parent) && !asked_about(c, fact->child))
		return;
	/* a file named by the superblock has no entry: these came with another inode's contents */
	if (dinode_internal_type(c->geo, fact->child) != FT_UNKNOWN)
		return;
	pthread_mutex_lock(&c->lock);
	if (!c->error)
		c->error = add_name(c, fact); /* harmless if another thread has just given up the inode */
	while (!c->error && c->used > c->limit)
		c->error = narrow(c);
	pthread_mutex_unlock(&c->lock);
}

int pptr_name_order(const void *a, const void *b)
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
	return pptr_name_order(x, y);
}

static uint64_t parent_number(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct pptr_name *)record)->parent.v;
}

static uint64_t child_number(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct pptr_name *)record)->child.v;
}

static void sort_names(struct pptr_name *names, size_t count)
{
	static const struct number_order of_parent = { sizeof(*names), child_number, NULL, pptr_name_order, NULL };
	static const struct number_order order = { sizeof(*names), parent_number, NULL, pptr_name_order, &of_parent };

	number_sort(names, count, &order);
}

static uint64_t child_number_at(const void *record, const void *ctx)
{
	return child_number(*(struct pptr_name *const *)record, ctx);
}

static void sort_children(struct pptr_name **children, size_t count)
{
	static const struct number_order order = { sizeof(struct pptr_name *), child_number_at, NULL, by_child, NULL };

	number_sort(children, count, &order);
}

static void forget(struct mend_pptrs *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->names[i].name);
	free(p->names);
	free(p->children);
	p->names = NULL;
	p->children = NULL;
	p->count = p->first = p->end = 0;
}

/* Takes over the collected names, sorted in both orders; *c is empty then. 0 or -ENOMEM. */
static int adopt_names(struct mend_pptrs *p, struct pptr_collector *c)
{
	struct pptr_name **children = calloc(c->count + 1, sizeof(*children));

	if (!children)
		return -ENOMEM;
	sort_names(c->names, c->count);
	for (size_t i = 0; i < c->count; i++)
		children[i] = &c->names[i];
	sort_children(children, c->count);
	p->names = c->names;
	p->children = children;
	p->count = c->count;
	p->first = c->first;
	p->end = c->end;
	*c = (struct pptr_collector){ 0 };
	return 0;
}

/* Inodes to read for parent pointers. */
struct near {
	const struct repair *rc;
	struct ino_set inos;
	struct inobt_leaf leaf;
	pthread_mutex_t lock;
	int error;
};

static void near_free(struct near *near)
{
	ino_set_free(&near->inos);
	free(near->leaf.block);
}

static void entry_found(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	struct near *near = ctx;

	(void)worker;
	if (entry->dot || entry->dotdot || !ino_valid(&near->rc->geo, entry->target))
		return;
	pthread_mutex_lock(&near->lock);
	if (!near->error && ino_set_count(&near->inos) <= facts_near_most(near->rc))
		near->error = ino_set_put(&near->inos, entry->target);
	pthread_mutex_unlock(&near->lock);
}

/* Removes inodes that are not in use, which a traversal skips, too. Reduces *count. 0 or negative errno. */
static int leave_out_free(struct near *near, xino_t *inos, size_t *count)
{
	const struct geometry *geo = &near->rc->geo;
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0; i < *count && !ret; i++) {
		const agno_t agno = agno_of_ino(geo, inos[i]);
		enum inode_use use;

		ret = inobt_find(geo, near->rc->run->device, &near->rc->traverse->ags[agno.v], agno,
				 agino_of_ino(geo, inos[i]), &near->leaf, &use);
		if (!ret && use == INODE_IN_USE)
			inos[n++] = inos[i];
	}
	*count = n;
	return ret == -EIO ? 0 : ret;
}

/*
 * Finds the inodes to read for parent pointers of (p->own) or to inos[first] and those after it: these inodes, those
 * that they name, and strays found by the last check.  *ret_near: NULL if there are too many to be read one by one, or
 * if strays are out of date after repairs.  0 or negative errno.
 */
static int find_near(const struct mend_pptrs *p, size_t first, xino_t **ret_near, size_t *ret_count)
{
	static const struct sink_ops ops = { .entry = entry_found };
	const struct scope scope = { .names = true };
	const struct repair *now = p->m->now;
	const size_t most = facts_near_most(now);
	struct near near = { .rc = now, .lock = PTHREAD_MUTEX_INITIALIZER };
	xino_t *inos = NULL;
	int ret = 0;

	*ret_near = NULL;
	if (p->ninos - first > most || (!p->own && (!now->strays_known || p->m->done != p->m->round.done)))
		return 0;
	for (size_t i = first; i < p->ninos && !ret; i++)
		ret = ino_set_put(&near.inos, p->inos[i]);
	if (!ret && !p->own)
		ret = ino_set_put_all(&near.inos, &now->strays);
	if (!ret && !p->own)
		ret = facts_gather_near(now, &scope, p->inos + first, p->ninos - first, &ops, &near);
	ret = ret ? ret : near.error;
	*ret_count = ino_set_count(&near.inos);
	if (!ret && *ret_count <= most) {
		inos = ino_set_sorted(&near.inos);
		ret = inos ? 0 : -ENOMEM;
	}
	if (inos && !p->own)
		ret = leave_out_free(&near, inos, ret_count);
	if (ret)
		free(inos);
	else
		*ret_near = inos;
	near_free(&near);
	return ret;
}

/* Collects for inos[first] and as many after it as fit into memory. 0; -E2BIG: not even one; or negative errno. */
static int collect_pptrs(struct mend_pptrs *p, size_t first)
{
	const struct scope scope = { .pptrs = true };
	const uint64_t memory = memory_at_a_time(p->m->now);
	static const struct sink_ops ops = { .pptr = pptr_found };
	struct pptr_collector c = { .geo = &p->m->now->geo,
				    .inos = p->inos,
				    .first = first,
				    .end = p->ninos,
				    .limit = memory / 2,
				    .alone = p->m->rc->run->memory.alone,
				    .lock = PTHREAD_MUTEX_INITIALIZER };
	xino_t *near;
	size_t count;
	int ret;

	forget(p);
	ret = find_near(p, first, &near, &count);
	if (!ret && near) {
		ret = facts_gather_near(p->m->now, &scope, near, count, &ops, &c);
	} else if (!ret) {
		memory_for_records(p->m->rc, memory);
		ret = facts_gather(p->m->now, &p->m->now->geo, &scope, &ops, &c);
	}
	free(near);
	if (c.beyond)
		over_memory(p->m->rc, OVER_MEMORY_DIRECTORY);
	if (!ret)
		ret = c.error;
	if (!ret)
		ret = adopt_names(p, &c);
	for (size_t i = 0; i < c.count; i++)
		free(c.names[i].name);
	free(c.names);
	return ret;
}

int mend_pptrs_want(struct mend_pptrs *p, xino_t ino)
{
	return ino.v && ino.v != NULL_INO ? ino_set_put(&p->wanted, ino) : 0;
}

/* Finds an inode in p->inos, which is recreated if it is missing; p->ninos: an error. 0 or -ENOMEM. */
static int find_wanted(struct mend_pptrs *p, xino_t ino, size_t *ret_at)
{
	const xino_t *at = p->ninos ? bsearch(&ino, p->inos, p->ninos, sizeof(ino), ino_order) : NULL;
	int ret = 0;

	if (!at) {
		forget(p);
		free(p->inos);
		p->ninos = 0;
		ret = mend_pptrs_want(p, ino);
		p->inos = ino_set_sorted(&p->wanted);
		if (!p->inos)
			return -ENOMEM;
		p->ninos = ino_set_count(&p->wanted);
		at = bsearch(&ino, p->inos, p->ninos, sizeof(ino), ino_order);
	}
	*ret_at = at ? (size_t)(at - p->inos) : p->ninos;
	return ret;
}

int mend_pptrs_know(struct mend_pptrs *p, xino_t ino)
{
	size_t at;
	int ret;

	if (!p->m->now->geo.parent || !ino.v || ino.v == NULL_INO)
		return 0;
	ret = find_wanted(p, ino, &at);
	if (ret || at == p->ninos)
		return ret;
	/* queries come in order, so start with the first inode */
	if (!p->end)
		ret = collect_pptrs(p, 0);
	if ((!ret || ret == -E2BIG) && (at < p->first || at >= p->end))
		ret = collect_pptrs(p, at);
	if (ret != -E2BIG)
		return ret;
	p->first = at; /* those of one inode don't fit into memory: none are known, and it is not tried again */
	p->end = at + 1;
	return 0;
}

int mend_pptrs_of_child(struct mend_pptrs *p, xino_t child, struct pptr_name *const **ret_first, size_t *ret_count)
{
	int ret = mend_pptrs_know(p, child);
	const struct member of_child = THROUGH(p->children, child);
	const size_t at = ordered_find(p->children, p->count, of_child, child.v);

	*ret_count = at < p->count ? ordered_run(p->children + at, p->count - at, of_child) : 0;
	*ret_first = *ret_count ? p->children + at : NULL;
	return ret;
}

size_t mend_pptrs_to_directory(const struct mend_pptrs *p, xino_t directory, const struct pptr_name **ret_first)
{
	const struct member of_parent = MEMBER(p->names, parent);
	const size_t at = ordered_find(p->names, p->count, of_parent, directory.v);

	*ret_first = at < p->count ? p->names + at : NULL;
	return at < p->count ? ordered_run(p->names + at, p->count - at, of_parent) : 0;
}

int pptr_name_parent(struct mend *m, const struct pptr_name *name, const struct ino_set *others,
		     struct mend_inode *ret_parent)
{
	const struct dir_table *dirs = &m->now->dirs;
	int ret;

	/* an inode that is free, or was deleted while open, may still look like a directory on disk */
	if ((dir_table_find(dirs, name->parent) == dirs->count && !(others && ino_set_has(others, name->parent))) ||
	    dir_table_below(dirs, name->parent, name->child))
		return -ENOENT;
	ret = mend_inode_decode(m, name->parent, ret_parent);
	if (ret || ret_parent->inode.ftype == FT_DIR)
		return ret;
	mend_inode_free(ret_parent);
	return -ENOENT;
}

int mend_pptrs_is_home(const struct mend_pptrs *p, const struct pptr_name *name, bool *ret_is)
{
	struct mend_inode parent;
	int ret = pptr_name_parent(p->m, name, &p->wanted, &parent);

	*ret_is = !ret && parent.inode.gen == name->parent_gen;
	if (!ret)
		mend_inode_free(&parent);
	return ret == -ENOENT ? 0 : ret;
}

bool mend_pptrs_confirm(const struct mend_pptrs *p, xino_t directory, const struct dir_name *name)
{
	const struct pptr_name key = {
		.parent = directory, .child = name->ino, .namelen = name->namelen, .name = (uint8_t *)name->name
	};

	return p->count && bsearch(&key, p->names, p->count, sizeof(*p->names), pptr_name_order);
}

#define GARBLED_MAX 20000u /* names in a directory: with more, searching for each takes too long */

/* Returns the index of an entry for the child whose name has no parent pointer; names->count: none. */
static size_t find_garbled(const struct mend_pptrs *p, xino_t directory, xino_t child, const struct dir_names *names)
{
	for (size_t i = 2; i < names->count && names->count < GARBLED_MAX; i++)
		if (names->names[i].namelen && names->names[i].ino.v == child.v &&
		    !mend_pptrs_confirm(p, directory, &names->names[i]))
			return i;
	return names->count;
}

/* True if the parent pointer's name is the damaged one: it is not text, and the entry's is (see mend_pptr.c). */
static bool is_garbled_itself(const struct pptr_name *n, const struct dir_name *entry)
{
	return !quote_all_show(n->name, n->namelen) && quote_all_show(entry->name, entry->namelen);
}

/* Adjusts a directory's entries to one parent pointer to it. 0 or negative errno. */
static int settle_name(struct mend_pptrs *p, xino_t directory, const struct pptr_name *n, struct dir_names *names,
		       struct dir_before *before)
{
	const struct geometry *geo = &p->m->now->geo;
	const struct dir_name name = { .ino = n->child, .name = n->name, .namelen = n->namelen, .ftype = n->ftype };
	size_t at = dir_names_find(geo, names, n->name, n->namelen);
	bool removed;
	int ret;

	if (n->ftype == FT_UNKNOWN)
		return 0;
	if (at == names->count) {
		size_t garbled = find_garbled(p, directory, n->child, names);

		ret = dir_before_removed(before, n, &removed);
		if (ret || removed)
			return ret;
		if (garbled == names->count)
			return dir_names_add(geo, names, &name);
		return is_garbled_itself(n, &names->names[garbled])
			       ? 0
			       : dir_names_rename(geo, names, garbled, n->name, n->namelen);
	}
	if (at >= 2 && names->names[at].ino.v != n->child.v && !mend_pptrs_confirm(p, directory, &names->names[at])) {
		names->names[at].ino = n->child;
		names->names[at].ftype = n->ftype;
	}
	return 0;
}

int mend_pptrs_names(struct mend_pptrs *p, xino_t directory, struct dir_names *names)
{
	struct dir_before before = { .m = p->m };
	const struct pptr_name *n;
	int ret = mend_pptrs_know(p, directory);
	const size_t count = mend_pptrs_to_directory(p, directory, &n);

	for (size_t i = 0; i < count && !ret; i++)
		ret = settle_name(p, directory, &n[i], names, &before);
	dir_before_free(&before);
	return ret;
}

void mend_pptrs_free(struct mend_pptrs *p)
{
	forget(p);
	free(p->inos);
	ino_set_free(&p->wanted);
}
