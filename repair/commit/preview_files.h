/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a preview.  They are created, and the programs that write them started, before the sandbox prevents it,
 * when it is not yet known which of them will be needed.  They get their names when they are complete.
 */
#ifndef XFSCK_REPAIR_PREVIEW_FILES_H
#define XFSCK_REPAIR_PREVIEW_FILES_H

#include "output.h"
#include "phases.h"
#include "undo.h"

struct qcow;
struct repair;

struct preview_files {
	char *names[UNDO_DEVICES]; /* of the overlays */
	char *list_name;
	struct nameless overlays[UNDO_DEVICES]; /* fd -1: there is no such device */
	struct qcow *qcows[UNDO_DEVICES];
	struct nameless list;
};

/*
 * Creates the files of the preview over all open devices, and sets rc->run->preview.  Returns PHASE_DONE, or
 * PHASE_FAILED after reporting the reason.
 */
enum phase_result preview_open(struct repair *rc);
/* Names the overlays of changed devices, and then the list.  Returns 0 or a negative errno. */
int preview_files_finish(struct preview_files *files, const bool changed[UNDO_DEVICES]);
/* Closes them; files without a name are gone. */
void preview_end(struct repair *rc);

#endif
