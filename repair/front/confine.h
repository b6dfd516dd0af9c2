/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef XFSCK_REPAIR_CONFINE_H
#define XFSCK_REPAIR_CONFINE_H

#include "phases.h"

struct repair;

/*
 * Enters the sandbox (sandbox/sandbox.h), unless options disable it. exit_status: that of errors. The data device,
 * outputs and inputs of queries must already be open or read, and no threads may exist. PHASE_FAILED, after a message:
 * it cannot be set up.
 */
enum phase_result confine(const struct repair *rc, int exit_status);

#endif
