/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --list: all files in inode order, each under its names in directory order. Threads format batches of files, which are
 * printed in order.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ask/files.h"
#include "ask/inventory.h"
#include "check/names/search.h"
#include "list.h"
#include "options.h"
#include "parallel.h"
#include "repair.h"
#include "report/html_out.h"
#include "report/words.h"
#include "run.h"

/* A batch has for each file: its head, the target, each name after a byte 1, and a byte 0. */

/* Start with { 0 }. */
struct file_batch {
	struct byte_buffer bytes;
	size_t at; /* read position */
};

/* The heads of a name and of a file. */
struct name_head {
	uint64_t dir;
	uint8_t len;
} __attribute__((packed));
struct file_head {
	uint64_t ino, target_len;
	struct file_record record;
};

static void file_batch_free(struct file_batch *batch)
{
	free(batch->bytes.bytes);
}

static int add_names(struct byte_buffer *b, struct files *files)
{
	static const uint8_t more = 1, end = 0;
	struct file_name name;
	int ret;

	while ((ret = files_next_name(files, &name)) > 0) {
		const struct name_head head = { name.dir.v, name.len };

		ret = byte_buffer_add(b, &more, 1);
		if (!ret)
			ret = byte_buffer_add(b, &head, sizeof(head));
		if (!ret)
			ret = byte_buffer_add(b, name.name, name.len);
		if (ret)
			return ret;
	}
	return ret ? ret : byte_buffer_add(b, &end, 1);
}

/*
 * Fills a batch with the next files: whole files of about this many bytes. Drops earlier contents. 1; 0: there are no
 * more; or negative errno.
 */
static int file_batch_fill(struct file_batch *batch, struct files *files, size_t bytes)
{
	struct byte_buffer *b = &batch->bytes;
	int ret = 0;

	batch->at = b->len = 0;
	while (!ret && b->len < bytes) {
		struct file file;

		ret = files_next(files, &file);
		if (ret <= 0)
			break;
		ret = byte_buffer_add(b, &(struct file_head){ file.ino.v, file.target_len, file.record },
				      sizeof(struct file_head));
		if (!ret)
			ret = byte_buffer_add(b, file.target, file.target_len);
		if (!ret)
			ret = add_names(b, files);
	}
	return ret < 0 ? ret : b->len > 0;
}

static bool file_batch_next_name(struct file_batch *batch, struct file_name *ret)
{
	struct name_head head;

	if (!batch->bytes.bytes[batch->at])
		return false;
	memcpy(&head, batch->bytes.bytes + batch->at + 1, sizeof(head));
	batch->at += 1 + sizeof(head);
	*ret = (struct file_name){ { head.dir }, batch->bytes.bytes + batch->at, head.len };
	batch->at += head.len;
	return true;
}

/* Skips names that were not read, and the end of the file. */
static void end_file(struct file_batch *batch)
{
	struct file_name name;

	while (file_batch_next_name(batch, &name))
		;
	batch->at++;
}

/* Like files_next() and files_next_name(), with results valid as long as the batch. False: there are no more. */
static bool file_batch_next(struct file_batch *batch, struct file *ret)
{
	struct file_head head;

	if (batch->at)
		end_file(batch);
	if (batch->at == batch->bytes.len)
		return false;
	memcpy(&head, batch->bytes.bytes + batch->at, sizeof(head));
	batch->at += sizeof(head);
	*ret = (struct file){ { head.ino }, head.record, batch->bytes.bytes + batch->at, head.target_len };
	batch->at += head.target_len;
	return true;
}

#define BATCH_BYTES (256u << 10)

static bool is_wanted(const void *ctx, const struct file_record *record)
{
	return list_wants_file(ctx, record);
}

/* True if symlink targets are printed. */
static bool prints_targets(const struct query *query)
{
	bool any = !query->nfields;

	for (unsigned i = 0; i < query->nfields; i++)
		any |= query->fields[i] == LIST_FIELD_target;
	return query->list == LIST_TEXT || (any && query->list != LIST_PATHS0);
}

static int list_begin(struct repair *rc, void **ret_ctx)
{
	const struct query *query = &rc->run->options->query;
	const struct files_options options = { prints_targets(query), is_wanted, &query->filter };

	*ret_ctx = files_new(rc, &options);
	return *ret_ctx ? 0 : -ENOMEM;
}

/* ---- a batch ---- */

struct work {
	struct file_batch batch;
	struct byte_buffer path;
	xino_t dir;	/* the directory at the start of `path` ... */
	size_t dir_len; /* ... and the length of its path; SIZE_MAX: none */
	struct list_clock clock;
	struct byte_buffer lines;
	int error;
};

