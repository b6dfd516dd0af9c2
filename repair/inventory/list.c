/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists all files. */
#include <stdlib.h>

#include "questions.h"
#include "query.h"

static bool list_asked(const struct query *query)
{
	return query->list != LIST_NONE;
}

static int list_begin(struct repair *rc, void **ret_ctx)
{
	(void)rc;
	*ret_ctx = calloc(1, 1);
	return 0;
}

static int list_answer(struct repair *rc, void *ctx, FILE *out)
{
	(void)rc;
	(void)ctx;
	fputs("list\n", out);
	return 0;
}

static void list_end(void *ctx)
{
	free(ctx);
}

const struct question question_list = { .asked = list_asked,
					.begin = list_begin,
					.sink = &(const struct sink_ops){ 0 },
					.answer = list_answer,
					.end = list_end };
