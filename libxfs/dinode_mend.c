/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damaged inodes set right by what is in their own bytes (ondisk 04).  Contradictions are counted, in the core and in
 * what the forks hold, and fields are changed one at a time until there are none.
 */
#include "libxfs/bmap.h"
#include "libxfs/bmap_build.h"
#include "libxfs/btree.h"
#include "libxfs/crc.h"
#include "libxfs/da.h"
#include "libxfs/dinode_mend.h"
#include "disk/bmbt.h"
#include "disk/dir.h"
#include "disk/symlink.h"
#include "dinode_parts.h"
#include "dinode_tally.h"

#define STEPS_MAX 64u /* fields that are set right, at most: there are not as many */
/* ---- changes that may be the right one ---- */

struct guess {
	const struct geometry *g;
	xino_t ino;
	enum ftype ftype;
	const struct dinode_witness *witness;
	struct tally start, best;
	uint8_t tried[DINODE_SIZE_MAX], bytes[DINODE_SIZE_MAX]; /* bytes: the best so far */
	bool better;
};

static struct dinode_disk *tried(struct guess *guess)
{
	return (struct dinode_disk *)guess->tried;
}

/* Fewer contradictions than the best so far; of changes that leave as many, the one with which more is mapped. */
static bool is_better(const struct guess *guess, const struct tally *tally)
{
	if (tally->problems != guess->best.problems)
		return tally->problems < guess->best.problems;
	return guess->better && tally->blocks > guess->best.blocks;
}

/* Judge what has been changed in tried[], and take it back. */
static void try_it(struct guess *guess, const void *original)
{
	struct tally tally = dinode_tally(guess->g, guess->tried, guess->ino, true, guess->ftype, guess->witness);

	if (is_better(guess, &tally)) {
		guess->best = tally;
		guess->better = true;
		memcpy(guess->bytes, guess->tried, guess->g->inode_size);
	}
	memcpy(guess->tried, original, guess->g->inode_size);
}

static void try_types(struct guess *guess, const struct dinode_disk *original)
{
	static const enum ftype order[] = { FT_REG, FT_DIR, FT_SYMLINK, FT_FIFO, FT_SOCK, FT_CHR, FT_BLK };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		tried(guess)->mode = be16_put(dinode_mode_of(order[i], be16_get(original->mode)));
		try_it(guess, original);
	}
}

static void try_formats(struct guess *guess, const struct dinode_disk *original)
{
	for (uint8_t format = DINODE_FMT_DEV; format <= DINODE_FMT_BTREE; format++) {
		tried(guess)->format = format;
		try_it(guess, original);
	}
	for (uint8_t format = DINODE_FMT_LOCAL; format <= DINODE_FMT_BTREE; format++) {
		tried(guess)->aformat = format;
		try_it(guess, original);
	}
}

static void try_borders(struct guess *guess, const struct dinode_disk *original)
{
	uint32_t end = (guess->g->inode_size - dinode_core_size(guess->g)) / 8;

	for (uint32_t forkoff = 0; forkoff < end && forkoff <= UINT8_MAX; forkoff++) {
		tried(guess)->forkoff = (uint8_t)forkoff;
		try_it(guess, original);
	}
}

static void try_flags(struct guess *guess, const struct dinode_disk *original)
{
	const struct geometry *g = guess->g;
	/* one that this file system can't have would be taken back again and again */
	const struct {
		uint64_t flag;
		bool possible;
	} flags[] = {
		{ DIFLAG2_NREXT64, g->nrext64 },
		{ DIFLAG2_BIGTIME, g->bigtime },
		{ DIFLAG2_METADATA, g->metadir },
	};
	uint64_t flags2 = be64_get(original->flags2);

	if (!guess->g->crc)
		return;
	/* who has the one got the other at the same time */
	if (guess->g->bigtime && !(flags2 & (DIFLAG2_NREXT64 | DIFLAG2_BIGTIME))) {
		tried(guess)->flags2 = be64_put(flags2 | DIFLAG2_NREXT64 | DIFLAG2_BIGTIME);
		try_it(guess, original);
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (!flags[i].possible && !(flags2 & flags[i].flag))
			continue;
		tried(guess)->flags2 = be64_put(flags2 ^ flags[i].flag);
		try_it(guess, original);
	}
}

