/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The superblock, the other headers of groups, and the log. */
#include <err.h>

#include "../number.h"
#include "disk/agfl.h"
#include "disk/log.h"
#include "disk/sb.h"
#include "group.h"
#include "libxfs/log_write.h"

#define BLOCK_LOG    12u
#define INODE_LOG    9u
#define INOPB_LOG    (BLOCK_LOG - INODE_LOG)
#define CHUNK_BLOCKS (64u >> INOPB_LOG)

static uint8_t log_of(uint64_t number)
{
	uint8_t bits = 0;

	while (UINT64_C(1) << bits < number)
		bits++;
	return bits;
}

static void put_sizes(const struct computed *computed, struct sb_disk *sb, uint32_t agblocks)
{
	const uint32_t groups = computed->options.groups;

	sb->blocksize = be32_put(1u << BLOCK_LOG);
	sb->dblocks = be64_put((uint64_t)groups * agblocks);
	sb->agblocks = be32_put(agblocks);
	sb->agcount = be32_put(groups);
	sb->logstart = be64_put((uint64_t)(groups / 2) << log_of(agblocks) | (agblocks - LOG_BLOCKS));
	sb->logblocks = be32_put(LOG_BLOCKS);
	sb->sectsize = be16_put(SECTOR_SIZE);
	sb->inodesize = be16_put(1u << INODE_LOG);
	sb->inopblock = be16_put(1u << INOPB_LOG);
	sb->blocklog = BLOCK_LOG;
	sb->sectlog = SECTOR_LOG;
	sb->inodelog = INODE_LOG;
	sb->inopblog = INOPB_LOG;
	sb->agblklog = log_of(agblocks);
	sb->imax_pct = 25;
	sb->inoalignmt = be32_put(CHUNK_BLOCKS);
	sb->spino_align = be32_put(CHUNK_BLOCKS / 2);
	sb->logsunit = be32_put(1);
}

static void put_counters(const struct computed *computed, struct sb_disk *sb)
{
	uint64_t count = 0, unused = 0, blocks = 0;

	for (uint32_t i = 0; i < computed->options.groups; i++) {
		const struct group_kind *kind = group_of(computed, (agno_t){ i });

		count += kind->agi.count;
		unused += kind->agi.freecount;
		blocks += kind->free_count;
	}
	sb->icount = be64_put(count);
	sb->ifree = be64_put(unused);
	sb->fdblocks = be64_put(blocks);
}

void headers_superblock(struct computed *computed, uint32_t agblocks)
{
	struct sb_disk *sb = (void *)computed->superblock;
	uint64_t random = computed->options.seed;
	unsigned problems = 0;
	const struct check c = check_counting(NULL, &problems);

	memset(computed->superblock, 0, sizeof(computed->superblock));
	sb->magicnum = be32_put(SB_MAGIC);
	for (unsigned i = 0; i < 16; i++)
		sb->uuid[i] = (uint8_t)number_random(&random);
	put_sizes(computed, sb, agblocks);
	sb->rootino = be64_put(ROOT_INO);
	sb->rbmino = be64_put(ROOT_INO + 1);
	sb->rsumino = be64_put(ROOT_INO + 2);
	sb->rextsize = be32_put(1);
	sb->versionnum = be16_put(SB_VERSION_5 | SB_VERSION_ATTR | SB_VERSION_NLINK | SB_VERSION_ALIGN |
				  SB_VERSION_LOGV2 | SB_VERSION_EXTFLG | SB_VERSION_DIRV2 | SB_VERSION_MOREBITS);
	sb->features2 = sb->bad_features2 =
		be32_put(SB_FEATURES2_LAZYSBCOUNT | SB_FEATURES2_ATTR2 | SB_FEATURES2_PROJID32 | SB_FEATURES2_CRC);
	sb->features_ro_compat = be32_put(SB_RO_COMPAT_KNOWN);
	sb->features_incompat = be32_put(SB_INCOMPAT_FTYPE | SB_INCOMPAT_SPINODES | SB_INCOMPAT_BIGTIME |
					 SB_INCOMPAT_NREXT64 | (computed->options.parent ? SB_INCOMPAT_PARENT : 0));
	put_counters(computed, sb);
	sb_seal(sb, SECTOR_SIZE);
	/* before groups are planned, the counters are zero, which is a problem */
	if (!sb_decode(&c, sb, SECTOR_SIZE, &computed->geo) || (problems && be64_get(sb->icount)))
		errx(2, "the superblock is not sound");
}

void headers_read(const struct computed *computed, agno_t agno, uint8_t *block)
{
	const struct geometry *g = &computed->geo;
	const struct group_kind *kind = group_of(computed, agno);
	struct sb_disk *sb = (void *)block;
	agbno_t list[FREELIST_BLOCKS];

	memset(block, 0, g->block_size);
	memcpy(block, computed->superblock, SECTOR_SIZE);
	if (agno.v) {
		sb->inprogress = 1;
		sb_seal(sb, SECTOR_SIZE);
	}
	for (uint32_t i = 0; i < FREELIST_BLOCKS; i++)
		list[i].v = 1 + i;
	agf_encode(g, agno, &kind->agf, block + AGF_SECTOR * SECTOR_SIZE);
	agi_encode(g, agno, &kind->agi, block + AGI_SECTOR * SECTOR_SIZE);
	agfl_encode(g, agno, list, FREELIST_BLOCKS, block + AGFL_SECTOR * SECTOR_SIZE);
}

void headers_read_log(const struct computed *computed, uint32_t block_of_log, uint8_t *block)
{
	const struct geometry *g = &computed->geo;

	memset(block, 0, g->block_size);
	if (!block_of_log)
		log_format_record(g, log_bbs(g), 1, block);
}
