/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An inode in flight: what its core promised, and what its forks' blocks have
 * shown so far.  Most inodes live only while their chunk is looked at; one whose
 * blocks have been posted lives until the last has come.  Blocks may come in
 * any order and to several workers, so sums and tables are added to under its lock.
 */
#ifndef XFSCK_REPAIR_INFLIGHT_H
#define XFSCK_REPAIR_INFLIGHT_H

#include <pthread.h>

#include "libxfs/da.h"
#include "libxfs/dquot.h"
#include "walker.h"

/* one leaf of a da tree */
struct da_leaf {
	uint32_t dablk;
	uint32_t back;
	uint32_t first_hash;
	uint32_t last_hash;
};

#define DA_LEVELS 6 /* leaves and at most five levels of nodes: ondisk 06 */

/* The hash tree of a directory or attribute fork, until all its blocks have come. */
struct da_tree {
	uint64_t children[DA_LEVELS]; /* per level: node entries minus blocks, as (dablk, last hash): 0 if they agree */
	uint64_t siblings;	      /* sum over (block, forw) minus (back, block): 0 if they agree */
	uint64_t links;		      /* forw pointers */
	uint64_t blocks;	      /* nodes and leaves */
	unsigned root_level;
	bool root_seen;
	bool empty_leaf;   /* has no last hash: children can't be compared */
	bool hash_repeats; /* or may: equal names have equal hashes, so without these there are none */
	struct da_leaf *leaves;
	size_t nleaves, room;
};

struct dir_state {
	struct da_tree da;
	uint64_t names;	   /* (hash, address) of data entries minus leaf entries */
	uint64_t bestfree; /* (db, longest free) of data blocks minus the free index */
	uint64_t data_end; /* behind the last mapped data block, in fs blocks of the fork */
	uint64_t data_blocks, index_blocks, free_blocks; /* of directory block size */
	bool block_format;
	bool leaf1;
	uint32_t leaf1_bests;
	uint64_t *fingerprints; /* a hash per name: equal ones are duplicates */
	size_t nfingerprints, room;
};

struct attr_state {
	struct da_tree da;
	uint64_t remote; /* value blocks that entries want minus those there are */
	bool incomplete; /* an attribute is unfinished or damaged: what value blocks it has can't be told */
	/* V4 only, see attr_tree.c: */
	struct bmap_record *map; /* the fork's extents */
	uint32_t *wanted;	 /* blocks of the tree that are to be read next, */
	uint32_t *tree;		 /* and all that have been before, sorted */
	size_t nmap, map_room, nwanted, wanted_room, ntree, tree_room;
	unsigned rounds; /* levels of the tree that have been read */
	bool values;	 /* all of them: what is read now is values */
	uint64_t *fingerprints;
	size_t nfingerprints, room;
};

struct link_state {
	uint64_t parts; /* (offset, bytes) of the parts must be a chain: (end) minus (begin) */
	uint64_t bytes;
};

struct assemblies;    /* assembly.h */
struct rt_file_state; /* walk_rt.h */

struct inflight_fork {
	struct tree bmbt;
	unsigned levels;   /* of bmbt blocks below the inode */
	uint64_t extents;  /* seen */
	uint64_t expected; /* that the core promises */
	uint64_t posted;   /* fs blocks posted to be read */
};

struct inflight {
	pthread_mutex_t lock; /* first: it outlives the inode, see inflight_begin() */
	unsigned refs;	      /* wants posted for it, and the walker that found it; atomic */
	bool gap;	      /* something of it could not be gone into: what is missing proves nothing */
	struct place place;   /* the inode's */
	xino_t ino;
	uint32_t gen;
	enum ftype ftype;
	bool linked; /* nlink > 0: its entries count */
	bool metadata;
	bool reflink;
	bool is_quota; /* a quota file, of this type: */
	enum quota_type quota;
	uint32_t ids[QUOTA_TYPES]; /* whose usage its own is */
	bool unshared_reported;	   /* a shared extent without the flag: once is enough */
	uint64_t size;		   /* bytes */
	uint64_t nblocks;	   /* promised */
	uint64_t blocks;	   /* seen: extents and bmbt blocks of both forks */
	uint64_t rtblocks;	   /* of these, realtime ones */
	bool blocks_known;	   /* both forks could be gone into */
	struct bmap_rules rules[2];
	struct inflight_fork fork[2];
	struct dir_state *dir;	 /* a directory that is not shortform */
	struct attr_state *attr; /* attributes that are not shortform */
	struct link_state link;
	struct rt_file_state *rt;      /* one of the realtime section's own files */
	struct assemblies *assemblies; /* NULL: none was needed */
};

