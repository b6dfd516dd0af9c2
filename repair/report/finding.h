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
	uint32_t times; /* number of reports, at least 1 */
	bool reported;	/* already reported */
};

/* Number of findings of each kind. */
struct finding_counts {
	uint64_t of[FINDING_NR];
};

/* Sums them up by severity. */
void finding_counts_by_severity(const struct finding_counts *counts, uint64_t ret_found[static SEVERITY_NR]);

enum finding_class finding_class(enum finding finding);
const char *finding_template(enum finding finding); /* message with placeholders */
const char *severity_name(enum severity severity);  /* "corrupt" */
const char *sure_name(enum sure sure);		    /* "likely" */
const char *class_name(enum finding_class class);   /* "primary" */
const char *object_name(enum object object);
/* Returns the mender in the row of a finding. MEND_CONTENTS and MEND_TREE mean the mender of the object ... */
enum mend_kind finding_mender(enum finding finding);
/* ... which this returns. */
enum mend_kind object_mender(enum object object, enum mend_kind kind);

/* Returns what a finding may be a consequence of, so that reports can list causes first. */
enum follows finding_follows(enum finding finding);
bool finding_is_effect(enum finding finding); /* may be a consequence of another finding */
/* True if other findings about the same object may be consequences of this one. */
bool finding_explains_object(enum finding finding);
/* Returns which consequences a finding may have: damage to the only copy of metadata hides what depends on it. */
enum hides finding_hides(const struct found *found);
/* True if two structures disagree about the entries of a directory, which may make link counts wrong. */
bool finding_contradicts_names(const struct found *found);

/* True if findings of this severity make the file system unclean. */
static inline bool severity_is_damage(enum severity severity)
{
	return severity != SEV_NOTE;
}

bool finding_is_damage(enum finding finding);

/* True if a check fails for findings of this severity. */
static inline bool severity_is_harm(enum severity severity)
{
	return severity_is_damage(severity) && severity != SEV_PREEN;
}

/*
 * Compare in the order in which findings are shown: AG (those without one last), realtime group, block, inode, object,
 * file block, id, offset, record, values, name. 0: equal.
 */
int place_compare(const struct place *a, const struct place *b); /* without the name */
int found_compare(const struct found *a, const struct found *b);

/* Copies a finding with its name, which found_drop() frees. False: out of memory. */
bool found_copy(struct found *to, const struct found *from);
/* Frees the name of a copy. */
void found_drop(struct found *found);

#endif
