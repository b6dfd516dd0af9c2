/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --explain: describes findings, and how a repair treats them. */
#ifndef XFSCK_REPAIR_EXPLAIN_H
#define XFSCK_REPAIR_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include "findings.h"
#include "words.h"

/*
 * Chooses the findings that a list names: ids, prefixes of ids up to a dot, or "all", separated by commas. False: an
 * item is unknown; why says which, and suggests similar ids.
 */
bool explain_choose(const char *list, bool chosen[static FINDING_NR], struct words *why);

/*
 * Prints texts on the chosen findings in table order, on their subjects, and on repairs, each once. Lines are at most
 * 80 columns, and no wider than the terminal. Headings are in capitals, terms are at the margin, their texts are
 * indented.
 */
void explain_print(FILE *out, const bool chosen[static FINDING_NR]);

/* Prints the command that explains the findings, at most the first eight; nothing if there are none. */
void report_ids(FILE *out, const bool reported[static FINDING_NR]);

#endif
