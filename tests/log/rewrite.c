/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rewrite IMAGE big-endian|short|big-endian-short: rewrites the records that wait for replay as if another machine had
 * written them: numbers in big-endian order; items without the padding that 32-bit machines don't have.  The contents
 * are the same, so the replay must give the same result.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk/log_item.h"
#include "items.h"
#include "records.h"

#define TRANSACTIONS 64 /* in flight at a time */

/* A region, or its first parts: it may be split over records. */
struct piece {
	struct record *record;
	struct log_op_disk *op;
	uint8_t *bytes;
	uint32_t len;
};

struct transaction {
	bool open;
	uint32_t tid;
	struct item_position position;
	struct piece pieces[64];
	size_t count;
};

struct rewriting {
	bool swap, shorten;
	struct transaction transactions[TRANSACTIONS];
	unsigned long regions, split, shortened;
};

static struct transaction *transaction_of(struct rewriting *r, uint32_t tid, bool starts)
{
	struct transaction *idle = NULL;

	for (size_t i = 0; i < TRANSACTIONS; i++) {
		struct transaction *t = &r->transactions[i];

		if (t->open && t->tid == tid)
			return t;
		if (!t->open)
			idle = t;
	}
	/* one that began before the tail is not replayed */
	if (!starts)
		return NULL;
	if (!idle)
		errx(1, "too many transactions under way");
	*idle = (struct transaction){ .open = true, .tid = tid };
	return idle;
}

/* Removes bytes at the end of a region from the record; zeroes follow the last operation. */
static void cut(struct record *record, uint8_t *bytes, uint32_t len)
{
	uint8_t *end = record->payload + record->len;

	memmove(bytes, bytes + len, (size_t)(end - bytes) - len);
	memset(end - len, 0, len);
}

/* Returns the number of bytes by which its last part was shortened. */
static uint32_t rewrite_region(struct rewriting *r, struct transaction *t)
{
	struct piece *last = &t->pieces[t->count - 1];
	uint32_t len = 0, shorter;
	uint8_t *region;

	for (size_t i = 0; i < t->count; i++)
		len += t->pieces[i].len;
	region = malloc(2 * (size_t)len + 1);
	if (!region)
		err(1, "memory");
	len = 0;
	for (size_t i = 0; i < t->count; i++, len += t->pieces[i - 1].len)
		memcpy(region + len, t->pieces[i].bytes, t->pieces[i].len);
	memcpy(region + len, region, len);
	r->regions++;
	r->split += t->count > 1;

	shorter = r->shorten && t->count == 1 ? item_shorten(&t->position, region, len) : len;
	if (r->swap)
		item_swap(&t->position, region, shorter);
	item_next(&t->position, region + len, len);
	for (size_t i = 0, at = 0; i < t->count; at += t->pieces[i++].len)
		memcpy(t->pieces[i].bytes, region + at, t->pieces[i].len);
	free(region);
	t->count = 0;
	if (shorter == len)
		return 0;
	r->shortened++;
	last->op->len = be32_put(shorter);
	cut(last->record, last->bytes + shorter, len - shorter);
	return len - shorter;
}

/* Rewrites an operation with data at bytes; returns the new length of the data. */
static uint32_t rewrite_op(struct rewriting *r, struct record *record, struct log_op_disk *op, uint8_t *bytes)
{
	uint32_t len = be32_get(op->len);
	struct transaction *t;

	if (op->clientid != LOG_CLIENT_TRANSACTION)
		return len;
	t = transaction_of(r, be32_get(op->tid), op->flags & LOG_OP_START);
	if (!t)
		return len;
	if (op->flags & LOG_OP_COMMIT) {
		t->open = false;
		return len;
	}
	if (op->flags & LOG_OP_START || (len == 0 && !(op->flags & LOG_OP_END)))
		return len;
	if (t->count == sizeof(t->pieces) / sizeof(t->pieces[0]))
		errx(1, "a region is split into too many pieces");
	t->pieces[t->count++] = (struct piece){ record, op, bytes, len };
	if (op->flags & LOG_OP_CONTINUE)
		return len;
	return len - rewrite_region(r, t);
}

static void rewrite_record(struct rewriting *r, struct record *record)
{
	uint32_t ops = be32_get(record->header.num_logops);
	uint8_t *at = record->payload, *end = record->payload + record->len;

	for (uint32_t i = 0; i < ops; i++) {
		struct log_op_disk *op = (struct log_op_disk *)at;

		if ((size_t)(end - at) < sizeof(*op) || be32_get(op->len) > (size_t)(end - at) - sizeof(*op))
			errx(1, "operation %u of record %u does not fit", i, record->bb);
		at += sizeof(*op);
		at += rewrite_op(r, record, op, at);
	}
	if (r->swap)
		record->header.fmt = be32_put(LOG_FORMAT_BE);
}

int main(int argc, char **argv)
{
	static struct rewriting r;
	struct records records;
	struct log_image log;

	if (argc != 3)
		errx(2, "usage: rewrite IMAGE big-endian|short|big-endian-short");
	r.swap = strncmp(argv[2], "big-endian", 10) == 0;
	r.shorten = strstr(argv[2], "short") != NULL;
	log_image_open(&log, argv[1]);
	records = log_image_records(&log);
	for (size_t i = 0; i < records.count; i++)
		rewrite_record(&r, &records.list[i]);
	for (size_t i = 0; i < records.count; i++) {
		log_image_put(&log, &records.list[i]);
		free(records.list[i].payload);
	}
	free(records.list);
	log_image_close(&log);
	printf("%zu records, %lu regions, %lu split, %lu shortened\n", records.count, r.regions, r.split, r.shortened);
	return 0;
}
