/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks an extent of a fork (ondisk 05).  It claims blocks.  It may be shared only if its file has the reflink flag
 * (12, I11).  If it holds metadata (directories, attributes, symlinks, quota, realtime bitmap or summary), its blocks
 * are posted.
 */

#include "walk.h"

#define DIRECTORY_REQUEST (256u << 10) /* a multiple of every directory block size */

/* True if an extent of this fork may be shared at all: only data of users' regular files may (12, S7). */
static bool may_share(const struct inflight *inflight, enum fork fork)
{
	return fork == DATA_FORK && inflight->ftype == FT_REG && !inflight->is_quota && !inflight->rt &&
	       !inflight->metadata;
}

/* Reports a shared extent of a file without the reflink flag: the kernel would overwrite the shared blocks in place. */
static void check_sharing(struct walker *w, struct inflight *inflight, const struct bmap_record *record,
			  const struct blocks *at)
{
	bool first, locked;

	if (inflight->reflink || !may_share(inflight, DATA_FORK) || !walk_shared_any(w, at))
		return;
	locked = inflight_lock(inflight);
	first = !inflight->unshared_reported;
	inflight->unshared_reported = true;
	inflight_unlock(inflight, locked);
	if (first)
		walk_problem(w, F_INODE_SHARED_NOT_REFLINK, NO_INDEX, record->off.v, 0);
}

/* Posts part of an extent, in units of `unit` bytes.  assembly: the directory block that it is a part of, or NULL. */
static void post_blocks(struct walker *w, struct inflight *inflight, enum fork fork, const struct bmap_record *r,
			uint64_t skip, uint64_t blocks, uint32_t unit, struct assembly *assembly)
{
	const struct geometry *geo = w->t->geo;
	struct fork_want *want = blocks ? walk_want(w, sizeof(*want)) : NULL;

	if (!want)
		return;
	want->inflight = inflight;
	want->fork = fork;
	want->fileoff.v = r->off.v + skip;
	want->fsbno.v = r->start.v + skip;
	want->daddr = daddr_of_fsbno(geo, want->fsbno);
	want->assembly = assembly;
	inflight_get(inflight);
	walk_post(w, &want->want, assembly ? WANT_PART : WANT_FORK, agno_of_fsbno(geo, want->fsbno), want->daddr,
		  blocks << geo->block_log, unit);
}

void walk_extent_post(struct walker *w, struct inflight *inflight, enum fork fork, const struct bmap_record *r,
		      uint64_t skip, uint64_t blocks)
{
	post_blocks(w, inflight, fork, r, skip, blocks, w->t->geo->block_size, NULL);
}

/* Posts `blocks` fs blocks of one directory block, whose other fs blocks lie elsewhere. */
static void post_part(struct walker *w, struct inflight *inflight, const struct bmap_record *r, uint64_t skip,
		      uint64_t blocks)
{
	const struct geometry *geo = w->t->geo;
	uint64_t off = r->off.v + skip, db_start = off >> geo->dirblk_log << geo->dirblk_log;
	struct assembly *a;
	bool locked;

	locked = inflight_lock(inflight);
	a = assembly_of(w, inflight, db_start);
	if (a && off == db_start)
		a->daddr = daddr_of_fsbno(geo, (fsbno_t){ r->start.v + skip });
	inflight_unlock(inflight, locked);
	if (a)
		post_blocks(w, inflight, DATA_FORK, r, skip, blocks, (uint32_t)(blocks << geo->block_log), a);
}

/* Posts the whole directory blocks from skip to end, in pieces, so that other workers can help if they are many. */
static void post_directory_blocks(struct walker *w, struct inflight *inflight, const struct bmap_record *r,
				  uint64_t skip, uint64_t end)
{
	const struct geometry *geo = w->t->geo;
	uint64_t most = DIRECTORY_REQUEST >> geo->block_log;

	for (uint64_t n; skip < end; skip += n) {
		n = end - skip < most ? end - skip : most;
		post_blocks(w, inflight, DATA_FORK, r, skip, n, geo->dir_block_size, NULL);
	}
}

/* Posts an extent of a directory: parts of directory blocks at its ends, and whole ones between. */
static void post_directory(struct walker *w, struct inflight *inflight, const struct bmap_record *r)
{
	const struct geometry *geo = w->t->geo;
	uint64_t per = 1ull << geo->dirblk_log, end = r->off.v + r->len;
	uint64_t whole = (r->off.v + per - 1) / per * per; /* the first directory block that begins here */
	uint64_t whole_end = end / per * per;

	if (whole > whole_end) { /* inside of one directory block */
		post_part(w, inflight, r, 0, r->len);
		return;
	}
	if (whole > r->off.v)
		post_part(w, inflight, r, 0, whole - r->off.v);
	post_directory_blocks(w, inflight, r, whole - r->off.v, whole_end - r->off.v);
	if (end > whole_end)
		post_part(w, inflight, r, whole_end - r->off.v, end - whole_end);
}

