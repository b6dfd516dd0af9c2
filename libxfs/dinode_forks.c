/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the forks of an inode in use (ondisk 04, invariants 2 and 4; 05): their offsets, the formats that are valid
 * for the file type, and whether size and extent counts fit them.  Other files decode the contents; fork[].ok says
 * whether they can be decoded.  If two fields contradict each other, only the one that other fields outvote is
 * reported.
 */
#include "disk/bmbt.h"
#include "disk/dir.h"
#include "disk/symlink.h"
#include "dinode_parts.h"

#define MAX_ATTR_OFFSET	    (1ull << 32)
#define SYMLINK_MAX_EXTENTS 3u

struct fork_decoder {
	const struct check *c;
	const struct dinode_disk *disk;
	struct dinode *inode;
	uint32_t area; /* bytes of both forks together */
	bool placed;   /* the border between the forks is known */
	bool counted;  /* both extent counts are valid */
};

static bool is_special(enum ftype ftype)
{
	return ftype == FT_CHR || ftype == FT_BLK || ftype == FT_FIFO || ftype == FT_SOCK;
}

static enum fork_format host_format(uint8_t format)
{
	switch (format) {
	case DINODE_FMT_LOCAL:
		return FMT_LOCAL;
	case DINODE_FMT_EXTENTS:
		return FMT_EXTENTS;
	case DINODE_FMT_BTREE:
		return FMT_BTREE;
	case DINODE_FMT_META_BTREE:
		return FMT_META_BTREE;
	default:
		return FMT_DEV;
	}
}

/*
 * Divides the area between the forks.  Without an attribute fork (forkoff 0), aformat has a fixed value; another value
 * shows that there was an attribute fork, and that forkoff was lost.
 */
static void place_forks(struct fork_decoder *p)
{
	const struct check *c = p->c;
	const uint8_t *bytes = (const uint8_t *)p->disk + dinode_core_size(c->geo);
	struct dinode_fork *data = &p->inode->fork[DATA_FORK], *attr = &p->inode->fork[ATTR_FORK];
	uint32_t forkoff = p->disk->forkoff, border = forkoff * 8;

	*data = (struct dinode_fork){ .present = true, .bytes = bytes, .size = p->area };
	*attr = (struct dinode_fork){ .present = forkoff != 0, .bytes = bytes + p->area };
	if (forkoff == 0) {
		p->placed = check_eq(c, F_INODE_AFORMAT, DINODE_OFF(aformat), p->disk->aformat, DINODE_FMT_EXTENTS);
	} else if (is_special(p->inode->ftype) && p->disk->format == DINODE_FMT_DEV) {
		/* the data fork holds just a device number */
		p->placed = check_eq(c, F_INODE_FORKOFF, DINODE_OFF(forkoff), forkoff, 1);
	} else {
		p->placed = forkoff < p->area / 8 ||
			    problem(c, F_INODE_FORKOFF, DINODE_OFF(forkoff), forkoff, p->area / 8 - 1);
	}
	if (forkoff != 0 && p->placed) {
		data->size = border;
		attr->bytes = bytes + border;
		attr->size = p->area - border;
	}
}

/* Reads the extent counts in the form that the inode uses; the fields of the other form must be zero (ondisk 04). */
static void get_counters(struct fork_decoder *p)
{
	const struct dinode_disk *disk = p->disk;
	struct dinode_fork *fork = p->inode->fork;

	if (p->inode->flags2 & DIFLAG2_NREXT64) {
		fork[DATA_FORK].nextents = be64_get(disk->large_nextents);
		fork[ATTR_FORK].nextents = be32_get(disk->nextents);
		p->counted = check_eq(p->c, F_INODE_PAD, DINODE_OFF(anextents), be16_get(disk->anextents), 0);
	} else {
		fork[DATA_FORK].nextents = be32_get(disk->nextents);
		fork[ATTR_FORK].nextents = be16_get(disk->anextents);
		p->counted = check_eq(p->c, F_INODE_PAD, DINODE_OFF(large_nextents),
				      dinode_large_nextents(p->c->geo, disk), 0);
	}
}

