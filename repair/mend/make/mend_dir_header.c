/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Directory data blocks with a damaged header (ondisk 06, invariant 1).  What it holds is known from elsewhere: the
 * extent map leads to the block, and all that is behind it is told by entries and their tags.  Whose block it is must
 * be asked if the header does not say so, since a map may be wrong, and a block out of date.
 */
#include "mend_dir_header.h"

#include "disk/dir.h"
#include "libxfs/crc.h"
#include "libxfs/dir_build.h"
#include "mend/base/mend.h"
#include "repair.h"

/* What the hash index says of the names in a block. */
struct tally {
	const struct dir_index *index;
	size_t names, known, denied; /* how many there are; that it has; in whose place it has another */
};

static void count_entry(void *ctx, const struct dir_entry *entry)
{
	struct tally *t = ctx;
	uint32_t hash;

	if (entry->kind != ENTRY_NAME)
		return;
	t->names++;
	if (!dir_index_hash(t->index, entry->address, &hash))
		return;
	t->known += hash == entry->hash;
	t->denied += hash != entry->hash;
}

bool dir_header_dot(const struct geometry *geo, const uint8_t *block, xino_t *ret_ino)
{
	const struct dir_entry_disk *dot = (const void *)(block + (geo->crc ? DA_HEADER_SIZE : DA_HEADER_SIZE_V4));

	ret_ino->v = be64_get(dot->inumber);
	return dot->namelen == 1 && dot->name[0] == '.';
}

/* Whether the header is as another owner or another place has it: the block is stale, or was written to a wrong place.
 */
static bool says_foreign(const struct mend *m, const uint8_t *block, const struct da_expect *expect)
{
	const struct dir_blkhdr_disk *hdr = (const void *)block;
	const struct dir_table *dirs = &m->now->dirs;
	const xino_t owner = { be64_get(hdr->owner) };

	return be64_get(hdr->blkno) != expect->daddr.v || dir_table_find(dirs, owner) < dirs->count;
}

/* Whether the header can't be one that was ever written here: all that it says of whose the block is, is noise. */
static bool is_noise(const struct geometry *geo, const uint8_t *block)
{
	const struct dir_blkhdr_disk *hdr = (const void *)block;

	return !ino_valid(geo, (xino_t){ be64_get(hdr->owner) }) ||
	       memcmp(hdr->uuid, geo->meta_uuid, sizeof(hdr->uuid)) != 0;
}

/* Whether the contents of a block whose header has been set right are those of the directory. noise: see is_noise(). */
static bool contents_fit(const struct mend *m, const uint8_t *block, const struct da_expect *expect,
			 const struct dir_index *index, bool noise)
{
	const struct geometry *geo = &m->now->geo;
	const struct dir_table *dirs = &m->now->dirs;
	const struct check check = check_silent(geo);
	struct tally t = { .index = index };
	struct dir_data data;
	xino_t dot;

	if (!dir_data_decode(&check, block, expect, count_entry, &t, &data))
		return false;
	if (expect->dablk.v == 0 && dir_header_dot(geo, block, &dot) &&
	    (dot.v == expect->owner.v || dir_table_find(dirs, dot) < dirs->count))
		return dot.v == expect->owner.v;
	if (t.known != t.denied)
		return t.known > t.denied;
	return noise && t.names;
}

bool dir_header_settle(const struct mend *m, uint8_t *block, const struct da_expect *expect,
		       const struct dir_index *index)
{
	const struct geometry *geo = &m->now->geo;
	const struct check check = check_silent(geo);
	const struct dir_blkhdr_disk *hdr = (const void *)block;
	const enum da_magic magic = da_identify(&check, block, geo->dir_block_size);
	const bool is_kind = magic == DA_DIR_BLOCK || magic == DA_DIR_DATA;
	const bool whole = geo->crc && crc_is_right(block, geo->dir_block_size, offsetof(struct dir_blkhdr_disk, crc));
	bool noise;

	if (is_kind && (!geo->crc || be64_get(hdr->owner) == expect->owner.v || !says_foreign(m, block, expect)))
		return true;
	if (whole)
		return false;
	noise = !is_kind || is_noise(geo, block);
	/* decoded as a data block, a block in block form has the same names: no entry can be made out of its index */
	dir_build_header(geo, block, expect, DA_DIR_DATA);
	return contents_fit(m, block, expect, index, noise);
}
