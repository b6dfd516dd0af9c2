/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damaged records of quota files set right.  The checks of dquot.c say what a field must be; before that, the checksum
 * tells whether a single change explains what is found, and vouches for limits once all that is known is in its place.
 */
#include "disk/dquot.h"
#include "libxfs/crc.h"
#include "libxfs/dquot_mend.h"

#define DQUOT_OFF(field) ((uint32_t)offsetof(struct dquot_disk, field))

#define GRACE_DEFAULT	     (7u * 24 * 60 * 60) /* seconds, where nobody has set another */
#define BIGTIME_QUARTERS_LOG 2u
#define WITNESSES_MIN	     3u /* that bytes are a record; magic and uuid count twice */
#define TIMER_PASSES	     2u /* one that can't be is none, which may be one that must be started */

static bool vouched(const struct geometry *g, const struct dquot_disk *disk)
{
	return !g->crc || crc_is_right(disk, sizeof(*disk), DQUOT_OFF(crc));
}

bool dquot_recognize(const struct geometry *g, const void *record, uint8_t types)
{
	const struct dquot_disk *disk = record;
	uint8_t type = disk->type & (uint8_t)~DQUOT_BIGTIME;
	unsigned witnesses = be16_get(disk->magic) == DQUOT_MAGIC ? 2 : 0;

	witnesses += disk->version == DQUOT_VERSION;
	witnesses += type && (type & types) == type && (type & (type - 1)) == 0;
	witnesses += be32_get(disk->pad0) == 0 && be16_get(disk->pad) == 0 && be32_get(disk->fill) == 0;
	if (g->crc && memcmp(disk->uuid, g->meta_uuid, sizeof(disk->uuid)) == 0)
		witnesses += 2;
	return witnesses >= WITNESSES_MIN;
}

/* Records that agree with one of them on where the block belongs; their types together. */
static uint32_t count_alike(const struct geometry *g, const struct dquot_disk *disk, uint32_t first, uint8_t *ret_types)
{
	uint32_t per_block = dquot_per_block(g), count = 0;

	*ret_types = 0;
	for (uint32_t i = 0; i < per_block; i++) {
		if (!dquot_recognize(g, disk + i, DQUOT_TYPE_ANY) || be32_get(disk[i].id) - i != first)
			continue;
		*ret_types |= disk[i].type & DQUOT_TYPE_ANY;
		count++;
	}
	return count;
}

bool dquot_block_identify(const struct geometry *g, const void *block, uint8_t *ret_types, fileoff_t *ret_off)
{
	const struct dquot_disk *disk = block;
	uint32_t per_block = dquot_per_block(g), last = 0;

	for (uint32_t i = 0; i < per_block; i++) {
		uint32_t first = be32_get(disk[i].id) - i; /* in the last block of all ids begin anew */

		if (first % per_block || (i && first == last))
			continue;
		last = first;
		if (2 * count_alike(g, disk, first, ret_types) <= per_block)
			continue;
		ret_off->v = first / per_block;
		return true;
	}
	return false;
}

static uint8_t type_of(uint8_t types)
{
	return types == (DQUOT_TYPE_GROUP | DQUOT_TYPE_PROJECT) ? DQUOT_TYPE_GROUP : types;
}

/* An id's first record: no limits, nothing used. */
static void make_empty(const struct geometry *g, void *record, uint32_t id, uint8_t types)
{
	struct dquot_disk *disk = record;

	memset(disk, 0, sizeof(*disk));
	disk->magic = be16_put(DQUOT_MAGIC);
	disk->version = DQUOT_VERSION;
	disk->type = type_of(types);
	if (g->bigtime && id != 0)
		disk->type |= DQUOT_BIGTIME;
	disk->id = be32_put(id);
	if (!g->crc)
		return;
	memcpy(disk->uuid, g->meta_uuid, sizeof(disk->uuid));
	crc_store(disk, sizeof(*disk), DQUOT_OFF(crc));
}

/* ---- what the checksum knows ---- */

/* One byte that was another when the checksum was stored. */
static bool undo_byte(struct dquot_disk *disk)
{
	uint8_t was;
	size_t at;

	if (!crc_find_byte(disk, sizeof(*disk), DQUOT_OFF(crc), &at, &was))
		return false;
	((uint8_t *)disk)[at] = was;
	return true;
}

