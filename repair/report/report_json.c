/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for programs: one JSON object a line, each with a "type", in the
 * order run, then geometry, phase, note, log, crash, trouble, finding, more, fix, mended, reattached, left, stats as
 * they come, and summary last.  A reader that does not know a type or a key skips
 * it; a change that breaks readers raises FORMAT.
 *
 * Every line goes out as a whole, so that what is there can be read although
 * we were killed.  JSON's integers are signed with jansson and exact only up to 2^53 in
 * some readers: what is beyond 2^63 - 1 is given as a decimal string.  Bytes
 * that are not UTF-8 are given twice, see report_json_string(); everything else outside of
 * ASCII is escaped.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uuid/uuid.h>

#include "finding_text.h"
#include "quote.h"
#include "report_json.h"

#define FORMAT 1

struct report_json {
	FILE *out;
	bool owned; /* close it */
	int error;  /* negative errno, the first */
};

/* ---- the file ---- */

static bool same_file(const struct stat *a, const char *path)
{
	struct stat b;

	return path && !stat(path, &b) && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* Why what is at options->json must not be overwritten; NULL: it may. */
static const char *refusal(const struct options *o)
{
	struct stat st;

	if (stat(o->json, &st))
		return NULL; /* nothing there yet, or opening it will tell */
	if (S_ISBLK(st.st_mode))
		return "it is a block device";
	if (same_file(&st, o->device) || same_file(&st, o->log_device) || same_file(&st, o->rt_device))
		return "it is what is to be checked";
	return NULL;
}

static int open_file(const struct options *o, FILE *err, FILE **ret_file)
{
	const char *why = refusal(o);
	int error = -EINVAL;
	FILE *file = NULL;

	if (!why)
		file = fopen(o->json, "we");
	if (file) {
		*ret_file = file;
		return 0;
	}
	if (!why) {
		error = -errno;
		why = strerror(errno);
	}
	fprintf(err, "%s: can't write JSON to %s: %s\n", o->program, o->json, why);
	return error;
}

int report_json_open(const struct options *options, FILE *out, FILE *err, struct report_json **ret_json)
{
	struct report_json *json = calloc(1, sizeof(*json));
	int error = 0;

	if (!json) {
		fprintf(err, "%s: out of memory\n", options->program);
		return -ENOMEM;
	}
	json->out = out;
	json->owned = strcmp(options->json, "-") != 0;
	if (json->owned)
		error = open_file(options, err, &json->out);
	if (error)
		free(json);
	else
		*ret_json = json;
	return error;
}

void report_json_flush(struct report_json *json)
{
	if (json && fflush(json->out) && !json->error)
		json->error = errno ? -errno : -EIO;
}

int report_json_close(struct report_json *json)
{
	int error;

	if (!json)
		return 0;
	report_json_flush(json);
	if (json->owned && fclose(json->out) && !json->error)
		json->error = -errno;
	error = json->error;
	free(json);
	return error;
}

/* ---- values ---- */

/* {"text": ..., "bytes": ...} of a string that is not UTF-8. */
static json_t *broken_string(const char *bytes, size_t length)
{
	static const char replacement[3] = { '\xef', '\xbf', '\xbd' }; /* U+FFFD */
	char *hex = malloc(2 * length + 1);
	char *text = malloc(3 * length);
	size_t used = 0;
	uint32_t code;
	json_t *both = NULL;

	for (size_t i = 0, n; hex && text && i < length; i += n ? n : 1) {
		n = quote_character((const uint8_t *)bytes + i, length - i, &code);
		memcpy(text + used, n ? bytes + i : replacement, n ? n : sizeof(replacement));
		used += n ? n : sizeof(replacement);
	}
	for (size_t i = 0; hex && i < length; i++)
		sprintf(hex + 2 * i, "%02x", (unsigned char)bytes[i]);
	if (hex && text)
		both = json_pack("{s:s%, s:s}", "text", text, used, "bytes", hex);
	free(hex);
	free(text);
	return both;
}

json_t *report_json_string(const char *bytes, size_t length)
{
	json_t *string = json_stringn(bytes, length);

	return string ? string : broken_string(bytes, length);
}

static json_t *string(const char *s)
{
	return report_json_string(s, strlen(s));
}

static json_t *number(uint64_t value)
{
	char decimal[24];

	if (value <= INT64_MAX)
		return json_integer((json_int_t)value);
	snprintf(decimal, sizeof(decimal), "%" PRIu64, value);
	return json_string(decimal);
}

static json_t *number_unless(uint64_t value, uint64_t none)
{
	return value == none ? json_null() : number(value);
}

/* Takes over value, NULL for lack of memory. */
static void set(struct report_json *json, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) && !json->error)
		json->error = -ENOMEM;
}

static json_t *line(struct report_json *json, const char *type)
{
	json_t *object = json_object();

	set(json, object, "type", json_string(type));
	return object;
}

static void set_values(struct report_json *json, json_t *object, const char *key, const struct stat_line *lines,
		       size_t count)
{
	json_t *values = json_object();

	for (size_t i = 0; i < count; i++)
		set(json, values, lines[i].name, number(lines[i].value));
	set(json, object, key, values);
}

