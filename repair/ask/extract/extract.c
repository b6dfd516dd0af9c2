/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --extract: copies files out of the file system as the overlay shows it. If all files are wanted, the sweep of the
 * check collects their contents. If not, it collects names, and a second pass reads the wanted inodes.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bad_ranges.h"
#include "contents.h"
#include "check/facts.h"
#include "ask/inventory.h"
#include "job.h"
#include "options.h"
#include "output.h"
#include "query.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "report/quote.h"
#include "report/words.h"
#include "run.h"
#include "target.h"
#include "check/walk/walker.h"

/* Opened and read before the program is confined. */
struct extract_given {
	struct extract_target target;
	struct wanted wanted;
};

struct extract {
	struct extract_job job;
	struct wanted *wanted;
	struct files *files;
	struct contents *contents; /* NULL: not yet */
	struct extract_target *target;
	struct ino_set inos; /* wanted inodes, unless all are */
	uint64_t renamed;    /* names with characters replaced: atomic */
	bool finished;
};

static bool extract_refuse(const struct query *query, char *message, size_t size)
{
	struct stat st;

	if (!strcmp(query->to, "-")) {
		if (!isatty(STDOUT_FILENO))
			return false;
		snprintf(message, size, "--to=-: an archive is not written to a terminal");
		return true;
	}
	if (lstat(query->to, &st))
		return false;
	if (wanted_is_archive(query->to))
		snprintf(message, size, "--to: %s exists, and is not overwritten", query->to);
	/* with fs.protected_symlinks, EACCES if the link is another user's: target_open() says so */
	else if (stat(query->to, &st) ? errno != EACCES : !S_ISDIR(st.st_mode))
		snprintf(message, size, "--to: %s is neither a folder, nor a name that ends in .tar", query->to);
	else
		return false;
	return true;
}

static const char *reason(int error)
{
	switch (error) {
	case -EBUSY:
		return "another run extracts to it";
	case -EEXIST:
		return "it is there, and not ours";
	case -EOPNOTSUPP:
		return "others can write to all folders there: mount it with -o umask=022";
	default:
		return output_words(error);
	}
}

/* Opens the target, while that is permitted. */
static int extract_read(const struct repair *rc, void **ret_given)
{
	const struct options *o = rc->run->options;
	struct extract_given *given = calloc(1, sizeof(*given));
	char why[WANTED_WHY];
	int ret;

	if (!given)
		return -ENOMEM;
	ret = wanted_parse(o->query.extract, o->query.exclude, &given->wanted, why);
	if (ret) {
		quote_said(stderr, o->program, "--extract, --exclude: %s", why);
		free(given);
		return ret;
	}
	ret = target_open(o->query.to, &given->target);
	*ret_given = given;
	rc->run->target = &given->target;
	if (ret && ret != -ENOMEM)
		quote_said(stderr, o->program, "%s: %s", o->query.to, reason(ret));
	return ret;
}

static void extract_drop(void *given)
{
	struct extract_given *g = given;

	if (!g)
		return;
	target_close(&g->target);
	wanted_free(&g->wanted);
	free(g);
}

static void extract_end(void *ctx)
{
	struct extract *e = ctx;

	files_free(e->files);
	contents_free(e->contents);
	ino_set_free(&e->inos);
	bad_ranges_free(e->job.bad);
	attributes_free(&e->job.attributes);
	file_paths_free(&e->job.paths);
	free(e);
}

static int extract_begin(struct repair *rc, void **ret_ctx)
{
	const struct options *o = rc->run->options;
	const struct files_options files = { .targets = true };
	struct extract *e = calloc(1, sizeof(*e));
	struct extract_given *given = *ret_ctx;
	bool all;
	int ret = 0;

	if (!e)
		return -ENOMEM;
	e->target = &given->target;
	e->wanted = &given->wanted;
	wanted_forget(e->wanted);
	all = e->wanted->all && !list_filter_any(&o->query.filter);
	e->job.query = &o->query;
	e->job.report.program = o->program;
	e->files = files_new(rc, &files);
	e->contents = all ? contents_new(rc, NULL) : NULL;
	if (!e->files || (all && !e->contents))
		ret = -ENOMEM;
	if (ret)
		extract_end(e);
	else
		*ret_ctx = e;
	return ret;
}

/* ---- facts ---- */

static void inode_found(void *ctx, unsigned worker, const struct dinode *inode)
{
	files_sink.inode(((struct extract *)ctx)->files, worker, inode);
}

