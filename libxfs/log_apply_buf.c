/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replays items that change buffers (ondisk 11, "BUF", "ICREATE", "DQUOT"). */
#include <string.h>

#include "disk/dquot.h"
#include "disk/inode.h"
#include "libxfs/crc.h"
#include "libxfs/log_apply.h"

void log_buf_apply(const struct log_item *item, uint8_t *buf, uint32_t len)
{
	struct log_buf_position position = { 0 };
	struct log_buf_range range;

	while (log_buf_next(item, &position, &range))
		if (range.offset <= len && range.len <= len - range.offset)
			memcpy(buf + range.offset, range.bytes, range.len);
}

/* Sets next_unlinked of one inode of the buffer to the logged value. */
static bool set_next_unlinked(const struct check *c, struct dinode_disk *disk, be32_t logged, uint32_t offset)
{
	if (be16_get(disk->magic) != DINODE_MAGIC)
		return problem(c, F_LOG_REPLAY_NOT_INODE, offset, be16_get(disk->magic), DINODE_MAGIC);
	if (be32_get(logged) == 0)
		return problem(c, F_LOG_REPLAY_UNLINKED, offset, 0, 0);
	disk->next_unlinked = logged;
	if (c->geo->crc)
		crc_store(disk, c->geo->inode_size, offsetof(struct dinode_disk, crc));
	return true;
}

bool log_unlinked_apply(const struct check *c, const struct log_item *item, uint8_t *buf, uint32_t len)
{
	const uint32_t size = c->geo->inode_size, field = offsetof(struct dinode_disk, next_unlinked);
	struct log_buf_position position = { 0 };
	struct log_buf_range range;
	bool ok = true;

	while (log_buf_next(item, &position, &range)) {
		/* the first inode whose pointer is in the range; ranges hold whole pointers */
		uint32_t inode = range.offset <= field ? 0 : (range.offset - field + size - 1) / size;

		for (uint32_t at = inode * size; at + size <= len; at += size) {
			be32_t logged;

			if (at + field + sizeof(logged) > (uint64_t)range.offset + range.len)
				break;
			memcpy(&logged, range.bytes + (at + field - range.offset), sizeof(logged));
			ok &= set_next_unlinked(c, (struct dinode_disk *)(buf + at), logged, at);
		}
	}
	return ok;
}

void log_icreate_apply(const struct geometry *geo, xino_t ino, uint32_t gen, uint8_t *dinode)
{
	struct dinode_disk *disk = (struct dinode_disk *)dinode;

	memset(dinode, 0, geo->inode_size);
	disk->magic = be16_put(DINODE_MAGIC);
	disk->version = geo->crc ? DINODE_VERSION : DINODE_VERSION_2;
	disk->gen = be32_put(gen);
	disk->next_unlinked = be32_put(NULL_AGINO);
	if (!geo->crc)
		return;
	disk->ino = be64_put(ino.v);
	memcpy(disk->uuid, geo->meta_uuid, sizeof(disk->uuid));
	crc_store(disk, geo->inode_size, offsetof(struct dinode_disk, crc));
}

enum log_applied log_dquot_apply(const struct check *c, const struct log_dquot *dquot, lsn_t lsn, uint8_t *record)
{
	struct dquot_disk *disk = (struct dquot_disk *)record;
	uint16_t magic = be16_get(disk->magic);
	uint64_t dated;

	if (magic != DQUOT_MAGIC) {
		problem(c, F_LOG_REPLAY_NOT_DQUOT, 0, magic, DQUOT_MAGIC);
		return LOG_IMPOSSIBLE;
	}
	if (c->geo->crc) {
		dated = be64_get(disk->lsn);
		/* the LSN is valid only with a right checksum: a torn write may have stored the LSN but not the rest */
		if (dated && dated != NULL_LSN && dated >= lsn.v &&
		    crc_is_right(disk, sizeof(*disk), offsetof(struct dquot_disk, crc)))
			return LOG_NEWER;
	}
	memcpy(disk, dquot->dquot, DQUOT_LOGGED_SIZE);
	if (c->geo->crc)
		crc_store(disk, sizeof(*disk), offsetof(struct dquot_disk, crc));
	return LOG_APPLIED;
}
