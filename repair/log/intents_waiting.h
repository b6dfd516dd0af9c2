/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What intents.c and intents_facts.c share. */
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
	uint64_t seen; /* so far in the log */
	/* once settled: */
	const struct geometry *geo;
	struct effects effects;
	const struct intent_op **ops; /* by order */
	size_t nops;
};

#endif
