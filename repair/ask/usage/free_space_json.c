/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes how free space is divided: a line "free_space" for all AGs, for each, and so for realtime groups. */
#include "free_space.h"
#include "ask/histogram_table.h"
#include "report/json_out.h"

static void put_sums(struct report_json *json, const struct free_sums *sums, bool realtime, json_t *group,
		     json_t *largest)
{
	json_t *line = json_out_line(json, "free_space");

	json_out_set(json, line, "section", json_string(realtime ? "realtime" : "data"));
	json_out_set(json, line, "group", group);
	json_out_set(json, line, "extents", json_out_number(sums->extents));
	json_out_set(json, line, "blocks", json_out_number(sums->blocks));
	json_out_set(json, line, "largest", json_out_number(sums->largest));
	json_out_set(json, line, "usable", json_out_number(sums->usable));
	json_out_set(json, line, "sizes", histogram_array(json, &sums->sizes, "extents", "blocks"));
	if (largest)
		json_out_set(json, line, "largest_extents", largest);
	json_out_put(json, line);
}

static json_t *largest_array(struct report_json *json, const struct free_space *space, bool realtime)
{
	const struct ranking *largest = &space->largest[realtime];
	json_t *array = json_array();

	for (size_t i = 0; i < largest->count; i++) {
		const struct ranked *item = &largest->v[i];
		json_t *object = json_object();

		json_out_set(json, object, "group",
			     json_out_number(item->fact[FREE_GROUP] - (realtime ? space->geo->agcount : 0)));
		json_out_set(json, object, "block", json_out_number(item->fact[FREE_START]));
		json_out_set(json, object, "blocks", json_out_number(item->rank));
		json_out_append(json, array, object);
	}
	return array;
}

static void put_section(struct report_json *json, const struct free_space *space, bool realtime)
{
	const struct geometry *geo = space->geo;
	const uint32_t from = realtime ? geo->agcount : 0, end = realtime ? group_count(geo) : geo->agcount;
	const struct free_sums all = free_space_all(space, realtime);

	put_sums(json, &all, realtime, json_null(), largest_array(json, space, realtime));
	for (uint32_t i = from; i < end; i++)
		put_sums(json, &space->groups[i], realtime, json_out_number(i - from), NULL);
}

void free_space_json(struct report_json *json, const struct free_space *space)
{
	put_section(json, space, false);
	if (free_space_has_rt(space))
		put_section(json, space, true);
}
