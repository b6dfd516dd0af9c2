/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints where a byte of the line is. */
#ifndef XFSCK_REPAIR_LINE_TOLD_H
#define XFSCK_REPAIR_LINE_TOLD_H

#include "line.h"
#include "report/json_out.h"

/* Where a byte of the line lies on its device. */
uint64_t line_byte(const struct geometry *geo, uint64_t byte);
/* Print its block: "AG 0 block 77". */
void line_print(FILE *out, const struct geometry *geo, uint64_t byte);
/* Set "byte", "agno" and "agbno", or "rgno" and "rgbno". */
void line_json(struct report_json *json, json_t *object, const struct geometry *geo, uint64_t byte);

#endif
