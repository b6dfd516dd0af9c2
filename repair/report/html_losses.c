/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Losses and changes, a line for each name and file, in lists with a search field. */
#include "html_out.h"
#include "quote.h"
#include "reattached.h"
#include "report_losses.h"
#include "sets/number_set.h"

/* Writes the search field, hidden until the page's script shows it: without the script it would do nothing. */
static void put_search(struct html *h)
{
	html_put(h, "<p class=\"search\" hidden><label>Find <input type=\"search\" id=\"find\"></label> "
		    "<output id=\"shown\"></output></p>\n");
}

/* Writes the lines of the text report about an object. */
static void put_loss(struct html *h, const struct reported_losses *reported, const struct loss *l, size_t count)
{
	report_text_loss(html_line(h), reported, l, count);
	html_lines_end(h, "<li>", "</li>\n");
}

static void put_fate(struct html *h, const struct reported_losses *reported, enum loss_fate fate, enum section section,
		     const struct ino_set *named)
{
	const struct loss_list *list = reported->list;

	if (!losses_has(reported, fate))
		return;
	html_enter(h, section);
	if (fate == FATE_LOST || (fate == FATE_CHANGED && !h->begun[SECTION_LOST]))
		put_search(h);
	html_list(h, "<ul class=\"rows\">\n", "</ul>\n");
	for (size_t i = 0, n; i < list->count; i += n) {
		const struct loss *l = &list->all[i];

		/* a known name has a line of its own */
		for (n = 1; (l->kind != LOSS_NAME || l->witness == WITNESS_COUNT) && i + n < list->count &&
			    loss_same_object(l, &list->all[i + n]);
		     n++)
			;
		if (l->fate == fate && !losses_listed_by_name(l, named) && !losses_left_out(l))
			put_loss(h, reported, l, n);
	}
	if (fate != FATE_LOST)
		return;
	report_text_losses_missing(html_line(h), reported);
	html_lines_end(h, "<li>", "</li>\n");
}

void html_losses(struct html *h, const struct reported_losses *reported)
{
	struct ino_set named = { 0 };

	if (!h)
		return;
	losses_named(reported->list, &named);
	put_fate(h, reported, FATE_GAINED, SECTION_FOUND, &named);
	put_fate(h, reported, FATE_LOST, SECTION_LOST, &named);
	put_fate(h, reported, FATE_CHANGED, SECTION_CHANGED, &named);
	put_fate(h, reported, FATE_OUTDATED, SECTION_CHANGED, &named);
	ino_set_free(&named);
	if (!reported->list->left_out)
		return;
	html_enter(h, SECTION_LOST);
	report_text_losses_unlisted(html_line(h), reported);
	html_lines_end(h, "<p>", "</p>\n");
}

static void put_path(struct html *h, const struct path *path)
{
	if (path->len)
		quote_print(html_line(h), path->bytes, path->len);
	else
		fputs("(no path)", html_line(h));
	html_line_end(h);
}

void html_planned(struct html *h)
{
	if (h)
		h->planned = true;
}

void html_reattached(struct html *h, const struct reattachments *list, struct paths *before, struct paths *after)
{
	if (!h || !list->count)
		return;
	html_enter(h, SECTION_FOUND);
	html_list(h, "<table class=\"rows\"><thead><tr><th>inode<th>it was<th>it is<th>why</tr></thead><tbody>\n",
		  "</tbody></table>\n");
	for (size_t i = 0; i < list->count; i++) {
		const struct reattached *one = &list->all[i];
		struct path was, is;

		paths_find(before, one->ino, &was);
		paths_find(after, one->ino, &is);
		fprintf(h->out, "<tr><td>%llu<td>", (unsigned long long)one->ino.v);
		put_path(h, &was);
		html_put(h, "<td>");
		put_path(h, &is);
		html_put(h, "<td>");
		html_text(h, reattached_why(one, &was));
		html_put(h, "</tr>\n");
	}
}
