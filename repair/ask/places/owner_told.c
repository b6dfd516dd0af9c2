/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer to --owner-of, in words and as JSON. */
#include "owner_told.h"

#include <inttypes.h>

#include "line_told.h"
#include "report/words.h"

#define OWNERS_MOST 1000u /* that are listed of one place */

struct telling {
	const struct owners *owners;
	FILE *out;
	struct report_json *json;
	json_t *list;
	uint64_t count;
};

static const char *const device_prefix[] = { [ROLE_DATA] = "", [ROLE_LOG] = "log:", [ROLE_REALTIME] = "rt:" };

/* The place as the user wrote it. */
static void add_place(struct words *words, const struct where *where)
{
	static const char suffix[] = { [WHERE_BYTE] = 'b', [WHERE_SECTOR] = 's', [WHERE_FSBLOCK] = 'f' };

	words_add(words, "%s", device_prefix[where->device]);
	if (where->unit == WHERE_GROUP_BLOCK)
		words_add(words, "%" PRIu32 ":%" PRIu64, where->group, where->number);
	else
		words_add(words, "%" PRIu64 "%c", where->number, suffix[where->unit]);
}

/* The place in all its forms. */
static void print_forms(FILE *out, const struct geometry *geo, const struct line_piece *piece)
{
	const uint64_t byte = line_byte(geo, piece->start);
	gbno_t block;
	const group_t group = line_group(geo, piece->start >> geo->block_log, &block);

	fprintf(out, "sector %" PRIu64 ", byte %" PRIu64 ", ", byte >> SECTOR_LOG, byte);
	line_print(out, geo, piece->start);
	if (!group_is_rt(geo, group))
		fprintf(out, ", fsblock %" PRIu64,
			fsbno_of(geo, (agno_t){ group.v }, (agbno_t){ (uint32_t)block.v }).v);
}

static void set_forms(struct report_json *json, json_t *line, const struct geometry *geo,
		      const struct line_piece *piece)
{
	json_out_set(json, line, "sector", json_out_number(line_byte(geo, piece->start) >> SECTOR_LOG));
	line_json(json, line, geo, piece->start);
}

static void tell(void *ctx, const struct who *who)
{
	struct telling *t = ctx;
	json_t *item;

	if (t->count++ >= OWNERS_MOST)
		return;
	fputs("  ", t->out);
	who_print(t->out, who, t->owners->holders.paths);
	fputc('\n', t->out);
	if (!t->json)
		return;
	item = json_object();
	who_json(t->json, item, who, t->owners->holders.paths);
	if (json_array_append_new(t->list, item))
		json_out_starve(t->json);
}

/* Tell of a place that is in no block. */
static void tell_outside(struct telling *t, enum line_part part)
{
	const struct who who = { .kind = part == LINE_LOG      ? WHO_LOG
					 : part == LINE_BEHIND ? WHO_BEHIND
							       : WHO_NO_DEVICE,
				 .ino = NULL_INO };

	tell(t, &who);
}

void owner_tell(const struct owners *owners, const struct where *where, const struct line_piece *piece, FILE *out,
		struct report_json *json)
{
	struct telling t = { .owners = owners, .out = out, .json = json, .list = json ? json_array() : NULL };
	json_t *line = json ? json_out_line(json, "owner") : NULL;
	struct words place = { 0 };

	add_place(&place, where);
	fputs(place.text, out);
	if (json)
		json_out_set(json, line, "place", json_out_string(place.text));
	if (piece->part == LINE_BLOCKS) {
		fputs(": ", out);
		print_forms(out, owners->geo, piece);
		if (json)
			set_forms(json, line, owners->geo, piece);
	}
	fputc('\n', out);
	if (piece->part == LINE_BLOCKS)
		owners_each(owners, piece->start, piece->end, tell, &t);
	else
		tell_outside(&t, piece->part);
	if (t.count > OWNERS_MOST)
		fprintf(out, "  and %" PRIu64 " more\n", t.count - OWNERS_MOST);
	if (!json)
		return;
	json_out_set(json, line, "owners", t.list);
	json_out_set(json, line, "more", json_out_number(t.count > OWNERS_MOST ? t.count - OWNERS_MOST : 0));
	json_out_put(json, line);
}
