/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads reports of any origin line by line, and keeps one row of each image. A line of type "run" begins an image. Of
 * several reports about the same image, the newest counts.
 */
#define _GNU_SOURCE 1

#include "several.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image_outputs.h"
#include "report/json_in.h"
#include "report/quote.h"

struct merge {
	const struct options *options;
	FILE *err;
	struct image_outputs to;
	struct image_result result;
	bool open;    /* lines of `result` are being read */
	json_t *seen; /* devices in the current report */
	char **names; /* of all devices */
	size_t count;
	int error;
};

static void end_image(struct merge *m)
{
	if (!m->open)
		return;
	m->open = false;
	image_result_settle(&m->result);
	image_outputs_add(&m->to, &m->result);
	image_result_free(&m->result);
}

static void begin_image(struct merge *m, const char *device, const char *host)
{
	char **names = reallocarray(m->names, m->count + 1, sizeof(*names));

	if (names)
		m->names = names;
	if (!names || !(names[m->count] = strdup(device)) || json_object_set_new(m->seen, device, json_true())) {
		m->error = -ENOMEM;
		return;
	}
	image_result_begin(&m->result, names[m->count++]);
	run_clock_text(0, m->result.start); /* unless its line says when */
	snprintf(m->result.host, sizeof(m->result.host), "%s", host);
	m->open = true;
}

/* The last line of a report about several images names all, also those whose process left no line. */
static void take_images(struct merge *m, const json_t *line, const char *host)
{
	const json_t *image;
	size_t i;

	end_image(m);
	json_array_foreach(json_object_get(line, "images"), i, image)
	{
		const char *device = json_in_text(image, "device");

		if (json_object_get(m->seen, device))
			continue;
		begin_image(m, device, host);
		if (m->open)
			image_result_trouble(&m->result, "its check has left no report");
		end_image(m);
	}
}

static void take_line(struct merge *m, const json_t *line, char host[static IMAGE_HOST])
{
	uint64_t status;

	if (json_in_is(line, "type", "run")) {
		end_image(m);
		snprintf(host, IMAGE_HOST, "%s", json_in_text(line, "host"));
		begin_image(m, json_in_text(line, "device"), host);
	}
	if (json_in_is(line, "type", "images"))
		take_images(m, line, host);
	/* lines after its summary are about another image, or about all */
	if (!m->open || m->result.ended)
		return;
	image_result_take(&m->result, line);
	if (json_in_is(line, "type", "summary") && json_in_number(line, "exit_status", &status))
		m->result.exit_status = status < 256 ? (int)status : 255;
}

static void read_report(struct merge *m, const char *path)
{
	struct json_in in = { .in = strcmp(path, "-") != 0 ? fopen(path, "re") : stdin };
	char host[IMAGE_HOST] = "", why[160] = "";
	json_t *line;

	if (!in.in) {
		m->error = -errno;
		quote_said(m->err, m->options->program, "cannot open %s: %s", path, strerror(errno));
		return;
	}
	m->seen = json_object();
	if (!m->seen)
		m->error = -ENOMEM;
	while (m->error != -ENOMEM && (line = json_in_next(&in))) {
		take_line(m, line, host);
		json_decref(line);
	}
	if (in.error == -EBADMSG)
		snprintf(why, sizeof(why), "line %llu is no JSON object", (unsigned long long)in.number);
	else if (in.error)
		snprintf(why, sizeof(why), "%s", strerror(-in.error));
	else if (!json_object_size(m->seen))
		snprintf(why, sizeof(why), "this is no report of xfsck --json");
	if (why[0]) {
		m->error = m->error ? m->error : in.error ? in.error : -EBADMSG;
		quote_said(m->err, m->options->program, "%s: %s", path, why);
	}
	if (m->open && why[0] && !m->result.ended)
		image_result_trouble(&m->result, why);
	end_image(m);
	json_decref(m->seen);
	json_in_free(&in);
	if (in.in != stdin)
		fclose(in.in);
}

/* Compares by host, device and UUID, the newest first. */
static int by_image(const void *a, const void *b)
{
	const struct image_row *one = a, *other = b;
	int order = strcmp(one->host, other->host);

	if (!order)
		order = strcmp(one->device, other->device);
	if (!order)
		order = strcmp(one->uuid, other->uuid);
	return order ? order : strcmp(other->start, one->start);
}

static bool same_image(const struct image_row *one, const struct image_row *other)
{
	return !strcmp(one->host, other->host) && !strcmp(one->device, other->device) &&
	       !strcmp(one->uuid, other->uuid);
}

static void drop_older(struct image_outputs *to)
{
	unsigned kept = 0;

	if (to->count)
		qsort(to->rows, to->count, sizeof(*to->rows), by_image);
	to->highest = 0;
	for (unsigned i = 0; i < to->count; i++) {
		if (kept && same_image(&to->rows[kept - 1], &to->rows[i]))
			continue;
		if (to->rows[i].exit_status > to->highest)
			to->highest = to->rows[i].exit_status;
		to->rows[kept++] = to->rows[i];
	}
	to->count = kept;
}

bool merge_reports(const struct options *o, FILE *out, FILE *err, int *ret_error)
{
	const char *const *reports = o->devices ? o->devices : &o->device;
	struct merge m = { .options = o, .err = err };
	struct words counts = { 0 };
	bool sound = false;
	int error = image_outputs_open(o, out, err, 0, &m.to);

	*ret_error = error;
	if (error)
		return false;
	for (unsigned i = 0; i < o->device_count; i++)
		read_report(&m, reports[i]);
	if (m.error == -ENOMEM)
		fprintf(err, "%s: out of memory\n", o->program);
	drop_older(&m.to);
	sound = image_counts_add(m.to.rows, m.to.count, &counts);
	error = image_outputs_close(&m.to, false);
	*ret_error = m.error ? m.error : error;
	for (size_t i = 0; i < m.count; i++)
		free(m.names[i]);
	free(m.names);
	return sound;
}
