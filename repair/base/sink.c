/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sink that passes all facts on. */
#include "sink.h"

#define x(op, parameters, ...)                                                                                         \
	static void pass_##op parameters                                                                               \
	{                                                                                                              \
		sink_tell(ctx, op, lane, __VA_ARGS__);                                                                 \
	}
SINK_TABLE(x)
#undef x

const struct sink_ops sink_passing_on = {
#define x(op, ...) .op = pass_##op,
	SINK_TABLE(x)
#undef x
};
