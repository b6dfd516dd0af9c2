/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Posts facts to the accounts, which ledger.h explains.  Every worker has its own sums, so nothing here locks or
 * allocates.  Either side of a fact may be added and the other subtracted, as long as both have the same hash.
 */
#include "ledger.h"

#include <stdlib.h>
#include <string.h>

#include "doubts.h"
#include "sets/save.h"

struct group_sums {
	uint64_t bytes, claim_bytes; /* of evidence */
	uint64_t v[GROUP_ACCOUNT_NR];
};

struct lane {
	uint8_t apart[64]; /* keeps the members below off the cache lines of another lane's groups, allocated before */
	struct group_sums *group; /* one per AG and realtime group */
	uint64_t inode[LEDGER_BUCKETS][INODE_ACCOUNT_NR];
	uint64_t inode_bytes[LEDGER_BUCKETS];
	struct doubts_queue doubts; /* for facts from entries about their targets, which come in random order */
};

struct ledger {
	const struct geometry *geo;
	struct hash_key key;
	unsigned nlanes;
	struct lane **lanes;
	struct doubts *doubts; /* NULL: not needed */
};

/* Returns the sums of all lanes together, for saving a ledger that is still posted to: lanes need not be kept apart. */

static struct group_sums group_of_all(const struct ledger *ledger, uint32_t group)
{
	struct group_sums sum = { 0 };

	for (unsigned i = 0; i < ledger->nlanes; i++) {
		const struct group_sums *one = &ledger->lanes[i]->group[group];

		sum.bytes += one->bytes;
		sum.claim_bytes += one->claim_bytes;
		for (unsigned a = 0; a < GROUP_ACCOUNT_NR; a++)
			sum.v[a] += one->v[a];
	}
	return sum;
}

void ledger_save(const struct ledger *ledger, struct saver *s)
{
	for (uint32_t g = 0; g < group_count(ledger->geo); g++) {
		const struct group_sums sum = group_of_all(ledger, g);

		save_number(s, sum.bytes);
		save_number(s, sum.claim_bytes);
		for (unsigned a = 0; a < GROUP_ACCOUNT_NR; a++)
			save_word(s, sum.v[a]);
	}
	for (unsigned b = 0; b < LEDGER_BUCKETS; b++) {
		uint64_t bytes = 0;

		for (unsigned i = 0; i < ledger->nlanes; i++)
			bytes += ledger->lanes[i]->inode_bytes[b];
		save_number(s, bytes);
		for (unsigned a = 0; a < INODE_ACCOUNT_NR; a++) {
			uint64_t sum = 0;

			for (unsigned i = 0; i < ledger->nlanes; i++)
				sum += ledger->lanes[i]->inode[b][a];
			save_word(s, sum);
		}
	}
}

/* Discards all postings. */
static void clear(struct ledger *ledger)
{
	for (unsigned i = 0; i < ledger->nlanes; i++) {
		struct lane *lane = ledger->lanes[i];

		memset(lane->group, 0, group_count(ledger->geo) * sizeof(*lane->group));
		memset(lane->inode, 0, sizeof(lane->inode));
		memset(lane->inode_bytes, 0, sizeof(lane->inode_bytes));
	}
}

void ledger_load(struct ledger *ledger, struct loader *l)
{
	struct lane *lane = ledger->lanes[0];

	clear(ledger);
	for (uint32_t g = 0; g < group_count(ledger->geo); g++) {
		lane->group[g].bytes = load_number(l);
		lane->group[g].claim_bytes = load_number(l);
		for (unsigned a = 0; a < GROUP_ACCOUNT_NR; a++)
			lane->group[g].v[a] = load_word(l);
	}
	for (unsigned b = 0; b < LEDGER_BUCKETS; b++) {
		lane->inode_bytes[b] = load_number(l);
		for (unsigned a = 0; a < INODE_ACCOUNT_NR; a++)
			lane->inode[b][a] = load_word(l);
	}
}

/* part of each hash, so that a fact of one kind can't cancel one of another kind */
enum salt {
	SALT_SPACE = 1,
	SALT_RMAP,
	SALT_FREESIZE,
	SALT_FINOBT,
	SALT_UNLINKED,
	SALT_LINK,
	SALT_FTYPE,
	SALT_PARENT,
	SALT_PPTR,
	SALT_ALONE,
};

struct ledger *ledger_new(const struct geometry *geo, unsigned workers, const struct hash_key *key)
{
	struct ledger *ledger = calloc(1, sizeof(*ledger));

