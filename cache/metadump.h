/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A metadump of either version (ondisk 13), read as the sparse devices it was made of. */
#ifndef XFSCK_CACHE_METADUMP_H
#define XFSCK_CACHE_METADUMP_H

#include "extent_map.h"

enum metadump_role {
	METADUMP_DATA,
	METADUMP_LOG, /* external log */
	METADUMP_RT,
	METADUMP_ROLES,
};

struct metadump {
	int fd;
	struct extent_map maps[METADUMP_ROLES];
	uint64_t bytes[METADUMP_ROLES]; /* size of each device; 0: not in the dump */
	unsigned version;
	bool obfuscated;  /* names are obfuscated */
	bool full_blocks; /* blocks include the bytes after their contents */
};

/* True if a file with these first METADUMP_MAGIC_LEN bytes is a metadump. */
#define METADUMP_MAGIC_LEN 4u
bool metadump_is(const uint8_t *bytes);
/*
 * Reads where the blocks of each device are. memory: bytes for each device's extents; more go to a temporary file.
 * metadump_close() closes fd; call it in any case. 0, or negative errno with the rest of a sentence in why, of size
 * bytes.
 */
int metadump_open(struct metadump *dump, int fd, uint64_t memory, char *why, size_t size);
void metadump_close(struct metadump *dump);
/* Returns the most bytes that a dump with this beginning can have, from the superblock in it; UINT64_MAX: unknown. */
#define METADUMP_BEGINNING 1024u
uint64_t metadump_most(const uint8_t beginning[static METADUMP_BEGINNING]);

/* Reads bytes of a device; those missing in the dump are zero. 0 or negative errno. */
int metadump_read(const struct metadump *dump, enum metadump_role role, void *buf, uint64_t offset, size_t len);
/*
 * Finds the first range from offset on that is in the dump, [*ret_data, *ret_hole), in bytes. 0; -ENXIO: there is none;
 * or another negative errno.
 */
int metadump_find(const struct metadump *dump, enum metadump_role role, uint64_t offset, uint64_t *ret_data,
		  uint64_t *ret_hole);

#endif
