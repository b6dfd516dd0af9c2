/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --bad: what the bad places of a device affect. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "ask/inventory.h"
#include "bad_file.h"
#include "line.h"
#include "names/paths.h"
#include "options.h"
#include "owners.h"
#include "repair.h"
#include "report.h"
#include "report/finding_text.h"
#include "report/html_out.h"
#include "report/words.h"
#include "run.h"
#include "sets/ordered.h"

/* Maps bad ranges of a device to the line. */

struct bad_range {
	uint64_t start, end; /* bytes of the line */
	bool untried;
};

/* Start with { 0 }. */
struct bad_ranges {
	struct bad_range *v; /* ascending, without overlaps */
	size_t count, room;
	uint64_t bytes[BAD_STATES];  /* of all ranges, by enum bad_state ... */
	uint64_t log[BAD_STATES];    /* ... of an external log ... */
	uint64_t behind[BAD_STATES]; /* ... and beyond the end of the file system or of a realtime group */
	bool no_device;		     /* the file system has no such device */
};

static int place(struct bad_ranges *ranges, const struct geometry *geo, enum device_role device, struct span span,
		 enum bad_state state)
{
	int ret = 0;

	ranges->bytes[state] += span.end - span.start;
	while (span.start < span.end && !ret) {
		uint64_t next;
		const struct line_range range = line_range_of(geo, device, span.start, span.end, &next);

		if (range.area == LINE_BLOCKS)
			ret = array_add(ranges->v, ranges->room, ranges->count,
					(struct bad_range){ range.start, range.end, state == BAD_UNTRIED });
		else if (range.area == LINE_LOG)
			ranges->log[state] += next - span.start;
		else if (range.area == LINE_NONE)
			ranges->no_device = true;
		else
			ranges->behind[state] += next - span.start;
		span.start = next;
	}
	return ret;
}

/* Maps all ranges to the line. 0 or -ENOMEM; call bad_ranges_free() in either case. */
static int bad_ranges_place(struct bad_ranges *ranges, const struct geometry *geo, enum device_role device,
			    const struct bad_file *file)
{
	int ret = 0;

	*ranges = (struct bad_ranges){ 0 };
	for (unsigned state = 0; state < BAD_STATES; state++)
		for (size_t i = 0; i < file->of[state].count && !ret; i++)
			ret = place(ranges, geo, device, file->of[state].v[i], state);
	ordered_sort(ranges->v, ranges->count, MEMBERS(MEMBER(ranges->v, start)));
	return ret;
}

static void bad_ranges_free(struct bad_ranges *ranges)
{
	free(ranges->v);
	*ranges = (struct bad_ranges){ 0 };
}

/* Returns the first range that ends after this byte of the line; count: none. */
static size_t bad_ranges_from(const struct bad_ranges *ranges, uint64_t start)
{
	return ordered_behind(ranges->v, ranges->count, MEMBER(ranges->v, end), start);
}

/* Groups bad blocks by file, and sorts the files by path. */

/* A file with blocks in bad ranges. */
struct bad_hit_file {
	xino_t ino;
	size_t first, count; /* its hits in bad_files.hits */
	uint8_t *path;	     /* NULL: none */
	size_t path_len;
};

/* Start with { 0 }. */
struct bad_files {
	struct hit *hits; /* of files, by inode, fork and offset */
	size_t nhits;
	struct bad_hit_file *v; /* by path; files without a path come last */
	size_t count;
};

/* A bad part of a file. */
struct bad_part {
	struct who who;
	bool untried;
};

static int path_order(const void *a, const void *b)
{
	const struct bad_hit_file *x = a, *y = b;
	const size_t common = x->path_len < y->path_len ? x->path_len : y->path_len;
	int order = (x->path == NULL) - (y->path == NULL);

	if (!order && x->path && y->path && common)
		order = memcmp(x->path, y->path, common);
	if (!order)
		order = (x->path_len > y->path_len) - (x->path_len < y->path_len);
	return order ? order : (x->ino.v > y->ino.v) - (x->ino.v < y->ino.v);
}

