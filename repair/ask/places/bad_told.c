/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answer to --bad: files by path, with what of them is bad, then metadata in the order of the device, then sums.
 * What nobody tried to read is told apart, since it may well be there.
 */
#include "bad_told.h"

#include <inttypes.h>

#include "bad_files.h"
#include "report/finding_text.h"
#include "line_told.h"
#include "report/words.h"
#include "who_told.h"

/* Bytes that are bad, and those that were not tried: by enum bad_state. */
struct sums {
	uint64_t lost[BAD_STATES];	/* of the data of files, before their ends */
	uint64_t unwritten[BAD_STATES]; /* of files, where nothing was written, or behind their ends */
	uint64_t in_files[BAD_STATES];	/* of directories, attributes and the like */
	uint64_t of_kind[BAD_STATES][WHO_NO_DEVICE + 1];
	uint64_t files; /* that lose data */
};

struct state {
	const struct bad_telling *t;
	struct sums sums;
	uint64_t lost_here; /* bytes of data of the file at hand, tried or not */
	uint64_t lost_sure; /* those that were tried */
	bool printing;	    /* the parts of the file at hand are printed; before, they are only added up */
	bool heading;	    /* of metadata: it has been printed */
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

/* How many bytes of a part held something. */
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
	who.ino = NULL_INO; /* it stands above */
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

/* ---- metadata, and what is nobody's ---- */

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
		return; /* it was told with its file */
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
	const char *name;  /* in JSON */
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

int bad_tell(const struct bad_telling *t)
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
