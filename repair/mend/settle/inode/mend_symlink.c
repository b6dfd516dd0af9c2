/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Targets of symbolic links (ondisk 08).  As much of the text as can be made out is written again, with headers that
 * fit.  A link whose text is lost keeps its name, owner and attributes, and leads to a name that says so.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/symlink.h"
#include "libxfs/crc.h"
#include "mend/base/mend.h"
#include "mend/base/mend_drop.h"
#include "mend/collect/mend_inode.h"
#include "repair.h"
#include "report/mender.h"
#include "mend/base/menders.h"

#define LENGTH_MAX (SYMLINK_MAX_SIZE - 1)

static const char lost_target[] = "target-lost-to-damage";

struct target {
	uint8_t text[SYMLINK_MAX_SIZE];
	uint32_t len;
	bool whole; /* no part of it is lost so far */
};

static uint32_t header_size(const struct geometry *geo)
{
	return geo->crc ? (uint32_t)sizeof(struct symlink_disk) : 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many bytes there are before the first NUL; at most `most`. */
static uint32_t text_length(const uint8_t *text, uint64_t most)
{
	const uint8_t *nul = memchr(text, '\0', most);

	return (uint32_t)(nul ? (uint64_t)(nul - text) : most);
}

/* True if a block is a part of this symlink's target, although a field of its header may be wrong. */
static bool recognize(const struct geometry *geo, const uint8_t *bytes, size_t len, xino_t ino, xdaddr_t daddr)
{
	const struct symlink_disk *hdr = (const struct symlink_disk *)bytes;
	unsigned witnesses = 0;

	if (!geo->crc)
		return true;
	witnesses += be32_get(hdr->magic) == SYMLINK_MAGIC;
	witnesses += be64_get(hdr->owner) == ino.v;
	witnesses += be64_get(hdr->blkno) == daddr.v;
	witnesses += memcmp(hdr->uuid, geo->meta_uuid, sizeof(hdr->uuid)) == 0;
	witnesses += crc_is_right(bytes, len, offsetof(struct symlink_disk, crc));
	return be64_get(hdr->owner) == ino.v ? witnesses >= 3 : witnesses >= 4;
}

/* True if a block is a part of another symlink's target: its owner is a symlink whose extents have the block, too. */
static bool is_anothers(struct mend *m, const uint8_t *bytes, xino_t ino, fsbno_t block)
{
	const struct symlink_disk *hdr = (const struct symlink_disk *)bytes;
	const xino_t owner = { be64_get(hdr->owner) };
	struct mend_inode inode;
	bool is = false;

	if (!m->now->geo.crc || owner.v == ino.v || !ino_valid(&m->now->geo, owner) ||
	    mend_inode_load(m, owner, &inode))
		return false;
	for (size_t i = 0; inode.inode.ftype == FT_SYMLINK && i < inode.fork[DATA_FORK].count; i++)
		is |= inode.fork[DATA_FORK].extents[i].start.v == block.v;
	mend_inode_free(&inode);
	return is;
}

/*
 * How many bytes of the target a part holds.  left: by the inode's size; 0: that tells nothing.  A header with a right
 * checksum knows better.
 */
static uint32_t part_length(const struct geometry *geo, const uint8_t *bytes, size_t len, uint64_t left)
{
	const struct symlink_disk *hdr = (const struct symlink_disk *)bytes;
	uint64_t room = len - header_size(geo), says;
	bool sound;

	left = smaller(left, room);
	if (!geo->crc)
		return text_length(bytes, left);
	says = be32_get(hdr->bytes);
	sound = crc_is_right(bytes, len, offsetof(struct symlink_disk, crc));
	if (says && says <= room && (sound || !left))
		left = says;
	return text_length(bytes + sizeof(*hdr), left);
}

/* Add the part of the target in one extent, if it is there; target->whole: more may follow. 0 or -ENOMEM. */
static int read_part(struct mend *m, const struct mend_inode *inode, const struct bmap_record *extent,
		     struct target *target)
{
	const struct geometry *geo = &m->now->geo;
	size_t len = (size_t)extent->len << geo->block_log;
	xdaddr_t daddr = daddr_of_fsbno(geo, extent->start);
	uint64_t size = inode->inode.size;
	uint8_t *bytes = malloc(len);
	uint32_t n;

	if (!bytes)
		return -ENOMEM;
	target->whole = !mend_read(m, bytes, bytes_of_daddr(daddr), len) &&
			recognize(geo, bytes, len, inode->ino, daddr) &&
			!is_anothers(m, bytes, inode->ino, extent->start);
	if (target->whole) {
		n = part_length(geo, bytes, len, size <= LENGTH_MAX && size > target->len ? size - target->len : 0);
		n = (uint32_t)smaller(n, LENGTH_MAX - target->len);
		memcpy(target->text + target->len, bytes + header_size(geo), n);
		target->len += n;
		target->whole = n == smaller(len - header_size(geo), LENGTH_MAX);
	}
	free(bytes);
	return 0;
}

static int read_target(struct mend *m, const struct mend_inode *inode, struct target *target)
{
	const struct dinode_fork *data = &inode->inode.fork[DATA_FORK];
	const struct mend_fork *fork = &inode->fork[DATA_FORK];
	int ret = 0;

	*target = (struct target){ .whole = true };
	if (data->format == FMT_LOCAL) {
		uint64_t most = smaller(smaller(data->size, LENGTH_MAX), inode->inode.size);

		target->len = text_length(data->bytes, most ? most : smaller(data->size, LENGTH_MAX));
		memcpy(target->text, data->bytes, target->len);
	}
	/* parts behind a lost one are of no use */
	for (size_t i = 0; i < fork->count && target->whole && !ret; i++)
		if (fork->extents[i].len <= SYMLINK_MAX_SIZE)
			ret = read_part(m, inode, &fork->extents[i], target);
	return ret;
}

static int write_part(struct mend *m, const struct mend_inode *inode, const struct bmap_record *extent,
		      const struct target *target, uint32_t from, uint32_t n)
{
	const struct geometry *geo = &m->now->geo;
	size_t len = (size_t)extent->len << geo->block_log;
	xdaddr_t daddr = daddr_of_fsbno(geo, extent->start);
	uint8_t *bytes = calloc(1, len);
	struct symlink_disk *hdr = (struct symlink_disk *)bytes;
	int ret;

	if (!bytes)
		return -ENOMEM;
	memcpy(bytes + header_size(geo), target->text + from, n);
	if (geo->crc) {
		hdr->magic = be32_put(SYMLINK_MAGIC);
		hdr->offset = be32_put(from);
		hdr->bytes = be32_put(n);
		memcpy(hdr->uuid, geo->meta_uuid, sizeof(hdr->uuid));
		hdr->owner = be64_put(inode->ino.v);
		hdr->blkno = be64_put(daddr.v);
		crc_store(bytes, len, offsetof(struct symlink_disk, crc));
	}
	ret = mend_write(m, bytes, bytes_of_daddr(daddr), len);
	free(bytes);
	return ret;
}

/*
 * Write the target into the extents that the fork has, which follow each other from file block 0 on, and give up blocks
 * that are not needed. 0 or negative errno.
 */
static int write_remote(struct mend *m, struct mend_inode *inode, struct target *target)
{
	const struct geometry *geo = &m->now->geo;
	const struct mend_fork *fork = &inode->fork[DATA_FORK];
	/* a copy, since mend_fork_store() takes the number of old blocks from fork->extents */
	struct bmap_record *kept = calloc(fork->count, sizeof(*kept));
	uint32_t done = 0, before = 0; /* bytes of the target, and blocks */
	bool changed = false;
	size_t used = 0;
	int ret = kept ? 0 : -ENOMEM;

	for (; used < fork->count && done < target->len && !ret; used++) {
		const struct bmap_record *extent = &fork->extents[used];
		uint64_t room = ((uint64_t)extent->len << geo->block_log) - header_size(geo);
		uint32_t n = (uint32_t)smaller(room, target->len - done);
		uint32_t blocks = (n + header_size(geo) + geo->block_size - 1) >> geo->block_log;

		changed |= blocks < extent->len || extent->off.v != before;
		kept[used] = *extent;
		kept[used].off.v = before;
		kept[used].len = blocks;
		before += blocks;
		ret = write_part(m, inode, &kept[used], target, done, n);
		done += n;
	}
	target->len = done;
	if (!ret && (changed || used < fork->count))
		ret = mend_fork_store(m, inode, DATA_FORK, kept, used);
	free(kept);
	return ret;
}

/* Write the target into the inode, where it must be if it fits. 0 or negative errno. */
static int write_local(struct mend *m, struct mend_inode *inode, const struct target *target)
{
	const struct dinode_fork *data = &inode->inode.fork[DATA_FORK];
	int ret = inode->fork[DATA_FORK].count ? mend_fork_store(m, inode, DATA_FORK, NULL, 0) : 0;

	if (data->format != FMT_LOCAL) {
		mend_fork_put_count(inode, DATA_FORK, 0);
		mend_inode_disk(inode)->format = DINODE_FMT_LOCAL;
	}
	memcpy(inode->bytes + (data->bytes - inode->bytes), target->text, target->len);
	return ret;
}

static int write_target(struct mend *m, struct mend_inode *inode, struct target *target)
{
	const uint32_t room = inode->inode.fork[DATA_FORK].size;

	if (target->len > room && inode->fork[DATA_FORK].count)
		return write_remote(m, inode, target);
	target->len = (uint32_t)smaller(target->len, room);
	return write_local(m, inode, target);
}

static int mend_target(struct mend *m, struct mend_inode *inode, const struct found *found)
{
	struct target target;
	bool lost;
	int ret;

	if (inode->inode.ftype != FT_SYMLINK || !inode->inode.fork[DATA_FORK].present)
		return 0;
	ret = read_target(m, inode, &target);
	lost = !target.len;
	if (lost)
		memcpy(target.text, lost_target, target.len = sizeof(lost_target) - 1);
	if (!ret)
		ret = write_target(m, inode, &target);
	mend_inode_disk(inode)->size = be64_put(target.len);
	if (!ret)
		ret = mend_inode_store(m, inode);
	if (!ret && lost)
		mend_drop_target(m, inode->ino, DROP_UNKNOWN);
	if (!ret)
		mend_done_so(m, found, lost ? SURE_GUESS : SURE_LIKELY,
			     lost ? "target lost: now points to \"target-lost-to-damage\"" : mender_text(m->kind));
	return ret;
}

bool mend_symlink_wants(const struct found *found)
{
	/* a symlink whose target's blocks are lost */
	return found->problem.finding == F_INODE_NEXTENTS || found->problem.finding == F_INODE_SIZE;
}

int mend_symlink(struct mend *m, const struct found *found, size_t count)
{
	return mend_each_inode(m, found, count, mend_inode_load, mend_target);
}
