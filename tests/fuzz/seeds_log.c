/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes items and records from a dirty log, for fuzz_log_item.c and fuzz_log_transactions.c (ondisk 11).  Operations
 * that continue in another record are skipped.
 */
#include "seeds_log.h"

#include <string.h>

#include "../log/records.h"
#include "disk/log_item.h"
#include "libxfs/log_item.h"

#define REGIONS	    6u
#define RECORDS_MAX 4u
#define UNIT	    64u /* unit of the length of a record */

struct seeding {
	size_t len_max;
	seed_fn *fn;
	void *ctx;
	bool seen[32][REGIONS + 1]; /* types, numbers of regions */
};

/* Returns the next operation of a record; false: none. */
static bool next_op(const struct record *record, uint32_t *at, struct log_op_disk *ret_op, const uint8_t **ret_bytes)
{
	if (*at + sizeof(*ret_op) > record->len)
		return false;
	memcpy(ret_op, record->payload + *at, sizeof(*ret_op));
	*at += (uint32_t)sizeof(*ret_op);
	if (be32_get(ret_op->len) > record->len - *at || ret_op->clientid != LOG_CLIENT_TRANSACTION)
		return false;
	*ret_bytes = record->payload + *at;
	*at += be32_get(ret_op->len);
	return true;
}

/* Writes the item that begins with these bytes; its other regions follow. */
static void take_item(struct seeding *s, const struct record *record, uint32_t at, const uint8_t *bytes, uint32_t len)
{
	uint8_t input[16384];
	uint16_t type, nregions;
	struct log_op_disk op;
	size_t used = 0;

	memcpy(&type, bytes, sizeof(type));
	memcpy(&nregions, bytes + 2, sizeof(nregions));
	if (type < LI_EFI || type >= LI_EFI + 32 || nregions == 0 || nregions > REGIONS ||
	    s->seen[type - LI_EFI][nregions])
		return;
	for (unsigned i = 0; i < nregions; i++) {
		if (used + 2 + len > s->len_max || used + 2 + len > sizeof(input) || len > 0x1ffc)
			return;
		input[used++] = (uint8_t)len;
		input[used++] = (uint8_t)(len >> 8);
		memcpy(input + used, bytes, len);
		used += len;
		if (i + 1 == nregions)
			break;
		if (!next_op(record, &at, &op, &bytes) || op.flags)
			return;
		len = be32_get(op.len);
	}
	s->seen[type - LI_EFI][nregions] = true;
	/* with bytes at the start of the object there are two more regions */
	s->fn(s->ctx, "fuzz_log_item", (uint8_t)((type - LI_EFI) | (nregions - (nregions > 2 ? 3 : 1)) << 6),
	      nregions > 2, input, used);
}

static void take_items(struct seeding *s, const struct record *record)
{
	const uint8_t *bytes;
	struct log_op_disk op;
	uint32_t at = 0;

	while (next_op(record, &at, &op, &bytes))
		if (!op.flags && be32_get(op.len) >= LOG_ITEM_HEAD_BYTES)
			take_item(s, record, at, bytes, be32_get(op.len));
}

/* Writes as many of its operations as fit into one record of the target. */
static void take_whole(struct seeding *s, const struct record *record)
{
	uint8_t input[4096];
	const uint8_t *bytes;
	struct log_op_disk op;
	uint32_t at = 0, end = 0, ops = 0;

	while (ops < 31 && next_op(record, &at, &op, &bytes) && at <= s->len_max - 2 && at <= sizeof(input) - 2) {
		end = at;
		ops++;
	}
	if (!ops)
		return;
	input[0] = (uint8_t)((end + UNIT) / UNIT);
	input[1] = (uint8_t)ops;
	memcpy(input + 2, record->payload, end);
	s->fn(s->ctx, "fuzz_log_transactions", 0, 0, input, end + 2);
}

void seeds_of_log(const char *path, size_t len_max, seed_fn *fn, void *ctx)
{
	struct seeding s = { .len_max = len_max, .fn = fn, .ctx = ctx };
	struct records records;
	struct log_image log;

	log_image_open(&log, path);
	records = log_image_records(&log);
	for (size_t i = 0; i < records.count; i++) {
		take_items(&s, &records.list[i]);
		if (i % (records.count / RECORDS_MAX + 1) == 0)
			take_whole(&s, &records.list[i]);
	}
}
