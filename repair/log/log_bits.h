/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets single bits of the log right. */
#ifndef XFSCK_REPAIR_LOG_BITS_H
#define XFSCK_REPAIR_LOG_BITS_H

#include <stdbool.h>

struct repair;

/*
 * Stage bits of records that wait for replay as they were written, where one has changed and the record's checksum
 * tells which; the user is told.  rc->log: of a dirty log.  *ret_any is set if there are any.
 * 0 or negative errno.
 */
int log_bits_restore(struct repair *rc, bool *ret_any);

#endif
