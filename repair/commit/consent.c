/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides whether a repair needs the user's consent. */
#include "consent.h"

#include "apply.h"
#include "options.h"
#include "repair.h"
#include "run.h"

consents_t consent_reasons(const struct repair *rc)
{
	const struct run *run = rc->run;
	consents_t reasons = run->consents;

	if (run->applied)
		reasons |= run->applied->head.consents;
	if (run->losses.known && losses_heavy(&run->losses))
		consent_ask(&reasons, CONSENT_LOSSES);
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
