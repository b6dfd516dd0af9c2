/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Proves a repair with few changes: by the books kept open (open_books.h) instead of a whole check.  They show that
 * nothing is left to mend, or what is left, if that is damage within objects and space that menders took or gave up.
 * If there may be more, a whole check follows.
 */

#include "check_again.h"
#include "mend/blocks/mend_space.h"
#include "check/books/ledger.h"
#include "check/prove.h"
#include "repair.h"
#include "report.h"
#include "report/trace.h"
#include "report/words.h"
#include "rounds.h"
#include "run.h"

static void trace_books(const struct rounds *r, uint64_t start)
{
	const struct open_books *books = &r->books;
	struct trace *t = r->m->rc->run->trace;

	if (books->unknown)
		trace_say(t, "books: not known, because of %s", books->unknown);
	else
		trace_say(t, "books: %zu inodes taken off and put on, %s", books->changed.ninos,
			  books->clean ? "and nothing is left" : "and something is left");
	trace_end(t, start);
}

/* Uses the books as the last check: they show everything that is left. 0 or -ENOMEM. */
static int take_books(struct rounds *r)
{
	const bool balance = r->books.balance;
	struct repair *check = open_books_check(&r->books);
	int ret;

	r->m->now = check;
	check_again_free(r->again);
	r->again = check;
	mend_space_forget(r->m);
	r->unowned_is_all = false;
	r->by_books = r->books.clean;
	r->depth = balance ? DEPTH_WHOLE : DEPTH_NAMES;
	ret = damage_collect(&r->damage, check->findings);
	/* AG btrees are rebuilt when everything else is mended */
	return ret || balance || r->damage.count ? ret : rounds_add_accounts(r);
}

/* For tests: reports where the books differ from the whole check. */
static void compare_books(const struct rounds *r)
{
	const struct open_books *books = &r->books;
	const uint64_t differences = r->again->ledger ? ledger_differences(books->ledger, r->again->ledger) : 1;
	const bool clean = !r->damage.count && r->depth == DEPTH_WHOLE;
	struct words note = { 0 };

	if (!differences && (clean || !books->clean))
		return;
	words_add(&note, BOOKS_DIFFER);
	words_add_number(&note, differences);
	words_add(&note, " sums differ%s.", books->clean && !clean ? ", and they have nothing as damaged" : "");
	report_note(r->m->rc->report, note.text);
}

int rounds_prove(struct rounds *r)
{
	struct repair *rc = r->m->rc;
	const bool compare = rc->run->options->compare_books;
	const uint64_t start = trace_now(rc->run->trace);
	int ret;

	if (!compare && !prove_by_books(rc))
		return rounds_check(r);
	open_books_close(&r->books);
	ret = open_books_correct(rc, &r->books);
	if (!ret)
		trace_books(r, start);
	if (!ret && r->books.tell_left && !compare)
		return take_books(r);
	if (!ret)
		ret = rounds_check(r);
	if (!ret && compare && r->books.ledger)
		compare_books(r);
	return ret;
}
