/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts, and sinks, which receive them.  The traversal reads each block once and passes the facts in it to a sink, in
 * any order and from any thread.  The ledger is a sink that adds facts up; evidence is a sink that keeps them as
 * records.  worker: the number of the calling worker; a sink keeps separate counters for each worker.
 */
#ifndef XFSCK_REPAIR_SINK_H
#define XFSCK_REPAIR_SINK_H

#include "geometry.h"
#include "libxfs/btree.h"
#include "libxfs/da.h"
#include "libxfs/dinode.h"
#include "place.h"
#include "sets/hash.h"

/* Blocks [start, start + len) of an AG or realtime group. */
struct blocks {
	group_t group;
	gbno_t start;
	uint64_t len;
};

/* Returns the blocks of an extent, which begins at a block of the data device or of the realtime device. */
static inline struct blocks blocks_of_extent(const struct geometry *geo, bool realtime, fsbno_t start, uint64_t len)
{
	if (realtime)
		return (struct blocks){ group_of_rg(geo, (uint32_t)rgno_of_rtbno(geo, start)),
					rgbno_of_rtbno(geo, start), len };
	return (struct blocks){ group_of_ag(agno_of_fsbno(geo, start)), { agbno_of_fsbno(geo, start).v }, len };
}

/* An owner's claim on blocks. */
struct claim {
	struct blocks at;
	uint64_t owner;	 /* inode number or OWNER_* */
	uint64_t offset; /* block in the fork; 0 for special owners and bmbt blocks */
	uint8_t flags;	 /* RMAP_* */
	uint8_t object;	 /* enum object: which part of a special owner; OBJ_INODE: an inode that may share no blocks */
};

/* True if blocks claimed in this way may have no other owner: only written data of regular files is ever shared. */
static inline bool claim_is_alone(uint64_t owner, uint8_t flags, uint8_t object)
{
	return owner >= OWNER_COW || flags || object == OBJ_INODE;
}

/* A directory entry. */
struct entry_fact {
	xino_t directory;
	uint32_t directory_gen;
	bool metadata;	  /* the directory belongs to the metadata tree */
	bool dot, dotdot; /* the entry is `.` or `..`, and `name` is not set */
	uint8_t ftype;	  /* FT_UNKNOWN: the entry has no type */
	xino_t target;
	const uint8_t *name; /* points into the current block: valid during the call only */
	uint8_t namelen;
	uint64_t name_hash; /* hash_name() under the sink's key */
	uint64_t indexed;   /* hash of the entry's fields in the hash index: x(indexed); 0: in shortform */
};

/* A parent pointer. */
struct pptr_fact {
	xino_t child;
	xino_t parent;
	uint32_t parent_gen;
	const uint8_t *name; /* as in struct entry_fact */
	uint8_t namelen;
	uint64_t name_hash;
	uint8_t ftype; /* the child's type, from its mode */
	bool metadata; /* the child belongs to the metadata tree */
};

/* Totals of all extents of a fork. */
struct map_fact {
	xino_t ino;
	enum fork fork;
	enum ftype ftype; /* of the inode */
	bool realtime;	  /* it maps blocks of the realtime section */
	bool quota;	  /* the inode is a quota file */
	bool rtfile;	  /* the inode is a file of the realtime section */
	bool whole;	  /* all extents that the inode counts have been seen */
	uint64_t size;	  /* of the inode, in bytes */
	uint64_t extents;
	uint64_t ranges;    /* least number of extents of any length: parts between holes */
	uint64_t jumps;	    /* written extents that don't follow the previous written one on the device */
	uint64_t blocks;    /* in all extents */
	uint64_t unwritten; /* in unwritten extents */
	uint64_t beyond;    /* beyond the end of the file */
};

/* Parameters of an operation: ctx and worker, then its own. */
#define ARGS(...) (void *ctx, unsigned worker, __VA_ARGS__)

/*
 * All kinds of facts, as x(operation, parameters, arguments).  A sink has NULL for facts that it does not want;
 * sink_tell() checks that.
 */
