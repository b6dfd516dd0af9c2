/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each cause is a numbered entry: the first place in full, more places of the same kind nearby, and a line for each
 * kind of possible consequence. If there are many causes, the heaviest are listed, and the others counted by kind.
 */
#include "text_findings.h"

#include <inttypes.h>

#include "finding_text.h"
#include "report.h"
#include "words.h"

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

void text_findings(struct layout *layout, const struct entries *e, struct paths *paths, unsigned limit,
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

void text_findings_totals(struct layout *layout, const struct finding_counts *counts)
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
