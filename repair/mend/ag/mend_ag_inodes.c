/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inobt and finobt of allocation groups, and what the AGI says of them: written anew from all that tells of inodes
 * (mend_chunks.h).  The space btrees don't know yet which blocks the new trees have: the next check finds that.
 */
#include <errno.h>
#include <stdlib.h>

#include "mend/mend.h"
#include "mend_chunks.h"
#include "mend/mend_space.h"

struct work {
	struct mend *m;
	const struct found **why;   /* per AG: the finding that it is mended for; NULL: nothing to do */
	enum inobt_trust *trust;    /* per AG */
	bool *rebuilt;		    /* per AG */
	struct mend_chunks *chunks; /* per AG: all its chunks, as they shall be */
	struct mend_chunks *more;   /* per AG: those with inodes in use whose claims `survey` does not have */
	bool any_more;		    /* there are such chunks in any AG that was looked at */
	bool adopted;		    /* `survey` came with the last check */
	struct mend_survey survey;
	bool *lacking;		   /* per AG: `survey` has too few free blocks for its new trees */
	struct mend_survey closer; /* of these AGs, with the claims of inodes that were found; empty: not made yet */
};

/* Which blocks may be taken for new trees, of those that nobody claims. */
enum witness {
	BY_TREES,  /* those that are free by the bnobt, and not in use by the rmapbt */
	BY_RMAPBT, /* those that are not in use by the rmapbt, which knows blocks of maps that can't be read */
	BY_CLAIMS, /* all */
};

/* The blocks that may be taken; free the map whatever came of it. 0 or -ENOMEM. */
static int find_free(const struct work *w, const struct mend_survey *survey, agno_t agno, enum witness by,
		     struct block_map *map)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct survey_ag *ag = &survey->ags[agno.v];
	int ret = block_map_new(map, 0, ag_length(geo, agno));

	if (ret)
		return ret;
	if (by == BY_TREES)
		block_map_unite(map, &ag->free);
	else
		block_map_set(map, 0, map->to, true);
	block_map_subtract(map, &ag->claimed);
	if (by != BY_CLAIMS)
		block_map_subtract(map, &ag->mapped);
	for (size_t i = 0; i < w->chunks[agno.v].count; i++)
		mend_chunks_mark(geo, &w->chunks[agno.v].v[i], map, false);
	return 0;
}

/* Take the first run of so many blocks; if there is none, the first blocks there are. False: there are too few. */
static bool take(const struct block_map *map, uint64_t *blocks, uint32_t need)
{
	uint32_t run = 0, n = 0;

	for (uint64_t b = 0; b < map->to; b++) {
		run = block_map_get(map, b) ? run + 1 : 0;
		if (run < need)
			continue;
		for (uint32_t i = 0; i < need; i++)
			blocks[i] = b + 1 - need + i;
		return true;
	}
	for (uint64_t b = 0; b < map->to && n < need; b++)
		if (block_map_get(map, b))
			blocks[n++] = b;
	return n == need;
}

/* The same of blocks that may be taken by this witness. 0, -ENOSPC or -ENOMEM. */
static int take_free(const struct work *w, const struct mend_survey *survey, agno_t agno, enum witness by,
		     uint64_t *blocks, uint32_t need)
{
	struct block_map map;
	int ret = find_free(w, survey, agno, by, &map);

	if (!ret && !take(&map, blocks, need))
		ret = -ENOSPC;
	block_map_free(&map);
	return ret;
}

/*
 * Take blocks of the old inode trees that nobody else claims: what they say is lost, or the inodes tell it as well.
 * 0, -ENOSPC, or another negative errno.
 */
