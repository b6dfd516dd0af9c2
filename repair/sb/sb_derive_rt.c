/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Derives the fields of the realtime section if no superblock is left (ondisk 09).  Each block of the section is free
 * by a bitmap, or in use by a file or an rmapbt, so the section, and each group, ends with the last of these.  The size
 * of realtime extents is that of the realtime superblock's own extent, by its rmapbt record; without groups it is the
 * size with which files use exactly the extents that are not free in the bitmap.  This takes two traversals: the first
 * finds the section's metadata files, the second reads them, with the largest section that they can describe.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "base/devices.h"
#include "check/facts.h"
#include "libxfs/crc.h"
#include "libxfs/rt.h"
#include "repair.h"
#include "run.h"
#include "sb_derive.h"
#include "sets/ordered.h"
#include "check/walk/walker.h"

#define SECTION_MAX (1ull << 51) /* blocks: maximum of an extent map */
#define TRIES_MAX   (1ull << 28) /* extents of files to read in total, while trying sizes of realtime extents */

struct extent {
	uint64_t start, end;
};

struct survey {
	const struct geometry *geo;
	int error;
	/* from the first traversal */
	uint64_t bitmap_bytes; /* of the largest bitmap */
	uint32_t groups;       /* their number, by the highest group number */
	uint32_t files;	       /* metadata files of groups */
	/* from the second traversal */
	uint64_t *free_end;   /* for each group, the end of its last free extent, in realtime extents */
	uint64_t *used_end;   /* for each group, the end of its last extent in use, in blocks */
	uint64_t free;	      /* realtime extents */
	uint32_t extent_size; /* blocks, by the rmapbt; 0: unknown */
	struct extent *used;  /* without groups: extents of files, in blocks */
	size_t nused, room;
};

static void raise_to(uint64_t *most, uint64_t value)
{
	if (*most < value)
		*most = value;
}

/* ---- the first traversal ---- */

static void inode_met(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct survey *s = ctx;
	const uint16_t type = s->geo->metadir ? inode->metatype : inode->rtfile;
	const bool of_group = s->geo->metadir && inode->metadata && type >= METAFILE_RTBITMAP;

	(void)worker;
	if (!of_group && type != METAFILE_RTBITMAP)
		return;
	s->files += of_group;
	if (of_group && inode->projid < UINT32_MAX && inode->projid >= s->groups)
		s->groups = inode->projid + 1;
	if (type == METAFILE_RTBITMAP)
		raise_to(&s->bitmap_bytes, inode->size);
}

/* ---- the second traversal ---- */

static bool of_section(const struct survey *s, group_t group)
{
	return group_is_rt(s->geo, group);
}

static void free_met(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *blocks)
{
	struct survey *s = ctx;

	(void)worker;
	(void)kind;
	if (!of_section(s, blocks->group))
		return;
	raise_to(&s->free_end[blocks->group.v - s->geo->agcount], (blocks->start.v + blocks->len) / s->geo->rextsize);
	s->free += blocks->len / s->geo->rextsize;
}

static void rmap_met(void *ctx, unsigned worker, group_t group, const struct rmap_record *r)
{
	struct survey *s = ctx;

	(void)worker;
	if (!of_section(s, group))
		return;
	raise_to(&s->used_end[group.v - s->geo->agcount], (uint64_t)r->start.v + r->len);
	if (group.v == s->geo->agcount && r->start.v == 0 && r->owner == OWNER_FS)
		s->extent_size = r->len;
}

static void claim_met(void *ctx, unsigned worker, const struct claim *claim)
{
	struct survey *s = ctx;
	const uint64_t end = claim->at.start.v + claim->at.len;

	(void)worker;
	/* with groups, their size is not known yet, so a claim can't be assigned to its group */
	if (!of_section(s, claim->at.group) || s->geo->metadir)
		return;
	raise_to(&s->used_end[0], end);
	if (array_add(s->used, s->room, s->nused, (struct extent){ claim->at.start.v, end }))
		s->error = -ENOMEM;
}

static int traverse_for(struct repair *rc, struct survey *s, const struct geometry *geo, const struct scope *scope,
			const struct sink_ops *ops)
{
	const struct geometry *before = s->geo;
	int ret;

	s->geo = geo; /* the callbacks need the geometry of this traversal */
	ret = facts_gather(rc, geo, scope, ops, s);
	s->geo = before;
	return ret ? ret : s->error;
}

/* ---- deriving the section ---- */

struct section {
	uint32_t extent_size, groups;
	uint64_t group_extents; /* of all groups except the last */
	uint64_t extents;
};

static uint8_t log2_of(uint64_t n)
{
	return (uint8_t)(63 - __builtin_clzll(n));
}

static void put_section(struct sb_disk *sb, const struct geometry *geo, const struct section *s)
{
	const uint64_t group_blocks = s->group_extents * s->extent_size;

	sb->rextsize = be32_put(s->extent_size);
	sb->rextents = be64_put(s->extents);
	sb->rblocks = be64_put(s->extents * s->extent_size);
	sb->rextslog = log2_of(s->extents);
	sb->rbmblocks = be32_put(geo->zoned ? 0 : (uint32_t)div_up(s->group_extents, rt_block_extents(geo)));
	if (geo->metadir) {
		sb->rgcount = be32_put(s->groups);
		sb->rgextents = be32_put((uint32_t)s->group_extents);
		sb->rgblklog = group_blocks > 1 ? (uint8_t)(log2_of(group_blocks - 1) + 1) : 0;
	}
}

