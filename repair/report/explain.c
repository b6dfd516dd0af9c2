/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Combines the texts of include/explain/. The manual page xfsck-findings(7) is its output for all findings. */
#include <string.h>

#include "explain.h"
#include "explain_text.h"
#include "finding.h"
#include "layout.h"
#include "mender.h"
#include "report.h"

#define CONTENTS_HEADING "CONTENTS OF OBJECTS"
#define TREE_HEADING	 "TREES AND BLOCKS OF OBJECTS"
#define INDENT		 2
#define ALIKE_MOST	 8 /* ids suggested instead of an unknown one */

static const char *const severities[SEVERITY_NR] = {
	[SEV_FATAL] = "nothing more can be checked",
	[SEV_CORRUPT] = "it breaks a rule of its own",
	[SEV_XREF] = "two records disagree, and either may be wrong",
	[SEV_PREEN] = "harmless, a repair tidies it",
	[SEV_NOTE] = "it is no damage",
};

static const char *const classes[] = {
	[CLASS_PRIMARY] = "",
	[CLASS_SECONDARY] = " The same is recorded elsewhere.",
	[CLASS_SUMMARY] = " It is a counter, which can be recounted.",
};

static const char *const certainties[SURE_NR] = {
	[SURE_CERTAIN] = " It is usually certain.",
	[SURE_LIKELY] = " It is usually likely.",
	[SURE_GUESS] = " It is a guess.",
};

static const char *const common =
	"The repair is worked out in memory and checked before anything is written; -n shows it. Whatever a checksum, "
	"the log or another place on the device still has is restored first, without loss. The report lists all "
	"losses, "
	"and says how sure each fix is. Certain: confirmed by a checksum, by two independent records, or by a full "
	"count. "
	"Likely: confirmed by one record, and contradicted by none of equal weight. Guess: confirmed by none; check "
	"the "
	"result.";

/* Suggests ids that share a prefix with an unknown one, up to the last dot for which there are any. */
static void add_alike(struct words *why, const char *unknown)
{
	struct words beginning = { 0 };
	unsigned count = 0;
	char *dot;

	words_add(&beginning, "%s", unknown);
	while (!count && (dot = strrchr(beginning.text, '.'))) {
		*dot = '\0';
		for (enum finding i = 0; i < FINDING_NR; i++)
			if (explain_begins(finding_id(i), beginning.text) && count++ < ALIKE_MOST)
				words_add(why, "%s%s", count == 1 ? "; there are " : ", ", finding_id(i));
	}
	if (count > ALIKE_MOST)
		words_add(why, " and more, see --explain %s", beginning.text);
	else if (!count)
		words_add(why, "; --explain all lists all");
}

/* Chooses the findings that one item of the list names. False: none. */
static bool choose(const char *item, bool chosen[static FINDING_NR])
{
	const bool all = !strcmp(item, "all");
	bool any = false;

	for (enum finding i = 0; i < FINDING_NR; i++)
		if (!strcmp(finding_id(i), item))
			return chosen[i] = true;
	for (enum finding i = 0; i < FINDING_NR; i++)
		if (all || explain_begins(finding_id(i), item))
			any = chosen[i] = true;
	return any;
}

bool explain_choose(const char *list, bool chosen[static FINDING_NR], struct words *why)
{
	size_t length;

	for (;; list += length + 1) {
		struct words item = { 0 };

		length = strcspn(list, ",");
		words_add(&item, "%.*s", length < sizeof(item.text) ? (int)length : (int)sizeof(item.text), list);
		if (!choose(item.text, chosen)) {
			words_add(why, "no finding is called '%.64s'", item.text);
			add_alike(why, item.text);
			return false;
		}
		if (!list[length])
			return true;
	}
}

/* Prints texts as one indented paragraph. All but the first begin with a space. */
static void print_paragraph(FILE *out, const char *const *texts, size_t count)
{
	const size_t columns = terminal_width(out);
	struct layout layout = { .out = out,
				 .width = (unsigned)(columns < DEFAULT_WIDTH ? columns : DEFAULT_WIDTH - 1) };
	FILE *line = layout_line(&layout);

	for (size_t i = 0; i < count; i++)
		fputs(texts[i], line);
	layout_end(&layout, INDENT, 0, TINT_NONE);
}

