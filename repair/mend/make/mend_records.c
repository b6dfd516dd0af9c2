/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Derives the records of the space btrees from claims (ondisk 03).  Unclaimed blocks are free.  Every claim is an
 * rmapbt record, joined with its continuation in the file and on disk, like the kernel does.  This is done in place,
 * because there may be millions.  Where claims of written data overlap, a sweep over their ends counts the references
 * to each block.
 */
#include "mend_records.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "disk/bmbt.h"
#include "disk/rmapbt.h"
#include "sets/sort.h"

/* True if the claimed blocks have file offsets; blocks of a bmbt have none. */
static bool has_offset(const struct use *use)
{
	return use->owner < OWNER_COW && !(use->flags & RMAP_BMBT);
}

static uint64_t offset_of(const struct use *use)
{
	return has_offset(use) ? use->offset : 0;
}

struct rmap_record ag_rmap_of(const struct use *claim)
{
	return (struct rmap_record){
		{ (uint32_t)claim->start }, (uint32_t)claim->len, claim->owner, offset_of(claim), claim->flags
	};
}

/* Compares by owner and fork, then file offset, so that claims that can be joined are adjacent. */
static int join_order(const void *a, const void *b)
{
	const struct use *x = *(struct use *const *)a, *y = *(struct use *const *)b;
	int order = number_order(x->owner, y->owner);

	if (!order)
		order = number_order(x->flags, y->flags);
	if (!order)
		order = number_order(offset_of(x), offset_of(y));
	return order ? order : number_order(x->start, y->start);
}

/* Returns the position in the order of join_order(), among claims of one owner. */
static uint64_t join_number(const void *record, const void *ctx)
{
	const struct use *use = *(struct use *const *)record;

	(void)ctx;
	return (uint64_t)use->flags << BMBT_OFF_BITS | offset_of(use);
}

/* Returns the offset with flags, like in a key of the rmapbt. */
static uint64_t offset_word(const struct use *use)
{
	return offset_of(use) | (use->flags & RMAP_ATTR ? RMAP_OFFSET_ATTR : 0) |
	       (use->flags & RMAP_BMBT ? RMAP_OFFSET_BMBT : 0);
}

/* Compares in rmapbt order. */
static int rmap_order(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = number_order(x->start, y->start);

	if (!order)
		order = number_order(x->owner, y->owner);
	return order ? order : number_order(offset_word(x), offset_word(y));
}

static uint64_t start_number(const void *record, const void *ctx)
{
	(void)ctx;
	return ((const struct use *)record)->start;
}

static const struct number_order by_key = { sizeof(struct use), start_number, NULL, rmap_order, NULL };

/* Checks that claims, sorted by start, are in the group and don't overlap, except as shared blocks. */
static int check_claims(const struct geometry *geo, group_t group, const struct use *claims, size_t nclaims,
			uint64_t *ret_collision)
{
	uint64_t length = group_length(geo, group), end = 0, exclusive_end = 0;

	for (size_t i = 0; i < nclaims; i++) {
		const struct use *use = &claims[i];

		if (use->len == 0 || use->start >= length || use->len > length - use->start)
			return -EINVAL;
		if (use->start < (ag_use_shareable(geo, use) ? exclusive_end : end)) {
			*ret_collision = use->start;
			return -EEXIST;
		}
		if (use->start + use->len > end)
			end = use->start + use->len;
		if (!ag_use_shareable(geo, use))
			exclusive_end = use->start + use->len;
	}
	return 0;
}

static int derive_free(uint64_t length, const struct use *claims, size_t nclaims, struct ag_records *r)
{
	uint64_t end = 0;

	r->free = calloc(nclaims + 1, sizeof(*r->free));
	if (!r->free)
		return -ENOMEM;
	for (size_t i = 0; i <= nclaims; i++) {
		uint64_t start = i < nclaims ? claims[i].start : length;

		if (start > end)
			r->free[r->nfree++] = (struct alloc_record){ { (uint32_t)end }, (uint32_t)(start - end) };
		if (i < nclaims && start + claims[i].len > end)
			end = start + claims[i].len;
	}
	return 0;
}

/* True if a claim continues the one before it, on disk and in the file, so that both are one rmapbt record. */
static bool continues(const struct use *before, const struct use *use)
{
	return before->owner == use->owner && before->flags == use->flags &&
	       before->start + before->len == use->start &&
	       (!has_offset(use) || before->offset + before->len == use->offset);
}

/* Joins claims of one owner with their continuations, whose lengths become 0. */
static void join(struct use **claims, size_t count)
{
	static const struct number_order in_fork = { sizeof(claims[0]), join_number, NULL, join_order, NULL };
	struct use *to;

	number_sort(claims, count, &in_fork);
	to = claims[0];
	for (size_t i = 1; i < count; i++) {
		if (continues(to, claims[i])) {
			to->len += claims[i]->len;
			claims[i]->len = 0;
		} else {
			to = claims[i];
		}
	}
}

/* Claim `at`, for sorting by owner. */
struct owned {
	uint64_t owner;
	uint64_t at;
};

_Static_assert(sizeof(struct owned) == 2 * sizeof(uint64_t), "what sort_words() takes");

