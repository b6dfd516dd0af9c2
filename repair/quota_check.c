/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Quota files against what they are about (ondisk 10, invariants 1 and 4; 12, Q1
 * and Q2): there is one of each type that has been counted, where it is
 * named, and its records say what inodes use.  Counts are compared where the
 * superblock says that they are right; elsewhere the next mount counts anew.
 */
#include <stdio.h>

#include "disk/sb.h"
#include "repair.h"

static void at_file(struct walker *w, const struct geometry *geo, enum quota_type type, xino_t file)
{
	w->place = place_of(OBJ_QUOTA_USER + type);
	if (file.v == NULL_INO)
		return;
	w->place.ino = file;
	w->place.agno = agno_of_ino(geo, file);
}

/* What the superblock names; 0 or NULL_INO: nothing. */
static xino_t rooted(const struct geometry *geo, enum quota_type type)
{
	const xino_t inos[QUOTA_TYPES] = { geo->uquotino, geo->gquotino, geo->pquotino };

	return geo->metadir ? (xino_t){ NULL_INO } : inos[type];
}

/* Every type that has been counted, or that the superblock names a file for, has one. */
static void check_files(const struct quota *quota, struct walker *w)
{
	const struct geometry *geo = quota->geo;

	for (unsigned type = 0; type < QUOTA_TYPES; type++) {
		const xino_t *file = quota->lanes[0].file[type];
		xino_t named = rooted(geo, type);
		bool expected = (named.v && named.v != NULL_INO) || quota_counted(geo) >> type & 1;

		at_file(w, geo, type, file[0]);
		if (expected && file[0].v == NULL_INO)
			walk_problem(w, F_QUOTA_FILE_MISSING, NO_INDEX, named.v == NULL_INO ? 0 : named.v, 0);
		if (file[1].v != NULL_INO)
			walk_problem(w, F_QUOTA_FILE_TWICE, NO_INDEX, file[1].v, file[0].v);
	}
}

/* In the metadata tree the kernel finds the files by their names. */
static void check_names(const struct quota *quota, struct walker *w)
{
	for (unsigned i = 0; i < quota->nlanes; i++) {
		for (size_t n = 0; n < quota->lanes[i].nnames; n++) {
			const struct quota_name *name = &quota->lanes[i].names[n];
			xino_t file = quota->lanes[0].file[name->type][0];

			if (name->directory.v != quota->lanes[0].directory.v || name->target.v == file.v)
				continue;
			at_file(w, quota->geo, name->type, name->target);
			walk_problem(w, F_QUOTA_FILE_NAME, NO_INDEX, name->target.v, file.v == NULL_INO ? 0 : file.v);
		}
	}
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
		return; /* which has been said */
	at_file(w, quota->geo, type, sum->file[type][0]);
	for (size_t i = 0; i < ids->room; i++)
		if (ids->slots[i].taken)
			check_tally(quota, w, type, &ids->slots[i]);
}

/* Why counts are not compared though there are quotas, or NULL. */
static const char *why_not(const struct repair *rc)
{
	const struct geometry *geo = &rc->geo;

	if (!quota_counted(geo))
		return geo->qflags ? "the superblock says that the next mount counts it anew" : NULL;
	if (rc->options->no_quota)
		return "-o noquota was given";
	if (rc->log.condition != LOG_CLEAN)
		return "what is in the log changes it";
	if (rc->traverse->incomplete)
		return "not everything could be gone into";
	return NULL;
}

unsigned quota_compared(const struct repair *rc)
{
	return rc->options->no_quota || rc->log.condition != LOG_CLEAN ? 0 : quota_counted(&rc->geo);
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
		snprintf(note, sizeof(note), "The usage of quotas is not compared: %s.", reason);
		report_note(rc->report, note);
	}
	if (rc->traverse->incomplete)
		return 0;
	check_files(quota, w);
	if (rc->geo.metadir)
		check_names(quota, w);
	for (unsigned type = 0; type < QUOTA_TYPES && !reason; type++)
		if (quota->compared >> type & 1)
			check_counts(quota, w, type);
	return 0;
}
