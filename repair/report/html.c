/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens and closes the page, and writes notes. */
#include "html.h"

#include <errno.h>
#include <stdlib.h>

#include "html_out.h"
#include "report_file.h"

static void put_head(struct html *h)
{
	html_put(h, html_page_begin);
	html_put(h, "xfsck: ");
	html_text(h, h->options->device);
	html_put(h, html_page_head);
	html_text(h, h->options->device);
	html_text(h, h->options->range[0] ? " " : "");
	html_text(h, h->options->range);
	html_put(h, html_page_open);
}

int html_open(const struct options *options, FILE *err, struct html **ret_html)
{
	struct html *h;
	int error;

	if (!options->html)
		return 0;
	h = calloc(1, sizeof(*h));
	if (h)
		h->line = open_memstream(&h->text, &h->size);
	if (!h || !h->line) {
		free(h);
		fprintf(err, "%s: out of memory\n", options->program);
		return -ENOMEM;
	}
	h->options = options;
	error = report_file_open(options, options->html, "the page", err, &h->out);
	if (error) {
		fclose(h->line);
		free(h->text);
		free(h);
		return error;
	}
	put_head(h);
	*ret_html = h;
	return 0;
}

void html_flush(struct html *h)
{
	errno = 0;
	if (h && (fflush(h->out) || ferror(h->out)) && !h->error)
		h->error = errno ? -errno : -EIO;
}

int html_close(struct html *h)
{
	int error;

	if (!h)
		return 0;
	html_list_end(h);
	if (h->in_section)
		html_put(h, "</section>\n");
	html_put(h, html_page_end);
	html_flush(h);
	if (fclose(h->out) && !h->error)
		h->error = -errno;
	error = h->error;
	group_map_free(h->map);
	fclose(h->line);
	free(h->text);
	free(h);
	return error;
}

void html_geometry(struct html *h, const struct geometry *geo)
{
	if (!h)
		return;
	group_map_free(h->map);
	h->map = group_map_new(geo);
	if (!h->map && !h->error)
		h->error = -ENOMEM;
}

struct group_map *html_map(const struct html *h)
{
	return h ? h->map : NULL;
}

static void put_sentence(struct html *h, const char *begin, const char *sentence)
{
	html_enter(h, HTML_NOTES);
	html_put(h, begin);
	html_text(h, sentence);
	html_put(h, "</p>\n");
}

void html_note(struct html *h, const char *sentence)
{
	if (h)
		put_sentence(h, "<p>", sentence);
}

void html_trouble(struct html *h, const char *sentence)
{
	if (h)
		put_sentence(h, "<p class=\"trouble\">", sentence);
}