static uint64_t max_nextents(const struct fork_decoder *p, enum fork which)
{
	bool large = p->inode->flags2 & DIFLAG2_NREXT64;
	uint64_t max = large ? DINODE_MAX_NEXTENTS_LARGE : DINODE_MAX_NEXTENTS;

	if (which == ATTR_FORK)
		return large ? DINODE_MAX_ANEXTENTS_LARGE : DINODE_MAX_ANEXTENTS;
	if (p->inode->ftype == FT_DIR && max > p->inode->fork[DATA_FORK].rules.max_off)
		return p->inode->fork[DATA_FORK].rules.max_off;
	return max;
}

static uint32_t counter_offset(const struct fork_decoder *p, enum fork which)
{
	bool large = p->inode->flags2 & DIFLAG2_NREXT64;

	if (which == DATA_FORK)
		return large ? DINODE_OFF(large_nextents) : DINODE_OFF(nextents);
	return large ? DINODE_OFF(nextents) : DINODE_OFF(anextents);
}

/* Checks that a fork in btree format is large enough for the smallest root. */
static bool check_root_room(const struct fork_decoder *p, enum fork which)
{
	const uint32_t need = sizeof(struct bmdr_disk) + sizeof(struct bmbt_rec_disk);
	const uint32_t forkoff = p->disk->forkoff;

	if (p->inode->fork[which].size >= need)
		return true;
	if (which == ATTR_FORK)
		return problem(p->c, F_INODE_FORKOFF, DINODE_OFF(forkoff), forkoff, (p->area - need) / 8);
	return problem(p->c, F_INODE_FORKOFF_LOW, DINODE_OFF(forkoff), forkoff, (need + 7) / 8);
}

/* Checks that the extent count is valid for the format of the fork.  Sets fork->ok if the fork can be decoded. */
static void check_counter(struct fork_decoder *p, enum fork which)
{
	struct dinode_fork *fork = &p->inode->fork[which];
	uint64_t fit = fork->size / sizeof(struct bmbt_rec_disk);
	uint64_t min = 0, max = 0;

	if (fork->format == FMT_EXTENTS) {
		max = fit;
		if (which == DATA_FORK && p->inode->ftype == FT_SYMLINK && max > SYMLINK_MAX_EXTENTS)
			max = SYMLINK_MAX_EXTENTS;
		/* a directory and a symbolic link always have their first block */
		min = which == DATA_FORK && p->inode->size != 0 &&
		      (p->inode->ftype == FT_DIR || p->inode->ftype == FT_SYMLINK);
	} else if (fork->format == FMT_BTREE) {
		/* the kernel changes to extent format as soon as the extents fit into the fork (ondisk 05, Limits) */
		min = p->placed ? fit + 1 : 1;
		max = max_nextents(p, which);
	}
	if (fork->nextents < min || fork->nextents > max) {
		problem(p->c, which == DATA_FORK ? F_INODE_NEXTENTS : F_INODE_ANEXTENTS, counter_offset(p, which),
			fork->nextents, fork->nextents < min ? min : max);
		p->counted = false;
	}
	if (fork->format == FMT_EXTENTS)
		fork->ok = fork->nextents <= fit;
	else if (fork->format == FMT_BTREE)
		fork->ok = p->placed && check_root_room(p, which);
	else
		fork->ok = fork->format != FMT_META_BTREE || p->placed;
}

/*
 * Checks that the format of the data fork is valid for the file type.  Directories and symbolic links that fit into the
 * inode are in local format, unless attributes pushed them out into extents; larger ones are not.
 */