static void put_nextents(struct dinode_disk *disk, bool large, enum fork which, uint64_t count)
{
	if (which == DATA_FORK && large)
		disk->large_nextents = be64_put(count);
	else if (which == DATA_FORK || large)
		disk->nextents = be32_put((uint32_t)count);
	else
		disk->anextents = be16_put((uint16_t)count);
}

/* Extents in the inode: as many as are there before what can't be one. */
static void try_counts(struct guess *guess, const struct dinode_disk *original)
{
	const struct geometry *g = guess->g;
	bool large = g->crc && be64_get(original->flags2) & DIFLAG2_NREXT64;
	uint32_t fit = (g->inode_size - dinode_core_size(g)) / (uint32_t)sizeof(struct bmbt_rec_disk);

	for (uint32_t count = 0; count <= fit; count++) {
		put_nextents(tried(guess), large, DATA_FORK, count);
		try_it(guess, original);
		put_nextents(tried(guess), large, ATTR_FORK, count);
		try_it(guess, original);
	}
	if (large)
		tried(guess)->anextents = be16_put(0);
	else if (g->crc)
		tried(guess)->large_nextents = be64_put(0);
	try_it(guess, original);
}

/*
 * Blocks: as far as they reach.  Contents in the inode: of directories any size may be it, of targets the one up to
 * the first NUL.
 */
static void try_sizes(struct guess *guess, const struct dinode_disk *original)
{
	const struct geometry *g = guess->g;
	uint32_t room = g->inode_size - dinode_core_size(g);
	const uint8_t *fork = (const uint8_t *)original + dinode_core_size(g);
	const uint8_t *nul = memchr(fork, '\0', room);

	if (original->format != DINODE_FMT_LOCAL) {
		uint64_t unit = 1ull << g->dirblk_log;

		if ((be16_get(original->mode) & MODE_TYPE) != MODE_DIR)
			unit = 1;
		tried(guess)->size = be64_put((guess->start.end + unit - 1) / unit * unit << g->block_log);
		try_it(guess, original);
		return;
	}
	if (original->forkoff && original->forkoff * 8u < room)
		room = original->forkoff * 8u;
	if ((be16_get(original->mode) & MODE_TYPE) == MODE_SYMLINK) {
		tried(guess)->size = be64_put(nul && nul < fork + room ? (uint64_t)(nul - fork) : room);
		try_it(guess, original);
		return;
	}
	for (uint32_t size = 1; size <= room; size++) {
		tried(guess)->size = be64_put(size);
		try_it(guess, original);
	}
}

/* Whether an extent reaches farther than it can: into the next one, or beyond the end of what is in the fork. */
static bool is_too_long(const struct guess *guess, const struct dinode_disk *original, enum fork which,
			const struct bmap_record *extent, const struct bmap_record *next)
{
	const uint64_t end = extent->off.v + extent->len, block = guess->g->block_size;
	const uint64_t size = be64_get(original->size);

	if (which == ATTR_FORK || (next && next->off.v > extent->off.v && next->off.v < end))
		return true;
	return !next && end > size / block + (size % block != 0);
}

/*
 * A bit of the length of an extent, by which the forks have more blocks than the inode says.  True if that explains
 * what is wrong: then the number of blocks is right.
 */
