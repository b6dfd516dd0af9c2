/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes and reads the list beside a preview. */
#define _GNU_SOURCE 1

#include "preview_list.h"

#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>

#include "units.h"

#define FORMAT 2u

static const char *const roles[UNDO_DEVICES] = { "data", "log", "realtime" };
static const char *const layers[LAYERS] = {
	[LAYER_REPLAY] = "replay", [LAYER_PLACE] = "place", [LAYER_MEND] = "mend", [LAYER_LOG] = "log"
};

const char *preview_role(unsigned device)
{
	return roles[device];
}

char *preview_overlay(const char *file, unsigned device)
{
	static const char end[] = ".qcow2", *const words[UNDO_DEVICES] = { "", "-log", "-rt" };
	const size_t len = strlen(file), tail = sizeof(end) - 1;
	const bool ends = len > tail && !strcmp(file + len - tail, end);
	char *name;

	if (asprintf(&name, "%.*s%s%s", (int)(ends ? len - tail : len), file, words[device], ends ? end : "") < 0)
		return NULL;
	return name;
}

char *preview_list(const char *file)
{
	char *name;

	return asprintf(&name, "%s.json", file) < 0 ? NULL : name;
}

/* ---- writing ---- */

void preview_put_head(struct report_json *json, const struct preview_head *head)
{
	json_t *line = json_out_line(json, "preview"), *redo = json_null(), *consents = json_array();
	char uuid[37];

	uuid_unparse(head->uuid, uuid);
	json_out_set(json, line, "format", json_integer(FORMAT));
	json_out_set(json, line, "uuid", json_string(uuid));
	json_out_set(json, line, "mends", json_boolean(head->mends));
	for (enum consent reason = 0; reason < CONSENT_NR; reason++)
		if (head->consents >> reason & 1)
			json_out_append(json, consents, json_string(consent_id(reason)));
	json_out_set(json, line, "consents", consents);
	if (head->redo.bytes) {
		redo = json_object();
		json_out_set(json, redo, "offset", json_out_number(head->redo.offset));
		json_out_set(json, redo, "bytes", json_out_number(head->redo.bytes));
		json_out_set(json, redo, "crc", json_out_number(head->redo.crc));
	}
	json_out_set(json, line, "redo", redo);
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		json_t *device = json_object();

		json_out_set(json, device, "bytes", json_out_number(head->bytes[i]));
		json_out_set(json, device, "changed", json_boolean(head->changed[i]));
		json_out_set(json, line, roles[i], device);
	}
	json_out_put(json, line);
}

void preview_put_range(struct report_json *json, const struct preview_range *range)
{
	json_t *line = json_out_line(json, range->same ? "same" : "change");

	json_out_set(json, line, "device", json_string(roles[range->device]));
	json_out_set(json, line, "offset", json_out_number(range->offset));
	json_out_set(json, line, "bytes", json_out_number(range->len));
	json_out_set(json, line, "before", range->lost ? json_null() : json_out_number(range->before));
	if (!range->same) {
		json_out_set(json, line, "after", json_out_number(range->after));
		json_out_set(json, line, "layer", json_string(range->redo ? "redo" : layers[range->layer]));
	}
	json_out_put(json, line);
}

void preview_put_end(struct report_json *json, uint64_t ranges)
{
	json_t *line = json_out_line(json, "end");

	json_out_set(json, line, "ranges", json_out_number(ranges));
	json_out_set(json, line, "crc", json_out_number(json->crc));
	json_out_put(json, line);
}

/* ---- reading ---- */

static bool get_crc(const json_t *object, const char *key, uint32_t *ret_crc)
{
	uint64_t number;

	if (!json_in_number(object, key, &number) || number > UINT32_MAX)
		return false;
	*ret_crc = (uint32_t)number;
	return true;
}

