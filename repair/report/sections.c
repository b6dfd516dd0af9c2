/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Begins a section when its first item comes, and keeps fixes until all are known, so that they can be grouped. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "entries.h"
#include "finding_text.h"
#include "fix_list.h"
#include "layout.h"
#include "libxfs/dinode.h"
#include "names/paths.h"
#include "quote.h"
#include "reattached.h"
#include "report.h"
#include "report_losses.h"
#include "report_text.h"
#include "sections.h"
#include "words.h"

/*
 * A group is the inodes with the same former directory, the same present one and the same reason; its first members are
 * listed. Groups beyond GROUPS_MOST are only counted, so that memory does not grow with the list.
 */

#define GROUPS_MOST 20u

struct folder {
	size_t len; /* 0: unknown */
	uint8_t *bytes;
};

struct group {
	struct folder was, is;
	const char *why;
	size_t first; /* in the list */
	uint64_t count;
};

struct reattached_printer {
	struct layout *layout;
	const struct reattachments *list;
	struct paths *before, *after;
	unsigned limit;
	struct group groups[GROUPS_MOST];
	size_t count;
	uint64_t others; /* not in a group */
};

/* Returns the length of the directory part of a path; only the root's includes its slash. 0: there is none. */
static size_t folder_length(const struct path *path)
{
	size_t len = path->len;

	while (len && path->bytes[len - 1] != '/')
		len--;
	return len > 1 ? len - 1 : len;
}

static bool is_folder(const struct folder *folder, const struct path *path)
{
	const size_t len = folder_length(path);

	return folder->len == len && !memcmp(folder->bytes, path->bytes, len);
}

/* Returns the group of an inode, adding it if necessary; NULL: too many groups, or out of memory. */
static struct group *group_of(struct reattached_printer *p, const struct path *was, const struct path *is,
			      const char *why)
{
	const size_t was_len = folder_length(was), is_len = folder_length(is);
	struct group *g = p->groups;
	uint8_t *bytes;

	for (; g < p->groups + p->count; g++)
		if (g->why == why && is_folder(&g->was, was) && is_folder(&g->is, is))
			return g;
	bytes = p->count < GROUPS_MOST ? malloc(was_len + is_len + 1) : NULL;
	if (!bytes)
		return NULL;
	memcpy(bytes, was->bytes, was_len);
	memcpy(bytes + was_len, is->bytes, is_len);
	*g = (struct group){ { was_len, bytes }, { is_len, bytes + was_len }, why, 0, 0 };
	p->count++;
	return g;
}

static struct group *find_group(struct reattached_printer *p, const struct reattached *one, struct path *was,
				struct path *is)
{
	paths_find(p->before, one->ino, was);
	paths_find(p->after, one->ino, is);
	return group_of(p, was, is, reattached_why(one, was));
}

/* Prints "12 of "/home/alice", there again: from its parent pointer". */
static void print_group(struct reattached_printer *p, const struct group *g)
{
	struct words w = { 0 };
	FILE *out = layout_line(p->layout);

	words_add_number(&w, g->count);
	fputs(w.text, out);
	if (g->was.len) {
		fputs(" of ", out);
		quote_marked(out, g->was.bytes, g->was.len);
	}
	if (g->was.len == g->is.len && !memcmp(g->was.bytes, g->is.bytes, g->is.len)) {
		fputs(", there again", out);
	} else {
		fputs(", in ", out);
		quote_marked(out, g->is.bytes, g->is.len);
	}
	fprintf(out, ": %s", g->why);
	layout_end(p->layout, 0, 2, TINT_NONE);
}

static void put_what(FILE *out, const struct reattached_what *what)
{
	static const char *const types[FT_NR] = {
		[FT_UNKNOWN] = "of unknown type",
		[FT_REG] = "file",
		[FT_DIR] = "directory",
		[FT_CHR] = "device",
		[FT_BLK] = "device",
		[FT_FIFO] = "pipe",
		[FT_SOCK] = "socket",
		[FT_SYMLINK] = "link",
		[FT_WHITEOUT] = "whiteout",
	};
	const time_t seconds = (time_t)what->mtime;
	struct words w = { 0 };
	char date[32];
	struct tm tm;

	words_add(&w, "%s", what->ftype < FT_NR ? types[what->ftype] : types[FT_UNKNOWN]);
	if (what->ftype == FT_DIR) {
		words_add(&w, " of ");
		words_add_count(&w, what->children, "name", "names");
	} else if (what->ftype == FT_REG) {
		words_add(&w, " of ");
		words_add_count(&w, what->size, "byte", "bytes");
	}
	words_add(&w, ", owner %" PRIu32, what->uid);
	if (seconds && gmtime_r(&seconds, &tm) && strftime(date, sizeof(date), "%Y-%m-%d", &tm))
		words_add(&w, ", changed %s", date);
	fputs(w.text, out);
}

