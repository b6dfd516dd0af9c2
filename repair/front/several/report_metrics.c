/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --report=openmetrics: for monitors, as read by node_exporter's textfile collector. All values of one metric must be
 * adjacent, so they are written when all images are done.
 */
#include <inttypes.h>

#include "escape.h"
#include "image_reports.h"

/* Writes the beginning of a line: the metric, and the labels of the image. */
static void put_labels(FILE *out, const char *name, const struct image_row *row)
{
	fprintf(out, "%s{", name);
	if (row->host[0]) {
		fputs("host=\"", out);
		escape_name(out, row->host, ESCAPE_YAML);
		fputs("\",", out);
	}
	fputs("device=\"", out);
	escape_name(out, row->device, ESCAPE_YAML);
	fprintf(out, "\",uuid=\"%s\"", row->uuid);
}

static void put_number(FILE *out, const char *name, const struct image_row *row, uint64_t value)
{
	put_labels(out, name, row);
	fprintf(out, "} %" PRIu64 "\n", value);
}

static void put_family(FILE *out, const char *name, const char *help)
{
	fprintf(out, "# TYPE %s gauge\n# HELP %s %s\n", name, name, help);
}

static void put_clean(FILE *out, const struct image_row *row)
{
	put_number(out, "xfsck_clean", row, row->verdict == VERDICT_CLEAN);
}

static void put_checked(FILE *out, const struct image_row *row)
{
	put_number(out, "xfsck_checked", row, row->verdict != VERDICT_UNCHECKED);
}

static void put_findings(FILE *out, const struct image_row *row)
{
	for (enum severity severity = 0; severity <= SEV_NOTE; severity++) {
		put_labels(out, "xfsck_findings", row);
		fprintf(out, ",severity=\"%s\"} %" PRIu64 "\n", severity_name(severity), row->severities[severity]);
	}
}

static void put_start(FILE *out, const struct image_row *row)
{
	time_t start;

	if (run_clock_read(row->start, &start))
		put_number(out, "xfsck_start_timestamp_seconds", row, (uint64_t)start);
}

static void put_duration(FILE *out, const struct image_row *row)
{
	put_labels(out, "xfsck_duration_seconds", row);
	fprintf(out, "} %.3f\n", row->seconds);
}

static void put_bytes(FILE *out, const struct image_row *row)
{
	put_number(out, "xfsck_device_bytes", row, row->device_bytes);
}

static const struct {
	const char *name, *help;
	void (*put)(FILE *out, const struct image_row *row);
} families[] = {
	{ "xfsck_clean", "1 if nothing harmful was found.", put_clean },
	{ "xfsck_checked", "0 if the check could not be run to its end.", put_checked },
	{ "xfsck_findings", "Findings of the last check.", put_findings },
	{ "xfsck_start_timestamp_seconds", "When the last check began.", put_start },
	{ "xfsck_duration_seconds", "How long the last check took.", put_duration },
	{ "xfsck_device_bytes", "Size of the device.", put_bytes },
};

static void put_all(FILE *out, const struct image_row *rows, unsigned count)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		put_family(out, families[i].name, families[i].help);
		for (unsigned image = 0; image < count; image++)
			families[i].put(out, &rows[image]);
	}
	fputs("# EOF\n", out);
}

const struct image_form report_metrics = { .end = put_all, .replaces = true };
