/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares inodes: their fields, attributes, targets and contents. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "content.h"
#include "disk.h"
#include "truth.h"

/* The inode in a damaged tree; NULL: not shown. */
static const struct inode *damaged(const struct truth *t, size_t i, uint64_t ino)
{
	return i < t->ndamaged ? tree_inode(&t->damaged[i], ino) : NULL;
}

static const struct told *record(const struct truth *t, uint64_t ino, enum what what, const char *name)
{
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		if (r->what == what && r->ino == ino && (!name || !r->name || !strcmp(r->name, name)))
			return r;
	}
	return NULL;
}

bool inode_is_lost(const struct truth *t, uint64_t ino)
{
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		if (r->what == INODE && r->fate == LOST && r->ino == ino)
			return true;
	}
	return false;
}

bool files_are_missing(const struct truth *t)
{
	const struct figures *f = &t->account.figures;

	return f->known && (f->missing_most || !f->missing_known);
}

/* ---- fields ---- */

static int64_t shown(const struct inode *inode, enum field field)
{
	return (int64_t)inode->field[field];
}

/* True if a record says that no field of an inode is confirmed. */
static bool is_of_all_fields(const struct told *r)
{
	return r->field && (!strcmp(r->field, "checksum") || !strcmp(r->field, "age"));
}

/* True if there is a record about an inode with this field: "age": all its contents may be outdated. */
static bool is_told_of(const struct truth *t, uint64_t ino, const char *field)
{
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		if (r->what == INODE && r->ino == ino && r->field && !strcmp(r->field, field))
			return true;
	}
	return false;
}

static bool is_told_field(const struct truth *t, uint64_t ino, enum field field)
{
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		if (r->what == INODE && r->ino == ino && r->field &&
		    (is_of_all_fields(r) || !strcmp(r->field, field_id(field))))
			return true;
	}
	return false;
}

/*
 * True if the damage gave a field its value after the repair.  Flags are compared one by one only if the kernel shows
 * them.
 */
static bool is_damaged_field(const struct truth *t, const struct inode *is, enum field field)
{
	int64_t value;

	for (size_t i = 0; i < t->ndamaged; i++) {
		const struct inode *d = damaged(t, i, is->ino);

		if (d && d->known & 1u << field && same_field(d, is, field))
			return true;
	}
	return field != FIELD_FLAGS && field != FIELD_FLAGS2 &&
	       disk_field(t->damaged_image, t->repaired_image, is->ino, field, &value) && value == shown(is, field);
}

static void check_fields(struct truth *t, const struct inode *was, const struct inode *is)
{
	for (enum field field = 0; field < FIELD_NR; field++)
		if (!same_field(was, is, field) && !is_told_field(t, was->ino, field) &&
		    !is_damaged_field(t, is, field))
			violation(t, "changed in silence: %s of inode %" PRIu64 " from %" PRId64 " to %" PRId64,
				  field_id(field), was->ino, shown(was, field), shown(is, field));
	if (was->device != is->device)
		violation(t, "changed in silence: device of inode %" PRIu64, was->ino);
}

static enum field field_of(const char *id)
{
	enum field field = 0;

	while (field < FIELD_NR && strcmp(id, field_id(field)) != 0)
		field++;
	return field;
}

/* Checks a record of a changed field: the old value must have existed, before the damage or because of it. */
static void check_told_field(struct truth *t, const struct told *r)
{
	const struct inode *was = tree_inode(&t->before, r->ino), *is = tree_inode(&t->after, r->ino);
	const enum field field = field_of(r->field);
	const bool flags = field == FIELD_FLAGS || field == FIELD_FLAGS2;
	const bool nanoseconds = field >= FIELD_ATIME && field <= FIELD_BTIME && r->old == r->new;
	int64_t value = 0;

	if (is && is_of_all_fields(r)) /* they may be unchanged */
		return;
	if (field == FIELD_NR || !is) {
		violation(t, "told, but it can't be: %s of inode %" PRIu64, r->field, r->ino);
		return;
	}
	if (is->known & 1u << field && !flags && shown(is, field) != r->new)
		violation(t, "told, but it is another: %s of inode %" PRIu64 " to %" PRId64 ", it is %" PRId64,
			  r->field, r->ino, r->new, shown(is, field));
	if (was && !flags && was->known & 1u << field && shown(was, field) == r->old && !same_field(was, is, field))
		return;
	if (was && flags && was->known & is->known & 1u << field && !same_field(was, is, field))
		return;
	if (disk_field(t->damaged_image, t->repaired_image, r->ino, field, &value) && value == r->old &&
	    (r->old != r->new || nanoseconds))
		return;
	violation(t, "told, but it was another: %s of inode %" PRIu64 " from %" PRId64 ", it was %" PRId64, r->field,
		  r->ino, r->old, was && was->known & 1u << field ? shown(was, field) : value);
}

