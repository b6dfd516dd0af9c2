/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two sinks for one traversal: every fact goes to both. */
#ifndef XFSCK_REPAIR_SINK_BOTH_H
#define XFSCK_REPAIR_SINK_BOTH_H

#include "sink.h"

struct sink_both {
	struct sink first, second; /* with the same key */
};

/* A sink that passes every fact on to both; *room must live as long as it is used. */
struct sink sink_both(struct sink_both *room, const struct sink *first, const struct sink *second);

#endif
