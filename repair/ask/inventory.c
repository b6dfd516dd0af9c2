/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes facts to all questions, and prints their answers. */
#include "inventory.h"

#include <errno.h>
#include <stdlib.h>

#include "table.h"
#include "repair.h"
#include "report.h"
#include "report/html_out.h"
#include "run.h"
#include "base/sink.h"

static const struct question *const questions[QUESTION_NR] = {
#define x(name, asked) &question_##name,
	QUESTION_TABLE(x)
#undef x
};

struct inventory {
	const struct question *asked[QUESTION_NR];
	void *given[QUESTION_NR]; /* results of read() */
	void *ctx[QUESTION_NR];	  /* NULL: not begun */
	size_t count;
	struct sink_both both[QUESTION_NR]; /* combines the sink of each question with those before it */
};

struct inventory *inventory_new(const struct query *query)
{
	struct inventory *inventory = calloc(1, sizeof(*inventory));

	for (size_t i = 0; inventory && i < QUESTION_NR; i++)
		if (query_asked(query) >> i & 1)
			inventory->asked[inventory->count++] = questions[i];
	return inventory;
}

static void forget(struct inventory *inventory)
{
	for (size_t i = 0; i < inventory->count; i++) {
		if (inventory->ctx[i])
			inventory->asked[i]->end(inventory->ctx[i]);
		inventory->ctx[i] = NULL;
	}
}

void inventory_free(struct inventory *inventory)
{
	if (!inventory)
		return;
	forget(inventory);
	for (size_t i = 0; i < inventory->count; i++)
		if (inventory->asked[i]->drop)
			inventory->asked[i]->drop(inventory->given[i]);
	free(inventory);
}

int inventory_read(struct inventory *inventory, const struct repair *rc)
{
	int ret = 0;

	for (size_t i = 0; i < inventory->count && !ret; i++)
		if (inventory->asked[i]->read)
			ret = inventory->asked[i]->read(rc, &inventory->given[i]);
	if (ret == -ENOMEM)
		failed(rc, "what was asked", ret);
	return ret;
}

bool inventory_wants_contents(const struct inventory *inventory)
{
	bool wanted = false;

	for (size_t i = 0; i < inventory->count; i++)
		wanted |= inventory->asked[i]->contents;
	return wanted;
}

bool inventory_wants_maps(const struct inventory *inventory)
{
	bool wanted = false;

	for (size_t i = 0; i < inventory->count; i++)
		wanted |= inventory->asked[i]->maps;
	return wanted;
}

int inventory_begin(struct inventory *inventory, struct repair *rc, struct sink *ret_sink)
{
	struct sink all = { 0 };

	forget(inventory);
	for (size_t i = 0; i < inventory->count; i++) {
		void *ctx = inventory->given[i];
		const int error = inventory->asked[i]->begin(rc, &ctx);
		const struct sink one = { inventory->asked[i]->sink, ctx, &rc->run->key };

		if (error)
			return error;
		inventory->ctx[i] = ctx;
		all = all.ops ? sink_both(&inventory->both[i], &all, &one) : one;
	}
	*ret_sink = all;
	return 0;
}

bool inventory_refuse(const struct inventory *inventory, const struct query *query, char *message, size_t size)
{
	bool refused = false;

	for (size_t i = 0; i < inventory->count && !refused; i++)
		refused = inventory->asked[i]->refuse && inventory->asked[i]->refuse(query, message, size);
	return refused;
}

int inventory_work(struct inventory *inventory, struct repair *rc)
{
	int ret = 0;

	for (size_t i = 0; i < inventory->count && ret >= 0; i++) {
		const int done = inventory->asked[i]->work ? inventory->asked[i]->work(rc, inventory->ctx[i]) : 0;

		ret = done ? done : ret;
	}
	return ret;
}

/* Answers a question, in its section of the page. 0 or negative errno. */
static int answer(const struct question *question, struct repair *rc, void *ctx, FILE *out)
{
	struct html *page = report_answer_page(rc->report);
	struct answer_copy *copy = NULL;
	int ret;

	if (page && question->pages)
		html_enter(page, question->section);
	else if (page)
		copy = answer_copy_begin(out, page, question->section, &out);
	ret = page && !question->pages && !copy ? -ENOMEM : question->answer(rc, ctx, out);
	answer_copy_end(copy);
	return ret;
}

int inventory_answer(struct inventory *inventory, struct repair *rc, FILE *out)
{
	int ret = 0;

	for (size_t i = 0; i < inventory->count && !ret; i++) {
		if (i)
			putc('\n', out);
		ret = answer(inventory->asked[i], rc, inventory->ctx[i], out);
	}
	return ret;
}
