/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns facts about blocks into owners of bytes: an inode, a header or a part of a file. */
#include "owners.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/dir.h"
#include "disk/inobt.h"
#include "line.h"
#include "check/names/search.h"
#include "report/finding.h"
#include "repair.h"
#include "run.h"
#include "sets/ordered.h"

#define HOLDER_BYTES 512u /* approximate memory of an inode with its names */

int owners_begin(struct owners *owners, const struct repair *rc, struct hits *hits)
{
	size_t chunks_room = 0;
	uint64_t reach = 0;
	int ret;

	*owners = (struct owners){ .geo = &rc->geo, .wanted_most = rc->run->memory.records / HOLDER_BYTES + 4096 };
	owners->names = hits_names(hits);
	ret = hits_settle(hits, &owners->v, &owners->count, &owners->dropped);
	if (!ret)
		ret = hits_holders(hits, &owners->holders);
	owners->reach = malloc((owners->count + 1) * sizeof(*owners->reach));
	if (!owners->reach)
		return -ENOMEM;
	for (size_t i = 0; i < owners->count && !ret; i++) {
		if (owners->v[i].end > reach)
			reach = owners->v[i].end;
		owners->reach[i] = reach;
		if (owners->v[i].kind == HIT_CHUNK)
			ret = array_add(owners->chunks, chunks_room, owners->nchunks, owners->v[i]);
	}
	ordered_sort(owners->chunks, owners->nchunks, MEMBERS(MEMBER(owners->chunks, owner)));
	return ret;
}

void owners_free(struct owners *owners)
{
	free(owners->reach);
	free(owners->chunks);
	ino_set_free(&owners->wanted);
	ino_set_free(&owners->files);
	holders_free(&owners->holders);
}

/* ---- one fact ---- */

struct telling {
	const struct owners *owners;
	uint64_t start, end; /* bytes of the line */
	void (*tell)(void *ctx, const struct who *who);
	void *ctx;
};

static void tell_special(const struct telling *t, enum who_kind kind, const char *object)
{
	t->tell(t->ctx,
		&(struct who){ .kind = kind, .object = object, .start = t->start, .end = t->end, .ino = NULL_INO });
}

/* Reports the headers, which take a sector each; the rest of their blocks is unused. */
static void tell_headers(const struct telling *t, const struct hit *hit)
{
	static const char *const names[] = {
		[SB_SECTOR] = "superblock", [AGF_SECTOR] = "AGF", [AGI_SECTOR] = "AGI", [AGFL_SECTOR] = "AGFL"
	};
	const struct geometry *geo = t->owners->geo;
	const uint64_t base = hit->start << geo->block_log;

	for (uint64_t at = t->start, next; at < t->end; at = next) {
		const uint64_t sector = (at - base) / geo->sector_size;
		struct telling part = *t;

		next = sector < AG_SECTORS ? base + (sector + 1) * geo->sector_size : t->end;
		part.start = at;
		part.end = next = smaller(next, t->end);
		tell_special(&part, WHO_HEADER,
			     sector < AG_SECTORS ? names[sector] : "unused space behind the AG's headers");
	}
}

/* Returns the inobt record of this inode; NULL: unknown. */
static const struct hit *chunk_of(const struct owners *owners, uint64_t ino)
{
	const size_t i = ordered_behind(owners->chunks, owners->nchunks, MEMBER(owners->chunks, owner), ino);

	return i && ino - owners->chunks[i - 1].owner < INODES_PER_CHUNK ? &owners->chunks[i - 1] : NULL;
}

static void tell_inodes(const struct telling *t)
{
	const struct owners *owners = t->owners;
	const struct geometry *geo = owners->geo;
	gbno_t block;
	const group_t group = line_group(geo, t->start >> geo->block_log, &block);
	const agno_t agno = { group.v };
	const uint64_t base = ag_offset(geo, agno);

	for (uint64_t at = t->start, next; at < t->end; at = next) {
		const agino_t agino = { (uint32_t)((at - base) >> geo->inode_log) };
		const uint64_t ino = ino_of(geo, agno, agino).v;
		const struct hit *chunk = chunk_of(owners, ino);
		const bool used = chunk && chunk->offset >> (ino - chunk->owner) & 1;

		next = smaller(t->end, base + ((uint64_t)(agino.v + 1) << geo->inode_log));
		t->tell(t->ctx, &(struct who){ .kind = used ? WHO_INODE : WHO_INODE_FREE,
					       .start = at,
					       .end = next,
					       .ino = ino,
					       .holder = used ? holders_of(&owners->holders, ino) : NULL });
	}
}

static enum who_kind kind_in_fork(const struct owners *owners, const struct hit *hit, const struct holder *holder)
{
	const unsigned log = owners->geo->block_log;

	if (hit->flags & RMAP_BMBT)
		return hit->flags & RMAP_ATTR ? WHO_ATTR_BMBT : WHO_BMBT;
	if (hit->flags & RMAP_ATTR)
		return WHO_ATTR;
	if (holder && holder->ftype == FT_SYMLINK)
		return WHO_SYMLINK;
	if (!holder || holder->ftype != FT_DIR)
		return WHO_DATA;
	if (hit->offset >= DIR_FREE_OFFSET >> log)
		return WHO_DIR_FREE;
	return hit->offset >= DIR_LEAF_OFFSET >> log ? WHO_DIR_LEAF : WHO_DIR_DATA;
}