static int take_old(const struct work *w, agno_t agno, uint64_t *blocks, uint32_t need)
{
	struct mend_evidence evidence;
	struct block_map map;
	size_t count = 0;
	const struct use *claims = NULL;
	int ret = mend_evidence_of_group(w->m, group_of_ag(agno), MEND_CLAIMS, &evidence);

	if (!ret)
		ret = block_map_new(&map, 0, ag_length(&w->m->now->geo, agno));
	if (ret) {
		mend_evidence_free(&evidence);
		return ret;
	}
	claims = mend_evidence_claims(&evidence, group_of_ag(agno), &count);
	for (size_t i = 0; i < count; i++)
		if (claims[i].owner == OWNER_INOBT)
			block_map_set(&map, claims[i].start, claims[i].len, true);
	for (size_t i = 0; i < count; i++)
		if (claims[i].owner != OWNER_INOBT)
			block_map_set(&map, claims[i].start, claims[i].len, false);
	for (size_t i = 0; i < w->chunks[agno.v].count; i++)
		mend_chunks_mark(&w->m->now->geo, &w->chunks[agno.v].v[i], &map, false);
	if (!take(&map, blocks, need))
		ret = -ENOSPC;
	block_map_free(&map);
	mend_evidence_free(&evidence);
	return ret;
}

/*
 * Blocks for the new trees.  At first they must be free by the bnobt and claimed by nobody; then it does not matter
 * that some claims are not known yet.  If the survey has the claims of all inodes, blocks that the rmapbt has as
 * nobody's will do as well.  If that does not suffice, the inodes that were found are surveyed, too (`closer`), and
 * blocks that nobody claims are taken.  Inodes whose maps are lost may have some of these, so those that the rmapbt has
 * as nobody's come first, then the old trees' own.
 */
static int find_blocks(const struct work *w, agno_t agno, uint64_t *blocks, uint32_t need)
{
	int ret;

	if (!mend_survey_has(&w->closer, agno)) {
		ret = take_free(w, &w->survey, agno, BY_TREES, blocks, need);
		if (ret == -ENOSPC && w->m->now->geo.rmapbt && !w->any_more)
			ret = take_free(w, &w->survey, agno, BY_RMAPBT, blocks, need);
		return ret;
	}
	ret = w->m->now->geo.rmapbt ? take_free(w, &w->closer, agno, BY_RMAPBT, blocks, need) : -ENOSPC;
	if (ret == -ENOSPC)
		ret = take_old(w, agno, blocks, need);
	return ret == -ENOSPC ? take_free(w, &w->closer, agno, BY_CLAIMS, blocks, need) : ret;
}

/* Whether the AGI's count alone is wrong: that was the finding, and there are no more chunks than the inobt has. */
static bool inobt_is_right(const struct work *w, agno_t agno)
{
	size_t count, known = 0;
	const struct chunk_fact *chunks = mend_survey_chunks(&w->survey, agno, &count);

	for (size_t i = 0; i < count; i++)
		known += chunks[i].kind == BT_INO;
	return w->why[agno.v]->problem.finding == F_AGI_COUNT_COUNT && w->chunks[agno.v].count == known;
}

static int set_counts(struct work *w, agno_t agno)
{
	const struct ag_state *ag = &w->m->now->traverse->ags[agno.v];
	const struct ag_writer writer = mend_writer(w->m);
	struct agi agi = w->survey.agis[agno.v];
	int ret;

	agi.count = (uint32_t)ag->inodes;
	agi.freecount = (uint32_t)ag->free_inodes;
	ret = mend_agi_header(&w->m->now->geo, agno, &agi, &writer);
	if (!ret)
		mend_done(w->m, w->why[agno.v]);
	return ret;
}

/* Find blocks for the new trees and write them. 0, -ENOSPC, or another negative errno. */
static int write_trees(struct work *w, agno_t agno)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct ag_contents c = { .agno = agno,
				       .chunks = w->chunks[agno.v].v,
				       .nchunks = w->chunks[agno.v].count,
				       .agi = (w->closer.agis ? &w->closer : &w->survey)->agis[agno.v] };
	const struct ag_writer writer = mend_writer(w->m);
	uint32_t need = mend_ag_inode_blocks(geo, &c);
	uint64_t *blocks = calloc(need + 1, sizeof(*blocks));
	int ret = -ENOMEM;

	if (blocks)
		ret = need ? find_blocks(w, agno, blocks, need) : -ENOSPC;
	if (!ret)
		ret = mend_ag_inode_trees(geo, &c, blocks, &writer);
	for (uint32_t i = 0; i < need && !ret; i++) {
		const fsbno_t block = fsbno_of(geo, agno, (agbno_t){ (uint32_t)blocks[i] });

		mend_space_lose(w->m, block, 1);
		mend_survey_claim(&w->survey, agno, (agbno_t){ (uint32_t)blocks[i] }, 1);
		ret = mend_space_spent(w->m, block);
	}
	free(blocks);
	return ret;
}

