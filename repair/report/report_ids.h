/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points to --explain for the findings of a report. */
#ifndef XFSCK_REPAIR_REPORT_IDS_H
#define XFSCK_REPAIR_REPORT_IDS_H

#include <stdbool.h>
#include <stdio.h>

#include "findings.h"

/* Prints the command that explains the findings, at most the first eight; nothing if there are none. */
void report_ids(FILE *out, const bool reported[static FINDING_NR]);

#endif
