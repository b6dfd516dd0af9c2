/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --bad: what the bad places of a device hit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bad_ranges.h"
#include "bad_told.h"
#include "options.h"
#include "owners.h"
#include "ask/inventory.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "report/words.h"
#include "run.h"

#define BADBLOCKS_BYTES 1024u /* of a block, unless badblocks is told otherwise */

struct bad {
	struct hits *hits; /* first: for the sink */
	const struct bad_file *file;
	struct bad_ranges ranges;
};

/* Which device the places are on, by what may stand in front of the file's name, which *ret_path is without. */
static enum device_role device_of(const char *text, const char **ret_path)
{
	*ret_path = text;
	if (!strncmp(text, "rt:", 3)) {
		*ret_path = text + 3;
		return ROLE_REALTIME;
	}
	if (!strncmp(text, "log:", 4)) {
		*ret_path = text + 4;
		return ROLE_LOG;
	}
	return ROLE_DATA;
}

static int bad_read(const struct repair *rc, void **ret_given)
{
	const struct query *query = &rc->run->options->query;
	struct bad_file *file = calloc(1, sizeof(*file));
	struct words why = { 0 }, sentence = { 0 };
	const char *path;
	FILE *in;
	int ret;

	*ret_given = file;
	if (!file)
		return -ENOMEM;
	device_of(query->bad, &path);
	in = fopen(path, "re");
	ret = in ? bad_file_read(in, query->bad_block_size ? query->bad_block_size : BADBLOCKS_BYTES, file, &why)
		 : -errno;
	if (in)
		fclose(in);
	if (ret && ret != -ENOMEM) {
		words_add(&sentence, "--bad: %s: %s", path, ret == -EINVAL ? why.text : strerror(-ret));
		trouble(rc, sentence.text);
	}
	return ret;
}

static void bad_drop(void *given)
{
	if (given)
		bad_file_free(given);
	free(given);
}

static void bad_end(void *ctx)
{
	struct bad *bad = ctx;

	hits_free(bad->hits);
	bad_ranges_free(&bad->ranges);
	free(bad);
}

/* Collect facts about the blocks that the ranges touch. 0 or -ENOMEM. */
static int collect(const struct repair *rc, struct bad *bad)
{
	const struct bad_ranges *ranges = &bad->ranges;
	const unsigned log = rc->geo.block_log;
	struct span *v = malloc((ranges->count + 1) * sizeof(*v));
	struct spans spans = { 0 };
	int ret;

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < ranges->count; i++)
		v[i] = (struct span){ ranges->v[i].start >> log, ((ranges->v[i].end - 1) >> log) + 1 };
	ret = spans_settle(&spans, v, ranges->count, line_length(&rc->geo));
	if (ret)
		spans_free(&spans);
	return ret ? ret : hits_new(rc, &spans, &bad->hits);
}

static int bad_begin(struct repair *rc, void **ret_ctx)
{
	struct bad *bad = calloc(1, sizeof(*bad));
	const char *path;
	int ret;

	if (!bad)
		return -ENOMEM;
	bad->file = *ret_ctx;
	ret = bad_ranges_place(&bad->ranges, &rc->geo, device_of(rc->run->options->query.bad, &path), bad->file);
	if (!ret)
		ret = collect(rc, bad);
	if (ret)
		bad_end(bad);
	else
		*ret_ctx = bad;
	return ret;
}

static int bad_answer(struct repair *rc, void *ctx, FILE *out)
{
	const struct bad *bad = ctx;
	struct bad_telling telling = {
		.file = bad->file, .ranges = &bad->ranges, .out = out, .json = report_answer_json(rc->report)
	};
	struct owners owners;
	int ret = owners_begin(&owners, rc, bad->hits);

	device_of(rc->run->options->query.bad, &telling.name);
	telling.owners = &owners;
	for (size_t i = 0; i < bad->ranges.count && !ret; i++)
		ret = owners_want(&owners, bad->ranges.v[i].start, bad->ranges.v[i].end);
	if (!ret)
		ret = owners_find(&owners, rc);
	if (!ret)
		ret = bad_tell(&telling);
	owners_free(&owners);
	return ret;
}

const struct question question_bad = { .read = bad_read,
				       .drop = bad_drop,
				       .begin = bad_begin,
				       .sink = &hits_ops,
				       .answer = bad_answer,
				       .end = bad_end,
				       .section = HTML_BAD };