static bool check_format(const struct fork_decoder *p)
{
	const struct dinode_fork *data = &p->inode->fork[DATA_FORK];
	enum ftype ftype = p->inode->ftype;
	uint64_t size = p->inode->size;
	uint8_t format = p->disk->format, want;
	bool inlined = format == DINODE_FMT_LOCAL, possible;

	switch (ftype) {
	case FT_DIR:
	case FT_SYMLINK:
		possible = inlined || format == DINODE_FMT_EXTENTS || (format == DINODE_FMT_BTREE && ftype == FT_DIR);
		if (!inlined && data->nextents == 0 && size != 0 && size <= data->size)
			possible = false;
		if (inlined && data->nextents != 0 && size > data->size)
			possible = false;
		want = data->nextents == 0 ? DINODE_FMT_LOCAL : DINODE_FMT_EXTENTS;
		break;
	case FT_REG:
		possible = format == DINODE_FMT_EXTENTS || format == DINODE_FMT_BTREE;
		want = DINODE_FMT_EXTENTS;
		if (dinode_is_rtbtree(p->inode)) {
			possible = format == DINODE_FMT_META_BTREE;
			want = DINODE_FMT_META_BTREE;
		}
		break;
	case FT_UNKNOWN:
		possible = format == DINODE_FMT_DEV || format == DINODE_FMT_EXTENTS || format == DINODE_FMT_BTREE ||
			   inlined;
		want = DINODE_FMT_EXTENTS;
		break;
	default:
		possible = format == DINODE_FMT_DEV;
		want = DINODE_FMT_DEV;
	}
	return possible || problem(p->c, F_INODE_FORMAT, DINODE_OFF(format), format, want);
}

/* The size of the realtime section's own files (ondisk 09); 0 for btrees, whose size the kernel does not set. */
static uint64_t rtfile_size(const struct geometry *g, const struct dinode *inode)
{
	if (inode->rtfile == METAFILE_RTBITMAP)
		return (uint64_t)g->rbmblocks << g->block_log;
	if (inode->rtfile == METAFILE_RTSUMMARY)
		return (uint64_t)g->rsumblocks << g->block_log;
	return 0;
}

/* Checks the size for the type and format (ondisk 04, Size rules).  False, after a report: it is wrong. */
static bool check_size(const struct fork_decoder *p)
{
	const struct dinode *inode = p->inode;
	const struct dinode_fork *data = &inode->fork[DATA_FORK];
	uint64_t unit = 1, min = 1, max = 0;

	if (inode->rtfile) {
		min = max = rtfile_size(p->c->geo, inode);
	} else if (inode->ftype == FT_REG || inode->ftype == FT_UNKNOWN) {
		min = 0;
		max = INT64_MAX;
	} else if (is_special(inode->ftype)) {
		min = 0;
	} else {
		/* an unlinked file was emptied before it is freed */
		if (inode->size == 0 && inode->nlink == 0)
			return true;
		if (data->format == FMT_LOCAL) {
			max = data->size;
		} else if (inode->ftype == FT_DIR) {
			unit = p->c->geo->dir_block_size;
			min = unit;
			max = DIR_LEAF_OFFSET;
		}
		if (inode->ftype == FT_SYMLINK && (data->format != FMT_LOCAL || max > SYMLINK_MAX_SIZE))
			max = SYMLINK_MAX_SIZE;
	}
	if (inode->size >= min && inode->size <= max && (inode->size & (unit - 1)) == 0)
		return true;
	return problem(p->c, F_INODE_SIZE, DINODE_OFF(size), inode->size, inode->size < min ? min : max);
}

uint64_t dinode_fork_end(const struct geometry *g, enum fork fork)
{
	const unsigned size_bits = 63u - g->block_log;

	if (fork == ATTR_FORK)
		return MAX_ATTR_OFFSET;
	return 1ull << (size_bits < BMBT_OFF_BITS ? size_bits : BMBT_OFF_BITS);
}

