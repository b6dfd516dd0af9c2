/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hole in a dirty log: a record between tail and head that is damaged or missing. */
#ifndef XFSCK_REPAIR_LOG_HOLE_H
#define XFSCK_REPAIR_LOG_HOLE_H

struct repair;

/* Reports what lies behind the hole in rc->log.  Returns 0 or a negative errno. */
int log_hole_tell(struct repair *rc);

#endif
