/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texts of include/explain/, for people who don't know XFS. Each file has rows x(symbol, text) for the rows of
 * findings.h, place.h and mends.h; rows of subjects.def begin with a prefix of ids.
 */
#ifndef XFSCK_REPAIR_EXPLAIN_TEXT_H
#define XFSCK_REPAIR_EXPLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "findings.h"
#include "mends.h"
#include "place.h"

/* The subject of a group of findings. */
struct explain_subject {
	const char *beginning; /* prefix of their ids, without the dot */
	const char *text;
};

/* Returns all subjects and their number. */
const struct explain_subject *explain_subjects(size_t *ret_count);
/* Returns the subject with the longest matching prefix; NULL: none, which a test rules out. */
const struct explain_subject *explain_subject(enum finding finding);
/* True if an id is equal to `beginning`, or begins with it and a dot. */
bool explain_begins(const char *id, const char *beginning);

/* Returns what is wrong, the usual cause, and what it means for files. */
const char *explain_finding(enum finding finding);
/* Returns what an object is, without a full stop. */
const char *explain_object(enum object object);
/* Returns what a mender does, on which evidence, and at what risk; MEND_NOTHING: why there is none. */
const char *explain_mender(enum mend_kind kind);

#endif
