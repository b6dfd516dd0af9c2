/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page about many images: a table that begins with damaged ones. */
#include "escape.h"
#include "image_reports.h"
#include "report/html.h"

/* The order in which images are listed. */
static const enum verdict order[] = { VERDICT_DAMAGED, VERDICT_UNCHECKED, VERDICT_REPAIRED, VERDICT_CLEAN };

#define ORDERS (sizeof(order) / sizeof(order[0]))

static void put_cell(FILE *out, const char *text)
{
	fputs("<td>", out);
	escape_name(out, text, ESCAPE_XML);
	fputs("</td>", out);
}

static void put_row(FILE *out, const struct image_row *row)
{
	const bool bad = row->verdict == VERDICT_DAMAGED || row->verdict == VERDICT_UNCHECKED;

	fputs("<tr>", out);
	put_cell(out, row->host);
	put_cell(out, row->device);
	fprintf(out, "<td%s>%s</td><td class=\"name\">", bad ? " class=\"trouble\"" : "",
		image_verdict_name(row->verdict));
	escape_line(out, row->words.text, ESCAPE_XML);
	fputs("</td>", out);
	put_cell(out, row->start);
	put_cell(out, row->uuid);
	fputs("</tr>\n", out);
}

void image_page(FILE *out, const struct image_row *rows, unsigned count)
{
	struct words w = { 0 };
	const bool sound = image_counts_add(rows, count, &w);

	fputs(html_page_begin, out);
	fputs("xfsck: all images", out);
	fputs(html_page_head, out);
	fprintf(out, "<section class=\"outcome\"><div class=\"verdict %s\"><p>%s</p></div></section>\n",
		sound ? "good" : "bad", w.text);
	fputs("<section class=\"summary\"><h2>Images</h2><div class=\"wide\"><table>\n<thead><tr><th>Host</th>"
	      "<th>Device</th><th>Verdict</th><th>Findings</th><th>Checked</th><th>UUID</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < ORDERS; i++)
		for (unsigned image = 0; image < count; image++)
			if (rows[image].verdict == order[i])
				put_row(out, &rows[image]);
	fputs("</tbody></table></div></section>\n", out);
	fputs(html_page_end, out);
}
