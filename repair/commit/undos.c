/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --undos: lists the undo files of a folder, the oldest first, and how each is used. */
#define _GNU_SOURCE 1 /* asprintf */
#include "commit.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uuid/uuid.h>

#include "options.h"
#include "report.h"
#include "report/json_out.h"
#include "report/quote.h"
#include "report/report_text.h"
#include "report/words.h"
#include "undo.h"

#define SUFFIX ".undo"

struct file {
	char *path;
	struct undo_summary summary;
};

struct undos {
	struct file *files;
	size_t count;
	uint64_t bytes; /* of all of them */
};

static int is_undo(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name), suffix = strlen(SUFFIX);

	return length > suffix && !strcmp(entry->d_name + length - suffix, SUFFIX);
}

static int by_time(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	if (x->summary.time != y->summary.time)
		return x->summary.time < y->summary.time ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* Adds the file of this name.  Reports and skips an unusable file.  Returns 0 or a negative errno. */
static int add(struct undos *u, const char *name, const struct options *o, FILE *err)
{
	struct file *file = &u->files[u->count];
	char message[512];
	int ret;

	if (asprintf(&file->path, "%s/%s", o->undo_dir, name) < 0)
		return -ENOMEM;
	ret = undo_summary(file->path, &file->summary, message, sizeof(message));
	if (ret) {
		quote_said(err, o->program, "%s", message);
		free(file->path);
		return ret;
	}
	u->bytes += file->summary.bytes;
	u->count++;
	return 0;
}

/* Reads the headers of all files.  Returns 0, or the last negative errno; readable ones are added in any case. */
static int read_all(struct undos *u, const struct options *o, FILE *err)
{
	struct dirent **names = NULL;
	const int count = scandir(o->undo_dir, &names, is_undo, NULL);
	int ret = 0;

	if (count < 0 && errno == ENOENT)
		return 0;
	if (count >= 0)
		u->files = calloc((size_t)count + 1, sizeof(*u->files));
	if (!u->files) {
		ret = -errno;
		quote_said(err, o->program, "%s: %s", o->undo_dir, strerror(errno));
	}
	for (int i = 0; i < count; i++) {
		const int error = u->files ? add(u, names[i]->d_name, o, err) : 0;

		ret = error ? error : ret;
		free(names[i]);
	}
	free(names);
	if (u->count)
		qsort(u->files, u->count, sizeof(*u->files), by_time);
	return ret;
}

static const char *device_of(const struct file *file, enum device_role role)
{
	return file->summary.device[role][0] ? file->summary.device[role] : NULL;
}

static void print_file(FILE *out, const struct file *file)
{
	const struct undo_summary *s = &file->summary;
	const time_t now = time(NULL);
	const struct outcome o = { .undo = file->path,
				   .device = s->device[ROLE_DATA],
				   .range = "",
				   .log_device = device_of(file, ROLE_LOG),
				   .rt_device = device_of(file, ROLE_REALTIME) };
	struct words w = { 0 };

	quote_shell(out, file->path);
	fputs(": ", out);
	quote_sentence(out, o.device);
	words_add(&w, " was repaired ");
	words_add_age(&w, now > s->time ? (uint64_t)(now - s->time) : 0);
	words_add(&w, " ago, ");
	words_add_bytes(&w, s->bytes);
	fprintf(out, "%s\n   to undo the repair: ", w.text);
	report_text_rollback(out, &o);
	fputc('\n', out);
}

static void print_all(FILE *out, const struct undos *u, const struct options *o)
{
	struct words w = { 0 };

	for (size_t i = 0; i < u->count; i++)
		print_file(out, &u->files[i]);
	if (!u->count) {
		fputs("There are no undo files in ", out);
		quote_sentence(out, o->undo_dir);
		fputs(".\n", out);
		return;
	}
	words_add_count(&w, u->count, "undo file", "undo files");
	words_add(&w, u->count == 1 ? " takes " : " take ");
	words_add_bytes(&w, u->bytes);
	fprintf(out,
		"%s. Remove those of repairs that stay: once its device was written to, an undo file is of no use.\n",
		w.text);
}

static void put_all(FILE *out, const struct undos *u)
{
	for (size_t i = 0; i < u->count; i++) {
		const struct file *file = &u->files[i];
		const char *log = device_of(file, ROLE_LOG), *rt = device_of(file, ROLE_REALTIME);
		char uuid[UUID_STR_LEN];
		json_t *line;

		uuid_unparse_lower(file->summary.uuid, uuid);
		line = json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:o}", "type", "undo", "file",
				 json_out_string(file->path), "device",
				 json_out_string(file->summary.device[ROLE_DATA]), "log_device",
				 log ? json_out_string(log) : json_null(), "rt_device",
				 rt ? json_out_string(rt) : json_null(), "uuid", uuid, "time",
				 json_out_time(file->summary.time), "bytes", json_out_number(file->summary.bytes));
		json_dumpf(line, out, JSON_COMPACT | JSON_ENSURE_ASCII);
		fputc('\n', out);
		json_decref(line);
	}
}

int undos_list(const struct options *options, FILE *out, FILE *err)
{
	struct undos u = { 0 };
	const int ret = read_all(&u, options, err);

	if (options->json)
		put_all(out, &u);
	else
		print_all(out, &u, options);
	for (size_t i = 0; i < u.count; i++)
		free(u.files[i].path);
	free(u.files);
	return ret;
}
