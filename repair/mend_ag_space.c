/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The btrees of an allocation group that say who owns which block, and its free list: rebuilt from what inodes, their
 * forks and the inode trees use (ondisk 12, "What derives from what").  Relies on all inodes having been looked at: as
 * long as one has blocks that are not known, nothing is taken for free.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mend.h"
#include "mend_evidence.h"

/* Groups to rebuild, and the finding that is the reason. */
struct work {
	struct mend *m;
	const struct found **why; /* per AG; NULL: it is sound, or done */
	bool *batch;
};

static void say(const struct mend *m, agno_t agno, const char *why)
{
	char note[160];

	snprintf(note, sizeof(note), "The btrees of allocation group %u can't be rebuilt: %s.", agno.v, why);
	report_note(m->rc->report, note);
}

/* Blocks that can't be read count as those of old trees: the new ones go there only for want of others. */
static int leave_out_unreadable(const struct mend *m, struct ag_contents *contents, struct use **ret_old)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t start = bytes_of_daddr(daddr_of(geo, contents->agno, (agbno_t){ 0 })), bad, len;
	uint64_t end = start + ((uint64_t)ag_length(geo, contents->agno) << geo->block_log);
	size_t room = 0, n = contents->nold;
	struct use *old = NULL;

	for (uint64_t at = start; device_unreadable(m->rc->device, at, end - at, &bad, &len); at = bad + len) {
		uint64_t first = (bad - start) >> geo->block_log;
		uint64_t last = (bad + len - 1 - start) >> geo->block_log;

		if (!old) {
			old = calloc(n + 1, sizeof(*old));
			if (!old)
				return -ENOMEM;
			memcpy(old, contents->old, n * sizeof(*old));
			room = n + 1;
		}
		if (array_grow(&old, &room, n, sizeof(*old))) {
			free(old);
			return -ENOMEM;
		}
		old[n++] = (struct use){ .start = first, .len = last - first + 1, .owner = OWNER_AG };
	}
	if (old) {
		contents->old = old;
		contents->nold = n;
	}
	*ret_old = old;
	return 0;
}

static int rebuild(struct work *work, struct mend_evidence *evidence, agno_t agno)
{
	struct mend *m = work->m;
	const struct ag_writer writer = mend_writer(m);
	struct inobt_record *chunks;
	struct ag_contents contents;
	struct ag_mended mended;
	struct use *old = NULL;
	int ret = mend_evidence_contents(evidence, agno, false, &contents, &chunks);

	if (!ret)
		ret = leave_out_unreadable(m, &contents, &old);
	if (!ret)
		ret = mend_ag(&m->now->geo, &contents, &writer, &mended);
	free(old);
	switch (ret) {
	case 0:
		mend_done(m, work->why[agno.v]);
		return 0;
	case -ENOSPC:
		say(m, agno, "there is no room for new ones");
		return 0;
	case -EEXIST: /* blocks with several owners, which is for others to settle */
	case -EINVAL:
		return 0;
	default:
		return ret;
	}
}

/* The next groups whose facts fit into memory together. False: all are done. */
static bool next_batch(struct work *work, size_t limit)
{
	const struct repair *now = work->m->now;
	uint64_t bytes = 0;
	bool any = false;

	for (uint32_t ag = 0; ag < now->geo.agcount; ag++) {
		uint64_t more = ledger_group_posts(now->ledger, group_of_ag((agno_t){ ag })) * EVIDENCE_BYTES;

		work->batch[ag] = work->why[ag] && (!any || bytes + more <= limit);
		if (work->batch[ag])
			bytes += more;
		any |= work->batch[ag];
	}
	return any;
}

static int run_batch(struct work *work)
{
	const struct repair *now = work->m->now;
	struct mend_evidence evidence;
	int ret = mend_evidence_collect(now, work->batch, MEND_CLAIMS, NULL, work->m->rc->memory.records, &evidence);

	for (uint32_t ag = 0; ag < now->geo.agcount && !ret; ag++)
		if (work->batch[ag]) {
			ret = rebuild(work, &evidence, (agno_t){ ag });
			work->why[ag] = NULL;
		}
	mend_evidence_free(&evidence);
	if (ret != -E2BIG)
		return ret;
	for (uint32_t ag = 0; ag < now->geo.agcount; ag++)
		if (work->batch[ag]) {
			say(work->m, (agno_t){ ag }, "that takes more memory than -m allows");
			work->why[ag] = NULL;
		}
	return 0;
}

int mend_ag_space(struct mend *m, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	struct work work = { .m = m };
	int ret = 0;

	if (mend_owners_unknown(m->now, false))
		return 0;
	work.why = calloc(geo->agcount, sizeof(*work.why));
	work.batch = calloc(geo->agcount, sizeof(*work.batch));
	if (!work.why || !work.batch)
		ret = -ENOMEM;
	for (size_t i = 0; i < count && !ret; i++)
		if (found[i].place.agno.v < geo->agcount && !work.why[found[i].place.agno.v])
			work.why[found[i].place.agno.v] = &found[i];
	while (!ret && next_batch(&work, m->rc->memory.records))
		ret = run_batch(&work);
	free(work.why);
	free(work.batch);
	return ret;
}
