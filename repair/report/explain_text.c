/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts at run time. */
#include <string.h>

#include "explain_text.h"
#include "report.h"

static const char *const findings[FINDING_NR] = {
#define x(symbol, text) [F_##symbol] = (text),
#include "explain/attributes.def"
#include "explain/btrees.def"
#include "explain/device.def"
#include "explain/directories.def"
#include "explain/forks.def"
#include "explain/groups.def"
#include "explain/inodes.def"
#include "explain/log.def"
#include "explain/log_items.def"
#include "explain/quotas.def"
#include "explain/realtime.def"
#include "explain/space.def"
#include "explain/superblock.def"
#include "explain/superblock_copies.def"
#include "explain/symlinks.def"
#undef x
};

static const struct explain_subject subjects[] = {
#define x(beginning, text) { beginning, text },
#include "explain/subjects.def"
#undef x
};

static const char *const objects[OBJECT_NR] = {
#define x(symbol, text) [OBJ_##symbol] = (text),
#include "explain/objects.def"
#undef x
};

static const char *const menders[MEND_NR] = {
#define x(name, text) [MEND_##name] = (text),
#include "explain/menders.def"
#undef x
};

#define SUBJECT_NR (sizeof(subjects) / sizeof(subjects[0]))

const struct explain_subject *explain_subjects(size_t *ret_count)
{
	*ret_count = SUBJECT_NR;
	return subjects;
}

bool explain_begins(const char *id, const char *beginning)
{
	const size_t length = strlen(beginning);

	return !strncmp(id, beginning, length) && (id[length] == '.' || !id[length]);
}

const struct explain_subject *explain_subject(enum finding finding)
{
	const struct explain_subject *longest = NULL;

	for (size_t i = 0; i < SUBJECT_NR; i++)
		if (explain_begins(finding_id(finding), subjects[i].beginning) &&
		    (!longest || strlen(subjects[i].beginning) > strlen(longest->beginning)))
			longest = &subjects[i];
	return longest;
}

const char *explain_finding(enum finding finding)
{
	return findings[finding];
}

const char *explain_object(enum object object)
{
	return objects[object];
}

const char *explain_mender(enum mend_kind kind)
{
	return menders[kind];
}
