/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Corrects single bits of the log. */
#ifndef XFSCK_REPAIR_LOG_BITS_H
#define XFSCK_REPAIR_LOG_BITS_H

#include <stdbool.h>

struct repair;

/*
 * Stages the original bits of log records that wait for replay, where a single bit has changed and the record's
 * checksum identifies it, and notes that.  rc->log: of a dirty log.  Sets *ret_any if there are any.  Returns 0 or a
 * negative errno.
 */
int log_bits_restore(struct repair *rc, bool *ret_any);

#endif
