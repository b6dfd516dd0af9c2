/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the paths of ranked inodes, and writes them. */
#include "ranked_paths.h"

#include "repair.h"
#include "report/json_out.h"
#include "run.h"
#include "table.h"

#define PLACES_MOST (64u << 20) /* bytes: so many inodes have names where few others of their chunk have */

size_t ranked_places_most(const struct repair *rc)
{
	const size_t most = rc->run->memory.records / 4;

	return most < PLACES_MOST ? most : PLACES_MOST;
}

struct name_places *ranked_places(const struct repair *rc)
{
	return name_places_new(rc->workers, ranked_places_most(rc));
}

int ranked_paths(struct repair *rc, const struct name_places *places, const struct ranking *const *rankings,
		 size_t count, struct paths **ret_paths)
{
	struct ino_set inos = { 0 }, near = { 0 };
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		for (size_t k = 0; k < rankings[i]->count && !ret; k++)
			ret = ino_set_put(&inos, (xino_t){ rankings[i]->v[k].id });
	if (!ret)
		ret = name_places_find(places, &inos, &near);
	if (!ret)
		ret = paths_seek(rc, &inos, &near, ret_paths);
	ino_set_free(&inos);
	ino_set_free(&near);
	return ret;
}

void ranked_path_cell(struct table *table, struct paths *paths, uint64_t ino)
{
	struct path path;

	paths_find(paths, (xino_t){ ino }, &path);
	table_name(table, path.bytes, path.len);
}

void ranked_path_json(struct report_json *json, json_t *object, struct paths *paths, uint64_t ino)
{
	json_out_set(json, object, "ino", json_out_number(ino));
	report_json_path(json, object, "path", "path_kind", (xino_t){ ino }, paths);
}
