/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keyed hash of names, eight bytes at a time, and the key. */
#include "hash.h"

#include <errno.h>
#include <sys/random.h>

#include "libxfs/da.h"

static uint64_t word_at(const uint8_t *bytes, size_t len, bool fold)
{
	uint8_t folded[8] = { 0 };
	uint64_t word = 0;

	if (!fold) {
		memcpy(&word, bytes, len);
		return word;
	}
	for (size_t i = 0; i < len; i++)
		folded[i] = da_fold_case(bytes[i]);
	memcpy(&word, folded, sizeof(word));
	return word;
}

uint64_t hash_name(const struct hash_key *key, const uint8_t *name, size_t len, bool fold)
{
	uint64_t h = key->k[2] ^ len;

	for (; len >= 8; len -= 8, name += 8)
		h = hash_fold(h ^ word_at(name, 8, fold) ^ key->k[0], key->k[1] ^ h);
	return hash2(key, h, len ? word_at(name, len, fold) : 0);
}

int hash_key_random(struct hash_key *ret_key)
{
	if (getrandom(ret_key, sizeof(*ret_key), 0) != (ssize_t)sizeof(*ret_key))
		return -errno;
	return 0;
}
