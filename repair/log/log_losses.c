/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out what is lost if a dirty log is given up: counts its transactions, and reports the inodes that they change.
 * Paths of these are found in the file system without the log, which is what will be left; a file that only the log
 * knows has none.  Problems of the log itself are not reported again, since they do not matter any more.
 */
#include "log_losses.h"

#include <errno.h>
#include <stdlib.h>

#include "log_transactions.h"
#include "repair.h"
#include "run.h"
#include "sets/ino_set.h"
#include "spot.h"

struct counting {
	const struct check *silent;
	struct log_losses losses;
	struct ino_set inodes;
	struct log_mark committed;
};

static int count(void *ctx, const struct log_transaction *transaction, const struct log_item *item)
{
	struct counting *counting = ctx;
	struct log_inode inode;

	counting->losses.transactions += !log_mark_same(transaction->committed, counting->committed);
	counting->committed = transaction->committed;
	counting->losses.items++;
	if (item->type != LI_INODE || !log_inode_decode(counting->silent, item, &inode) || inode.ino.v == 0)
		return 0;
	return ino_set_put(&counting->inodes, inode.ino);
}

int log_losses(struct repair *rc, bool named, struct log_losses *ret_losses)
{
	const struct check silent = check_silent(&rc->geo);
	const struct log_source log = log_source_of(&rc->geo, rc->run->device, rc->run->log_device);
	const struct log_range range = {
		&log, &rc->log, log_bbs(&rc->geo), { rc->log.head, 0 }, LOG_WALK_LOGGED, rc->run->memory.log, false
	};
	struct counting counting = { .silent = &silent };
	struct log_mark end;
	int ret = log_transactions_each(&silent, &range, count, &counting, &end);

	counting.losses.inodes = ino_set_count(&counting.inodes);
	if (ret || !named)
		ino_set_free(&counting.inodes);
	else
		rc->run->lost_inodes = counting.inodes;
	if (!ret)
		*ret_losses = counting.losses;
	return ret;
}

int log_losses_name(struct repair *rc)
{
	const struct ino_set *inodes = &rc->run->lost_inodes;
	struct spot spot = spot_of(rc, OBJ_INODE, NO_AGNO);
	const struct check check = spot_check(&spot);
	xino_t *sorted = ino_set_count(inodes) ? ino_set_sorted(inodes) : NULL;

	if (!ino_set_count(inodes))
		return 0;
	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < ino_set_count(inodes); i++) {
		spot.place.ino = sorted[i];
		spot.place.agno = agno_of_ino(&rc->geo, sorted[i]);
		problem(&check, F_LOG_LOSES_INODE, 0, 0, 0);
	}
	free(sorted);
	return 0;
}
