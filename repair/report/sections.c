/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Begins a section when its first item comes, and keeps fixes until all are known, so that they can be grouped. */
#include "sections.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fix_list.h"
#include "report_losses.h"
#include "report_text.h"
#include "text_findings.h"

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