	if (!ledger)
		return NULL;
	ledger->geo = geo;
	ledger->key = *key;
	ledger->lanes = calloc(workers, sizeof(struct lane *));
	for (unsigned i = 0; ledger->lanes && i < workers; i++) {
		struct lane *lane = calloc(1, sizeof(*lane));

		ledger->lanes[i] = lane;
		if (lane)
			lane->group = calloc(group_count(geo), sizeof(*lane->group));
		ledger->nlanes++;
		if (!lane || !lane->group) {
			ledger_free(ledger);
			return NULL;
		}
	}
	if (!ledger->lanes) {
		free(ledger);
		return NULL;
	}
	return ledger;
}

void ledger_free(struct ledger *ledger)
{
	if (!ledger)
		return;
	for (unsigned i = 0; i < ledger->nlanes; i++) {
		if (ledger->lanes[i])
			free(ledger->lanes[i]->group);
		free(ledger->lanes[i]);
	}
	free(ledger->lanes);
	free(ledger);
}

unsigned ledger_bucket(xino_t ino)
{
	/* by chunk: neighbours share a bucket, so few buckets are used at a time */
	return (ino.v / 64) % LEDGER_BUCKETS;
}

void ledger_post_doubts(struct ledger *ledger, struct doubts *doubts)
{
	ledger->doubts = doubts;
}

/* Returns a worker's accounts of a group, for one fact, and counts its bytes. */
static uint64_t *group_accounts(const struct ledger *ledger, unsigned worker, group_t group)
{
	struct group_sums *sums = &ledger->lanes[worker]->group[group.v];

	sums->bytes += FACT_BYTES;
	return sums->v;
}

static uint64_t *group_account(void *ctx, unsigned worker, group_t group, enum group_account account)
{
	return &group_accounts(ctx, worker, group)[account];
}

/* Returns a worker's accounts of an inode's bucket, for one fact of so many bytes. */
static uint64_t *inode_accounts(const struct ledger *ledger, unsigned worker, xino_t ino, uint32_t bytes)
{
	struct lane *own = ledger->lanes[worker];
	unsigned bucket = ledger_bucket(ino);

	own->inode_bytes[bucket] += bytes;
	return own->inode[bucket];
}

/* Posts the sum of a fact's postings to accounts of an inode to the doubts. */
static void post_doubt(const struct ledger *ledger, xino_t ino, uint64_t sum, uint32_t bytes)
{
	if (ledger->doubts)
		doubts_post(ledger->doubts, ino, sum, bytes);
}

/* Returns the sum for blocks [start, start + len) of a group. */
static uint64_t range_sum(const struct ledger *ledger, uint64_t start, uint64_t len)
{
	return hash2(&ledger->key, SALT_SPACE, start) - hash2(&ledger->key, SALT_SPACE, start + len);
}

static uint64_t space_sum(const struct ledger *ledger, const struct blocks *b)
{
	return range_sum(ledger, b->start.v, b->len);
}

/*
 * Returns a hash of what is constant along an extent: its owner, its flags, and, for data and attribute extents, offset
 * minus block.  So it does not matter how an extent is divided into records.
 */
static uint64_t rmap_line(const struct ledger *ledger, uint64_t owner, uint8_t flags, uint64_t offset, uint64_t start)
{
	bool moves = owner < OWNER_COW && !(flags & RMAP_BMBT);

	return hash3(&ledger->key, owner, (uint64_t)SALT_RMAP << 32 | flags, moves ? offset - start : 0);
}

/*
 * Returns the sum for blocks with the sum `space` on a line: the product, so that it adds up along the line as `space`
 * does.  It is zero if two random numbers have 64 factors of 2 together: the odds are 2^-58.
 */
static uint64_t mapped(uint64_t line, uint64_t space)
{
	return line * space;
}

static uint64_t claim_line(const struct ledger *ledger, const struct claim *c)
{
	return rmap_line(ledger, c->owner, c->flags, c->offset, c->at.start.v);
}

static void post_claim(void *ctx, unsigned worker, const struct claim *c)
{
	const struct ledger *ledger = ctx;
	uint64_t *accounts = group_accounts(ledger, worker, c->at.group), space = space_sum(ledger, &c->at);

	ledger->lanes[worker]->group[c->at.group.v].claim_bytes += FACT_BYTES;
	accounts[ACCOUNT_SPACE] += space;
	if (ledger->geo->rmapbt)
		accounts[ACCOUNT_RMAP] += mapped(claim_line(ledger, c), space);
}

