/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How to look at what --preview has made. */
#ifndef XFSCK_REPAIR_REPORT_TEXT_PREVIEW_H
#define XFSCK_REPAIR_REPORT_TEXT_PREVIEW_H

struct layout;
struct outcome;

/* Print the commands that mount the preview, read-only, with what this machine has; nothing if there is no preview. */
void report_text_preview(struct layout *layout, const struct outcome *o);

#endif
