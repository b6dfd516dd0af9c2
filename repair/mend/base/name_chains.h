/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table over an array of names, keyed by their on-disk hashes. There may be millions of names. */
#ifndef XFSCK_REPAIR_NAME_CHAINS_H
#define XFSCK_REPAIR_NAME_CHAINS_H

#include <stddef.h>
#include <stdint.h>

/* Chains of names with the same slot, as indexes into the caller's array plus 1; 0 ends a chain. Start with { 0 }. */
struct name_chains {
	uint32_t *heads; /* last name of each chain */
	uint32_t *next;	 /* per name: the previous one in its chain */
	size_t nheads, room;
	size_t count; /* number of names in chains, from the start of the array */
};

typedef uint32_t name_hash_fn(const void *names, size_t index);

/* Adds those of the first `count` names that are not yet in a chain. 0 or -ENOMEM. */
int name_chains_grow(struct name_chains *chains, const void *names, size_t count, name_hash_fn *hash);
/* Empties all chains, because the names' hashes or indexes have changed. */
void name_chains_forget(struct name_chains *chains);
void name_chains_free(struct name_chains *chains);

/*
 * These return the last name in the chain of this hash, and the name before `at` in its chain, as an index plus 1; 0:
 * none.  A chain may also have names with other hashes.
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
