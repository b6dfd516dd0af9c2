/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes inode items in the log (ondisk 11, "INODE"): place of the inode, its logged parts, its core in the byte order
 * of the machine, and its forks.  Checks only what decoding depends on; the contents of core and forks are checked in
 * the inode after replay.
 */
#include "disk/inode.h"
#include "log_item.h"

#define DFORK (LOG_INODE_DDATA | LOG_INODE_DEXT | LOG_INODE_DBROOT)
#define AFORK (LOG_INODE_ADATA | LOG_INODE_AEXT | LOG_INODE_ABROOT)
#define KNOWN_FIELDS                                                                                                   \
	(LOG_INODE_CORE | DFORK | LOG_INODE_DEV | LOG_INODE_UUID | AFORK | LOG_INODE_DOWNER | LOG_INODE_AOWNER)

enum { FORMAT_BYTES = 56, CORE_V2 = 96, CORE_V3 = 176 };

enum inode_field {
	INODE_FIELDS = 4,
	INODE_ASIZE = 8,
	INODE_DSIZE = 10,
	/* in items of 32-bit machines, which have no padding before these fields, the offsets are 4 less */
	INODE_INO = 16,
	INODE_RDEV = 24,
	INODE_BLKNO = 40,
	INODE_LEN = 48,
	INODE_BOFFSET = 52,
};

/* the fields of the core whose bytes are swapped, except timestamps and fields that depend on features */
static const struct {
	uint8_t offset, size;
} core_fields[] = {
#define F(field)                                                                                                       \
	{                                                                                                              \
		offsetof(struct dinode_disk, field), sizeof(((struct dinode_disk *)0)->field)                          \
	}
	F(magic),	F(mode),      F(metatype), F(uid),	  F(gid),     F(nlink),
	F(projid_lo),	F(projid_hi), F(size),	   F(nblocks),	  F(extsize), F(nextents),
	F(anextents),	F(dmevmask),  F(dmstate),  F(flags),	  F(gen),     F(next_unlinked),
	F(changecount), F(lsn),	      F(flags2),   F(cowextsize), F(ino),
#undef F
};

/* True if at most one bit is set: only one form of a fork can be logged. */
static bool at_most_one_bit(uint32_t fields)
{
	return (fields & (fields - 1)) == 0;
}

static void swap_field(uint8_t *to, const uint8_t *from, uint32_t size, bool big_endian)
{
	for (uint32_t i = 0; i < size; i++)
		to[i] = from[big_endian ? i : size - 1 - i];
}

/* Swaps a timestamp: one 64-bit number with bigtime, else two 32-bit numbers. */
static void swap_time(uint8_t *core, const uint8_t *logged, size_t offset, bool bigtime, bool big_endian)
{
	uint32_t size = bigtime ? sizeof(be64_t) : sizeof(be32_t);

	for (size_t at = offset; at < offset + sizeof(be64_t); at += size)
		swap_field(core + at, logged + at, size, big_endian);
}

/* Converts the logged core to its on-disk form. */
static void core_to_disk(const struct geometry *g, const uint8_t *logged, bool be, struct log_inode *inode)
{
	uint8_t *core = inode->core;
	struct dinode_disk *disk = (struct dinode_disk *)core;
	bool v3 = logged[offsetof(struct dinode_disk, version)] >= DINODE_VERSION;
	uint64_t flags2 = v3 ? log_get64(logged + offsetof(struct dinode_disk, flags2), be) : 0;
	uint32_t counter = offsetof(struct dinode_disk, large_nextents);

	memcpy(core, logged, inode->core_len);
	for (unsigned i = 0; i < sizeof(core_fields) / sizeof(core_fields[0]); i++)
		if (core_fields[i].offset + core_fields[i].size <= (int)inode->core_len)
			swap_field(core + core_fields[i].offset, logged + core_fields[i].offset, core_fields[i].size,
				   be);
	for (unsigned i = 0; i < 3; i++)
		swap_time(core, logged, offsetof(struct dinode_disk, times) + i * sizeof(be64_t),
			  flags2 & DIFLAG2_BIGTIME, be);
	/* before version 3: six bytes of padding and the flush counter; in version 3: padding, or the large count */
	memset(core + counter, 0, sizeof(be64_t));
	if (!v3)
		swap_field(core + counter + 6, logged + counter + 6, sizeof(be16_t), be);
	else if (flags2 & DIFLAG2_NREXT64)
		swap_field(core + counter, logged + counter, sizeof(be64_t), be);
	if (v3 && (flags2 & DIFLAG2_NREXT64))
		memset(&disk->anextents, 0, sizeof(disk->anextents));
	if (!v3)
		return;
	swap_time(core, logged, offsetof(struct dinode_disk, crtime), flags2 & DIFLAG2_BIGTIME, be);
	memset(disk->pad2, 0, sizeof(disk->pad2));
	if (!g->metadir)
		memset(&disk->metatype, 0, sizeof(disk->metatype));
}

