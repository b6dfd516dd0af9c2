/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An inode in flight: what its core says, and what the blocks of its forks have shown so far.  For most inodes this
 * struct is needed only while their chunk is looked at; if blocks have been posted, until the last of them has come.
 * Blocks may come in any order and to several workers, so sums and tables are added to under the inode's lock.
 */
#ifndef XFSCK_REPAIR_INFLIGHT_H
#define XFSCK_REPAIR_INFLIGHT_H

#include <pthread.h>

#include "libxfs/da.h"
#include "libxfs/dquot.h"
#include "walker.h"

/* one leaf of a hash tree: its block, the one before it (back), and the range of its hashes */
struct da_leaf {
	uint32_t dablk;
	uint32_t back;
	uint32_t first_hash;
	uint32_t last_hash;
};

#define DA_LEVELS 6 /* leaves and at most five levels of nodes: ondisk 06 */

/* Sums over the hash tree of a directory or attribute fork, until all its blocks have come. */
struct da_tree {
	uint64_t children[DA_LEVELS]; /* per level: node entries minus blocks, as (dablk, last hash): 0 if they agree */
	uint64_t siblings;	      /* sum over (block, forw) minus (back, block): 0 if they agree */
	uint64_t links;		      /* forw pointers seen */
	uint64_t blocks;	      /* nodes and leaves */
	unsigned root_level;
	bool root_seen;
	bool empty_leaf;   /* some leaf is empty, so it has no last hash, and children[] can't be compared */
	bool hash_repeats; /* some hash may occur twice; if not, no name does, since equal names have equal hashes */
	struct da_leaf *leaves;
	size_t nleaves, room;
};

struct dir_state {
	struct da_tree da;
	uint64_t unnamed;  /* leaf entries, minus entries in data blocks */
	uint64_t dots;	   /* entries in data blocks that are `.` or `..` */
	bool data_lost;	   /* a data block could not be read or decoded */
	uint64_t names;	   /* sum over (hash, address) of entries in data blocks, minus that of leaf entries */
	uint64_t bestfree; /* sum over (data block, longest free space) of data blocks, minus that of the free index */
	uint64_t data_end; /* the fs block of the fork behind the last mapped data block */
	uint64_t data_blocks, index_blocks, free_blocks; /* seen, of directory block size */
	bool block_format;				 /* a block in block format was seen */
	bool leaf1;					 /* a leaf with a free index of its own was seen ... */
	uint32_t leaf1_bests;				 /* ... and the index has so many entries */
	uint64_t *fingerprints;				 /* a hash per name: equal ones are duplicates */
	size_t nfingerprints, room;
};

struct attr_state {
	struct da_tree da;
	uint64_t remote; /* sum over the value blocks that entries name, minus those that were found */
	bool incomplete; /* an attribute is unfinished or damaged, so its value blocks are not known */
	bool root_lost;	 /* block 0 can't be read or decoded */
	/* version 4 only, see attr_tree.c */
	struct bmap_record *map; /* the fork's extents */
	uint32_t *wanted;	 /* blocks of the tree that are to be read next */
	uint32_t *tree;		 /* blocks of the tree that have been asked for so far, sorted */
	size_t nmap, map_room, nwanted, wanted_room, ntree, tree_room;
	unsigned rounds;	/* levels of the tree that have been posted */
	bool values;		/* the whole tree has been read; value blocks are being read now */
	uint64_t *fingerprints; /* a hash per namespace and name: equal ones are duplicates */
	size_t nfingerprints, room;
};

/* The target of a symlink in blocks: its parts must join without gap or overlap. */
struct link_state {
	uint64_t parts; /* sum over hash(end) minus hash(begin) of each part: telescopes to that of the whole target */
	uint64_t bytes; /* of all parts */
};

struct assemblies;    /* walk.h */
struct map_pieces;    /* map_sums.h */
struct rt_file_state; /* walk.h */