static struct bmap_rules data_rules(const struct geometry *g, const struct dinode *inode)
{
	switch (inode->ftype) {
	case FT_DIR:
		return (struct bmap_rules){ .max_off = (DIR_FREE_OFFSET + DIR_LEAF_OFFSET) >> g->block_log };
	case FT_SYMLINK:
		return (struct bmap_rules){ .max_off = SYMLINK_MAX_EXTENTS };
	default:
		return (struct bmap_rules){
			/* zones are written in order, and bitmap and summary are read even if flagged unwritten */
			.unwritten_ok = g->unwritten && !inode->rtfile && !(inode->realtime && g->zoned),
			.realtime = inode->realtime,
			/* without metadata directories, both files exist even without a realtime section: empty */
			.max_off = inode->rtfile && !g->rblocks ? 0 : dinode_fork_end(g, DATA_FORK),
		};
	}
}

static void decode_data_fork(struct fork_decoder *p)
{
	struct dinode *inode = p->inode;
	struct dinode_fork *fork = &inode->fork[DATA_FORK];

	fork->rules = data_rules(p->c->geo, inode);
	fork->format = host_format(p->disk->format);
	if (!check_format(p)) {
		p->counted = false;
		return;
	}
	check_counter(p, DATA_FORK);
	if (!check_size(p) && fork->format == FMT_LOCAL)
		fork->ok = false;
	if (fork->format != FMT_LOCAL)
		return;
	/*
	 * local contents of an unknown type, or emptied before the inode is freed, can't be decoded: treat them as none
	 */
	if (inode->ftype == FT_UNKNOWN || inode->size == 0)
		fork->format = FMT_DEV;
}

static void decode_attr_fork(struct fork_decoder *p)
{
	struct dinode_fork *fork = &p->inode->fork[ATTR_FORK];
	uint8_t format = p->disk->aformat;

	fork->rules = (struct bmap_rules){ .max_off = dinode_fork_end(p->c->geo, ATTR_FORK) };
	fork->format = FMT_EXTENTS;
	if (!fork->present) {
		/* without the fork its count is 0 too; not checked if aformat has shown that forkoff was lost */
		if (p->placed)
			check_counter(p, ATTR_FORK);
		p->counted &= p->placed;
		p->placed &= fork->nextents == 0;
		fork->ok = false;
		return;
	}
	if (format != DINODE_FMT_LOCAL && format != DINODE_FMT_EXTENTS && format != DINODE_FMT_BTREE) {
		problem(p->c, F_INODE_AFORMAT, DINODE_OFF(aformat), format, DINODE_FMT_LOCAL);
		p->counted = false;
		return;
	}
	fork->format = host_format(format);
	if (!p->placed) {
		p->counted = false;
		return;
	}
	check_counter(p, ATTR_FORK);
}

/* Checks the range of nblocks for these extent counts; the exact sum is compared elsewhere. */
static void check_nblocks(const struct fork_decoder *p)
{
	const struct dinode *inode = p->inode;
	uint64_t extents = inode->fork[DATA_FORK].nextents + inode->fork[ATTR_FORK].nextents;
	uint64_t max = UINT64_MAX;

	if (extents == 0 && !dinode_is_rtbtree(inode))
		max = 0;
	else if (!inode->reflink) /* a file can share blocks with itself */
		max = p->c->geo->dblocks + (inode->realtime ? p->c->geo->rblocks : 0);
	if (inode->nblocks < extents || inode->nblocks > max)
		problem(p->c, F_INODE_NBLOCKS, DINODE_OFF(nblocks), inode->nblocks,
			inode->nblocks < extents ? extents : max);
}

void dinode_forks_decode(const struct check *c, const struct dinode_disk *disk, struct dinode *inode)
{
	struct fork_decoder decoder = {
		.c = c,
		.disk = disk,
		.inode = inode,
		.area = c->geo->inode_size - dinode_core_size(c->geo),
	};

	place_forks(&decoder);
	get_counters(&decoder);
	/* the attribute fork comes first, as it may show that forkoff is wrong */
	decode_attr_fork(&decoder);
	decode_data_fork(&decoder);
	if (decoder.counted)
		check_nblocks(&decoder);
}
