/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for programs: one JSON object a line, each with a "type", in the order run, then geometry, phase, note,
 * log, crash, trouble, finding, more, fix, mended, reattached, lost, changed, gained, left, stats as they come, and
 * summary last.  A reader that does not know a type or a key skips it; a change that breaks readers raises FORMAT.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>

#include "finding_text.h"
#include "json_out.h"
#include "report_json.h"

#define FORMAT 1

void report_json_run(struct report_json *json, int argc, char **argv)
{
	json_t *arguments, *run;

	if (!json)
		return;
	run = json_out_line(json, "run");
	json_out_set(json, run, "format", json_integer(FORMAT));
	json_out_set(json, run, "tool", json_string("xfsck"));
	json_out_set(json, run, "version", json_string(XFSCK_VERSION));
	arguments = json_array();
	for (int i = 0; i < argc; i++) {
		if (json_array_append_new(arguments, json_out_string(argv[i])))
			json->error = -ENOMEM;
	}
	json_out_set(json, run, "arguments", arguments);
	json_out_put(json, run);
}

static json_t *uuid_string(const uint8_t uuid[16])
{
	char text[UUID_STR_LEN];

	uuid_unparse_lower(uuid, text);
	return json_string(text);
}

static json_t *features(struct report_json *json, const struct geometry *geo)
{
	const struct {
		const char *name;
		bool on;
	} all[] = {
		{ "crc", geo->crc },
		{ "ftype", geo->ftype },
		{ "finobt", geo->finobt },
		{ "inobtcnt", geo->inobtcnt },
		{ "rmapbt", geo->rmapbt },
		{ "reflink", geo->reflink },
		{ "sparse", geo->sparse },
		{ "bigtime", geo->bigtime },
		{ "nrext64", geo->nrext64 },
		{ "exchange", geo->exchange },
		{ "parent", geo->parent },
		{ "metadir", geo->metadir },
		{ "zoned", geo->zoned },
		{ "ascii_ci", geo->ascii_ci },
		{ "lazysbcount", geo->lazysbcount },
		{ "needsrepair", geo->needsrepair },
		{ "quota", geo->quota },
	};
	json_t *names = json_array();

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].on && json_array_append_new(names, json_string(all[i].name)))
			json->error = -ENOMEM;
	}
	return names;
}

void report_json_geometry(struct report_json *json, const struct geometry *geo)
{
	json_t *g;

	if (!json)
		return;
	g = json_out_line(json, "geometry");
	json_out_set(json, g, "version", json_integer(geo->version));
	json_out_set(json, g, "uuid", uuid_string(geo->uuid));
	json_out_set(json, g, "label", json_out_bytes(geo->label, strnlen(geo->label, sizeof(geo->label))));
	json_out_set(json, g, "block_size", json_out_number(geo->block_size));
	json_out_set(json, g, "sector_size", json_out_number(geo->sector_size));
	json_out_set(json, g, "inode_size", json_out_number(geo->inode_size));
	json_out_set(json, g, "directory_block_size", json_out_number(geo->dir_block_size));
	json_out_set(json, g, "blocks", json_out_number(geo->dblocks));
	json_out_set(json, g, "ag_blocks", json_out_number(geo->agblocks));
	json_out_set(json, g, "ag_count", json_out_number(geo->agcount));
	json_out_set(json, g, "realtime_blocks", json_out_number(geo->rblocks));
	json_out_set(json, g, "log_blocks", json_out_number(geo->logblocks));
	json_out_set(json, g, "log_internal", json_boolean(geo->logstart.v != 0));
	json_out_set(json, g, "features", features(json, geo));
	json_out_put(json, g);
}

void report_json_phase(struct report_json *json, unsigned number_of_phase, const char *title,
		       const struct phase_cost *cost)
{
	json_t *phase;

	if (!json)
		return;
	phase = json_out_line(json, "phase");
	json_out_set(json, phase, "number", json_integer(number_of_phase));
	json_out_set(json, phase, "title", json_out_string(title));
	json_out_set(json, phase, "seconds", json_real(cost->seconds));
	json_out_set(json, phase, "bytes_read", json_out_number(cost->read));
	json_out_set(json, phase, "bytes_kept", json_out_number(cost->kept));
	json_out_put(json, phase);
}

void report_json_sentence(struct report_json *json, const char *type, const char *sentence)
{
	json_t *object;

	if (!json)
		return;
	object = json_out_line(json, type);
	json_out_set(json, object, "message", json_out_string(sentence));
	json_out_put(json, object);
}

/* Set `key` to the path of an inode, and `key_kind` to the kind of path; NULL_INO: set neither. */
static void set_path(struct report_json *json, json_t *object, const char *key, const char *key_kind, xino_t ino,
		     struct paths *paths)
{
	struct path path;