static int rebuild(struct work *w, agno_t agno)
{
	int ret = write_trees(w, agno);

	if (!ret)
		mend_done(w->m, w->why[agno.v]);
	w->rebuilt[agno.v] = !ret;
	w->lacking[agno.v] = ret == -ENOSPC;
	return ret == -ENOSPC || ret == -E2BIG ? 0 : ret;
}

/* Whether a finding may mean that the inobt lacks chunks, even if it could be walked whole. */
static bool tells_of_loss(const struct found *why)
{
	switch (why->problem.finding) {
	case F_AGI_COUNT_COUNT:
	case F_INODE_ROOTED_DANGLING: /* these come from mend_inode_chunk() */
	case F_TREE_ROOT:
	case F_DIR_DOTDOT_DANGLING:
	case F_PPTR_STRAY:
		return true;
	default:
		return why->place.object == OBJ_INOBT;
	}
}

/* Whether a finding is only about whether a single inode is in use. */
static bool is_about_usage(const struct found *why)
{
	return (why->problem.finding == F_INODE_FREE_IN_USE || why->problem.finding == F_INODE_USED_BUT_FREE) &&
	       why->place.ino.v != NULL_INO;
}

/* How far the inobt is believed at most, where it could be walked whole, if there is such a finding. */
static enum inobt_trust trust_despite(const struct found *why)
{
	if (tells_of_loss(why))
		return INOBT_LOSSY;
	return is_about_usage(why) ? INOBT_BUT_USAGE : INOBT_WHOLE;
}

/* Whether the survey has the claims of a chunk's inodes: all that are in use now were in use by the old record, too. */
static bool is_surveyed(const struct inobt_record *now, const struct inobt_record *before)
{
	return !(inobt_existing(now->holemask) & ~now->free & ~(inobt_existing(before->holemask) & ~before->free));
}

/* Set w->more of an AG: chunks with inodes in use whose claims the survey lacks. 0 or -ENOMEM. */
static int find_more(struct work *w, agno_t agno)
{
	static const struct inobt_record none = { .free = UINT64_MAX };
	const struct mend_chunks *all = &w->chunks[agno.v];
	struct inobt_record *more = calloc(all->count + 1, sizeof(*more));
	size_t count, n = 0, at = 0;
	const struct chunk_fact *before = mend_survey_chunks(&w->survey, agno, &count);

	if (!more)
		return -ENOMEM;
	for (size_t i = 0; i < all->count; i++) {
		const struct inobt_record *chunk = &all->v[i];
		bool known;

		while (at < count && (before[at].kind != BT_INO || before[at].record.start.v < chunk->start.v))
			at++;
		known = at < count && before[at].record.start.v == chunk->start.v;
		if (!is_surveyed(chunk, known ? &before[at].record : &none))
			more[n++] = *chunk;
	}
	w->more[agno.v] = (struct mend_chunks){ more, n };
	w->any_more |= n != 0;
	return 0;
}

/* Set w->chunks and w->more of an AG. 0 or negative errno. */
static int find_chunks(struct work *w, agno_t agno)
{
	struct inobt_record *chunks = NULL;
	size_t count = 0;
	int ret = mend_chunks_find(w->m, &w->survey, agno, w->trust[agno.v], &chunks, &count);

	w->chunks[agno.v] = (struct mend_chunks){ chunks, count };
	return ret ? ret : find_more(w, agno);
}

static int mend_group(struct work *w, agno_t agno)
{
	return inobt_is_right(w, agno) ? set_counts(w, agno) : rebuild(w, agno);
}

