/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the JSON lines that a process wrote about its image (report/report_json.c). It may have died while writing, so
 * any line may be missing.
 */
#include "image_result.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "report/json_in.h"

/* Which findings belong to which test. */

static const struct {
	const char *name, *beginnings;
} areas[AREA_NR] = {
#define x(symbol, name, beginnings) [AREA_##symbol] = { name, beginnings },
	AREA_TABLE(x)
#undef x
};

const char *area_name(enum area area)
{
	return areas[area].name;
}

/* True if an id up to its first dot is one of the words. */
static bool has(const char *words, const char *id)
{
	const size_t length = strcspn(id, ".");

	for (size_t n; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		if (n == length && !memcmp(words, id, n))
			return true;
	}
	return false;
}

enum area area_of(enum finding finding)
{
	enum area area = 0;

	while (area < AREA_NR && !has(areas[area].beginnings, finding_id(finding)))
		area++;
	return area;
}

/* Begins another line. NULL: there are enough, or no memory. */
static FILE *next_line(struct few_lines *lines)
{
	if (lines->count++ >= LINES_MOST)
		return NULL;
	if (!lines->out)
		lines->out = open_memstream(&lines->text, &lines->size);
	return lines->out;
}

static void add_line(struct few_lines *lines, const char *text)
{
	FILE *out = next_line(lines);

	if (out)
		fprintf(out, "%s\n", text);
}

/* Returns the finding with this id; FINDING_NR: none. */
static enum finding find(const char *id)
{
	enum finding finding = 0;

	while (finding < FINDING_NR && strcmp(finding_id(finding), id) != 0)
		finding++;
	return finding;
}

static struct few_lines *lines_for(struct image_result *r, enum finding finding)
{
	const enum area area = area_of(finding);

	return severity_is_harm(finding_severity(finding)) && area < AREA_NR ? &r->areas[area] : &r->notes;
}

static void take_finding(struct image_result *r, const json_t *line)
{
	const enum finding finding = find(json_in_text(line, "id"));
	FILE *out;

	if (finding == FINDING_NR)
		return;
	r->counts.of[finding]++;
	if (finding_severity(finding) == SEV_FATAL && !r->fatal.length)
		words_add(&r->fatal, "%s: %s: %s", finding_id(finding), json_in_text(line, "where"),
			  json_in_text(line, "message"));
	out = next_line(lines_for(r, finding));
	if (out)
		fprintf(out, "%s: %s: %s\n", finding_id(finding), json_in_text(line, "where"),
			json_in_text(line, "message"));
}

/* Adds the number of findings that were not listed. */
static void take_more(struct image_result *r, const json_t *line)
{
	const enum finding finding = find(json_in_text(line, "id"));
	uint64_t count;

	if (finding == FINDING_NR || !json_in_number(line, "count", &count))
		return;
	r->counts.of[finding] += count;
	lines_for(r, finding)->count += count;
}

static void take_summary(struct image_result *r, const json_t *line)
{
	r->ended = true;
	r->complete = json_is_true(json_object_get(line, "complete"));
	r->log_dirty = json_in_is(line, "log", "dirty");
	r->repaired = json_is_true(json_object_get(line, "repaired"));
	r->seconds = json_real_value(json_object_get(line, "seconds"));
	json_in_number(line, "device_bytes", &r->device_bytes);
}

/* Lines of other hosts may hold anything: what is printed unescaped must have the right form. */

static void keep_start(struct image_result *r, const char *start)
{
	time_t when;

	if (run_clock_read(start, &when))
		run_clock_text(when, r->start);
}

static void keep_uuid(struct image_result *r, const char *uuid)
{
	if (strlen(uuid) < sizeof(r->uuid) && !uuid[strspn(uuid, "0123456789abcdef-")])
		strcpy(r->uuid, uuid);
}

void image_result_begin(struct image_result *r, const char *device)
{
	*r = (struct image_result){ .device = device };
	run_clock_text(time(NULL), r->start);
}

