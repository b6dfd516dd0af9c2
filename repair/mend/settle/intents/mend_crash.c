/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completes what a crash left for log recovery (ondisk 11, "Recovery rules"; 02, "Unlinked buckets"; 03), before
 * anything is mended.  Not done in a check that finds nothing to mend.
 *
 * Interrupted operations on files come first (mend_intents.c).  Inodes deleted while open are freed: their cores are
 * cleared.  Then the btrees of all affected AGs are rebuilt from the remaining claims, without blocks staged for copy
 * on write; that completes interrupted operations on these btrees, too.  Blocks of cleared inodes in other AGs become
 * unowned: the next check finds that, and has these AGs rebuilt.  It also compares the count of free realtime extents,
 * which recovery recomputes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "check/books/books.h"
#include "disk/inobt.h"
#include "log/leftovers.h"
#include "mend/base/mend.h"
#include "mend/collect/group_age.h"
#include "mend/collect/mend_evidence.h"
#include "mend/make/mend_ag.h"
#include "mend/make/mend_rt.h"
#include "mend_crash.h"
#include "mend_intents.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "check/walk/walker.h"

/* Frees an inode by clearing its core. 0 or negative errno. */
static int free_inode(struct mend *m, agno_t agno, agino_t agino)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t offset = bytes_of_daddr(daddr_of(geo, agno, agbno_of_agino(geo, agino))) +
			  (uint64_t)(agino.v % geo->inodes_per_block) * geo->inode_size;
	uint64_t in_sector = offset % SECTOR_SIZE;
	uint32_t len = geo->inode_size > SECTOR_SIZE ? geo->inode_size : SECTOR_SIZE;
	uint8_t *bytes = malloc(len);
	int ret = bytes ? mend_read(m, bytes, offset - in_sector, len) : -ENOMEM;

	if (!ret) {
		dinode_set_free(geo, bytes + in_sector);
		ret = mend_write(m, bytes, offset - in_sector, len);
	}
	free(bytes);
	return ret;
}

/* Marks unlinked inodes as free in the records of their chunks; both are in order of inode numbers. */
static void free_in_chunks(const struct ag_state *ag, struct inobt_record *chunks, size_t count)
{
	size_t i = 0;

	for (size_t u = 0; u < ag->nunlinked; u++) {
		uint32_t agino = ag->unlinked[u].agino;
		uint64_t bit;

		while (i < count && chunks[i].start.v + INODES_PER_CHUNK <= agino)
			i++;
		if (i == count || chunks[i].start.v > agino)
			continue;
		bit = 1ull << (agino - chunks[i].start.v);
		chunks[i].freecount += !(chunks[i].free & bit);
		chunks[i].free |= bit;
	}
}

/* Rebuilds the btrees of an AG, with unlinked inodes and staged extents as free. */
static int rebuild_ag(void *ctx, struct mend_evidence *evidence, group_t group)
{
	struct mend *m = ctx;
	const agno_t agno = { group.v };
	const struct ag_state *ag = &m->now->traverse->ags[agno.v];
	const struct ag_writer writer = mend_writer(m);
	struct inobt_record *chunks = NULL;
	struct ag_contents contents;
	struct ag_mended mended;
	int ret;

	if (!evidence)
		return -E2BIG;
	evidence->nothing_staged = true;
	ret = mend_evidence_contents(evidence, agno, ag->nunlinked > 0, &contents, &chunks);
	if (!ret && ag->nunlinked) {
		free_in_chunks(ag, chunks, contents.nchunks);
		for (size_t i = 0; i < sizeof(contents.agi.unlinked) / sizeof(contents.agi.unlinked[0]); i++)
			contents.agi.unlinked[i].v = NULL_AGINO;
	}
	if (!ret)
		ret = mend_ag(&m->now->geo, &contents, &writer, &mended);
	free(chunks);
	return ret;
}

/* Rewrites the space metadata of a realtime group, with staged extents as free. */
static int rebuild_rt(void *ctx, struct mend_evidence *evidence, group_t group)
{
	struct mend *m = ctx;
	struct use *claims;
	size_t count;

	if (!evidence)
		return -E2BIG;
	evidence->nothing_staged = true;
	claims = mend_evidence_claims(evidence, group, &count);
	return mend_rt_write(m, group.v - m->now->geo.agcount, RT_ALL, claims, count);
}

