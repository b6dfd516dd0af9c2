/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks quota files (ondisk 10, invariants 1 and 4; 12, Q1 and Q2): there must be one of each type that has been
 * counted, it must have the right name, and its records must agree with the usage of inodes.  Usage is compared only if
 * the superblock says that it was counted; otherwise the next mount counts it.  Once a file system has used quotas, it
 * has a quota file for ever.
 */
#include <stdio.h>

#include "books.h"
#include "log/intents.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "check/walk/quota.h"
#include "check/walk/walker.h"

static void at_file(struct walker *w, const struct geometry *geo, enum quota_type type, xino_t file)
{
	w->place = place_of(OBJ_QUOTA_USER + type);
	if (file.v == NULL_INO)
		return;
	w->place.ino = file;
	w->place.agno = agno_of_ino(geo, file);
}

/* Returns the inode that the superblock names as the quota file; 0 or NULL_INO: none. */
static xino_t rooted(const struct geometry *geo, enum quota_type type)
{
	const xino_t inos[QUOTA_TYPES] = { geo->uquotino, geo->gquotino, geo->pquotino }, none = { NULL_INO };

	return geo->metadir ? none : inos[type];
}

/* Returns the entry for a type in the quota directory of the metadata tree, or NULL. */
static const struct quota_name *name_of(const struct quota *quota, enum quota_type type)
{
	for (unsigned i = 0; i < quota->nlanes; i++) {
		for (size_t n = 0; n < quota->lanes[i].nnames; n++) {
			const struct quota_name *name = &quota->lanes[i].names[n];

			if (name->type == type && name->directory.v == quota->lanes[0].directory.v)
				return name;
		}
	}
	return NULL;
}

static bool is_named(const struct quota *quota, xino_t ino)
{
	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		const struct quota_name *name = name_of(quota, type);

		if (name && name->target.v == ino.v)
			return true;
	}
	return false;
}

/* Checks the names in the metadata tree, by which the kernel finds quota files: each must name a file of its type. */
static void check_named(const struct quota *quota, struct walker *w, enum quota_type type)
{
	const struct quota_name *name = name_of(quota, type);
	const xino_t *file = quota->lanes[0].file[type];
	bool right = name && (name->target.v == file[0].v || name->target.v == file[1].v);

	if (name && !right) {
		at_file(w, quota->geo, type, name->target);
		walk_problem(w, F_QUOTA_FILE_NAME, NO_INDEX, name->target.v, 0);
	}
	for (unsigned i = 0; i < 2 && file[i].v != NULL_INO; i++) {
		at_file(w, quota->geo, type, file[i]);
		if (!is_named(quota, file[i]))
			walk_problem(w, F_QUOTA_FILE_UNNAMED, NO_INDEX, file[i].v, 0);
	}
}

/* Checks that every type that was counted, or for which the superblock names a file, has a quota file. */
static void check_file(const struct quota *quota, struct walker *w, enum quota_type type)
{
	const struct geometry *geo = quota->geo;
	xino_t named = rooted(geo, type);
	bool expected = (named.v && named.v != NULL_INO) || quota_counted(geo) >> type & 1;

	if (geo->metadir)
		check_named(quota, w, type);
	if (!expected || quota->lanes[0].file[type][0].v != NULL_INO || (geo->metadir && name_of(quota, type)))
		return;
	at_file(w, geo, type, (xino_t){ NULL_INO });
	walk_problem(w, F_QUOTA_FILE_MISSING, NO_INDEX, named.v == NULL_INO ? 0 : named.v, 0);
}

/*
 * Reports the superblock's quota bit if no quota file is named.  The kernel sets the bit together with the number of
 * the first file, and from then on there is always one.  mkfs.xfs sets it earlier, but only with metadata directories.
 */
static void check_any(const struct quota *quota, struct walker *w)
{
	const struct geometry *geo = quota->geo;

	if (!geo->quota || geo->metadir || quota_counted(geo))
		return;
	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		const xino_t named = rooted(geo, type);

		if (named.v && named.v != NULL_INO)
			return;
	}
	w->place = place_of(OBJ_SUPERBLOCK);
	w->place.agno.v = 0;
	walk_problem(w, F_SB_QUOTA_NONE, NO_INDEX, 0, 0);
}

static void check_tally(const struct quota *quota, struct walker *w, enum quota_type type,
			const struct quota_tally *tally)
{
	static const enum finding findings[QUOTA_COUNTS] = { F_QUOTA_BLOCKS, F_QUOTA_INODES, F_QUOTA_RTBLOCKS };
	const struct quota_lane *sum = &quota->lanes[0];
	uint32_t off = tally->id / dquot_per_block(quota->geo);
	bool recorded =
		tally->recorded[QUOTA_BLOCKS] || tally->recorded[QUOTA_INODES] || tally->recorded[QUOTA_RTBLOCKS];

	if (!recorded && sum->gap[type])
		return;
	w->place.fileoff.v = off;
	if (!recorded && !quota_table_find(&sum->blocks[type], &quota->key, off)) {
		walk_problem(w, F_QUOTA_NO_RECORD, tally->id, tally->used[QUOTA_INODES], 0);
		return;
	}
	for (unsigned what = 0; what < QUOTA_COUNTS; what++)
		if (tally->used[what] != tally->recorded[what])
			walk_problem(w, findings[what], tally->id, tally->recorded[what], tally->used[what]);
}

static void check_counts(const struct quota *quota, struct walker *w, enum quota_type type)
{
	const struct quota_lane *sum = &quota->lanes[0];
	const struct quota_table *ids = &sum->ids[type];

	if (sum->file[type][0].v == NULL_INO)
		return; /* already reported */
	at_file(w, quota->geo, type, sum->file[type][0]);
	for (size_t i = 0; i < ids->room; i++)
		if (ids->slots[i].taken)
			check_tally(quota, w, type, &ids->slots[i]);
}

/* True if the log has changes that the check does not see, or operations that are not completed. */
static bool log_pending(const struct repair *rc)
{
	return rc->log.condition != LOG_CLEAN && (!rc->run->log_replayed || intents_waiting(rc->run->intents));
}

/* Returns why usage is not compared although quotas are in use; NULL: it is compared, or quotas are not in use. */
static const char *why_not(const struct repair *rc)
{
	const struct geometry *geo = &rc->geo;

	if (!quota_counted(geo))
		return geo->qflags ? "the superblock requests a recount at the next mount" : NULL;
	if (rc->run->options->no_quota)
		return "-o noquota was given";
	if (log_pending(rc))
		return "changes in the log affect it";
	if (rc->traverse->incomplete)
		return "some metadata could not be read";
	return NULL;
}

unsigned quota_compared(const struct repair *rc)
{
	return rc->run->options->no_quota || log_pending(rc) ? 0 : quota_counted(&rc->geo);
}

int quota_check(struct repair *rc, struct walker *w)
{
	struct quota *quota = rc->quota;
	const char *reason = why_not(rc);
	char note[160];
	int ret = quota_close(quota);

	if (ret)
		return ret;
	if (reason) {
		snprintf(note, sizeof(note), "Quota usage is not compared: %s.", reason);
		report_note(rc->report, note);
	}
	if (rc->traverse->incomplete)
		return 0;
	check_any(quota, w);
	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		check_file(quota, w, type);
		if (!reason && quota->compared >> type & 1)
			check_counts(quota, w, type);
	}
	return 0;
}