/* The walker's spare object made into one for this inode, with one reference; NULL: out of memory. */
struct inflight *inflight_begin(struct walker *w, const struct dinode *inode);
/* A spare one is given up; NULL is fine. */
void inflight_free(struct walker *w, struct inflight *inflight);
/* One more want refers to it: from now on it may be seen by other workers. */
void inflight_get(struct inflight *inflight);
/* walk_settle.c: drop a reference; the last one settles the object: what only the whole inode can tell is checked. */
void inflight_put(struct walker *w, struct inflight *inflight);

/*
 * Before its sums and tables are touched. While nobody else holds a reference nobody else can get one, and no lock
 * is taken: then false. The answer goes to inflight_unlock(). inflight_get() must not be called in between.
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

/* The place of one of its blocks. */
void inflight_place(struct walker *w, const struct inflight *inflight, enum object kind, fsbno_t fsbno,
		    uint64_t fileoff);
/* Something could not be gone into. Under lock. */
__attribute__((cold)) void inflight_gap(struct walker *w, struct inflight *inflight);

/* da_tree.c */
struct da_leaf_seen {
	dablk_t self, forw, back;
	bool root;
	uint32_t count, first_hash, last_hash; /* of its entries */
};
/* A leaf has come; under the object's lock. */
void da_tree_leaf(struct walker *w, struct da_tree *da, const struct da_leaf_seen *leaf);
void da_tree_settle(struct walker *w, struct da_tree *da);
/* A node block of len bytes has come: decodes it and adds it. Takes the lock itself. */
void da_tree_node(struct walker *w, struct inflight *inflight, struct da_tree *da, const uint8_t *bytes, uint32_t len,
		  const struct da_expect *expect, bool root);

/* fingerprints.c: add the walker's to an array; how many of an array repeat another (which spoils it) */
void fingerprints_add(struct walker *w, uint64_t **all, size_t *count, size_t *room);
uint64_t fingerprints_repeated(uint64_t *all, size_t count);

/* what the extents of one block or one inline fork add up to */
struct extent_sums {
	uint64_t extents;
	uint64_t blocks;
	uint64_t rtblocks;
	uint64_t rt_mapped; /* blocks in records of an rtrmapbt */
};

/* walk_extent.c: an extent of a fork: claims it, posts it if it holds metadata, adds it to sums */
void walk_extent(struct walker *w, struct inflight *inflight, enum fork fork, const struct bmap_record *record,
		 struct extent_sums *sums);

/* `blocks` fs blocks of an extent are to be read, from the one after the first `skip` on */
void walk_extent_post(struct walker *w, struct inflight *inflight, enum fork fork, const struct bmap_record *r,
		      uint64_t skip, uint64_t blocks);

/* walk_fork.c: a fork of an object that is being begun */
void walk_fork(struct walker *w, struct inflight *inflight, enum fork which, const struct dinode_fork *fork);

/* walk_dir.c */
void walk_dir_shortform(struct walker *w, struct inflight *inflight, const struct dinode_fork *fork);
void walk_dir_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr,
		    uint64_t fileoff);
void dir_settle(struct walker *w, struct inflight *inflight);

/* walk_attr.c */
void walk_attr_shortform(struct walker *w, struct inflight *inflight, const struct dinode_fork *fork);
void walk_attr_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr,
		     uint64_t fileoff);
void attr_settle(struct walker *w, struct inflight *inflight);

/* attr_tree.c: attributes of V4 file systems */
/* Takes note of an extent of the fork. */
void attr_tree_map(struct walker *w, struct inflight *inflight, const struct bmap_record *record);
/* A node has come: its children are wanted. */
void attr_tree_children(struct walker *w, struct inflight *inflight, const uint8_t *bytes,
			const struct da_expect *expect);
/* What attr_state.remote must have for a value of so many bytes. */
uint64_t attr_tree_value(const struct walker *w, uint64_t dablk, uint32_t valuelen);
/* The last reference to one with attr is gone: posts what is wanted next and takes a new one, or returns false. */
bool attr_tree_continue(struct walker *w, struct inflight *inflight);
void attr_tree_free(struct attr_state *attr);

/* walk_symlink.c */
void walk_symlink_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, uint32_t len, xdaddr_t daddr,
			uint64_t fileoff);
void symlink_settle(struct walker *w, struct inflight *inflight);

/* walk_quota.c */
void walk_quota_begin(struct walker *w, struct inflight *inflight, const struct dinode *inode);
/* An extent of a quota file. True: its blocks can be read. */
bool walk_quota_extent(struct walker *w, const struct inflight *inflight, const struct bmap_record *record);
void walk_quota_block(struct walker *w, const struct inflight *inflight, const uint8_t *bytes, uint64_t fileoff);
/* Of any inode, when all of it has been seen. */
void walk_quota_settle(struct walker *w, const struct inflight *inflight);

#endif
