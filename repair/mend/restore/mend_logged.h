/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the log is asked for. */
#ifndef XFSCK_REPAIR_MEND_LOGGED_H
#define XFSCK_REPAIR_MEND_LOGGED_H

#include <stdint.h>

#include "findings.h"
#include "mend/make/mend_pptrs.h"
#include "units.h"

struct found;
struct mend;

/* Note that the log is looked through for a block. 1: it was not before; 0: it was; or -ENOMEM. */
int mend_ask_log(struct mend *m, xdaddr_t daddr);

/* Areas that had changed places, and what becomes of them in the end. */

/*
 * Areas are put back in LAYER_PLACE, so that what there was before the repair can still be seen, as it was before they
 * changed places.  Make them a part of LAYER_MEND, which the commit writes as a whole.  Once, after all checks and the
 * account.  0 or negative errno: nothing may be written then.
 */
int mend_exchanged_settle(struct mend *m);

/* Fields of superblocks and headers that findings are about. */

/* Where in a superblock or header the field is that a finding of MEND_field or MEND_sb is about; bytes. */
struct mend_place {
	uint16_t offset, width;
};
struct mend_place mend_field_of_finding(enum finding finding);
/* The value of that field in the object's bytes. */
uint64_t mend_field_get(const struct found *found, const uint8_t *bytes);
/* Store in that field what the finding says it should be. */
void mend_field_put(const struct found *found, uint8_t *bytes);

/* Names that inodes had at the end of the last mount, as far as the log still has them. */

/* Start with { 0 }. */
struct logged_names {
	struct pptr_name *names; /* by child, then parent; with bytes of their own, without parent_gen */
	size_t count, room;
};

/*
 * Collect the names that the log has for these inodes, in directories that exist and may have them.  0 or negative
 * errno; free them in any case.
 */
int logged_names_collect(struct mend *m, const struct ino_set *children, struct logged_names *ret_names);
/* The names of one inode: how many, and the first. */
size_t logged_names_of(const struct logged_names *names, xino_t child, const struct pptr_name **ret_first);
void logged_names_free(struct logged_names *names);

#endif