/* Computes the largest section that the files can describe, with this extent size.  False: it is too large. */
static bool largest(const struct geometry *geo, const struct survey *s, uint64_t size, struct section *ret)
{
	const uint64_t bits = div_up(s->bitmap_bytes, geo->block_size) * rt_block_extents(geo);

	*ret = (struct section){ (uint32_t)size, geo->metadir ? s->groups : 1, geo->zoned ? SB_MAX_RGBLOCKS : bits, 0 };
	ret->extents = ret->group_extents * ret->groups;
	return size <= SB_MAX_REXT_BYTES >> geo->block_log &&
	       ret->group_extents <= (geo->metadir ? SB_MAX_RGBLOCKS : SECTION_MAX) / size;
}

/* Returns how many realtime extents of that size files use. */
static uint64_t extents_used(const struct survey *s, uint32_t size)
{
	uint64_t count = 0, next = 0;

	for (size_t i = 0; i < s->nused; i++) {
		uint64_t from = s->used[i].start / size, to = div_up(s->used[i].end, size);

		from = from < next ? next : from;
		if (to > from)
			count += to - from;
		next = to > next ? to : next;
	}
	return count;
}

/* True if each realtime extent of that size is either free or in use.  *ret_end: their number. */
static bool fits(const struct survey *s, uint32_t size, uint64_t *ret_end)
{
	*ret_end = div_up(s->used_end[0], size);
	raise_to(ret_end, s->free_end[0]);
	return *ret_end && extents_used(s, size) + s->free == *ret_end;
}

/* Returns the blocks of the section's device; 0: there is none, or it can't be opened, which is reported later. */
static uint64_t device_blocks(struct repair *rc, const struct geometry *geo)
{
	char message[512];

	if (rt_device_open(rc, message, sizeof(message)) || !rc->run->rt_device)
		return 0;
	return device_bytes(rc->run->rt_device) >> geo->block_log;
}

/* Returns the smallest size of realtime extents, in blocks (ondisk 09). */
static uint32_t least_size(const struct geometry *geo)
{
	return geo->block_size < SB_MIN_REXT_BYTES ? SB_MIN_REXT_BYTES / geo->block_size : 1;
}

/* Without groups: uses the extent size with which the section fills its device, else the smallest that fits. */
static bool settle_old(struct repair *rc, const struct geometry *geo, struct survey *s, struct section *ret)
{
	const uint64_t blocks = device_blocks(rc, geo), most = SB_MAX_REXT_BYTES >> geo->block_log;
	const uint32_t smallest = least_size(geo);
	uint64_t filling = s->free_end[0] ? blocks / s->free_end[0] : 0, end;

	ordered_sort(s->used, s->nused, MEMBERS(MEMBER(s->used, start)));
	if (filling >= smallest && filling <= most && fits(s, (uint32_t)filling, &end) && blocks / filling == end) {
		*ret = (struct section){ (uint32_t)filling, 1, end, end };
		return true;
	}
	for (uint32_t size = smallest; size <= most && (uint64_t)size * s->nused < TRIES_MAX; size++) {
		if (!fits(s, size, &end))
			continue;
		*ret = (struct section){ size, 1, end, end };
		return true;
	}
	return false;
}

/* Returns the blocks of the largest of `count` groups from `first` on, by the end of their free and used extents. */
static uint64_t largest_group(const struct survey *s, uint32_t extent_size, uint32_t first, uint32_t count)
{
	uint64_t most = 0;

	for (uint32_t i = first; i < first + count; i++) {
		raise_to(&most, s->free_end[i] * extent_size);
		raise_to(&most, s->used_end[i]);
	}
	return most;
}

static bool settle_groups(const struct survey *s, struct section *ret)
{
	const uint32_t size = s->extent_size, last = s->groups - 1;
	uint64_t group_blocks, last_blocks;

	if (!size)
		return false;
	group_blocks = largest_group(s, size, 0, last ? last : 1);
	last_blocks = largest_group(s, size, last, 1);
	if (group_blocks % size || last_blocks % size || !last_blocks || last_blocks > group_blocks)
		return false;
	*ret = (struct section){ size, s->groups, group_blocks / size, (last * group_blocks + last_blocks) / size };
	return true;
}

/* Zoned: free blocks are recorded nowhere, so zones of a power of two of blocks must divide the device evenly. */
static bool settle_zones(struct repair *rc, const struct geometry *geo, const struct survey *s, struct section *ret)
{
	const uint64_t blocks = device_blocks(rc, geo), zone = blocks / s->groups;

	if (!zone || zone & (zone - 1) || zone * s->groups != blocks || largest_group(s, 1, 0, s->groups) > zone)
		return false;
	*ret = (struct section){ 1, s->groups, zone, blocks };
	return true;
}