/* Do a step for each group that is mended. one_by_one: each is surveyed for it, since one of all takes too much. */
static int each_group(struct work *w, bool one_by_one, int (*step)(struct work *w, agno_t agno))
{
	const struct repair *now = w->m->now;
	int ret = 0;

	for (uint32_t ag = 0; ag < now->geo.agcount && !ret; ag++) {
		if (!w->why[ag])
			continue;
		if (one_by_one) {
			mend_survey_free(&w->survey);
			ret = mend_survey_of_ag(w->m, (agno_t){ ag }, NULL, &w->survey);
		}
		if (ret == -E2BIG) {
			mend_not_rebuilt(w->m, (agno_t){ ag }, "that takes more memory than there is");
			w->why[ag] = NULL;
			ret = 0;
			continue;
		}
		if (!ret)
			ret = step(w, (agno_t){ ag });
	}
	return ret;
}

/*
 * Try again where there were too few blocks, with a survey that knows the inodes that were found.  A group's trees take
 * blocks of that group only, so one survey serves all groups; if it takes too much memory, each group gets its own.
 */
static int rebuild_lacking(struct work *w)
{
	const uint32_t agcount = w->m->now->geo.agcount;
	bool any = false, one_by_one;
	int ret;

	for (uint32_t ag = 0; ag < agcount; ag++)
		any |= w->lacking[ag];
	ret = any ? mend_survey(w->m, w->lacking, w->more, &w->closer) : 0;
	one_by_one = ret == -E2BIG;
	if (one_by_one)
		ret = 0;
	for (uint32_t ag = 0; ag < agcount && !ret; ag++) {
		if (!w->lacking[ag])
			continue;
		if (one_by_one) {
			mend_survey_free(&w->closer);
			ret = mend_survey_of_ag(w->m, (agno_t){ ag }, w->more, &w->closer);
		}
		if (!ret)
			ret = rebuild(w, (agno_t){ ag });
		if (ret == -E2BIG)
			ret = 0;
	}
	return ret;
}

/* If the inodes of all groups are known now, add findings that set the superblock's counts right. */
static int counts_follow(struct work *w)
{
	uint64_t inodes = 0, free_inodes = 0;
	bool any = false;
	int ret;

	for (uint32_t i = 0; i < w->m->now->geo.agcount; i++) {
		const struct ag_state *ag = &w->m->now->traverse->ags[i];

		any |= w->rebuilt[i];
		if (!w->rebuilt[i] && !ag_tree_whole(ag, BT_INO))
			return 0;
		if (!w->rebuilt[i]) {
			inodes += ag->inodes;
			free_inodes += ag->free_inodes;
		}
		for (size_t k = 0; w->rebuilt[i] && k < w->chunks[i].count; k++) {
			inodes += w->chunks[i].v[k].count;
			free_inodes += w->chunks[i].v[k].freecount;
		}
	}
	ret = any ? mend_follows_count(w->m, F_SB_ICOUNT_COUNT, inodes) : 0;
	return ret || !any ? ret : mend_follows_count(w->m, F_SB_IFREE_COUNT, free_inodes);
}

/* Whether the inobt had the same chunks before, so that the survey has all claims. Masks of free inodes may differ. */
static bool same_chunks(const struct work *w, agno_t agno)
{
	const struct mend_chunks *now = &w->chunks[agno.v];
	size_t count, n = 0;
	const struct chunk_fact *before = mend_survey_chunks(&w->survey, agno, &count);

	for (size_t i = 0; i < count; i++) {
		if (before[i].kind != BT_INO)
			continue;
		if (n == now->count || now->v[n].start.v != before[i].record.start.v ||
		    now->v[n].holemask != before[i].record.holemask)
			return false;
		n++;
	}
	return n == now->count;
}

/* Give back the survey that came with the check, if it has the claims of all inodes. */
static int return_survey(struct work *w)
{
	bool same = w->adopted;

	for (uint32_t ag = 0; ag < w->m->now->geo.agcount && same; ag++)
		same = !w->why[ag] || same_chunks(w, (agno_t){ ag });
	return same ? mend_survey_return(w->m, &w->survey) : 0;
}