static bool decode_core(const struct check *c, const struct log_item *item, struct log_inode *inode)
{
	const struct log_region *region = &item->regions[1];
	const bool be = item->big_endian;
	uint32_t want = c->geo->crc ? CORE_V3 : CORE_V2;
	uint16_t magic = log_get16(region->bytes, be);
	uint8_t version;

	if (region->len != want)
		return problem_at(c, F_LOG_ITEM_LEN, 0, 1, region->len, want);
	if (magic != DINODE_MAGIC)
		return problem_at(c, F_LOG_INODE_MAGIC, 0, 1, magic, DINODE_MAGIC);
	version = region->bytes[offsetof(struct dinode_disk, version)];
	if (c->geo->crc ? version != DINODE_VERSION : version != DINODE_VERSION_1 && version != DINODE_VERSION_2)
		return problem_at(c, F_LOG_INODE_VERSION, offsetof(struct dinode_disk, version), 1, version,
				  c->geo->crc ? DINODE_VERSION : DINODE_VERSION_2);
	inode->core_len = want;
	core_to_disk(c->geo, region->bytes, be, inode);
	if (c->geo->crc && be64_get(((const struct dinode_disk *)inode->core)->ino) != inode->ino.v)
		return problem_at(c, F_LOG_INODE_INO, offsetof(struct dinode_disk, ino), 1,
				  be64_get(((const struct dinode_disk *)inode->core)->ino), inode->ino.v);
	return true;
}

/* Checks that the item has the place that follows from the inode number. */
static bool check_place(const struct check *c, const struct log_inode *inode, uint32_t shift)
{
	const struct geometry *g = c->geo;
	uint64_t agno = inode->ino.v >> (g->agblock_log + g->inopb_log), at;
	agino_t agino = agino_of_ino(g, inode->ino);
	agbno_t agbno = agbno_of_agino(g, agino);

	if (!log_extent_possible(g, agno, agbno.v, 1))
		return problem_at(c, F_LOG_INODE_NUMBER, INODE_INO - shift, 0, inode->ino.v, 0);
	if (!log_sectors_possible(inode->daddr, inode->len) || inode->len << SECTOR_LOG < g->inode_size ||
	    inode->offset > (inode->len << SECTOR_LOG) - g->inode_size)
		return problem_at(c, F_LOG_ITEM_SECTORS, INODE_BLKNO - shift, 0, inode->daddr.v, inode->len);
	at = bytes_of_agino(g, (agno_t){ (uint32_t)agno }, agino);
	if (bytes_of_daddr(inode->daddr) + inode->offset != at)
		return problem_at(c, F_LOG_INODE_PLACE, INODE_BOFFSET - shift, 0,
				  bytes_of_daddr(inode->daddr) + inode->offset, at);
	return true;
}

/* Takes a fork from region `index`: its length must be that of the format structure, padded, and fit into an inode. */
static bool take_fork(const struct check *c, const struct log_item *item, uint32_t index, uint32_t size, bool root,
		      struct log_region *ret_fork)
{
	struct log_region region;
	/* in memory the root of a btree has a larger header than in the fork */
	uint32_t max = c->geo->inode_size + (root ? LOG_BROOT_HEADER_MAX : 0);

	if (index >= item->nregions)
		return problem_at(c, F_LOG_ITEM_REGIONS, 2, 0, item->nregions, index + 1);
	region = item->regions[index];
	if (region.len != (size + 3) / 4 * 4 || size > max)
		return problem_at(c, F_LOG_INODE_FORK, 0, index, region.len, size);
	*ret_fork = region;
	return true;
}

static bool take_forks(const struct check *c, const struct log_item *item, uint32_t dsize, uint32_t asize,
		       struct log_inode *inode)
{
	uint32_t next = 2;

	/* the item may have the size of a fork of which nothing was logged: then there is no region */
	if ((inode->fields & DFORK) &&
	    !take_fork(c, item, next++, dsize, inode->fields & LOG_INODE_DBROOT, &inode->data))
		return false;
	if ((inode->fields & AFORK) &&
	    !take_fork(c, item, next++, asize, inode->fields & LOG_INODE_ABROOT, &inode->attr))
		return false;
	return next == item->nregions || problem_at(c, F_LOG_ITEM_REGIONS, 2, 0, item->nregions, next);
}

bool log_inode_decode(const struct check *c, const struct log_item *item, struct log_inode *ret_inode)
{
	const bool be = item->big_endian;
	const struct log_region *format = &item->regions[0];
	const uint8_t *bytes = format->bytes;
	struct log_inode inode = { .core_len = 0 };
	uint32_t shift, dsize, asize;

	if (format->len != FORMAT_BYTES && format->len != LOG_INODE_BYTES_32)
		return problem_at(c, F_LOG_ITEM_LEN, 0, 0, format->len, FORMAT_BYTES);
	if (item->nregions < 2)
		return problem_at(c, F_LOG_ITEM_REGIONS, 2, 0, item->nregions, 2);
	shift = FORMAT_BYTES - format->len;
	inode.fields = log_get32(bytes + INODE_FIELDS, be);
	asize = log_get16(bytes + INODE_ASIZE, be);
	dsize = log_get16(bytes + INODE_DSIZE, be);
	inode.ino.v = log_get64(bytes + INODE_INO - shift, be);
	inode.rdev = log_get32(bytes + INODE_RDEV - shift, be);
	inode.daddr.v = log_get64(bytes + INODE_BLKNO - shift, be);
	inode.len = log_get32(bytes + INODE_LEN - shift, be);
	inode.offset = log_get32(bytes + INODE_BOFFSET - shift, be);
	if (inode.fields & ~KNOWN_FIELDS || !at_most_one_bit(inode.fields & DFORK) ||
	    !at_most_one_bit(inode.fields & AFORK))
		return problem_at(c, F_LOG_INODE_FIELDS, INODE_FIELDS, 0, inode.fields, KNOWN_FIELDS);
	if (!check_place(c, &inode, shift) || !decode_core(c, item, &inode) ||
	    !take_forks(c, item, dsize, asize, &inode))
		return false;
	*ret_inode = inode;
	return true;
}
