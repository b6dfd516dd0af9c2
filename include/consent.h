/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reasons for which a repair needs the user's consent (--accept-loss).  A phase that finds a reason calls
 * consent_ask(&rc->run->consents, reason); consent_reasons() adds those that follow from the losses.  Nothing else
 * decides.
 */
#ifndef XFSCK_CONSENT_H
#define XFSCK_CONSENT_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
/*
 * x(symbol, id, undo, sentence).  undo: an undo file makes consent unnecessary.  The sentence follows "Nothing is
 * written without consent: ".  The id is printed in JSON, and neither renamed nor reused.
 */
#define CONSENT_TABLE(x)                                                                            \
	x(LOSSES, "losses", true, "the repair loses many files")                                          \
	x(LOG, "log", true, "changes in the log are discarded")                                   \
	x(UNREADABLE, "unreadable", false, "parts of the device cannot be read")                     \
	x(CONTENTS, "contents", false, "the device holds something other than XFS, which the repair destroys") \
	x(UNFINISHED, "unfinished", false, "much of the device reads as zeroes, so the copy is not complete") \
	x(OLD_MEMBER, "old_member", false, "parts of the device are of an earlier time than the rest")

enum consent {
#define x(symbol, id, undo, sentence) CONSENT_##symbol,
	CONSENT_TABLE(x)
#undef x
	CONSENT_NR,
};
/* clang-format on */

/* A set of reasons, one bit each. */
typedef uint32_t consents_t;

struct repair;

/* Add a reason to those of the run, from any phase before the commit. */
static inline void consent_ask(consents_t *run, enum consent reason)
{
	*run |= (consents_t)1 << reason;
}

/* All reasons of this run, whether or not the user has consented. */
consents_t consent_reasons(const struct repair *rc);
/* Those of them that keep the repair from being written.  undone: there is an undo file. */
consents_t consent_lacking(const struct repair *rc, bool undone);

const char *consent_id(enum consent reason);
const char *consent_sentence(enum consent reason);
/* The reason with this id; CONSENT_NR: there is none. */
enum consent consent_of_id(const char *id);

#endif
