/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes the records of a quota file (ondisk 10, invariants 2 and 3).  Checks each by itself, except for its counts,
 * which are compared elsewhere when all inodes have been read.  The caller knows the place in the file, from which ids
 * and types follow.
 */
#include "disk/dquot.h"
#include "disk/sb.h"
#include "libxfs/crc.h"
#include "libxfs/dquot.h"
#include "libxfs/v5.h"

#define DQUOT_OFF(field) ((uint32_t)offsetof(struct dquot_disk, field))

/* the offsets of count, limits and timer in a record, for each counter */
static const struct resource {
	uint32_t count, softlimit, hardlimit, timer;
} resources[QUOTA_COUNTS] = {
	[QUOTA_BLOCKS] = { DQUOT_OFF(bcount), DQUOT_OFF(blk_softlimit), DQUOT_OFF(blk_hardlimit), DQUOT_OFF(btimer) },
	[QUOTA_INODES] = { DQUOT_OFF(icount), DQUOT_OFF(ino_softlimit), DQUOT_OFF(ino_hardlimit), DQUOT_OFF(itimer) },
	[QUOTA_RTBLOCKS] = { DQUOT_OFF(rtbcount), DQUOT_OFF(rtb_softlimit), DQUOT_OFF(rtb_hardlimit),
			     DQUOT_OFF(rtbtimer) },
};

/* one record to be checked */
struct slot {
	const struct check *c;
	const struct dquot_disk *disk;
	uint32_t offset; /* in the block */
	uint32_t id;	 /* that belongs to its place */
};

uint32_t dquot_per_block(const struct geometry *g)
{
	return g->block_size / (uint32_t)sizeof(struct dquot_disk);
}

fileoff_t dquot_file_end(const struct geometry *g)
{
	return (fileoff_t){ UINT32_MAX / dquot_per_block(g) + 1 };
}

uint8_t dquot_file_types(const struct geometry *g, enum quota_type type)
{
	static const uint8_t types[QUOTA_TYPES] = {
		[QUOTA_USER] = DQUOT_TYPE_USER,
		[QUOTA_GROUP] = DQUOT_TYPE_GROUP,
		[QUOTA_PROJECT] = DQUOT_TYPE_PROJECT,
	};

	/*
	 * version 4 has one file for groups or projects: until quotacheck has run, its records may still have the other
	 * type
	 */
	if (!g->crc && type != QUOTA_USER && !(g->qflags & (SB_QFLAG_GROUP_CHKD | SB_QFLAG_PROJECT_CHKD)))
		return DQUOT_TYPE_GROUP | DQUOT_TYPE_PROJECT;
	return types[type];
}

static bool slot_problem(const struct slot *s, enum finding finding, uint32_t field, uint64_t got, uint64_t want)
{
	return problem_at(s->c, finding, s->offset + field, s->id, got, want);
}

static uint64_t get64(const struct slot *s, uint32_t offset)
{
	be64_t field;

	memcpy(&field, (const uint8_t *)s->disk + offset, sizeof(field));
	return be64_get(field);
}

static uint32_t get32(const struct slot *s, uint32_t offset)
{
	be32_t field;

	memcpy(&field, (const uint8_t *)s->disk + offset, sizeof(field));
	return be32_get(field);
}

/* Checks checksum, uuid and LSN, which each record has of its own (ondisk 00). */
static void check_seal(const struct slot *s)
{
	const struct geometry *g = s->c->geo;
	uint32_t crc = crc_block(s->disk, sizeof(*s->disk), DQUOT_OFF(crc));
	uint64_t lsn = be64_get(s->disk->lsn);

	if (le32_get(s->disk->crc) != crc)
		slot_problem(s, F_DQUOT_CRC, DQUOT_OFF(crc), le32_get(s->disk->crc), crc);
	if (memcmp(s->disk->uuid, g->meta_uuid, sizeof(g->meta_uuid)) != 0)
		slot_problem(s, F_DQUOT_UUID, DQUOT_OFF(uuid), get64(s, DQUOT_OFF(uuid)), 0);
	if (lsn != NULL_LSN && g->head_lsn.v && lsn >= g->head_lsn.v)
		slot_problem(s, F_DQUOT_LSN, DQUOT_OFF(lsn), lsn, g->head_lsn.v);
}

static bool is_one_type(uint8_t types)
{
	return types == DQUOT_TYPE_USER || types == DQUOT_TYPE_PROJECT || types == DQUOT_TYPE_GROUP;
}

/* Checks the type.  True if the record has the bigtime flag, with which timers count units of four seconds. */
static bool check_type(const struct slot *s, uint8_t types)
{
	uint8_t got = s->disk->type, want = got & types;

	if (!is_one_type(want))
		want = types == (DQUOT_TYPE_GROUP | DQUOT_TYPE_PROJECT) ? DQUOT_TYPE_GROUP : types;
	if (s->c->geo->bigtime && s->id != 0)
		want |= got & DQUOT_BIGTIME;
	if (got != want)
		slot_problem(s, F_DQUOT_TYPE, DQUOT_OFF(type), got, want);
	return want & DQUOT_BIGTIME;
}