/* Joins all claims that can be joined. Most owners have one claim; sorting small keys finds those with several. */
static int join_all(struct use *claims, size_t count)
{
	struct owned *owned = calloc(count + 1, sizeof(*owned));
	struct use **of_one = NULL;
	size_t room = 0;
	int ret = owned ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !ret; i++)
		owned[i] = (struct owned){ claims[i].owner, i };
	if (!ret)
		sort_words(&owned->owner, count, 2);
	for (size_t first = 0, end; first < count && !ret; first = end) {
		for (end = first; end < count && owned[end].owner == owned[first].owner && !ret; end++) {
			ret = array_grow(&of_one, &room, end - first, sizeof(struct use *));
			if (!ret)
				of_one[end - first] = &claims[owned[end].at];
		}
		if (!ret && end - first > 1)
			join(of_one, end - first);
	}
	free(owned);
	free(of_one);
	return ret ? -ENOMEM : 0;
}

/* Joins claims and removes empty ones: the rest are the rmapbt records. 0 or -ENOMEM. */
static int derive_rmaps(struct use *claims, size_t *nclaims, struct ag_records *r)
{
	size_t joined = 0;
	int ret = join_all(claims, *nclaims);

	for (size_t i = 0; i < *nclaims; i++)
		if (claims[i].len)
			claims[joined++] = claims[i];
	*nclaims = joined;
	r->rmaps = claims;
	r->nrmaps = joined;
	return ret;
}

/* Adds a record after the last one, or extends that if contiguous. */
static void add_refcount(struct ag_records *r, const struct refcount_record *more)
{
	struct refcount_record *next = r->refcounts + r->nrefcounts;

	if (r->nrefcounts && next[-1].cow == more->cow && next[-1].refcount == more->refcount &&
	    next[-1].start.v + next[-1].len == more->start.v) {
		next[-1].len += more->len;
	} else {
		*next = *more;
		r->nrefcounts++;
	}
}

/* Adds blocks [start, end), after those added before, with `count` references; count < 2: not shared. */
static void add_shared(struct ag_records *r, uint32_t start, uint32_t end, uint32_t count)
{
	const struct refcount_record shared = { { start }, end - start, count, .cow = false };

	if (count >= 2 && start != end)
		add_refcount(r, &shared);
}

/*
 * Sweeps over the starts and ends of n claims, each ascending, and adds a record wherever claims overlap.  An end is
 * the first block after a claim.
 */
static void sweep_shared(struct ag_records *r, const uint64_t *starts, const uint64_t *ends, size_t n)
{
	uint32_t at = 0, count = 0;
	size_t begun = 0, ended = 0;

	while (ended < n) {
		uint32_t next = (uint32_t)(begun < n && starts[begun] < ends[ended] ? starts[begun] : ends[ended]);

		add_shared(r, at, next, count);
		for (at = next; begun < n && starts[begun] == at; begun++)
			count++;
		for (; ended < n && ends[ended] == at; ended++)
			count--;
	}
}

static void add_staging(struct ag_records *r, const struct use *use)
{
	const struct refcount_record staging = { { (uint32_t)use->start }, (uint32_t)use->len, 1, .cow = true };

	add_refcount(r, &staging);
}

static int derive_refcounts(const struct geometry *geo, const struct use *claims, size_t nclaims, struct ag_records *r)
{
	uint64_t *starts = calloc(2 * nclaims + 1, sizeof(*starts)), *ends;
	size_t n = 0;

	/* every end of a claim starts at most one record */
	r->refcounts = calloc(2 * nclaims + 1, sizeof(*r->refcounts));
	if (!starts || !r->refcounts) {
		free(starts);
		return -ENOMEM;
	}
	ends = starts + nclaims;
	for (size_t i = 0; i < nclaims; i++) {
		if (!ag_use_shareable(geo, &claims[i]))
			continue;
		starts[n] = claims[i].start;
		ends[n++] = claims[i].start + claims[i].len;
	}
	sort_words(ends, n, 1);
	sweep_shared(r, starts, ends, n);
	for (size_t i = 0; i < nclaims; i++)
		if (claims[i].owner == OWNER_COW)
			add_staging(r, &claims[i]);
	free(starts);
	return 0;
}

int ag_records_derive(const struct geometry *geo, group_t group, struct use *claims, size_t *nclaims,
		      struct ag_records *ret_records, uint64_t *ret_collision)
{
	struct ag_records *r = ret_records;
	int ret;

	*r = (struct ag_records){ 0 };
	number_sort(claims, *nclaims, &by_key);
	ret = check_claims(geo, group, claims, *nclaims, ret_collision);
	if (!ret)
		ret = derive_free(group_length(geo, group), claims, *nclaims, r);
	if (!ret && geo->reflink)
		ret = derive_refcounts(geo, claims, *nclaims, r);
	if (!ret && geo->rmapbt)
		ret = derive_rmaps(claims, nclaims, r);
	return ret;
}

void ag_records_free(struct ag_records *records)
{
	free(records->free);
	free(records->refcounts);
	*records = (struct ag_records){ 0 };
}
