/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The results of all images: as text, and as the last JSON line. */
#include <string.h>

#include "escape.h"
#include "image_reports.h"
#include "report.h"

struct image_tests image_tests(const struct image_result *r)
{
	const bool why = image_result_why(r);
	const bool error = why && image_result_verdict(r) == VERDICT_UNCHECKED;
	struct image_tests tests = { .failed = why && !error, .errors = error };

	for (enum area area = 0; area < AREA_NR; area++) {
		tests.failed += image_result_harm(r, area) > 0;
		tests.skipped += image_result_skipped(r, area);
	}
	return tests;
}

void few_lines_rest(const struct few_lines *lines, FILE *out)
{
	struct words w = { 0 };

	if (lines->count <= LINES_MOST)
		return;
	words_add_number(&w, lines->count - LINES_MOST);
	fprintf(out, "and %s more\n", w.text);
}

struct image_row image_row(const struct image_result *r)
{
	const char *why = image_result_why(r);
	struct image_row row = { .device = r->device,
				 .verdict = image_result_verdict(r),
				 .exit_status = r->exit_status,
				 .findings = image_result_harm(r, AREA_NR),
				 .device_bytes = r->device_bytes,
				 .seconds = r->seconds };

	memcpy(row.host, r->host, sizeof(row.host));
	memcpy(row.start, r->start, sizeof(row.start));
	memcpy(row.uuid, r->uuid, sizeof(row.uuid));
	for (enum finding i = 0; i < FINDING_NR; i++)
		row.severities[finding_severity(i)] += r->counts.of[i];
	if (why)
		words_add(&row.words, "%s", why);
	else
		image_result_add_ids(r, AREA_NR, &row.words);
	return row;
}

void image_heading(FILE *out, const char *device)
{
	fputs("==> ", out);
	escape_name(out, device, ESCAPE_NONE);
	fputs(" <==\n", out);
}

bool image_counts_add(const struct image_row *rows, unsigned count, struct words *w)
{
	unsigned counts[VERDICT_NR] = { 0 };

	for (unsigned i = 0; i < count; i++)
		counts[rows[i].verdict]++;
	words_add_count(w, count, "image", "images");
	for (enum verdict verdict = 0; verdict < VERDICT_NR; verdict++) {
		if (verdict == VERDICT_REPAIRED && !counts[verdict])
			continue; /* "0 repaired" is left out */
		words_add(w, verdict ? ", " : ": ");
		words_add_number(w, counts[verdict]);
		words_add(w, " %s", image_verdict_name(verdict));
	}
	return !counts[VERDICT_DAMAGED] && !counts[VERDICT_UNCHECKED];
}

static void print_row(FILE *out, const struct image_row *row)
{
	if (row->host[0]) {
		escape_name(out, row->host, ESCAPE_NONE);
		fputs(": ", out);
	}
	escape_name(out, row->device, ESCAPE_NONE);
	fprintf(out, ": %s", image_verdict_name(row->verdict));
	if (row->words.length) {
		fputs(": ", out);
		escape_line(out, row->words.text, ESCAPE_NONE);
	}
	fputc('\n', out);
}

void image_summary_text(FILE *out, const struct image_row *rows, unsigned count, bool exceptions)
{
	struct words w = { 0 };

	fputs("==> all images <==\n", out);
	for (unsigned i = 0; i < count; i++)
		if (!exceptions || rows[i].verdict == VERDICT_DAMAGED || rows[i].verdict == VERDICT_UNCHECKED)
			print_row(out, &rows[i]);
	image_counts_add(rows, count, &w);
	fprintf(out, "%s\n", w.text);
}

void image_summary_json(struct report_json *json, const struct image_row *rows, unsigned count, int exit_status)
{
	unsigned counts[VERDICT_NR] = { 0 };
	json_t *line = json_out_line(json, "images"), *images = json_array();

	for (unsigned i = 0; i < count; i++) {
		json_t *image = json_object();

		counts[rows[i].verdict]++;
		if (rows[i].host[0])
			json_out_set(json, image, "host", json_out_string(rows[i].host));
		json_out_set(json, image, "device", json_out_string(rows[i].device));
		json_out_set(json, image, "verdict", json_string(image_verdict_name(rows[i].verdict)));
		json_out_set(json, image, "findings", json_out_number(rows[i].findings));
		json_out_set(json, image, "exit_status", json_integer(rows[i].exit_status));
		json_out_append(json, images, image);
	}
	json_out_set(json, line, "images", images);
	for (enum verdict verdict = 0; verdict < VERDICT_NR; verdict++)
		json_out_set(json, line, image_verdict_name(verdict), json_out_number(counts[verdict]));
	json_out_set(json, line, "exit_status", json_integer(exit_status));
	json_out_put(json, line);
}
