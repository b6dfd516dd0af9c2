/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares names, and the inodes that they point to. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

/* The inode of a name; NOTHING: there is no such name. */
static uint64_t target(const struct tree *tree, uint64_t dir, const char *text)
{
	const struct name *name = tree_name(tree, dir, text);

	return name ? name->ino : NOTHING;
}

bool is_damaged_so(const struct truth *t, uint64_t dir, const char *text, uint64_t ino)
{
	for (size_t i = 0; i < t->ndamaged; i++) {
		const struct inode *d = tree_inode(&t->damaged[i], dir);

		if (d && target(&t->damaged[i], dir, text) == ino && !(ino == NOTHING && d->no_names))
			return true;
	}
	return false;
}

/* ---- every loss is reported ---- */

/* The record about a name of this directory; `ino`: its former inode, or the present one if it is gained. */
static const struct told *own_record(const struct truth *t, uint64_t dir, const char *text, uint64_t ino, bool gained)
{
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		if (r->what == NAME && r->name && r->dir == dir && !strcmp(r->name, text) &&
		    (r->fate == GAINED) == gained && (r->leads_elsewhere ? (uint64_t)r->old == ino : r->ino == ino))
			return r;
	}
	return NULL;
}

/* True if the record is a count of lost names of this directory or inode, whose bytes are unknown. */
static bool is_count_for(const struct told *r, const struct name *name)
{
	return r->what == NAME && r->fate == LOST && !r->name &&
	       (r->dir == name->dir || (r->dir == NOTHING && r->ino == name->ino));
}

static bool is_in_count(const struct truth *t, const struct name *name)
{
	for (size_t i = 0; i < t->account.count; i++)
		if (is_count_for(&t->account.all[i], name))
			return true;
	return false;
}

/* True if an inode was reported lost with all its contents, without a known name. */
static bool is_lost_unnamed(const struct truth *t, uint64_t ino)
{
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		if (r->what == INODE && r->fate == LOST && r->ino == ino && !r->has_path)
			return true;
	}
	return false;
}

/*
 * True if a record, read under a wrong checksum, is about this name with a value that the damage changed: another inode
 * number, or another name, which the directory never had.
 */
static bool is_misread(const struct truth *t, const struct name *name)
{
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		if (r->what == NAME && r->unconfirmed && r->name && r->dir == name->dir &&
		    (!strcmp(r->name, name->text) ||
		     (r->ino == name->ino && target(&t->before, r->dir, r->name) != r->ino)))
			return true;
	}
	return false;
}

static bool is_gone(const struct truth *t, const struct name *name)
{
	return target(&t->after, name->dir, name->text) != name->ino;
}

static void check_lost(struct truth *t, const struct name *name)
{
	const uint64_t now = target(&t->after, name->dir, name->text);

	if (!is_gone(t, name) || own_record(t, name->dir, name->text, name->ino, false) || is_in_count(t, name) ||
	    is_misread(t, name) || is_damaged_so(t, name->dir, name->text, now))
		return;
	if (files_are_missing(t) && (!tree_inode(&t->after, name->ino) || !tree_inode(&t->after, name->dir)))
		return;
	/* the names of a lost directory are unknown, even if it was recreated */
	if (inode_is_lost(t, name->dir) || is_lost_unnamed(t, name->ino))
		return;
	violation(t, "lost in silence: name %s of directory %" PRIu64 ", inode %" PRIu64, name->text, name->dir,
		  name->ino);
}

/* True if a record says that an inode has this path now. */
static bool is_told_now(const struct truth *t, const struct name *name)
{
	const struct inode *dir = tree_inode(&t->after, name->dir);
	const size_t len = strlen(dir->path);

	for (size_t i = 0; i < t->account.count; i++) {
		const char *now = t->account.all[i].now;

		if (now && !strncmp(now, dir->path + 1, len - 1) && now[len - 1] == '/' &&
		    !strcmp(now + len, name->text))
			return true;
	}
	return false;
}

