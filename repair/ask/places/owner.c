/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --owner-of: whose is this place? */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "line.h"
#include "owner_told.h"
#include "owners.h"
#include "ask/inventory.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "report/words.h"
#include "run.h"

struct owner {
	struct hits *hits;		 /* first: for the sink */
	const struct where_list *places; /* what was read */
};

/* Read places from a file. 0, or negative errno after *why was filled. */
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

/* The bytes of the line that a place means; false: it is not in any block. */
static bool place_on_line(const struct geometry *geo, const struct where *where, struct line_piece *ret_piece)
{
	uint64_t start, end, next;

	*ret_piece = (struct line_piece){ .part = LINE_BEHIND };
	if (line_where(geo, where, &start, &end))
		*ret_piece = line_piece_of(geo, where->device, start, end, &next);
	return ret_piece->part == LINE_BLOCKS;
}

static int owner_begin(struct repair *rc, void **ret_ctx)
{
	const struct where_list *places = *ret_ctx;
	struct owner *owner = calloc(1, sizeof(*owner));
	struct span *v = malloc((places->count + 1) * sizeof(*v));
	const unsigned log = rc->geo.block_log;
	struct spans spans = { 0 };
	struct line_piece piece;
	size_t count = 0;
	int ret;

	if (!owner || !v) {
		free(owner);
		free(v);
		return -ENOMEM;
	}
	owner->places = places;
	for (size_t i = 0; i < places->count; i++)
		if (place_on_line(&rc->geo, &places->v[i], &piece))
			v[count++] = (struct span){ piece.start >> log, ((piece.end - 1) >> log) + 1 };
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
	struct line_piece piece;
	int ret = owners_begin(&owners, rc, owner->hits);

	for (size_t i = 0; i < places->count && !ret; i++)
		if (place_on_line(&rc->geo, &places->v[i], &piece))
			ret = owners_want(&owners, piece.start, piece.end);
	if (!ret)
		ret = owners_find(&owners, rc);
	for (size_t i = 0; i < places->count && !ret; i++) {
		place_on_line(&rc->geo, &places->v[i], &piece);
		owner_tell(&owners, &places->v[i], &piece, out, report_answer_json(rc->report));
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
