/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --explain: tells what findings mean, and what a repair does with them. */
#ifndef XFSCK_REPAIR_EXPLAIN_H
#define XFSCK_REPAIR_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include "findings.h"
#include "words.h"

/*
 * Choose the findings that a list names, with commas between: ids, beginnings of ids up to a dot, or "all".  False: one
 * of them is unknown, and why says so, with ids that are like it.
 */
bool explain_choose(const char *list, bool chosen[static FINDING_NR], struct words *why);

/*
 * Print what there is to tell about the chosen findings: their own texts in the order of the table, what they are
 * about, and what a repair does.  Nothing is printed twice, and no line is longer than 80 columns, or than the terminal
 * is wide.  Headings are in capitals, what is explained is at the margin, and the text below it is indented.
 */
void explain_print(FILE *out, const bool chosen[static FINDING_NR]);

#endif