/* Copies the path of a file, if it has one. */
static int take_path(struct bad_hit_file *file, struct paths *paths)
{
	struct path path;

	paths_find(paths, file->ino, &path);
	if (!path.len)
		return 0;
	file->path = malloc(path.len);
	if (!file->path)
		return -ENOMEM;
	memcpy(file->path, path.bytes, path.len);
	file->path_len = path.len;
	return 0;
}

/* Groups the hits by file. 0 or -ENOMEM; call bad_files_free() in either case. */
static int bad_files_collect(struct bad_files *files, const struct owners *owners)
{
	size_t room = 0, hits_room = 0;
	int ret = 0;

	*files = (struct bad_files){ 0 };
	for (size_t i = 0; i < owners->count && !ret; i++)
		if (hit_is_file(&owners->v[i]))
			ret = array_add(files->hits, hits_room, files->nhits, owners->v[i]);
	ordered_sort(files->hits, files->nhits,
		     MEMBERS(MEMBER(files->hits, owner), MEMBER(files->hits, fork_flags), MEMBER(files->hits, offset),
			     MEMBER(files->hits, start)));
	for (size_t i = 0, n; i < files->nhits && !ret; i += n) {
		struct bad_hit_file file = { .ino = { files->hits[i].owner }, .first = i };

		n = file.count = ordered_run(&files->hits[i], files->nhits - i, MEMBER(files->hits, owner));
		ret = take_path(&file, owners->holders.paths);
		if (!ret && array_add(files->v, room, files->count, file)) {
			free(file.path);
			ret = -ENOMEM;
		}
	}
	if (files->count)
		qsort(files->v, files->count, sizeof(*files->v), path_order);
	return ret;
}

static void bad_files_free(struct bad_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->v[i].path);
	free(files->v);
	free(files->hits);
	*files = (struct bad_files){ 0 };
}

/* ---- the parts of a file ---- */

struct telling {
	void (*tell)(void *ctx, const struct bad_part *part);
	void *ctx;
	struct bad_part last; /* printed when complete */
	bool any, untried;
};

static void end_part(struct telling *t)
{
	if (t->any)
		t->tell(t->ctx, &t->last);
	t->any = false;
}

static bool goes_on(const struct telling *t, const struct who *who)
{
	const struct who *last = &t->last.who;

	return t->any && who_is_in_fork(who->kind) && last->kind == who->kind && last->unwritten == who->unwritten &&
	       who_is_behind_end(last) == who_is_behind_end(who) && t->last.untried == t->untried &&
	       last->offset + (last->end - last->start) == who->offset;
}

static void add_part(void *ctx, const struct who *who)
{
	struct telling *t = ctx;

	if (goes_on(t, who)) {
		t->last.who.end += who->end - who->start; /* in length; it need not be contiguous there */
		return;
	}
	end_part(t);
	t->last = (struct bad_part){ *who, t->untried };
	t->any = true;
}

/* Calls tell() for the bad parts of a file by fork and offset; parts that are adjacent in the file are merged. */
static void bad_files_each(const struct owners *owners, const struct bad_ranges *ranges, const struct bad_files *files,
			   const struct bad_hit_file *file, void (*tell)(void *ctx, const struct bad_part *part),
			   void *ctx)
{
	const unsigned log = owners->geo->block_log;
	struct telling t = { .tell = tell, .ctx = ctx };

	for (size_t i = file->first; i < file->first + file->count; i++) {
		const struct hit *hit = &files->hits[i];
		const uint64_t start = hit->start << log, end = hit->end << log;

		for (size_t r = bad_ranges_from(ranges, start); r < ranges->count && ranges->v[r].start < end; r++) {
			t.untried = ranges->v[r].untried;
			owners_tell_hit(owners, hit, ranges->v[r].start, ranges->v[r].end, add_part, &t);
		}
	}
	end_part(&t);
}

