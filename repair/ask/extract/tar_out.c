/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An incomplete archive is useless, so the file has no name until it is complete. */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int tar_out_open(struct tar_out *out, const char *path)
{
	*out = (struct tar_out){ .file = { .folder = -1, .fd = -1 }, .shown = !strcmp(path, "-") };
	if (!out->shown)
		return nameless_open(&out->file, path, O_WRONLY);
	out->file.fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	return out->file.fd < 0 ? -errno : 0;
}

int tar_out_close(struct tar_out *out, bool whole)
{
	const int ret = whole && !out->shown && out->file.fd >= 0 ? nameless_finish(&out->file) : 0;
	const int closed = nameless_close(&out->file);

	return ret ? ret : closed;
}
