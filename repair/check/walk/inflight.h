/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An inode in flight: its core, and the state of its forks so far.  Most inodes need this struct only while their chunk
 * is read; if blocks have been posted, it lives until the last of them has arrived.  Blocks may arrive in any order and
 * at several workers, so sums and tables are changed under the inode's lock.
 */
#ifndef XFSCK_REPAIR_INFLIGHT_H
#define XFSCK_REPAIR_INFLIGHT_H

#include <pthread.h>

#include "libxfs/da.h"
#include "libxfs/dquot.h"
#include "walker.h"

/* a leaf of a hash tree: its block, the one before it (back), and the range of its hashes */
struct da_leaf {
	uint32_t dablk;
	uint32_t back;
	uint32_t first_hash;
	uint32_t last_hash;
};

#define DA_LEVELS 6 /* leaves and at most five levels of nodes: ondisk 06 */

/* Sums over the hash tree of a directory or attribute fork, until all its blocks have arrived. */
struct da_tree {
	uint64_t children[DA_LEVELS]; /* per level: node entries minus blocks, as (dablk, last hash): 0 if they agree */
	uint64_t siblings;	      /* sum over (block, forw) minus (back, block): 0 if they agree */
	uint64_t links;		      /* forw pointers found */
	uint64_t blocks;	      /* nodes and leaves */
	unsigned root_level;
	bool root_seen;
	bool empty_leaf;   /* some leaf is empty and has no last hash, so children[] can't be compared */
	bool hash_repeats; /* some hash may occur twice; if not, no name does, since equal names have equal hashes */
	struct da_leaf *leaves;
	size_t nleaves, room;
};

struct dir_state {
	struct da_tree da;
	uint64_t unnamed;  /* leaf entries, minus entries in data blocks */
	uint64_t dots;	   /* entries in data blocks that are `.` or `..` */
	bool data_bad;	   /* a data block is unreadable or corrupt */
	uint64_t names;	   /* sum over (hash, address) of entries in data blocks, minus that of leaf entries */
	uint64_t bestfree; /* sum over (data block, longest free space) of data blocks, minus that of the free index */
	uint64_t data_end; /* the fs block of the fork behind the last mapped data block */
	uint64_t data_blocks, index_blocks, free_blocks; /* found, of directory block size */
	bool block_format;				 /* a block in block format was found */
	bool leaf1;					 /* a leaf with its own free index was found ... */
	uint32_t leaf1_bests;				 /* ... and the index has so many entries */
	uint64_t *fingerprints;				 /* a hash per name: equal ones are duplicates */
	size_t nfingerprints, room;
};

struct attr_state {
	struct da_tree da;
	uint64_t remote; /* sum over the value blocks that entries point to, minus those that were found */
	bool incomplete; /* an attribute is unfinished or damaged, so its value blocks are unknown */
	bool root_lost;	 /* block 0 is unreadable or corrupt */
	/* version 4 only, see attr_tree.c */
	struct bmap_record *map; /* the fork's extents */
	uint32_t *wanted;	 /* blocks of the tree to read next */
	uint32_t *tree;		 /* blocks of the tree that have been posted so far, sorted */
	size_t nmap, map_room, nwanted, wanted_room, ntree, tree_room;
	unsigned rounds;	/* levels of the tree that have been posted */
	bool values;		/* the whole tree has been read, and value blocks are being read */
	uint64_t *fingerprints; /* a hash per namespace and name: equal ones are duplicates */
	size_t nfingerprints, room;
};

/* The target of a symlink in blocks: its parts must join without gaps or overlaps. */
struct link_state {
	uint64_t parts; /* sum over hash(end) minus hash(begin) of the parts: that of the whole target if they join */
	uint64_t bytes; /* of all parts */
};

struct assemblies;    /* walk.h */
struct map_leaves;    /* map_sums.h */
struct rt_file_state; /* walk.h */

struct inflight_fork {
	struct tree bmbt;
	unsigned levels;   /* levels of btree blocks below the root in the inode */
	uint64_t extents;  /* found */
	uint64_t expected; /* extents that the core counts */
	uint64_t posted;   /* fs blocks that were posted */
};

