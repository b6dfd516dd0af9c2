/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evidence from the log. */
#ifndef XFSCK_REPAIR_MEND_LOGGED_H
#define XFSCK_REPAIR_MEND_LOGGED_H

#include <stdint.h>

#include "findings.h"
#include "mend/make/mend_pptrs.h"
#include "units.h"

struct found;
struct log_trace;
struct mend;

#define DEVICE_WINDOW (64u << 10)

/* A part of the device, as the overlay shows it.  Start with { 0 }. */
struct device_window {
	uint64_t start;
	bool begun, readable;
	uint8_t bytes[DEVICE_WINDOW];
};

/* Notes that the log is searched for a block. 1: not done before; 0: done before; or -ENOMEM. */
int mend_ask_log(struct mend *m, xdaddr_t daddr);
/*
 * True if an object should be as the log has it, by a finding about it; NULL: an inode of an AG whose inode btrees are
 * damaged, without a finding of its own.  trace->bytes holds it then.  The window keeps what was read, for neighbours.
 */
bool mend_logged_prevails(struct mend *m, struct device_window *window, struct log_trace *trace,
			  const struct found *found);

/*
 * Exchanged areas are put back in LAYER_PLACE, so that the state before the repair shows them in their places.  This
 * moves them to LAYER_MEND, which the commit writes as a whole.  Call it once, after all checks and the account.  0 or
 * negative errno: nothing may be written then.
 */
int mend_exchanged_settle(struct mend *m);

/* Fields of superblocks and headers that findings are about. */

/* Offset and width, in bytes, of the header field that a finding of MEND_field or MEND_sb is about. */
struct mend_place {
	uint16_t offset, width;
};
struct mend_place mend_field_of_finding(enum finding finding);
/* Returns the value of that field in the object's bytes. */
uint64_t mend_field_get(const struct found *found, const uint8_t *bytes);
/* Sets that field to the finding's correct value. */
void mend_field_put(const struct found *found, uint8_t *bytes);

/* Names that inodes had at the end of the last mount, if the log still has them. */

/* Start with { 0 }. */
struct logged_names {
	struct pptr_name *names; /* by child, then parent; own their bytes; parent_gen is not set */
	size_t count, room;
};

/*
 * Collects the names that the log has for these inodes, in directories that exist and may have them.  0 or negative
 * errno; free them in any case.
 */
int logged_names_collect(struct mend *m, const struct ino_set *children, struct logged_names *ret_names);
/* Returns the number of names of an inode, and the first one. */
size_t logged_names_of(const struct logged_names *names, xino_t child, const struct pptr_name **ret_first);
void logged_names_free(struct logged_names *names);

#endif