struct inflight_fork {
	struct tree bmbt;
	unsigned levels;   /* levels of btree blocks below the root in the inode */
	uint64_t extents;  /* seen */
	uint64_t expected; /* extents that the core counts */
	uint64_t posted;   /* fs blocks posted to be read */
};

struct inflight {
	pthread_mutex_t lock; /* first, since it outlives the inode: inflight_begin() clears what follows it */
	unsigned refs;	      /* wants posted for it, and the walker that found it; atomic */
	bool gap;	      /* some block could not be read or decoded, so sums over all blocks prove nothing */
	struct place place;   /* the inode's */
	xino_t ino;
	uint32_t gen;
	enum ftype ftype;
	bool linked;		   /* nlink > 0: only then do its entries and parent pointers count */
	bool users;		   /* no file of the file system's own */
	bool metadata;		   /* belongs to the metadata directory tree */
	bool reflink;		   /* has the flag: may share blocks */
	bool is_quota;		   /* it is a quota file, ... */
	enum quota_type quota;	   /* ... of this type */
	uint32_t ids[QUOTA_TYPES]; /* uid, gid and project id: who is charged for it */
	bool unshared_reported;	   /* INODE_SHARED_NOT_REFLINK has been reported */
	uint64_t size;		   /* bytes */
	uint64_t nblocks;	   /* that the core counts */
	uint64_t blocks;	   /* seen: extents and bmbt blocks of both forks */
	uint64_t rtblocks;	   /* of these, realtime ones */
	bool blocks_known;	   /* the roots of both forks could be decoded */
	struct bmap_rules rules[2];
	struct inflight_fork fork[2];
	struct dir_state *dir;	 /* a directory that is not shortform */
	struct attr_state *attr; /* attributes that are not shortform */
	struct link_state link;
	struct rt_file_state *rt;      /* one of the realtime section's own files */
	struct assemblies *assemblies; /* NULL: none was needed */
	struct map_pieces *maps;       /* of each fork; NULL: none has a bmbt, or nobody asks for `maps` */
};

/* A struct for this inode, with one reference; reuses the walker's spare one. NULL: out of memory. */
struct inflight *inflight_begin(struct walker *w, const struct dinode *inode);
/* Free a struct that has no references; NULL is fine. */
void inflight_free(struct walker *w, struct inflight *inflight);
/* Take a reference for a want that will be posted: from then on other workers may see the inode. */
void inflight_get(struct inflight *inflight);
/* walk_settle.c: drop a reference.  The last one makes the checks that need the whole inode, and ends it. */
void inflight_put(struct walker *w, struct inflight *inflight);

/*
 * Called before sums and tables of the inode are touched.  If the caller holds the only reference, nobody else can get
 * one, so no lock is taken; the result, whether one was taken, goes to inflight_unlock().  inflight_get() must not be
 * called in between.
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

/* Make one of the inode's blocks the place that findings are about. */
void inflight_place(struct walker *w, const struct inflight *inflight, enum object kind, fsbno_t fsbno,
		    uint64_t fileoff);
/* Some of the inode's blocks could not be read or decoded: names or attributes are missing. Under lock. */
__attribute__((cold)) void inflight_gap(struct walker *w, struct inflight *inflight);

/* da_tree.c: a decoded leaf of a hash tree */
struct da_leaf_seen {
	dablk_t self, forw, back;
	bool root;			       /* it is the whole tree */
	uint32_t count, first_hash, last_hash; /* of its entries */
};
/* Add a leaf that has come; under the inode's lock. */
void da_tree_leaf(struct walker *w, struct da_tree *da, const struct da_leaf_seen *leaf);
/* After the last block: report sums that are not 0, and leaves out of order. */
void da_tree_settle(struct walker *w, struct da_tree *da);
/* Decode a node block of len bytes and add it to the sums; takes the lock itself. */
void da_tree_node(struct walker *w, struct inflight *inflight, struct da_tree *da, const uint8_t *bytes, uint32_t len,
		  const struct da_expect *expect, bool root);