/* Adds a hash without another side, so that the account does not balance and the group is examined. */
static void post_alone(void *ctx, unsigned worker, const struct blocks *b)
{
	const struct ledger *ledger = ctx;

	*group_account(ctx, worker, b->group, ACCOUNT_SPACE) += hash3(&ledger->key, SALT_ALONE, b->start.v, b->len);
}

static void post_unclaim(void *ctx, unsigned worker, const struct claim *c)
{
	const struct ledger *ledger = ctx;
	uint64_t space = space_sum(ledger, &c->at);

	*group_account(ctx, worker, c->at.group, ACCOUNT_SPACE) -= space;
	if (ledger->geo->rmapbt)
		*group_account(ctx, worker, c->at.group, ACCOUNT_RMAP) -= mapped(claim_line(ledger, c), space);
}

static void post_free_extent(void *ctx, unsigned worker, enum btree_kind kind, const struct blocks *b)
{
	const struct ledger *ledger = ctx;
	uint64_t h = hash3(&ledger->key, SALT_FREESIZE, b->start.v, b->len);

	/* bnobt records count as free space, and are compared with cntbt records */
	if (kind == BT_BNO)
		*group_account(ctx, worker, b->group, ACCOUNT_SPACE) += space_sum(ledger, b);
	if (!group_is_rt(ledger->geo, b->group)) /* realtime groups record free space only once */
		*group_account(ctx, worker, b->group, ACCOUNT_FREESIZE) += kind == BT_BNO ? h : -h;
}

static void post_freed(void *ctx, unsigned worker, const struct blocks *b)
{
	*group_account(ctx, worker, b->group, ACCOUNT_SPACE) += space_sum(ctx, b);
}

static uint64_t rmap_sum(const struct ledger *ledger, const struct rmap_record *r)
{
	return mapped(rmap_line(ledger, r->owner, r->flags, r->offset, r->start.v),
		      range_sum(ledger, r->start.v, r->len));
}

static void post_rmap(void *ctx, unsigned worker, group_t group, const struct rmap_record *r)
{
	*group_account(ctx, worker, group, ACCOUNT_RMAP) -= rmap_sum(ctx, r);
}

static void post_unmap(void *ctx, unsigned worker, group_t group, const struct rmap_record *r)
{
	*group_account(ctx, worker, group, ACCOUNT_RMAP) += rmap_sum(ctx, r);
}

static void post_refcount(void *ctx, unsigned worker, group_t group, const struct refcount_record *r)
{
	const struct ledger *ledger = ctx;
	const struct claim staging = { .at = { group, { r->start.v }, r->len }, .owner = OWNER_COW };

	if (r->cow)
		post_claim(ctx, worker, &staging);
	else
		*group_account(ctx, worker, group, ACCOUNT_SPACE) -=
			(uint64_t)(r->refcount - 1) * range_sum(ledger, r->start.v, r->len);
}

static void post_recount(void *ctx, unsigned worker, const struct blocks *b, int change)
{
	*group_account(ctx, worker, b->group, ACCOUNT_SPACE) -= (uint64_t)change * space_sum(ctx, b);
}

static void post_chunk(void *ctx, unsigned worker, enum btree_kind kind, agno_t agno, const struct inobt_record *r)
{
	const struct ledger *ledger = ctx;
	uint64_t rest = (uint64_t)r->holemask << 16 | (uint64_t)r->count << 8 | r->freecount;
	uint64_t h = hash3(&ledger->key, (uint64_t)SALT_FINOBT << 32 | r->start.v, rest, r->free);

	if (kind == BT_FINO)
		*group_account(ctx, worker, group_of_ag(agno), ACCOUNT_FINOBT) -= h;
	else if (r->freecount && ledger->geo->finobt)
		*group_account(ctx, worker, group_of_ag(agno), ACCOUNT_FINOBT) += h;
}

/*
 * Hashes of a link to an inode, and of its type and tree, as the link or the inode itself has them.  Their sum is odd.
 * Doubts keep 32 bits of it: with an even hash, they would miss link counts that are wrong by a large power of two, as
 * a flipped bit makes them.
 */
static uint64_t link_hash(const struct ledger *ledger, xino_t ino)
{
	return hash2(&ledger->key, SALT_LINK, ino.v) | 1;
}

static uint64_t ftype_hash(const struct ledger *ledger, xino_t ino, unsigned ftype, bool metadata)
{
	if (ftype == FT_WHITEOUT)
		ftype = FT_CHR; /* a whiteout is a character device (ondisk 06) */
	if (!ledger->geo->ftype)
		ftype = FT_UNKNOWN;
	return hash3(&ledger->key, SALT_FTYPE, ino.v, ftype << 1 | metadata) & ~1ull;
}

