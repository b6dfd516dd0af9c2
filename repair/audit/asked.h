/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers queries about a file system in use, through a snapshot of it. */
#ifndef XFSCK_REPAIR_AUDIT_ASKED_H
#define XFSCK_REPAIR_AUDIT_ASKED_H

#include <stdbool.h>

#include "options.h"

/*
 * Forks a process to answer the query of options if options->device is in use, and is neither mounted read-only nor on
 * a server. True: this is that process, or the device is not in use; the caller answers with *ret_options. False: a
 * process has answered, with *ret_status. trouble: exit status of errors; damaged: of a file system with findings.
 */
bool asked_fork(const struct options *options, int trouble, int damaged, struct options *ret_options, int *ret_status);

#endif