static bool try_lengths(struct guess *guess, const struct dinode_disk *original)
{
	const uint64_t surplus = guess->start.blocks - be64_get(original->nblocks);
	const struct check silent = check_silent(guess->g);
	const unsigned before = guess->best.problems;
	struct dinode inode;

	if (guess->start.blocks < be64_get(original->nblocks) || !surplus || surplus & (surplus - 1) ||
	    !dinode_decode(&silent, original, guess->ino, true, &inode))
		return false;
	for (unsigned which = DATA_FORK; which <= ATTR_FORK; which++) {
		const struct dinode_fork *fork = &inode.fork[which];
		size_t count = fork->size / sizeof(struct bmbt_rec_disk);

		if (!fork->present || !fork->ok || fork->format != FMT_EXTENTS)
			continue;
		count = fork->nextents < count ? fork->nextents : count;

		for (size_t i = 0; i < count; i++) {
			const uint8_t *at = fork->bytes + i * sizeof(struct bmbt_rec_disk);
			struct bmap_record extent = bmap_record_get(at), next = extent;
			struct bmbt_rec_disk disk;

			if (i + 1 < count)
				next = bmap_record_get(at + sizeof(disk));
			if (!(extent.len & surplus) || extent.len == surplus ||
			    !is_too_long(guess, original, which, &extent, i + 1 < count ? &next : NULL))
				continue;
			extent.len -= (uint32_t)surplus;
			disk = bmap_record_put(&extent);
			memcpy(guess->tried + (at - (const uint8_t *)original), &disk, sizeof(disk));
			try_it(guess, original);
		}
	}
	return guess->best.problems < before;
}

static void try_blocks(struct guess *guess, const struct dinode_disk *original)
{
	tried(guess)->nblocks = be64_put(guess->start.blocks);
	try_it(guess, original);
}

/* Make the change of one field that helps most. False: none does. */
static bool guess_field(const struct geometry *g, void *bytes, xino_t ino, enum ftype ftype,
			const struct dinode_witness *witness)
{
	struct guess guess = { .g = g, .ino = ino, .ftype = ftype, .witness = witness };
	bool lengths;

	guess.start = guess.best = dinode_tally(g, bytes, ino, true, ftype, witness);
	if (!guess.best.problems)
		return false;
	memcpy(guess.tried, bytes, g->inode_size);
	/* the first of equals is made: what loses least */
	lengths = try_lengths(&guess, bytes);
	try_borders(&guess, bytes);
	try_counts(&guess, bytes);
	if (!lengths)
		try_blocks(&guess, bytes);
	try_formats(&guess, bytes);
	try_sizes(&guess, bytes);
	try_flags(&guess, bytes);
	try_types(&guess, bytes);
	if (guess.better)
		memcpy(bytes, guess.bytes, g->inode_size);
	return guess.better;
}

/* ---- rules ---- */

static void put_at(uint8_t *bytes, uint32_t offset, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++)
		bytes[offset + i] = (uint8_t)(value >> (8 * (width - 1 - i)));
}

/* Fields that problems name by their offset alone. */
static unsigned width_at(uint32_t offset)
{
	switch (offset) {
	case DINODE_OFF(format):
	case DINODE_OFF(forkoff):
	case DINODE_OFF(aformat):
	case DINODE_OFF(version):
		return 1;
	case DINODE_OFF(metatype):
	case DINODE_OFF(anextents):
	case DINODE_OFF(projid_hi):
	case DINODE_OFF(dmstate):
	case DINODE_OFF(flags):
	case DINODE_OFF(mode):
	case DINODE_OFF(magic):
		return 2;
	case DINODE_OFF(large_nextents):
	case DINODE_OFF(size):
	case DINODE_OFF(nblocks):
	case DINODE_OFF(flags2):
	case DINODE_OFF(ino):
		return 8;
	default:
		return 4;
	}
}

static void set_time(const struct geometry *g, struct dinode_disk *disk, const struct problem *p)
{
	uint8_t *bytes = (uint8_t *)disk;

	(void)g;
	if (p->finding == F_INODE_NSEC)
		put_at(bytes, p->offset + 4, 4, 0);
	else
		put_at(bytes, p->offset, 8, BIGTIME_END - 1);
}