/* A field that was zero, as most limits are. */
static bool undo_field(const struct geometry *g, struct dquot_disk *disk)
{
	static const uint32_t widths[] = { sizeof(be32_t), sizeof(be64_t) };

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		for (uint32_t at = DQUOT_OFF(blk_hardlimit); at + widths[i] <= DQUOT_OFF(crc); at += sizeof(be32_t)) {
			struct dquot_disk tried = *disk;

			memset((uint8_t *)&tried + at, 0, widths[i]);
			if (!vouched(g, &tried))
				continue;
			*disk = tried;
			return true;
		}
	}
	return false;
}

/* ---- what rules and others know ---- */

struct mending {
	const struct geometry *g;
	struct dquot_disk *disk;
	const struct dquot_facts *facts;
	bool timers; /* these, or all the rest */
};

static void put32(struct dquot_disk *disk, uint32_t offset, uint64_t value)
{
	be32_t field = be32_put((uint32_t)value);

	memcpy((uint8_t *)disk + offset, &field, sizeof(field));
}

/* A limit is exceeded, from now on. */
static void start_timer(const struct mending *m, uint32_t offset)
{
	uint64_t end, last = UINT32_MAX;
	be32_t grace = { 0 };

	if (m->facts->defaults)
		memcpy(&grace, (const uint8_t *)m->facts->defaults + offset, sizeof(grace));
	end = m->facts->now + (be32_get(grace) ? be32_get(grace) : GRACE_DEFAULT);
	if (m->disk->type & DQUOT_BIGTIME) {
		end = (end + (1u << BIGTIME_QUARTERS_LOG) - 1) >> BIGTIME_QUARTERS_LOG;
		last = DQUOT_BIGTIME_END - 1;
	}
	put32(m->disk, offset, end < last ? end : last);
}

static void set_timer(const struct mending *m, const struct problem *p)
{
	/* where it counts from can't be seen in the record: both are offsets of a timer */
	if (p->finding == F_DQUOT_TIMER_STOPPED)
		start_timer(m, p->offset);
	else if (p->finding == F_DQUOT_TIMER || p->finding == F_DQUOT_TIMER_RUNNING)
		put32(m->disk, p->offset, 0);
}

static void set_field(void *ctx, const struct problem *p)
{
	const struct mending *m = ctx;
	struct dquot_disk *disk = m->disk;

	if (m->timers) {
		set_timer(m, p);
		return;
	}
	switch (p->finding) {
	case F_DQUOT_VERSION:
		disk->version = (uint8_t)p->want;
		break;
	case F_DQUOT_TYPE:
		disk->type = (uint8_t)p->want;
		break;
	case F_DQUOT_ID:
		disk->id = be32_put((uint32_t)p->want);
		break;
	case F_DQUOT_UUID:
		memcpy(disk->uuid, m->g->meta_uuid, sizeof(disk->uuid));
		break;
	case F_DQUOT_LSN:
		disk->lsn = be64_put(0);
		break;
	case F_DQUOT_PAD:
		if (p->offset == DQUOT_OFF(pad))
			disk->pad = be16_put(0);
		else
			put32(disk, p->offset, 0);
		break;
	default:
		break;
	}
}

static void set_fields(struct mending *m)
{
	const struct dquot_disk found = *m->disk;
	const struct check c = { m->g, set_field, m };

	dquot_record_check(&c, &found, m->facts->id, m->facts->types);
}

static void put_counts(struct dquot_disk *disk, const uint64_t *used)
{
	disk->bcount = be64_put(used[QUOTA_BLOCKS]);
	disk->icount = be64_put(used[QUOTA_INODES]);
	disk->rtbcount = be64_put(used[QUOTA_RTBLOCKS]);
}

enum dquot_mended dquot_set_right(const struct geometry *g, void *record, const struct dquot_facts *facts)
{
	struct dquot_disk *disk = record;
	const struct dquot_disk before = *disk;
	struct mending m = { g, disk, facts, false };
	enum dquot_mended kept = DQUOT_RIGHT;
	bool sure = vouched(g, disk) || (facts->guess && (undo_byte(disk) || undo_field(g, disk)));

	if (!dquot_recognize(g, disk, facts->types)) {
		make_empty(g, disk, facts->id, facts->types);
		kept = DQUOT_ANEW;
	}
	disk->magic = be16_put(DQUOT_MAGIC);
	set_fields(&m);
	if (facts->used)
		put_counts(disk, facts->used);
	if (kept != DQUOT_ANEW && !sure && !vouched(g, disk))
		kept = DQUOT_UNVOUCHED;
	m.timers = true;
	for (unsigned pass = 0; pass < TIMER_PASSES; pass++)
		set_fields(&m);
	if (g->crc)
		crc_store(disk, sizeof(*disk), DQUOT_OFF(crc));
	return memcmp(disk, &before, sizeof(before)) == 0 ? DQUOT_SOUND : kept;
}