/* Write the object as one line, and drop it. */
static void put(struct report_json *json, json_t *object)
{
	char *text = NULL;

	if (!json->error) {
		text = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9));
		if (!text)
			json->error = -ENOMEM;
		else if (fprintf(json->out, "%s\n", text) < 0)
			json->error = errno ? -errno : -EIO;
	}
	free(text);
	json_decref(object);
}

/* ---- lines ---- */

void report_json_run(struct report_json *json, int argc, char **argv)
{
	json_t *arguments, *run;

	if (!json)
		return;
	run = line(json, "run");
	set(json, run, "format", json_integer(FORMAT));
	set(json, run, "tool", json_string("xfsck"));
	set(json, run, "version", json_string(XFSCK_VERSION));
	arguments = json_array();
	for (int i = 0; i < argc; i++) {
		if (json_array_append_new(arguments, string(argv[i])))
			json->error = -ENOMEM;
	}
	set(json, run, "arguments", arguments);
	put(json, run);
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
	g = line(json, "geometry");
	set(json, g, "version", json_integer(geo->version));
	set(json, g, "uuid", uuid_string(geo->uuid));
	set(json, g, "label", report_json_string(geo->label, strnlen(geo->label, sizeof(geo->label))));
	set(json, g, "block_size", number(geo->block_size));
	set(json, g, "sector_size", number(geo->sector_size));
	set(json, g, "inode_size", number(geo->inode_size));
	set(json, g, "directory_block_size", number(geo->dir_block_size));
	set(json, g, "blocks", number(geo->dblocks));
	set(json, g, "ag_blocks", number(geo->agblocks));
	set(json, g, "ag_count", number(geo->agcount));
	set(json, g, "realtime_blocks", number(geo->rblocks));
	set(json, g, "log_blocks", number(geo->logblocks));
	set(json, g, "log_internal", json_boolean(geo->logstart.v != 0));
	set(json, g, "features", features(json, geo));
	put(json, g);
}

void report_json_phase(struct report_json *json, unsigned number_of_phase, const char *title,
		       const struct phase_cost *cost)
{
	json_t *phase;

	if (!json)
		return;
	phase = line(json, "phase");
	set(json, phase, "number", json_integer(number_of_phase));
	set(json, phase, "title", string(title));
	set(json, phase, "seconds", json_real(cost->seconds));
	set(json, phase, "bytes_read", number(cost->read));
	set(json, phase, "bytes_kept", number(cost->kept));
	put(json, phase);
}

void report_json_sentence(struct report_json *json, const char *type, const char *sentence)
{
	json_t *object;

	if (!json)
		return;
	object = line(json, type);
	set(json, object, "message", string(sentence));
	put(json, object);
}

/* key: the path of an inode, key_kind: what is to be made of it; NULL_INO: neither */
static void set_path(struct report_json *json, json_t *object, const char *key, const char *key_kind, xino_t ino,
		     struct paths *paths)
{
	struct path path;

	if (ino.v == NULL_INO) {
		set(json, object, key, json_null());
		return;
	}
	paths_find(paths, ino, &path);
	set(json, object, key, path.len ? report_json_string((const char *)path.bytes, path.len) : json_null());
	set(json, object, key_kind, json_string(path_kind_name(path.kind)));
}

