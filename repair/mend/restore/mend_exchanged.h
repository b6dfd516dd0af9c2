/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Areas that had changed places, and what becomes of them in the end. */
#ifndef XFSCK_REPAIR_MEND_EXCHANGED_H
#define XFSCK_REPAIR_MEND_EXCHANGED_H

struct mend;

/*
 * Areas are put back in LAYER_PLACE, so that what there was before the repair can still be seen, as it was before they
 * changed places.  Make them a part of LAYER_MEND, which the commit writes as a whole.  Once, after all checks and the
 * account.  0 or negative errno: nothing may be written then.
 */
int mend_exchanged_settle(struct mend *m);

#endif
