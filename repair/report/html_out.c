/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Escapes texts, and keeps sections and lists in order. Names come in as quote_print() writes them; in other texts,
 * such as arguments, invalid UTF-8 and control characters become U+FFFD.
 */
#include "html_out.h"

#include <errno.h>
#include <string.h>

#include "quote.h"
#include "words.h"

void html_put(struct html *h, const char *text)
{
	fputs(text, h->out);
}

/* Returns the entity for a character; NULL: it is written as it is. */
static const char *entity_of(uint32_t code)
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return code >= ' ' || code == '\n' || code == '\t' ? NULL : "&#xfffd;";
	}
}

static void put_escaped(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0, n; i < length; i += n ? n : 1) {
		uint32_t code = 0;
		const char *entity;

		n = quote_character((const uint8_t *)text + i, length - i, &code);
		entity = entity_of(n ? code : 0);
		if (entity)
			fputs(entity, out);
		else
			fwrite(text + i, 1, n, out);
	}
}

FILE *html_line(struct html *h)
{
	rewind(h->line);
	return h->line;
}

/* Returns the bytes of h->text written to the line. */
static size_t length_of_line(struct html *h)
{
	if (!fflush(h->line) && !ferror(h->line))
		return h->size;
	h->error = h->error ? h->error : -ENOMEM;
	return 0;
}

void html_line_end(struct html *h)
{
	const size_t length = length_of_line(h); /* may move h->text */

	put_escaped(h->out, h->text, length);
}

void html_text(struct html *h, const char *text)
{
	put_escaped(h->out, text, strlen(text));
}

void html_number(struct html *h, uint64_t number)
{
	struct words w = { 0 };

	words_add_number(&w, number);
	html_put(h, w.text);
}

void html_bar(struct html *h, double value, double longest)
{
	fprintf(h->out,
		"<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
		"<rect width=\"%.1f\" height=\"8\"/></svg>",
		longest > 0 ? value * 100 / longest : 0);
}

void html_lines_end(struct html *h, const char *before, const char *after)
{
	const size_t length = length_of_line(h);
	size_t start = 0;

	while (start < length) {
		const char *newline = memchr(h->text + start, '\n', length - start);
		const size_t end = newline ? (size_t)(newline - h->text) : length;

		while (start < end && h->text[start] == ' ')
			start++;
		html_put(h, before);
		put_escaped(h->out, h->text + start, end - start);
		html_put(h, after);
		start = end + 1;
	}
}

/* ---- sections ---- */

static const char *id_of(unsigned section)
{
	static const char *const ids[HTML_SECTIONS] = {
		[HTML_NOTES] = "notes",	    [SECTION_WRONG] = "wrong",	   [SECTION_FIXES] = "fixes",
		[SECTION_FOUND] = "found",  [SECTION_LOST] = "lost",	   [SECTION_CHANGED] = "changed",
		[SECTION_LEFT] = "left",    [SECTION_OUTCOME] = "outcome", [HTML_MAP] = "map",
		[HTML_TIMES] = "times",	    [HTML_MEANING] = "meaning",	   [HTML_LIST] = "list",
		[HTML_NAME_OF] = "names",   [HTML_OWNER] = "owners",	   [HTML_BAD] = "bad-places",
		[HTML_EXTENTS] = "extents", [HTML_FRAG] = "fragments",	   [HTML_FREE] = "free-space",
		[HTML_SUMMARY] = "summary", [HTML_EXTRACT] = "copied",
	};

	return ids[section];
}

static const char *title_of(const struct html *h, unsigned section)
{
	static const char *const titles[HTML_SECTIONS] = {
		[HTML_NOTES] = "Notes",
		[HTML_MAP] = "Allocation groups",
		[HTML_TIMES] = "Time and reads",
		[HTML_MEANING] = "Explanations",
		[HTML_LIST] = "Files",
		[HTML_EXTRACT] = "Files copied out",
		[HTML_NAME_OF] = "Names",
		[HTML_OWNER] = "Owners of locations",
		[HTML_BAD] = "Damage by bad locations",
		[HTML_EXTENTS] = "Extents of a file",
		[HTML_FRAG] = "Fragmentation",
		[HTML_FREE] = "Free space",
		[HTML_SUMMARY] = "Space in use",
	};

	return titles[section] ? titles[section]
			       : section_title((enum section)section, h->options->no_modify || h->planned);
}

void html_list_end(struct html *h)
{
	if (h->list)
		html_put(h, h->list);
	h->list = NULL;
}

void html_list(struct html *h, const char *begin, const char *end)
{
	if (h->list && !strcmp(h->list, end))
		return;
	html_list_end(h);
	html_put(h, begin);
	h->list = end;
}

void html_enter(struct html *h, unsigned section)
{
	const char *id = id_of(section);

	if (h->in_section && h->section == section)
		return;
	html_list_end(h);
	if (h->in_section)
		html_put(h, "</section>\n");
	h->in_section = true;
	h->section = section;
	if (h->begun[section]) { /* the page shows it below the first part */
		fprintf(h->out, "<section class=\"%s\">\n", id);
		return;
	}
	h->begun[section] = true;
	fprintf(h->out, "<section id=\"%s\" class=\"%s\">\n<h2>%s</h2>\n", id, id, title_of(h, section));
}