struct inflight {
	pthread_mutex_t lock; /* first, since it outlives the inode: inflight_begin() clears the members after it */
	unsigned refs;	      /* posted wants, plus the walker that found it; atomic */
	bool gap;	      /* some block is unreadable or corrupt, so sums over all blocks can't be compared */
	struct place place;   /* of the inode */
	xino_t ino;
	uint32_t gen;
	enum ftype ftype;
	bool linked;		   /* nlink > 0: else its entries and parent pointers don't count */
	bool users;		   /* not a file of the file system itself */
	bool metadata;		   /* belongs to the metadata directory tree */
	bool reflink;		   /* has the flag: may share blocks */
	bool is_quota;		   /* it is a quota file ... */
	enum quota_type quota;	   /* ... of this type */
	uint32_t ids[QUOTA_TYPES]; /* uid, gid and project id: charged for it */
	bool unshared_reported;	   /* INODE_SHARED_NOT_REFLINK has been reported */
	uint64_t size;		   /* bytes */
	uint64_t nblocks;	   /* by the core */
	uint64_t blocks;	   /* found: extents and bmbt blocks of both forks */
	uint64_t rtblocks;	   /* of these, realtime blocks */
	bool blocks_known;	   /* the roots of both forks could be decoded */
	struct bmap_rules rules[2];
	struct inflight_fork fork[2];
	struct dir_state *dir;	 /* a directory that is not shortform */
	struct attr_state *attr; /* attributes that are not shortform */
	struct link_state link;
	struct rt_file_state *rt;      /* for a file of the realtime section */
	struct assemblies *assemblies; /* NULL: not needed */
	struct map_leaves *maps;       /* of each fork; NULL: no bmbt, or the scope lacks `maps` */
};

/* Returns a struct for this inode, with one reference; reuses the walker's spare one.  NULL: out of memory. */
struct inflight *inflight_begin(struct walker *w, const struct dinode *inode);
/* Frees a struct without references; NULL is allowed. */
void inflight_free(struct walker *w, struct inflight *inflight);
/* Takes a reference for a want that will be posted: from then on other workers may see the inode. */
void inflight_get(struct inflight *inflight);
/* walk_settle.c: drops a reference.  The last one makes the checks that need the whole inode, and ends it. */
void inflight_put(struct walker *w, struct inflight *inflight);

/*
 * Locks the sums and tables of the inode.  If the caller holds the only reference, nobody else can get one, so no lock
 * is taken.  The result, whether one was taken, is for inflight_unlock().  Don't call inflight_get() in between.
 */
static inline bool inflight_lock(struct inflight *inflight)
{
	if (__atomic_load_n(&inflight->refs, __ATOMIC_ACQUIRE) == 1)
		return false;
	pthread_mutex_lock(&inflight->lock);
	return true;
}

static inline void inflight_unlock(struct inflight *inflight, bool locked)
{
	if (locked)
		pthread_mutex_unlock(&inflight->lock);
}

/* Makes one of the inode's blocks the place for findings. */
void inflight_place(struct walker *w, const struct inflight *inflight, enum object kind, fsbno_t fsbno,
		    uint64_t fileoff);
/* Notes that some of the inode's blocks are unreadable or corrupt: names or attributes are missing.  Under lock. */
__attribute__((cold)) void inflight_gap(struct walker *w, struct inflight *inflight);

/* da_tree.c: a decoded leaf of a hash tree */
struct da_leaf_seen {
	dablk_t self, forw, back;
	bool root;			       /* the leaf is the whole tree */
	uint32_t count, first_hash, last_hash; /* of its entries */
};
/* Adds a leaf that has arrived; under the inode's lock. */
void da_tree_leaf(struct walker *w, struct da_tree *da, const struct da_leaf_seen *leaf);
/* Reports sums that are not 0, and leaves out of order, after the last block. */
void da_tree_settle(struct walker *w, struct da_tree *da);
/* Decodes a node block of len bytes and adds it to the sums; takes the lock itself. */
void da_tree_node(struct walker *w, struct inflight *inflight, struct da_tree *da, const uint8_t *bytes, uint32_t len,
		  const struct da_expect *expect, bool root);

