/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keyed hash of names, which takes sixteen bytes at a time, and making a key. */
#include "hash.h"

#include <errno.h>
#include <sys/random.h>

#include "libxfs/da.h"

static uint64_t load64(const uint8_t *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* Loads less than eight bytes.  The length is part of the hash anyway, so loads may overlap. */
static uint64_t load_short(const uint8_t *name, size_t len)
{
	uint32_t first, last;

	if (len >= 4) {
		memcpy(&first, name, sizeof(first));
		memcpy(&last, name + len - 4, sizeof(last));
		return (uint64_t)last << 32 | first;
	}
	return len ? (uint64_t)name[0] << 16 | (uint64_t)name[len / 2] << 8 | name[len - 1] : 0;
}

uint64_t hash_name(const struct hash_key *key, const uint8_t *name, size_t len)
{
	/* mixed, since the bare length would be XORed with the first byte, and changes of both could cancel out */
	uint64_t h = hash_fold(key->k[2], key->k[3] ^ len);
	size_t at = 0;

	if (len < 8)
		return hash2(key, h, load_short(name, len));
	for (; at + 16 < len; at += 16)
		h = hash_fold(h ^ load64(name + at) ^ key->k[0], load64(name + at + 8) ^ key->k[1]);
	/* the last up to 16 bytes, as two words that may overlap each other or earlier bytes */
	at = at + 8 < len ? at : len - 8;
	return hash2(key, h ^ load64(name + at), load64(name + len - 8));
}

uint64_t hash_name_folded(const struct hash_key *key, const uint8_t *name, size_t len)
{
	uint8_t folded[UINT8_MAX];

	if (len > sizeof(folded))
		len = sizeof(folded);
	for (size_t i = 0; i < len; i++)
		folded[i] = da_fold_case(name[i]);
	return hash_name(key, folded, len);
}

int hash_key_random(struct hash_key *ret_key)
{
	if (getrandom(ret_key, sizeof(*ret_key), 0) != (ssize_t)sizeof(*ret_key))
		return -errno;
	return 0;
}
