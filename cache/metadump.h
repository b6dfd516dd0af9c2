/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A metadump of either version (ondisk 13), read as the sparse devices that it was made of. */
#ifndef XFSCK_CACHE_METADUMP_H
#define XFSCK_CACHE_METADUMP_H

#include "extent_map.h"

enum metadump_part {
	METADUMP_DATA,
	METADUMP_LOG, /* an external one */
	METADUMP_RT,
	METADUMP_PARTS,
};

struct metadump {
	int fd;
	struct extent_map maps[METADUMP_PARTS];
	uint64_t bytes[METADUMP_PARTS]; /* size of each device; 0: the dump has nothing of it */
	unsigned version;
	bool obfuscated;  /* names are changed */
	bool full_blocks; /* what blocks hold behind their contents is there, too */
};

/* Bytes of a file whose first METADUMP_MAGIC_LEN bytes are these: true if it is a metadump. */
#define METADUMP_MAGIC_LEN 4u
bool metadump_is(const uint8_t *bytes);
/*
 * Read where everything lies in a dump; that takes so many bytes of memory for each device, and what does not fit goes
 * to a temporary file.  fd is closed by metadump_close(), which the caller calls in any case.  0, or negative errno;
 * then why, of size bytes, is the rest of a sentence.
 */
int metadump_open(struct metadump *dump, int fd, uint64_t memory, char *why, size_t size);
void metadump_close(struct metadump *dump);
/*
 * The most bytes that a dump which begins so can have, by the superblock in it; UINT64_MAX: that is not known.
 */
#define METADUMP_BEGINNING 1024u
uint64_t metadump_most(const uint8_t beginning[static METADUMP_BEGINNING]);

/* Read bytes of a device; those that the dump lacks are zero. 0 or negative errno. */
int metadump_read(const struct metadump *dump, enum metadump_part part, void *buf, uint64_t offset, size_t len);
/*
 * Find the first range from offset on that the dump has, [*ret_data, *ret_hole), in bytes.  0; -ENXIO: there is none;
 * or another negative errno.
 */
int metadump_find(const struct metadump *dump, enum metadump_part part, uint64_t offset, uint64_t *ret_data,
		  uint64_t *ret_hole);

#endif
