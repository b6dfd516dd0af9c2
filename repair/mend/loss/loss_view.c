/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gathers one view of users' data, without judging it.  Excludes internal files (metadata, quota, realtime), their
 * names and blocks.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check/facts.h"
#include "libxfs/crc.h"
#include "loss.h"
#include "loss_fact.h"
#include "names/noted.h"
#include "repair.h"
#include "run.h"
#include "check/walk/traverse.h"
#include "check/walk/walker.h"

/* True if the checksum of an inode is wrong. */
static bool is_unsound(const struct geometry *geo, const struct dinode *inode)
{
	return geo->crc && !crc_is_right(inode->disk, geo->inode_size, offsetof(struct dinode_disk, crc));
}

static uint32_t sum_of_forks(const struct geometry *geo, const struct dinode *inode)
{
	const uint32_t core = dinode_core_size(geo);

	return crc_add(CRC_SEED, (const uint8_t *)inode->disk + core, geo->inode_size - core);
}

/* Returns the end of the last byte of an inline target that is not NUL, within its size; 0: none. */
static uint32_t target_end(const struct dinode *inode)
{
	const struct dinode_fork *fork = &inode->fork[DATA_FORK];
	uint32_t end = 0;

	if (inode->ftype != FT_SYMLINK || fork->format != FMT_LOCAL || !fork->bytes)
		return 0;
	for (uint32_t i = 0; i < fork->size && i < inode->size; i++)
		if (fork->bytes[i])
			end = i + 1;
	return end;
}

static void add_to(struct view *v, struct number_set *set, uint64_t number)
{
	pthread_mutex_lock(&v->seals->lock);
	if (number_set_add(set, number) < 0)
		v->error = -ENOMEM;
	pthread_mutex_unlock(&v->seals->lock);
}

static uint64_t name_by_index(const struct hash_key *key, uint64_t directory, uint64_t indexed)
{
	return hash2(key, directory, indexed);
}

static uint64_t name_by_parent(const struct hash_key *key, uint64_t child, uint64_t directory, uint64_t name_hash)
{
	return hash3(key, child, directory, name_hash);
}

static void seek_proofs(struct view *v, const struct loss_fact *name)
{
	struct name_proofs *p = &v->seals->names;

	if (v->side != SIDE_BEFORE || !name->unsound || p->closed)
		return;
	if (name->c)
		add_to(v, &p->sought, name_by_index(v->key, name->a, name->c));
	add_to(v, &p->sought, name_by_parent(v->key, name->ino.v, name->a, name->b));
}

static void note_proof(struct view *v, uint64_t name)
{
	struct name_proofs *p = &v->seals->names;

	if (v->side == SIDE_BEFORE && p->closed && number_set_has(&p->sought, name))
		add_to(v, &p->found, name);
}

static void view_indexed(void *ctx, unsigned worker, xino_t directory, uint64_t indexed)
{
	struct view *v = ctx;

	(void)worker;
	note_proof(v, name_by_index(v->key, directory.v, indexed));
}

static bool is_named(const struct view *v, xino_t ino)
{
	return v->noted && (doubts_has(v->doubts, ino) || ino_set_has(&v->dirs, ino));
}

static void view_pptr(void *ctx, unsigned worker, const struct pptr_fact *pptr)
{
	struct view *v = ctx;

	if (is_named(v, pptr->child))
		names_noted_add_pptr(v->noted, worker, pptr);
	note_proof(v, name_by_parent(v->key, pptr->child.v, pptr->parent.v, pptr->name_hash));
}

bool seals_confirm_name(const struct seals *seals, const struct loss_fact *name, const struct hash_key *key)
{
	const struct number_set *found = &seals->names.found;

	return number_set_has(found, name_by_parent(key, name->ino.v, name->a, name->b)) ||
	       (name->c && number_set_has(found, name_by_index(key, name->a, name->c)));
}

static void note_seal(struct view *v, const struct loss_fact *fact)
{
	const bool before = v->side == SIDE_BEFORE;
	struct number_set *to = before ? &v->seals->wrong : &v->seals->restored;

	if (!fact->seal || (before ? !fact->unsound : !number_set_has(&v->seals->wrong, fact->seal)))
		return;
	add_to(v, to, fact->seal);
}

