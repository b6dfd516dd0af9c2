/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sink that passes every fact on to two others. */
#include "sink_both.h"

#define x(op, parameters, ...)                                                                                         \
	static void both_##op parameters                                                                               \
	{                                                                                                              \
		const struct sink_both *both = ctx;                                                                    \
		sink_tell(&both->first, op, lane, __VA_ARGS__);                                                        \
		sink_tell(&both->second, op, lane, __VA_ARGS__);                                                       \
	}
SINK_TABLE(x)
#undef x

static const struct sink_ops both_ops = {
#define x(op, ...) .op = both_##op,
	SINK_TABLE(x)
#undef x
};

struct sink sink_both(struct sink_both *room, const struct sink *first, const struct sink *second)
{
	*room = (struct sink_both){ *first, *second };
	return (struct sink){ &both_ops, room, first->key };
}
