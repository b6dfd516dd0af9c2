/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The known parts of a block or an inode in the log, and the inode that they make. */
#include "log_trace.h"

#include <string.h>

#include "disk/attr.h"
#include "disk/bmbt.h"
#include "disk/inode.h"
#include "libxfs/crc.h"
#include "libxfs/dinode.h"

static bool has_chunk(const struct log_trace *trace, uint32_t chunk)
{
	return trace->chunks[chunk / 64] >> chunk % 64 & 1;
}

void log_trace_add_chunk(struct log_trace *trace, uint32_t chunk)
{
	trace->chunks[chunk / 64] |= 1ull << chunk % 64;
}

bool log_trace_covers(const struct log_trace *trace, uint32_t len)
{
	for (uint32_t chunk = 0; chunk < (len + LOG_BUF_CHUNK - 1) / LOG_BUF_CHUNK; chunk++)
		if (!has_chunk(trace, chunk))
			return false;
	return true;
}

void log_trace_complete(struct log_trace *trace, const uint8_t *disk)
{
	const uint32_t chunks = (trace->len << SECTOR_LOG) / LOG_BUF_CHUNK;

	for (uint32_t chunk = 0; chunk < chunks; chunk++) {
		const size_t at = (size_t)chunk * LOG_BUF_CHUNK;

		if (has_chunk(trace, chunk))
			continue;
		memcpy(trace->bytes + at, disk + at, LOG_BUF_CHUNK);
		log_trace_add_chunk(trace, chunk);
	}
}

/* True if a fork was last logged in this form, and at least `len` bytes of it. */
static bool fork_logged(const struct log_trace *trace, enum fork fork, uint32_t field, uint64_t len)
{
	return trace->fork[fork].fields == field && trace->fork[fork].len >= len;
}

/* True if the inode's own bytes of a fork are known: inline contents, extents, or the root of the bmbt. */
static bool fork_known(const struct log_trace *trace, const struct dinode *inode, enum fork which)
{
	const struct dinode_disk *disk = (const void *)trace->bytes;
	const struct dinode_fork *fork = &inode->fork[which];
	const bool data = which == DATA_FORK;
	const struct attr_sf_header_disk *sf = (const void *)fork->bytes;

	if (!fork->present)
		return true;
	/* the attribute fork is at forkoff: its bytes are right only if that has not changed since */
	if (!fork->ok || (!data && trace->fork[which].fields && trace->fork[which].forkoff != disk->forkoff))
		return false;
	switch (fork->format) {
	case FMT_DEV:
		return (inode->ftype != FT_CHR && inode->ftype != FT_BLK) ||
		       fork_logged(trace, which, LOG_INODE_DEV, 0);
	case FMT_LOCAL:
		if (data)
			return fork_logged(trace, which, LOG_INODE_DDATA, inode->size);
		return fork_logged(trace, which, LOG_INODE_ADATA, be16_get(sf->totsize));
	case FMT_EXTENTS:
		return !fork->nextents || fork_logged(trace, which, data ? LOG_INODE_DEXT : LOG_INODE_AEXT,
						      fork->nextents * sizeof(struct bmbt_rec_disk));
	default:
		return fork_logged(trace, which, data ? LOG_INODE_DBROOT : LOG_INODE_ABROOT, 0);
	}
}

/* Makes the attribute fork empty, since it was not logged; parent pointers can be restored from directories later. */
static void drop_attributes(const struct geometry *geo, struct dinode_disk *disk)
{
	disk->aformat = DINODE_FMT_EXTENTS;
	if (be64_get(disk->flags2) & DIFLAG2_NREXT64)
		disk->nextents = be32_put(0); /* with this flag, the field counts the attribute fork's extents */
	else
		disk->anextents = be16_put(0);
	crc_store(disk, geo->inode_size, offsetof(struct dinode_disk, crc));
}

/* Clears the literal area of a deleted inode: the contents of its forks no longer belong to it. */
static void clear_forks(const struct geometry *geo, struct dinode_disk *disk)
{
	memset(disk + 1, 0, geo->inode_size - sizeof(*disk));
	crc_store(disk, geo->inode_size, offsetof(struct dinode_disk, crc));
}

bool log_trace_make_inode(const struct geometry *geo, struct log_trace *trace, bool whole)
{
	struct dinode_disk *disk = (void *)trace->bytes;
	const bool in_use = be16_get(disk->mode);
	unsigned problems = 0;
	const struct check check = check_counting(geo, &problems);
	struct dinode inode;

	if (!in_use)
		clear_forks(geo, disk);
	if (!dinode_decode(&check, disk, trace->ino, in_use, &inode) || !in_use)
		return !problems && !in_use;
	if (!inode.nlink || !fork_known(trace, &inode, DATA_FORK))
		return false;
	if (!fork_known(trace, &inode, ATTR_FORK)) {
		if (whole)
			return false;
		drop_attributes(geo, disk);
		trace->attributes_left_out = true;
		problems = 0;
		dinode_decode(&check, disk, trace->ino, in_use, &inode);
	}
	return !problems;
}