	if (ino.v == NULL_INO) {
		json_out_set(json, object, key, json_null());
		return;
	}
	paths_find(paths, ino, &path);
	json_out_set(json, object, key, path.len ? json_out_bytes((const char *)path.bytes, path.len) : json_null());
	json_out_set(json, object, key_kind, json_string(path_kind_name(path.kind)));
}

static json_t *place_object(struct report_json *json, const struct place *p, struct paths *paths)
{
	json_t *place = json_object();

	json_out_set(json, place, "object", json_string(object_name(p->object)));
	json_out_set(json, place, "agno", json_out_number_unless(p->agno.v, NO_AGNO));
	json_out_set(json, place, "agbno", json_out_number_unless(p->agbno.v, NULL_AGBNO));
	json_out_set(json, place, "rgno", json_out_number_unless(p->rgno, NO_RGNO));
	json_out_set(json, place, "rgbno", json_out_number_unless(p->rgbno.v, NO_RGBNO));
	json_out_set(json, place, "ino", json_out_number_unless(p->ino.v, NULL_INO));
	set_path(json, place, "path", "path_kind", finding_text_place_inode(p), paths);
	json_out_set(json, place, "fileoff", json_out_number_unless(p->fileoff.v, NO_FILEOFF));
	json_out_set(json, place, "name",
		     p->name.len ? json_out_bytes((const char *)p->name.bytes, p->name.len) : json_null());
	return place;
}

static json_t *message_string(const struct problem *problem, struct paths *paths)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *message = NULL;

	if (!out)
		return NULL;
	finding_text_message(out, problem, paths);
	if (!fclose(out))
		message = json_string(text);
	free(text);
	return message;
}

/* Add a finding to a line, and write it. */
static void put_finding(struct report_json *json, json_t *finding, const struct found *found, struct paths *paths)
{
	const struct problem *p = &found->problem;

	json_out_set(json, finding, "id", json_string(finding_id(p->finding)));
	json_out_set(json, finding, "severity", json_string(severity_name(finding_severity(p->finding))));
	json_out_set(json, finding, "class", json_string(class_name(finding_class(p->finding))));
	json_out_set(json, finding, "place", place_object(json, &found->place, paths));
	json_out_set(json, finding, "offset", json_out_number(p->offset));
	json_out_set(json, finding, "index", json_out_number_unless(p->index, NO_INDEX));
	json_out_set(json, finding, "got", json_out_number(p->got));
	json_out_set(json, finding, "want", json_out_number(p->want));
	set_path(json, finding, "got_path", "got_path_kind", finding_text_got_inode(p), paths);
	set_path(json, finding, "want_path", "want_path_kind", finding_text_want_inode(p), paths);
	json_out_set(json, finding, "message", message_string(p, paths));
	json_out_put(json, finding);
}

void report_json_finding(struct report_json *json, const struct found *found, struct paths *paths)
{
	if (json)
		put_finding(json, json_out_line(json, "finding"), found, paths);
}

void report_json_left(struct report_json *json, const struct found *found, struct paths *paths)
{
	if (json)
		put_finding(json, json_out_line(json, "left"), found, paths);
}

void report_json_fix(struct report_json *json, const char *text, enum sure sure, const struct found *found,
		     struct paths *paths)
{
	json_t *fix;

	if (!json)
		return;
	fix = json_out_line(json, "fix");
	json_out_set(json, fix, "id", json_string(finding_id(found->problem.finding)));
	json_out_set(json, fix, "place", place_object(json, &found->place, paths));
	json_out_set(json, fix, "message", json_string(text));
	json_out_set(json, fix, "sure", json_string(sure_name(sure)));
	json_out_put(json, fix);
}

/* How many fixes there are of each degree of certainty. */
static json_t *sure_object(struct report_json *json, const struct fixes *fixes)
{
	json_t *object = json_object();

	for (enum sure sure = 0; sure < SURE_NR; sure++)
		json_out_set(json, object, sure_name(sure), json_out_number(fixes->count[sure]));
	return object;
}

void report_json_reattached(struct report_json *json, const struct reattachments *list, struct paths *before,
			    struct paths *after)
{
	for (size_t i = 0; i < list->count && json; i++) {
		const struct reattached *one = &list->all[i];
		json_t *row = json_out_line(json, "reattached");
		struct path was;

		paths_find(before, one->ino, &was);
		json_out_set(json, row, "ino", json_out_number(one->ino.v));
		set_path(json, row, "old_path", "old_path_kind", one->ino, before);
		set_path(json, row, "new_path", "new_path_kind", one->ino, after);
		json_out_set(json, row, "why", json_string(reattached_why(one, &was)));
		json_out_put(json, row);
	}
}

void report_json_mended(struct report_json *json, const struct fixes *fixes, uint64_t left)
{
	json_t *mended;

	if (!json)
		return;
	mended = json_out_line(json, "mended");
	json_out_set(json, mended, "fixes", json_out_number(fixes_all(fixes)));
	json_out_set(json, mended, "sure", sure_object(json, fixes));
	json_out_set(json, mended, "left", json_out_number(left));
	json_out_put(json, mended);
}

