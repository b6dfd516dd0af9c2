/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the lines of --trace. Each is flushed, so that the trace of a run that hangs or is killed is up to date. */
#include "trace.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report_file.h"

struct trace {
	const struct options *options;
	FILE *err, *out;
	int error; /* the first negative errno */
};

int trace_open(const struct options *options, FILE *err, struct trace **ret_trace)
{
	struct trace *t;
	int error = 0;

	*ret_trace = NULL;
	if (!options->trace)
		return 0;
	t = calloc(1, sizeof(*t));
	if (!t) {
		fprintf(err, "%s: out of memory\n", options->program);
		return -ENOMEM;
	}
	*t = (struct trace){ .options = options, .err = err, .out = err };
	if (strcmp(options->trace, "-") != 0)
		error = report_file_open(options, options->trace, "the trace", err, &t->out);
	if (error)
		free(t);
	else
		*ret_trace = t;
	return error;
}

int trace_close(struct trace *t)
{
	int error;

	if (!t)
		return 0;
	if (t->out != t->err && fclose(t->out) && !t->error)
		t->error = -errno;
	error = t->error;
	if (error)
		fprintf(t->err, "%s: the trace could not be written: %s\n", t->options->program, strerror(-error));
	free(t);
	return error;
}

uint64_t trace_now(const struct trace *t)
{
	struct timespec now;

	if (!t)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void trace_say(struct trace *t, const char *format, ...)
{
	va_list args;

	if (!t)
		return;
	va_start(args, format);
	vfprintf(t->out, format, args);
	va_end(args);
}

void trace_end(struct trace *t, uint64_t since)
{
	if (!t)
		return;
	if (since)
		fprintf(t->out, "; %.1f ms", (double)(trace_now(t) - since) / 1e6);
	fputc('\n', t->out);
	errno = 0;
	if ((fflush(t->out) || ferror(t->out)) && !t->error)
		t->error = errno ? -errno : -EIO;
}