static void print_finding(FILE *out, enum finding finding)
{
	const enum severity severity = finding_severity(finding);
	const enum mend_kind kind = finding_mender(finding);
	const char *text = explain_finding(finding);
	struct words summary = { 0 };
	const char *line = summary.text;

	words_add(&summary, "Severity: %s (%s).%s", severity_name(severity), severities[severity],
		  classes[finding_class(finding)]);
	if (kind == MEND_CONTENTS || kind == MEND_TREE)
		words_add(&summary, " Repair: by the object, see %s.",
			  kind == MEND_CONTENTS ? CONTENTS_HEADING : TREE_HEADING);
	else
		words_add(&summary, " Repair: %s.", mender_name(kind));
	fprintf(out, "\n%s\n", finding_id(finding));
	print_paragraph(out, &text, 1);
	print_paragraph(out, &line, 1);
}

/* True if a chosen finding has this mender, or this marker for the object's mender, in its row. */
static bool any_for(const bool chosen[static FINDING_NR], enum mend_kind kind)
{
	for (enum finding i = 0; i < FINDING_NR; i++)
		if (chosen[i] && finding_mender(i) == kind)
			return true;
	return false;
}

static bool any_about(const bool chosen[static FINDING_NR], const struct explain_subject *subject)
{
	for (enum finding i = 0; i < FINDING_NR; i++)
		if (chosen[i] && explain_subject(i) == subject)
			return true;
	return false;
}

static void print_subjects(FILE *out, const bool chosen[static FINDING_NR])
{
	size_t count;
	const struct explain_subject *subjects = explain_subjects(&count);

	fputs("\nWHAT THEY ARE ABOUT\n", out);
	for (size_t i = 0; i < count; i++) {
		if (!any_about(chosen, &subjects[i]))
			continue;
		fprintf(out, "\n%s\n", subjects[i].beginning);
		print_paragraph(out, &subjects[i].text, 1);
	}
}

/* Prints what each object is, and how a repair treats its contents, or its tree and blocks. */
static void print_objects(FILE *out, const char *heading, enum mend_kind which)
{
	fprintf(out, "\n%s\n", heading);
	for (enum object i = 0; i < OBJECT_NR; i++) {
		const enum mend_kind kind = object_mender(i, which);
		struct words repair = { 0 };
		const char *texts[] = { explain_object(i), repair.text };

		if (kind == MEND_NOTHING)
			continue;
		words_add(&repair, " Repair: %s (%s).", mender_text(kind), sure_name(mender_sure(kind)));
		fprintf(out, "\n%s\n", object_name(i));
		print_paragraph(out, texts, sizeof(texts) / sizeof(texts[0]));
	}
}

/* Prints what the menders of the chosen findings do; for all findings, every mender. */
static void print_menders(FILE *out, const bool chosen[static FINDING_NR])
{
	const bool all = !memchr(chosen, 0, FINDING_NR);

	fputs("\nREPAIRS\n\n", out);
	print_paragraph(out, &common, 1);
	for (enum mend_kind kind = 0; kind < MEND_NR; kind++) {
		const char *certainty = kind == MEND_NOTHING ? "" : certainties[mender_sure(kind)];
		const char *texts[] = { explain_mender(kind), certainty };

		if (!all && !any_for(chosen, kind))
			continue;
		fprintf(out, "\n%s\n", mender_name(kind));
		print_paragraph(out, texts, sizeof(texts) / sizeof(texts[0]));
	}
}

void explain_print(FILE *out, const bool chosen[static FINDING_NR])
{
	fputs("FINDINGS\n", out);
	for (enum finding i = 0; i < FINDING_NR; i++)
		if (chosen[i])
			print_finding(out, i);
	print_subjects(out, chosen);
	print_menders(out, chosen);
	if (any_for(chosen, MEND_CONTENTS))
		print_objects(out, CONTENTS_HEADING, MEND_CONTENTS);
	if (any_for(chosen, MEND_TREE))
		print_objects(out, TREE_HEADING, MEND_TREE);
}
