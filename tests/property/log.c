/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of fields: the record that ends a clean log (ondisk 11). */
#include "damage.h"
#include "disk/log.h"
#include "table.h"
#include "walk.h"

static bool is_byte_order(const struct damage *d)
{
	return d->after >= LOG_FORMAT_LE && d->after <= 3;
}

static bool is_not_ahead(const struct damage *d)
{
	const struct log_header_disk *header = sound_object(d);

	return d->after <= be64_get(header->lsn);
}

static const struct excuse tail_excuse = { "replay begins there, but there is nothing to replay", is_not_ahead };
static const struct excuse replay_excuse = { "only replay reads it, and there is nothing to replay", NULL };
static const struct excuse unmount_excuse = {
	"without the mark the log waits for replay, and nothing is in it: replayed, it is what it was", NULL
};
static const struct excuse order_excuse = { "only replay depends on the byte order", is_byte_order };
static const struct excuse reserved_excuse = { "reserved, and not known to be 0", NULL };
static const struct field header_fields[] = {
	FIELD(log_header_disk, magic),
	FIELD(log_header_disk, cycle),
	FIELD(log_header_disk, version),
	FIELD(log_header_disk, len),
	FIELD(log_header_disk, lsn),
	FIELD(log_header_disk, tail_lsn, .excuse = &tail_excuse),
	FIELD(log_header_disk, crc),
	FIELD(log_header_disk, prev_block, .excuse = &nobody_excuse),
	FIELD(log_header_disk, num_logops),
	ARRAY(log_header_disk, cycle_data, .excuse = &replay_excuse),
	FIELD(log_header_disk, fmt, .excuse = &order_excuse),
	ARRAY(log_header_disk, fs_uuid),
	FIELD(log_header_disk, size),
	FIELD(log_header_disk, pad, .excuse = &reserved_excuse),
};
static const struct field op_fields[] = {
	FIELD(log_op_disk, tid),
	FIELD(log_op_disk, len, .excuse = &replay_excuse),
	FIELD(log_op_disk, clientid),
	BITS(log_op_disk, flags, "flags: unmount", LOG_OP_UNMOUNT, .excuse = &unmount_excuse),
	BITS(log_op_disk, flags, "flags: others", 0xff & ~LOG_OP_UNMOUNT, .excuse = &replay_excuse),
	FIELD(log_op_disk, res2, .excuse = &reserved_excuse),
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