static void print_one(struct reattached_printer *p, const struct reattached *one, const struct path *was,
		      const struct path *is)
{
	const size_t folder = folder_length(is), start = folder > 1 ? folder + 1 : folder;
	FILE *out = layout_line(p->layout);

	quote_marked(out, is->bytes + start, is->len - start);
	fprintf(out, ", inode %" PRIu64 ": ", one->ino.v);
	put_what(out, &one->what);
	if (was->len && !(was->len == is->len && !memcmp(was->bytes, is->bytes, is->len))) {
		fputs("; it was ", out);
		quote_marked(out, was->bytes, was->len);
	}
	layout_end(p->layout, 3, 2, TINT_NONE);
}

/* Prints the first inodes of a group. */
static void print_members(struct reattached_printer *p, const struct group *g)
{
	struct words w = { 0 };
	struct path was, is;
	unsigned n = 0;

	for (size_t i = g->first; i < p->list->count && n < p->limit; i++) {
		if (find_group(p, &p->list->all[i], &was, &is) != g)
			continue;
		print_one(p, &p->list->all[i], &was, &is);
		n++;
	}
	if (g->count <= n)
		return;
	words_add_number(&w, g->count - n);
	fprintf(p->layout->out, "   and %s more\n", w.text);
}

/* Prints reconnected files by directory, at most `limit` of each group. before, after: paths before and after the
 * repair. */
static void text_reattached(struct layout *layout, const struct reattachments *list, struct paths *before,
			    struct paths *after, unsigned limit)
{
	struct reattached_printer *p = calloc(1, sizeof(*p));
	struct words w = { 0 };
	struct path was, is;

	if (!p)
		return;
	*p = (struct reattached_printer){
		.layout = layout, .list = list, .before = before, .after = after, .limit = limit
	};
	for (size_t i = 0; i < list->count; i++) {
		struct group *g = find_group(p, &list->all[i], &was, &is);

		p->others += !g;
		if (g && !g->count++)
			g->first = i;
	}
	for (size_t i = 0; i < p->count; i++) {
		print_group(p, &p->groups[i]);
		print_members(p, &p->groups[i]);
	}
	for (size_t i = 0; i < p->count; i++)
		free(p->groups[i].was.bytes);
	if (p->others) {
		words_add_number(&w, p->others);
		fprintf(layout->out, "and %s more, of other directories; --lines and --json list them\n", w.text);
	}
	free(p);
}

/*
 * Each cause is a numbered entry: the first place in full, more places of the same kind nearby, and a line for each
 * kind of possible consequence. If there are many causes, the heaviest are listed, and the others counted by kind.
 */

#define ENTRIES_MOST 25u /* causes that are listed, in 4 to 10 lines each */
#define BELOW_MOST   6u	 /* kinds of findings listed below a cause */

struct printer {
	struct layout *layout;
	const struct entries *e;
	struct paths *paths;
	unsigned limit;	  /* places listed of an entry */
	unsigned *number; /* of the last cause */
};

static const char *severity_note(enum finding finding)
{
	switch (finding_severity(finding)) {
	case SEV_FATAL:
		return ", ends the check";
	case SEV_PREEN:
		return ", harmless";
	case SEV_NOTE:
		return ", no damage";
	default:
		return "";
	}
}

/* Prints "AG 2 AGF: 1234 free blocks, bnobt holds 1240 (agf.freeblks.count)". */
static void put_finding(FILE *out, const struct found *found, struct paths *paths)
{
	finding_text_place(out, found, paths);
	fputs(": ", out);
	finding_text_message(out, &found->problem, paths);
	fprintf(out, " (%s%s)", finding_id(found->problem.finding), severity_note(found->problem.finding));
}

