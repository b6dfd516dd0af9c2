/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the log still has of lost headers of allocation groups (log/log_history.h): above all the roots of their btrees,
 * which nothing else tells.
 */
#ifndef XFSCK_REPAIR_MEND_HEADER_LOGGED_H
#define XFSCK_REPAIR_MEND_HEADER_LOGGED_H

#include "log/log_history.h"

struct found;
struct mend;

/*
 * Read what the log has of the headers that these findings say are lost, unless they were looked for before.  If that
 * is more than memory holds, it is read for some of them.  0 or negative errno; log_history_free() in any case.
 */
int mend_headers_logged(struct mend *m, const struct found *found, size_t count, struct log_history *ret);
/*
 * Set the magic number of a header, of sector_size bytes, and put into it what the log has of it; the rest stays.  If
 * it was written later than that, or has lost nothing but its magic number, nothing is taken from the log.
 */
void mend_header_from_log(const struct log_history *history, agno_t agno, enum ag_sector number, uint8_t *sector);

#endif
