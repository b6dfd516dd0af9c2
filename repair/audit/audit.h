/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Audits (--audit): checks volumes in use through snapshots, made and removed around each check, and compares the
 * findings with those of the last audit.
 */
#ifndef XFSCK_REPAIR_AUDIT_AUDIT_H
#define XFSCK_REPAIR_AUDIT_AUDIT_H

#include <stdio.h>

#include "front/several/several.h"
#include "options.h"

struct audit;

/*
 * Finds the volumes in options->devices, and replaces these by the volumes' names. 0, or a negative errno with the
 * reason printed to err. audit_close() frees the new options->devices.
 */
int audit_open(struct options *options, FILE *err, struct audit **ret_audit);
/* Returns the hooks around each check, owned by the audit. */
const struct several_hooks *audit_hooks(const struct audit *audit);
/*
 * Runs the program of --on-new if there are new findings or failed audits. Call it after all checks, in the process
 * that started them. 0, or a negative errno with the reason printed.
 */
int audit_finish(struct audit *audit);
void audit_close(struct audit *audit);

/*
 * --status: prints the result of the last audit of each file system to out. Returns whether all were clean. *ret_error:
 * 0 or a negative errno with the reason printed to err.
 */
bool audit_status(const struct options *options, FILE *out, FILE *err, int *ret_error);

#endif
