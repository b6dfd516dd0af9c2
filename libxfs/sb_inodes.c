/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inodes that a primary superblock names (ondisk 01, invariant 8, as far
 * as one sector can tell) and the quota flags (ondisk 10).  mkfs puts the root
 * directory into the first inode of the first chunk, and the others right
 * behind it.  So each number implies the others, and the majority decides.
 */
#include "sb.h"
#include "disk/inobt.h"

uint64_t sb_max_icount(const struct geometry *g)
{
	return g->dblocks << g->inopb_log;
}

/* Whether an inode can be the first one of the file system's first chunk. */
static bool is_first_inode(const struct geometry *g, uint64_t number)
{
	xino_t ino = { number };
	agino_t agino = agino_of_ino(g, ino);

	return ino_valid(g, ino) && agno_of_ino(g, ino).v == 0 && agbno_of_agino(g, agino).v % g->cluster_align == 0 &&
	       (agino.v & (g->inodes_per_block - 1)) % INODES_PER_CHUNK == 0;
}

/* Which of n candidates for the root inode's number to believe: one that occurs twice, else the first possible one. */
static uint64_t believe(const struct geometry *g, const uint64_t *opinions, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = i + 1; j < n; j++)
			if (opinions[i] == opinions[j] && is_first_inode(g, opinions[i]))
				return opinions[i];
	for (unsigned i = 0; i < n; i++)
		if (is_first_inode(g, opinions[i]))
			return opinions[i];
	return NULL_INO;
}

static void decode_first_inodes(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	uint64_t root = be64_get(sb->rootino);
	uint64_t bitmap = be64_get(sb->rbmino);
	uint64_t summary = be64_get(sb->rsumino);
	uint64_t metadir = be64_get(sb->metadirino);
	const uint64_t with_metadir[] = { root, metadir - 1 };
	const uint64_t without[] = { root, bitmap - 1, summary - 2 };
	uint64_t first = g->metadir ? believe(g, with_metadir, 2) : believe(g, without, 3);

	g->rootino.v = first;
	g->metadirino.v = 0;
	g->rbmino.v = 0;
	g->rsumino.v = 0;
	check_eq(c, F_SB_ROOTINO, SB_OFFSET(rootino), root, first);
	if (g->metadir) {
		check_eq(c, F_SB_RBMINO, SB_OFFSET(rbmino), bitmap, 0);
		check_eq(c, F_SB_RSUMINO, SB_OFFSET(rsumino), summary, 0);
		if (first == NULL_INO)
			return;
		g->metadirino.v = first + 1;
		check_eq(c, F_SB_METADIRINO, SB_OFFSET(metadirino), metadir, first + 1);
		return;
	}
	if (first == NULL_INO)
		return;
	g->rbmino.v = first + 1;
	g->rsumino.v = first + 2;
	check_eq(c, F_SB_RBMINO, SB_OFFSET(rbmino), bitmap, first + 1);
	check_eq(c, F_SB_RSUMINO, SB_OFFSET(rsumino), summary, first + 2);
}

void sb_inodes_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	decode_first_inodes(c, sb, g);
	sb_quota_decode(c, sb, g);
}
