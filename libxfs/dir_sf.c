/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes shortform directories: entries packed into the inode's fork (ondisk 06).  Checks the header, every entry, and
 * that no name occurs twice.  Uses only the fork_size bytes.
 *
 * The number of entries, the lengths of their names, the width of inode numbers, and the size of the directory must
 * agree.  If they don't, each is in turn assumed to be wrong, and only the one is reported whose change makes all
 * entries sound.
 */
#include "libxfs/dinode.h"
#include "da_header.h"
#include "dir_data.h"

#define COUNT_MAX 255u

struct sf {
	const struct check *c;
	const uint8_t *fork;
	uint32_t fork_size;
	uint32_t ino_size; /* 4 or 8: bytes of each inode number */
	/* the result of find_entries() */
	uint32_t count;
	uint32_t skip;	   /* the entry with a wrong name length, or NO_INDEX */
	uint32_t skip_end; /* start of the entry after that one */
	bool incomplete;   /* not all entries were found */
};

static uint32_t entries_start(const struct sf *sf)
{
	return (uint32_t)sizeof(struct dir_sf_header_disk) + sf->ino_size;
}

/* Size of an entry in bytes without its name. */
static uint32_t entry_overhead(const struct sf *sf)
{
	return (uint32_t)sizeof(struct dir_sf_entry_disk) + sf->c->geo->ftype + sf->ino_size;
}

/* The end of the entry at `at` by the length of its name.  0: no entry fits there. */
static uint32_t entry_end(const struct sf *sf, uint32_t at)
{
	const struct dir_sf_entry_disk *disk = (const void *)(sf->fork + at);
	uint32_t size;

	if (at >= sf->fork_size || disk->namelen == 0)
		return 0;
	size = entry_overhead(sf) + disk->namelen;
	return size <= sf->fork_size - at ? at + size : 0;
}

static xino_t get_ino(const struct sf *sf, uint32_t at)
{
	be64_t wide;
	be32_t narrow;

	if (sf->ino_size == sizeof(wide)) {
		memcpy(&wide, sf->fork + at, sizeof(wide));
		return (xino_t){ be64_get(wide) };
	}
	memcpy(&narrow, sf->fork + at, sizeof(narrow));
	return (xino_t){ be32_get(narrow) };
}

/* The entry in [at, end); *ret_offset: its stored offset, its place in a block-format directory. */
static struct dir_entry entry_at(const struct sf *sf, uint32_t at, uint32_t end, uint32_t *ret_offset)
{
	const struct dir_sf_entry_disk *disk = (const void *)(sf->fork + at);
	struct dir_entry entry = {
		.kind = ENTRY_NAME,
		.namelen = (uint8_t)(end - at - entry_overhead(sf)),
		.name = disk->name,
		.target = get_ino(sf, end - sf->ino_size),
	};

	if (sf->c->geo->ftype)
		entry.ftype = disk->name[entry.namelen];
	*ret_offset = be16_get(disk->offset);
	return entry;
}

/* The smallest offset of an entry in a block-format directory: after the header, `.` and `..`. */
static uint32_t first_offset(const struct sf *sf)
{
	return da_header_size(sf->c->geo) + dir_entry_size(sf->c->geo, 1) + dir_entry_size(sf->c->geo, 2);
}

/* The end of n entries from `at` on. 0: they don't fit. */
static uint32_t end_of(const struct sf *sf, uint32_t at, uint32_t n)
{
	while (n-- > 0 && at != 0)
		at = entry_end(sf, at);
	return at;
}

/*
 * True if the entry in [at, end) is sound.  *offset is the smallest valid value of its stored offset, and is advanced
 * for the next entry.
 */
static bool is_sound(const struct sf *sf, uint32_t at, uint32_t end, uint32_t *offset)
{
	unsigned problems = 0;
	const struct check quiet = check_counting(sf->c->geo, &problems);
	uint32_t stored;
	struct dir_entry entry = entry_at(sf, at, end, &stored);

	dir_entry_check(&quiet, &entry, 0, 0);
	if (problems > 0 || stored < *offset)
		return false;
	*offset = stored + dir_entry_size(sf->c->geo, entry.namelen);
	return true;
}

/* The end of the entry at `at`.  0: none fits there, or it is not sound. */
static uint32_t sound_end(const struct sf *sf, uint32_t at, uint32_t *offset)
{
	uint32_t end = entry_end(sf, at);

	return end != 0 && is_sound(sf, at, end, offset) ? end : 0;
}

