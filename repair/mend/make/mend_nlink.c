/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Link counts: they must be as many as there are entries (ondisk 12, D5).  A count is changed by the difference that
 * was found, not set, since menders may have moved names after links were counted.
 */
#include "mend_new_inode.h"

#include <errno.h>

#include "array.h"
#include "mend/base/mend.h"
#include "mend/base/menders.h"
#include "repair.h"

static uint32_t links_of(const struct dinode_disk *disk)
{
	return disk->version == DINODE_VERSION_1 ? be16_get(disk->metatype) : be32_get(disk->nlink);
}

static void set_links(struct dinode_disk *disk, uint64_t links)
{
	if (disk->version == DINODE_VERSION_1)
		disk->metatype = be16_put((uint16_t)links);
	else
		disk->nlink = be32_put((uint32_t)links);
}

/* The entry of a directory whose link count is too high; NULL: it has none. */
static struct extra_links *extra_links_of(const struct mend_extra_links *extra, xino_t ino)
{
	for (size_t i = 0; i < extra->count; i++)
		if (extra->of[i].ino.v == ino.v)
			return &extra->of[i];
	return NULL;
}

/* Note that the link count of a directory is too high by so many. 0 or -ENOMEM. */
static int add_extra(struct mend_extra_links *extra, xino_t ino, uint64_t links)
{
	return array_add(extra->of, extra->room, extra->count, (struct extra_links){ ino, links });
}

/*
 * While names are moved, a sum may fall below one for a while.  But a directory without links counts as deleted, and
 * would get no name, so it keeps one link: those that are added later in this round make up for it.
 * The next check counts all links anew.
 */
int mend_nlink_add(struct mend *m, struct mend_inode *inode, int64_t more)
{
	struct dinode_disk *disk = mend_inode_disk(inode);
	const bool directory = inode->inode.ftype == FT_DIR;
	struct extra_links *extra = directory ? extra_links_of(&m->round.extra_links, inode->ino) : NULL;
	const int64_t sum = (int64_t)links_of(disk) + more - (extra ? (int64_t)extra->links : 0);
	const uint64_t lacks = directory && sum < 1 ? (uint64_t)(1 - sum) : 0;

	if (extra)
		extra->links = lacks;
	else if (lacks && add_extra(&m->round.extra_links, inode->ino, lacks))
		return -ENOMEM;
	set_links(disk, (uint64_t)sum + lacks);
	return 0;
}

static bool is_directory(const struct mend_inode *inode)
{
	return inode->inode.ftype == FT_DIR;
}

static bool is_directory_without_links(const struct mend_inode *inode)
{
	return is_directory(inode) && !links_of((const struct dinode_disk *)inode->bytes);
}

/*
 * Add `more` to the link count of an inode, if is() is true of it (NULL: in any case).  found: the finding to report
 * that with; NULL: it is not reported.  0 or negative errno.
 */
static int change(struct mend *m, xino_t ino, int64_t more, bool (*is)(const struct mend_inode *inode),
		  const struct found *found)
{
	struct mend_inode inode;
	int ret = ino_valid(&m->now->geo, ino) ? mend_inode_decode(m, ino, &inode) : -ENOENT;

	if (ret)
		return mend_left(m, found, found != NULL, ret);
	if (!is || is(&inode)) {
		ret = mend_nlink_add(m, &inode, more);
		if (!ret)
			ret = mend_inode_store(m, &inode);
		if (!ret && found)
			mend_done(m, found);
	}
	mend_inode_free(&inode);
	return ret;
}

int mend_nlink_moved(struct mend *m, xino_t from, xino_t to)
{
	int ret = from.v == to.v ? 0 : change(m, from, -1, is_directory, NULL);

	return ret || from.v == to.v ? ret : change(m, to, 1, is_directory, NULL);
}

int mend_nlink(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		ret = change(m, found[i].place.ino, (int64_t)(found[i].problem.want - found[i].problem.got), NULL,
			     &found[i]);
	return ret;
}

bool mend_named_again_wants(const struct found *found)
{
	return found->problem.finding == F_INODE_NLINK_COUNT && !found->problem.got;
}

/*
 * A directory without links counts as deleted, and its entries are ignored.  So if it has a name it gets a link, before
 * the inodes that it names are taken for orphans.  mend_nlink() sets its count right later.
 */
int mend_named_again(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		if (found[i].problem.finding == F_INODE_NLINK_COUNT && !found[i].problem.got && found[i].problem.want)
			ret = change(m, found[i].place.ino, 1, is_directory_without_links, &found[i]);
	return ret;
}
