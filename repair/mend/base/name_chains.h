/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table over an array of names, by their hashes on disk: a directory or an inode may have millions of names. */
#ifndef XFSCK_REPAIR_NAME_CHAINS_H
#define XFSCK_REPAIR_NAME_CHAINS_H

#include <stddef.h>
#include <stdint.h>

/* Chains of names with the same slot, as indexes into the caller's array, plus 1; 0: end. Start with { 0 }. */
struct name_chains {
	uint32_t *heads; /* the last name of each chain */
	uint32_t *next;	 /* of each name: the one before it in its chain */
	size_t nheads, room;
	size_t count; /* the first so many names are in chains */
};

typedef uint32_t name_hash_fn(const void *names, size_t index);

/* Add those of the first `count` names that are in no chain yet. 0 or -ENOMEM. */
int name_chains_grow(struct name_chains *chains, const void *names, size_t count, name_hash_fn *hash);
/* Empty all chains: names have other hashes or indexes now. */
void name_chains_forget(struct name_chains *chains);
void name_chains_free(struct name_chains *chains);

/*
 * The last name in the chain of this hash, whose names may have other hashes, too, and the name before another one in
 * its chain; both as an index plus 1; 0: there is none.
 */
static inline uint32_t name_chains_last(const struct name_chains *chains, uint32_t hash)
{
	return chains->nheads ? chains->heads[hash & (chains->nheads - 1)] : 0;
}
static inline uint32_t name_chains_before(const struct name_chains *chains, uint32_t at)
{
	return chains->next[at - 1];
}

#endif