/* A hint that can't be is none, and the flag that speaks of it goes with it. */
static void drop_hint(const struct geometry *g, struct dinode_disk *disk, const struct problem *p)
{
	if (p->finding == F_INODE_EXTSIZE) {
		disk->extsize = be32_put(0);
		disk->flags = be16_put(be16_get(disk->flags) & (uint16_t) ~(DIFLAG_EXTSIZE | DIFLAG_EXTSZINHERIT));
	} else if (g->crc) {
		disk->cowextsize = be32_put(0);
		disk->flags2 = be64_put(be64_get(disk->flags2) & ~(uint64_t)DIFLAG2_COWEXTSIZE);
	}
}

static void set_metafile(struct dinode_disk *disk, const struct problem *p)
{
	if (p->finding == F_INODE_META_FLAGS)
		disk->flags = be16_put(be16_get(disk->flags) | (uint16_t)p->want);
	else if (p->want) /* of a directory; other types are not known */
		disk->metatype = be16_put((uint16_t)p->want);
	else
		disk->flags2 = be64_put(be64_get(disk->flags2) & ~(uint64_t)DIFLAG2_METADATA);
}

/* Set right what one problem is about. False: there is no rule. */
static bool set_field(const struct geometry *g, struct dinode_disk *disk, const struct problem *p)
{
	uint8_t *bytes = (uint8_t *)disk;
	uint64_t want = p->want;

	switch (p->finding) {
	case F_BLOCK_UUID:
		memcpy(disk->uuid, g->meta_uuid, sizeof(disk->uuid));
		return true;
	case F_BLOCK_LSN:
		disk->lsn = be64_put(0);
		return true;
	case F_INODE_NLINK: /* how many there are is counted elsewhere */
		disk->nlink = be32_put(1);
		return true;
	case F_INODE_TIME:
	case F_INODE_NSEC:
		set_time(g, disk, p);
		return true;
	case F_INODE_EXTSIZE:
	case F_INODE_COWEXTSIZE:
		drop_hint(g, disk, p);
		return true;
	case F_INODE_META_FLAGS:
		set_metafile(disk, p);
		return true;
	case F_INODE_METATYPE:
		if (be64_get(disk->flags2) & DIFLAG2_METADATA && g->crc)
			set_metafile(disk, p);
		else
			disk->metatype = be16_put(0);
		return true;
	case F_INODE_SB_TYPE:
		want = dinode_mode_of((enum ftype)want, be16_get(disk->mode));
		break;
	case F_INODE_MODE:
	case F_INODE_FREE_IN_USE:
		want = dinode_mode_of(FT_REG, be16_get(disk->mode));
		break;
	case F_INODE_SIZE:
		if (want > INT64_MAX)
			want = INT64_MAX;
		break;
	case F_INODE_USED_BUT_FREE:
		return false;
	default:
		break;
	}
	put_at(bytes, p->offset, width_at(p->offset), want);
	return true;
}

/* What only a used inode has is no contradiction, once the rest of a free one is right. */
static bool set_all(const struct geometry *g, uint8_t *bytes, xino_t ino, bool allocated, enum ftype ftype,
		    const struct dinode_witness *witness)
{
	struct tally tally = { 0 };

	for (unsigned step = 0; step < STEPS_MAX; step++) {
		if (allocated && guess_field(g, bytes, ino, ftype, witness))
			continue;
		tally = dinode_tally(g, bytes, ino, allocated, FT_UNKNOWN, NULL);
		if (!tally.have_first || !set_field(g, (struct dinode_disk *)bytes, &tally.first))
			break;
	}
	return !tally.have_first;
}

/* ---- what the checksum knows ---- */

/*
 * One byte, or the mode, that was not what it is when the checksum was stored: there is one value in 2^32 with which
 * it is right, so that what is found is what was there.
 */