/* ---- attributes and targets ---- */

/* True if a damaged tree shows an attribute that is equal (so) or not equal to the one after the repair. */
static bool is_damaged_attribute(const struct truth *t, uint64_t ino, const char *name, const struct attribute *is,
				 bool so)
{
	for (size_t i = 0; i < t->ndamaged; i++) {
		const struct inode *d = damaged(t, i, ino);

		if (d && !d->no_attributes && same_attribute(inode_attribute(d, name), is) == so)
			return true;
	}
	return false;
}

/* True if a record reports an attribute that the inode never had: one of its names was misread. */
static bool is_misread(const struct truth *t, const struct inode *was)
{
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		if (r->what == ATTRIBUTE && r->unconfirmed && r->ino == was->ino && r->name &&
		    !inode_attribute(was, r->name))
			return true;
	}
	return false;
}

/* Checks the attributes of the first inode. */
static void check_attributes(struct truth *t, const struct inode *of, const struct inode *was, const struct inode *is)
{
	for (size_t i = 0; i < of->nattributes; i++) {
		const char *name = of->attributes[i].name;
		const struct attribute *now = inode_attribute(is, name);

		if (!same_attribute(inode_attribute(was, name), now) && !record(t, of->ino, ATTRIBUTE, name) &&
		    !(!now && is_misread(t, was)) && !is_damaged_attribute(t, of->ino, name, now, true))
			violation(t, "%s in silence: attribute %s of inode %" PRIu64,
				  !now	      ? "lost"
				  : of == was ? "changed"
					      : "new",
				  name, of->ino);
	}
}

static bool has_lost_attribute(const struct inode *was, const struct inode *is)
{
	for (size_t i = 0; i < was->nattributes; i++)
		if (!same_attribute(&was->attributes[i], inode_attribute(is, was->attributes[i].name)))
			return true;
	return false;
}

static void check_told_attribute(struct truth *t, const struct told *r)
{
	const struct inode *was = tree_inode(&t->before, r->ino), *is = tree_inode(&t->after, r->ino);
	const struct attribute *a = was && r->name ? inode_attribute(was, r->name) : NULL;
	const struct attribute *b = is && r->name ? inode_attribute(is, r->name) : NULL;

	if (!r->name && r->unconfirmed) { /* perhaps none is lost */
		return;
	} else if (!r->name) {
		if (!was || !is || !has_lost_attribute(was, is))
			violation(t, "%s is told, but all are there: of inode %" PRIu64, told_words(r), r->ino);
	} else if (r->fate == GAINED ? !b : r->fate == LOST ? b != NULL : !b) {
		violation(t, "%s is told, but it is not so: %s of inode %" PRIu64, told_words(r), r->name, r->ino);
	} else if (r->fate != GAINED && !r->unconfirmed && same_attribute(a, b) &&
		   !is_damaged_attribute(t, r->ino, r->name, b, false)) {
		violation(t, "%s is told, but it is as it was: %s of inode %" PRIu64, told_words(r), r->name, r->ino);
	}
}

/* True if a target is unchanged, or as the damage left it. */
static bool is_target_same(const struct truth *t, const struct inode *was, const struct inode *is)
{
	for (size_t i = 0; i < t->ndamaged; i++) {
		const struct inode *d = damaged(t, i, is->ino);

		if (d && d->target && same_target(d, is))
			return true;
	}
	return same_target(was, is);
}

static void check_target(struct truth *t, const struct inode *was, const struct inode *is)
{
	if (!is_target_same(t, was, is) && !record(t, was->ino, TARGET, NULL))
		violation(t, "changed in silence: target of inode %" PRIu64 " from %s to %s", was->ino,
			  was->target ? was->target : "nothing", is->target ? is->target : "nothing");
}

static void check_told_target(struct truth *t, const struct told *r)
{
	const struct inode *was = tree_inode(&t->before, r->ino), *is = tree_inode(&t->after, r->ino);

	for (size_t i = 0; i < t->ndamaged && is; i++) {
		const struct inode *d = damaged(t, i, r->ino);

		if (d && d->target && !same_target(d, is))
			return;
	}
	if (r->fate != GAINED && !r->unconfirmed && was && is && same_target(was, is))
		violation(t, "%s is told, but it is as it was: of inode %" PRIu64, told_words(r), r->ino);
}

