/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the records of a traversal in one array per thread, without locks, and joins the arrays. */
#include "mend_lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "repair.h"

int mend_lanes_new(struct mend_lanes *lanes, const struct repair *rc, size_t size)
{
	*lanes = (struct mend_lanes){ .count = rc->workers, .size = size };
	lanes->v = calloc(lanes->count, sizeof(*lanes->v));
	return lanes->v ? 0 : -ENOMEM;
}

void mend_lanes_free(struct mend_lanes *lanes)
{
	for (unsigned i = 0; lanes->v && i < lanes->count; i++)
		free(lanes->v[i].records);
	free(lanes->v);
}

int mend_lanes_add(struct mend_lanes *lanes, unsigned worker, const void *record)
{
	struct mend_lane *lane = &lanes->v[worker];

	if (!lane->error)
		lane->error = array_grow(&lane->records, &lane->room, lane->count, lanes->size);
	if (!lane->error)
		memcpy((uint8_t *)lane->records + lane->count++ * lanes->size, record, lanes->size);
	return lane->error;
}

int mend_lanes_join(struct mend_lanes *lanes, void *array, size_t *ret_count)
{
	size_t count = 0, at = 0;
	uint8_t *all;

	for (unsigned i = 0; i < lanes->count; i++) {
		if (lanes->v[i].error)
			return lanes->v[i].error;
		count += lanes->v[i].count;
	}
	all = calloc(count + 1, lanes->size);
	if (!all)
		return -ENOMEM;
	for (unsigned i = 0; i < lanes->count; i++) {
		if (lanes->v[i].count)
			memcpy(all + at * lanes->size, lanes->v[i].records, lanes->v[i].count * lanes->size);
		at += lanes->v[i].count;
		lanes->v[i].count = 0;
	}
	memcpy(array, &all, sizeof(all)); /* array may point to a pointer of any type */
	*ret_count = count;
	return 0;
}