struct works {
	const struct query *query;
	const struct geometry *geo;
	const struct path_table *paths;
	struct work *all;
};

/* Sets the path of a name; consecutive names often share the directory's path. 0 or -ENOMEM. */
static int make_path(const struct works *works, struct work *w, const struct file_name *name)
{
	int ret = 0;

	if (name->dir.v == NULL_INO) {
		w->path.len = 0;
		w->dir_len = SIZE_MAX;
		return byte_buffer_add(&w->path, "/", 1);
	}
	if (w->dir_len == SIZE_MAX || w->dir.v != name->dir.v) {
		ret = path_table_path(works->paths, name->dir, &w->path);
		w->dir = name->dir;
		w->dir_len = w->path.len;
	}
	w->path.len = w->dir_len;
	if (!ret)
		ret = byte_buffer_add(&w->path, "/", 1);
	return ret ? ret : byte_buffer_add(&w->path, name->name, name->len);
}

/* Adds the lines of a file. 0 or -ENOMEM. */
static int make_lines(const struct works *works, struct work *w, const struct file *file)
{
	const struct query *query = works->query;
	struct file_name name;
	bool done = false;
	int ret = 0;

	while (!ret && !done && file_batch_next_name(&w->batch, &name)) {
		ret = make_path(works, w, &name);
		if (ret || !list_wants_path(&query->filter, &name, &w->path))
			continue;
		ret = list_line(&w->lines, &w->clock, query, works->geo, file, &w->path);
		done = query->one_name;
	}
	return ret;
}

static void do_batch(void *ctx, size_t i)
{
	struct works *works = ctx;
	struct work *w = &works->all[i];
	struct file file;

	w->lines.len = 0;
	while (!w->error && file_batch_next(&w->batch, &file))
		w->error = make_lines(works, w, &file);
}

/* ---- all ---- */

/*
 * Fills batches, formats them in parallel, and prints them. Adds the bytes printed to *bytes. 1; 0: complete; or
 * negative errno.
 */
static int do_some(struct works *works, unsigned threads, struct files *files, FILE *out, size_t *bytes)
{
	unsigned filled = 0;
	int ret = 1;

	while (filled < threads && ret > 0) {
		ret = file_batch_fill(&works->all[filled].batch, files, BATCH_BYTES);
		filled += ret > 0;
	}
	if (ret >= 0)
		parallel_each(threads, filled, do_batch, works);
	for (unsigned i = 0; i < filled && ret >= 0; i++) {
		const struct work *w = &works->all[i];

		if (w->error)
			ret = w->error;
		else if (w->lines.len)
			*bytes += fwrite(w->lines.bytes, 1, w->lines.len, out);
	}
	return ret;
}

static void free_works(struct works *works, unsigned count)
{
	for (unsigned i = 0; i < count && works->all; i++) {
		file_batch_free(&works->all[i].batch);
		free(works->all[i].path.bytes);
		free(works->all[i].lines.bytes);
	}
	free(works->all);
}

/* Reports a path of --under that does not exist, if nothing was listed. 0 or negative errno. */
static int find_under(struct repair *rc, const char *under)
{
	struct words sentence = { 0 };
	xino_t ino;
	const int ret = resolve_path(rc, under, &ino);

	if (ret == -ENOENT) {
		words_add(&sentence, "--under: there is no file or directory %s", under);
		trouble(rc, sentence.text);
	}
	return ret;
}

static int list_answer(struct repair *rc, void *ctx, FILE *out)
{
	const struct query *query = &rc->run->options->query;
	struct files *files = ctx;
	const unsigned threads = rc->workers;
	struct works works = { query, &rc->geo, files_paths(files), calloc(threads, sizeof(*works.all)) };
	int ret = works.all ? files_settle(files, &rc->dirs) : -ENOMEM;
	size_t bytes = 0;

	for (unsigned i = 0; i < threads && works.all; i++)
		works.all[i].dir_len = SIZE_MAX;
	if (!ret) {
		list_heading(out, query);
		ret = 1;
	}
	while (ret > 0 && !ferror(out))
		ret = do_some(&works, threads, files, out, &bytes);
	free_works(&works, threads);
	return !ret && !bytes && query->filter.under ? find_under(rc, query->filter.under) : ret < 0 ? ret : 0;
}

static void list_end(void *ctx)
{
	files_free(ctx);
}

const struct question question_list = { .begin = list_begin,
					.sink = &files_sink,
					.answer = list_answer,
					.end = list_end,
					.section = HTML_LIST,
					.contents = true };
