/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays inode items (ondisk 11, "INODE" and "Recovery rules").  The logged core replaces the one on the disk except
 * for next_unlinked, which is replayed with the buffer of the inode cluster.  A logged fork replaces as many bytes of
 * the fork as were logged.
 */
#include <string.h>

#include "disk/inode.h"
#include "libxfs/crc.h"
#include "libxfs/dinode.h"
#include "libxfs/log_apply.h"

#define DATA_FIELDS (LOG_INODE_DDATA | LOG_INODE_DEXT | LOG_INODE_DBROOT)
#define ATTR_FIELDS (LOG_INODE_ADATA | LOG_INODE_AEXT | LOG_INODE_ABROOT)

#define FLUSHITER_OFFSET (offsetof(struct dinode_disk, large_nextents) + 6) /* version 4 */
#define FLUSHITER_MAX	 0xffffu

static uint32_t flushiter(const void *core)
{
	be16_t count;

	memcpy(&count, (const uint8_t *)core + FLUSHITER_OFFSET, sizeof(count));
	return be16_get(count);
}

/*
 * True if the inode on the disk is newer than the logged one.  With equal LSNs the item is replayed, since several
 * transactions may have the same LSN.  A wrong checksum on the disk shows a torn write, whose LSN is meaningless.
 * Version 4 compares the flush counter instead, which counts the writes of an inode and wraps around.
 */
static bool newer(const struct geometry *geo, const struct log_inode *inode, lsn_t lsn, const struct dinode_disk *disk)
{
	uint64_t dated;
	uint32_t written, logged;

	if (geo->crc) {
		dated = be64_get(disk->lsn);
		return dated && dated != NULL_LSN && dated > lsn.v &&
		       crc_is_right(disk, geo->inode_size, offsetof(struct dinode_disk, crc));
	}
	written = flushiter(disk);
	logged = flushiter(inode->core);
	return logged < written && !(written == FLUSHITER_MAX && logged < FLUSHITER_MAX / 2);
}

static void set_core(const struct geometry *geo, const struct log_inode *inode, lsn_t lsn, struct dinode_disk *disk)
{
	const be32_t next_unlinked = disk->next_unlinked;

	memcpy(disk, inode->core, inode->core_len);
	disk->next_unlinked = next_unlinked;
	if (geo->crc)
		disk->lsn = be64_put(lsn.v);
	else
		memset((uint8_t *)disk + FLUSHITER_OFFSET, 0, sizeof(be16_t));
}

struct room {
	uint32_t offset, len; /* of a fork in the inode */
};

static struct room fork_room(const struct geometry *geo, const struct dinode_disk *disk, enum fork fork)
{
	uint32_t core = dinode_core_size(geo), all = geo->inode_size - core, data = disk->forkoff * 8u;

	if (!data)
		return fork == DATA_FORK ? (struct room){ core, all } : (struct room){ geo->inode_size, 0 };
	return fork == DATA_FORK ? (struct room){ core, data } : (struct room){ core + data, all - data };
}

static bool set_fork(const struct check *c, const struct log_inode *inode, enum fork fork, struct dinode_disk *disk)
{
	const struct log_region *logged = fork == DATA_FORK ? &inode->data : &inode->attr;
	const struct room room = fork_room(c->geo, disk, fork);
	uint8_t *bytes = (uint8_t *)disk + room.offset;

	if (!logged->len)
		return true;
	if (inode->fields & (fork == DATA_FORK ? LOG_INODE_DBROOT : LOG_INODE_ABROOT))
		return log_root_to_disk(c, inode, fork, bytes, room.len);
	if (logged->len > room.len)
		return problem(c, F_LOG_REPLAY_FORK, room.offset, logged->len, room.len);
	memcpy(bytes, logged->bytes, logged->len);
	return true;
}

static bool set_forks(const struct check *c, const struct log_inode *inode, struct dinode_disk *disk)
{
	const be32_t rdev = be32_put(inode->rdev);
	const uint32_t border = disk->forkoff * 8u;

	/* the logged core has the offset of the attribute fork */
	if (border >= c->geo->inode_size - dinode_core_size(c->geo))
		return problem(c, F_LOG_REPLAY_FORK, offsetof(struct dinode_disk, forkoff), border,
			       c->geo->inode_size - dinode_core_size(c->geo));
	if (inode->fields & LOG_INODE_DEV)
		memcpy((uint8_t *)disk + dinode_core_size(c->geo), &rdev, sizeof(rdev));
	if ((inode->fields & DATA_FIELDS) && !set_fork(c, inode, DATA_FORK, disk))
		return false;
	return !(inode->fields & ATTR_FIELDS) || set_fork(c, inode, ATTR_FORK, disk);
}

enum log_applied log_inode_apply(const struct check *c, const struct log_inode *inode, lsn_t lsn, uint8_t *dinode)
{
	struct dinode_disk *disk = (struct dinode_disk *)dinode;
	uint16_t magic = be16_get(disk->magic);

	if (magic != DINODE_MAGIC) {
		problem(c, F_LOG_REPLAY_NOT_INODE, 0, magic, DINODE_MAGIC);
		return LOG_IMPOSSIBLE;
	}
	if (newer(c->geo, inode, lsn, disk))
		return LOG_NEWER;
	set_core(c->geo, inode, lsn, disk);
	if (!set_forks(c, inode, disk))
		return LOG_IMPOSSIBLE;
	if (c->geo->crc)
		crc_store(disk, c->geo->inode_size, offsetof(struct dinode_disk, crc));
	return LOG_APPLIED;
}
