/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How free space is divided: what --frag collects about it (free_space.c), and tells (free_space_text.c, _json.c). */
#ifndef XFSCK_REPAIR_FREE_SPACE_H
#define XFSCK_REPAIR_FREE_SPACE_H

#include "geometry.h"
#include "ask/histogram.h"
#include "ask/ranking.h"

struct answer;

/* Of an AG or realtime group, or of several. */
struct free_sums {
	uint64_t extents;
	uint64_t blocks;	/* of them */
	uint64_t largest;	/* blocks of the largest one */
	uint64_t usable;	/* blocks that an allocation gets in one piece */
	struct histogram sizes; /* weights are blocks */
};

/* What ranked.fact[] is for a free extent, whose rank are its blocks. */
enum { FREE_GROUP, FREE_START };

struct free_space {
	const struct geometry *geo;
	struct free_sums *groups;  /* by group_t */
	struct ranking largest[2]; /* of the data device, and of the realtime section */
};

/* True if free space of the realtime section is told: there is one, and it has bitmaps, which zones have not. */
static inline bool free_space_has_rt(const struct free_space *space)
{
	return space->geo->rgcount && !space->geo->zoned;
}

/* The sums of all AGs; realtime: of all realtime groups. */
struct free_sums free_space_all(const struct free_space *space, bool realtime);

/* 0 or negative errno. */
int free_space_text(const struct free_space *space, const struct answer *to);
struct report_json;
void free_space_json(struct report_json *json, const struct free_space *space);

#endif