static bool settle_section(struct repair *rc, const struct geometry *geo, struct survey *s, struct section *ret)
{
	if (geo->zoned)
		return settle_zones(rc, geo, s, ret);
	return geo->metadir ? settle_groups(s, ret) : settle_old(rc, geo, s, ret);
}

/* Takes label and uuids from the realtime superblock, which has those of the primary (ondisk 09, invariant 5). */
static int take_names(struct repair *rc, const struct geometry *geo, struct sb_disk *sb)
{
	struct rtsb_disk *rtsb = device_blocks(rc, geo) ? malloc(geo->block_size) : NULL;

	if (!rtsb)
		return rc->run->rt_device ? -ENOMEM : 0;
	if (!device_read(rc->run->rt_device, rtsb, 0, geo->block_size) && be32_get(rtsb->magicnum) == RTSB_MAGIC &&
	    crc_is_right(rtsb, geo->block_size, offsetof(struct rtsb_disk, crc)) &&
	    memcmp(rtsb->meta_uuid, sb->uuid, sizeof(sb->uuid)) == 0) {
		memcpy(sb->fname, rtsb->fname, sizeof(sb->fname));
		if (memcmp(rtsb->uuid, sb->uuid, sizeof(sb->uuid)) != 0) {
			memcpy(sb->meta_uuid, sb->uuid, sizeof(sb->uuid));
			memcpy(sb->uuid, rtsb->uuid, sizeof(sb->uuid));
			sb->features_incompat = be32_put(be32_get(sb->features_incompat) | SB_INCOMPAT_META_UUID);
		}
	}
	free(rtsb);
	return 0;
}

static bool is_geometry(struct sb_disk *sb, struct geometry *ret_geo)
{
	const struct check check = check_silent(NULL);

	return sb_decode(&check, sb, SB_READ_BYTES, ret_geo);
}

/* Makes the second traversal, with this section in the superblock.  Returns 0 or a negative errno. */
static int look_as(struct repair *rc, struct survey *s, struct sb_disk *sb, const struct section *section)
{
	const struct scope scope = { .claims = true };
	static const struct sink_ops ops = { .free_extent = free_met, .rmap = rmap_met, .claim = claim_met };
	struct geometry geo;

	put_section(sb, s->geo, section);
	if (!is_geometry(sb, &geo))
		return 0;
	memset(s->free_end, 0, section->groups * sizeof(*s->free_end));
	memset(s->used_end, 0, section->groups * sizeof(*s->used_end));
	s->free = s->nused = 0;
	return traverse_for(rc, s, &geo, &scope, &ops);
}

/*
 * Reads the section's files, and determines the section.  Without groups, one traversal with the largest possible
 * extent size shows everything.  With groups, the rmapbt record of the realtime superblock is accepted only with the
 * right extent size, which mostly is a power of two, so each of these is tried.
 */
static int look_into_files(struct repair *rc, struct survey *s, struct geometry *geo, struct sb_disk *sb,
			   const char **ret_missing)
{
	uint64_t size = least_size(geo);
	struct section section = { 0 };
	int ret = 0;

	if (geo->metadir && !s->bitmap_bytes) {
		sb->features_incompat = be32_put(be32_get(sb->features_incompat) | SB_INCOMPAT_ZONED);
		geo->zoned = true;
	}
	s->free_end = calloc(s->groups + 1, sizeof(*s->free_end));
	s->used_end = calloc(s->groups + 1, sizeof(*s->used_end));
	if (!s->free_end || !s->used_end)
		return -ENOMEM;
	while (!geo->metadir && largest(geo, s, 2 * size, &section))
		size *= 2;
	while (!ret && !s->extent_size && largest(geo, s, size, &section)) {
		ret = look_as(rc, s, sb, &section);
		size *= 2;
		if (!geo->metadir || geo->zoned)
			break;
	}
	if (!ret && settle_section(rc, geo, s, &section)) {
		put_section(sb, geo, &section);
		*ret_missing = NULL;
		if (geo->metadir && !geo->zoned)
			ret = take_names(rc, geo, sb);
	}
	return ret;
}

int sb_derive_rt(struct repair *rc, const struct geometry *geo, struct sb_disk *sb, const char **ret_missing)
{
	const struct scope scope = { 0 };
	static const struct sink_ops ops = { .inode = inode_met };
	struct geometry guess = *geo;
	struct survey s = { .geo = &guess };
	int ret;

	*ret_missing = NULL;
	rc->workers = 1; /* struct survey has no lanes; the number of workers is set again later */
	ret = traverse_for(rc, &s, geo, &scope, &ops);
	if (!ret && (geo->metadir ? s.groups : s.bitmap_bytes)) {
		*ret_missing = geo->metadir ? "the reverse mappings and bitmaps of all realtime groups, or a device "
					      "that its zones fill"
					    : "the realtime bitmap, and files that use just what it has not as free";
		if (s.groups <= s.files) /* each group has at least one: else the highest number is wrong */
			ret = look_into_files(rc, &s, &guess, sb, ret_missing);
	}
	free(s.free_end);
	free(s.used_end);
	free(s.used);
	return ret;
}