/* Posts blocks of a realtime bitmap or summary, except blocks behind the end, which growing may have left there. */
static void post_words(struct walker *w, struct inflight *inflight, const struct bmap_record *r)
{
	uint64_t left = walk_rt_words_end(w, inflight) - r->off.v;

	walk_extent_post(w, inflight, DATA_FORK, r, 0, r->len < left ? r->len : left);
}

/* False: so many blocks were wanted for their contents that extent maps must claim the same ones repeatedly. */
static bool may_want(struct traverse *t, uint64_t blocks)
{
	uint64_t before = __atomic_fetch_add(&t->contents, blocks, __ATOMIC_RELAXED);

	return before + blocks <= 4 * t->device_blocks;
}

/*
 * True if the blocks of an extent may be posted: no more than the inode counts, than the device has, and than all
 * inodes together can have.  This bounds the work on overlapping maps.  A refusal is not reported, since the accounts
 * show such maps anyway.
 */
static bool may_post(struct walker *w, struct inflight *inflight, enum fork fork, const struct bmap_record *r)
{
	const struct geometry *geo = w->t->geo;
	uint64_t leaf_off = (1ull << 35) >> geo->block_log;
	struct inflight_fork *of = &inflight->fork[fork];
	bool may, locked;

	locked = inflight_lock(inflight);
	may = of->posted + r->len <= inflight->nblocks && of->posted + r->len <= w->t->device_blocks &&
	      may_want(w->t, r->len);
	if (may)
		of->posted += r->len;
	else
		inflight_gap(w, inflight);
	if (may && fork == DATA_FORK && inflight->dir && r->off.v < leaf_off &&
	    r->off.v + r->len > inflight->dir->data_end)
		inflight->dir->data_end = r->off.v + r->len;
	inflight_unlock(inflight, locked);
	return may;
}

/* True if the traversal needs the contents of the fork's blocks. */
static bool contents_wanted(const struct walker *w, const struct inflight *inflight, enum fork fork)
{
	const struct scope *scope = &w->t->scope;

	if (fork == ATTR_FORK)
		return scope->pptrs;
	if (inflight->rt)
		return scope->claims;
	return inflight->ftype == FT_DIR ? scope->names : scope->judge || scope->contents;
}

void walk_extent(struct walker *w, struct inflight *inflight, enum fork fork, const struct bmap_record *r,
		 struct extent_sums *sums)
{
	const struct geometry *geo = w->t->geo;
	const bool realtime = inflight->rules[fork].realtime;
	const struct blocks at = blocks_of_extent(geo, realtime, r->start, r->len);
	uint8_t flags = (fork == ATTR_FORK ? RMAP_ATTR : 0) | (r->unwritten ? RMAP_UNWRITTEN : 0);

	sums->extents++;
	sums->blocks += r->len;
	w->totals.extents++;
	sums->rtblocks += realtime ? r->len : 0;
	walk_claim(w, &at, inflight->ino.v, r->off.v, flags, !may_share(inflight, fork) || flags);
	w->totals.users.data += inflight->users && !flags && may_share(inflight, fork) ? r->len : 0;
	if (fork == DATA_FORK && inflight->ftype == FT_REG) {
		check_sharing(w, inflight, r, &at);
		if (!inflight->is_quota && !inflight->rt)
			return;
		if (inflight->is_quota ? !walk_quota_extent(w, inflight, r)
				       : r->off.v >= walk_rt_words_end(w, inflight))
			return;
	}
	if (r->unwritten || !contents_wanted(w, inflight, fork) || !may_post(w, inflight, fork, r))
		return;
	if (fork == ATTR_FORK && !geo->crc)
		attr_tree_map(w, inflight, r);
	else if (fork == ATTR_FORK || inflight->is_quota)
		walk_extent_post(w, inflight, fork, r, 0, r->len);
	else if (inflight->ftype == FT_DIR)
		post_directory(w, inflight, r);
	else if (inflight->rt)
		post_words(w, inflight, r);
	else if (inflight->ftype == FT_SYMLINK)
		post_blocks(w, inflight, fork, r, 0, r->len, (uint32_t)r->len << geo->block_log, NULL);
}