/* fingerprints.c: append the hashes of the names in the walker's current block to an array */
void fingerprints_add(struct walker *w, uint64_t **all, size_t *count, size_t *room);
/* How many hashes repeat another one. The array's contents are spoilt. */
uint64_t fingerprints_repeated(uint64_t *all, size_t count);

/* what the extents of one block or one inline fork add up to */
struct extent_sums {
	uint64_t extents;
	uint64_t blocks;
	uint64_t rtblocks;
	uint64_t rt_mapped; /* blocks in records of an rtrmapbt */
};

/* walk_extent.c: claim an extent of a fork, post its blocks if they hold metadata, and add it to sums */
void walk_extent(struct walker *w, struct inflight *inflight, enum fork fork, const struct bmap_record *record,
		 struct extent_sums *sums);

/* Post `blocks` fs blocks of an extent to be read, after leaving out its first `skip`. */
void walk_extent_post(struct walker *w, struct inflight *inflight, enum fork fork, const struct bmap_record *r,
		      uint64_t skip, uint64_t blocks);

/* walk_fork.c: go into a fork of an inode that has just been decoded */
void walk_fork(struct walker *w, struct inflight *inflight, enum fork which, const struct dinode_fork *fork);

/* walk_dir.c: a directory in the inode; one directory block; the checks that need all blocks */
void walk_dir_shortform(struct walker *w, struct inflight *inflight, const struct dinode_fork *fork);
void walk_dir_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr,
		    uint64_t fileoff);
void dir_settle(struct walker *w, struct inflight *inflight);
/* Tell the sink how many names must have been in blocks that are lost; an index that is too large tells nothing. */
void dir_tell_unnamed(struct walker *w, const struct inflight *inflight);

/* walk_attr.c: attributes in the inode; one block of an attribute fork; the checks that need all blocks */
void walk_attr_shortform(struct walker *w, struct inflight *inflight, const struct dinode_fork *fork);
void walk_attr_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr,
		     uint64_t fileoff);
void attr_settle(struct walker *w, struct inflight *inflight);
/* A block that may have held attributes is lost. */
void walk_attr_lost(struct walker *w, const struct inflight *inflight, uint64_t fileoff);
/* When all of the inode has been seen: the same about block 0. */
void attr_tell_lost_root(struct walker *w, const struct inflight *inflight);

/* attr_tree.c: attribute forks of version 4 */
/* Remember an extent of the fork. */
void attr_tree_map(struct walker *w, struct inflight *inflight, const struct bmap_record *record);
/* A node has come: its children are to be read next. */
void attr_tree_children(struct walker *w, struct inflight *inflight, const uint8_t *bytes,
			const struct da_expect *expect);
/* What a value of valuelen bytes, in blocks from dablk on, adds to attr_state.remote. */
uint64_t attr_tree_value(const struct walker *w, uint64_t dablk, uint32_t valuelen);
/*
 * Called when the last reference to an inode with `attr` has been dropped.  True: more blocks of the fork have been
 * posted, and the caller holds a reference again.  False: all have been read.
 */
bool attr_tree_continue(struct walker *w, struct inflight *inflight);
void attr_tree_free(struct attr_state *attr);

/* walk_inode.c */
void walk_symlink_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, uint32_t len, xdaddr_t daddr,
			uint64_t fileoff);
void symlink_settle(struct walker *w, struct inflight *inflight);

/* walk_quota.c: note who is charged for an inode in use, and whether it is a quota file */
void walk_quota_begin(struct walker *w, struct inflight *inflight, const struct dinode *inode);
/* Check an extent of a quota file. True: its blocks are worth reading. */
bool walk_quota_extent(struct walker *w, const struct inflight *inflight, const struct bmap_record *record);
void walk_quota_block(struct walker *w, const struct inflight *inflight, const uint8_t *bytes, uint64_t fileoff);
/* Charge the ids of an inode for what it uses, once all of it has been seen. */
void walk_quota_settle(struct walker *w, const struct inflight *inflight);

#endif
