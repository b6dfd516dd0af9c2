/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a plan that the user may have edited. */
#include <string.h>
#include <uuid/uuid.h>

#include "fix_plan.h"

static bool get_hex(const char *text, uint64_t *ret)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t number = 0;

	if (!text || strlen(text) != PLAN_ID_DIGITS)
		return false;
	for (const char *at = text; *at; at++) {
		const char *digit = strchr(digits, *at);

		if (!digit)
			return false;
		number = number << 4 | (uint64_t)(digit - digits);
	}
	*ret = number;
	return true;
}

static bool get_head(const json_t *line, struct plan_of *ret_of, uint64_t *ret_fixes)
{
	const char *uuid = json_in_string(line, "uuid");
	uint64_t format;

	return json_in_is(line, "type", "plan") && json_in_number(line, "format", &format) && format == PLAN_FORMAT &&
	       json_in_is(line, "xfsck", XFSCK_VERSION) && uuid && !uuid_parse(uuid, ret_of->uuid) &&
	       get_hex(json_in_string(line, "found"), &ret_of->found) && json_in_number(line, "fixes", ret_fixes);
}

static bool get_ids(struct json_in *json, const json_t *line, struct number_set *all)
{
	const json_t *list = json_object_get(line, "ids");
	uint64_t id;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const int added =
			get_hex(json_string_value(json_array_get(list, i)), &id) ? number_set_add(all, id) : 0;

		if (added < 0)
			json->error = added;
		if (added != 1)
			return false;
	}
	return json_is_array(list);
}

static bool get_fix(struct json_in *json, const json_t *line, struct plan_ids *ids)
{
	uint64_t id;
	int added;

	if (!json_in_is(line, "type", "fix") || !get_hex(json_in_string(line, "fix"), &id) ||
	    !number_set_has(&ids->all, id))
		return false;
	added = number_set_add(&ids->wanted, id);
	if (added < 0)
		json->error = added;
	return added >= 0;
}

bool plan_read(struct json_in *json, struct plan_ids *ret_ids)
{
	json_t *line = json_in_next(json);
	uint64_t fixes = 0;
	bool good = line && get_head(line, &ret_ids->of, &fixes);

	json_decref(line);
	while (good && ret_ids->all.count + ret_ids->all.zero < fixes) {
		line = json_in_next(json);
		good = line && json_in_is(line, "type", "ids") && get_ids(json, line, &ret_ids->all);
		json_decref(line);
	}
	good = good && ret_ids->all.count + ret_ids->all.zero == fixes;
	while (good && (line = json_in_next(json))) {
		good = get_fix(json, line, ret_ids);
		json_decref(line);
	}
	return good && !json->error;
}

void plan_ids_free(struct plan_ids *ids)
{
	number_set_free(&ids->all);
	number_set_free(&ids->wanted);
}
