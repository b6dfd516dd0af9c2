/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects names of inodes.  Each lane collects separately, and sometimes drops all but the few smallest names of each
 * inode.  The smallest of all are among the smallest of their lane, so the result does not depend on which thread found
 * what when.
 */
#include "paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "sets/ordered.h"
#include "base/sink.h"

struct pile {
	struct known_name **names;
	size_t count, room;
	size_t others; /* names of directories found that are neither wanted nor kept */
	bool lost;     /* some names are missing for lack of memory */
};

struct names {
	struct ino_set wanted;
	struct ino_set kept; /* wanted inodes, and others whose names may be wanted later */
	size_t others_most;  /* names of other directories to keep for each lane; 0: none */
	bool others_known;
	size_t most;	   /* names of one inode that are kept */
	struct pile known; /* sorted */
	unsigned lane_count;
	struct pile lanes[];
};

static void pile_free(struct pile *pile)
{
	for (size_t i = 0; i < pile->count; i++)
		free(pile->names[i]);
	free(pile->names);
	*pile = (struct pile){ 0 };
}

void names_free(struct names *names)
{
	if (!names)
		return;
	for (unsigned i = 0; i < names->lane_count; i++)
		pile_free(&names->lanes[i]);
	pile_free(&names->known);
	ino_set_free(&names->wanted);
	ino_set_free(&names->kept);
	free(names);
}

int names_want(struct names *names, xino_t ino)
{
	int ret = names_keep(names, ino);

	return ret < 0 ? ret : ino_set_add(&names->wanted, ino);
}

int names_keep(struct names *names, xino_t ino)
{
	return ino_set_add(&names->kept, ino);
}

void names_keep_directories(struct names *names, size_t most)
{
	names->others_most = most / names->lane_count;
}

bool names_know_directories(const struct names *names)
{
	return names->others_known;
}

const struct ino_set *names_kept(const struct names *names)
{
	return &names->kept;
}

const struct ino_set *names_wanted(const struct names *names)
{
	return &names->wanted;
}

/* Compares two names by directory, then name. */
static int compare_names(const struct known_name *x, const struct known_name *y)
{
	size_t common = x->len < y->len ? x->len : y->len;
	int order;

	if (x->directory.v != y->directory.v)
		return x->directory.v < y->directory.v ? -1 : 1;
	order = memcmp(x->bytes, y->bytes, common);
	return order ? order : (int)x->len - (int)y->len;
}

static int compare(const void *a, const void *b)
{
	const struct known_name *x = *(struct known_name *const *)a, *y = *(struct known_name *const *)b;

	if (x->target.v != y->target.v)
		return x->target.v < y->target.v ? -1 : 1;
	if (x->former != y->former)
		return x->former ? 1 : -1;
	return compare_names(x, y);
}

/* Sorts the names, and drops duplicates and those beyond the limit for one inode. */
static void pile_settle(struct pile *pile, size_t most)
{
	size_t kept = 0, same = 0;

	if (pile->count)
		qsort(pile->names, pile->count, sizeof(struct known_name *), compare);
	for (size_t i = 0; i < pile->count; i++) {
		struct known_name *name = pile->names[i], *last = kept ? pile->names[kept - 1] : NULL;

		same = last && last->target.v == name->target.v && last->former == name->former ? same + 1 : 0;
		if (same >= most || (same && !compare(&last, &name))) {
			same--;
			free(name);
		} else {
			pile->names[kept++] = name;
		}
	}
	pile->count = kept;
}

/* Makes room for one more.  False: out of memory. */
static bool pile_reserve(struct pile *pile, size_t most)
{
	if (pile->count < pile->room)
		return true;
	pile_settle(pile, most);
	if (pile->count < pile->room / 2)
		return true;
	return !array_grow(&pile->names, &pile->room, pile->count, sizeof(struct known_name *));
}

static void add_to_pile(struct names *names, unsigned worker, const struct known_name *fact, const uint8_t *bytes)
{
	struct pile *pile = &names->lanes[worker];
	struct known_name *name = NULL;

	if (pile_reserve(pile, names->most))
		name = malloc(sizeof(*name) + fact->len);
	if (!name) {
		pile->lost = true;
		return;
	}
	*name = *fact;
	memcpy(name->bytes, bytes, fact->len);
	pile->names[pile->count++] = name;
}

/* True if the name of an inode outside of `kept` is to be kept, because the entry has the type of a directory. */
static bool other_directory(struct names *names, unsigned worker, const struct entry_fact *e)
{
	return names->others_most && e->ftype == FT_DIR && names->lanes[worker].others++ < names->others_most;
}

static void add_entry(void *ctx, unsigned worker, const struct entry_fact *e)
{
	struct names *names = ctx;
	const struct known_name fact = { .target = e->target, .directory = e->directory, .len = e->namelen };

	if (e->dot || e->dotdot || !e->namelen)
		return;
	if (ino_set_has(&names->kept, e->target) || other_directory(names, worker, e))
		add_to_pile(names, worker, &fact, e->name);
}

static void add_pptr(void *ctx, unsigned worker, const struct pptr_fact *p)
{
	struct names *names = ctx;
	const struct known_name fact = {
		.target = p->child, .directory = p->parent, .former = true, .len = p->namelen
	};

	if (p->namelen && ino_set_has(&names->kept, p->child))
		add_to_pile(names, worker, &fact, p->name);
}

struct names *names_new(unsigned workers)
{
	struct names *names = calloc(1, sizeof(*names) + workers * sizeof(struct pile));

	if (!names)
		return NULL;
	names->lane_count = workers;
	names->most = NAMES_KEPT;
	return names;
}

void names_keep_more(struct names *names, size_t most)
{
	names->most = most;
}

struct sink names_sink(struct names *names, const struct hash_key *key)
{
	static const struct sink_ops ops = { .entry = add_entry, .pptr = add_pptr };

	return (struct sink){ &ops, names, key };
}

int names_settle(struct names *names)
{
	struct pile *known = &names->known;
	bool lost = false, all = names->others_most > 0;

	for (unsigned i = 0; i < names->lane_count; i++) {
		struct pile *lane = &names->lanes[i];

		lost |= lane->lost;
		all &= lane->others <= names->others_most;
		while (lane->count && pile_reserve(known, names->most))
			known->names[known->count++] = lane->names[--lane->count];
		lost |= lane->count > 0;
		pile_free(lane);
	}
	names->others_known |= all;
	names->others_most = 0;
	pile_settle(known, names->most);
	return lost ? -ENOMEM : 0;
}

struct known_name *const *names_of(const struct names *names, xino_t ino, size_t *ret_count)
{
	const struct pile *known = &names->known;
	const struct member target = THROUGH(known->names, target);
	const size_t at = ordered_find(known->names, known->count, target, ino.v);

	*ret_count = at < known->count ? ordered_run(known->names + at, known->count - at, target) : 0;
	return *ret_count ? known->names + at : NULL;
}

bool names_has_entry(struct known_name *const *known, size_t count, const struct known_name *former)
{
	struct known_name *const *end = known + count;
	size_t low = 0, high = count;

	while (low < high) { /* entries come first, each part sorted by directory and name */
		const size_t middle = low + (high - low) / 2;
		const struct known_name *one = known[middle];

		if (!one->former && compare_names(one, former) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return known + low < end && !known[low]->former && !compare_names(known[low], former);
}
