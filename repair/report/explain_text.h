/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texts of include/explain/: what findings mean, for people who don't know XFS.  Each file there has rows
 * x(symbol, text), for the rows of findings.h, place.h and mends.h, but for subjects.def, whose rows begin with ids.
 */
#ifndef XFSCK_REPAIR_EXPLAIN_TEXT_H
#define XFSCK_REPAIR_EXPLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "findings.h"
#include "mends.h"
#include "place.h"

/* What a group of findings is about. */
struct explain_subject {
	const char *beginning; /* of their ids, without the dot that follows */
	const char *text;
};

/* Returns all of them, and how many there are. */
const struct explain_subject *explain_subjects(size_t *ret_count);
/* Returns that of a finding: of several whose beginning fits, the longest.  NULL: there is none, which a test excludes.
 */
const struct explain_subject *explain_subject(enum finding finding);
/* True if an id is this, or begins with this and a dot. */
bool explain_begins(const char *id, const char *beginning);

/* What is wrong, what usually does it, and what it means for files. */
const char *explain_finding(enum finding finding);
/* What an object is, in a few words without a full stop. */
const char *explain_object(enum object object);
/* What a mender does, on which evidence, and what it may cost; MEND_NOTHING: why there is none. */
const char *explain_mender(enum mend_kind kind);

#endif