static void tell_file(const struct telling *t, const struct hit *hit)
{
	const struct holder *holder = holders_of(&t->owners->holders, hit->owner);
	const unsigned log = t->owners->geo->block_log;

	t->tell(t->ctx, &(struct who){ .kind = kind_in_fork(t->owners, hit, holder),
				       .start = t->start,
				       .end = t->end,
				       .ino = hit->owner,
				       .offset = (hit->offset << log) + (t->start - (hit->start << log)),
				       .unwritten = hit->flags & RMAP_UNWRITTEN,
				       .holder = holder });
}

static void tell_metadata(const struct telling *t, const struct hit *hit)
{
	const enum object object = hit->object;
	const bool rt = hit->start >= t->owners->geo->dblocks;

	if (object == OBJ_CLUSTER)
		tell_inodes(t);
	else if (object == OBJ_LOG)
		tell_special(t, WHO_LOG, NULL);
	else if (object == OBJ_AGFL)
		tell_special(t, WHO_AGFL, NULL);
	else if (object == OBJ_AG && rt)
		tell_special(t, WHO_HEADER, "realtime superblock");
	else if (object == OBJ_AG)
		tell_headers(t, hit);
	else
		tell_special(t, WHO_BTREE, object_name(object));
}

/* Reports what a fact says about its part of the bytes. */
static void tell_hit(const struct telling *t, const struct hit *hit)
{
	const unsigned log = t->owners->geo->block_log;
	struct telling part = *t;

	if (part.start < hit->start << log)
		part.start = hit->start << log;
	part.end = smaller(part.end, hit->end << log);
	if (hit->kind == HIT_FREE)
		tell_special(&part, WHO_FREE, NULL);
	else if (hit->kind == HIT_STAGED)
		tell_special(&part, WHO_STAGED, NULL);
	else if (hit_is_file(hit))
		tell_file(&part, hit);
	else
		tell_metadata(&part, hit);
}

/* ---- all of them ---- */

/* Returns the first fact that ends after this block of the line begins. */
static size_t first_reaching(const struct owners *owners, uint64_t block)
{
	return ordered_behind(owners->reach, owners->count, ELEMENT(owners->reach), block);
}

/* Reports bytes without a fact: unclaimed, or unknown if facts were dropped. */
static void tell_nobody(const struct telling *t, uint64_t start, uint64_t end)
{
	const struct telling part = { t->owners, start, end, t->tell, t->ctx };

	if (start < end)
		tell_special(&part, t->owners->dropped ? WHO_UNKNOWN : WHO_NOBODY, NULL);
}

static bool same_special(const struct hit *a, const struct hit *b)
{
	return a->kind == HIT_STAGED && b->kind == HIT_STAGED && a->start == b->start && a->end == b->end;
}

void owners_each(const struct owners *owners, uint64_t start, uint64_t end,
		 void (*tell)(void *ctx, const struct who *who), void *ctx)
{
	const unsigned log = owners->geo->block_log;
	const uint64_t first = start >> log, behind = ((end - 1) >> log) + 1;
	const struct telling t = { owners, start, end, tell, ctx };
	uint64_t known = start; /* end of the bytes with facts so far */

	for (size_t i = first_reaching(owners, first); i < owners->count && owners->v[i].start < behind; i++) {
		const struct hit *hit = &owners->v[i];

		if (hit->end <= first || hit->kind == HIT_CHUNK || (i && same_special(hit, hit - 1)))
			continue;
		tell_nobody(&t, known, hit->start << log);
		tell_hit(&t, hit);
		if (hit->end << log > known)
			known = hit->end << log;
	}
	tell_nobody(&t, known, end);
}

void owners_tell_hit(const struct owners *owners, const struct hit *hit, uint64_t start, uint64_t end,
		     void (*tell)(void *ctx, const struct who *who), void *ctx)
{
	tell_hit(&(struct telling){ owners, start, end, tell, ctx }, hit);
}

static void want(void *ctx, const struct who *who)
{
	struct owners *owners = ctx;
	const bool block = who->ino != NULL_INO && who->kind != WHO_INODE_FREE && who->kind != WHO_INODE;
	const xino_t ino = { who->ino };

	if ((!block && who->kind != WHO_INODE) || !ino_valid(owners->geo, ino))
		return;
	if (block && ino_set_put(&owners->files, ino))
		owners->starved = true;
	if (ino_set_has(&owners->wanted, ino))
		return;
	if (ino_set_count(&owners->wanted) >= owners->wanted_most)
		owners->unnamed = true;
	else if (ino_set_put(&owners->wanted, ino))
		owners->starved = true;
}

int owners_want(struct owners *owners, uint64_t start, uint64_t end)
{
	owners_each(owners, start, end, want, owners);
	return owners->starved ? -ENOMEM : 0;
}

int owners_find(struct owners *owners, struct repair *rc)
{
	const int ret = holders_look(rc, &owners->files, &owners->holders);

	return ret ? ret : paths_seek_noted(rc, &owners->wanted, owners->names, &owners->holders.paths);
}

const char *who_name(enum who_kind kind)
{
	static const char *const names[] = {
#define x(symbol, name, words) name,
		WHO_TABLE(x)
#undef x
	};

	return names[kind];
}

const char *who_words(const struct who *who)
{
	static const char *const all[] = {
#define x(symbol, name, words) words,
		WHO_TABLE(x)
#undef x
	};

	return who->object ? who->object : all[who->kind];
}
