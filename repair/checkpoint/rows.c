/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a check in the middle of its sweep: a row for each part of its context that holds any. */
#include <errno.h>

#include "check/books/ledger.h"
#include "cache.h"
#include "checkpoint/state.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "report/group_map.h"
#include "run.h"
#include "sets/save.h"
#include "check/walk/quota.h"
#include "check/walk/walk_save.h"
#include "check/walk/traverse.h"

static int ledger_row_save(const struct repair *rc, struct saver *s)
{
	ledger_save(rc->ledger, s);
	return 0;
}

static int ledger_row_load(struct repair *rc, struct loader *l)
{
	ledger_load(rc->ledger, l);
	return 0;
}

static int findings_row_save(const struct repair *rc, struct saver *s)
{
	findings_save(rc->findings, s);
	return 0;
}

static int findings_row_load(struct repair *rc, struct loader *l)
{
	findings_load(rc->findings, &rc->geo, l);
	return 0;
}

static int quota_row_save(const struct repair *rc, struct saver *s)
{
	return quota_save(rc->quota, s);
}

static int quota_row_load(struct repair *rc, struct loader *l)
{
	quota_load(rc->quota, l);
	return 0;
}

static int traverse_row_save(const struct repair *rc, struct saver *s)
{
	traverse_save(rc->traverse, s);
	return 0;
}

static int traverse_row_load(struct repair *rc, struct loader *l)
{
	traverse_load(rc->traverse, l);
	return rc->traverse->error;
}

static int wanted_row_save(const struct repair *rc, struct saver *s)
{
	traverse_wanted_save(rc->traverse, s);
	return 0;
}

static int wanted_row_load(struct repair *rc, struct loader *l)
{
	traverse_wanted_load(rc->traverse, l);
	return rc->traverse->error;
}

/* The map of --html: blocks of each use in each cell. Both runs must have a map, or neither. */
static int map_row_save(const struct repair *rc, struct saver *s)
{
	const struct group_map *map = report_map(rc->report);

	save_number(s, map != NULL);
	if (map)
		group_map_save(map, s);
	return 0;
}

static int map_row_load(struct repair *rc, struct loader *l)
{
	struct group_map *map = report_map(rc->report);

	if (load_bool(l) != (map != NULL))
		return -ENOTSUP;
	if (map)
		group_map_load(map, l);
	return 0;
}

/* True if reads have failed, for the summary. */
static int unreadable_row_save(const struct repair *rc, struct saver *s)
{
	save_number(s, device_any_unreadable(rc->run->device) || report_any_unreadable(rc->report));
	return 0;
}

static int unreadable_row_load(struct repair *rc, struct loader *l)
{
	if (load_bool(l))
		report_unreadable(rc->report);
	return 0;
}

static const struct {
	const char *name;
	int (*save)(const struct repair *rc, struct saver *s);
	int (*load)(struct repair *rc, struct loader *l);
} rows[] = {
	{ "map", map_row_save, map_row_load },		{ "unreadable", unreadable_row_save, unreadable_row_load },
	{ "ledger", ledger_row_save, ledger_row_load }, { "findings", findings_row_save, findings_row_load },
	{ "quota", quota_row_save, quota_row_load },	{ "traverse", traverse_row_save, traverse_row_load },
	{ "wanted", wanted_row_save, wanted_row_load }, /* last: saving takes its items, and posts them again */
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int rows_save(const struct repair *rc, struct saver *s)
{
	int ret = 0;

	for (size_t i = 0; i < ROWS; i++) {
		const int error = rows[i].save(rc, s);

		save_number(s, i); /* shows whether a row loads too much or too little */
		ret = ret ? ret : error;
	}
	return ret;
}

int rows_load(struct repair *rc, struct loader *l)
{
	for (size_t i = 0; i < ROWS; i++) {
		const int error = rows[i].load(rc, l);

		if (error)
			return error;
		if (load_number(l) != i)
			load_refuse(l);
		if (!load_good(l))
			return l->error;
	}
	return load_end(l);
}
