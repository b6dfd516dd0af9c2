/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: targets of symbolic links (ondisk 08). */
#include "damage.h"
#include "disk/symlink.h"
#include "table.h"
#include "walk.h"

static const struct excuse target_excuse = { "targets are what users say, as long as no byte is 0",
					     damage_leaves_nonzero };

static const struct field target_fields[] = ALONE("byte", 1, .excuse = &target_excuse);
static const struct field symlink_fields[] = {
	FIELD(symlink_disk, magic), FIELD(symlink_disk, offset),
	FIELD(symlink_disk, bytes), FIELD(symlink_disk, crc),
	ARRAY(symlink_disk, uuid),  FIELD(symlink_disk, owner),
	FIELD(symlink_disk, blkno), FIELD(symlink_disk, lsn, .excuse = &lsn_excuse),
};
const struct structure symlink_target_structure = STRUCTURE("symlink target", target_fields, 1);
const struct structure symlink_header_structure =
	STRUCTURE("symlink header", symlink_fields, sizeof(struct symlink_disk));

void walk_symlink_target(struct catalog *catalog, enum kind kind, size_t offset, size_t size)
{
	catalog_add(catalog, kind, &symlink_target_structure, offset, size);
}

void walk_symlink(struct catalog *catalog, enum kind kind)
{
	const struct symlink_disk *header = (const struct symlink_disk *)catalog_bytes(catalog);

	catalog_add(catalog, kind, &symlink_header_structure, 0, 1);
	walk_symlink_target(catalog, kind, sizeof(*header), be32_get(header->bytes));
	catalog_end_object(catalog, &unused_structure);
}
