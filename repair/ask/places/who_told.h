/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints whose bytes are. */
#ifndef XFSCK_REPAIR_WHO_TOLD_H
#define XFSCK_REPAIR_WHO_TOLD_H

#include "owners.h"
#include "report/json_out.h"

/* Print in words, without a newline: "inode 133 "/a/b": data, bytes 4096 to 8191, unwritten". paths: NULL: without. */
void who_print(FILE *out, const struct who *who, struct paths *paths);
/* True if these bytes of a file's data lie behind its end. */
bool who_is_behind_end(const struct who *who);
/* Set the same as keys of an object. */
void who_json(struct report_json *json, json_t *object, const struct who *who, struct paths *paths);

#endif
