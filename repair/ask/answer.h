/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an answer goes: text, and a page to look at. */
#ifndef XFSCK_REPAIR_ANSWER_H
#define XFSCK_REPAIR_ANSWER_H

#include <stdio.h>

struct html;

struct answer {
	FILE *text;
	struct html *page; /* NULL: none */
};

/* A sentence: a line of the text, or a paragraph of the page. */
__attribute__((format(printf, 2, 3))) void answer_say(const struct answer *to, const char *format, ...);
/* An empty line of the text. */
void answer_space(const struct answer *to);

/*
 * For an answer that is text alone: it goes on to `text`, and its beginning into this section of the page (html_out.h).
 * *ret_out: where to print it, until answer_copy_end(). NULL: out of memory.
 */
struct answer_copy;
struct answer_copy *answer_copy_begin(FILE *text, struct html *page, unsigned section, FILE **ret_out);
/* Frees it; NULL is fine. */
void answer_copy_end(struct answer_copy *copy);

#endif
