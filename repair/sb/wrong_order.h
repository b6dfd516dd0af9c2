/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes arrays whose members are in the wrong order, or that have another chunk size. */
#ifndef XFSCK_REPAIR_WRONG_ORDER_H
#define XFSCK_REPAIR_WRONG_ORDER_H

#include <stdbool.h>

struct device;
struct geometry;
struct repair;
struct words;

/*
 * True if metadata all over the device belongs elsewhere, at regular distances: then each repair would destroy what the
 * right order still has.  PHASE_FAILED: it does, and the user has been told.  This reads the headers of the last
 * allocation group, and more only if they are not in their place or the log is damaged.
 */
enum phase_result wrong_order_by_headers(const struct repair *rc);
/* The same, if the block of a finding in rc->findings belongs elsewhere. */
enum phase_result wrong_order_by_findings(const struct repair *rc);
/*
 * Add to a sentence at which distances metadata of this geometry lies from where it belongs.  False: nothing was added,
 * since all is in its place.
 */
bool wrong_order_say(struct device *device, const struct geometry *geo, struct words *w);

#endif
