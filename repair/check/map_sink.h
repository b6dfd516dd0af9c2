/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sink that draws claims and free extents into a map of the allocation groups. */
#ifndef XFSCK_REPAIR_MAP_SINK_H
#define XFSCK_REPAIR_MAP_SINK_H

#include "base/sink.h"

struct group_map;

/* map must live as long as the sink is used. */
struct sink map_sink(struct group_map *map, const struct hash_key *key);

#endif