static void check_gained(struct truth *t, const struct name *name)
{
	const struct told *r;

	if (target(&t->before, name->dir, name->text) == name->ino ||
	    own_record(t, name->dir, name->text, name->ino, true) || is_told_now(t, name) || is_misread(t, name) ||
	    is_damaged_so(t, name->dir, name->text, name->ino))
		return;
	r = own_record(t, name->dir, name->text, target(&t->before, name->dir, name->text), false);
	if (!r || !r->leads_elsewhere || (uint64_t)r->new != name->ino)
		violation(t, "new in silence: name %s of directory %" PRIu64 ", inode %" PRIu64, name->text, name->dir,
			  name->ino);
}

/* ---- every record is true ---- */

static void check_told_elsewhere(struct truth *t, const struct told *r)
{
	if (target(&t->before, r->dir, r->name) != (uint64_t)r->old && !r->unconfirmed &&
	    !is_damaged_so(t, r->dir, r->name, (uint64_t)r->old))
		violation(t, "told, but it never led there: name %s of directory %" PRIu64 ", inode %" PRId64, r->name,
			  r->dir, r->old);
	if (target(&t->after, r->dir, r->name) != (uint64_t)r->new)
		violation(t, "told, but it leads elsewhere: name %s of directory %" PRIu64 ", inode %" PRId64, r->name,
			  r->dir, r->new);
}

static void check_told_name(struct truth *t, const struct told *r)
{
	const uint64_t was = target(&t->before, r->dir, r->name), is = target(&t->after, r->dir, r->name);

	if (r->leads_elsewhere) {
		check_told_elsewhere(t, r);
	} else if (r->fate == GAINED) {
		if (is != r->ino)
			violation(t, "told as gained, but not there: name %s of directory %" PRIu64 ", inode %" PRIu64,
				  r->name, r->dir, r->ino);
	} else if (r->fate == OUTDATED) { /* it was there at an earlier time */
		if (was == r->ino)
			violation(t,
				  "told as outdated, but it was there: name %s of directory %" PRIu64
				  ", inode %" PRIu64,
				  r->name, r->dir, r->ino);
	} else if (r->unconfirmed && r->fate == CHANGED && !r->now) { /* it may be unchanged */
		if (is != r->ino)
			violation(t, "told as unconfirmed, but not there: name %s of directory %" PRIu64, r->name,
				  r->dir);
	} else if (is != NOTHING && is == r->ino) {
		violation(t, "told as lost, but still there: name %s of directory %" PRIu64 ", inode %" PRIu64, r->name,
			  r->dir, r->ino);
	} else if (was != r->ino && !r->unconfirmed && !is_damaged_so(t, r->dir, r->name, r->ino)) {
		violation(t, "told as lost, but it never was: name %s of directory %" PRIu64 ", inode %" PRIu64,
			  r->name, r->dir, r->ino);
	}
}

/* Checks that a count is at most the number of names that are really missing. */
static void check_count(struct truth *t, const struct told *r)
{
	uint64_t missing = 0;

	for (size_t i = 0; i < t->before.nnames; i++) {
		const struct name *name = &t->before.names[i];

		missing += is_count_for(r, name) && is_gone(t, name) &&
			   !own_record(t, name->dir, name->text, name->ino, false);
	}
	if (missing < r->count && !r->unconfirmed)
		violation(t,
			  "told: %" PRIu64 " names of directory %" PRId64 ", inode %" PRId64 ", but %" PRIu64
			  " are lost",
			  r->count, (int64_t)r->dir, (int64_t)r->ino, missing);
}

void compare_names(struct truth *t)
{
	for (size_t i = 0; i < t->before.nnames; i++)
		check_lost(t, &t->before.names[i]);
	for (size_t i = 0; i < t->after.nnames; i++)
		check_gained(t, &t->after.names[i]);
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		if (r->what == NAME && r->name)
			check_told_name(t, r);
		else if (r->what == NAME && r->fate == LOST)
			check_count(t, r);
	}
}
