/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts what lies behind a hole in a dirty log: whole records, and the transactions that begin and end there.  The log
 * is replayed only up to the hole, so the rest is reported.
 */
#include "log_hole.h"

#include <inttypes.h>

#include "log_losses.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"

struct counting {
	struct log_mark committed;
	uint64_t transactions;
};

static int count(void *ctx, const struct log_transaction *transaction, const struct log_item *item)
{
	struct counting *counting = ctx;

	(void)item;
	counting->transactions += transaction->holes && !log_mark_same(transaction->committed, counting->committed);
	counting->committed = transaction->committed;
	return 0;
}

static void add_lsn(struct words *w, lsn_t lsn)
{
	words_add(w, "%" PRIu32 ":%" PRIu32, (uint32_t)(lsn.v >> 32), (uint32_t)lsn.v);
}

int log_hole_tell(struct repair *rc)
{
	struct counting counting = { .transactions = 0 };
	struct words note = { 0 };
	struct log_mark end;
	int ret = log_losses_each(rc, count, &counting, &end);

	if (ret)
		return ret;
	words_add(&note, "The log has a gap at LSN ");
	add_lsn(&note, rc->log.hole);
	words_add(&note, ". Behind it ");
	words_add_count(&note, rc->log.behind.records, "whole record follows", "whole records follow");
	if (rc->log.behind.records) {
		words_add(&note, ", LSN ");
		add_lsn(&note, rc->log.behind.first);
		words_add(&note, " to ");
		add_lsn(&note, rc->log.behind.last);
		words_add(&note, ", with ");
		words_add_count(&note, counting.transactions, "complete transaction", "complete transactions");
	}
	words_add(&note, ".");
	report_note(rc->report, note.text);
	return 0;
}