/* Prints further places of an entry, a line each up to the limit, and how many more there are. */
static void print_more(struct printer *p, const struct entry *entry, unsigned indent)
{
	size_t at = entry->first;
	FILE *out;

	for (size_t i = 1; i < entry->count && i < p->limit; i++) {
		at = p->e->next[at];
		out = layout_line(p->layout);
		finding_text_place(out, p->e->found[at], p->paths);
		fputs(": ", out);
		finding_text_message(out, &p->e->found[at]->problem, p->paths);
		layout_end(p->layout, indent, 2, TINT_NONE);
	}
	if (entry->count <= p->limit)
		return;
	out = layout_line(p->layout);
	fputs("and ", out);
	words_print_number(out, entry->count - p->limit);
	fputs(" more of this kind", out);
	if (entry->count > p->limit) {
		fputs(", the last: ", out);
		finding_text_place(out, p->e->found[entry->last], p->paths);
	}
	layout_end(p->layout, indent, 2, TINT_NONE);
}

/* Prints an entry below a cause: how often, and its first place. */
static void print_effect(struct printer *p, const struct entry *entry, unsigned indent)
{
	FILE *out = layout_line(p->layout);

	if (entry->count > 1) {
		words_print_number(out, entry->count);
		fputs(" times, first ", out);
	}
	put_finding(out, p->e->found[entry->first], p->paths);
	layout_end(p->layout, indent, 2, TINT_NONE);
}

/* Prints the number of findings of each kind, as "dir.entry.ino 12, inode.orphan 3". */
static void put_counts(FILE *out, const struct finding_counts *counts)
{
	const char *separator = "";

	for (unsigned i = 0; i < FINDING_NR; i++) {
		if (!counts->of[i])
			continue;
		fprintf(out, "%s%s ", separator, finding_id(i));
		words_print_number(out, counts->of[i]);
		separator = ", ";
	}
}

/* Adds an entry and all below it to the counts. */
static void count_entry(const struct entries *e, const struct entry *entry, struct finding_counts *counts)
{
	counts->of[entry->finding] += entry->times;
	for (size_t child = entry->child; child != NO_ENTRY; child = e->all[child].sibling)
		counts->of[e->all[child].finding] += e->all[child].times;
}

/* Prints counts of findings that are not listed. */
static void print_counts(struct printer *p, const char *start, const struct finding_counts *counts, unsigned indent)
{
	FILE *out = layout_line(p->layout);

	fputs(start, out);
	put_counts(out, counts);
	layout_end(p->layout, indent, 2, TINT_NONE);
}

/* Prints entries below a cause: related ones, or possible consequences. */
static void print_below(struct printer *p, const struct entry *entry, bool follows)
{
	struct finding_counts rest = { 0 };
	unsigned listed = 0, left = 0;

	for (size_t child = entry->child; child != NO_ENTRY; child = p->e->all[child].sibling) {
		const struct entry *below = &p->e->all[child];

		if (finding_is_effect(below->finding) != follows)
			continue;
		if (follows && !listed)
			fputs("   possible consequences:\n", p->layout->out);
		if (listed++ < BELOW_MOST) {
			print_effect(p, below, follows ? 5 : 3);
		} else {
			rest.of[below->finding] += below->times;
			left++;
		}
	}
	if (left)
		print_counts(p, "and ", &rest, follows ? 5 : 3);
}

static void print_cause(struct printer *p, const struct entry *entry)
{
	FILE *out = layout_line(p->layout);

	fprintf(out, "%u. ", ++*p->number);
	put_finding(out, p->e->found[entry->first], p->paths);
	layout_end(p->layout, 0, 3, finding_is_damage(entry->finding) ? TINT_BAD : TINT_NONE);
	print_more(p, entry, 3);
	print_below(p, entry, false);
	print_below(p, entry, true);
}

static void print_left_out(struct printer *p, size_t from)
{
	struct finding_counts counts = { 0 };
	FILE *out;

	if (from >= p->e->nroots)
		return;
	for (size_t i = from; i < p->e->nroots; i++)
		count_entry(p->e, p->e->order[i], &counts);
	out = layout_line(p->layout);
	fputs("and in ", out);
	words_print_number(out, p->e->nroots - from);
	fputs(p->e->nroots - from == 1 ? " more place: " : " more places: ", out);
	put_counts(out, &counts);
	fputs("; a larger --limit, --lines or --json lists them", out);
	layout_end(p->layout, 0, 3, TINT_NONE);
}