void image_result_take(struct image_result *r, const json_t *line)
{
	if (json_in_is(line, "type", "finding"))
		take_finding(r, line);
	else if (json_in_is(line, "type", "more"))
		take_more(r, line);
	else if (json_in_is(line, "type", "note"))
		add_line(&r->notes, json_in_text(line, "message"));
	else if (json_in_is(line, "type", "trouble"))
		add_line(&r->troubles, json_in_text(line, "message"));
	else if (json_in_is(line, "type", "summary"))
		take_summary(r, line);
	else if (json_in_is(line, "type", "run"))
		keep_start(r, json_in_text(line, "start"));
	else if (json_in_is(line, "type", "geometry"))
		keep_uuid(r, json_in_text(line, "uuid"));
}

void image_result_trouble(struct image_result *r, const char *sentence)
{
	r->complete = false;
	add_line(&r->troubles, sentence);
}

static void settle_lines(struct few_lines *lines)
{
	if (lines->out)
		fclose(lines->out);
	lines->out = NULL;
}

void image_result_settle(struct image_result *r)
{
	for (enum area area = 0; area < AREA_NR; area++)
		settle_lines(&r->areas[area]);
	settle_lines(&r->notes);
	settle_lines(&r->troubles);
}

void image_result_free(struct image_result *r)
{
	image_result_settle(r);
	for (enum area area = 0; area < AREA_NR; area++)
		free(r->areas[area].text);
	free(r->notes.text);
	free(r->troubles.text);
}

enum verdict image_result_verdict(const struct image_result *r)
{
	if (!r->ended || !r->complete || r->fatal.length || r->log_dirty)
		return VERDICT_UNCHECKED;
	if (r->repaired)
		return VERDICT_REPAIRED;
	return r->exit_status || image_result_harm(r, AREA_NR) ? VERDICT_DAMAGED : VERDICT_CLEAN;
}

const char *image_verdict_name(enum verdict verdict)
{
	static const char *const names[VERDICT_NR] = {
		[VERDICT_CLEAN] = "clean",
		[VERDICT_REPAIRED] = "repaired",
		[VERDICT_DAMAGED] = "damaged",
		[VERDICT_UNCHECKED] = "unchecked",
	};

	return names[verdict];
}

/* True if a finding is harmful and in this area; AREA_NR: in any. */
static bool is_harm(enum finding finding, enum area area)
{
	return severity_is_harm(finding_severity(finding)) && (area == AREA_NR || area_of(finding) == area);
}

uint64_t image_result_harm(const struct image_result *r, enum area area)
{
	uint64_t harm = 0;

	for (enum finding i = 0; i < FINDING_NR; i++)
		if (r->counts.of[i] && is_harm(i, area))
			harm += r->counts.of[i];
	return harm;
}

void image_result_add_ids(const struct image_result *r, enum area area, struct words *words)
{
	const char *separator = "";

	for (enum finding i = 0; i < FINDING_NR; i++) {
		if (!r->counts.of[i] || !is_harm(i, area))
			continue;
		words_add(words, "%s%s ", separator, finding_id(i));
		words_add_number(words, r->counts.of[i]);
		separator = ", ";
	}
}

bool image_result_skipped(const struct image_result *r, enum area area)
{
	return image_result_verdict(r) == VERDICT_UNCHECKED && !image_result_harm(r, area);
}

const char *image_result_why(const struct image_result *r)
{
	switch (image_result_verdict(r)) {
	case VERDICT_UNCHECKED:
		return r->troubles.text	 ? r->troubles.text
		       : r->fatal.length ? r->fatal.text
		       : r->log_dirty	 ? "the log is dirty, and can't be replayed whole"
					 : "the check was not completed";
	case VERDICT_DAMAGED:
		return image_result_harm(r, AREA_NR) ? NULL : "something is wrong, but no finding says what";
	default:
		return NULL;
	}
}
