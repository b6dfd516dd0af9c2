/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inodes that a primary superblock names (ondisk 01, invariant 8, as far
 * as one sector can tell) and the quota flags (ondisk 10).  mkfs puts the root
 * directory into the first inode of the first chunk, and the others right
 * behind it, so that each of them says where all are: the majority decides.
 */
#include "sb.h"
#include "disk/inobt.h"

#define SB_QUOTA_TYPES 3

/* May an inode be the first of the file system's first chunk? */
static bool is_first_inode(const struct geometry *g, uint64_t number)
{
	xino_t ino = { number };
	agino_t agino = agino_of_ino(g, ino);

	return ino_valid(g, ino) && agno_of_ino(g, ino).v == 0 && agbno_of_agino(g, agino).v % g->cluster_align == 0 &&
	       (agino.v & (g->inodes_per_block - 1)) % INODES_PER_CHUNK == 0;
}

/* Which of n opinions on the root inode to believe: two that agree, else the first that can be. */
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

/* Can a quota inode have this number, next to n others? */
static bool quotino_possible(const struct geometry *g, const uint64_t *others, unsigned n, uint64_t ino)
{
	/* with metadata directories they are found by name */
	if (g->metadir || !ino_valid(g, (xino_t){ ino }))
		return false;
	if (ino == g->rootino.v || ino == g->rbmino.v || ino == g->rsumino.v)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (others[i] == ino)
			return false;
	return true;
}

static void decode_quota(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	static const uint32_t offsets[SB_QUOTA_TYPES] = { SB_OFFSET(uquotino), SB_OFFSET(gquotino),
							  SB_OFFSET(pquotino) };
	uint64_t inos[SB_QUOTA_TYPES] = { be64_get(sb->uquotino), be64_get(sb->gquotino), be64_get(sb->pquotino) };
	uint32_t flags = be16_get(sb->qflags);
	bool in_use = flags != 0;

	/* in version 4 projects have the inode of groups */
	if (!g->crc)
		inos[SB_QUOTA_TYPES - 1] = NULL_INO;
	if (!check_eq(c, F_SB_QFLAGS, SB_OFFSET(qflags), flags, flags & (g->crc ? SB_QFLAGS_V5 : SB_QFLAGS_V4)))
		in_use = false;
	for (unsigned i = 0; i < SB_QUOTA_TYPES; i++) {
		/* with metadata directories the kernel writes 0 only */
		if (inos[i] == 0 || (inos[i] == NULL_INO && !g->metadir))
			continue;
		if (quotino_possible(g, inos, i, inos[i])) {
			in_use = true;
			continue;
		}
		problem_at(c, F_SB_QUOTINO, offsets[i], i, inos[i], 0);
		inos[i] = NULL_INO;
	}
	/* whoever turns quotas on sets the bit in the same transaction, and whoever turns them off clears all */
	if (in_use && !g->quota)
		problem(c, F_SB_QUOTA_BIT, SB_OFFSET(versionnum), be16_get(sb->versionnum),
			be16_get(sb->versionnum) | SB_VERSION_QUOTA);
	g->uquotino.v = inos[0];
	g->gquotino.v = inos[1];
	g->pquotino.v = inos[2];
}

void sb_inodes_decode(const struct check *c, const struct sb_disk *sb, struct geometry *g)
{
	decode_first_inodes(c, sb, g);
	decode_quota(c, sb, g);
}
