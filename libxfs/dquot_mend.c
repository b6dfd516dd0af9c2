/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repairs damaged records of quota files.  First searches for a single change that makes the checksum right; then the
 * checks of dquot.c give the value of each field.  If the checksum is right once all known values are set, it confirms
 * the limits too, which are stored nowhere else.
 */
#include "disk/dquot.h"
#include "libxfs/crc.h"
#include "libxfs/dquot_mend.h"

#define DQUOT_OFF(field) ((uint32_t)offsetof(struct dquot_disk, field))

#define GRACE_DEFAULT	     (7u * 24 * 60 * 60) /* seconds, unless the record of id 0 has another grace period */
#define BIGTIME_QUARTERS_LOG 2u
#define WITNESSES_MIN	     3u /* signs that bytes are a record; magic and uuid count twice */
#define TIMER_PASSES	     2u /* the first one may clear an invalid timer that the second one then starts */

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

/* Number of records with the right id for a block that begins with the id `first`; *ret_types: all types of these. */
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
		uint32_t first = be32_get(disk[i].id) - i; /* ids wrap around to 0 in the block of the highest ones */

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

/* Makes an empty record for the id, without limits and usage. */
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

/* ---- repairs by the checksum ---- */

/* Finds one byte that makes the checksum right with another value, and sets it. */
static bool undo_byte(struct dquot_disk *disk)
{
	uint8_t was;
	size_t at;

	if (!crc_find_byte(disk, sizeof(*disk), DQUOT_OFF(crc), &at, &was))
		return false;
	((uint8_t *)disk)[at] = was;
	return true;
}

/* Finds a field that makes the checksum right if it is zero, as most limits are, and clears it. */
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

/* ---- repairs by the rules, and from the caller's facts ---- */

struct mending {
	const struct geometry *g;
	struct dquot_disk *disk;
	const struct dquot_facts *facts;
	bool timers; /* true: set the timers only; false: set everything else */
};

static void put32(struct dquot_disk *disk, uint32_t offset, uint64_t value)
{
	be32_t field = be32_put((uint32_t)value);

	memcpy((uint8_t *)disk + offset, &field, sizeof(field));
}

/*
 * Starts the timer at `offset` as if its limit were exceeded since now; defaults has the grace period at that offset.
 */
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
	/* the record does not show since when the limit is exceeded, so the grace period starts now */
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