/* clang-format off */
#define SINK_TABLE(x)                                                                                                  \
	x(claim, ARGS(const struct claim *claim), claim)                                                               \
	/* the refcount btree has some of these blocks as shared, but their owner may not share blocks */              \
	x(alone, ARGS(const struct blocks *blocks), blocks)                                                            \
	/* a record of the free-space btree `kind`; free extents of a realtime bitmap count as BT_BNO */               \
	x(free_extent, ARGS(enum btree_kind kind, const struct blocks *blocks), kind, blocks)                          \
	x(rmap, ARGS(group_t group, const struct rmap_record *record), group, record)                                  \
	x(refcount, ARGS(group_t group, const struct refcount_record *record), group, record)                          \
	/* a record of inobt or finobt */                                                                              \
	x(chunk, ARGS(enum btree_kind kind, agno_t agno, const struct inobt_record *record), kind, agno, record)       \
	/* an inode in use */                                                                                          \
	x(inode, ARGS(const struct dinode *inode), inode)                                                              \
	x(entry, ARGS(const struct entry_fact *entry), entry)                                                          \
	x(pptr, ARGS(const struct pptr_fact *pptr), pptr)                                                              \
	/* an AGI bucket or an unlinked inode points to this inode */                                                  \
	x(unlinked, ARGS(agno_t agno, agino_t agino), agno, agino)                                                     \
	/* the superblock names this inode, so that no directory needs to */                                           \
	x(rooted, ARGS(xino_t ino, bool metadata), ino, metadata)                                                      \
                                                                                                                       \
	/* Only for a scope with `contents`; pointers in arguments are valid during the call only: */                  \
                                                                                                                       \
	/*                                                                                                             \
	 * The next facts of this worker come from a block or inode with this checksum, whose header has this inode      \
	 * number; wrong: the checksum is wrong                                                                        \
	 */                                                                                                            \
	x(sealed, ARGS(uint32_t crc, bool wrong, xino_t owner), crc, wrong, owner)                                     \
	/* an entry in a directory's hash index: entry_fact.indexed */                                                 \
	x(indexed, ARGS(xino_t directory, uint64_t indexed), directory, indexed)                                       \
	/* a part of an attribute's value, in a remote block */                                                        \
	x(value, ARGS(xino_t ino, dablk_t dablk, const uint8_t *bytes, uint32_t len), ino, dablk, bytes, len)          \
	/* an attribute, other than a parent pointer */                                                                \
	x(attribute, ARGS(xino_t ino, const struct attr_entry *attribute), ino, attribute)                             \
	/* a part of the target of a symbolic link */                                                                  \
	x(target, ARGS(xino_t ino, uint32_t offset, const uint8_t *bytes, uint32_t len), ino, offset, bytes, len)      \
	/* the inobt has this inode as in use, but it is unreadable (bytes: NULL), or the bytes are no inode; unsure:  */ \
	/* the block that says so has a wrong checksum */                                                              \
	x(unread, ARGS(xino_t ino, const uint8_t *bytes, bool unsure), ino, bytes, unsure)                             \
	/* the contents of blocks [offset, end) of the fork, if any, are unknown: their map or they are lost */        \
	x(unmapped, ARGS(xino_t ino, enum fork fork, uint64_t offset, uint64_t end), ino, fork, offset, end)           \
	/* a directory block is lost: the hash index has `count` more entries than were found; UINT64_MAX: unknown */  \
	x(unnamed, ARGS(xino_t ino, uint64_t count), ino, count)                                                       \
                                                                                                                       \
	/* Only for a scope with `maps`: */                                                                            \
                                                                                                                       \
	/* a complete extent map, of a fork that is neither local nor a btree of another kind */                       \
	x(mapped, ARGS(const struct map_fact *map), map)                                                               \
                                                                                                                       \
	/* Changes that will follow when the operations that a crash interrupted are completed (intents.h): */         \
                                                                                                                       \
	/* this claim will be given up */                                                                              \
	x(unclaim, ARGS(const struct claim *claim), claim)                                                             \
	/* this rmap record will be removed */                                                                         \
	x(unmap, ARGS(group_t group, const struct rmap_record *record), group, record)                                 \
	/* these blocks will be free, by bnobt and cntbt or a realtime bitmap */                                       \
	x(freed, ARGS(const struct blocks *blocks), blocks)                                                            \
	/* these blocks will have one user more or less than in the refcount btree: change is 1 or -1 */               \
	x(recount, ARGS(const struct blocks *blocks, int change), blocks, change)
/* clang-format on */

struct sink_ops {
#define x(op, parameters, ...) void(*op) parameters;
	SINK_TABLE(x)
#undef x
};

struct sink {
	const struct sink_ops *ops;
	void *ctx;
	const struct hash_key *key; /* for name_hash */
};

/* Passes a fact to a sink, if it wants that kind: operation, worker, arguments. */
#define sink_tell(to, op, ...)                                                                                         \
	do {                                                                                                           \
		const struct sink *sink_ = (to);                                                                       \
		if (sink_->ops->op)                                                                                    \
			sink_->ops->op(sink_->ctx, __VA_ARGS__);                                                       \
	} while (0)

/* Passes every fact to the sink at the start of *ctx: for sinks that change only some kinds. */
extern const struct sink_ops sink_passing_on;

/* Two sinks for one traversal: both get every fact. */

struct sink_both {
	struct sink first, second; /* with the same key */
};

/* Returns a sink that passes every fact to both; *room must outlive it. */
struct sink sink_both(struct sink_both *room, const struct sink *first, const struct sink *second);

#endif