/* Passes on a fact from a block or inode of this owner. */
static void put_sealed(struct view *v, unsigned worker, xino_t owner, struct loss_fact *fact, const uint8_t *bytes)
{
	const struct seal_lane *seal = &v->lanes[worker];

	fact->side = (uint8_t)v->side;
	fact->seal = seal->crc ? hash2(v->key, seal->crc, owner.v) : 0;
	fact->unsound = seal->wrong;
	fact->elsewhere = seal->crc && !seal->wrong && seal->owner.v != owner.v;
	note_seal(v, fact);
	if (fact->kind == FACT_NAME)
		seek_proofs(v, fact);
	v->put(v->ctx, worker, fact, bytes);
}

static void view_sealed(void *ctx, unsigned worker, uint32_t crc, bool wrong, xino_t owner)
{
	const struct view *v = ctx;

	v->lanes[worker].crc = crc;
	v->lanes[worker].wrong = wrong;
	v->lanes[worker].owner = owner;
}

static bool is_left_out(const struct view *v, uint64_t ino)
{
	return dinode_is_internal(v->geo, (xino_t){ ino }) || dinode_is_internal(v->other, (xino_t){ ino });
}

static void view_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	struct view *v = ctx;
	const struct dinode_disk *disk = inode->disk;
	struct inode_core core = { .size = inode->size,
				   .nextents = inode->fork[DATA_FORK].nextents,
				   .nblocks = inode->nblocks,
				   .flags2 = inode->flags2 & ~(uint64_t)(DIFLAG2_REFLINK | DIFLAG2_NREXT64),
				   .mode = inode->mode,
				   .nlink = inode->nlink,
				   .gen = inode->gen,
				   .uid = inode->uid,
				   .gid = inode->gid,
				   .projid = inode->projid,
				   .flags = inode->flags,
				   .extsize = be32_get(disk->extsize) };
	const struct loss_fact fact = { .ino = inode->ino,
					.kind = FACT_INODE,
					.side = v->side,
					.flags = (uint8_t)inode->ftype,
					.len = sizeof(core) };

	for (unsigned i = 0; i < 3; i++)
		core.times[i] = be64_get(disk->times[i]);
	if (v->geo->crc) {
		core.times[3] = be64_get(disk->crtime);
		core.cowextsize = be32_get(disk->cowextsize);
	}
	core.unsound = is_unsound(v->geo, inode);
	core.forks = sum_of_forks(v->geo, inode);
	core.has_attributes = inode->fork[ATTR_FORK].present;
	core.target_end = target_end(inode);
	core.crc = v->geo->crc ? le32_get(disk->crc) : 0;
	core.misplaced =
		v->geo->crc && !core.unsound &&
		(be64_get(disk->ino) != inode->ino.v || memcmp(disk->uuid, v->geo->meta_uuid, sizeof(disk->uuid)) != 0);
	if (!inode->metadata && !inode->rtfile && !is_left_out(v, inode->ino.v))
		v->put(v->ctx, worker, &fact, (const uint8_t *)&core);
}

static void view_entry(void *ctx, unsigned worker, const struct entry_fact *entry)
{
	const struct view *v = ctx;
	struct loss_fact fact = { .ino = entry->target,
				  .kind = FACT_NAME,
				  .a = entry->directory.v,
				  .b = entry->name_hash,
				  .c = entry->indexed,
				  .flags = entry->ftype,
				  .len = entry->namelen };

	if ((v->noted && entry->ftype == FT_DIR) || is_named(v, entry->target))
		names_noted_add(v->noted, worker, entry);
	if (entry->name && !entry->metadata)
		put_sealed(ctx, worker, entry->directory, &fact, entry->name);
}

/* True if some of these blocks may have been overwritten. */
static bool is_amid(const struct view *v, const struct claim *claim)
{
	const uint64_t start = bytes_of_gbno(v->geo, claim->at.group, claim->at.start);
	struct loss_area area;

	return v->areas && v->side == SIDE_AFTER && !group_is_rt(v->geo, claim->at.group) &&
	       loss_areas_next(v->areas, start, start + ((uint64_t)claim->at.len << v->geo->block_log), &area);
}

