/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes how fragmented files are, as the line "frag" of the JSON report. */
#include "frag.h"
#include "ask/histogram_table.h"
#include "ask/ranked_paths.h"
#include "report/json_out.h"

static json_t *sums_object(struct report_json *json, const char *name, const struct frag_sums *sums)
{
	json_t *object = json_object();

	json_out_set(json, object, "kind", json_string(name));
	json_out_set(json, object, "number", json_out_number(sums->forks));
	json_out_set(json, object, "extents", json_out_number(sums->extents));
	json_out_set(json, object, "ideal", json_out_number(sums->ideal));
	json_out_set(json, object, "factor", json_real(frag_factor(sums)));
	json_out_set(json, object, "blocks", json_out_number(sums->blocks));
	return object;
}

static json_t *kinds_array(struct report_json *json, const struct frag *frag)
{
	const struct frag_sums all = frag_all(frag);
	json_t *array = json_array();

	for (enum frag_kind kind = 0; kind < FRAG_KIND_NR; kind++)
		json_out_append(json, array, sums_object(json, frag_kind_name(kind), &frag->of[kind]));
	json_out_append(json, array, sums_object(json, "all", &all));
	return array;
}

static json_t *worst_array(struct report_json *json, const struct frag *frag, const struct ranking *worst,
			   struct paths *paths)
{
	json_t *array = json_array();

	for (size_t i = 0; i < worst->count; i++) {
		const struct ranked *item = &worst->v[i];
		const uint64_t bytes = item->fact[FRAG_WRITTEN] * frag->block_size;
		json_t *object = json_object();

		ranked_path_json(json, object, paths, item->id);
		json_out_set(json, object, "extents", json_out_number(item->fact[FRAG_EXTENTS]));
		json_out_set(json, object, "ideal", json_out_number(item->fact[FRAG_IDEAL]));
		json_out_set(json, object, "size", json_out_number(item->fact[FRAG_SIZE]));
		json_out_set(json, object, "seeks", json_out_number(item->fact[FRAG_JUMPS]));
		json_out_set(json, object, "seconds",
			     json_real(frag_seconds(frag->medium, item->fact[FRAG_JUMPS], bytes)));
		json_out_set(json, object, "seconds_ideal", json_real(frag_seconds(frag->medium, bytes > 0, bytes)));
		json_out_append(json, array, object);
	}
	return array;
}

void frag_json(struct report_json *json, const struct frag *frag, struct paths *paths)
{
	static const char *const media[] = {
		[MEDIUM_UNKNOWN] = "unknown", [MEDIUM_FLASH] = "flash", [MEDIUM_DISK] = "disk"
	};
	json_t *line = json_out_line(json, "frag");

	json_out_set(json, line, "kinds", kinds_array(json, frag));
	json_out_set(json, line, "files_by_extents", histogram_array(json, &frag->files, "files", "extents"));
	json_out_set(json, line, "medium", json_string(media[frag->medium]));
	json_out_set(json, line, "worst_files", worst_array(json, frag, &frag->worst_files, paths));
	json_out_set(json, line, "worst_directories", worst_array(json, frag, &frag->worst_directories, paths));
	json_out_set(json, line, "unknown", json_out_number(frag->unknown));
	json_out_put(json, line);
}
