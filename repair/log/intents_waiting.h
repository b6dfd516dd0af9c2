/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The struct that intents.c fills, and intents_facts.c reads. */
#ifndef XFSCK_REPAIR_INTENTS_WAITING_H
#define XFSCK_REPAIR_INTENTS_WAITING_H

#include "effects.h"
#include "intents.h"

#define INTENTS_BUCKETS 65536u

struct intent;

struct intents {
	struct intent *table[INTENTS_BUCKETS];
	struct hash_key key;
	uint64_t waiting[INTENT_KINDS];
	uint64_t seen; /* intents in the log so far, for their order */
	/* set by intents_settle() */
	const struct geometry *geo;
	struct effects effects;
	const struct intent_op **ops; /* in the order of the log */
	size_t nops;
};

#endif
