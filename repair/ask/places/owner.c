/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --owner-of: the owner of a place. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ask/inventory.h"
#include "line.h"
#include "owners.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "report/words.h"
#include "run.h"

/* Prints the answer as text and JSON. */

#define OWNERS_MOST 1000u /* the most that are listed for a place */

struct telling {
	const struct owners *owners;
	FILE *out;
	struct report_json *json;
	json_t *list;
	uint64_t count;
};

static const char *const device_prefix[] = { [ROLE_DATA] = "", [ROLE_LOG] = "log:", [ROLE_REALTIME] = "rt:" };

/* Adds the place as the user wrote it. */
static void add_place(struct words *words, const struct where *where)
{
	static const char suffix[] = { [WHERE_BYTE] = 'b', [WHERE_SECTOR] = 's', [WHERE_FSBLOCK] = 'f' };

	words_add(words, "%s", device_prefix[where->device]);
	if (where->unit == WHERE_GROUP_BLOCK)
		words_add(words, "%" PRIu32 ":%" PRIu64, where->group, where->number);
	else
		words_add(words, "%" PRIu64 "%c", where->number, suffix[where->unit]);
}

/* Prints the place in all its forms. */
static void print_forms(FILE *out, const struct geometry *geo, const struct line_range *range)
{
	const uint64_t byte = line_byte(geo, range->start);
	gbno_t block;
	const group_t group = line_group(geo, range->start >> geo->block_log, &block);

	fprintf(out, "sector %" PRIu64 ", byte %" PRIu64 ", ", byte >> SECTOR_LOG, byte);
	line_print(out, geo, range->start);
	if (!group_is_rt(geo, group))
		fprintf(out, ", fsblock %" PRIu64,
			fsbno_of(geo, (agno_t){ group.v }, (agbno_t){ (uint32_t)block.v }).v);
}

