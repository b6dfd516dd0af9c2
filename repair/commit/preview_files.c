/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preview_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "output.h"
#include "preview_list.h"
#include "qcow.h"
#include "repair.h"
#include "report.h"
#include "run.h"

static int begin(struct nameless *file, const char *path, int flags, char *message, size_t size)
{
	const int ret = nameless_open(file, path, flags);

	if (ret)
		snprintf(message, size, "the preview %s can't be written: %s", path, output_words(ret));
	return ret;
}

static int open_overlay(struct preview_files *f, unsigned i, const struct device *device, char *message, size_t size)
{
	int ret = begin(&f->overlays[i], f->names[i], O_RDWR, message, size);

	if (!ret)
		ret = qcow_create(&f->overlays[i], device, message, size);
	if (!ret)
		ret = qcow_open_new(&f->overlays[i], &f->qcows[i], message, size);
	if (!ret && qcow_bytes(f->qcows[i]) < device_bytes(device)) {
		snprintf(message, size, "the preview %s is smaller than its device", f->names[i]);
		ret = -EIO;
	}
	return ret;
}

static int open_all(const struct run *run, struct preview_files *f, char *message, size_t size)
{
	const struct device *devices[UNDO_DEVICES] = { run->device, run->connected[INNER_LOG],
						       run->connected[INNER_RT] };
	int ret = qcow_possible(true, message, size);

	for (unsigned i = 0; i < UNDO_DEVICES && !ret; i++)
		if (devices[i])
			ret = open_overlay(f, i, devices[i], message, size);
	return ret ? ret : begin(&f->list, f->list_name, O_WRONLY, message, size);
}

enum phase_result preview_open(struct repair *rc)
{
	const char *file = rc->run->options->preview;
	struct preview_files *f = calloc(1, sizeof(*f));
	char message[512], sentence[640];
	bool whole = f;
	int ret;

	rc->run->preview = f;
	for (unsigned i = 0; f && i < UNDO_DEVICES; i++) {
		f->overlays[i].fd = -1;
		f->names[i] = preview_overlay(file, i);
		whole &= f->names[i] != NULL;
	}
	if (f) {
		f->list.fd = -1;
		f->list_name = preview_list(file);
	}
	if (!whole || !f->list_name)
		return failed(rc, "preview", -ENOMEM);
	ret = open_all(rc->run, f, message, sizeof(message));
	if (!ret)
		return PHASE_DONE;
	if (ret == -EEXIST)
		report_advise(rc->report, "name another file with --preview, then run xfsck again.");
	snprintf(sentence, sizeof(sentence), "%s; nothing was changed", message);
	return trouble(rc, sentence);
}

int preview_files_finish(struct preview_files *f, const bool changed[UNDO_DEVICES])
{
	int ret = 0;

	for (unsigned i = 0; i < UNDO_DEVICES && !ret; i++) {
		qcow_close(f->qcows[i]);
		f->qcows[i] = NULL;
		if (changed[i])
			ret = nameless_finish(&f->overlays[i]);
	}
	if (!ret)
		ret = nameless_finish(&f->list);
	/* without the list they are useless */
	for (unsigned i = 0; i < UNDO_DEVICES && ret; i++)
		f->overlays[i].whole = false;
	return ret;
}

void preview_end(struct repair *rc)
{
	struct preview_files *f = rc->run->preview;

	if (!f)
		return;
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		qcow_close(f->qcows[i]);
		nameless_close(&f->overlays[i]);
		free(f->names[i]);
	}
	nameless_close(&f->list);
	free(f->list_name);
	free(f);
	rc->run->preview = NULL;
}
