/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: the record that ends a clean log (ondisk 11). */
#include "damage.h"
#include "disk/log.h"
#include "table.h"
#include "walk.h"

static const struct field header_fields[] = {
	FIELD(log_header_disk, magic),
	FIELD(log_header_disk, cycle),
	FIELD(log_header_disk, version),
	FIELD(log_header_disk, len),
	FIELD(log_header_disk, lsn),
	FIELD(log_header_disk, tail_lsn),
	FIELD(log_header_disk, crc),
	FIELD(log_header_disk, prev_block),
	FIELD(log_header_disk, num_logops),
	FIELD(log_header_disk, cycle_data[0]),
	{ .name = "cycle_data, of blocks that the record lacks",
	  .offset = offsetof(struct log_header_disk, cycle_data[1]),
	  .count = LOG_CYCLES_PER_BLOCK - 1,
	  .size = sizeof(be32_t) },
	FIELD(log_header_disk, fmt),
	ARRAY(log_header_disk, fs_uuid),
	FIELD(log_header_disk, size),
	FIELD(log_header_disk, pad),
};
static const struct field op_fields[] = {
	FIELD(log_op_disk, tid),      FIELD(log_op_disk, len),	FIELD(log_op_disk, clientid),
	FIELD(log_op_disk, flags), FIELD(log_op_disk, res2),
};
const struct structure log_header_structure =
	STRUCTURE("log record header", header_fields, sizeof(struct log_header_disk));
const struct structure log_op_structure = STRUCTURE("log unmount record", op_fields, sizeof(struct log_op_disk));

void walk_log_record(struct catalog *catalog, enum kind kind)
{
	catalog_add(catalog, kind, &log_header_structure, 0, 1);
	catalog_add(catalog, kind, &log_op_structure, LOG_BLOCK, 1);
	catalog_end_object(catalog, &unused_structure);
}