/*
 * The answer of --bad: files by path with their bad parts, then metadata by address, then sums. Parts that were not
 * tried are separate, since they may be readable.
 */

struct bad_telling {
	const struct bad_file *file;
	const struct bad_ranges *ranges;
	const struct owners *owners;
	const char *name; /* name of the list of places */
	FILE *out;
	struct report_json *json; /* NULL: no JSON */
};

/* Bad bytes, and bytes not tried, by enum bad_state. */
struct sums {
	uint64_t lost[BAD_STATES];	/* file data, before the end of the file */
	uint64_t unwritten[BAD_STATES]; /* of files, unwritten or beyond their end */
	uint64_t in_files[BAD_STATES];	/* of directories, attributes and other metadata of files */
	uint64_t of_kind[BAD_STATES][WHO_NO_DEVICE + 1];
	uint64_t files; /* that lose data */
};

struct state {
	const struct bad_telling *t;
	struct sums sums;
	uint64_t lost_here; /* data bytes of the current file, tried or not */
	uint64_t lost_sure; /* those that were tried */
	bool printing;	    /* the parts of the current file are printed; before that, they are only summed up */
	bool heading;	    /* the heading of metadata was printed */
	bool untried;
};

static void print_number(FILE *out, uint64_t number, const char *one, const char *many)
{
	struct words words = { 0 };

	words_add_count(&words, number, one, many);
	fputs(words.text, out);
}

/* ---- files ---- */

static bool is_data(const struct who *who)
{
	return who->kind == WHO_SYMLINK || (who->kind == WHO_DATA && !(who->holder && who->holder->metadata));
}

/* Returns how many bytes of a part had contents. */
static uint64_t lost_of(const struct who *who)
{
	const uint64_t length = who->end - who->start;

	if (who->unwritten || who_is_behind_end(who))
		return 0;
	if (who->kind == WHO_DATA && who->holder && who->holder->ftype == FT_REG &&
	    who->holder->size - who->offset < length)
		return who->holder->size - who->offset;
	return length;
}

static void add_up(struct state *s, const struct bad_part *part)
{
	const struct who *who = &part->who;
	const uint64_t length = who->end - who->start, lost = lost_of(who);

	if (!is_data(who)) {
		s->sums.in_files[part->untried] += length;
		return;
	}
	s->sums.lost[part->untried] += lost;
	s->sums.unwritten[part->untried] += length - lost;
	s->lost_here += lost;
	s->lost_sure += part->untried ? 0 : lost;
}

static void put_part(struct report_json *json, const struct who *who, bool untried, const struct owners *owners)
{
	json_t *line = json_out_line(json, "bad");

	who_json(json, line, who, owners->holders.paths);
	json_out_set(json, line, "untried", json_boolean(untried));
	if (who->kind >= WHO_INODE)
		line_json(json, line, owners->geo, who->start);
	json_out_put(json, line);
}

static void file_part(void *ctx, const struct bad_part *part)
{
	struct state *s = ctx;
	const struct bad_telling *t = s->t;
	struct who who = part->who;

	if (!s->printing) {
		add_up(s, part);
		return;
	}
	if (t->json)
		put_part(t->json, &who, part->untried, t->owners);
	who.ino = NULL_INO; /* printed above */
	fputs("  ", t->out);
	who_print(t->out, &who, NULL);
	fputs(part->untried ? ", not tried\n" : "\n", t->out);
}

static void tell_file(struct state *s, const struct bad_files *files, const struct bad_hit_file *file)
{
	const struct bad_telling *t = s->t;

	s->lost_here = s->lost_sure = 0;
	s->printing = false;
	bad_files_each(t->owners, t->ranges, files, file, file_part, s);
	finding_text_inode(t->out, file->ino.v, t->owners->holders.paths);
	if (s->lost_sure) {
		fputs(": ", t->out);
		print_number(t->out, s->lost_sure, "byte lost", "bytes lost");
	}
	fputs("\n", t->out);
	s->sums.files += s->lost_sure > 0;
	s->printing = true;
	bad_files_each(t->owners, t->ranges, files, file, file_part, s);
}

