/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_REPAIR_CONFINE_H
#define XFSCK_REPAIR_CONFINE_H

#include "phases.h"

struct repair;

/*
 * Enter the sandbox (sandbox/sandbox.h), unless the user does not want it; exit_status: that of trouble.  The data
 * device, the outputs and what the user's questions name must be open or read, and no thread may have been started.
 * PHASE_FAILED: it can't be set up, and a message says so.
 */
enum phase_result confine(const struct repair *rc, int exit_status);

#endif