/* Prints entries with at most `limit` places each. *number: the last cause's number; counts on from there. */
static void text_findings(struct layout *layout, const struct entries *e, struct paths *paths, unsigned limit,
			  unsigned *number)
{
	struct printer p = { layout, e, paths, limit, number };
	const size_t most = ENTRIES_MOST > limit ? ENTRIES_MOST : limit;

	for (size_t i = 0; i < e->nroots && i < most; i++)
		print_cause(&p, e->order[i]);
	print_left_out(&p, most);
	if (e->nseveral)
		fputs("Consequences of one or more of these:\n", layout->out);
	for (size_t i = e->nroots; i < e->nroots + e->nseveral; i++)
		print_effect(&p, e->order[i], 3);
}

/* Prints "Problems by id: dir.entry.ino 12, inode.orphan 3.", unless there are none. */
static void text_findings_totals(struct layout *layout, const struct finding_counts *counts)
{
	FILE *out = NULL;

	for (unsigned i = 0; i < FINDING_NR && !out; i++)
		if (counts->of[i])
			out = layout_line(layout);
	if (!out)
		return;
	fputs("Problems by id: ", out);
	put_counts(out, counts);
	fputc('.', out);
	layout_end(layout, 0, 3, TINT_NONE);
}

static bool is_coloured(FILE *out, const struct options *options)
{
	const char *unwanted = getenv("NO_COLOR");

	if (options->colour != COLOUR_AUTO)
		return options->colour == COLOUR_ALWAYS;
	return (!unwanted || !*unwanted) && fileno(out) >= 0 && isatty(fileno(out));
}

void sections_begin(struct sections *s, FILE *out, const struct options *options)
{
	*s = (struct sections){ .options = options };
	layout_begin(&s->layout, out, is_coloured(out, options));
	if (options->lines)
		s->layout.width = 0;
	else
		s->fixes = fix_list_new(options->limit);
}

const char *section_title(enum section section, bool no_modify)
{
	static const char *const titles[SECTION_NR][2] = {
		[SECTION_WRONG] = { "Problems", "Problems" },
		[SECTION_FIXES] = { "Repairs", "Repairs that would be made" },
		[SECTION_TRIED] = { "Repairs that were tried", "Repairs that were tried" },
		[SECTION_FOUND] = { "Reconnected", "Would be reconnected" },
		[SECTION_LOST] = { "Lost", "Would be lost" },
		[SECTION_CHANGED] = { "Changed", "Would be changed" },
		[SECTION_LEFT] = { "Remaining problems", "Problems that would remain" },
		[SECTION_OUTCOME] = { "Result", "Result" },
	};

	return titles[section][no_modify];
}

/* Prints the heading of a section, unless it is the current one. */
static void enter(struct sections *s, enum section section)
{
	const bool more = s->section == section;

	if ((more && !s->noted) || s->options->lines)
		return;
	s->noted = false;
	s->section = section;
	if (!more)
		s->causes = 0;
	layout_heading(&s->layout, more && section == SECTION_WRONG
					   ? "More problems"
					   : section_title(section, s->options->no_modify || s->planned));
}

void sections_note(struct sections *s, const char *sentence)
{
	const bool in_list = s->section == SECTION_WRONG && !s->options->lines;

	if (in_list && !s->noted)
		fputc('\n', s->layout.out);
	s->noted = in_list;
	report_text_note(&s->layout, sentence);
}

/* Prints findings as groups; if there was no memory to group them, one per line. */
static void print_entries(struct sections *s, const struct entries *e, struct paths *paths)
{
	if (!s->options->lines && entries_made(e)) {
		text_findings(&s->layout, e, paths, s->options->limit, &s->causes);
		return;
	}
	for (size_t i = 0; i < e->nfound; i++)
		report_text_finding(s->layout.out, e->found[i], paths, s->options->verbose > 1);
}

void sections_findings(struct sections *s, const struct entries *e, struct paths *paths)
{
	if (!e->nfound)
		return;
	enter(s, SECTION_WRONG);
	print_entries(s, e, paths);
}

void sections_excess(struct sections *s, enum finding finding, uint64_t count)
{
	enter(s, SECTION_WRONG);
	report_text_excess(s->layout.out, finding, count);
}

void sections_fix(struct sections *s, const struct fix *fix, const struct found *found, struct paths *paths)
{
	s->paths = paths;
	if (!s->fixes || !fix_list_add(s->fixes, fix, found))
		report_text_fix(s->layout.out, fix->text, fix->sure, found, paths);
}