static int run(struct work *w, const struct found *found, size_t count)
{
	const struct repair *now = w->m->now;
	bool *wanted = calloc(now->geo.agcount, sizeof(*wanted)), one_by_one;
	int ret = wanted && w->why && w->chunks && w->more && w->trust && w->rebuilt && w->lacking ? 0 : -ENOMEM;

	for (uint32_t ag = 0; ag < now->geo.agcount && !ret; ag++)
		w->trust[ag] = ag_tree_whole(&now->traverse->ags[ag], BT_INO) ? INOBT_BUT_USAGE : INOBT_WHOLE;
	for (size_t i = 0; i < count && !ret; i++) {
		uint32_t ag = found[i].place.agno.v;

		if (ag >= now->geo.agcount)
			continue;
		if (is_about_usage(&found[i]))
			ret = mend_chunks_doubt_usage(w->m, found[i].place.ino);
		if (trust_despite(&found[i]) < w->trust[ag])
			w->trust[ag] = trust_despite(&found[i]);
		/* that the inobt is damaged says most */
		if (w->why[ag] && found[i].place.object != OBJ_INOBT)
			continue;
		w->why[ag] = &found[i];
		wanted[ag] = true;
	}
	w->adopted = !ret && mend_survey_adopt(w->m, wanted, &w->survey);
	if (!ret && !w->adopted)
		ret = mend_survey(w->m, wanted, NULL, &w->survey);
	free(wanted);
	one_by_one = ret == -E2BIG;
	if (one_by_one)
		ret = 0;
	/* all chunks first: inodes of one group have blocks in others */
	if (!ret)
		ret = each_group(w, one_by_one, find_chunks);
	if (!ret)
		ret = each_group(w, one_by_one, mend_group);
	if (!ret)
		ret = rebuild_lacking(w);
	if (!ret)
		ret = counts_follow(w);
	return ret ? ret : return_survey(w);
}

static struct work work_new(struct mend *m)
{
	uint32_t agcount = m->now->geo.agcount;

	return (struct work){ .m = m,
			      .why = calloc(agcount, sizeof(const struct found *)),
			      .chunks = calloc(agcount, sizeof(struct mend_chunks)),
			      .more = calloc(agcount, sizeof(struct mend_chunks)),
			      .trust = calloc(agcount, sizeof(enum inobt_trust)),
			      .rebuilt = calloc(agcount, sizeof(bool)),
			      .lacking = calloc(agcount, sizeof(bool)) };
}

static void work_free(struct work *w)
{
	for (uint32_t ag = 0; ag < w->m->now->geo.agcount; ag++) {
		free(w->chunks ? (void *)w->chunks[ag].v : NULL);
		free(w->more ? (void *)w->more[ag].v : NULL);
	}
	mend_survey_free(&w->survey);
	mend_survey_free(&w->closer);
	free(w->why);
	free(w->chunks);
	free(w->more);
	free(w->trust);
	free(w->rebuilt);
	free(w->lacking);
}

int mend_ag_inodes(struct mend *m, const struct found *found, size_t count)
{
	struct work w = work_new(m);
	int ret = run(&w, found, count);

	work_free(&w);
	return ret == -E2BIG ? 0 : ret;
}

int mend_ag_inodes_add(struct mend *m, agno_t agno, const struct inobt_record *more, size_t count)
{
	struct work w = work_new(m);
	struct inobt_record *chunks = NULL;
	size_t nchunks = 0;
	int ret;

	if (!w.why || !w.chunks || !w.more) {
		work_free(&w);
		return -ENOMEM;
	}
	ret = mend_survey_of_ag(m, agno, NULL, &w.survey);
	if (!ret)
		ret = mend_chunks_find(m, &w.survey, agno, INOBT_WHOLE, &chunks, &nchunks);
	for (size_t i = 0; i < count && !ret; i++)
		ret = mend_chunks_add(&chunks, &nchunks, &more[i]);
	w.chunks[agno.v] = (struct mend_chunks){ chunks, nchunks };
	if (!ret)
		ret = find_more(&w, agno);
	if (!ret)
		ret = write_trees(&w, agno);
	if (ret == -ENOSPC)
		ret = mend_survey_of_ag(m, agno, w.more, &w.closer);
	if (!ret && w.closer.ags)
		ret = write_trees(&w, agno);
	work_free(&w);
	if (!ret) /* the one that came with the check lacks these chunks, and so would trees that are built by it */
		mend_space_forget_survey(m);
	return ret == -E2BIG ? -ENOSPC : ret;
}
