/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How what a report tells of is explained. */
#ifndef XFSCK_REPAIR_REPORT_IDS_H
#define XFSCK_REPAIR_REPORT_IDS_H

#include <stdbool.h>
#include <stdio.h>

#include "findings.h"

/* Print the command that explains the findings of the report, at most the first few of them.  Nothing if none were. */
void report_ids(FILE *out, const bool told[static FINDING_NR]);

#endif
