/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens files besides the report, unless that would overwrite a file that the run needs. */
#include "report_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "quote.h"
#include "whole.h"

static bool same(const char *other, const char *path)
{
	return other && other != path && device_same_path(path, other);
}

/* Returns the file that holds a list of numbers or places, or NULL. */
static const char *list_file(const char *list)
{
	return list && list[0] == '@' ? list + 1 : NULL;
}

/* True if the path is a device to be checked. */
static bool is_device(const struct options *o, const char *path)
{
	bool found = same(o->device, path);

	for (unsigned i = 0; o->devices && i < o->device_count; i++)
		found |= same(o->devices[i], path);
	return found;
}

/* Returns why an open file must not be overwritten: another option names it by another path. NULL: it may be. */
static const char *refuse_open(const void *ctx, int fd)
{
	const struct options *o = ctx;
	const char *const inputs[] = { o->device,
				       o->log_device,
				       o->rt_device,
				       o->rollback,
				       o->query.bad,
				       list_file(o->query.name_of),
				       list_file(o->query.owner_of) };

	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
		if (inputs[i] && device_same_file(fd, inputs[i]))
			return "it is what is to be read";
	for (unsigned i = 0; o->devices && i < o->device_count; i++)
		if (device_same_file(fd, o->devices[i]))
			return "it is what is to be read";
	return NULL;
}

/* Returns why the file must not be overwritten; NULL: it may be. */
static const char *refusal(const struct options *o, const char *path)
{
	if (is_device(o, path) || same(o->log_device, path) || same(o->rt_device, path))
		return "it is what is to be checked";
	if (same(o->undo, path) || same(o->rollback, path))
		return "it is the undo file";
	if (same(o->query.bad, path) || same(list_file(o->query.name_of), path) ||
	    same(list_file(o->query.owner_of), path))
		return "it is to be read";
	if (same(o->checkpoint, path) || same(o->resume, path))
		return "it is the checkpoint";
	if (same(o->preview, path) || same(o->apply, path))
		return "it is the preview";
	if (same(o->plan_apply, path))
		return "it is the plan";
	if (same(o->plan, path) || same(o->json, path) || same(o->html, path) || same(o->trace, path) ||
	    same(o->report_file, path))
		return "something else goes there";
	return NULL;
}

int report_file_open(const struct options *o, const char *path, const char *what, FILE *err, FILE **ret_file)
{
	const char *why = refusal(o, path);
	int fd = why ? -EINVAL : output_open(path, refuse_open, o, &why), error = fd < 0 ? fd : 0;

	if (!error) {
		*ret_file = fdopen(fd, "w");
		if (*ret_file)
			return 0;
		error = -errno;
		why = strerror(errno);
		close(fd);
	}
	quote_said(err, o->program, "can't write %s to %s: %s", what, path, why);
	return error;
}

void report_file_unwritten(FILE *err, const char *program, const char *what, int error, const uint64_t *written)
{
	char done[80] = "nothing was written to the device";

	if (!error)
		return;
	if (written && *written)
		snprintf(done, sizeof(done), "%llu bytes were written to the device", (unsigned long long)*written);
	fprintf(err, "%s: the %s could not be written: %s%s%s\n", program, what, strerror(-error), written ? "; " : "",
		written ? done : "");
}

int report_scratch(FILE **ret_file)
{
	const int fd = temporary_open();

	if (fd < 0)
		return fd;
	*ret_file = fdopen(fd, "w+");
	if (*ret_file)
		return 0;
	close(fd);
	return -ENOMEM;
}

void report_scratch_copy(FILE *from, FILE *to)
{
	char buffer[16384];
	size_t n;

	if (!from)
		return;
	rewind(from);
	while ((n = fread(buffer, 1, sizeof(buffer), from)) > 0)
		fwrite(buffer, 1, n, to);
	fflush(to);
}
