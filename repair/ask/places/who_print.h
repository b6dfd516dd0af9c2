/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints owners of bytes. */
#ifndef XFSCK_REPAIR_WHO_PRINT_H
#define XFSCK_REPAIR_WHO_PRINT_H

#include "owners.h"
#include "report/json_out.h"

/* Prints an owner, without a newline: "inode 133 "/a/b": data, bytes 4096 to 8191, unwritten". paths may be NULL. */
void who_print(FILE *out, const struct who *who, struct paths *paths);
/* True if these bytes of a file's data are beyond its end. */
bool who_is_behind_end(const struct who *who);
/* Sets the same as keys of a JSON object. */
void who_json(struct report_json *json, json_t *object, const struct who *who, struct paths *paths);

#endif
