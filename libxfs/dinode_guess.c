/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repairs a damaged inode by trial (ondisk 04): makes each plausible change of one field on a copy, and counts the
 * contradictions that are left in the core and in the contents of the forks.
 */

#include "disk/bmbt.h"
#include "libxfs/bmap.h"
#include "libxfs/bmap_build.h"
#include "dinode_parts.h"

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

static unsigned exceeds(unsigned value, unsigned other)
{
	return value > other ? value - other : 0;
}

/*
 * The cost of a change: the remaining contradictions, plus the names and attributes in the inode that it loses, plus
 * the invalid extents that it adds.  Without the second term, a change that drops a whole fork would look good, since
 * missing contents contradict nothing.  Without the third, so would one that adds the bytes after the extents as one
 * more extent, since nblocks could then not be too small.
 */
static unsigned cost(const struct guess *guess, const struct tally *tally)
{
	return tally->problems + exceeds(guess->start.entries, tally->entries) +
	       exceeds(tally->bad_extents, guess->start.bad_extents);
}

/* True if a change costs less than the best so far, or as much as the best change and maps more blocks. */
static bool is_better(const struct guess *guess, const struct tally *tally)
{
	const unsigned best = cost(guess, &guess->best), now = cost(guess, tally);

	if (now != best)
		return now < best;
	return guess->better && tally->blocks > guess->best.blocks;
}

/* Evaluates the change in tried[]: keeps it in bytes[] if it is the best so far, and restores tried[]. */
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

/*
 * Tries other types, unless the inode has the type that other metadata gives it: two wrong witnesses are less likely.
 */
static void try_types(struct guess *guess, const struct dinode_disk *original)
{
	static const enum ftype order[] = { FT_REG, FT_DIR, FT_SYMLINK, FT_FIFO, FT_SOCK, FT_CHR, FT_BLK };

	if (guess->ftype != FT_UNKNOWN && guess->ftype == dinode_type_of(be16_get(original->mode)))
		return;
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

/*
 * Tries a lost flags2: with a large extent count, but without its flag, flags2 may be lost together with the fields
 * before it.  Sets both flags, and nblocks to the blocks of the extents that are then counted.
 */
static void try_lost_flags(struct guess *guess, const struct dinode_disk *original)
{
	const uint64_t flags2 = be64_get(original->flags2);

	if (!guess->g->nrext64 || flags2 & DIFLAG2_NREXT64 || !be64_get(original->large_nextents))
		return;
	tried(guess)->flags2 = be64_put(flags2 | DIFLAG2_NREXT64 | (guess->g->bigtime ? DIFLAG2_BIGTIME : 0));
	tried(guess)->nblocks =
		be64_put(dinode_tally(guess->g, guess->tried, guess->ino, true, guess->ftype, guess->witness).blocks);
	try_it(guess, original);
}

static void try_flags(struct guess *guess, const struct dinode_disk *original)
{
	const struct geometry *g = guess->g;
	/*
	 * flags of features that this file system lacks are only cleared: once set, the next step would clear them
	 * again
	 */
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
	try_lost_flags(guess, original);
	/* both flags are usually set together, so try them together too */
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

/* Tries every extent count that fits into the inode, for either fork, and clearing the unused count field. */
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
 * Tries other sizes.  Contents in blocks: up to the end of the last mapped block.  Contents in the inode: for a
 * symbolic link, up to the first NUL; for a directory, every size.
 */
static void try_sizes(struct guess *guess, const struct dinode_disk *original)
{
	const struct geometry *g = guess->g;
	const enum ftype ftype = dinode_type_of(be16_get(original->mode));
	const uint32_t room = dinode_data_room(g, original);
	const char *fork = (const char *)original + dinode_core_size(g);

	if (original->format != DINODE_FMT_LOCAL) {
		tried(guess)->size = be64_put(dinode_size_to(g, ftype == FT_DIR, guess->start.end));
		try_it(guess, original);
		return;
	}
	if (ftype == FT_SYMLINK) {
		tried(guess)->size = be64_put(strnlen(fork, room));
		try_it(guess, original);
		return;
	}
	for (uint32_t size = 1; size <= room; size++) {
		tried(guess)->size = be64_put(size);
		try_it(guess, original);
	}
}

/*
 * True if the length of an extent may be too large: it overlaps the next extent or, as the last one of a data fork,
 * goes beyond the end of the file.  In attribute forks it always may be, since nothing records where they end.
 */
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
 * Tries lengths of extents: if the forks map more blocks than nblocks, and the difference is a power of two, one
 * flipped bit in a length may be the cause.  True if clearing it removes contradictions: then nblocks is right, and
 * must not be changed.
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

bool dinode_guess_field(const struct geometry *g, void *bytes, xino_t ino, enum ftype ftype,
			const struct dinode_witness *witness)
{
	struct guess guess = { .g = g, .ino = ino, .ftype = ftype, .witness = witness };
	bool lengths;

	guess.start = guess.best = dinode_tally(g, bytes, ino, true, ftype, witness);
	if (!guess.best.problems)
		return false;
	memcpy(guess.tried, bytes, g->inode_size);
	/* of equally good changes the first one wins, so those with the smallest losses come first */
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

bool dinode_guess_border(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness)
{
	struct guess guess = { .g = g, .ino = ino, .witness = witness };
	bool sound;

	guess.start = guess.best = dinode_tally(g, bytes, ino, true, FT_UNKNOWN, witness);
	memcpy(guess.tried, bytes, g->inode_size);
	if (guess.best.problems)
		try_borders(&guess, bytes);
	sound = guess.better && !guess.best.problems;
	if (sound)
		memcpy(bytes, guess.bytes, g->inode_size);
	return sound;
}

bool dinode_guess_counts(const struct geometry *g, void *bytes, xino_t ino, const struct dinode_witness *witness)
{
	const struct tally start = dinode_tally(g, bytes, ino, true, FT_UNKNOWN, witness);
	const struct dinode_disk *disk = bytes;
	const bool large = g->crc && be64_get(disk->flags2) & DIFLAG2_NREXT64;
	const uint32_t fit = (g->inode_size - dinode_core_size(g)) / (uint32_t)sizeof(struct bmbt_rec_disk);
	uint8_t copy[DINODE_SIZE_MAX];

	for (uint32_t i = 0; i < 2 * fit && start.problems; i++) {
		struct tally tally;

		memcpy(copy, bytes, g->inode_size);
		put_nextents((struct dinode_disk *)copy, large, i % 2 ? ATTR_FORK : DATA_FORK, i / 2 + 1);
		tally = dinode_tally(g, copy, ino, true, FT_UNKNOWN, witness);
		if (tally.problems || tally.bad_extents || tally.extents <= start.extents)
			continue;
		memcpy(bytes, copy, g->inode_size);
		return true;
	}
	return false;
}