void report_json_excess(struct report_json *json, enum finding finding, uint64_t count)
{
	json_t *more;

	if (!json)
		return;
	more = json_out_line(json, "more");
	json_out_set(json, more, "id", json_string(finding_id(finding)));
	json_out_set(json, more, "count", json_out_number(count));
	json_out_put(json, more);
}

static const char *fate_name(enum log_fate fate)
{
	static const char *const names[] = {
		[LOG_TOLD_REPLAYED] = "replayed",
		[LOG_TOLD_REPLAYED_UPTO] = "replayed_upto",
		[LOG_TOLD_IGNORED] = "ignored",
		[LOG_TOLD_DISCARDED] = "discarded",
	};

	return names[fate];
}

void report_json_log(struct report_json *json, const struct log_told *told)
{
	json_t *log;

	if (!json)
		return;
	log = json_out_line(json, "log");
	json_out_set(json, log, "fate", json_string(fate_name(told->fate)));
	json_out_set(json, log, "transactions", json_out_number(told->transactions));
	json_out_set(json, log, "items", json_out_number(told->items));
	if (told->fate == LOG_TOLD_REPLAYED || told->fate == LOG_TOLD_REPLAYED_UPTO) {
		json_out_set(json, log, "bytes", json_out_number(told->bytes));
		json_out_set_values(json, log, "kinds", told->kinds, LOG_KINDS);
	} else {
		json_out_set(json, log, "inodes", json_out_number(told->inodes));
	}
	json_out_put(json, log);
}

void report_json_crash(struct report_json *json, const struct crash_told *told)
{
	json_t *crash;

	if (!json)
		return;
	crash = json_out_line(json, "crash");
	json_out_set(json, crash, "fate", json_string(told->finished ? "finished" : "waits"));
	json_out_set_values(json, crash, "kinds", told->kinds, CRASH_KINDS);
	json_out_put(json, crash);
}

void report_json_stats(struct report_json *json, const struct stat_line *lines, size_t count)
{
	json_t *stats;

	if (!json)
		return;
	stats = json_out_line(json, "stats");
	json_out_set_values(json, stats, "values", lines, count);
	json_out_put(json, stats);
}

static json_t *totals_object(struct report_json *json, const struct totals *t)
{
	json_t *totals = json_object();

	json_out_set(json, totals, "inodes", json_out_number(t->inodes));
	json_out_set(json, totals, "free_inodes", json_out_number(t->free_inodes));
	json_out_set(json, totals, "directories", json_out_number(t->directories));
	json_out_set(json, totals, "entries", json_out_number(t->entries));
	json_out_set(json, totals, "extents", json_out_number(t->extents));
	json_out_set(json, totals, "attributes", json_out_number(t->attributes));
	json_out_set(json, totals, "metadata_blocks", json_out_number(t->metadata_blocks));
	json_out_set(json, totals, "metadata_bytes", json_out_number(t->metadata_bytes));
	return totals;
}

void report_json_summary(struct report_json *json, const struct outcome *o)
{
	json_t *summary, *severities;
	uint64_t all = 0;

	if (!json)
		return;
	summary = json_out_line(json, "summary");
	json_out_set(json, summary, "totals", totals_object(json, o->totals));
	severities = json_object();
	for (unsigned i = 0; i < SEVERITY_NR; i++) {
		json_out_set(json, severities, severity_name(i), json_out_number(o->found[i]));
		all += o->found[i];
	}
	json_out_set(json, summary, "findings", json_out_number(all));
	json_out_set(json, summary, "severities", severities);
	json_out_set(json, summary, "fixes", json_out_number(fixes_all(&o->fixes)));
	json_out_set(json, summary, "sure", sure_object(json, &o->fixes));
	json_out_set(json, summary, "losses", report_json_loss_totals(json, &o->losses));
	json_out_set(json, summary, "complete", json_boolean(o->complete));
	json_out_set(json, summary, "clean", json_boolean(outcome_clean(o)));
	json_out_set(json, summary, "log",
		     o->log_dirty  ? json_string("dirty")
		     : o->log_fate ? json_string(fate_name(o->log_fate))
		     : o->complete ? json_string("clean")
				   : json_null());
	json_out_set(json, summary, "bytes_written", json_out_number(o->written));
	json_out_set(json, summary, "repaired", json_boolean(o->repaired));
	json_out_set(json, summary, "unproven", json_boolean(o->unproven));
	json_out_set(json, summary, "undo", o->undo ? json_out_string(o->undo) : json_null());
	json_out_set(json, summary, "consent", json_boolean(o->consent));
	json_out_set(json, summary, "exit_status", json_integer(o->exit_status));
	json_out_put(json, summary);
}
