/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the reasons why a repair needs consent. */
#include <string.h>

#include "consent.h"

static const struct {
	const char *id, *sentence;
} words[CONSENT_NR] = {
#define x(symbol, id, undo, sentence) [CONSENT_##symbol] = { (id), (sentence) },
	CONSENT_TABLE(x)
#undef x
};

const char *consent_id(enum consent reason)
{
	return words[reason].id;
}

const char *consent_sentence(enum consent reason)
{
	return words[reason].sentence;
}

enum consent consent_of_id(const char *id)
{
	enum consent reason = 0;

	while (reason < CONSENT_NR && strcmp(words[reason].id, id) != 0)
		reason++;
	return reason;
}