static void post_unlinked(void *ctx, unsigned worker, agno_t agno, agino_t agino)
{
	const struct ledger *ledger = ctx;

	*group_account(ctx, worker, group_of_ag(agno), ACCOUNT_UNLINKED) -= hash2(&ledger->key, SALT_UNLINKED, agino.v);
}

static void post_inode(void *ctx, unsigned worker, const struct dinode *inode)
{
	const struct ledger *ledger = ctx;
	const xino_t ino = inode->ino;
	uint64_t links, ftype, *accounts;

	if (inode->nlink == 0) {
		agino_t agino = agino_of_ino(ledger->geo, ino);

		*group_account(ctx, worker, group_of_ag(agno_of_ino(ledger->geo, ino)), ACCOUNT_UNLINKED) +=
			hash2(&ledger->key, SALT_UNLINKED, agino.v);
		return;
	}
	links = inode->nlink * link_hash(ledger, ino);
	ftype = inode->nlink * ftype_hash(ledger, ino, inode->ftype, inode->metadata);
	accounts = inode_accounts(ledger, worker, ino, INODE_FACT_BYTES);
	accounts[ACCOUNT_LINKS] += links;
	accounts[ACCOUNT_FTYPE] += ftype;
	post_doubt(ledger, ino, links + ftype, INODE_FACT_BYTES);
}

/* Posts the `..` of a directory. */
static void post_dotdot(const struct ledger *ledger, unsigned worker, const struct entry_fact *e)
{
	uint64_t parent = hash3(&ledger->key, SALT_PARENT, e->directory.v, e->target.v);

	inode_accounts(ledger, worker, e->directory, FACT_BYTES)[ACCOUNT_PARENTS] += parent;
	post_doubt(ledger, e->directory, parent, FACT_BYTES);
}

static void post_entry(void *ctx, unsigned worker, const struct entry_fact *e)
{
	const struct ledger *ledger = ctx;
	const bool name = !e->dot && !e->dotdot;
	const uint32_t bytes = FACT_BYTES + (name ? e->namelen : 0);
	uint64_t *accounts = inode_accounts(ledger, worker, e->target, bytes);
	uint64_t links = link_hash(ledger, e->target), ftype = ftype_hash(ledger, e->target, e->ftype, e->metadata);
	uint64_t parent = 0, pptr = 0;

	if (name && e->ftype == FT_DIR)
		parent = hash3(&ledger->key, SALT_PARENT, e->target.v, e->directory.v);
	if (name && ledger->geo->parent)
		pptr = hash5(&ledger->key, e->target.v, e->directory.v, e->directory_gen, SALT_PPTR, e->name_hash);
	accounts[ACCOUNT_LINKS] -= links;
	accounts[ACCOUNT_FTYPE] -= ftype;
	accounts[ACCOUNT_PARENTS] -= parent;
	accounts[ACCOUNT_PPTRS] -= pptr;
	if (ledger->doubts)
		doubts_post_soon(ledger->doubts, &ledger->lanes[worker]->doubts, e->target,
				 -(links + ftype + parent + pptr), bytes);
	/* not for the root, whose `..` is itself and which has no entry; nor if entries have no types */
	if (e->dotdot && e->directory.v != e->target.v && ledger->geo->ftype)
		post_dotdot(ledger, worker, e);
}

static void post_pptr(void *ctx, unsigned worker, const struct pptr_fact *p)
{
	const struct ledger *ledger = ctx;
	uint64_t pptr = hash5(&ledger->key, p->child.v, p->parent.v, p->parent_gen, SALT_PPTR, p->name_hash);

	inode_accounts(ledger, worker, p->child, FACT_BYTES + p->namelen)[ACCOUNT_PPTRS] += pptr;
	post_doubt(ledger, p->child, pptr, FACT_BYTES + p->namelen);
}

static void post_rooted(void *ctx, unsigned worker, xino_t ino, bool metadata)
{
	const struct ledger *ledger = ctx;
	uint64_t *accounts = inode_accounts(ledger, worker, ino, FACT_BYTES);
	uint64_t links = link_hash(ledger, ino), ftype = ftype_hash(ledger, ino, FT_REG, metadata);

	accounts[ACCOUNT_LINKS] -= links;
	accounts[ACCOUNT_FTYPE] -= ftype;
	post_doubt(ledger, ino, -(links + ftype), FACT_BYTES);
}

