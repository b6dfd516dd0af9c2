/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line with the ids of findings, as --explain takes them. */
#include "finding.h"
#include "report.h"
#include "explain.h"

#define IDS_MOST 8

void report_ids(FILE *out, const bool reported[static FINDING_NR])
{
	unsigned count = 0;

	for (enum finding i = 0; i < FINDING_NR; i++)
		if (reported[i] && count++ < IDS_MOST)
			fprintf(out, "%s%s", count == 1 ? "Explained by: xfsck --explain " : ",", finding_id(i));
	if (count > IDS_MOST)
		fprintf(out, " (and %u more)", count - IDS_MOST);
	if (count)
		fputc('\n', out);
}
