/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text report in the order in which people need it: what is wrong, what a repair does, what was found again, what
 * is lost, what is left, and the outcome.  With --lines, findings and fixes one a line, as they come.
 */
#ifndef XFSCK_REPAIR_SECTIONS_H
#define XFSCK_REPAIR_SECTIONS_H

#include "finding.h"
#include "layout.h"

struct entries;
struct fix;
struct fix_list;
struct fixes;
struct ino_set;
struct losses_told;
struct options;
struct outcome;
struct paths;
struct reattachments;

enum section {
	SECTION_NONE,
	SECTION_WRONG,
	SECTION_FIXES,
	SECTION_TRIED, /* fixes that are not written, since problems are left */
	SECTION_FOUND,
	SECTION_LOST,
	SECTION_CHANGED,
	SECTION_LEFT,
	SECTION_OUTCOME,
	SECTION_NR,
};

struct sections {
	struct layout layout;
	const struct options *options;
	enum section section;	/* that was begun last */
	unsigned causes;	/* that were printed in it */
	bool noted;		/* a note was printed in it, below its list */
	struct fix_list *fixes; /* that are yet to be printed; NULL: they are printed as they come */
	struct paths *paths;	/* of their inodes */
};

/* Returns the heading of a section, of a check or of a repair. */
const char *section_title(enum section section, bool no_modify);

void sections_begin(struct sections *sections, FILE *out, const struct options *options);
/* Print what was not printed yet, since the run ended early. */
void sections_end(struct sections *sections);

/* Print a note; one between problems ends their list, which is continued under another heading. */
void sections_note(struct sections *sections, const char *sentence);
void sections_findings(struct sections *sections, const struct entries *entries, struct paths *paths);
/* There are more findings of this kind than are kept. */
void sections_excess(struct sections *sections, enum finding finding, uint64_t count);
/* paths must live until the fixes are printed, as sections_mended() does. */
void sections_fix(struct sections *sections, const struct fix *fix, const struct found *found, struct paths *paths);
/* Add the inodes whose paths would help to tell of the fixes, and are not known. 0 or -ENOMEM. */
int sections_fix_inodes(const struct sections *sections, struct ino_set *inos);
/* As report_text_mended(), behind all fixes; later: paths of inodes that came up in later rounds, or NULL. */
void sections_mended(struct sections *sections, const struct fixes *fixes, uint64_t left, bool unproven,
		     struct paths *later);
void sections_reattached(struct sections *sections, const struct reattachments *list, struct paths *before,
			 struct paths *after);
void sections_losses(struct sections *sections, const struct losses_told *told);
void sections_left(struct sections *sections, const struct found *found, size_t count, struct paths *paths);
void sections_summary(struct sections *sections, const struct outcome *outcome);

#endif
