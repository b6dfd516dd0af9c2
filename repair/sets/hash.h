/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keyed hashes, for the sums of accounts and for hash tables.  The key is random in each run, so that nobody can make a
 * damaged file system with balanced accounts, or one that makes tables slow; a false zero has odds of about 2^-64 per
 * account.  The mixer folds a 128-bit product, twice, so that sums of hashes of related numbers are as good as random.
 */
#ifndef XFSCK_REPAIR_HASH_H
#define XFSCK_REPAIR_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hash_key {
	uint64_t k[4];
};

static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 p = (unsigned __int128)a * b;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static inline uint64_t hash2(const struct hash_key *key, uint64_t a, uint64_t b)
{
	uint64_t h = hash_fold(a ^ key->k[0], b ^ key->k[1]);

	return hash_fold(h ^ key->k[2] ^ a, key->k[3] ^ b);
}

static inline uint64_t hash3(const struct hash_key *key, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t h = hash_fold(a ^ key->k[0], b ^ key->k[1]);

	return hash_fold(h ^ key->k[2], c ^ key->k[3] ^ b);
}

static inline uint64_t hash5(const struct hash_key *key, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	return hash3(key, hash_fold(a ^ key->k[3], b ^ key->k[2]), hash_fold(c ^ key->k[1], d ^ key->k[0]), e);
}

/* Returns the hash of a name of at most 255 bytes. */
uint64_t hash_name(const struct hash_key *key, const uint8_t *name, size_t len);
/* Returns the hash of a name without regard to case, for file systems with ascii-ci (ondisk 06). */
uint64_t hash_name_folded(const struct hash_key *key, const uint8_t *name, size_t len);

/* Makes a random key.  Returns 0 or a negative errno. */
int hash_key_random(struct hash_key *ret_key);

#endif
