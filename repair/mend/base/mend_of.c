/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the mender that settles a finding: the one in its row, or that of the object or place. */
#include "disk/dir.h"
#include "mend/base/mend.h"
#include "mend_table.h"

/* file block where a directory's hash index starts with 64 KiB blocks; it is higher with smaller ones */
#define DIR_INDEX_MIN (DIR_LEAF_OFFSET >> 16)

enum apart {
	IN_LATER_GROUP,
	IN_RTGROUP,
	IN_DIR_INDEX,
};

static bool is_apart(const struct place *place, enum apart where)
{
	switch (where) {
	case IN_LATER_GROUP:
		return place->agno.v;
	case IN_RTGROUP:
		return place->rgno != NO_RGNO;
	default:
		return place->object == OBJ_DA_NODE && place->fileoff.v != NO_FILEOFF &&
		       place->fileoff.v >= DIR_INDEX_MIN;
	}
}

static const struct {
	enum mend_kind mender;
	enum apart where;
	enum mend_kind instead;
} rows[] = {
#define x(mender, where, instead) { MEND_##mender, where, MEND_##instead },
	MENDER_APART_TABLE(x)
#undef x
};

enum mend_kind mend_of(const struct found *found)
{
	enum mend_kind kind = finding_mender(found->problem.finding);

	if (kind == MEND_CONTENTS || kind == MEND_TREE)
		kind = object_mender(found->place.object, kind);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].mender == kind && is_apart(&found->place, rows[i].where))
			return rows[i].instead;
	return kind;
}
