/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz.h"
#include "libxfs/ag.h"

/* Checks what the rest of the program relies on. */
static void check_geometry(const struct geometry *g)
{
	agno_t last = { g->agcount - 1 };

	fuzz_promise((g->version == 4 || g->version == 5) && g->crc == (g->version == 5));
	fuzz_promise(g->block_log >= 9 + g->crc && g->block_log <= 16 && g->block_size == 1u << g->block_log);
	fuzz_promise(!(g->sector_size & (g->sector_size - 1)) && g->sector_size <= g->block_size);
	fuzz_promise(g->inode_size == 1u << g->inode_log && g->inode_size >= 256u << g->crc && g->inode_size <= 2048);
	fuzz_promise(g->inodes_per_block == 1u << g->inopb_log && g->inode_log + g->inopb_log == g->block_log);
	fuzz_promise(g->dir_block_size == g->block_size << g->dirblk_log && g->dir_block_size <= 65536);
	fuzz_promise(g->agcount > 0 && g->agblocks > 0 && g->agblocks <= 1ull << g->agblock_log);
	fuzz_promise(g->agblock_log + g->inopb_log <= 32);
	fuzz_promise(g->dblocks > (uint64_t)(g->agcount - 1) * g->agblocks);
	fuzz_promise(ag_length(g, last) > 0 && ag_length(g, last) <= g->agblocks);
	fuzz_promise(g->first_data_agbno > 0 && g->chunk_blocks > 0 && g->cluster_blocks > 0 && g->cluster_align > 0);
	fuzz_promise(g->rextsize > 0 && (g->rblocks == 0) == (g->rgcount == 0));
	fuzz_promise(g->rgcount == 0 || group_length(g, group_of_rg(g, g->rgcount - 1)) <= g->rgblocks);
	fuzz_promise((uint64_t)g->rgcount * g->rbmblocks <= g->dblocks && g->rgcount <= g->dblocks << g->inopb_log);
	for (unsigned kind = 0; kind < BT_NR; kind++)
		if (g->crc || (kind != BT_FINO && kind != BT_RMAP && kind != BT_REFC && !btree_is_rt(kind)))
			fuzz_promise(g->btree[kind].leaf_max > 0 && g->btree[kind].node_max > 1 &&
				     g->btree[kind].max_level > 0);
}

/* Promotes a secondary, as for a lost primary, and overrules a primary by the others. */
static void restore(struct fuzz *f, uint8_t *sector, const uint8_t *other)
{
	uint32_t sector_size = f->geo.sector_size;
	struct geometry geo;

	sb_compare(&f->check, sector, other);
	sb_overrule(sector, other);
	sb_promote(sector, f->geo.rootino);
	sb_seal(sector, sector_size);
	if (sb_decode(&f->check, sector, sector_size, &geo))
		check_geometry(&geo);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct geometry geo;
	struct fuzz f;
	uint8_t *sector, *primary;
	size_t len;

	if (!fuzz_start(&f, data, size))
		return 0;
	len = 512u << f.variant % 4;
	primary = fuzz_block(&f, len, 224);
	if (sb_decode(&f.check, primary, len, &geo)) {
		check_geometry(&geo);
		if (geo.sector_size <= len) {
			/* a secondary that differs in one byte */
			sector = fuzz_object(&f, geo.sector_size);
			memcpy(sector, primary, geo.sector_size);
			sector[f.head % 512] ^= f.variant;
			f.geo = geo;
			sb_check_secondary(&f.check, sector, primary, (agno_t){ geo.agcount - 1 });
			restore(&f, sector, primary);
			free(sector);
		}
	}
	free(primary);
	return 0;
}