/* True if n sound entries from `at` on end exactly at byte `size` of the fork. */
static bool sound_until(const struct sf *sf, uint32_t at, uint32_t n, uint32_t offset, uint64_t size)
{
	while (n-- > 0 && at != 0)
		at = sound_end(sf, at, &offset);
	return at != 0 && at == size;
}

/* Assumes that the width of inode numbers is wrong. */
static bool other_width_fits(struct sf *sf, uint64_t size)
{
	struct sf other = *sf;

	other.ino_size = sf->ino_size == sizeof(be64_t) ? sizeof(be32_t) : sizeof(be64_t);
	if (!sound_until(&other, entries_start(&other), other.count, first_offset(&other), size))
		return false;
	*sf = other;
	return true;
}

/* Assumes that the number of entries is wrong. */
static bool other_count_fits(struct sf *sf, uint64_t size)
{
	uint32_t offset = first_offset(sf);
	uint32_t at = entries_start(sf);

	for (uint32_t n = 0; n <= COUNT_MAX && at != 0; n++) {
		if (at == size) {
			problem(sf->c, F_DIR_SF_COUNT, offsetof(struct dir_sf_header_disk, count), sf->count, n);
			sf->count = n;
			return true;
		}
		at = sound_end(sf, at, &offset);
	}
	return false;
}

/* Assumes that the length of entry i, at `at`, is wrong: searches for an end from which the others are sound. */
static bool other_length_fits(struct sf *sf, uint32_t i, uint32_t at, uint64_t size)
{
	const struct dir_sf_entry_disk *disk = (const void *)(sf->fork + at);
	uint32_t first = at + entry_overhead(sf);
	uint32_t offset;

	if (at == 0 || i >= sf->count || first > size || size > sf->fork_size)
		return false;
	offset = be16_get(disk->offset) + dir_entry_size(sf->c->geo, 1);
	for (uint32_t end = first + 1; end <= size && end - first <= UINT8_MAX; end++) {
		if (!sound_until(sf, end, sf->count - i - 1, offset, size))
			continue;
		problem_at(sf->c, F_DIR_SF_NAMELEN, at, i, disk->namelen, end - first);
		sf->skip = i;
		sf->skip_end = end;
		offset = 0;
		sf->incomplete = !is_sound(sf, at, end, &offset);
		return true;
	}
	return false;
}

/*
 * Finds the entries.  If number, lengths, width and size disagree, and one change makes all entries sound, the wrong
 * one is reported (the width: by check_i8count()).
 */
static void find_entries(struct sf *sf, uint64_t size)
{
	uint32_t start = entries_start(sf);
	uint32_t offset = first_offset(sf);
	uint32_t last = 0, at = start, i;

	if (end_of(sf, start, sf->count) == size)
		return;
	if (other_width_fits(sf, size) || other_count_fits(sf, size))
		return;

	/* the first entry that isn't sound has a wrong length, or the one before it */
	for (i = 0; i < sf->count; i++) {
		uint32_t end = sound_end(sf, at, &offset);

		if (end == 0)
			break;
		last = at;
		at = end;
	}
	if (i < sf->count && (other_length_fits(sf, i - 1, last, size) || other_length_fits(sf, i, at, size)))
		return;

	for (i = 0, at = start; i < sf->count && entry_end(sf, at) != 0; i++)
		at = entry_end(sf, at);
	if (i == sf->count)
		problem(sf->c, F_DIR_SF_SIZE, 0, size, at);
	else
		problem_at(sf->c, F_DIR_SF_NAMELEN, at, i, at < sf->fork_size ? sf->fork[at] : 0, 0);
	sf->incomplete = i < sf->count;
	sf->count = i;
}

/* The names so far: their offsets, and a filter by hash, as hardly any name occurs twice. */
struct names {
	uint64_t filter[4];
	uint16_t at[COUNT_MAX];
	uint32_t count;
};

static bool filter_has(struct names *names, uint32_t hash)
{
	uint64_t *word = &names->filter[hash >> 6 & 3];
	uint64_t bit = 1ull << (hash & 63);
	bool has = *word & bit;

	*word |= bit;
	return has;
}

static void check_duplicate(const struct sf *sf, struct names *names, const struct dir_entry *entry, uint32_t at,
			    uint32_t index)
{
	if (filter_has(names, entry->hash)) {
		for (uint32_t i = 0; i < names->count; i++) {
			const struct dir_sf_entry_disk *other = (const void *)(sf->fork + names->at[i]);

			if (other->namelen == entry->namelen &&
			    da_names_equal(other->name, entry->name, entry->namelen, sf->c->geo->ascii_ci))
				problem_at(sf->c, F_DIR_ENTRY_DUPLICATE, at, index, at, names->at[i]);
		}
	}
	names->at[names->count++] = (uint16_t)at;
}

