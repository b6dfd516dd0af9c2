/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Audits (--audit): checks volumes in use through snapshots, made and removed around each check, and compares the
 * findings with those of the last audit.
 */
#ifndef XFSCK_REPAIR_AUDIT_AUDIT_H
#define XFSCK_REPAIR_AUDIT_AUDIT_H

#include <stdbool.h>
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

/*
 * Forks a process to answer the query of options if options->device is in use, and is neither mounted read-only nor on
 * a server. True: this is that process, or the device is not in use; the caller answers with *ret_options. False: a
 * process has answered, with *ret_status. trouble: exit status of errors; damaged: of a file system with findings.
 */
bool asked_fork(const struct options *options, int trouble, int damaged, struct options *ret_options, int *ret_status);

/*
 * Marks for file systems to be repaired at the next boot: audits with --repair-at-boot make them for new damage, and
 * fsck.xfs -a checks for them. Each is a file in the reports' directory, named by UUID.
 */

/* Create or remove a mark; no error if that was done already. 0 or negative errno. */
int boot_mark_set(const char *folder, const char *uuid);
int boot_mark_drop(const char *folder, const char *uuid);

/* True if the file system on a device is marked, in the default directory. uuid: receives its UUID, or "". */
#define BOOT_MARK_UUID 40
bool boot_mark_find(const char *device, char uuid[static BOOT_MARK_UUID]);

#endif
