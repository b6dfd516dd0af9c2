/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which mender settles a finding: the one that its row names, or that of the object that it is about. */
#include "disk/dir.h"
#include "mend/base/mend.h"
#include "mend_of.h"

/* the block in the file where a directory's hash index begins, with blocks of 64 KiB; farther out with smaller ones */
#define DIR_INDEX_MIN (DIR_LEAF_OFFSET >> 16)

/* Returns the mender that the row of a finding names, or that of the object. */
static enum mend_kind of_rows(const struct found *found)
{
	const enum mend_kind kind = finding_mender(found->problem.finding);

	return kind == MEND_CONTENTS || kind == MEND_TREE ? object_mender(found->place.object, kind) : kind;
}

enum mend_kind mend_of(const struct found *found)
{
	const struct place *place = &found->place;
	const enum mend_kind kind = of_rows(found);

	switch (kind) {
	case MEND_sb:
		return place->agno.v ? MEND_sb_copy : MEND_sb;
	case MEND_ag_space:
		return place->rgno != NO_RGNO ? MEND_rt_space : MEND_ag_space;
	case MEND_attr: /* a directory's da nodes lie far out in its file, where attributes never reach */
		return place->object == OBJ_DA_NODE && place->fileoff.v != NO_FILEOFF &&
				       place->fileoff.v >= DIR_INDEX_MIN
			       ? MEND_dir
			       : MEND_attr;
	default:
		return kind;
	}
}
