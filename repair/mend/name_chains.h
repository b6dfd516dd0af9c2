/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names by their hashes, as the disk has them: to find one of the millions that a directory or an inode may have. */
#ifndef XFSCK_REPAIR_NAME_CHAINS_H
#define XFSCK_REPAIR_NAME_CHAINS_H

#include <stddef.h>
#include <stdint.h>

/* Chains of indexes into somebody's array. Empty: zeroed. */
struct name_chains {
	uint32_t *heads; /* index plus 1; 0: none */
	uint32_t *next;	 /* of each name in a chain: likewise */
	size_t nheads, room;
	size_t count; /* names that are in a chain: the first so many */
};

typedef uint32_t name_hash_fn(const void *names, size_t index);

/* Take in those of the first `count` names that are not yet. 0 or -ENOMEM. */
int name_chains_grow(struct name_chains *chains, const void *names, size_t count, name_hash_fn *hash);
/* All are to be taken in anew: hashes or indexes are others now. */
void name_chains_forget(struct name_chains *chains);
void name_chains_free(struct name_chains *chains);

/* The last of those whose hash may be this one, then the one before another: index plus 1, 0: there is none. */
static inline uint32_t name_chains_last(const struct name_chains *chains, uint32_t hash)
{
	return chains->nheads ? chains->heads[hash & (chains->nheads - 1)] : 0;
}
static inline uint32_t name_chains_before(const struct name_chains *chains, uint32_t at)
{
	return chains->next[at - 1];
}

#endif
