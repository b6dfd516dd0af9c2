/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text report in the order in which people need it: problems, repairs, reconnected files, losses, remaining
 * problems, result. With --lines, findings and fixes one per line, as they come.
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
struct reported_losses;
struct options;
struct outcome;
struct paths;
struct reattachments;

enum section {
	SECTION_NONE,
	SECTION_WRONG,
	SECTION_FIXES,
	SECTION_TRIED, /* fixes that are not written, since problems remain */
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
	enum section section;	/* the current section */
	unsigned causes;	/* causes printed in it */
	bool noted;		/* a note was printed below its list */
	bool planned;		/* the repair waits for consent: its losses would happen */
	struct fix_list *fixes; /* fixes to be printed later; NULL: print them as they come */
	struct paths *paths;	/* paths of their inodes */
};

/* Returns the heading of a section, for a check or a repair. */
const char *section_title(enum section section, bool no_modify);

void sections_begin(struct sections *sections, FILE *out, const struct options *options);
/* Prints remaining fixes if the run ended early. */
void sections_end(struct sections *sections);

/* Prints a note. A note between problems ends their list, which continues under another heading. */
void sections_note(struct sections *sections, const char *sentence);
void sections_findings(struct sections *sections, const struct entries *entries, struct paths *paths);
/* Prints how many more findings of a kind there are than are kept. */
void sections_excess(struct sections *sections, enum finding finding, uint64_t count);
/* paths must live until sections_mended() prints the fixes. */
void sections_fix(struct sections *sections, const struct fix *fix, const struct found *found, struct paths *paths);
/* Adds inodes of fixes whose paths are missing. 0 or -ENOMEM. */
int sections_fix_inodes(const struct sections *sections, struct ino_set *inos);
/* Prints all fixes, then report_text_mended(). later: paths of inodes from later rounds, or NULL. */
void sections_mended(struct sections *sections, const struct fixes *fixes, uint64_t left, bool unproven,
		     struct paths *later);
void sections_reattached(struct sections *sections, const struct reattachments *list, struct paths *before,
			 struct paths *after);
void sections_losses(struct sections *sections, const struct reported_losses *reported);
void sections_left(struct sections *sections, const struct found *found, size_t count, struct paths *paths);
void sections_summary(struct sections *sections, const struct outcome *outcome);

#endif
