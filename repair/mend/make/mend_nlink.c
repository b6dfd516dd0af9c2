/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects link counts to match the entries (ondisk 12, D5).  A count is changed by the difference found, not set,
 * because menders may have moved entries after links were counted.
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

/* Returns the record of a directory whose link count is too high; NULL: none. */
static struct extra_links *extra_links_of(const struct mend_extra_links *extra, xino_t ino)
{
	for (size_t i = 0; i < extra->count; i++)
		if (extra->of[i].ino.v == ino.v)
			return &extra->of[i];
	return NULL;
}

/* Notes that the link count of a directory is too high by `links`. 0 or -ENOMEM. */
static int add_extra(struct mend_extra_links *extra, xino_t ino, uint64_t links)
{
	return array_add(extra->of, extra->room, extra->count, (struct extra_links){ ino, links });
}

/*
 * While entries are moved, a sum may temporarily fall below one.  But a directory without links counts as deleted, and
 * would not be reconnected, so it keeps one link, which is offset against links added later in this round.  The next
 * check counts all links again.
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
 * Adds `more` to the link count of an inode, if is() is true of it (NULL: always).  found: the finding to report it
 * with; NULL: not reported.  0 or negative errno.
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
 * A directory without links counts as deleted, and its entries are ignored.  So if an entry points to it, it gets a
 * link, before the inodes in it become orphans.  mend_nlink() corrects its count later.
 */
int mend_named_again(struct mend *m, const struct found *found, size_t count)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++)
		if (found[i].problem.finding == F_INODE_NLINK_COUNT && !found[i].problem.got && found[i].problem.want)
			ret = change(m, found[i].place.ino, 1, is_directory_without_links, &found[i]);
	return ret;
}