static const struct sink_ops ledger_ops = {
	.claim = post_claim,
	.alone = post_alone,
	.free_extent = post_free_extent,
	.rmap = post_rmap,
	.refcount = post_refcount,
	.chunk = post_chunk,
	.inode = post_inode,
	.entry = post_entry,
	.pptr = post_pptr,
	.unlinked = post_unlinked,
	.rooted = post_rooted,
	.unclaim = post_unclaim,
	.unmap = post_unmap,
	.freed = post_freed,
	.recount = post_recount,
};

struct sink ledger_sink(struct ledger *ledger)
{
	return (struct sink){ &ledger_ops, ledger, &ledger->key };
}

/* Adds a lane's sums, multiplied by `times`. */
static void add_lane(const struct geometry *geo, struct lane *sum, const struct lane *lane, uint64_t times)
{
	for (uint32_t g = 0; g < group_count(geo); g++) {
		sum->group[g].bytes += times * lane->group[g].bytes;
		sum->group[g].claim_bytes += times * lane->group[g].claim_bytes;
		for (unsigned a = 0; a < GROUP_ACCOUNT_NR; a++)
			sum->group[g].v[a] += times * lane->group[g].v[a];
	}
	for (unsigned b = 0; b < LEDGER_BUCKETS; b++) {
		sum->inode_bytes[b] += times * lane->inode_bytes[b];
		for (unsigned a = 0; a < INODE_ACCOUNT_NR; a++)
			sum->inode[b][a] += times * lane->inode[b][a];
	}
}

static void add_lanes(struct ledger *to, const struct ledger *ledger, unsigned first, uint64_t times)
{
	for (unsigned i = first; i < ledger->nlanes; i++)
		add_lane(to->geo, to->lanes[0], ledger->lanes[i], times);
}

void ledger_close(struct ledger *ledger)
{
	struct lane *sum = ledger->lanes[0];

	for (unsigned i = 0; i < ledger->nlanes; i++)
		doubts_post_rest(&ledger->lanes[i]->doubts);
	add_lanes(ledger, ledger, 1, 1);
	/* the other side of the space accounts: each block of a group is used or free once */
	for (uint32_t g = 0; g < group_count(ledger->geo); g++)
		sum->group[g].v[ACCOUNT_SPACE] -= range_sum(ledger, 0, group_length(ledger->geo, (group_t){ g }));
}

struct ledger *ledger_corrected(const struct ledger *closed, const struct ledger *off, const struct ledger *on)
{
	struct ledger *ledger = ledger_new(closed->geo, 1, &closed->key);

	if (!ledger)
		return NULL;
	add_lane(closed->geo, ledger->lanes[0], closed->lanes[0], 1);
	add_lanes(ledger, off, 0, (uint64_t)-1);
	add_lanes(ledger, on, 0, 1);
	return ledger;
}

uint64_t ledger_differences(const struct ledger *a, const struct ledger *b)
{
	const struct lane *x = a->lanes[0], *y = b->lanes[0];
	uint64_t differences = 0;

	for (uint32_t g = 0; g < group_count(a->geo); g++) {
		differences += x->group[g].bytes != y->group[g].bytes;
		differences += x->group[g].claim_bytes != y->group[g].claim_bytes;
		for (unsigned k = 0; k < GROUP_ACCOUNT_NR; k++)
			differences += x->group[g].v[k] != y->group[g].v[k];
	}
	for (unsigned bucket = 0; bucket < LEDGER_BUCKETS; bucket++) {
		differences += x->inode_bytes[bucket] != y->inode_bytes[bucket];
		for (unsigned k = 0; k < INODE_ACCOUNT_NR; k++)
			differences += x->inode[bucket][k] != y->inode[bucket][k];
	}
	return differences;
}

bool ledger_group_balances(const struct ledger *ledger, group_t group, enum group_account account)
{
	return ledger->lanes[0]->group[group.v].v[account] == 0;
}

bool ledger_group_same(const struct ledger *a, const struct ledger *b, group_t group, enum group_account account)
{
	return a->lanes[0]->group[group.v].v[account] == b->lanes[0]->group[group.v].v[account];
}

bool ledger_inodes_balance(const struct ledger *ledger, unsigned bucket, enum inode_account account)
{
	return ledger->lanes[0]->inode[bucket][account] == 0;
}

uint64_t ledger_group_bytes(const struct ledger *ledger, group_t group)
{
	return ledger->lanes[0]->group[group.v].bytes;
}

uint64_t ledger_claim_bytes(const struct ledger *ledger, group_t group)
{
	return ledger->lanes[0]->group[group.v].claim_bytes;
}

uint64_t ledger_inode_bytes(const struct ledger *ledger, unsigned bucket)
{
	return ledger->lanes[0]->inode_bytes[bucket];
}