/*
 * Checks the stored offset of an entry: offsets ascend, are multiples of 8, and leave room for all entries and their
 * leaf entries in a block.  *least is the smallest valid offset, and is advanced for the next entry.
 */
static void check_offset(const struct sf *sf, uint32_t at, uint32_t index, uint32_t namelen, uint32_t offset,
			 uint32_t *least)
{
	uint32_t leaf = (sf->count + 2) * (uint32_t)sizeof(struct dir_leaf_entry_disk) +
			(uint32_t)sizeof(struct dir_block_tail_disk);
	uint32_t size = dir_entry_size(sf->c->geo, namelen);
	bool possible = offset % DIR_ALIGN == 0 && offset + size + leaf <= sf->c->geo->dir_block_size;

	if (offset < *least || !possible)
		problem_at(sf->c, F_DIR_SF_OFFSET, at + offsetof(struct dir_sf_entry_disk, offset), index, offset,
			   *least);
	/* an invalid offset does not show where the others must be */
	*least = (possible ? offset : *least) + size;
}

static uint32_t is_wide(xino_t ino)
{
	return ino.v > UINT32_MAX;
}

static void check_i8count(const struct sf *sf, uint32_t i8count, uint32_t wide)
{
	bool has_width = (sf->ino_size == sizeof(be64_t)) == (i8count != 0);

	if (!has_width || (i8count != wide && !sf->incomplete))
		problem(sf->c, F_DIR_SF_I8COUNT, offsetof(struct dir_sf_header_disk, i8count), i8count, wide);
}

/* Visits the entries.  Returns the number of wide inode numbers. */
static uint32_t walk_entries(const struct sf *sf, dir_visit_entry *visit, void *ctx)
{
	struct names names = { .count = 0 };
	uint32_t least = first_offset(sf);
	uint32_t at = entries_start(sf);
	uint32_t wide = 0;

	for (uint32_t i = 0; i < sf->count; i++) {
		uint32_t end = i == sf->skip ? sf->skip_end : entry_end(sf, at);
		uint32_t offset;
		struct dir_entry entry;

		if (i == sf->skip && sf->incomplete) {
			at = end;
			continue;
		}
		entry = entry_at(sf, at, end, &offset);
		wide += is_wide(entry.target);
		check_offset(sf, at, i, entry.namelen, offset, &least);
		entry.hash = da_hashname(entry.name, entry.namelen, sf->c->geo->ascii_ci);
		if (i != sf->skip)
			check_duplicate(sf, &names, &entry, at, i);
		if (dir_entry_check(sf->c, &entry, at, i))
			visit(ctx, &entry);
		else
			dir_entry_invalid(&entry, visit, ctx);
		at = end;
	}
	return wide;
}

/* Visits `.` and `..`, which are not stored as entries; the header holds the parent. */
static void visit_dots(const struct sf *sf, xino_t ino, xino_t parent, dir_visit_entry *visit, void *ctx)
{
	static const uint8_t name[] = "..";
	struct dir_entry dots = { .kind = ENTRY_DOT, .name = name, .namelen = 1, .target = ino };

	if (sf->c->geo->ftype)
		dots.ftype = FT_DIR;
	dots.hash = da_hashname(name, 1, false);
	visit(ctx, &dots);

	dots.kind = ENTRY_DOTDOT;
	dots.namelen = 2;
	dots.target = parent;
	dots.hash = da_hashname(name, 2, false);
	if (dir_entry_check(sf->c, &dots, sizeof(struct dir_sf_header_disk), NO_INDEX))
		visit(ctx, &dots);
}

bool dir_sf_decode(const struct check *c, const uint8_t *fork, size_t fork_size, uint64_t size, xino_t ino,
		   dir_visit_entry *visit, void *ctx)
{
	const struct dir_sf_header_disk *header = (const void *)fork;
	struct sf sf = { .c = c, .fork = fork, .fork_size = (uint32_t)fork_size, .skip = NO_INDEX };
	size_t least = sizeof(*header) + sizeof(be64_t);
	xino_t parent;

	if (fork_size < least)
		return problem(c, F_DIR_SF_SIZE, 0, fork_size, least);
	sf.ino_size = header->i8count != 0 ? sizeof(be64_t) : sizeof(be32_t);
	sf.count = header->count;
	find_entries(&sf, size);

	parent = get_ino(&sf, sizeof(*header));
	visit_dots(&sf, ino, parent, visit, ctx);
	check_i8count(&sf, header->i8count, is_wide(parent) + walk_entries(&sf, visit, ctx));
	return true;
}