static void view_claim(void *ctx, unsigned worker, const struct claim *claim)
{
	const xino_t owner = { claim->owner };
	struct loss_fact fact = { .ino = owner,
				  .kind = FACT_BLOCKS,
				  .a = claim->offset,
				  .b = claim->at.start.v,
				  .c = claim->at.len,
				  .group = claim->at.group,
				  .flags = claim->flags,
				  .data = !claim_is_alone(claim->owner, claim->flags, claim->object) };

	fact.amid = fact.data && is_amid(ctx, claim);
	if (owner.v < OWNER_COW && !is_left_out(ctx, owner.v))
		put_sealed(ctx, worker, owner, &fact, NULL);
}

static void view_attribute(void *ctx, unsigned worker, xino_t ino, const struct attr_entry *e)
{
	const struct view *v = ctx;
	struct loss_fact fact = { .ino = ino,
				  .kind = FACT_ATTRIBUTE,
				  .a = hash_name(v->key, e->name, e->namelen),
				  .b = e->value ? hash_name(v->key, e->value, e->valuelen) | 1 : 0,
				  .c = e->valuelen,
				  .value_at = e->valueblk,
				  .flags = e->flags & (ATTR_ROOT | ATTR_SECURE),
				  .len = e->namelen };

	put_sealed(ctx, worker, ino, &fact, e->name);
}

static void view_value(void *ctx, unsigned worker, xino_t ino, dablk_t dablk, const uint8_t *bytes, uint32_t len)
{
	const struct view *v = ctx;
	struct loss_fact fact = { .ino = ino, .kind = FACT_VALUE, .a = dablk.v, .b = hash_name(v->key, bytes, len) };

	put_sealed(ctx, worker, ino, &fact, NULL);
}

static void view_target(void *ctx, unsigned worker, xino_t ino, uint32_t offset, const uint8_t *bytes, uint32_t len)
{
	struct loss_fact fact = { .ino = ino, .kind = FACT_TARGET, .a = offset, .len = (uint16_t)len };

	if (len <= UINT16_MAX)
		put_sealed(ctx, worker, ino, &fact, bytes);
}

static void view_unmapped(void *ctx, unsigned worker, xino_t ino, enum fork fork, uint64_t offset, uint64_t end)
{
	const struct view *v = ctx;
	const struct loss_fact fact = { .ino = ino,
					.kind = fork == DATA_FORK ? FACT_UNMAPPED : FACT_UNATTRIBUTED,
					.side = v->side,
					.a = offset,
					.b = end };

	if (!is_left_out(v, ino.v))
		v->put(v->ctx, worker, &fact, NULL);
}

static void view_unread(void *ctx, unsigned worker, xino_t ino, const uint8_t *bytes, bool unsure)
{
	const struct view *v = ctx;
	const struct dinode_disk *disk = (const void *)bytes;
	const bool has_remains = bytes && v->geo->crc;
	const struct loss_fact fact = { .ino = ino,
					.kind = FACT_UNREAD,
					.side = v->side,
					.unsound = unsure,
					.len = has_remains ? sizeof(struct inode_remains) : 0 };
	struct inode_remains remains = { 0 };

	for (unsigned i = 0; has_remains && i < 3; i++)
		remains.times[i] = be64_get(disk->times[i]);
	if (has_remains)
		remains.crc = le32_get(disk->crc);
	if (!is_left_out(v, ino.v))
		v->put(v->ctx, worker, &fact, (const uint8_t *)&remains);
}

static void view_unnamed(void *ctx, unsigned worker, xino_t ino, uint64_t count)
{
	const struct view *v = ctx;
	const struct loss_fact fact = { .ino = ino, .kind = FACT_UNNAMED, .side = v->side, .a = count };

	v->put(v->ctx, worker, &fact, NULL);
}

void view_show(const struct repair *rc, enum fact_side side)
{
	const unsigned layers = side == SIDE_BEFORE ? LAYER_MEND : LAYERS;

	device_show(rc->run->device, layers);
	if (rc->run->rt_device)
		device_show(rc->run->rt_device, layers);
}

static const struct sink_ops view_ops = { .inode = view_inode,
					  .entry = view_entry,
					  .indexed = view_indexed,
					  .pptr = view_pptr,
					  .claim = view_claim,
					  .sealed = view_sealed,
					  .attribute = view_attribute,
					  .value = view_value,
					  .target = view_target,
					  .unread = view_unread,
					  .unmapped = view_unmapped,
					  .unnamed = view_unnamed };

static bool is_in_doubt(const void *doubts, xino_t ino)
{
	return doubts_has(doubts, ino);
}