/* ---- contents ---- */

static bool is_file(const struct inode *inode)
{
	return inode && S_ISREG(inode->field[FIELD_MODE]);
}

/*
 * The differences between a file in two trees; with `holes`, also data in place of a hole.  An object other than a file
 * is empty.
 */
static struct ranges differences(const struct tree *a, const struct tree *b, uint64_t ino, bool holes)
{
	const struct inode *x = tree_inode(a, ino), *y = tree_inode(b, ino);
	const int first = is_file(x) ? tree_open(a, x) : -1, second = is_file(y) ? tree_open(b, y) : -1;
	struct ranges ranges = content_differences(first, second, holes);

	if (first >= 0)
		close(first);
	if (second >= 0)
		close(second);
	return ranges;
}

/* The end of the reported range that begins at or before an offset and contains it; 0: none. */
static uint64_t told_until(const struct truth *t, uint64_t ino, uint64_t at)
{
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		for (size_t k = 0; r->what == DATA && r->ino == ino && k < r->nranges; k++)
			if (r->ranges[k].from <= at && r->ranges[k].to > at)
				return r->ranges[k].to;
	}
	return 0;
}

/* True if all damaged trees differ from the repaired one in this range. */
static bool damage_differs(const struct truth *t, uint64_t ino, const struct range *range)
{
	bool differs = true;

	for (size_t i = 0; i < t->ndamaged && differs; i++) {
		struct ranges ranges =
			differences(&t->damaged[i], &t->after, ino, false); /* reading may have filled holes */

		if (is_file(damaged(t, i, ino)))
			differs = ranges_touch(&ranges, range);
		free(ranges.all);
	}
	return differs;
}

static void check_content(struct truth *t, const struct inode *was, const struct inode *is)
{
	struct ranges ranges;

	/* if an inode was read under a wrong checksum, its extents may have been others */
	if (!is_file(was) || !is_file(is) || is_told_of(t, was->ino, "checksum"))
		return;
	ranges = differences(&t->before, &t->after, was->ino, true);
	for (size_t i = 0; i < ranges.count; i++) {
		struct range left = ranges.all[i];
		uint64_t until;

		while (left.from < left.to && (until = told_until(t, was->ino, left.from)))
			left.from = until;
		if (left.from < left.to && damage_differs(t, was->ino, &left))
			violation(t, "changed in silence: bytes %" PRIu64 " to %" PRIu64 " of inode %" PRIu64,
				  left.from, left.to, was->ino);
	}
	free(ranges.all);
}

/* True if a damaged tree differs from the repaired one in this range. */
static bool damage_is_repaired(const struct truth *t, uint64_t ino, const struct range *range)
{
	bool differs = false;

	for (size_t i = 0; i < t->ndamaged && !differs; i++) {
		struct ranges ranges = differences(&t->damaged[i], &t->after, ino, true);

		differs = is_file(damaged(t, i, ino)) && ranges_touch(&ranges, range);
		free(ranges.all);
	}
	return differs;
}

static void check_told_content(struct truth *t, const struct told *r)
{
	struct ranges ranges = differences(&t->before, &t->after, r->ino, true);

	for (size_t i = 0; i < r->nranges && !r->guessed && !r->unconfirmed; i++) /* these may be as they were */
		if (!ranges_touch(&ranges, &r->ranges[i]) && !damage_is_repaired(t, r->ino, &r->ranges[i]))
			violation(t,
				  "%s is told, but it is as it was: bytes %" PRIu64 " to %" PRIu64 " of inode %" PRIu64,
				  told_words(r), r->ranges[i].from, r->ranges[i].to, r->ino);
	free(ranges.all);
}

/* ---- whole inodes ---- */

static bool attributes_same(const struct truth *t, const struct inode *of, const struct inode *was,
			    const struct inode *is)
{
	for (size_t i = 0; i < of->nattributes; i++) {
		const char *name = of->attributes[i].name;
		const struct attribute *now = inode_attribute(is, name);

		if (!same_attribute(inode_attribute(was, name), now) &&
		    !is_damaged_attribute(t, of->ino, name, now, true))
			return false;
	}
	return true;
}

static bool contents_same(const struct truth *t, const struct inode *was, const struct inode *is)
{
	struct ranges ranges;
	bool same = true;

	if (!is_file(was) || !is_file(is))
		return true;
	ranges = differences(&t->before, &t->after, was->ino, true);
	for (size_t i = 0; i < ranges.count && same; i++)
		same = !damage_differs(t, was->ino, &ranges.all[i]);
	free(ranges.all);
	return same;
}