/* Rewrites these groups. Btrees of realtime groups take blocks of AGs, so these groups come first. */
static int rebuild(struct mend *m, bool *groups)
{
	const struct geometry *geo = &m->now->geo;
	bool *rt = calloc(group_count(geo), sizeof(*rt));
	int ret = rt ? 0 : -ENOMEM;

	for (uint32_t i = geo->agcount; i < group_count(geo) && !ret; i++) {
		rt[i] = groups[i];
		groups[i] = false;
	}
	if (!ret)
		ret = mend_evidence_each(m, rt, rebuild_rt, m);
	if (!ret)
		ret = mend_evidence_each(m, groups, rebuild_ag, m);
	free(rt);
	return ret;
}

/* Reports what was completed and freed; all of it is only staged so far. */
static void tell_finished(const struct mend *m, const struct intents *waited, uint64_t inodes, uint64_t blocks)
{
	uint64_t steps = intents_waiting(waited);
	struct words finished = { 0 }, freed = { 0 };

	if (steps) {
		words_add(&finished, "Finished: ");
		words_add_count(&finished, steps, "step", "steps");
		words_add(&finished, " of interrupted operations.");
		report_note(m->rc->report, finished.text);
	}
	if (inodes + blocks) {
		words_add(&freed, "Freed: ");
		words_add_count(&freed, inodes, "inode", "inodes");
		words_add(&freed, " deleted while still open, ");
		words_add_count(&freed, blocks, "block", "blocks");
		words_add(&freed, " set aside for copies.");
		report_note(m->rc->report, freed.text);
	}
	leftovers_report(m->rc, waited, inodes, blocks, true);
}

/* Frees deleted inodes and staged extents, and rebuilds the btrees of their groups, and of groups[]. */
static int free_leftovers(struct mend *m, const struct intents *waited, bool *groups)
{
	uint64_t inodes = 0, blocks = 0;
	int ret = 0;

	for (uint32_t i = 0; i < m->now->geo.agcount && !ret; i++) {
		const struct ag_state *ag = &m->now->traverse->ags[i];

		for (size_t k = 0; k < ag->nunlinked && !ret; k++)
			ret = free_inode(m, (agno_t){ i }, (agino_t){ ag->unlinked[k].agino });
		groups[i] |= ag->nunlinked || ag->staged;
		m->done += ag->nunlinked || ag->staged;
		inodes += ag->nunlinked;
		blocks += ag->staged;
	}
	for (uint32_t rg = 0; rg < m->now->geo.rgcount; rg++) {
		const uint64_t staged = m->now->traverse->rt.group[rg].staged;

		groups[group_of_rg(&m->now->geo, rg).v] |= staged != 0;
		m->done += staged != 0;
		blocks += staged;
	}
	if (!ret)
		ret = rebuild(m, groups);
	if (!ret)
		tell_finished(m, waited, inodes, blocks);
	return ret;
}

/*
 * True if the damage is in the attribute fork of a deleted inode.  The kernel removes that fork block by block before
 * it frees the inode, so a crash in between leaves it damaged; it is not needed any more.
 */
static bool is_of_deleted_attributes(const struct repair *rc, const struct place *place)
{
	bool attributes = place->object == OBJ_ATTR_FORK || place->object == OBJ_ATTR_LEAF ||
			  place->object == OBJ_ATTR_REMOTE || place->object == OBJ_DA_NODE;

	return attributes && ino_valid(&rc->geo, place->ino) &&
	       unlinked_find(&rc->traverse->ags[agno_of_ino(&rc->geo, place->ino).v],
			     agino_of_ino(&rc->geo, place->ino).v);
}

/* True if a finding does not affect claims: a tool was interrupted, or a record of the log was read as it was written.
 */
static bool leaves_claims(const struct repair *rc, const struct found *found)
{
	switch (found->problem.finding) {
	case F_SB_NEEDSREPAIR:
	case F_SB_INPROGRESS:
		return true;
	case F_LOG_RECORD_CRC:
		return !rc->run->log_cut;
	default:
		return false;
	}
}

/* True if deleted inodes and staged extents can be freed: no damage may affect claims. */
static bool claims_are_sound(const struct repair *rc, const struct found *damage, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!leaves_claims(rc, &damage[i]) && !is_of_deleted_attributes(rc, &damage[i].place))
			return false;
	return true;
}

