/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One finding with its place; finding_text.h puts it into words. */
#ifndef XFSCK_REPAIR_FINDING_H
#define XFSCK_REPAIR_FINDING_H

#include "check.h"
#include "mends.h"
#include "place.h"

#define SEVERITY_NR (SEV_NOTE + 1)

struct found {
	struct place place;
	struct problem problem;
	uint32_t times; /* how often it was reported, at least 1 */
	bool told;	/* it was reported */
};

/* How many of each kind there are. */
struct finding_counts {
	uint64_t of[FINDING_NR];
};

/* The same by severity. */
void finding_counts_by_severity(const struct finding_counts *counts, uint64_t ret_found[static SEVERITY_NR]);

enum finding_class finding_class(enum finding finding);
const char *finding_template(enum finding finding); /* message with its placeholders */
const char *severity_name(enum severity severity);  /* "corrupt" */
const char *sure_name(enum sure sure);		    /* "likely" */
const char *class_name(enum finding_class class);   /* "primary" */
const char *object_name(enum object object);
/* The mender that the row of a finding names, or MEND_CONTENTS or MEND_TREE, which leave it to the object ... */
enum mend_kind finding_mender(enum finding finding);
/* ... whose row names one for each of the two. */
enum mend_kind object_mender(enum object object, enum mend_kind kind);

/* What it may follow from, so that a report can put causes first. */
enum follows finding_follows(enum finding finding);
bool finding_is_effect(enum finding finding); /* it follows from anything */
/* What may follow from it: from damage to the object's only copy of something that others depend on. */
enum hides finding_hides(const struct found *found);

/* Whether findings of this severity mean that the file system is not clean. */
static inline bool severity_is_damage(enum severity severity)
{
	return severity != SEV_NOTE;
}

bool finding_is_damage(enum finding finding);

/* Whether they mean more: something that a check fails for. */
static inline bool severity_is_harm(enum severity severity)
{
	return severity_is_damage(severity) && severity != SEV_PREEN;
}

/*
 * The order in which findings are shown, and equality (0): AG, those without one last; block, inode, object, block in
 * the file, id, offset, record, values, name.
 */
int place_compare(const struct place *a, const struct place *b); /* without the name */
int found_compare(const struct found *a, const struct found *b);

/* Copy a finding, and the name in its place; found_drop() frees that. False: out of memory. */
bool found_copy(struct found *to, const struct found *from);
/* Free the name of a copy. */
void found_drop(struct found *found);

#endif
