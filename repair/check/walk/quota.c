/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects usage and quota records in each worker's lane, and adds the lanes up; quota_check.c compares the two. */
#include "quota.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/sb.h"
#include "base/sink.h"

struct quota *quota_new(const struct geometry *geo, unsigned workers, const struct hash_key *key, unsigned compared)
{
	struct quota *quota = calloc(1, sizeof(*quota));

	if (!quota)
		return NULL;
	*quota = (struct quota){ geo, *key, compared, workers, calloc(workers, sizeof(*quota->lanes)) };
	if (!quota->lanes) {
		free(quota);
		return NULL;
	}
	for (unsigned i = 0; i < workers; i++) {
		quota->lanes[i].directory.v = NULL_INO;
		for (unsigned type = 0; type < QUOTA_TYPES; type++)
			quota->lanes[i].file[type][0].v = quota->lanes[i].file[type][1].v = NULL_INO;
	}
	return quota;
}

void quota_free(struct quota *quota)
{
	if (!quota)
		return;
	for (unsigned i = 0; i < quota->nlanes; i++) {
		for (unsigned type = 0; type < QUOTA_TYPES; type++) {
			quota_table_free(&quota->lanes[i].ids[type]);
			quota_table_free(&quota->lanes[i].blocks[type]);
		}
		free(quota->lanes[i].names);
	}
	free(quota->lanes);
	free(quota);
}

unsigned quota_counted(const struct geometry *geo)
{
	return (geo->qflags & SB_QFLAG_USER_CHKD ? 1u << QUOTA_USER : 0) |
	       (geo->qflags & SB_QFLAG_GROUP_CHKD ? 1u << QUOTA_GROUP : 0) |
	       (geo->qflags & SB_QFLAG_PROJECT_CHKD ? 1u << QUOTA_PROJECT : 0);
}

bool quota_possible(const struct quota *quota)
{
	const struct geometry *geo = quota->geo;
	const xino_t named[QUOTA_TYPES] = { geo->uquotino, geo->gquotino, geo->pquotino };
	bool possible = geo->metadir || quota->compared;

	for (unsigned type = 0; type < QUOTA_TYPES; type++)
		possible |= named[type].v != 0 && named[type].v != NULL_INO;
	return possible;
}

int quota_charge(struct quota *quota, unsigned worker, const uint32_t ids[QUOTA_TYPES],
		 const uint64_t used[QUOTA_COUNTS])
{
	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		struct quota_tally *tally;

		if (!(quota->compared >> type & 1))
			continue;
		tally = quota_table_get(&quota->lanes[worker].ids[type], &quota->key, ids[type]);
		if (!tally)
			return -ENOMEM;
		for (unsigned what = 0; what < QUOTA_COUNTS; what++)
			tally->used[what] += used[what];
	}
	return 0;
}

int quota_record(struct quota *quota, unsigned worker, enum quota_type type, const struct dquot *dquot)
{
	struct quota_tally *tally;
	uint64_t any = 0;

	for (unsigned what = 0; what < QUOTA_COUNTS; what++)
		any |= dquot->used[what];
	/* most records belong to ids that own nothing, and need no table entry: quota_block() notes that they exist */
	if (!any || !(quota->compared >> type & 1))
		return 0;
	tally = quota_table_get(&quota->lanes[worker].ids[type], &quota->key, dquot->id);
	if (!tally)
		return -ENOMEM;
	for (unsigned what = 0; what < QUOTA_COUNTS; what++)
		tally->recorded[what] += dquot->used[what];
	return 0;
}

int quota_block(struct quota *quota, unsigned worker, enum quota_type type, fileoff_t off)
{
	if (!(quota->compared >> type & 1))
		return 0;
	return quota_table_get(&quota->lanes[worker].blocks[type], &quota->key, (uint32_t)off.v) ? 0 : -ENOMEM;
}

/* Keeps the two lowest numbers, so that the result does not depend on which worker sees which inode. */
void quota_file(struct quota *quota, unsigned worker, enum quota_type type, xino_t ino)
{
	xino_t *file = quota->lanes[worker].file[type];

	if (ino.v < file[0].v) {
		file[1] = file[0];
		file[0] = ino;
	} else if (ino.v < file[1].v && ino.v != file[0].v) {
		file[1] = ino;
	}
}

static bool is_name(const struct entry_fact *entry, const char *name)
{
	return entry->namelen == strlen(name) && memcmp(entry->name, name, entry->namelen) == 0;
}

const char *const quota_file_names[QUOTA_TYPES] = { "user", "group", "project" };

int quota_entry(struct quota *quota, unsigned worker, const struct entry_fact *entry)
{
	struct quota_lane *l = &quota->lanes[worker];

	if (entry->dot || entry->dotdot)
		return 0;
	if (entry->directory.v == quota->geo->metadirino.v && is_name(entry, "quota"))
		l->directory = entry->target;
	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		if (!is_name(entry, quota_file_names[type]))
			continue;
		if (array_add(l->names, l->names_room, l->nnames,
			      (struct quota_name){ entry->directory, entry->target, type }))
			return -ENOMEM;
	}
	return 0;
}

int quota_close(struct quota *quota)
{
	struct quota_lane *sum = &quota->lanes[0];

	for (unsigned i = 1; i < quota->nlanes; i++) {
		struct quota_lane *lane = &quota->lanes[i];

		if (lane->directory.v < sum->directory.v)
			sum->directory = lane->directory;
		for (unsigned type = 0; type < QUOTA_TYPES; type++) {
			if (quota_table_merge(&sum->ids[type], &lane->ids[type], &quota->key) ||
			    quota_table_merge(&sum->blocks[type], &lane->blocks[type], &quota->key))
				return -ENOMEM;
			quota_table_free(&lane->ids[type]);
			quota_table_free(&lane->blocks[type]);
			sum->gap[type] |= lane->gap[type];
			for (unsigned n = 0; n < 2; n++)
				quota_file(quota, 0, type, lane->file[type][n]);
		}
	}
	return 0;
}
