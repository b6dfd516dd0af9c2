/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints messages, with names from the disk quoted for a terminal. */
#include "extract_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "report/quote.h"

/* A line for standard error, written at once, since that is unbuffered. */
struct line {
	FILE *memory; /* NULL: out of memory, writes directly */
	char *text;
	size_t size;
};

static FILE *line_begin(struct line *line)
{
	*line = (struct line){ .memory = NULL };
	line->memory = open_memstream(&line->text, &line->size);
	return line->memory ? line->memory : stderr;
}

static void line_end(struct line *line)
{
	if (line->memory && !fclose(line->memory))
		fwrite(line->text, 1, line->size, stderr);
	free(line->text);
}

static void tell(const struct extract_report *report, const struct byte_buffer *path, const char *format, va_list args)
{
	struct line line;
	FILE *out = line_begin(&line);

	fprintf(out, "%s: ", report->program);
	quote_marked(out, path->len ? path->bytes : (const uint8_t *)"/", path->len ? path->len : 1);
	fputs(": ", out);
	vfprintf(out, format, args);
	putc('\n', out);
	line_end(&line);
}

void extract_report_file(struct extract_report *report, const struct byte_buffer *path, const char *format, ...)
{
	va_list args;

	report->incomplete++;
	va_start(args, format);
	tell(report, path, format, args);
	va_end(args);
}

void extract_report_range(const struct extract_report *report, const struct byte_buffer *path, uint64_t offset,
			  uint64_t end, bool kept)
{
	struct line line;
	FILE *out = line_begin(&line);

	fprintf(out, "%s: ", report->program);
	quote_marked(out, path->bytes, path->len);
	fprintf(out, ": bytes %" PRIu64 " to %" PRIu64 " can't be read%s\n", offset, end - 1,
		kept ? ", and are zeroes" : ": it is left out");
	line_end(&line);
}

void extract_report_end(const struct extract_report *report)
{
	static const char *const sentences[] = {
#define x(name, sentence) sentence,
		EXTRACT_ONCE_TABLE(x)
#undef x
	};

	for (unsigned i = 0; i < ONCE_NR; i++)
		if (report->once[i])
			fprintf(stderr, "%s: %" PRIu64 " %s%s.\n", report->program, report->once[i],
				i == ONCE_NAME ? "" : "files ", sentences[i]);
}