/* Gives up: discards everything staged for this, and reports the reason. */
static int leave_to_mount(struct mend *m, const char *why)
{
	char note[256];

	device_unstage(m->rc->run->device, LAYER_MEND);
	m->done = m->likely = m->guesses = 0;
	mend_crash_end(m, false);
	m->rc->run->log_kept = m->rc->run->log_replayed;
	snprintf(note, sizeof(note), "%s: operations that the crash interrupted are unfinished. A mount finishes them.",
		 why);
	report_note(m->rc->report, note);
	return 0;
}

/* Takes pending intents out of the run, so that checks don't apply them any more. NULL: none are pending. */
static const struct intents *take_intents(struct mend *m)
{
	const uint64_t waiting = intents_waiting(m->rc->run->intents);

	if (!waiting)
		return NULL;
	m->done += waiting;
	m->intents = m->rc->run->intents;
	m->rc->run->intents = NULL;
	return m->intents;
}

/*
 * Makes checks compare the superblock's count of free realtime extents from now on, which the log does not maintain.
 * True if the last check, which did not compare it, would have found it wrong.
 */
static bool compare_frextents(struct mend *m)
{
	const bool stale = m->rc->run->frextents_stale;
	uint64_t free;

	m->rc->run->frextents_stale = false;
	return stale && rt_free_extents(m->now, &free) && free != m->now->geo.frextents;
}

/* A staged_fn of cache.h: keeps a copy. */
static int keep_copy(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	struct mend *m = ctx;
	uint8_t *copy = malloc(len);
	int ret;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, bytes, len);
	ret = array_add(m->finished, m->finished_room, m->nfinished, (struct mend_finished){ offset, len, copy });
	if (ret)
		free(copy);
	return ret;
}

/* Notes that the btrees of these groups lack what the log tells, so that menders don't take them for evidence. */
static int note_old(struct mend *m, const bool *groups)
{
	int ret = 0;

	for (uint32_t i = 0; i < m->now->geo.agcount && !ret; i++)
		if (groups[i])
			ret = group_note_old(m, (agno_t){ i });
	return ret;
}

static int finish(struct mend *m, const struct found *damage, size_t count, bool *groups)
{
	const bool first = !device_staged(m->rc->run->device, LAYER_MEND);
	const struct intents *waited;
	struct repair *rc = m->rc;
	bool possible;
	int ret = mend_intents(m, rc->run->intents, groups, &possible);

	if (ret || !possible)
		return ret; /* may become possible when damage has been mended */
	if (first && count)
		ret = device_staged_each(rc->run->device, LAYER_MEND, keep_copy, m);
	intents_groups(rc->run->intents, groups);
	waited = take_intents(m);
	if (ret)
		return ret;
	if (claims_are_sound(m->now, damage, count))
		return free_leftovers(m, waited, groups);
	tell_finished(m, waited, 0, 0);
	return note_old(m, groups);
}

int mend_crash_before(struct mend *m)
{
	int ret = 0;

	for (size_t i = 0; i < m->nfinished && !ret; i++)
		ret = device_stage(m->rc->run->device, LAYER_PLACE, m->finished[i].bytes, m->finished[i].offset,
				   m->finished[i].len);
	return ret;
}

int mend_crash(struct mend *m, const struct found *damage, size_t count, bool *ret_again)
{
	uint64_t before = m->done;
	bool *groups;
	int ret;

	*ret_again = false;
	/* a check that found damage does here what a repair would do */
	if (m->rc->run->options->no_modify && !m->rc->run->options->preview && m->quiet)
		return 0;
	groups = calloc(group_count(&m->rc->geo), sizeof(*groups));
	if (!groups)
		return -ENOMEM;
	ret = finish(m, damage, count, groups);
	free(groups);
	if (ret == -ENOSPC || ret == -EEXIST || ret == -EINVAL)
		return leave_to_mount(m, "There is no free space to rebuild the btrees of an AG");
	if (ret == -E2BIG)
		return leave_to_mount(m, "Rebuilding the btrees of an AG needs more memory than there is");
	if (!ret && !intents_waiting(m->rc->run->intents))
		*ret_again = compare_frextents(m);
	*ret_again |= m->done > before;
	return ret;
}

void mend_crash_end(struct mend *m, bool proven)
{
	if (!m->intents)
		return;
	if (proven)
		intents_free(m->intents);
	else
		m->rc->run->intents = m->intents;
	m->intents = NULL;
}
