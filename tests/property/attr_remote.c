/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: blocks with a value of an attribute (ondisk 07). */
#include "damage.h"
#include "disk/attr.h"
#include "table.h"
#include "walk.h"

static bool is_zero(const struct damage *d)
{
	return d->after == 0;
}

static const struct excuse old_lsn_excuse = { "old kernels wrote 0", is_zero };

static const struct field remote_fields[] = {
	FIELD(attr_remote_disk, magic), FIELD(attr_remote_disk, offset),
	FIELD(attr_remote_disk, bytes), FIELD(attr_remote_disk, crc),
	ARRAY(attr_remote_disk, uuid),	FIELD(attr_remote_disk, owner),
	FIELD(attr_remote_disk, blkno), FIELD(attr_remote_disk, lsn, .excuse = &old_lsn_excuse),
};
const struct structure attr_remote_header_structure =
	STRUCTURE("attr value header", remote_fields, sizeof(struct attr_remote_disk));

void walk_attr_remote(struct catalog *catalog, enum kind kind)
{
	const struct attr_remote_disk *header = (const struct attr_remote_disk *)catalog_bytes(catalog);

	catalog_add(catalog, kind, &attr_remote_header_structure, 0, 1);
	catalog_add(catalog, kind, &attr_value_structure, sizeof(*header), be32_get(header->bytes));
	catalog_end_object(catalog, &unused_structure);
}
