/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: btrees of the AGs and of extent maps, extents and btree roots in inodes (ondisk 03, 05). */
#include "damage.h"
#include "disk/alloc.h"
#include "disk/bmbt.h"
#include "disk/btree.h"
#include "disk/inobt.h"
#include "disk/inode.h"
#include "disk/refcountbt.h"
#include "disk/rmapbt.h"
#include "table.h"
#include "walk.h"

/* ---- headers and pointers ---- */

static const struct field short_fields[] = {
	FIELD(btree_short_disk, magic),	   FIELD(btree_short_disk, level),
	FIELD(btree_short_disk, numrecs),  FIELD(btree_short_disk, leftsib),
	FIELD(btree_short_disk, rightsib), FIELD(btree_short_disk, blkno),
	ARRAY(btree_short_disk, uuid),	   FIELD(btree_short_disk, lsn, .excuse = &lsn_excuse),
	FIELD(btree_short_disk, owner),	   FIELD(btree_short_disk, crc),
};
static const struct field long_fields[] = {
	FIELD(btree_long_disk, magic),	  FIELD(btree_long_disk, level),
	FIELD(btree_long_disk, numrecs),  FIELD(btree_long_disk, leftsib),
	FIELD(btree_long_disk, rightsib), FIELD(btree_long_disk, blkno),
	ARRAY(btree_long_disk, uuid),	  FIELD(btree_long_disk, lsn, .excuse = &lsn_excuse),
	FIELD(btree_long_disk, owner),	  FIELD(btree_long_disk, crc),
	FIELD(btree_long_disk, pad),
};
static const struct field short_ptr_fields[] = ALONE("agbno", 4);
static const struct field long_ptr_fields[] = ALONE("fsbno", 8);

const struct structure btree_short_structure = STRUCTURE("btree header", short_fields, sizeof(struct btree_short_disk));
const struct structure btree_long_structure = STRUCTURE("bmbt header", long_fields, sizeof(struct btree_long_disk));
const struct structure btree_short_ptr_structure = STRUCTURE("btree pointer", short_ptr_fields, sizeof(be32_t));
const struct structure btree_long_ptr_structure = STRUCTURE("bmbt pointer", long_ptr_fields, sizeof(be64_t));

/* ---- records and keys ---- */

static const struct excuse old_key_excuse = { "old kernels kept the bit in keys", NULL };

static const struct field alloc_fields[] = {
	FIELD(alloc_rec_disk, startblock),
	FIELD(alloc_rec_disk, blockcount),
};
static const struct field inobt_fields[] = {
	FIELD(inobt_rec_disk, startino),     FIELD(inobt_rec_disk, sparse.holemask),
	FIELD(inobt_rec_disk, sparse.count), FIELD(inobt_rec_disk, sparse.freecount),
	FIELD(inobt_rec_disk, free),
};
static const struct field inobt_key_fields[] = { FIELD(inobt_key_disk, startino) };
static const struct field refcount_fields[] = {
	FIELD(refcount_rec_disk, startblock),
	FIELD(refcount_rec_disk, blockcount),
	FIELD(refcount_rec_disk, refcount),
};
static const struct field refcount_key_fields[] = { FIELD(refcount_key_disk, startblock) };
static const struct field rmap_fields[] = {
	FIELD(rmap_rec_disk, startblock),
	FIELD(rmap_rec_disk, blockcount),
	FIELD(rmap_rec_disk, owner),
	BITS(rmap_rec_disk, offset, "offset", RMAP_OFFSET_MASK),
	BITS(rmap_rec_disk, offset, "offset: flags", ~RMAP_OFFSET_MASK),
};
static const struct field rmap_range_fields[] = {
	FIELD(rmap_range_disk, low.startblock),
	FIELD(rmap_range_disk, low.owner),
	BITS(rmap_range_disk, low.offset, "low.offset", ~RMAP_OFFSET_UNWRITTEN),
	BITS(rmap_range_disk, low.offset, "low.offset: unwritten", RMAP_OFFSET_UNWRITTEN, .excuse = &old_key_excuse),
	FIELD(rmap_range_disk, high.startblock),
	FIELD(rmap_range_disk, high.owner),
	BITS(rmap_range_disk, high.offset, "high.offset", ~RMAP_OFFSET_UNWRITTEN),
	BITS(rmap_range_disk, high.offset, "high.offset: unwritten", RMAP_OFFSET_UNWRITTEN, .excuse = &old_key_excuse),
};

const struct structure alloc_rec_structure =
	STRUCTURE("bnobt or cntbt record", alloc_fields, sizeof(struct alloc_rec_disk));
const struct structure alloc_key_structure =
	STRUCTURE("bnobt or cntbt key", alloc_fields, sizeof(struct alloc_rec_disk));
const struct structure inobt_rec_structure =
	STRUCTURE("inobt or finobt record", inobt_fields, sizeof(struct inobt_rec_disk));
const struct structure inobt_key_structure =
	STRUCTURE("inobt or finobt key", inobt_key_fields, sizeof(struct inobt_key_disk));
const struct structure refcount_rec_structure =
	STRUCTURE("refcountbt record", refcount_fields, sizeof(struct refcount_rec_disk));