/* Passes a name on, with bytes replaced that a file name cannot have. */
static void entry_found(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	struct extract *e = ctx;
	struct entry_fact safe = *entry;
	uint8_t name[SAFE_NAME_ROOM];

	if (!entry->dot && !entry->dotdot) {
		if (!entry->namelen || !entry->name)
			return;
		memcpy(name, entry->name, entry->namelen);
		if (safe_name_make(name, entry->namelen)) {
			__atomic_fetch_add(&e->renamed, 1, __ATOMIC_RELAXED);
			safe.name = name;
		}
	}
	files_sink.entry(e->files, worker, &safe);
}

static void target_found(void *ctx, unsigned worker, xino_t ino, uint32_t offset, const uint8_t *bytes, uint32_t len)
{
	files_sink.target(((struct extract *)ctx)->files, worker, ino, offset, bytes, len);
}

static void claim_found(void *ctx, unsigned worker, const struct claim *claim)
{
	struct extract *e = ctx;

	if (e->contents)
		contents_sink.claim(e->contents, worker, claim);
}

static void attribute_found(void *ctx, unsigned worker, xino_t ino, const struct attr_entry *attribute)
{
	struct extract *e = ctx;

	if (e->contents)
		contents_sink.attribute(e->contents, worker, ino, attribute);
}

static void unmapped_found(void *ctx, unsigned worker, xino_t ino, enum fork fork, uint64_t offset, uint64_t end)
{
	struct extract *e = ctx;

	if (e->contents)
		contents_sink.unmapped(e->contents, worker, ino, fork, offset, end);
}

static const struct sink_ops extract_sink = { .inode = inode_found,
					      .entry = entry_found,
					      .target = target_found,
					      .claim = claim_found,
					      .attribute = attribute_found,
					      .unmapped = unmapped_found };

/* ---- what is wanted ---- */

/* Walks through all names once, and collects the wanted inodes. 0 or negative errno. */
static int find_wanted(struct extract *e)
{
	struct file file;
	enum wanted_how how;
	int ret, found;

	while ((ret = files_next(e->files, &file)) > 0) {
		file_paths_begin(&e->job.paths, &file);
		found = file_paths_next(&e->job.paths, &how);
		if (found > 0)
			found = ino_set_put(&e->inos, file.ino);
		if (found < 0)
			return found;
	}
	return ret ? ret : files_rewind(e->files);
}

/* Makes all paths of the current file wanted, if its number is. 0 or negative errno. */
static int take_by_number(struct extract *e, struct file_paths *paths)
{
	enum wanted_how how;
	bool asked = false;
	int ret = 0, more = 1;

	for (size_t i = 0; i < e->wanted->ninos; i++)
		if (e->wanted->inos[i].ino.v == paths->file.ino.v)
			e->wanted->inos[i].met = asked = true;
	while (asked && !ret && (more = file_paths_next(paths, &how)) > 0)
		ret = wanted_add(e->wanted, paths->path.bytes, paths->path.len);
	return ret ? ret : more < 0 ? more : 0;
}

/* Finds the paths of files that are wanted by number. 0 or negative errno. */
static int find_numbers(struct extract *e, const struct geometry *geo)
{
	struct wanted_path root = { NULL, 0, false };
	struct wanted all = { .paths = &root, .count = 1 };
	struct file_paths paths = { .geo = geo, .files = e->files, .wanted = &all };
	struct file file;
	int ret;

	if (!e->wanted->ninos)
		return 0;
	while ((ret = files_next(e->files, &file)) > 0) {
		file_paths_begin(&paths, &file);
		ret = take_by_number(e, &paths);
		if (ret)
			break;
	}
	file_paths_free(&paths);
	wanted_sort(e->wanted);
	return ret ? ret : files_rewind(e->files);
}

/* Collects the contents of wanted inodes. 0 or negative errno. */
static int collect(struct extract *e, const struct repair *rc)
{
	const struct scope scope = { .names = true, .pptrs = true, .contents = true };
	const size_t count = ino_set_count(&e->inos);
	xino_t *inos;
	int ret;

	e->contents = contents_new(rc, &e->inos);
	if (!e->contents)
		return -ENOMEM;
	if (!count || count > facts_near_most(rc))
		return count ? facts_gather(rc, &rc->geo, &scope, &contents_sink, e->contents) : 0;
	inos = ino_set_sorted(&e->inos);
	ret = inos ? facts_gather_near(rc, &scope, inos, count, &contents_sink, e->contents) : -ENOMEM;
	free(inos);
	return ret;
}

int extract_rewind(struct extract_job *job)
{
	const int ret = files_rewind(job->paths.files);

	return ret ? ret : contents_rewind(job->contents);
}

