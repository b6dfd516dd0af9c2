/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entry points of walk_*.c, called by traverse.c and by each other. */
#ifndef XFSCK_REPAIR_WALK_H
#define XFSCK_REPAIR_WALK_H

#include "inflight.h"
#include "libxfs/btree.h"
#include "walker.h"

struct dinode;
struct entry_fact;
struct inflight;
struct loader;
struct saver;
struct walker;

/* Assembles a directory block whose fs blocks lie in several places of the device. */

struct assembly {
	struct assembly *next; /* in its bucket */
	uint64_t db_start;     /* offset of the directory block in the fork, in fs blocks */
	uint32_t have;	       /* fs blocks that have arrived */
	bool over;	       /* complete, or abandoned: further parts are ignored */
	xdaddr_t daddr;	       /* of its first fs block */
	uint8_t *bytes;	       /* NULL before the first part has arrived, and once it is over */
};

#define ASSEMBLY_BUCKETS 1024u

/* the assemblies of one directory, hashed by db_start */
struct assemblies {
	struct assembly *buckets[ASSEMBLY_BUCKETS];
	bool scattered; /* memory was short for some, and DIR_BLOCK_SCATTERED has been reported */
};

/* Returns the assembly of the directory block at db_start, made if there is none; under lock.  NULL: no memory. */
struct assembly *assembly_of(struct walker *w, struct inflight *inflight, uint64_t db_start);
/*
 * Adds len bytes, whole fs blocks from fileoff on; under lock.  Returns the directory block if it is now complete, else
 * NULL; free it with assembly_done().
 */
uint8_t *assembly_add(struct walker *w, struct inflight *inflight, struct assembly *a, uint64_t fileoff,
		      const uint8_t *bytes, uint32_t len);
void assembly_done(struct walker *w, uint8_t *bytes);
/* Reports directory blocks with unmapped fs blocks. */
void assemblies_settle(struct walker *w, const struct assemblies *assemblies);
void assemblies_free(struct walker *w, struct assemblies *assemblies);

/* walk_ag.c: post the headers of an AG; walk them; post the root of a btree; walk a block of one */
void walk_headers_post(struct walker *w, agno_t agno);
void walk_headers(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);
/* Checks a block of the free list: stale data in it may prevent log recovery in the kernel. */
void walk_freelist(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);
void walk_tree_start(struct walker *w, agno_t agno, enum btree_kind kind);
bool walk_tree_exists(const struct geometry *geo, enum btree_kind kind);
void walk_btree(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);

/* A block of an AG's btree */
struct btree_want {
	struct want want;
	struct btree_expect expect;
};
/* Posts a block that is claimed.  Delays a leaf of the inobt while too many inode chunks of its AG wait. */
void walk_btree_wanted(struct walker *w, const struct btree_expect *expect);
/* Counts one more run of inodes of this AG that waits to be read. */
void walk_inobt_wait(struct walker *w, agno_t agno);
/* Counts runs of inodes that have been read (0 after a leaf), and posts one delayed leaf if fewer wait. */
void walk_inobt_more(struct walker *w, agno_t agno, unsigned chunks);

/* walk_chunk.c: claims and posts the inodes of an inobt record.  unsure: its block has a wrong checksum. */
void walk_chunk_found(struct walker *w, agno_t agno, const struct inobt_record *record, bool unsure);
/* Posts one inode, whose number must be valid; it counts as allocated, whatever the inobt says. */
void walk_chunk_one(struct walker *w, xino_t ino);
/* Decodes inodes that have arrived, and walks those in use. */
void walk_chunk(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len, bool last);

/* Save a posted run of inodes of a held sweep, and post it again. */
void walk_chunk_save(const struct walker *w, const struct want *want, struct saver *s);
void walk_chunk_load(struct walker *w, agno_t agno, struct loader *l);

/* walk_inode.c: walks an inode in use. */
void walk_inode(struct walker *w, const struct dinode *inode);

/* walk_fork.c: a block of a bmbt has arrived; blocks of a fork have; part of a directory block has */
void walk_bmbt(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset);
void walk_fork_blocks(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len,
		      bool last);
/* Fetches what a block that arrives soon needs into the processor's cache (sweep_ops.ahead). */
void walk_fork_ahead(const struct want *want, bool sooner);
void walk_part(struct walker *w, struct want *want, const uint8_t *bytes, uint64_t offset, uint32_t len, bool last);

/* A posted run of blocks of a fork (WANT_FORK, WANT_PART): walk_extent.c posts it, walk_fork.c receives it. */

struct fork_want {
	struct want want;
	struct inflight *inflight; /* holds a reference */
	enum fork fork;
	fileoff_t fileoff; /* of the first block */
	fsbno_t fsbno;
	xdaddr_t daddr;
	struct assembly *assembly; /* WANT_PART: its directory block; else NULL */
};

/* The metadata files of the realtime section, and their names (ondisk 09). */

/* One of these files, while in flight. */
struct rt_file_state {
	uint16_t metatype;
	uint32_t rgno;
	uint64_t blocks;      /* blocks of the bitmap or summary that have arrived */
	uint64_t mapped;      /* blocks mapped by records of the group's rtrmapbt */
	uint32_t used_blocks; /* zoned: used blocks that the inode counts */
};

/* Notes that this inode is a metadata file of the realtime section, and which. */
void walk_rt_begin(struct walker *w, struct inflight *inflight, const struct dinode *inode);
/* Returns the object for findings about a block of a bitmap or summary. */
enum object walk_rt_object(const struct inflight *inflight);
/* Returns how many blocks of a bitmap or summary file, from the first, hold words; 0 for any other file. */
uint64_t walk_rt_words_end(const struct walker *w, const struct inflight *inflight);
/* Walks such a block. */
void walk_rt_block(struct walker *w, struct inflight *inflight, const uint8_t *bytes, xdaddr_t daddr, uint64_t fileoff);
/* Notes that the contents of such a block are unknown: it is unreadable or corrupt. */
void walk_rt_block_lost(struct walker *w, const struct inflight *inflight, uint64_t fileoff);
/* Passes a record of a realtime btree to the sink.  Returns how many blocks it maps, 0 for an rtrefcountbt. */
uint64_t walk_rt_record(struct walker *w, const struct inflight *inflight, enum btree_kind kind,
			const union btree_record *record);
/* Makes the checks that need the whole file, after it has been read. */
void walk_rt_settle(struct walker *w, struct inflight *inflight);
/* Notes an entry of a metadata directory, if its name belongs to the realtime section. */
void walk_rt_name(struct walker *w, const struct entry_fact *entry);

#endif
