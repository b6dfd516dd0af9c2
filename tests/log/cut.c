/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cut IMAGE: lists where its log could have ended, had the crash come earlier, with operations of several transactions
 * unfinished: block of the log, and number of each kind (ondisk 11, "Intents/dones").
 * cut IMAGE BLOCK: ends the log there.
 * The log must be that of a young file system: in its first lap, with all metadata still only in it.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "disk/log_item.h"
#include "records.h"

#define NTRANSACTIONS 64u /* in flight at a time */
#define NWAITING      4096u
#define ID_AT	      8

/* The start of a region. */
struct region {
	uint16_t type, nregions;
	uint64_t id;
};

struct transaction {
	uint32_t tid;
	bool open;
	struct region *regions;
	size_t count, room;
};

struct walk {
	struct transaction transactions[NTRANSACTIONS];
	struct region waiting[NWAITING];
	size_t nwaiting;
};

static const struct kind {
	uint16_t intent, done;
	const char *name;
} kinds[] = {
	{ LI_EFI, LI_EFD, "efi" }, { LI_RUI, LI_RUD, "rui" },	    { LI_CUI, LI_CUD, "cui" },
	{ LI_BUI, LI_BUD, "bui" }, { LI_ATTRI, LI_ATTRD, "attri" }, { LI_XMI, LI_XMD, "xmi" },
};
#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

static struct transaction *find(struct walk *w, uint32_t tid)
{
	for (size_t i = 0; i < NTRANSACTIONS; i++)
		if (w->transactions[i].open && w->transactions[i].tid == tid)
			return &w->transactions[i];
	return NULL;
}

static void begin(struct walk *w, uint32_t tid)
{
	for (size_t i = 0; i < NTRANSACTIONS; i++) {
		struct transaction *t = &w->transactions[i];

		if (t->open)
			continue;
		t->tid = tid;
		t->open = true;
		t->count = 0;
		return;
	}
	errx(1, "too many transactions");
}

static void take_item(struct walk *w, const struct region *item)
{
	for (size_t k = 0; k < NKINDS; k++) {
		if (item->type != kinds[k].intent && item->type != kinds[k].done)
			continue;
		for (size_t i = 0; i < w->nwaiting; i++)
			if (w->waiting[i].type == kinds[k].intent && w->waiting[i].id == item->id)
				w->waiting[i] = w->waiting[--w->nwaiting];
		if (item->type == kinds[k].intent && w->nwaiting < NWAITING)
			w->waiting[w->nwaiting++] = *item;
	}
}

/* Commits a transaction; its first region is its own header. */
static void commit(struct walk *w, struct transaction *t)
{
	for (size_t i = 1; i < t->count; i += t->regions[i].nregions ? t->regions[i].nregions : 1)
		take_item(w, &t->regions[i]);
	t->open = false;
}

static void take_op(struct walk *w, const struct log_op_disk *op, const uint8_t *bytes, uint32_t len)
{
	struct transaction *t = find(w, be32_get(op->tid));
	struct region region = { 0 };

	if (op->flags & LOG_OP_START) {
		begin(w, be32_get(op->tid));
	} else if (t && op->flags & LOG_OP_COMMIT) {
		commit(w, t);
	} else if (t && len && !(op->flags & LOG_OP_WAS_CONT)) {
		if (array_grow(&t->regions, &t->room, t->count, sizeof(*t->regions)))
			err(1, "memory");
		if (len >= ID_AT + sizeof(region.id)) {
			memcpy(&region.type, bytes, 2);
			memcpy(&region.nregions, bytes + 2, 2);
			memcpy(&region.id, bytes + ID_AT, sizeof(region.id));
		}
		t->regions[t->count++] = region;
	}
}

static void take_record(struct walk *w, const struct record *record)
{
	uint32_t at = 0, ops = be32_get(record->header.num_logops);

	for (uint32_t i = 0; i < ops && at + sizeof(struct log_op_disk) <= record->len; i++) {
		const struct log_op_disk *op = (const void *)(record->payload + at);
		uint32_t len = be32_get(op->len);

		at += (uint32_t)sizeof(*op);
		if (len > record->len - at)
			errx(1, "an operation is too long");
		if (op->clientid == LOG_CLIENT_TRANSACTION)
			take_op(w, op, record->payload + at, len);
		at += len;
	}
}

static void list(const struct log_image *log)
{
	struct records records = log_image_records(log);
	static struct walk w;

	for (size_t i = 0; i < records.count; i++) {
		const struct record *record = &records.list[i];

		if (be32_get(record->header.cycle) != 1)
			errx(1, "the log is in its second lap");
		take_record(&w, record);
		if (!w.nwaiting)
			continue;
		printf("%u", record->bb + record->header_blocks + record->len / LOG_BLOCK);
		for (size_t k = 0; k < NKINDS; k++) {
			unsigned count = 0;

			for (size_t n = 0; n < w.nwaiting; n++)
				count += w.waiting[n].type == kinds[k].intent;
			if (count)
				printf(" %s=%u", kinds[k].name, count);
		}
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	struct log_image log;
	unsigned long block;

	if (argc != 2 && argc != 3)
		errx(2, "usage: cut IMAGE [BLOCK]");
	log_image_open(&log, argv[1]);
	if (argc == 2) {
		list(&log);
		return 0;
	}
	block = strtoul(argv[2], NULL, 10);
	if (block >= log.bbs)
		errx(1, "no block %lu", block);
	memset(log.bytes + block * LOG_BLOCK, 0, (log.bbs - block) * LOG_BLOCK);
	log_image_close(&log);
	return 0;
}
