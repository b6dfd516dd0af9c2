/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --status: a line for each audited file system, oldest audit first. */
#define _GNU_SOURCE 1

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "audit.h"
#include "history.h"
#include "report/json_in.h"
#include "report/quote.h"
#include "report/words.h"

struct audited {
	struct history report;
	const json_t *line; /* of type "audit" */
};

struct status {
	struct audited *all;
	unsigned count, clean;
};

static int is_report(const struct dirent *entry)
{
	const char *end = strrchr(entry->d_name, '.');

	return end && !strcmp(end, ".json");
}

static int by_age(const void *a, const void *b)
{
	return strcmp(((const struct audited *)a)->report.start, ((const struct audited *)b)->report.start);
}

/* Adds a report; skips a file that is not a report, with a message. */
static void take_report(struct status *s, const char *path, const struct options *o, FILE *err)
{
	struct audited *a = &s->all[s->count];
	int ret = history_read(&a->report, path);

	a->line = json_array_get(a->report.lines, json_array_size(a->report.lines) - 1);
	if (!ret && !json_in_is(a->line, "type", "audit"))
		ret = -EBADMSG;
	if (ret) {
		history_free(&a->report);
		quote_said(err, o->program, "%s: %s", path,
			   ret == -EBADMSG ? "this is no report of an audit" : strerror(-ret));
		return;
	}
	s->clean += json_in_is(a->line, "verdict", "clean");
	s->count++;
}

static int read_all(struct status *s, const struct options *o, FILE *err)
{
	struct dirent **names = NULL;
	char path[HISTORY_PATH];
	const int count = scandir(o->audits, &names, is_report, NULL);
	int ret = 0;

	if (count < 0)
		return errno == ENOENT ? 0 : -errno;
	s->all = calloc((size_t)count + 1, sizeof(*s->all));
	if (!s->all)
		ret = -ENOMEM;
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", o->audits, names[i]->d_name);
		if (!ret)
			take_report(s, path, o, err);
		free(names[i]);
	}
	free(names);
	if (s->count)
		qsort(s->all, s->count, sizeof(*s->all), by_age);
	return ret;
}

/* Adds "3 days" for a time from run_clock_text(). */
static void add_age(struct words *w, const char *start)
{
	time_t age;

	if (!run_clock_read(start, &age))
		return;
	age = time(NULL) - age;
	words_add_age(w, age < 0 ? 0 : (uint64_t)age);
}

static void print_one(FILE *out, const struct audited *a)
{
	const uint64_t findings = json_object_size(a->report.findings);
	struct words w = { 0 };

	if (json_is_null(json_object_get(a->line, "mount"))) {
		quote_sentence(out, json_in_text(a->line, "device"));
	} else {
		quote_sentence(out, json_in_text(a->line, "mount"));
		fputs(" (", out);
		quote_sentence(out, json_in_text(a->line, "device"));
		fputc(')', out);
	}
	if (json_in_is(a->line, "verdict", "clean"))
		words_add(&w, "clean");
	else
		words_add_count(&w, findings, "finding", "findings");
	words_add(&w, ", audited ");
	add_age(&w, a->report.start);
	fprintf(out, ": %s ago\n", w.text);
}

static void print_all(FILE *out, const struct status *s, const struct options *o)
{
	struct words w = { 0 };

	for (unsigned i = 0; i < s->count; i++)
		if (!o->exceptions || !json_in_is(s->all[i].line, "verdict", "clean"))
			print_one(out, &s->all[i]);
	if (o->exceptions && s->count && s->clean == s->count) {
		words_add(&w, s->count == 1 ? "The file system was clean at its last audit, " : "All ");
		if (s->count > 1) {
			words_add_number(&w, s->count);
			words_add(&w, " file systems were clean at their last audit, the oldest ");
		}
		add_age(&w, s->all[0].report.start);
		fprintf(out, "%s ago.\n", w.text);
	}
	if (!s->count)
		fputs("No file system was audited yet.\n", out);
}

bool audit_status(const struct options *options, FILE *out, FILE *err, int *ret_error)
{
	struct status s = { 0 };
	bool clean;

	*ret_error = read_all(&s, options, err);
	if (*ret_error)
		quote_said(err, options->program, "%s: %s", options->audits, strerror(-*ret_error));
	else if (options->json)
		for (unsigned i = 0; i < s.count; i++) {
			json_dumpf(s.all[i].line, out, JSON_COMPACT | JSON_ENSURE_ASCII);
			fputc('\n', out);
		}
	else
		print_all(out, &s, options);
	clean = s.clean == s.count;
	for (unsigned i = 0; i < s.count; i++)
		history_free(&s.all[i].report);
	free(s.all);
	return clean;
}