bool inode_is_whole(const struct truth *t, const struct inode *was, const struct inode *is)
{
	for (enum field field = 0; field < FIELD_NR; field++)
		if (!same_field(was, is, field) && !is_damaged_field(t, is, field))
			return false;
	return attributes_same(t, was, was, is) && attributes_same(t, is, was, is) && is_target_same(t, was, is) &&
	       contents_same(t, was, is);
}

bool is_damaged_away(const struct truth *t, uint64_t ino)
{
	for (size_t i = 0; i < t->ndamaged; i++)
		if (!t->damaged[i].unreadable && !damaged(t, i, ino))
			return true;
	return false;
}

static bool differs_at_all(const struct inode *was, const struct inode *is)
{
	for (enum field field = 0; field < FIELD_NR; field++)
		if (!same_field(was, is, field))
			return true;
	return !same_target(was, is) || has_lost_attribute(was, is);
}

/* True if a record says that the present inode is new, with the number of the old one. */
static bool is_another(const struct truth *t, const struct inode *was, const struct inode *is)
{
	for (size_t i = 0; i < t->account.count; i++) {
		const struct told *r = &t->account.all[i];

		if (r->what == INODE && r->fate == GAINED && r->ino == is->ino)
			return differs_at_all(was, is);
	}
	return false;
}

static void check_inode(struct truth *t, const struct inode *was)
{
	const struct inode *is = tree_inode(&t->after, was->ino);

	if (inode_is_lost(t, was->ino) || (is && is_told_of(t, was->ino, "age")))
		return;
	if ((!is || is_another(t, was, is)) && files_are_missing(t)) {
		t->missing++; /* compare_figures() compares their number */
		return;
	}
	if (!is) {
		violation(t, "lost in silence: inode %" PRIu64 ", %s", was->ino, was->path);
		return;
	}
	check_fields(t, was, is);
	check_attributes(t, was, was, is);
	check_attributes(t, is, was, is);
	check_target(t, was, is);
	check_content(t, was, is);
}

static bool is_damaged_inode(const struct truth *t, uint64_t ino)
{
	for (size_t i = 0; i < t->ndamaged; i++)
		if (damaged(t, i, ino))
			return true;
	return false;
}

static void check_told_inode(struct truth *t, const struct told *r)
{
	const struct inode *was = tree_inode(&t->before, r->ino), *is = tree_inode(&t->after, r->ino);

	if (r->fate == GAINED && !is)
		violation(t, "told as gained, but not there: inode %" PRIu64, r->ino);
	if (r->fate == LOST && is && was && !differs_at_all(was, is))
		violation(t, "told as lost, but still there: inode %" PRIu64, r->ino);
	if (r->fate == LOST && !was && !r->unconfirmed && !is_damaged_inode(t, r->ino))
		violation(t, "told as lost, but it never was: inode %" PRIu64, r->ino);
}

static void check_told(struct truth *t, const struct told *r)
{
	if (r->what == INODE && r->field)
		check_told_field(t, r);
	else if (r->what == INODE)
		check_told_inode(t, r);
	else if (r->what == ATTRIBUTE)
		check_told_attribute(t, r);
	else if (r->what == TARGET)
		check_told_target(t, r);
	else if (r->what == DATA && r->fate != GAINED)
		check_told_content(t, r);
}

/* Checks link counts: each name counts once; directories, which count their subdirectories, are skipped. */
static void check_links(struct truth *t, const struct inode *is)
{
	unsigned names = 0;

	if (S_ISDIR(is->field[FIELD_MODE]))
		return;
	for (size_t i = 0; i < t->after.nnames && names < is->nlink; i++)
		names += t->after.names[i].ino == is->ino;
	if (names != is->nlink)
		violation(t, "inode %" PRIu64 " has %u links, but %u names", is->ino, is->nlink, names);
}

void compare_inodes(struct truth *t)
{
	for (size_t i = 0; i < t->before.ninodes; i++)
		check_inode(t, &t->before.inodes[i]);
	for (size_t i = 0; i < t->after.ninodes; i++) {
		const struct inode *is = &t->after.inodes[i];

		check_links(t, is);
		if (!tree_inode(&t->before, is->ino) && !record(t, is->ino, INODE, NULL) &&
		    !is_damaged_inode(t, is->ino))
			violation(t, "new in silence: inode %" PRIu64 ", %s", is->ino, is->path);
	}
	for (size_t i = 0; i < t->account.count; i++)
		check_told(t, &t->account.all[i]);
}