const struct structure refcount_key_structure =
	STRUCTURE("refcountbt key", refcount_key_fields, sizeof(struct refcount_key_disk));
const struct structure rmap_rec_structure = STRUCTURE("rmapbt record", rmap_fields, sizeof(struct rmap_rec_disk));
const struct structure rmap_range_structure =
	STRUCTURE("rmapbt keys", rmap_range_fields, sizeof(struct rmap_range_disk));

/* ---- extents ---- */

/* True for extents of file data: those of directories and attributes follow from the contents of the blocks. */
static bool is_file_without_rmap(const struct damage *d)
{
	const struct dinode_disk *inode = sound_object(d);

	if (d->image->rmapbt)
		return false;
	/* in a bmbt block: in these images only large files have those */
	return d->object->kind == KIND_BMBT || (be16_get(inode->mode) & MODE_TYPE) == MODE_REG;
}

static const struct excuse offset_excuse = { "without rmapbt only the extent knows where in its file it is",
					     is_file_without_rmap };
static const struct excuse unwritten_excuse = { "without rmapbt only the extent knows whether it has been written",
						is_file_without_rmap };

#define BMBT_STATE	(1ull << 63)
#define BMBT_START_HIGH ((1ull << BMBT_START_BITS_IN_L0) - 1)
#define BMBT_LEN	((1ull << BMBT_LEN_BITS) - 1)

static const struct field extent_fields[] = {
	BITS(bmbt_rec_disk, l0, "state", BMBT_STATE, .excuse = &unwritten_excuse),
	BITS(bmbt_rec_disk, l0, "startoff", ~(BMBT_STATE | BMBT_START_HIGH), .excuse = &offset_excuse),
	BITS(bmbt_rec_disk, l0, "startblock (high bits)", BMBT_START_HIGH),
	BITS(bmbt_rec_disk, l1, "startblock (low bits)", ~BMBT_LEN),
	BITS(bmbt_rec_disk, l1, "blockcount", BMBT_LEN),
};
static const struct field bmbt_key_fields[] = { FIELD(bmbt_key_disk, startoff) };
static const struct field bmdr_fields[] = { FIELD(bmdr_disk, level), FIELD(bmdr_disk, numrecs) };

const struct structure extent_structure = STRUCTURE("extent", extent_fields, sizeof(struct bmbt_rec_disk));
const struct structure bmbt_key_structure = STRUCTURE("bmbt key", bmbt_key_fields, sizeof(struct bmbt_key_disk));
const struct structure bmdr_structure = STRUCTURE("bmbt root in an inode", bmdr_fields, sizeof(struct bmdr_disk));

/* ---- walkers ---- */

static void walk_contents(struct catalog *catalog, enum kind kind, size_t header, const struct structure *rec,
			  const struct structure *key, const struct structure *ptr)
{
	const struct btree_short_disk *block = (const struct btree_short_disk *)catalog_bytes(catalog);
	size_t room = catalog->image->block_size - header;
	uint16_t n = be16_get(block->numrecs);

	/* level and numrecs have the same offset in both headers */
	if (be16_get(block->level) == 0) {
		catalog_add(catalog, kind, rec, header, n);
	} else {
		catalog_add(catalog, kind, key, header, n);
		catalog_add(catalog, kind, ptr, header + room / (key->size + ptr->size) * key->size, n);
	}
	catalog_end_object(catalog, &unused_structure);
}

void walk_ag_btree(struct catalog *catalog, enum kind kind)
{
	const struct structure *rec = &alloc_rec_structure, *key = &alloc_key_structure;

	if (kind == KIND_INOBT || kind == KIND_FINOBT) {
		rec = &inobt_rec_structure;
		key = &inobt_key_structure;
	} else if (kind == KIND_RMAPBT) {
		rec = &rmap_rec_structure;
		key = &rmap_range_structure;
	} else if (kind == KIND_REFCOUNTBT) {
		rec = &refcount_rec_structure;
		key = &refcount_key_structure;
	}
	catalog_add(catalog, kind, &btree_short_structure, 0, 1);
	walk_contents(catalog, kind, sizeof(struct btree_short_disk), rec, key, &btree_short_ptr_structure);
}

void walk_bmbt(struct catalog *catalog, enum kind kind)
{
	catalog_add(catalog, kind, &btree_long_structure, 0, 1);
	walk_contents(catalog, kind, sizeof(struct btree_long_disk), &extent_structure, &bmbt_key_structure,
		      &btree_long_ptr_structure);
}

void walk_extents(struct catalog *catalog, enum kind kind, size_t offset, size_t count)
{
	catalog_add(catalog, kind, &extent_structure, offset, count);
}

void walk_bmdr(struct catalog *catalog, size_t offset, size_t size)
{
	const struct bmdr_disk *root = (const struct bmdr_disk *)(catalog_bytes(catalog) + offset);
	size_t room = (size - sizeof(*root)) / (sizeof(be64_t) * 2), n = be16_get(root->numrecs);

	catalog_add(catalog, KIND_BMDR, &bmdr_structure, offset, 1);
	catalog_add(catalog, KIND_BMDR, &bmbt_key_structure, offset + sizeof(*root), n);
	catalog_add(catalog, KIND_BMDR, &btree_long_ptr_structure, offset + sizeof(*root) + room * sizeof(be64_t), n);
}
