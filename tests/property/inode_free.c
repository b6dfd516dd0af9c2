/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: free inodes (ondisk 04). */
#include "damage.h"
#include "inode.h"
#include "table.h"
#include "walk.h"

static bool is_empty_format(const struct damage *d)
{
	return d->after == 0 || d->after == DINODE_FMT_EXTENTS;
}

static bool is_possible_hint(const struct damage *d)
{
	return d->after <= inode_hint_max(d->image);
}

static bool is_possible_size(const struct damage *d)
{
	return d->after >> 63 == 0;
}

static bool is_harmless(const struct damage *d)
{
	return (d->after & ~(uint64_t)(DIFLAG2_DAX | DIFLAG2_BIGTIME | DIFLAG2_NREXT64)) == 0;
}

static const struct excuse reused_excuse = { "free inodes keep what was there", NULL };
static const struct excuse reused_hint_excuse = { "free inodes keep any extent size hint", is_possible_hint };
static const struct excuse reused_size_excuse = { "free inodes keep any size", is_possible_size };
static const struct excuse reused_flags2_excuse = { "free inodes keep flags that say how to read them", is_harmless };
static const struct excuse format_excuse = { "free inodes have no format, or extents, of which there are none",
					     is_empty_format };

static const struct field free_fields[] = {
	FIELD(dinode_disk, magic),
	FIELD(dinode_disk, mode),
	FIELD(dinode_disk, version),
	FIELD(dinode_disk, format, .excuse = &format_excuse),
	FIELD(dinode_disk, metatype),
	FIELD(dinode_disk, uid, .excuse = &reused_excuse),
	FIELD(dinode_disk, gid, .excuse = &reused_excuse),
	FIELD(dinode_disk, nlink),
	FIELD(dinode_disk, projid_lo, .excuse = &reused_excuse),
	FIELD(dinode_disk, projid_hi, .excuse = &reused_excuse),
	FIELD(dinode_disk, large_nextents),
	ARRAY(dinode_disk, times, .excuse = &reused_excuse),
	FIELD(dinode_disk, size, .excuse = &reused_size_excuse),
	FIELD(dinode_disk, nblocks),
	FIELD(dinode_disk, extsize, .excuse = &reused_hint_excuse),
	FIELD(dinode_disk, nextents),
	FIELD(dinode_disk, anextents),
	FIELD(dinode_disk, forkoff),
	FIELD(dinode_disk, aformat, .excuse = &format_excuse),
	FIELD(dinode_disk, dmevmask, .excuse = &reused_excuse),
	FIELD(dinode_disk, dmstate, .excuse = &reused_excuse),
	FIELD(dinode_disk, flags),
	FIELD(dinode_disk, gen, .excuse = &reused_excuse),
	FIELD(dinode_disk, next_unlinked),
	FIELD(dinode_disk, crc),
	FIELD(dinode_disk, changecount, .excuse = &reused_excuse),
	FIELD(dinode_disk, lsn, .excuse = &lsn_excuse),
	FIELD(dinode_disk, flags2, .excuse = &reused_flags2_excuse),
	FIELD(dinode_disk, cowextsize, .excuse = &reused_hint_excuse),
	ARRAY(dinode_disk, pad2),
	FIELD(dinode_disk, crtime, .excuse = &reused_excuse),
	FIELD(dinode_disk, ino),
	ARRAY(dinode_disk, uuid),
};
const struct structure free_inode_structure = STRUCTURE("free inode", free_fields, sizeof(struct dinode_disk));

void walk_free_inode(struct catalog *catalog, enum kind kind)
{
	catalog_add(catalog, kind, &free_inode_structure, 0, 1);
	catalog_end_object(catalog, &unused_structure);
}