int extract_tell_bad(struct extract_job *job, const struct byte_buffer *path, bool *ret_any)
{
	const struct file *file = &job->paths.file;
	struct bad_range bad;
	int ret;

	*ret_any = false;
	while ((ret = bad_ranges_next(job->bad, file->ino, &bad)) > 0) {
		const uint64_t end = bad.offset + bad.len;

		if (bad.offset >= file->record.size)
			continue;
		extract_report_range(&job->report, path, bad.offset, end < file->record.size ? end : file->record.size,
				     !job->query->skip_damaged);
		*ret_any = true;
	}
	job->report.incomplete += *ret_any;
	return ret;
}

/* ---- extraction ---- */

static int to_target(struct extract *e)
{
	struct extract_target *target = e->target;
	int ret, finished;

	target->used = true;
	if (!target->archive)
		return extract_to_dir(&e->job, &target->tree);
	ret = extract_to_tar(&e->job, target->tar.file.fd);
	finished = target_finish(target, !ret);
	return ret ? ret : finished;
}

static void tell_missing(struct extract *e)
{
	for (size_t i = 0; i < e->wanted->count; i++) {
		const struct wanted_path *p = &e->wanted->paths[i];
		const struct byte_buffer path = { p->path, p->len, p->len };

		if (!p->met && p->len)
			extract_report_file(&e->job.report, &path, "there is nothing of that name");
	}
	for (size_t i = 0; i < e->wanted->ninos; i++) {
		char text[32];
		const size_t len = (size_t)snprintf(text, sizeof(text), "inode %" PRIu64, e->wanted->inos[i].ino.v);
		const struct byte_buffer what = { (uint8_t *)text, len, len };

		if (!e->wanted->inos[i].met)
			extract_report_file(&e->job.report, &what, "there is no such file");
	}
}

static int prepare(struct extract *e, struct repair *rc)
{
	int ret;

	e->job.rc = rc;
	e->job.paths.geo = &rc->geo;
	e->job.paths.files = e->files;
	e->job.paths.wanted = e->wanted;
	e->job.report.once[ONCE_NAME] = e->renamed;
	e->job.bad = bad_ranges_new(rc->run->memory.records / 8);
	if (list_filter_any(&e->job.query->filter))
		e->job.paths.filter = &e->job.query->filter;
	ret = e->job.bad ? files_settle(e->files, &rc->dirs) : -ENOMEM;
	if (!ret)
		ret = find_numbers(e, &rc->geo);
	if (!ret && !e->contents) {
		ret = find_wanted(e);
		if (!ret)
			ret = collect(e, rc);
	}
	if (!ret)
		ret = contents_settle(e->contents);
	e->job.contents = e->contents;
	e->job.attributes.rc = rc;
	e->job.attributes.contents = e->contents;
	return ret;
}

static int extract_work(struct repair *rc, void *ctx)
{
	struct extract *e = ctx;
	struct extract_job *job = &e->job;
	int ret = prepare(e, rc);

	if (ret)
		return ret;
	report_progress(rc->report,
			&(struct report_work){ .look = report_look_count, .ctx = &job->bytes_read, .unit = "bytes" });
	ret = to_target(e);
	report_progress_end(rc->report);
	tell_missing(e);
	extract_report_end(&job->report);
	if (ret) {
		quote_said(stderr, job->report.program, "%s: %s", job->query->to, reason(ret));
		return 1;
	}
	e->finished = true;
	if (job->report.incomplete)
		fprintf(stderr, "%s: %" PRIu64 " %s could not be extracted correctly, see above\n", job->report.program,
			job->report.incomplete, job->report.incomplete == 1 ? "item" : "items");
	return job->report.incomplete > 0;
}

/* Prints what was extracted, unless standard output is the archive. */
static int extract_answer(struct repair *rc, void *ctx, FILE *out)
{
	const struct extract *e = ctx;
	const struct extract_report *t = &e->job.report;
	struct words words = { 0 };

	(void)rc;
	if (!e->finished || !strcmp(e->job.query->to, "-"))
		return 0;
	words_add_count(&words, t->files, "file", "files");
	words_add(&words, " of ");
	words_add_bytes(&words, t->bytes);
	words_add(&words, ", ");
	words_add_count(&words, t->dirs, "directory", "directories");
	words_add(&words, ", ");
	words_add_count(&words, t->others, "other", "others");
	if (t->before)
		words_add(&words, "; ");
	if (t->before)
		words_add_count(&words, t->before, "was there", "were there");
	fputs("extracted to ", out);
	quote_said(out, e->job.query->to, "%s", words.text);
	return 0;
}

const struct question question_extract = { .refuse = extract_refuse,
					   .read = extract_read,
					   .drop = extract_drop,
					   .begin = extract_begin,
					   .sink = &extract_sink,
					   .work = extract_work,
					   .answer = extract_answer,
					   .end = extract_end,
					   .section = HTML_EXTRACT,
					   .contents = true };
