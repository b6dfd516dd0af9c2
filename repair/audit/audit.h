/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Audits (--audit): checks of volumes that are in use, by snapshots that are made and removed around each check, and
 * comparison with what the last audit has found.
 */
#ifndef XFSCK_REPAIR_AUDIT_AUDIT_H
#define XFSCK_REPAIR_AUDIT_AUDIT_H

#include <stdio.h>

#include "front/several/several.h"
#include "options.h"

struct audit;

/*
 * Find the volumes that options->devices name, and put their names in place of these.  0, or a negative errno with the
 * reason printed to err.  audit_close() frees what options->devices is then.
 */
int audit_open(struct options *options, FILE *err, struct audit **ret_audit);
/* What is to be done around each check; it belongs to the audit. */
const struct several_hooks *audit_hooks(const struct audit *audit);
/*
 * When all checks have ended, in the process that has started them: run what --on-new names, if something is new or
 * could not be audited.  0, or a negative errno with the reason printed.
 */
int audit_finish(struct audit *audit);
void audit_close(struct audit *audit);

/*
 * --status: what the last audit of each file system has found, to out.  Returns whether all were clean; *ret_error: 0
 * or a negative errno with the reason printed to err.
 */
bool audit_status(const struct options *options, FILE *out, FILE *err, int *ret_error);

#endif