static void set_forms(struct report_json *json, json_t *line, const struct geometry *geo,
		      const struct line_range *range)
{
	json_out_set(json, line, "sector", json_out_number(line_byte(geo, range->start) >> SECTOR_LOG));
	line_json(json, line, geo, range->start);
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

/* Prints the owner of a place outside of any block. */
static void tell_outside(struct telling *t, enum line_area area)
{
	const struct who who = { .kind = area == LINE_LOG      ? WHO_LOG
					 : area == LINE_BEHIND ? WHO_BEHIND
							       : WHO_NO_DEVICE,
				 .ino = NULL_INO };

	tell(t, &who);
}

/* Prints the owners of a place; range: the place on the line. json NULL: no JSON. */
static void owner_tell(const struct owners *owners, const struct where *where, const struct line_range *range,
		       FILE *out, struct report_json *json)
{
	struct telling t = { .owners = owners, .out = out, .json = json, .list = json ? json_array() : NULL };
	json_t *line = json ? json_out_line(json, "owner") : NULL;
	struct words place = { 0 };

	add_place(&place, where);
	fputs(place.text, out);
	if (json)
		json_out_set(json, line, "place", json_out_string(place.text));
	if (range->area == LINE_BLOCKS) {
		fputs(": ", out);
		print_forms(out, owners->geo, range);
		if (json)
			set_forms(json, line, owners->geo, range);
	}
	fputc('\n', out);
	if (range->area == LINE_BLOCKS)
		owners_each(owners, range->start, range->end, tell, &t);
	else
		tell_outside(&t, range->area);
	if (t.count > OWNERS_MOST)
		fprintf(out, "  and %" PRIu64 " more\n", t.count - OWNERS_MOST);
	if (!json)
		return;
	json_out_set(json, line, "owners", t.list);
	json_out_set(json, line, "more", json_out_number(t.count > OWNERS_MOST ? t.count - OWNERS_MOST : 0));
	json_out_put(json, line);
}

struct owner {
	struct hits *hits;		 /* the first member, for the sink */
	const struct where_list *places; /* result of owner_read() */
};

/* Reads places from a file. 0, or negative errno with the reason in *why. */
static int read_file(struct where_list *places, const char *path, struct words *why)
{
	FILE *in = fopen(path, "re");
	int ret = in ? where_list_read(places, in, why) : -errno;

	if (ret && ret != -EINVAL)
		*why = (struct words){ 0 };
	if (ret && ret != -EINVAL)
		words_add(why, "%s", strerror(-ret));
	if (in)
		fclose(in);
	return ret;
}

static int owner_read(const struct repair *rc, void **ret_given)
{
	const char *text = rc->run->options->query.owner_of;
	struct where_list *places = calloc(1, sizeof(*places));
	struct words why = { 0 }, sentence = { 0 };
	int ret;

	*ret_given = places;
	if (!places)
		return -ENOMEM;
	ret = text[0] == '@' ? read_file(places, text + 1, &why) : where_list_parse(places, text, &why);
	if (ret && ret != -ENOMEM) {
		words_add(&sentence, "--owner-of: %s: %s", text, why.text);
		trouble(rc, sentence.text);
	}
	return ret;
}

static void owner_drop(void *given)
{
	if (given)
		where_list_free(given);
	free(given);
}

/* Converts a place to bytes of the line; false: it is not in any block. */
static bool place_on_line(const struct geometry *geo, const struct where *where, struct line_range *ret_range)
{
	uint64_t start, end, next;

	*ret_range = (struct line_range){ .area = LINE_BEHIND };
	if (line_where(geo, where, &start, &end))
		*ret_range = line_range_of(geo, where->device, start, end, &next);
	return ret_range->area == LINE_BLOCKS;
}

static int owner_begin(struct repair *rc, void **ret_ctx)
{
	const struct where_list *places = *ret_ctx;
	struct owner *owner = calloc(1, sizeof(*owner));
	struct span *v = malloc((places->count + 1) * sizeof(*v));
	const unsigned log = rc->geo.block_log;
	struct spans spans = { 0 };
	struct line_range range;
	size_t count = 0;
	int ret;

	if (!owner || !v) {
		free(owner);
		free(v);
		return -ENOMEM;
	}
	owner->places = places;
	for (size_t i = 0; i < places->count; i++)
		if (place_on_line(&rc->geo, &places->v[i], &range))
			v[count++] = (struct span){ range.start >> log, ((range.end - 1) >> log) + 1 };
	ret = spans_settle(&spans, v, count, line_length(&rc->geo));
	if (ret)
		spans_free(&spans);
	else
		ret = hits_new(rc, &spans, &owner->hits);
	if (ret)
		free(owner);
	else
		*ret_ctx = owner;
	return ret;
}

static int owner_answer(struct repair *rc, void *ctx, FILE *out)
{
	const struct owner *owner = ctx;
	const struct where_list *places = owner->places;
	struct owners owners;
	struct line_range range;
	int ret = owners_begin(&owners, rc, owner->hits);

	for (size_t i = 0; i < places->count && !ret; i++)
		if (place_on_line(&rc->geo, &places->v[i], &range))
			ret = owners_want(&owners, range.start, range.end);
	if (!ret)
		ret = owners_find(&owners, rc);
	for (size_t i = 0; i < places->count && !ret; i++) {
		place_on_line(&rc->geo, &places->v[i], &range);
		owner_tell(&owners, &places->v[i], &range, out, report_answer_json(rc->report));
	}
	owners_free(&owners);
	return ret;
}

static void owner_end(void *ctx)
{
	struct owner *owner = ctx;

	hits_free(owner->hits);
	free(owner);
}

const struct question question_owner = { .read = owner_read,
					 .drop = owner_drop,
					 .begin = owner_begin,
					 .sink = &hits_ops,
					 .answer = owner_answer,
					 .end = owner_end,
					 .section = HTML_OWNER };
