/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rewrites the targets of symbolic links (ondisk 08): as much of the text as is recognizable, with correct headers.  A
 * link without a target keeps its name, owner and attributes, and gets a target that says so.
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
	bool whole;   /* no part of it is lost so far */
	bool doubted; /* a block with a part of it has a wrong checksum */
};

static uint32_t header_size(const struct geometry *geo)
{
	return geo->crc ? (uint32_t)sizeof(struct symlink_disk) : 0;
}

/* Returns the number of bytes before the first NUL; at most `most`. */
static uint32_t text_length(const uint8_t *text, uint64_t most)
{
	const uint8_t *nul = memchr(text, '\0', most);

	return (uint32_t)(nul ? (uint64_t)(nul - text) : most);
}

/* True if a block is part of this symlink's target, even if a header field is wrong. */
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

/* True if a block is part of another symlink's target: its owner is a symlink whose extents include the block, too. */
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
 * Returns how many bytes of the target a part holds.  left: the rest of the inode's size; 0: unknown.  A header with a
 * right checksum takes precedence.
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

/* Appends the part of the target in one extent, if it is there. target->whole: more may follow. 0 or -ENOMEM. */
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
		target->doubted |= geo->crc && !crc_is_right(bytes, len, offsetof(struct symlink_disk, crc));
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
	/* parts after a lost one are useless */
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

/* Writes the target to the fork's extents, compacted from file block 0 on. 0 or negative errno. */
static int write_remote(struct mend *m, struct mend_inode *inode, struct target *target)
{
	const struct geometry *geo = &m->now->geo;
	const struct mend_fork *fork = &inode->fork[DATA_FORK];
	/* a copy, because mend_fork_store() takes the old block count from fork->extents */
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

/* Writes the target into the inode, where it must be if it fits. 0 or negative errno. */
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
	if (!ret && (lost || target.doubted))
		mend_drop_target(m, inode->ino, lost ? DROP_UNKNOWN : DROP_UNCONFIRMED);
	if (!ret)
		mend_done_so(m, found, lost ? SURE_GUESS : SURE_LIKELY,
			     lost ? "target lost: now points to \"target-lost-to-damage\"" : mender_text(m->kind));
	return ret;
}

bool mend_symlink_wants(const struct found *found)
{
	/* a symlink with lost target blocks */
	return found->problem.finding == F_INODE_NEXTENTS || found->problem.finding == F_INODE_SIZE;
}

int mend_symlink(struct mend *m, const struct found *found, size_t count)
{
	return mend_each_inode(m, found, count, mend_inode_load, mend_target);
}