static json_t *place_object(struct report_json *json, const struct place *p, struct paths *paths)
{
	json_t *place = json_object();

	set(json, place, "object", json_string(object_name(p->object)));
	set(json, place, "agno", number_unless(p->agno.v, NO_AGNO));
	set(json, place, "agbno", number_unless(p->agbno.v, NULL_AGBNO));
	set(json, place, "rgno", number_unless(p->rgno, NO_RGNO));
	set(json, place, "rgbno", number_unless(p->rgbno.v, NO_RGBNO));
	set(json, place, "ino", number_unless(p->ino.v, NULL_INO));
	set_path(json, place, "path", "path_kind", finding_text_place_inode(p), paths);
	set(json, place, "fileoff", number_unless(p->fileoff.v, NO_FILEOFF));
	set(json, place, "name",
	    p->name.len ? report_json_string((const char *)p->name.bytes, p->name.len) : json_null());
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

/* Takes over the line. */
static void put_finding(struct report_json *json, json_t *finding, const struct found *found, struct paths *paths)
{
	const struct problem *p = &found->problem;

	set(json, finding, "id", json_string(finding_id(p->finding)));
	set(json, finding, "severity", json_string(severity_name(finding_severity(p->finding))));
	set(json, finding, "class", json_string(class_name(finding_class(p->finding))));
	set(json, finding, "place", place_object(json, &found->place, paths));
	set(json, finding, "offset", number(p->offset));
	set(json, finding, "index", number_unless(p->index, NO_INDEX));
	set(json, finding, "got", number(p->got));
	set(json, finding, "want", number(p->want));
	set_path(json, finding, "got_path", "got_path_kind", finding_text_got_inode(p), paths);
	set_path(json, finding, "want_path", "want_path_kind", finding_text_want_inode(p), paths);
	set(json, finding, "message", message_string(p, paths));
	put(json, finding);
}

void report_json_finding(struct report_json *json, const struct found *found, struct paths *paths)
{
	if (json)
		put_finding(json, line(json, "finding"), found, paths);
}

void report_json_left(struct report_json *json, const struct found *found, struct paths *paths)
{
	if (json)
		put_finding(json, line(json, "left"), found, paths);
}

void report_json_fix(struct report_json *json, const char *text, const struct found *found, struct paths *paths)
{
	json_t *fix;

	if (!json)
		return;
	fix = line(json, "fix");
	set(json, fix, "id", json_string(finding_id(found->problem.finding)));
	set(json, fix, "place", place_object(json, &found->place, paths));
	set(json, fix, "message", json_string(text));
	put(json, fix);
}

void report_json_reattached(struct report_json *json, const struct reattachments *list, struct paths *before,
			    struct paths *after)
{
	for (size_t i = 0; i < list->count && json; i++) {
		const struct reattached *one = &list->all[i];
		json_t *row = line(json, "reattached");
		struct path was;

		paths_find(before, one->ino, &was);
		set(json, row, "ino", number(one->ino.v));
		set_path(json, row, "old_path", "old_path_kind", one->ino, before);
		set_path(json, row, "new_path", "new_path_kind", one->ino, after);
		set(json, row, "why", json_string(reattached_why(one, &was)));
		put(json, row);
	}
}

void report_json_mended(struct report_json *json, uint64_t done, uint64_t left)
{
	json_t *mended;

	if (!json)
		return;
	mended = line(json, "mended");
	set(json, mended, "fixes", number(done));
	set(json, mended, "left", number(left));
	put(json, mended);
}

void report_json_excess(struct report_json *json, enum finding finding, uint64_t count)
{
	json_t *more;

	if (!json)
		return;
	more = line(json, "more");
	set(json, more, "id", json_string(finding_id(finding)));
	set(json, more, "count", number(count));
	put(json, more);
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
	log = line(json, "log");
	set(json, log, "fate", json_string(fate_name(told->fate)));
	set(json, log, "transactions", number(told->transactions));
	set(json, log, "items", number(told->items));
	if (told->fate == LOG_TOLD_REPLAYED || told->fate == LOG_TOLD_REPLAYED_UPTO) {
		set(json, log, "bytes", number(told->bytes));
		set_values(json, log, "kinds", told->kinds, LOG_KINDS);
	} else {
		set(json, log, "inodes", number(told->inodes));
	}
	put(json, log);
}

void report_json_crash(struct report_json *json, const struct crash_told *told)
{
	json_t *crash;

	if (!json)
		return;
	crash = line(json, "crash");
	set(json, crash, "fate", json_string(told->finished ? "finished" : "waits"));
	set_values(json, crash, "kinds", told->kinds, CRASH_KINDS);
	put(json, crash);
}

void report_json_stats(struct report_json *json, const struct stat_line *lines, size_t count)
{
	json_t *stats;

	if (!json)
		return;
	stats = line(json, "stats");
	set_values(json, stats, "values", lines, count);
	put(json, stats);
}

static json_t *totals_object(struct report_json *json, const struct totals *t)
{
	json_t *totals = json_object();

	set(json, totals, "inodes", number(t->inodes));
	set(json, totals, "free_inodes", number(t->free_inodes));
	set(json, totals, "directories", number(t->directories));
	set(json, totals, "entries", number(t->entries));
	set(json, totals, "extents", number(t->extents));
	set(json, totals, "attributes", number(t->attributes));
	set(json, totals, "metadata_blocks", number(t->metadata_blocks));
	set(json, totals, "metadata_bytes", number(t->metadata_bytes));
	return totals;
}

void report_json_summary(struct report_json *json, const struct outcome *o)
{
	json_t *summary, *severities;
	uint64_t all = 0;

	if (!json)
		return;
	summary = line(json, "summary");
	set(json, summary, "totals", totals_object(json, o->totals));
	severities = json_object();
	for (unsigned i = 0; i < SEVERITY_NR; i++) {
		set(json, severities, severity_name(i), number(o->found[i]));
		all += o->found[i];
	}
	set(json, summary, "findings", number(all));
	set(json, summary, "severities", severities);
	set(json, summary, "complete", json_boolean(o->complete));
	set(json, summary, "clean", json_boolean(outcome_clean(o)));
	set(json, summary, "log",
	    o->log_dirty  ? json_string("dirty")
	    : o->log_fate ? json_string(fate_name(o->log_fate))
	    : o->complete ? json_string("clean")
			  : json_null());
	set(json, summary, "bytes_written", number(o->written));
	set(json, summary, "repaired", json_boolean(o->repaired));
	set(json, summary, "unproven", json_boolean(o->unproven));
	set(json, summary, "exit_status", json_integer(o->exit_status));
	put(json, summary);
}
