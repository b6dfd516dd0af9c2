/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs typical properties into few bytes: numbers in groups of seven bits, and times as differences. There is a record
 * per file, so this decides how many fit into memory.
 */
#include "file_record.h"

#include <string.h>

#include "sets/packed.h"

#define NUMBERS 14 /* in a record, besides times */

static struct time_stamp time_of(uint64_t time, bool bigtime)
{
	return (struct time_stamp){ dinode_seconds(time, bigtime),
				    bigtime ? (uint32_t)(time % NSEC_PER_SEC) : (uint32_t)time };
}

void file_record_of(const struct geometry *geo, const struct dinode *inode, struct file_record *ret)
{
	const struct dinode_disk *disk = inode->disk;
	const bool bigtime = geo->crc && inode->flags2 & DIFLAG2_BIGTIME;
	const struct dinode_fork *data = &inode->fork[DATA_FORK], *attrs = &inode->fork[ATTR_FORK];

	*ret = (struct file_record){ .mode = inode->mode,
				     .flags = inode->flags,
				     .flags2 = geo->crc ? inode->flags2 : 0,
				     .nlink = inode->nlink,
				     .uid = inode->uid,
				     .gid = inode->gid,
				     .projid = inode->projid,
				     .gen = inode->gen,
				     .size = inode->size,
				     .nblocks = inode->nblocks,
				     .nextents = data->nextents,
				     .anextents = attrs->present ? attrs->nextents : 0,
				     .attr_fork = attrs->present };
	if (inode->flags & (DIFLAG_EXTSIZE | DIFLAG_EXTSZINHERIT))
		ret->extsize = be32_get(disk->extsize);
	if (ret->flags2 & DIFLAG2_COWEXTSIZE)
		ret->cowextsize = be32_get(disk->cowextsize);
	for (unsigned i = TIME_ACCESS; i <= TIME_CHANGE; i++)
		ret->times[i] = time_of(be64_get(disk->times[i]), bigtime);
	if (geo->crc)
		ret->times[TIME_CREATION] = time_of(be64_get(disk->crtime), bigtime);
	if ((inode->ftype == FT_CHR || inode->ftype == FT_BLK) && data->ok && data->bytes) {
		be32_t rdev;

		memcpy(&rdev, data->bytes, sizeof(rdev));
		ret->rdev = be32_get(rdev);
	}
}

/* True if a record has hints; few do, so others take no room for them. */
static bool has_hints(const struct file_record *r)
{
	return r->flags & (DIFLAG_EXTSIZE | DIFLAG_EXTSZINHERIT) || r->flags2 & DIFLAG2_COWEXTSIZE;
}

size_t file_record_pack(const struct file_record *r, uint8_t bytes[static FILE_RECORD_MOST])
{
	const uint64_t numbers[NUMBERS] = { r->mode,	 r->flags,     r->flags2, r->nlink,    r->uid,
					    r->gid,	 r->projid,    r->gen,	  r->size,     r->nblocks,
					    r->nextents, r->anextents, r->rdev,	  r->attr_fork };
	uint8_t *at = bytes;

	for (size_t i = 0; i < NUMBERS; i++)
		at = packed_put(at, numbers[i]);
	if (has_hints(r))
		at = packed_put(packed_put(at, r->extsize), r->cowextsize);
	for (unsigned i = 0; i < TIME_NR; i++) {
		const struct time_stamp before = i ? r->times[i - 1] : (struct time_stamp){ 0 };

		at = packed_put(at, packed_fold((uint64_t)r->times[i].seconds - (uint64_t)before.seconds));
		at = packed_put(at, packed_fold((uint64_t)r->times[i].nsec - before.nsec));
	}
	return (size_t)(at - bytes);
}

void file_record_unpack(const uint8_t *at, struct file_record *ret)
{
	uint64_t n[NUMBERS];

	for (size_t i = 0; i < NUMBERS; i++)
		at = packed_get(at, &n[i]);
	*ret = (struct file_record){ .mode = (uint16_t)n[0],
				     .flags = (uint16_t)n[1],
				     .flags2 = n[2],
				     .nlink = (uint32_t)n[3],
				     .uid = (uint32_t)n[4],
				     .gid = (uint32_t)n[5],
				     .projid = (uint32_t)n[6],
				     .gen = (uint32_t)n[7],
				     .size = n[8],
				     .nblocks = n[9],
				     .nextents = n[10],
				     .anextents = n[11],
				     .rdev = (uint32_t)n[12],
				     .attr_fork = n[13] };
	if (has_hints(ret)) {
		at = packed_get(packed_get(at, &n[0]), &n[1]);
		ret->extsize = (uint32_t)n[0];
		ret->cowextsize = (uint32_t)n[1];
	}
	for (unsigned i = 0; i < TIME_NR; i++) {
		const struct time_stamp before = i ? ret->times[i - 1] : (struct time_stamp){ 0 };
		uint64_t seconds, nsec;

		at = packed_get(packed_get(at, &seconds), &nsec);
		ret->times[i].seconds = (int64_t)((uint64_t)before.seconds + packed_unfold(seconds));
		ret->times[i].nsec = (uint32_t)(before.nsec + packed_unfold(nsec));
	}
}
