/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names, classes and menders of findings at run time, and the order of findings. */
#include <stdlib.h>
#include <string.h>

#include "finding.h"
#include "report.h"

struct row {
	const char *id;
	const char *message;
	enum severity severity;
	enum finding_class class;
	enum mend_kind mender;
	enum follows follows;
};

static const struct row rows[FINDING_NR] = {
#define x(symbol, id, severity, class, mender, follows, message)                                                       \
	[F_##symbol] = { id, message, SEV_##severity, CLASS_##class, MEND_##mender, FOLLOWS_##follows },
	FINDING_TABLE(x)
#undef x
};

static const struct {
	const char *name;
	enum mend_kind contents, tree;
	enum hides hides;
} objects[OBJECT_NR] = {
#define x(symbol, name, contents, tree, hides) [OBJ_##symbol] = { name, MEND_##contents, MEND_##tree, HIDES_##hides },
	OBJECT_TABLE(x)
#undef x
};

const char *finding_id(enum finding finding)
{
	return rows[finding].id;
}

const char *finding_template(enum finding finding)
{
	return rows[finding].message;
}

enum severity finding_severity(enum finding finding)
{
	return rows[finding].severity;
}

bool finding_is_damage(enum finding finding)
{
	return severity_is_damage(finding_severity(finding));
}

enum finding_class finding_class(enum finding finding)
{
	return rows[finding].class;
}

const char *severity_name(enum severity severity)
{
	static const char *const names[SEVERITY_NR] = {
		[SEV_FATAL] = "fatal", [SEV_CORRUPT] = "corrupt", [SEV_XREF] = "xref",
		[SEV_PREEN] = "preen", [SEV_NOTE] = "note",
	};

	return names[severity];
}

const char *sure_name(enum sure sure)
{
	static const char *const names[SURE_NR] = {
		[SURE_CERTAIN] = "certain",
		[SURE_LIKELY] = "likely",
		[SURE_GUESS] = "guess",
	};

	return names[sure];
}

const char *class_name(enum finding_class class)
{
	static const char *const names[] = {
		[CLASS_PRIMARY] = "primary",
		[CLASS_SECONDARY] = "secondary",
		[CLASS_SUMMARY] = "summary",
	};

	return names[class];
}

const char *object_name(enum object object)
{
	return objects[object].name;
}

enum mend_kind finding_mender(enum finding finding)
{
	return rows[finding].mender;
}

enum mend_kind object_mender(enum object object, enum mend_kind kind)
{
	return kind == MEND_CONTENTS ? objects[object].contents : objects[object].tree;
}

enum follows finding_follows(enum finding finding)
{
	return rows[finding].follows;
}

bool finding_is_effect(enum finding finding)
{
	return rows[finding].follows > FOLLOWS_VALUE;
}

bool finding_explains_object(enum finding finding)
{
	return rows[finding].follows != FOLLOWS_VALUE && severity_is_harm(rows[finding].severity);
}

enum hides finding_hides(const struct found *found)
{
	const struct row *row = &rows[found->problem.finding];
	const enum object object = found->place.object;

	if (row->follows != FOLLOWS_NOTHING || row->severity > SEV_CORRUPT)
		return HIDES_NOTHING;
	if (row->class == CLASS_PRIMARY)
		return objects[object].hides;
	/* the copies in btrees of AGs say who owns blocks, or which inodes are in use */
	return row->class == CLASS_SECONDARY && object_is_ag_btree(object) ? objects[object].hides & ~HIDES_NAMES
									   : HIDES_NOTHING;
}

bool finding_contradicts_names(const struct found *found)
{
	const struct row *row = &rows[found->problem.finding];

	return row->severity == SEV_XREF && row->follows != FOLLOWS_VALUE && row->follows != FOLLOWS_NAMES &&
	       row->follows != FOLLOWS_SPACE && (row->class == CLASS_PRIMARY || row->follows == FOLLOWS_INODE) &&
	       objects[found->place.object].hides & HIDES_NAMES;
}

/* Compares arrays, like memcmp(), number by number. */
static int compare(const uint64_t *a, const uint64_t *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

static int compare_names(struct name_view a, struct name_view b)
{
	size_t common = a.len < b.len ? a.len : b.len;
	int order = common ? memcmp(a.bytes, b.bytes, common) : 0;

	return order ? order : (int)a.len - (int)b.len;
}

int place_compare(const struct place *a, const struct place *b)
{
	/* "none" is the greatest value of each field, so it comes last */
	const uint64_t place_a[] = { a->agno.v, a->rgno, a->rgbno.v, a->agbno.v, a->ino.v, a->object, a->fileoff.v };
	const uint64_t place_b[] = { b->agno.v, b->rgno, b->rgbno.v, b->agbno.v, b->ino.v, b->object, b->fileoff.v };

	return compare(place_a, place_b, 7);
}

int found_compare(const struct found *a, const struct found *b)
{
	const struct problem *v = &a->problem, *w = &b->problem;
	const uint64_t values_a[] = { v->offset, v->index, v->got, v->want };
	const uint64_t values_b[] = { w->offset, w->index, w->got, w->want };
	int order = place_compare(&a->place, &b->place);

	if (!order && v->finding != w->finding) /* by id, since the order of rows may change */
		order = strcmp(finding_id(v->finding), finding_id(w->finding));
	if (!order)
		order = compare(values_a, values_b, 4);
	return order ? order : compare_names(a->place.name, b->place.name);
}

bool found_copy(struct found *to, const struct found *from)
{
	struct name_view name = from->place.name;
	uint8_t *bytes = NULL;

	if (name.len) {
		bytes = malloc(name.len);
		if (!bytes)
			return false;
		memcpy(bytes, name.bytes, name.len);
	}
	*to = *from;
	to->place.name.bytes = bytes;
	return true;
}

void found_drop(struct found *found)
{
	free((void *)found->place.name.bytes);
	found->place.name = (struct name_view){ 0 };
}

void finding_counts_by_severity(const struct finding_counts *counts, uint64_t ret_found[static SEVERITY_NR])
{
	memset(ret_found, 0, SEVERITY_NR * sizeof(*ret_found));
	for (enum finding i = 0; i < FINDING_NR; i++)
		ret_found[finding_severity(i)] += counts->of[i];
}
