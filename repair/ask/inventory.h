/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries about the files (query.h). Each question is a row of the table there. It receives the facts of the first
 * check, which reads everything anyway; after damage, those of another sweep over the file system as repaired in
 * memory. It answers when all facts are in.
 */
#ifndef XFSCK_REPAIR_INVENTORY_H
#define XFSCK_REPAIR_INVENTORY_H

#include <stdio.h>

#include "query.h"
#include "base/sink.h"

struct repair;

/* A question. Functions of type int return 0 or a negative errno. */
struct question {
	/* True if it cannot be answered, before any reading. message: a sentence for the user. NULL: always can. */
	bool (*refuse)(const struct query *query, char *message, size_t size);
	/*
	 * Reads input besides the command line, once, before anything else; NULL: none. Reports its errors, except lack
	 * of memory. drop() frees the result, and accepts NULL.
	 */
	int (*read)(const struct repair *rc, void **ret_given);
	void (*drop)(void *given);
	/* Creates the ctx of the sink. Only rc->geo is known by then. *ret_ctx: the result of read(). */
	int (*begin)(struct repair *rc, void **ret_ctx);
	const struct sink_ops *sink; /* ctx: the result of begin() */
	/*
	 * Acts before the answer, with the same rc; the report appears meanwhile. NULL: nothing to do. May return 1,
	 * after a message: something could not be done.
	 */
	int (*work)(struct repair *rc, void *ctx);
	/*
	 * Prints the answer to out. rc: the completed check that supplied the facts. -ENOENT, after a message: the
	 * subject of the query does not exist.
	 */
	int (*answer)(struct repair *rc, void *ctx, FILE *out);
	void (*end)(void *ctx);
	bool contents;	  /* needs a scope with `contents`, */
	bool maps;	  /* or with `maps` */
	unsigned section; /* of the page (report/html_out.h), */
	bool pages;	  /* which answer() writes itself; else its text is copied there */
};

#define x(name, asked) extern const struct question question_##name;
QUESTION_TABLE(x)
#undef x

struct inventory;

/* Returns the queries of this run; NULL: out of memory. inventory_free() frees them, and accepts NULL. */
struct inventory *inventory_new(const struct query *query);
void inventory_free(struct inventory *inventory);
/* True if a question cannot be answered, with a sentence for the user in message. */
bool inventory_refuse(const struct inventory *inventory, const struct query *query, char *message, size_t size);
/* Reads input from files. 0, or negative errno after a message. */
int inventory_read(struct inventory *inventory, const struct repair *rc);
/* True if the traversal must report contents. */
bool inventory_wants_contents(const struct inventory *inventory);
/* The same for maps. */
bool inventory_wants_maps(const struct inventory *inventory);
/* Begins to collect facts, discarding earlier ones. *ret_sink passes them on to all questions. 0 or negative errno. */
int inventory_begin(struct inventory *inventory, struct repair *rc, struct sink *ret_sink);
/* Calls work() of all questions. 0, 1 (something could not be done, after a message), or negative errno. */
int inventory_work(struct inventory *inventory, struct repair *rc);
/* Answers all questions. 0 or negative errno. */
int inventory_answer(struct inventory *inventory, struct repair *rc, FILE *out);

#endif