/*
 * Checks limits and timer.  The kernel starts a timer when a limit is exceeded and stops it afterwards, in the same
 * transaction.  A soft limit above the hard one can result from defaults that were set later.
 */
static void check_resource(const struct slot *s, const struct resource *r, bool bigtime)
{
	uint64_t count = get64(s, r->count), soft = get64(s, r->softlimit), hard = get64(s, r->hardlimit);
	uint32_t timer = get32(s, r->timer);
	bool over = (soft && count > soft) || (hard && count > hard);
	bool reached = (soft && count >= soft) || (hard && count >= hard);

	if (hard && soft > hard)
		slot_problem(s, F_DQUOT_LIMITS, r->softlimit, soft, hard);
	if (s->id == 0) /* the record of id 0 has the default grace periods in place of timers */
		return;
	if (bigtime && timer >= DQUOT_BIGTIME_END)
		slot_problem(s, F_DQUOT_TIMER, r->timer, timer, DQUOT_BIGTIME_END - 1);
	else if (over && !timer)
		slot_problem(s, F_DQUOT_TIMER_STOPPED, r->timer, count, soft && soft < count ? soft : hard);
	else if (timer && !reached)
		slot_problem(s, F_DQUOT_TIMER_RUNNING, r->timer, timer, 0);
}

static void check_unused(const struct slot *s)
{
	static const uint32_t words[] = { DQUOT_OFF(pad0), DQUOT_OFF(fill) };
	uint32_t end = s->c->geo->crc ? DQUOT_OFF(crc) : (uint32_t)sizeof(*s->disk);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (get32(s, words[i]) != 0)
			slot_problem(s, F_DQUOT_PAD, words[i], get32(s, words[i]), 0);
	if (be16_get(s->disk->pad) != 0)
		slot_problem(s, F_DQUOT_PAD, DQUOT_OFF(pad), be16_get(s->disk->pad), 0);
	for (uint32_t at = DQUOT_OFF(crc); at < end; at += (uint32_t)sizeof(be32_t))
		if (get32(s, at) != 0)
			slot_problem(s, F_DQUOT_PAD, at, get32(s, at), 0);
}

static void check_slot(const struct slot *s, uint8_t types)
{
	uint32_t id = be32_get(s->disk->id);
	bool bigtime;

	if (s->c->geo->crc)
		check_seal(s);
	if (s->disk->version != DQUOT_VERSION)
		slot_problem(s, F_DQUOT_VERSION, DQUOT_OFF(version), s->disk->version, DQUOT_VERSION);
	bigtime = check_type(s, types);
	if (id != s->id)
		slot_problem(s, F_DQUOT_ID, DQUOT_OFF(id), id, s->id);
	for (unsigned i = 0; i < QUOTA_COUNTS; i++)
		check_resource(s, &resources[i], bigtime);
	check_unused(s);
}

void dquot_record_check(const struct check *c, const void *record, uint32_t id, uint8_t types)
{
	const struct slot s = { c, record, 0, id };

	check_slot(&s, types);
}

/* Collects the types of all records of the block, as DQUOT_TYPE_*.  False: it has no record. */
static bool survey(const struct dquot_disk *disk, uint32_t count, uint8_t *ret_types)
{
	bool any = false;

	*ret_types = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (be16_get(disk[i].magic) != DQUOT_MAGIC)
			continue;
		any = true;
		*ret_types |= disk[i].type & DQUOT_TYPE_ANY;
	}
	return any;
}

bool dquot_block_decode(const struct check *c, const void *block, const struct dquot_expect *expect,
			void (*visit)(void *ctx, const struct dquot *dquot), void *ctx)
{
	const struct dquot_disk *disk = block;
	uint32_t per_block = dquot_per_block(c->geo);
	uint64_t first = expect->off.v * per_block;
	bool all = true;
	uint8_t types;

	if (!survey(disk, per_block, &types))
		return problem(c, F_BLOCK_MAGIC, DQUOT_OFF(magic), be16_get(disk->magic), DQUOT_MAGIC);
	/* all records have one other type: the block is of another quota file, or the file is */
	if (is_one_type(types) && !(types & expect->types))
		return problem(c, F_DQUOT_BLOCK_TYPE, DQUOT_OFF(type), types, expect->types);
	for (uint32_t i = 0; i < per_block; i++) {
		/* ids in the block of the highest ones wrap around to 0; the records from there on are unused */
		const struct slot s = { c, disk + i, i * (uint32_t)sizeof(*disk), (uint32_t)(first + i) };
		struct dquot dquot = { .id = s.id };

		if (be16_get(disk[i].magic) != DQUOT_MAGIC) {
			all = slot_problem(&s, F_DQUOT_MAGIC, DQUOT_OFF(magic), be16_get(disk[i].magic), DQUOT_MAGIC);
			continue;
		}
		check_slot(&s, expect->types);
		if (first + i > UINT32_MAX)
			continue;
		for (unsigned what = 0; what < QUOTA_COUNTS; what++)
			dquot.used[what] = get64(&s, resources[what].count);
		visit(ctx, &dquot);
	}
	return all;
}
