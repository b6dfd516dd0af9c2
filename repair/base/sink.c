/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink.h"

/* Sinks that pass every fact on, to one or two others. */

#define x(op, parameters, ...)                                                                                         \
	static void both_##op parameters                                                                               \
	{                                                                                                              \
		const struct sink_both *both = ctx;                                                                    \
		sink_tell(&both->first, op, worker, __VA_ARGS__);                                                      \
		sink_tell(&both->second, op, worker, __VA_ARGS__);                                                     \
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

#define x(op, parameters, ...)                                                                                         \
	static void pass_##op parameters                                                                               \
	{                                                                                                              \
		sink_tell(ctx, op, worker, __VA_ARGS__);                                                               \
	}
SINK_TABLE(x)
#undef x

const struct sink_ops sink_passing_on = {
#define x(op, ...) .op = pass_##op,
	SINK_TABLE(x)
#undef x
};
