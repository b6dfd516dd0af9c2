/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as JSON lines: an object per line, each with a "type", in the order run, then device, geometry, phase,
 * note, log, crash, trouble, finding, more, fix, mended, reattached, lost, changed, gained, left, stats and answers to
 * queries (frag, free_space ...) as they come, and summary or rollback last. Readers skip unknown types and keys; an
 * incompatible change raises FORMAT. doc/report.schema.json describes each type.
 */
#include <stdio.h>
#include <stdlib.h>

#include "entries.h"
#include "finding_text.h"
#include "json_out.h"
#include "mender.h"
#include "report_json.h"

void report_json_sentence(struct report_json *json, const char *type, const char *sentence)
{
	json_t *object;

	if (!json)
		return;
	object = json_out_line(json, type);
	json_out_set(json, object, "message", json_out_string(sentence));
	json_out_put(json, object);
}

/* Sets `key` to the path of an inode, and `key_kind` to the kind of path. NULL_INO: sets `key` to null. */
void report_json_path(struct report_json *json, json_t *object, const char *key, const char *key_kind, xino_t ino,
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
	if (path.shortened) {
		char shortened[40];

		snprintf(shortened, sizeof(shortened), "%s_shortened", key);
		json_out_set(json, object, shortened, json_true());
	}
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
	report_json_path(json, place, "path", "path_kind", finding_text_place_inode(p), paths);
	json_out_set(json, place, "fileoff", json_out_number_unless(p->fileoff.v, NO_FILEOFF));
	json_out_set(json, place, "name",
		     p->name.len ? json_out_bytes((const char *)p->name.bytes, p->name.len) : json_null());
	return place;
}

/* Returns the place of a finding in words, or its message; NULL: out of memory. */
static json_t *words_of(const struct found *found, struct paths *paths, bool place)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *words = NULL;

	if (!out)
		return NULL;
	if (place)
		finding_text_place(out, found, paths);
	else
		finding_text_message(out, &found->problem, paths);
	if (!fclose(out))
		words = json_string(text);
	free(text);
	return words;
}

/* Adds a finding to a line, and writes the line. */
static void put_finding(struct report_json *json, json_t *finding, const struct found *found, struct paths *paths)
{
	const struct problem *p = &found->problem;

	json_out_set(json, finding, "id", json_string(finding_id(p->finding)));
	json_out_set(json, finding, "severity", json_string(severity_name(finding_severity(p->finding))));
	json_out_set(json, finding, "class", json_string(class_name(finding_class(p->finding))));
	json_out_set(json, finding, "place", place_object(json, &found->place, paths));
	json_out_set(json, finding, "offset", json_out_number(p->offset));
	json_out_set(json, finding, "index", json_out_number_unless(p->index, NO_INDEX));
	json_out_set(json, finding, "got", finding_text_has_got(p) ? json_out_number(p->got) : json_null());
	json_out_set(json, finding, "want", finding_text_has_want(p) ? json_out_number(p->want) : json_null());
	report_json_path(json, finding, "got_path", "got_path_kind", finding_text_got_inode(p), paths);
	report_json_path(json, finding, "want_path", "want_path_kind", finding_text_want_inode(p), paths);
	json_out_set(json, finding, "where", words_of(found, paths, true));
	json_out_set(json, finding, "message", words_of(found, paths, false));
	json_out_put(json, finding);
}

static json_t *cause_value(const struct report_json *json, const struct cause *cause)
{
	if (cause->cause == NO_ENTRY)
		return json_null();
	return cause->cause == OF_SEVERAL ? json_string("several") : json_out_number(json->numbered + cause->cause + 1);
}

void report_json_findings(struct report_json *json, const struct entries *entries, struct paths *paths)
{
	const size_t count = entries->nfound;
	struct cause *causes = json && count ? calloc(count, sizeof(*causes)) : NULL;

	if (!json || !count)
		return;
	if (!causes) {
		json_out_starve(json);
		return;
	}
	causes_find(entries, causes);
	for (size_t i = 0; i < count; i++) {
		json_t *finding = json_out_line(json, "finding");

		json_out_set(json, finding, "number", json_out_number(json->numbered + i + 1));
		json_out_set(json, finding, "entry", json_out_number(json->numbered + causes[i].first + 1));
		json_out_set(json, finding, "cause", cause_value(json, &causes[i]));
		put_finding(json, finding, entries->found[i], paths);
	}
	json->numbered += count;
	free(causes);
}

void report_json_left(struct report_json *json, const struct found *found, struct paths *paths)
{
	if (json)
		put_finding(json, json_out_line(json, "left"), found, paths);
}

json_t *report_json_fix_line(struct report_json *json, const struct fix *fix, const struct found *found,
			     struct paths *paths)
{
	json_t *line = json_out_line(json, "fix");

	json_out_set(json, line, "id", json_string(finding_id(found->problem.finding)));
	json_out_set(json, line, "mender", json_string(mender_name(fix->mender)));
	json_out_set(json, line, "place", place_object(json, &found->place, paths));
	json_out_set(json, line, "message", json_string(fix->text));
	json_out_set(json, line, "sure", json_string(sure_name(fix->sure)));
	return line;
}

void report_json_fix(struct report_json *json, const struct fix *fix, const struct found *found, struct paths *paths)
{
	if (json)
		json_out_put(json, report_json_fix_line(json, fix, found, paths));
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
		report_json_path(json, row, "old_path", "old_path_kind", one->ino, before);
		report_json_path(json, row, "new_path", "new_path_kind", one->ino, after);
		json_out_set(json, row, "why", json_string(reattached_why(one, &was)));
		json_out_put(json, row);
	}
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