static bool get_redo(const json_t *line, const struct preview_head *head, struct redo_place *ret_place)
{
	const json_t *redo = json_object_get(line, "redo");

	*ret_place = (struct redo_place){ 0 };
	if (json_is_null(redo))
		return true;
	return json_in_number(redo, "offset", &ret_place->offset) && json_in_number(redo, "bytes", &ret_place->bytes) &&
	       get_crc(redo, "crc", &ret_place->crc) && ret_place->bytes && ret_place->bytes % SECTOR_SIZE == 0 &&
	       ret_place->offset % SECTOR_SIZE == 0 && ret_place->offset <= head->bytes[0] &&
	       ret_place->bytes <= head->bytes[0] - ret_place->offset;
}

/* Reads the consents.  False: a reason is unknown. */
static bool get_consents(const json_t *line, consents_t *ret_consents)
{
	const json_t *all = json_object_get(line, "consents"), *id;
	size_t i;

	*ret_consents = 0;
	json_array_foreach(all, i, id)
	{
		const enum consent reason = json_is_string(id) ? consent_of_id(json_string_value(id)) : CONSENT_NR;

		if (reason == CONSENT_NR)
			return false;
		*ret_consents |= (consents_t)1 << reason;
	}
	return json_is_array(all);
}

static bool get_head(const json_t *line, struct preview_head *ret_head)
{
	const char *uuid = json_in_string(line, "uuid");
	uint64_t format;

	*ret_head = (struct preview_head){ .mends = json_is_true(json_object_get(line, "mends")) };
	if (!json_in_is(line, "type", "preview") || !json_in_number(line, "format", &format) || format != FORMAT)
		return false;
	if (!uuid || uuid_parse(uuid, ret_head->uuid) || !get_consents(line, &ret_head->consents))
		return false;
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		const json_t *device = json_object_get(line, roles[i]);

		if (!json_in_number(device, "bytes", &ret_head->bytes[i]))
			return false;
		ret_head->changed[i] = json_is_true(json_object_get(device, "changed"));
	}
	return get_redo(line, ret_head, &ret_head->redo);
}

bool preview_get_head(struct json_in *json, struct preview_head *ret_head)
{
	json_t *line = json_in_next(json);
	const bool got = line && get_head(line, ret_head);

	json_decref(line);
	return got;
}

/* Returns which of `count` words a string of a line is; count: none of them. */
static unsigned get_word(const json_t *line, const char *key, const char *const words[], unsigned count)
{
	unsigned i = 0;

	while (i < count && !json_in_is(line, key, words[i]))
		i++;
	return i;
}

static bool get_range(const json_t *line, const struct preview_head *head, struct preview_range *ret)
{
	uint64_t len;

	*ret = (struct preview_range){ .device = get_word(line, "device", roles, UNDO_DEVICES),
				       .same = json_in_is(line, "type", "same"),
				       .lost = json_is_null(json_object_get(line, "before")),
				       .redo = json_in_is(line, "layer", "redo"),
				       .layer = get_word(line, "layer", layers, LAYERS) };
	if ((!ret->same && !json_in_is(line, "type", "change")) || ret->device == UNDO_DEVICES ||
	    !json_in_number(line, "offset", &ret->offset) || !json_in_number(line, "bytes", &len) || !len ||
	    len > PREVIEW_MAX || len % SECTOR_SIZE || ret->offset % SECTOR_SIZE ||
	    ret->offset > head->bytes[ret->device] || len > head->bytes[ret->device] - ret->offset)
		return false;
	ret->len = (uint32_t)len;
	if (!ret->lost && !get_crc(line, "before", &ret->before))
		return false;
	return ret->same || (get_crc(line, "after", &ret->after) && (ret->redo || ret->layer != LAYERS));
}

bool preview_get_range(struct json_in *json, const struct preview_head *head, uint64_t number,
		       struct preview_range *ret_range, bool *ret_end)
{
	json_t *line = json_in_next(json);
	uint64_t count;
	uint32_t crc;
	bool got;

	*ret_end = line && json_in_is(line, "type", "end");
	if (*ret_end)
		got = json_in_number(line, "ranges", &count) && count == number && get_crc(line, "crc", &crc) &&
		      crc == json->crc;
	else
		got = line && get_range(line, head, ret_range);
	json_decref(line);
	return got;
}
