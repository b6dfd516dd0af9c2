/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays inodes (ondisk 11, "INODE"). */
#include "replay.h"

#include "disk/inode.h"
#include "disk/sb.h"
#include "libxfs/log_apply.h"
#include "run.h"

/*
 * Changes the owner of bmbt blocks of either fork, if the item says so; even if the inode on the disk is newer than the
 * item, since the bmbt blocks need not be.
 */
static int change_owners(struct replay *r, const struct log_inode *inode, const uint8_t *dinode)
{
	const struct dinode_disk *disk = (const struct dinode_disk *)dinode;
	int ret = 0;

	if (!r->geo.crc || be16_get(disk->mode) == 0)
		return 0;
	if (inode->fields & LOG_INODE_DOWNER)
		ret = replay_owner(r, dinode, inode->ino, DATA_FORK);
	if (!ret && (inode->fields & LOG_INODE_AOWNER))
		ret = replay_owner(r, dinode, inode->ino, ATTR_FORK);
	return ret;
}

int replay_inode(struct replay *r, const struct log_item *item)
{
	uint8_t dinode[SB_MAX_INODE];
	struct log_inode inode;
	uint64_t offset;
	bool ok;
	int ret;

	if (!log_inode_decode(&r->check, item, &inode))
		return 0;
	if (replay_is_cancelled(r, inode.daddr, inode.len)) {
		r->counts->cancelled++;
		return 0;
	}
	if (replay_is_guarded(r, inode.daddr, inode.len, LB_DINODE))
		return 0;
	offset = bytes_of_daddr(inode.daddr) + inode.offset;
	if (!replay_may_change(r, offset, r->geo.inode_size))
		return 0;
	ret = replay_read(r, dinode, offset, r->geo.inode_size, &ok);
	if (ret || !ok)
		return ret;
	if (r->holes && inode.core_len && be16_get(((const struct dinode_disk *)dinode)->magic) != DINODE_MAGIC)
		log_icreate_apply(&r->geo, inode.ino, 0, dinode); /* the item that made the chunk was in the hole */
	switch (log_inode_apply(&r->check, &inode, r->lsn, dinode)) {
	case LOG_IMPOSSIBLE:
		return 0;
	case LOG_NEWER:
		r->counts->newer++;
		break;
	case LOG_APPLIED:
		ret = replay_write(r, dinode, offset, r->geo.inode_size);
		break;
	}
	return ret ? ret : change_owners(r, &inode, dinode);
}
