/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides whether a repair needs the user's consent. */
#include "consent.h"

#include "commit.h"
#include "cache.h"
#include "options.h"
#include "repair.h"
#include "run.h"
#include "check/walk/traverse.h"

/* True if more than 1 % of names or inodes are lost with the log, or their number is unknown. */
static bool log_losses_heavy(const struct repair *rc)
{
	const struct log_losses *lost = &rc->run->log_losses;
	struct totals totals = { 0 };

	if (!log_losses_any(lost))
		return false;
	if (rc->traverse)
		totals = traverse_totals(rc->traverse);
	return lost->at_least || lost->names > (totals.entries + lost->names) / 100 ||
	       lost->inodes > totals.inodes / 100;
}

consents_t consent_reasons(const struct repair *rc)
{
	const struct run *run = rc->run;
	const struct device *devices[] = { run->device, run->log_device, run->rt_device };
	consents_t reasons = run->consents;

	/* a disk may be failing, and each write may make that worse */
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (devices[i] && device_any_unreadable(devices[i]))
			consent_ask(&reasons, CONSENT_UNREADABLE);

	if (run->applied)
		reasons |= run->applied->head.consents;
	if (run->losses.known && losses_heavy(&run->losses))
		consent_ask(&reasons, CONSENT_LOSSES);
	if (log_losses_heavy(rc))
		consent_ask(&reasons, CONSENT_LOG);
	return reasons;
}

consents_t consent_lacking(const struct repair *rc, bool undone)
{
	static const consents_t undo_does = 0
#define x(symbol, id, undo, sentence) | (consents_t)(undo) << CONSENT_##symbol
		CONSENT_TABLE(x)
#undef x
		;

	if (rc->run->options->accept_loss)
		return 0;
	return consent_reasons(rc) & (undone ? ~undo_does : ~(consents_t)0);
}
