/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores the extent count of inodes that contain more extent records than they count (ondisk 04, 05).  The additional
 * records are counted if the forks then have nblocks blocks, and if their blocks are lost, or are shared by fewer files
 * than the refcount btree says.  Stale records fail that test: their blocks are free by now, or owned by others.
 * Without an rmapbt, a single extent that may be too short gets the missing blocks, if the blocks right after it are
 * lost.  The counts are certain, because nblocks and the lost blocks agree; a longer extent is likely.
 */
#include <string.h>

#include "disk/bmbt.h"
#include "libxfs/bmap_build.h"
#include "libxfs/dinode.h"
#include "mend/base/unowned_ranges.h"
#include "mend/blocks/mend_space.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"
#include "mend/base/menders.h"

struct inode_counts_work {
	struct mend *m;
	struct unowned_ranges lost;    /* unowned blocks */
	struct unowned_ranges lacking; /* these, and shared blocks with missing owners */
};

static bool is_short(const struct found *found)
{
	return found->problem.finding == F_INODE_NBLOCKS_XREF && found->problem.got > found->problem.want;
}

bool mend_inode_counts_wants(const struct found *found)
{
	return is_short(found) || found->problem.finding == F_SPACE_LOST || unowned_ranges_is_shared(found);
}

/* True if the blocks of an extent lack an owner that this fork may be. */
static bool lack_owner(const struct inode_counts_work *w, const struct dinode *inode, enum fork which,
		       const struct bmap_record *extent)
{
	const bool may_share = which == DATA_FORK && inode->ftype == FT_REG && inode->reflink && !extent->unwritten;

	return unowned_ranges_have(may_share ? &w->lacking : &w->lost, extent);
}

/*
 * Examines each extent that counts in `after` but not in `before`.  take: reports its blocks, so that they are not
 * handed out; else returns false if any is not lacking an owner.
 */
static bool each_new(struct inode_counts_work *w, const struct dinode *before, const struct dinode *after, bool take)
{
	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++) {
		const struct dinode_fork *fork = &after->fork[which];

		if (!fork->present || !fork->ok || fork->format != FMT_EXTENTS)
			continue;
		for (uint64_t i = before->fork[which].nextents; i < fork->nextents; i++) {
			const struct bmap_record extent =
				bmap_record_get(fork->bytes + i * sizeof(struct bmbt_rec_disk));

			if (take)
				mend_space_claim(w->m, extent.start, extent.len);
			else if (fork->rules.realtime || !lack_owner(w, after, which, &extent))
				return false;
		}
	}
	return true;
}

/*
 * True if extent record `index` may be longer by `more` blocks: those after it on the device lack an owner, and there
 * is a hole after it in the file.  *ret_extent: the longer extent.
 */
static bool may_be_longer(const struct inode_counts_work *w, const struct dinode *inode, enum fork which,
			  uint64_t index, uint64_t more, struct bmap_record *ret_extent)
{
	const struct dinode_fork *fork = &inode->fork[which];
	const uint8_t *bytes = fork->bytes + index * sizeof(struct bmbt_rec_disk);
	const struct bmap_record extent = bmap_record_get(bytes);
	struct bmap_record rest = extent;
	uint64_t end = fork->rules.max_off;

	if (index + 1 < fork->nextents)
		end = bmap_record_get(bytes + sizeof(struct bmbt_rec_disk)).off.v;
	if (more >> BMBT_LEN_BITS || (extent.len + more) >> BMBT_LEN_BITS || extent.off.v + extent.len + more > end)
		return false;
	rest.off.v += extent.len;
	rest.start.v += extent.len;
	rest.len = (uint32_t)more;
	*ret_extent = extent;
	ret_extent->len += (uint32_t)more;
	return lack_owner(w, inode, which, &rest);
}

/* If exactly one inline extent may be longer by the missing blocks, lengthens it. 0 or negative errno. */
static int lengthen(struct inode_counts_work *w, struct mend_inode *inode, const struct found *found)
{
	const uint64_t more = found->problem.got - found->problem.want;
	struct bmap_record longer = { 0 }, extent;
	struct bmbt_rec_disk disk;
	size_t at = 0;
	unsigned fit = 0;
	int ret;

	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++) {
		const struct dinode_fork *fork = &inode->inode.fork[which];

		if (!fork->present || !fork->ok || fork->format != FMT_EXTENTS || fork->rules.realtime)
			continue;
		for (uint64_t i = 0; i < fork->nextents; i++) {
			if (!may_be_longer(w, &inode->inode, which, i, more, &extent))
				continue;
			fit++;
			longer = extent;
			at = (size_t)(fork->bytes - inode->bytes) + i * sizeof(disk);
		}
	}
	if (fit != 1)
		return 0;
	disk = bmap_record_put(&longer);
	memcpy(inode->bytes + at, &disk, sizeof(disk));
	ret = mend_inode_store(w->m, inode);
	if (ret)
		return ret;
	mend_space_claim(w->m, longer.start, longer.len);
	mend_done_so(w->m, found, SURE_LIKELY, "extent length restored");
	return 0;
}

static int mend_counts(struct inode_counts_work *w, const struct found *found)
{
	const struct geometry *geo = &w->m->now->geo;
	const struct check silent = check_silent(geo);
	const struct dinode_witness witness = mend_inode_witness(w->m);
	struct mend_inode inode;
	struct dinode after;
	int ret = mend_inode_decode(w->m, found->place.ino, &inode);

	if (ret)
		return mend_left(w->m, found, 1, ret);
	if (!dinode_set_counts(geo, inode.bytes, inode.ino, &witness)) {
		ret = geo->rmapbt ? 0 : lengthen(w, &inode, found);
	} else if (dinode_decode(&silent, inode.bytes, inode.ino, true, &after) &&
		   each_new(w, &inode.inode, &after, false)) {
		ret = mend_inode_store(w->m, &inode);
		if (!ret) {
			each_new(w, &inode.inode, &after, true);
			mend_done(w->m, found);
		}
	}
	mend_inode_free(&inode);
	return ret;
}

int mend_inode_counts(struct mend *m, const struct found *found, size_t count)
{
	struct inode_counts_work w = { .m = m };
	int ret = unowned_ranges_of(&m->now->geo, found, count, &w.lost);

	if (!ret)
		ret = unowned_ranges_of_all(&m->now->geo, found, count, &w.lacking);
	for (size_t i = 0; i < count && !ret && w.lacking.count; i++)
		if (is_short(&found[i]))
			ret = mend_counts(&w, &found[i]);
	unowned_ranges_free(&w.lost);
	unowned_ranges_free(&w.lacking);
	return ret;
}
