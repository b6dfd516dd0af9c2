/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands for looking at a --preview. */
#ifndef XFSCK_REPAIR_REPORT_TEXT_PREVIEW_H
#define XFSCK_REPAIR_REPORT_TEXT_PREVIEW_H

struct layout;
struct outcome;

/* Prints the commands that mount the preview read-only on this machine; nothing if there is no preview. */
void report_text_preview(struct layout *layout, const struct outcome *o);

#endif
