/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds blocks of the realtime bitmap and summary, and the realtime superblock (ondisk 09). */
#include "libxfs/rt_build.h"

#include "libxfs/crc.h"

static void put_word(uint8_t *words, uint32_t i, bool header, uint32_t word)
{
	const be32_t big = be32_put(word);

	if (header)
		memcpy(words + (size_t)i * sizeof(big), &big, sizeof(big));
	else
		memcpy(words + (size_t)i * sizeof(word), &word, sizeof(word));
}

void rt_build_block(const struct geometry *g, uint8_t *block, uint32_t magic, const struct rt_expect *place,
		    const uint32_t *words)
{
	struct rt_header_disk *disk = (struct rt_header_disk *)block;
	bool header = rt_header_size(g);

	memset(block, 0, g->block_size);
	for (uint32_t i = 0; i < rt_block_words(g); i++)
		put_word(block + rt_header_size(g), i, header, words[i]);
	if (!header)
		return;
	disk->magic = be32_put(magic);
	disk->owner = be64_put(place->owner.v);
	disk->blkno = be64_put(place->daddr.v);
	memcpy(disk->uuid, g->meta_uuid, sizeof(disk->uuid));
	crc_store(block, g->block_size, offsetof(struct rt_header_disk, crc));
}

void rt_build_sb(const struct geometry *g, uint8_t *block)
{
	struct rtsb_disk *disk = (struct rtsb_disk *)block;

	memset(block, 0, g->block_size);
	disk->magicnum = be32_put(RTSB_MAGIC);
	memcpy(disk->fname, g->label, sizeof(disk->fname));
	memcpy(disk->uuid, g->uuid, sizeof(disk->uuid));
	memcpy(disk->meta_uuid, g->meta_uuid, sizeof(disk->meta_uuid));
	crc_store(block, g->block_size, offsetof(struct rtsb_disk, crc));
}
