/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what bad places hit. */
#ifndef XFSCK_REPAIR_BAD_TOLD_H
#define XFSCK_REPAIR_BAD_TOLD_H

#include <stdio.h>

struct bad_file;
struct bad_ranges;
struct owners;
struct report_json;

struct bad_telling {
	const struct bad_file *file;
	const struct bad_ranges *ranges;
	const struct owners *owners;
	const char *name; /* of the file with the places */
	FILE *out;
	struct report_json *json; /* NULL: not as JSON */
};

/* Tell everything. 0 or -ENOMEM. */
int bad_tell(const struct bad_telling *telling);

#endif