static int tell_files(struct state *s)
{
	struct bad_files files;
	const int ret = bad_files_collect(&files, s->t->owners);

	if (!ret && files.count)
		fputs("\nFiles:\n", s->t->out);
	for (size_t i = 0; i < files.count && !ret; i++)
		tell_file(s, &files, &files.v[i]);
	bad_files_free(&files);
	return ret;
}

/* ---- metadata, and unowned blocks ---- */

static bool is_summed_only(enum who_kind kind)
{
	return kind == WHO_LOG || (kind >= WHO_STAGED && kind <= WHO_UNKNOWN) || kind == WHO_INODE_FREE;
}

static void print_metadata(struct state *s, const struct who *who)
{
	FILE *out = s->t->out;

	if (!s->heading)
		fputs("\nMetadata:\n", out);
	s->heading = true;
	fputs("  ", out);
	who_print(out, who, s->t->owners->holders.paths);
	fputs(", ", out);
	line_print(out, s->t->owners->geo, who->start);
	fputs(s->untried ? ", not tried\n" : "\n", out);
}

static void other_part(void *ctx, const struct who *who)
{
	struct state *s = ctx;

	if (who->ino != NULL_INO && who->kind != WHO_INODE && who->kind != WHO_INODE_FREE)
		return; /* listed with its file */
	s->sums.of_kind[s->untried][who->kind] += who->end - who->start;
	if (is_summed_only(who->kind))
		return;
	print_metadata(s, who);
	if (s->t->json)
		put_part(s->t->json, who, s->untried, s->t->owners);
}

static void tell_others(struct state *s)
{
	const struct bad_ranges *ranges = s->t->ranges;

	for (size_t i = 0; i < ranges->count; i++) {
		s->untried = ranges->v[i].untried;
		owners_each(s->t->owners, ranges->v[i].start, ranges->v[i].end, other_part, s);
	}
}

/* ---- sums ---- */

struct sum_row {
	const char *name;  /* JSON key */
	const char *words; /* in front of the number */
	uint64_t of[BAD_STATES];
};

#define SUM_ROWS 9

static void sum_rows(const struct state *s, struct sum_row rows[static SUM_ROWS])
{
	const struct sums *sums = &s->sums;

	for (unsigned i = 0; i < SUM_ROWS; i++)
		rows[i] = (struct sum_row){ 0 };
	for (unsigned state = 0; state < BAD_STATES; state++) {
		const uint64_t *kind = sums->of_kind[state];
		const struct {
			const char *name, *words;
			uint64_t bytes;
		} all[SUM_ROWS] = {
			{ "lost", "data of files", sums->lost[state] },
			{ "unwritten", "blocks of files with nothing in them", sums->unwritten[state] },
			{ "metadata", "metadata",
			  sums->in_files[state] + kind[WHO_INODE] + kind[WHO_INODE_FREE] + kind[WHO_HEADER] +
				  kind[WHO_BTREE] + kind[WHO_AGFL] },
			{ "log", "log", kind[WHO_LOG] + s->t->ranges->log[state] },
			{ "staged", "staged for copy on write", kind[WHO_STAGED] },
			{ "free", "free space", kind[WHO_FREE] },
			{ "unclaimed", "claimed by nothing", kind[WHO_NOBODY] },
			{ "unknown", "not known, for lack of memory", kind[WHO_UNKNOWN] },
			{ "behind", "behind the end of the file system", s->t->ranges->behind[state] },
		};

		for (unsigned i = 0; i < SUM_ROWS; i++) {
			rows[i].name = all[i].name;
			rows[i].words = all[i].words;
			rows[i].of[state] = all[i].bytes;
		}
	}
}