static void undo_change(const struct geometry *g, uint8_t *bytes)
{
	const struct dinode_disk *disk = (const struct dinode_disk *)bytes;
	uint32_t stored = le32_get(disk->crc);
	const uint32_t mode = DINODE_OFF(mode);
	uint8_t high = bytes[mode], low = bytes[mode + 1];

	if (crc_block(bytes, g->inode_size, DINODE_OFF(crc)) == stored)
		return;
	for (uint32_t at = 0; at < g->inode_size; at++) {
		uint8_t was = bytes[at];

		for (unsigned value = 0; value <= UINT8_MAX; value++) {
			bytes[at] = (uint8_t)value;
			if (crc_block(bytes, g->inode_size, DINODE_OFF(crc)) == stored)
				return;
		}
		bytes[at] = was;
	}
	for (uint32_t value = 0; value <= UINT16_MAX; value++) {
		bytes[mode] = (uint8_t)(value >> 8);
		bytes[mode + 1] = (uint8_t)value;
		if (crc_block(bytes, g->inode_size, DINODE_OFF(crc)) == stored)
			return;
	}
	bytes[mode] = high;
	bytes[mode + 1] = low;
}

bool dinode_set_right(const struct geometry *g, void *bytes, xino_t ino, bool allocated, enum ftype ftype,
		      const struct metafile *metafile, const struct dinode_witness *witness)
{
	bool sound;

	if (g->crc)
		undo_change(g, bytes);
	if (metafile && dinode_tally(g, bytes, ino, allocated, ftype, witness).problems)
		dinode_make_metafile(g, bytes, metafile);
	sound = set_all(g, bytes, ino, allocated, ftype, witness);

	if (g->crc)
		crc_store(bytes, g->inode_size, DINODE_OFF(crc));
	return sound;
}

bool dinode_set_border(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness)
{
	struct guess guess = { .g = g, .ino = ino, .witness = witness };
	bool sound;

	guess.best = dinode_tally(g, bytes, ino, true, FT_UNKNOWN, witness);
	memcpy(guess.tried, bytes, g->inode_size);
	if (guess.best.problems)
		try_borders(&guess, bytes);
	sound = guess.better && !guess.best.problems;
	if (sound)
		memcpy(bytes, guess.bytes, g->inode_size);
	if (sound && g->crc)
		crc_store(bytes, g->inode_size, DINODE_OFF(crc));
	return sound;
}

/* ---- what is an inode ---- */

/* Versions 1 and 2 say little of themselves: with one of the two wrong, all the rest must be right. */
static bool recognize_old(const struct geometry *g, const void *bytes, xino_t ino)
{
	uint8_t copy[DINODE_SIZE_MAX] = { 0 };
	struct dinode_disk *disk = (struct dinode_disk *)copy;
	bool magic, version;

	memcpy(copy, bytes, g->inode_size);
	magic = be16_get(disk->magic) == DINODE_MAGIC;
	version = disk->version == DINODE_VERSION_1 || disk->version == DINODE_VERSION_2;
	if (magic == version)
		return magic;
	disk->magic = be16_put(DINODE_MAGIC);
	if (!version)
		disk->version = DINODE_VERSION_2;
	return dinode_tally(g, copy, ino, true, FT_UNKNOWN, NULL).problems == 0;
}

bool dinode_recognize(const struct geometry *g, const void *bytes, xino_t ino)
{
	const struct dinode_disk *disk = bytes;
	bool magic = be16_get(disk->magic) == DINODE_MAGIC;
	unsigned witnesses = magic;

	if (!g->crc)
		return recognize_old(g, bytes, ino);
	witnesses += disk->version == DINODE_VERSION;
	witnesses += be64_get(disk->ino) == ino.v;
	witnesses += memcmp(disk->uuid, g->meta_uuid, sizeof(disk->uuid)) == 0;
	witnesses += be32_get(disk->pad2[0]) == 0 && be32_get(disk->pad2[1]) == 0 && be32_get(disk->pad2[2]) == 0;
	return witnesses >= 3;
}
