/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of findings at run time, and the words for one finding: its
 * message with the values in it, and its place.  Messages are templates of
 * ours; nothing from the disk but numbers comes into them.
 */
#include <inttypes.h>
#include <string.h>

#include "finding.h"
#include "report.h"

struct row {
	const char *id;
	const char *message;
	enum severity severity;
	enum finding_class class;
};

static const struct row rows[FINDING_NR] = {
#define x(symbol, id, severity, class, message) [F_##symbol] = { id, message, SEV_##severity, CLASS_##class },
	FINDING_TABLE(x)
#undef x
};

static const char *const object_names[OBJECT_NR] = {
#define x(symbol, name) [OBJ_##symbol] = (name),
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
	return object_names[object];
}

/* What one {placeholder} of length bytes, braces included, stands for.  False: not one of ours. */
static bool add_value(struct words *words, const char *placeholder, size_t length, const struct problem *p)
{
	const struct {
		const char *name;
		uint64_t value;
		bool hex;
	} values[] = {
		{ "{got}", p->got, false },    { "{want}", p->want, false },   { "{got:x}", p->got, true },
		{ "{want:x}", p->want, true }, { "{index}", p->index, false },
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (strlen(values[i].name) == length && !memcmp(values[i].name, placeholder, length)) {
			words_add(words, values[i].hex ? "0x%" PRIx64 : "%" PRIu64, values[i].value);
			return true;
		}
	}
	return false;
}

void finding_add_message(struct words *words, const struct problem *problem)
{
	const char *s = finding_template(problem->finding);

	while (*s) {
		size_t plain = strcspn(s, "{");
		size_t length;

		words_add(words, "%.*s", (int)plain, s);
		s += plain;
		if (!*s)
			break;
		length = strcspn(s, "}") + 1;
		if (!add_value(words, s, length, problem)) {
			words_add(words, "{");
			length = 1;
		}
		s += length;
	}
}

/* What the records of an object are called. */
static const char *record_word(enum object object)
{
	switch (object) {
	case OBJ_AGFL:
		return "slot";
	case OBJ_AGI:
		return "bucket";
	case OBJ_DIRECTORY:
	case OBJ_DIR_BLOCK:
	case OBJ_DIR_DATA:
	case OBJ_DIR_LEAF:
	case OBJ_DIR_FREE:
	case OBJ_DA_NODE:
	case OBJ_ATTR_FORK:
	case OBJ_ATTR_LEAF:
		return "entry";
	default:
		return "record";
	}
}

static bool ends_with_block(const char *name)
{
	size_t length = strlen(name);

	return length >= 5 && !strcmp(name + length - 5, "block");
}

/* An object of an inode; that of the inode itself needs no name. */
static void add_owned_place(struct words *words, const struct place *p)
{
	words_add(words, "inode %" PRIu64, p->ino.v);
	if (p->object != OBJ_INODE)
		words_add(words, " %s", object_name(p->object));
	if (p->fileoff.v != NO_FILEOFF)
		words_add(words, " at file block %" PRIu64, p->fileoff.v);
	if (p->agno.v != NO_AGNO && p->agbno.v != NULL_AGBNO)
		words_add(words, " (AG %" PRIu32 " block %" PRIu32 ")", p->agno.v, p->agbno.v);
	else if (p->agno.v != NO_AGNO)
		words_add(words, " (AG %" PRIu32 ")", p->agno.v);
}

static void add_ag_place(struct words *words, const struct place *p)
{
	const char *name = object_name(p->object);
	bool in_ag = p->agno.v != NO_AGNO;

	if (in_ag)
		words_add(words, "AG %" PRIu32, p->agno.v);
	if (!in_ag || p->object != OBJ_AG)
		words_add(words, "%s%s", in_ag ? " " : "", name);
	if (p->agbno.v != NULL_AGBNO)
		words_add(words, "%s %" PRIu32, ends_with_block(name) ? "" : " block", p->agbno.v);
	if (p->fileoff.v != NO_FILEOFF)
		words_add(words, " at file block %" PRIu64, p->fileoff.v);
}

void finding_add_place(struct words *words, const struct found *found)
{
	const struct problem *problem = &found->problem;

	if (found->place.ino.v != NULL_INO)
		add_owned_place(words, &found->place);
	else
		add_ag_place(words, &found->place);
	if (problem->offset)
		words_add(words, ", byte %" PRIu32, problem->offset);
	if (problem->index != NO_INDEX && !strstr(finding_template(problem->finding), "{index}"))
		words_add(words, ", %s %" PRIu32, record_word(found->place.object), problem->index);
}

/* Like memcmp(), number by number. */
static int compare(const uint64_t *a, const uint64_t *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

int found_compare(const struct found *a, const struct found *b)
{
	const struct place *p = &a->place, *q = &b->place;
	const struct problem *v = &a->problem, *w = &b->problem;
	/* the values that stand for "none" are the greatest and so come last */
	const uint64_t place_a[] = { p->agno.v, p->agbno.v, p->ino.v, p->object, p->fileoff.v };
	const uint64_t place_b[] = { q->agno.v, q->agbno.v, q->ino.v, q->object, q->fileoff.v };
	const uint64_t values_a[] = { v->offset, v->index, v->got, v->want };
	const uint64_t values_b[] = { w->offset, w->index, w->got, w->want };
	int order = compare(place_a, place_b, 5);

	if (!order && v->finding != w->finding) /* by id, not by row: the order of rows is free */
		order = strcmp(finding_id(v->finding), finding_id(w->finding));
	return order ? order : compare(values_a, values_b, 4);
}