/* fingerprints.c: appends the hashes of the names in the walker's current block to an array. */
void fingerprints_add(struct walker *w, uint64_t **all, size_t *count, size_t *room);
/* Returns how many hashes repeat another one.  Overwrites the array. */
uint64_t fingerprints_repeated(uint64_t *all, size_t count);

/* totals of the extents of one block or one inline fork */
struct extent_sums {
	uint64_t extents;
	uint64_t blocks;
	uint64_t rtblocks;
	uint64_t rt_mapped; /* blocks in records of an rtrmapbt */
};

/* walk_extent.c: claims an extent of a fork, posts its blocks if they hold metadata, and adds it to the sums. */
void walk_extent(struct walker *w, struct inflight *inflight, enum fork fork, const struct bmap_record *record,
		 struct extent_sums *sums);

/* Posts `blocks` fs blocks of an extent, after its first `skip`. */
void walk_extent_post(struct walker *w, struct inflight *inflight, enum fork fork, const struct bmap_record *r,
		      uint64_t skip, uint64_t blocks);

/* walk_fork.c: walks a fork of an inode that has just been decoded. */
void walk_fork(struct walker *w, struct inflight *inflight, enum fork which, const struct dinode_fork *fork);

/* walk_dir.c: a shortform directory; a directory block; the checks that need all blocks */
void walk_dir_shortform(struct walker *w, struct inflight *inflight, const struct dinode_fork *fork);
void walk_dir_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr,
		    uint64_t fileoff);
void dir_settle(struct walker *w, struct inflight *inflight);
/* Passes to the sink the number of entries in lost blocks; 0 if the index is too damaged to show it. */
void dir_tell_unnamed(struct walker *w, const struct inflight *inflight);

/* walk_attr.c: shortform attributes; a block of an attribute fork; the checks that need all blocks */
void walk_attr_shortform(struct walker *w, struct inflight *inflight, const struct dinode_fork *fork);
void walk_attr_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr,
		     uint64_t fileoff);
void attr_settle(struct walker *w, struct inflight *inflight);
/* Notes that a block that may have held attributes is lost. */
void walk_attr_lost(struct walker *w, const struct inflight *inflight, uint64_t fileoff);
/* Does the same for block 0, after the whole inode has been read. */
void attr_tell_lost_root(struct walker *w, const struct inflight *inflight);

/* attr_tree.c: attribute forks of version 4 */
/* Adds an extent of the fork. */
void attr_tree_map(struct walker *w, struct inflight *inflight, const struct bmap_record *record);
/* Adds the children of a node to the blocks to read next. */
void attr_tree_children(struct walker *w, struct inflight *inflight, const uint8_t *bytes,
			const struct da_expect *expect);
/* Returns what a value of valuelen bytes, in blocks from dablk on, adds to attr_state.remote. */
uint64_t attr_tree_value(const struct walker *w, uint64_t dablk, uint32_t valuelen);
/*
 * Call it when the last reference to an inode with `attr` has been dropped.  True: more blocks of the fork have been
 * posted, and the caller holds a reference again.  False: all have been read.
 */
bool attr_tree_continue(struct walker *w, struct inflight *inflight);
void attr_tree_free(struct attr_state *attr);

/* walk_inode.c */
void walk_symlink_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, uint32_t len, xdaddr_t daddr,
			uint64_t fileoff);
void symlink_settle(struct walker *w, struct inflight *inflight);

/* walk_quota.c: notes the ids that are charged for an inode in use, and whether it is a quota file. */
void walk_quota_begin(struct walker *w, struct inflight *inflight, const struct dinode *inode);
/* Checks an extent of a quota file.  True: its blocks are worth reading. */
bool walk_quota_extent(struct walker *w, const struct inflight *inflight, const struct bmap_record *record);
void walk_quota_block(struct walker *w, const struct inflight *inflight, const uint8_t *bytes, uint64_t fileoff);
/* Charges the ids of an inode with its usage, after all of it has been read. */
void walk_quota_settle(struct walker *w, const struct inflight *inflight);

#endif
