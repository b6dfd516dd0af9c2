/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions about files of a file system that is in use: they are answered by a snapshot of it. */
#ifndef XFSCK_REPAIR_AUDIT_ASKED_H
#define XFSCK_REPAIR_AUDIT_ASKED_H

#include <stdbool.h>

#include "options.h"

/*
 * Start a process that answers what options ask about options->device, if that is in use, and is neither mounted
 * read-only nor on a server.  True: this is that process, or nobody uses the device: then *ret_options say what is to
 * be read, and the caller answers.  False: a process has answered, with *ret_status; trouble: the exit status that
 * tells of it, damaged: that of a file system with findings.
 */
bool asked_fork(const struct options *options, int trouble, int damaged, struct options *ret_options, int *ret_status);

#endif
