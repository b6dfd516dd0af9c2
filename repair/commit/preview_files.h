/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a preview.  They are made, and the programs that write them started, before the program gives up the
 * right to do so; which of them will be needed is not known yet.  They get their names when they are whole.
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
 * Make the files of the preview that the user wants, over all devices, which are open.  Sets rc->run->preview.
 * PHASE_DONE, or PHASE_FAILED after the user has been told why.
 */
enum phase_result preview_open(struct repair *rc);
/* Give the overlays of devices that are changed their names, and then the list.  0 or negative errno. */
int preview_files_finish(struct preview_files *files, const bool changed[UNDO_DEVICES]);
/* Close them; what has no name is gone. */
void preview_end(struct repair *rc);

#endif
