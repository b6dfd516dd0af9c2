/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE 1

#include "image_outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/quote.h"
#include "report/report_file.h"
#include "report/report_json.h"

static const struct image_form *const forms[] = {
	[REPORT_JUNIT] = &report_junit,
	[REPORT_TAP] = &report_tap,
	[REPORT_METRICS] = &report_metrics,
};

/* Opens the file of the report, or its directory if it is replaced at the end: the user learns of mistakes early. */
static int open_report(struct image_outputs *s)
{
	const struct options *o = s->options;
	const char *why;
	int error;

	if (!s->form->replaces)
		return report_file_open(o, o->report_file, "the report", s->err, &s->report);
	s->report = NULL;
	error = replacement_begin(o->report_file, &s->place, &why);
	if (error)
		quote_said(s->err, o->program, "cannot write the report to %s: %s", o->report_file, why);
	return error;
}

int image_outputs_open(const struct options *o, FILE *out, FILE *err, unsigned images, struct image_outputs *ret)
{
	struct image_outputs *s = ret;
	int error = 0;

	*s = (struct image_outputs){ .options = o, .out = out, .err = err };
	s->text = !(o->json && !strcmp(o->json, "-")) && !(o->report && !o->report_file);
	s->headed = s->text && (o->devices || o->merge) && !o->quiet;
	if (o->json)
		error = report_json_open(o, out, err, &s->json);
	if (!error && o->merge && o->html)
		error = report_file_open(o, o->html, "the page", err, &s->page);
	if (!error && o->report) {
		s->form = forms[o->report];
		s->report = out;
		if (o->report_file)
			error = open_report(s);
	}
	if (error) {
		report_json_close(s->json);
		if (s->page)
			fclose(s->page);
		return error;
	}
	if (s->report && s->form->begin)
		s->form->begin(s->report, images);
	return 0;
}

void image_outputs_add(struct image_outputs *s, const struct image_result *result)
{
	struct image_row *rows = reallocarray(s->rows, s->count + 1, sizeof(*rows));

	if (s->report && s->form->image)
		s->form->image(s->report, result, s->count);
	if (result->exit_status > s->highest)
		s->highest = result->exit_status;
	s->starved |= !rows;
	if (!rows)
		return;
	s->rows = rows;
	rows[s->count++] = image_row(result);
}

/* Closes a stream. 0, or a negative errno if not all of it could be written. */
static int close_stream(FILE *file, bool owned)
{
	int error = 0;

	errno = 0;
	if (fflush(file) || ferror(file))
		error = errno ? -errno : -EIO;
	if (owned && fclose(file) && !error)
		error = -errno;
	return error;
}

/* Writes the report in place of the old file of its name. 0 or negative errno. */
static int replace_report(struct image_outputs *s)
{
	const int fd = replacement_new(&s->place);
	FILE *out = fd < 0 ? NULL : fdopen(dup(fd), "w");
	int error = fd < 0 ? fd : out ? 0 : -ENOMEM;

	if (out) {
		fchmod(fd, 0644); /* other users read it */
		s->form->end(out, s->rows, s->count);
		error = close_stream(out, true);
	}
	if (fd >= 0 && error)
		replacement_drop(&s->place, fd);
	else if (fd >= 0)
		error = replacement_settle(&s->place, fd);
	replacement_end(&s->place);
	return error;
}

int image_outputs_close(struct image_outputs *s, bool starved)
{
	const struct options *o = s->options;
	int error = 0, page_error = 0, json_error, text_error;

	if (s->headed) {
		if (!o->merge)
			fputc('\n', s->out);
		image_summary_text(s->out, s->rows, s->count, o->exceptions);
	}
	if (s->json && (o->devices || o->merge))
		image_summary_json(s->json, s->rows, s->count, s->highest);
	if (s->report && s->form->end)
		s->form->end(s->report, s->rows, s->count);
	if (s->form)
		error = s->report ? close_stream(s->report, o->report_file) : replace_report(s);
	if (s->page) {
		image_page(s->page, s->rows, s->count);
		page_error = close_stream(s->page, true);
	}
	json_error = report_json_close(s->json);
	text_error = s->text ? close_stream(s->out, false) : 0;
	if ((starved || s->starved) && !text_error)
		text_error = -ENOMEM;
	report_file_unwritten(s->err, o->program, "report", error ? error : text_error, NULL);
	report_file_unwritten(s->err, o->program, "page", page_error, NULL);
	report_file_unwritten(s->err, o->program, "JSON report", json_error, NULL);
	free(s->rows);
	s->rows = NULL;
	return error ? error : page_error ? page_error : json_error ? json_error : text_error;
}

void image_outputs_forget(struct image_outputs *s)
{
	if (s->report && s->options->report_file)
		fclose(s->report);
	report_json_close(s->json);
	free(s->rows);
}
