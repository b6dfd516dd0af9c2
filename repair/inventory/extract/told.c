/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names from the disk are quoted, as they go to a terminal. */
#include "told.h"

#include <inttypes.h>
#include <stdarg.h>

#include "report/quote.h"

static void tell(const struct told *told, const struct byte_buffer *path, const char *format, va_list args)
{
	fprintf(stderr, "%s: ", told->program);
	quote_marked(stderr, path->len ? path->bytes : (const uint8_t *)"/", path->len ? path->len : 1);
	fputs(": ", stderr);
	vfprintf(stderr, format, args);
	putc('\n', stderr);
}

void told_of(struct told *told, const struct byte_buffer *path, const char *format, ...)
{
	va_list args;

	told->incomplete++;
	va_start(args, format);
	tell(told, path, format, args);
	va_end(args);
}

void told_range(const struct told *told, const struct byte_buffer *path, uint64_t offset, uint64_t end, bool kept)
{
	fprintf(stderr, "%s: ", told->program);
	quote_marked(stderr, path->bytes, path->len);
	fprintf(stderr, ": bytes %" PRIu64 " to %" PRIu64 " can't be read%s\n", offset, end - 1,
		kept ? ", and are zeroes" : ": it is left out");
}

void told_end(const struct told *told)
{
	static const char *const sentences[] = {
#define x(name, sentence) sentence,
		TOLD_ONCE_TABLE(x)
#undef x
	};

	for (unsigned i = 0; i < ONCE_NR; i++)
		if (told->once[i])
			fprintf(stderr, "%s: %" PRIu64 " %s%s.\n", told->program, told->once[i],
				i == ONCE_NAME ? "" : "files ", sentences[i]);
}