/* Traverses everything, and the chunks in view->also. */
static int gather_all(const struct repair *rc, const struct scope *scope, const struct view *view, struct sink sink)
{
	struct traverse *t = NULL;
	int ret = facts_traverse(rc, &rc->geo, scope, &sink, &t);

	if (!ret)
		ret = facts_traverse_also(rc, t, view->also);
	traverse_free(t);
	return ret;
}

/* Gathers facts. inos: NULL: all. */
static int gather(const struct repair *rc, struct view *view, const xino_t *inos, size_t count)
{
	const struct scope scope = { .names = true,
				     .pptrs = true,
				     .contents = true,
				     .contents_of = view->doubts ? is_in_doubt : NULL,
				     .contents_ctx = view->doubts };
	int ret;

	view->geo = &rc->geo;
	view->seals->names.closed |= view->side == SIDE_AFTER;
	view->lanes = calloc(rc->workers, sizeof(*view->lanes));
	if (!view->lanes)
		return -ENOMEM;
	ret = inos ? facts_gather_near(rc, &scope, inos, count, &view_ops, view)
		   : gather_all(rc, &scope, view, (struct sink){ &view_ops, view, &rc->run->key });
	free(view->lanes);
	return ret ? ret : view->error;
}

int view_gather(const struct repair *rc, struct view *view)
{
	return gather(rc, view, NULL, 0);
}

int view_gather_near(const struct repair *rc, struct view *view, const xino_t *inos, size_t count)
{
	return gather(rc, view, inos, count);
}

void seals_free(struct seals *seals)
{
	number_set_free(&seals->wrong);
	number_set_free(&seals->restored);
	number_set_free(&seals->names.sought);
	number_set_free(&seals->names.found);
}

bool seals_restored(const struct seals *seals, const struct loss_fact *fact)
{
	return fact->seal && number_set_has(&seals->restored, fact->seal);
}

size_t fact_bytes(const struct loss_fact *fact)
{
	const size_t align = sizeof(uint64_t);

	/* including a pointer for sorting */
	return (sizeof(*fact) + fact->len + align - 1) / align * align + sizeof(fact);
}

void fact_of_drop(const struct drop *drop, const struct hash_key *key, struct loss_fact *ret)
{
	static const uint8_t kinds[] = {
		[LOSS_NAME] = FACT_NAME,     [LOSS_DATA] = FACT_BLOCKS, [LOSS_ATTRIBUTE] = FACT_ATTRIBUTE,
		[LOSS_TARGET] = FACT_TARGET, [LOSS_INODE] = FACT_INODE,
	};
	*ret = (struct loss_fact){ .ino = drop->ino,
				   .kind = kinds[drop->kind],
				   .side = SIDE_DROPPED,
				   .flags = drop->flags,
				   .reason = (uint8_t)drop->reason,
				   .len = drop->namelen };

	if (drop->kind == LOSS_NAME) {
		ret->ino = drop->target;
		ret->a = drop->ino.v;
		ret->b = hash_name(key, drop->name, drop->namelen);
	} else if (drop->kind == LOSS_ATTRIBUTE) {
		ret->a = hash_name(key, drop->name, drop->namelen);
		ret->flags = drop->flags & (ATTR_ROOT | ATTR_SECURE);
	} else if (drop->kind == LOSS_DATA) {
		ret->a = drop->offset;
		ret->c = drop->blocks;
		ret->data = true;
	}
}

uint64_t fact_sum(const struct loss_fact *f, const uint8_t *bytes, const struct hash_key *key)
{
	const uint64_t kind = f->kind | (uint64_t)f->unsound << 8;
	uint64_t h;

	switch ((enum fact_kind)f->kind) {
	case FACT_BLOCKS: /* telescoping sum, independent of how a run is divided into extents */
		h = hash5(key, f->ino.v, f->kind, f->group.v, f->b - f->a, f->flags);
		return hash2(key, h, f->a) - hash2(key, h, f->a + f->c) +
		       (f->amid || (f->data && f->unsound) ? hash2(key, h, f->b) : 0);
	case FACT_NAME:
		return hash5(key, f->ino.v, kind, f->a, f->b, 0);
	case FACT_INODE:
	case FACT_TARGET:
		return hash5(key, f->ino.v, kind, f->a, hash_name(key, bytes, f->len), 0);
	default:
		return hash5(key, f->ino.v, kind, f->a, f->b, hash2(key, f->c, f->flags));
	}
}
