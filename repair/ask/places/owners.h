/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose bytes of the line are, once all facts are in. */
#ifndef XFSCK_REPAIR_OWNERS_H
#define XFSCK_REPAIR_OWNERS_H

#include "hits.h"
#include "holders.h"

struct owners {
	const struct geometry *geo;
	struct hit *v; /* by start; they belong to the hits that they came from */
	size_t count;
	uint64_t *reach; /* for each, where the farthest of those up to it ends */
	struct hit *chunks;
	size_t nchunks;
	uint64_t dropped;      /* facts that there was no room for */
	struct ino_set files;  /* inodes whose blocks are asked for */
	struct ino_set wanted; /* these and others, to be told with their paths */
	size_t wanted_most;    /* inodes whose paths are looked for; the others are told by number alone */
	bool unnamed;	       /* there are such */
	bool starved;	       /* there was no memory for a set */
	struct holders holders;
	const struct names_noted *names;
};

/* Begin with all that was collected. 0 or -ENOMEM; free them in either case. */
int owners_begin(struct owners *owners, const struct repair *rc, struct hits *hits);
void owners_free(struct owners *owners);
/* Want what is to be told of inodes that have, or are, some of these bytes of the line; then find it all. 0 or -errno.
 */
int owners_want(struct owners *owners, uint64_t start, uint64_t end);
int owners_find(struct owners *owners, struct repair *rc);

/* What bytes are. x(symbol, name in JSON, in words) */
/* clang-format off */
#define WHO_TABLE(x) \
	x(DATA, "data", "data") \
	x(DIR_DATA, "directory_data", "directory data block") \
	x(DIR_LEAF, "directory_leaf", "directory leaf") \
	x(DIR_FREE, "directory_free", "directory free index") \
	x(SYMLINK, "symlink", "target of a symlink") \
	x(ATTR, "attributes", "attributes") \
	x(BMBT, "bmbt", "bmbt block") \
	x(ATTR_BMBT, "attribute_bmbt", "bmbt block of the attribute fork") \
	x(INODE, "inode", "the inode itself") \
	x(INODE_FREE, "free_inode", "free inode") \
	x(HEADER, "header", NULL) \
	x(BTREE, "btree", NULL) \
	x(AGFL, "agfl", "block of the AGFL, for the free-space btrees") \
	x(LOG, "log", "log") \
	x(STAGED, "staged", "staged for copy on write") \
	x(FREE, "free", "free") \
	x(NOBODY, "unclaimed", "nothing claims it") \
	x(UNKNOWN, "unknown", "not known, for lack of memory") \
	x(BEHIND, "behind", "behind the end of the file system") \
	x(NO_DEVICE, "no_device", "there is no such device")
/* clang-format on */

enum who_kind {
#define x(symbol, name, words) WHO_##symbol,
	WHO_TABLE(x)
#undef x
};

struct who {
	enum who_kind kind;
	const char *object;  /* WHO_HEADER, WHO_BTREE: which; else NULL */
	uint64_t start, end; /* bytes of the line */
	uint64_t ino;	     /* of the file, or of the inode that lies there; NULL_INO: none */
	uint64_t offset;     /* WHO_DATA to WHO_ATTR: of the first of these bytes in the fork, in bytes */
	bool unwritten;
	const struct holder *holder; /* NULL: there is none, or it is not known */
};

/* True if a part of a fork is meant, so that there is an offset. */
static inline bool who_is_in_fork(enum who_kind kind)
{
	return kind <= WHO_ATTR;
}

/* Tell each owner of these bytes; each but WHO_INODE only once, however often it has them. */
void owners_each(const struct owners *owners, uint64_t start, uint64_t end,
		 void (*tell)(void *ctx, const struct who *who), void *ctx);

/* The same for one of the facts alone, about what of it is in these bytes. */
void owners_tell_hit(const struct owners *owners, const struct hit *hit, uint64_t start, uint64_t end,
		     void (*tell)(void *ctx, const struct who *who), void *ctx);

/* "data", and in words */
const char *who_name(enum who_kind kind);
const char *who_words(const struct who *who);

#endif
