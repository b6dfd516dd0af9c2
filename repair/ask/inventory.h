/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user asks about the files (query.h).  Each question is a row of the table there: it receives the facts of
 * the first check, which reads everything anyway; if that has found damage, those of one more sweep over what is mended
 * in memory. When all facts are in, it answers.
 */
#ifndef XFSCK_REPAIR_INVENTORY_H
#define XFSCK_REPAIR_INVENTORY_H

#include <stdio.h>

#include "query.h"
#include "base/sink.h"

struct repair;

/* A question. Functions that return int return 0 or a negative errno. */
struct question {
	/* True if it can't be done, before anything is read: message is a sentence for the user. NULL: it always can.
	 */
	bool (*refuse)(const struct query *query, char *message, size_t size);
	/*
	 * NULL, or read what the user gives beside the command line, once, before anything else.  An error that is not
	 * for lack of memory has been said.  drop() frees it, and takes NULL, too.
	 */
	int (*read)(const struct repair *rc, void **ret_given);
	void (*drop)(void *given);
	/* Make what its sink fills.  rc->geo is known by then, nothing else is.  *ret_ctx: what read() has made. */
	int (*begin)(struct repair *rc, void **ret_ctx);
	const struct sink_ops *sink; /* ctx: what begin() has made */
	/*
	 * Do what is asked, before the answer, with rc as for that; the report is shown as usual meanwhile. NULL: there
	 * is nothing to be done.  It may return 1: not all could be done, with a message.
	 */
	int (*work)(struct repair *rc, void *ctx);
	/*
	 * Print the answer to out.  rc: a check that is over, of what the facts came from.  -ENOENT: what the user asks
	 * about does not exist, which has been said.
	 */
	int (*answer)(struct repair *rc, void *ctx, FILE *out);
	void (*end)(void *ctx);
	bool contents;	  /* it wants what is told to a scope with `contents` only, */
	bool maps;	  /* or with `maps` */
	unsigned section; /* of the page (report/html_out.h), */
	bool pages;	  /* which answer() fills by itself; else its text is copied there */
};

#define x(name, asked) extern const struct question question_##name;
QUESTION_TABLE(x)
#undef x

struct inventory;

/* NULL: out of memory. Give it back with inventory_free(), which takes NULL, too. */
struct inventory *inventory_new(const struct query *query);
void inventory_free(struct inventory *inventory);
/* True if a question can't be answered: message is a sentence for the user. */
bool inventory_refuse(const struct inventory *inventory, const struct query *query, char *message, size_t size);
/* Read what the user gives in files. 0, or negative errno: it has been said. */
int inventory_read(struct inventory *inventory, const struct repair *rc);
/* True if the traversal is to tell contents. */
bool inventory_wants_contents(const struct inventory *inventory);
/* The same for maps. */
bool inventory_wants_maps(const struct inventory *inventory);
/* Begin to collect, anew if it had begun.  *ret_sink passes facts on to all questions. 0 or negative errno. */
int inventory_begin(struct inventory *inventory, struct repair *rc, struct sink *ret_sink);
/* Do what is to be done before the answers. 0, 1: not all could be, with a message, or negative errno. */
int inventory_work(struct inventory *inventory, struct repair *rc);
/* Answer all questions. 0 or negative errno. */
int inventory_answer(struct inventory *inventory, struct repair *rc, FILE *out);

#endif
