/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the answer about one place. */
#ifndef XFSCK_REPAIR_OWNER_TOLD_H
#define XFSCK_REPAIR_OWNER_TOLD_H

#include "line.h"
#include "who_told.h"

/* Tell whose a place is; piece: where it is on the line. json: NULL: not as JSON. */
void owner_tell(const struct owners *owners, const struct where *where, const struct line_piece *piece, FILE *out,
		struct report_json *json);

#endif
