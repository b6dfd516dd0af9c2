/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens files that are written beside the report, unless that would overwrite what the run needs. */
#include "report_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool same(const char *other, const char *path)
{
	return other && other != path && device_same_path(path, other);
}

/* Why the file must not be overwritten; NULL: it may be. */
static const char *refusal(const struct options *o, const char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISBLK(st.st_mode))
		return "it is a block device";
	if (same(o->device, path) || same(o->log_device, path) || same(o->rt_device, path))
		return "it is what is to be checked";
	if (same(o->undo, path) || same(o->rollback, path))
		return "it is the undo file";
	if (same(o->preview, path) || same(o->apply, path))
		return "it is the preview";
	if (same(o->plan_apply, path))
		return "it is the plan";
	if (same(o->plan, path) || same(o->json, path) || same(o->html, path) || same(o->trace, path))
		return "something else goes there";
	return NULL;
}

int report_file_open(const struct options *o, const char *path, const char *what, FILE *err, FILE **ret_file)
{
	const char *why = refusal(o, path);
	int error = -EINVAL;
	FILE *file = NULL;

	if (!why)
		file = fopen(path, "we");
	if (file) {
		*ret_file = file;
		return 0;
	}
	if (!why) {
		error = -errno;
		why = strerror(errno);
	}
	fprintf(err, "%s: can't write %s to %s: %s\n", o->program, what, path, why);
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