static void print_sums(const struct state *s, const struct sum_row *rows)
{
	FILE *out = s->t->out;

	fputs("\nIn all:\n", out);
	for (unsigned i = 0; i < SUM_ROWS; i++) {
		if (!rows[i].of[BAD_SURE] && !rows[i].of[BAD_UNTRIED])
			continue;
		fprintf(out, "  %s: ", rows[i].words);
		print_number(out, rows[i].of[BAD_SURE], "byte", "bytes");
		if (rows[i].of[BAD_UNTRIED]) {
			fputs(", and ", out);
			print_number(out, rows[i].of[BAD_UNTRIED], "byte not tried", "bytes not tried");
		}
		fputc('\n', out);
	}
	fputs("  files that lose data: ", out);
	print_number(out, s->sums.files, "file", "files");
	fputc('\n', out);
	if (s->t->owners->unnamed)
		fputs("  Not all paths were looked for: there was no memory for them (-m).\n", out);
	if (s->t->owners->dropped) {
		fputs("  The list is not complete: there was no memory for ", out);
		print_number(out, s->t->owners->dropped, "extent", "extents");
		fputs(" (-m).\n", out);
	}
}

static void put_sums(const struct state *s, const struct sum_row *rows)
{
	struct report_json *json = s->t->json;
	json_t *line = json_out_line(json, "bad_sums");

	json_out_set(json, line, "file", json_out_string(s->t->name));
	json_out_set(json, line, "taken_for", json_out_string(bad_file_kind(s->t->file->kind)));
	json_out_set(json, line, "files", json_out_number(s->sums.files));
	json_out_set(json, line, "dropped", json_out_number(s->t->owners->dropped));
	for (unsigned state = 0; state < BAD_STATES; state++) {
		json_t *sums = json_object();

		json_out_set(json, sums, "ranges", json_out_number(s->t->file->of[state].count));
		json_out_set(json, sums, "bytes", json_out_number(s->t->ranges->bytes[state]));
		for (unsigned i = 0; i < SUM_ROWS; i++)
			json_out_set(json, sums, rows[i].name, json_out_number(rows[i].of[state]));
		json_out_set(json, line, state == BAD_UNTRIED ? "untried" : "bad", sums);
	}
	json_out_put(json, line);
}

static void print_ranges(FILE *out, const struct bad_telling *t, enum bad_state state)
{
	static const char *const one[] = { "bad range", "range not tried" };
	static const char *const many[] = { "bad ranges", "ranges not tried" };

	print_number(out, t->file->of[state].count, one[state], many[state]);
	fputs(", ", out);
	print_number(out, t->ranges->bytes[state], "byte", "bytes");
}

/* Prints the answer. 0 or -ENOMEM. */
static int bad_tell(const struct bad_telling *t)
{
	struct state s = { .t = t };
	struct sum_row rows[SUM_ROWS];
	int ret;

	fprintf(t->out, "%s: taken for %s: ", t->name, bad_file_kind(t->file->kind));
	print_ranges(t->out, t, BAD_SURE);
	if (t->file->of[BAD_UNTRIED].count) {
		fputs("; ", t->out);
		print_ranges(t->out, t, BAD_UNTRIED);
	}
	fputc('\n', t->out);
	if (t->ranges->no_device)
		fputs("The file system has no such device.\n", t->out);
	ret = tell_files(&s);
	if (ret)
		return ret;
	tell_others(&s);
	sum_rows(&s, rows);
	print_sums(&s, rows);
	if (t->json)
		put_sums(&s, rows);
	return 0;
}

#define BADBLOCKS_BYTES 1024u /* the default block size of badblocks */

struct bad {
	struct hits *hits; /* the first member, for the sink */
	const struct bad_file *file;
	struct bad_ranges ranges;
};

