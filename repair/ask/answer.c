/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes sentences, and copies the beginning of a text to the page. */
#define _GNU_SOURCE 1 /* fopencookie() */

#include "table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_out.h"

#define COPY_BYTES (256u << 10) /* of a text that the page shows */

void answer_say(const struct answer *to, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(to->text, format, args);
	va_end(args);
	putc('\n', to->text);
	if (!to->page)
		return;
	html_list_end(to->page);
	html_put(to->page, "<p>");
	va_start(args, format);
	vfprintf(html_line(to->page), format, args);
	va_end(args);
	html_line_end(to->page);
	html_put(to->page, "</p>\n");
}

void answer_space(const struct answer *to)
{
	putc('\n', to->text);
}

struct answer_copy {
	FILE *text, *out;
	struct html *page;
	size_t count;	/* bytes kept */
	uint64_t lines; /* newlines and zero bytes beyond them */
	char kept[COPY_BYTES];
};

static ssize_t copy_write(void *cookie, const char *bytes, size_t size)
{
	struct answer_copy *copy = cookie;
	const size_t room = COPY_BYTES - copy->count, keep = size < room ? size : room;

	memcpy(copy->kept + copy->count, bytes, keep);
	copy->count += keep;
	for (size_t i = keep; i < size; i++)
		copy->lines += bytes[i] == '\n' || !bytes[i];
	fwrite(bytes, 1, size, copy->text); /* flushing it will show errors */
	return (ssize_t)size;
}

struct answer_copy *answer_copy_begin(FILE *text, struct html *page, unsigned section, FILE **ret_out)
{
	struct answer_copy *copy = calloc(1, sizeof(*copy));

	if (copy)
		copy->out = fopencookie(copy, "w", (cookie_io_functions_t){ .write = copy_write });
	if (!copy || !copy->out) {
		free(copy);
		return NULL;
	}
	copy->text = text;
	copy->page = page;
	html_enter(page, section);
	*ret_out = copy->out;
	return copy;
}

/* Drops an incomplete last line, which is counted with the others. A zero byte, as in paths0, becomes a newline. */
static void trim(struct answer_copy *copy)
{
	for (size_t i = 0; i < copy->count; i++)
		if (!copy->kept[i])
			copy->kept[i] = '\n';
	if (copy->count == COPY_BYTES)
		while (copy->count && copy->kept[copy->count - 1] != '\n')
			copy->count--;
}

void answer_copy_end(struct answer_copy *copy)
{
	struct html *page;

	if (!copy)
		return;
	fclose(copy->out);
	page = copy->page;
	trim(copy);
	html_list_end(page);
	html_put(page, copy->count ? "<pre>" : "<p>Nothing.</p>\n");
	fwrite(copy->kept, 1, copy->count, html_line(page));
	html_line_end(page);
	if (copy->count)
		html_put(page, "</pre>\n");
	if (copy->lines) {
		html_put(page, "<p>and ");
		html_number(page, copy->lines);
		html_put(page, copy->lines == 1 ? " more line, which" : " more lines, which");
		html_put(page, " the same command without --html prints.</p>\n");
	}
	free(copy);
}