int sections_fix_inodes(const struct sections *s, struct ino_set *inos)
{
	return s->fixes ? fix_list_inodes(s->fixes, s->paths, inos) : 0;
}

static void print_fixes(struct sections *s, enum section section, struct paths *later)
{
	if (!s->fixes || fix_list_empty(s->fixes))
		return;
	enter(s, section);
	fix_list_print(s->fixes, &s->layout, s->paths, later);
	fix_list_free(s->fixes);
	s->fixes = fix_list_new(s->options->limit);
}

void sections_mended(struct sections *s, const struct fixes *fixes, uint64_t left, bool unproven, struct paths *later)
{
	const enum section section = left && !unproven ? SECTION_TRIED : SECTION_FIXES;

	print_fixes(s, section, later);
	enter(s, section);
	report_text_mended(&s->layout, fixes, left, unproven);
}

void sections_reattached(struct sections *s, const struct reattachments *list, struct paths *before,
			 struct paths *after)
{
	enter(s, SECTION_FOUND);
	if (s->options->lines)
		report_text_reattached(s->layout.out, list, before, after);
	else
		text_reattached(&s->layout, list, before, after, s->options->limit);
}

/* Prints losses of one fate; on a terminal their lines wrap with a hanging indent. */
static void print_losses(struct sections *s, const struct reported_losses *reported, enum loss_fate fate)
{
	char *text = NULL, *line, *rest;
	size_t size;
	FILE *out = s->layout.width ? open_memstream(&text, &size) : NULL;

	if (!out) {
		report_text_losses(s->layout.out, reported, fate);
		return;
	}
	report_text_losses(out, reported, fate);
	if (fclose(out))
		text = NULL;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const unsigned indent = (unsigned)strspn(line, " ");

		fputs(line + indent, layout_line(&s->layout));
		layout_end(&s->layout, indent, 2, TINT_NONE);
	}
	free(text);
}

/* Prints restored names, except those of reconnected inodes. */
static void print_gained(struct sections *s, const struct reported_losses *reported)
{
	if (!losses_has(reported, FATE_GAINED))
		return;
	enter(s, SECTION_FOUND);
	if (s->options->lines)
		fprintf(s->layout.out, "%s\n",
			reported->no_modify ? "Entries that would be restored:" : "Entries restored:");
	print_losses(s, reported, FATE_GAINED);
}

void sections_losses(struct sections *s, const struct reported_losses *reported)
{
	static const struct {
		enum loss_fate fate;
		enum section section;
		const char *title[2]; /* for --lines */
	} fates[] = {
		{ FATE_LOST, SECTION_LOST, { "Lost:", "Would be lost:" } },
		{ FATE_CHANGED, SECTION_CHANGED, { "Changed:", "Would be changed:" } },
		{ FATE_OUTDATED, SECTION_CHANGED, { "Removed:", "Would be removed:" } },
	};

	print_gained(s, reported);
	for (size_t i = 0; i < sizeof(fates) / sizeof(fates[0]); i++) {
		if (!losses_has(reported, fates[i].fate))
			continue;
		enter(s, fates[i].section);
		if (s->options->lines)
			fprintf(s->layout.out, "%s\n", fates[i].title[reported->no_modify]);
		print_losses(s, reported, fates[i].fate);
	}
	report_text_losses_unlisted(s->layout.out, reported);
}

void sections_left(struct sections *s, const struct found *found, size_t count, struct paths *paths)
{
	const struct found **all = s->options->lines || !count ? NULL : calloc(count, sizeof(*all));
	struct entries entries;

	if (!count)
		return;
	enter(s, SECTION_LEFT);
	if (!all) {
		report_text_left(s->layout.out, found, count, paths);
		return;
	}
	for (size_t i = 0; i < count; i++)
		all[i] = &found[i];
	entries_make(&entries, all, count);
	print_entries(s, &entries, paths);
	entries_free(&entries);
	free(all);
}

void sections_summary(struct sections *s, const struct outcome *outcome)
{
	print_fixes(s, outcome->complete ? SECTION_FIXES : SECTION_TRIED, NULL);
	if (s->section != SECTION_NONE)
		enter(s, SECTION_OUTCOME);
	report_text_summary(&s->layout, outcome);
	if (!s->options->lines)
		text_findings_totals(&s->layout, &outcome->counts);
}

void sections_end(struct sections *s)
{
	print_fixes(s, SECTION_TRIED, NULL);
	fix_list_free(s->fixes);
}