/* Returns the device of the places by a prefix of the file name, and sets *ret_path to the name after it. */
static enum device_role device_of(const char *text, const char **ret_path)
{
	*ret_path = text;
	if (!strncmp(text, "rt:", 3)) {
		*ret_path = text + 3;
		return ROLE_REALTIME;
	}
	if (!strncmp(text, "log:", 4)) {
		*ret_path = text + 4;
		return ROLE_LOG;
	}
	return ROLE_DATA;
}

static int bad_read(const struct repair *rc, void **ret_given)
{
	const struct query *query = &rc->run->options->query;
	struct bad_file *file = calloc(1, sizeof(*file));
	struct words why = { 0 }, sentence = { 0 };
	const char *path;
	FILE *in;
	int ret;

	*ret_given = file;
	if (!file)
		return -ENOMEM;
	device_of(query->bad, &path);
	in = fopen(path, "re");
	ret = in ? bad_file_read(in, query->bad_block_size ? query->bad_block_size : BADBLOCKS_BYTES, file, &why)
		 : -errno;
	if (in)
		fclose(in);
	if (ret && ret != -ENOMEM) {
		words_add(&sentence, "--bad: %s: %s", path, ret == -EINVAL ? why.text : strerror(-ret));
		trouble(rc, sentence.text);
	}
	return ret;
}

static void bad_drop(void *given)
{
	if (given)
		bad_file_free(given);
	free(given);
}

static void bad_end(void *ctx)
{
	struct bad *bad = ctx;

	hits_free(bad->hits);
	bad_ranges_free(&bad->ranges);
	free(bad);
}

/* Collects facts about the blocks in the ranges. 0 or -ENOMEM. */
static int collect(const struct repair *rc, struct bad *bad)
{
	const struct bad_ranges *ranges = &bad->ranges;
	const unsigned log = rc->geo.block_log;
	struct span *v = malloc((ranges->count + 1) * sizeof(*v));
	struct spans spans = { 0 };
	int ret;

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < ranges->count; i++)
		v[i] = (struct span){ ranges->v[i].start >> log, ((ranges->v[i].end - 1) >> log) + 1 };
	ret = spans_settle(&spans, v, ranges->count, line_length(&rc->geo));
	if (ret)
		spans_free(&spans);
	return ret ? ret : hits_new(rc, &spans, &bad->hits);
}

static int bad_begin(struct repair *rc, void **ret_ctx)
{
	struct bad *bad = calloc(1, sizeof(*bad));
	const char *path;
	int ret;

	if (!bad)
		return -ENOMEM;
	bad->file = *ret_ctx;
	ret = bad_ranges_place(&bad->ranges, &rc->geo, device_of(rc->run->options->query.bad, &path), bad->file);
	if (!ret)
		ret = collect(rc, bad);
	if (ret)
		bad_end(bad);
	else
		*ret_ctx = bad;
	return ret;
}

static int bad_answer(struct repair *rc, void *ctx, FILE *out)
{
	const struct bad *bad = ctx;
	struct bad_telling telling = {
		.file = bad->file, .ranges = &bad->ranges, .out = out, .json = report_answer_json(rc->report)
	};
	struct owners owners;
	int ret = owners_begin(&owners, rc, bad->hits);

	device_of(rc->run->options->query.bad, &telling.name);
	telling.owners = &owners;
	for (size_t i = 0; i < bad->ranges.count && !ret; i++)
		ret = owners_want(&owners, bad->ranges.v[i].start, bad->ranges.v[i].end);
	if (!ret)
		ret = owners_find(&owners, rc);
	if (!ret)
		ret = bad_tell(&telling);
	owners_free(&owners);
	return ret;
}

const struct question question_bad = { .read = bad_read,
				       .drop = bad_drop,
				       .begin = bad_begin,
				       .sink = &hits_ops,
				       .answer = bad_answer,
				       .end = bad_end,
				       .section = HTML_BAD };
