/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packs operations into records; regions that don't fit continue in the next one (ondisk 11). */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "disk/log_item.h"
#include "writer.h"

#define PAYLOAD_MAX (LOG_HEADER_COVERS - LOG_BLOCK) /* of a buffer of 32 KiB with its header */
#define WRAP_BEFORE 21				    /* blocks, no multiple of what a record has */
#define LATER_CYCLE 5
#define CHECKPOINT  40

/* Stamps all blocks with a cycle, as if the log had been full once. */
static void stamp_all(struct log_image *log, uint32_t start)
{
	memset(log->bytes, 0, (size_t)log->bbs * LOG_BLOCK);
	for (uint32_t bb = 0; bb < log->bbs; bb++) {
		const be32_t stamp = be32_put(bb < start ? LATER_CYCLE : LATER_CYCLE - 1);

		memcpy(log->bytes + (size_t)bb * LOG_BLOCK, &stamp, sizeof(stamp));
	}
}

static uint64_t next_lsn(const struct log_writer *w)
{
	return (uint64_t)w->cycle << 32 | w->record.bb;
}

void writer_start(struct log_writer *w, struct log_image *log, struct log_form form)
{
	*w = (struct log_writer){ .log = log, .form = form, .cycle = 1, .previous = 0, .tid = 0x1000 };
	w->record.payload = calloc(1, PAYLOAD_MAX);
	if (!w->record.payload)
		err(1, "memory");
	w->record.header_blocks = 1;
	w->record.bb = 2; /* after the record of mkfs */
	if (form.wrapped) {
		w->cycle = LATER_CYCLE;
		w->record.bb = log->bbs - WRAP_BEFORE;
		w->previous = LOG_NO_BLOCK;
		stamp_all(log, w->record.bb);
	}
	w->tail = next_lsn(w);
}

void writer_append(struct log_writer *w)
{
	uint32_t bb = 0;

	for (;;) {
		const struct log_header_disk *header = (const void *)(w->log->bytes + (size_t)bb * LOG_BLOCK);

		if (be32_get(header->magic) != LOG_MAGIC || be32_get(header->cycle) != 1)
			break;
		w->previous = bb;
		bb += (be32_get(header->size) + LOG_HEADER_COVERS - 1) / LOG_HEADER_COVERS +
		      (be32_get(header->len) + LOG_BLOCK - 1) / LOG_BLOCK;
		if (bb >= w->log->bbs)
			errx(1, "the log is full");
	}
	w->record.bb = bb;
	w->tail = 1ull << 32 | bb;
}

static void put_record(struct log_writer *w)
{
	struct record *record = &w->record;

	if (w->ops == 0)
		return;
	record->len = (w->used + LOG_BLOCK - 1) / LOG_BLOCK * LOG_BLOCK;
	record->header = (struct log_header_disk){
		.magic = be32_put(LOG_MAGIC),
		.cycle = be32_put(w->cycle),
		.version = be32_put(w->form.version),
		.len = be32_put(record->len),
		.lsn = be64_put(next_lsn(w)),
		.tail_lsn = be64_put(w->tail),
		.crc = le32_put(w->form.checksums),
		.prev_block = be32_put(w->previous),
		.num_logops = be32_put(w->ops),
		.fmt = be32_put(w->form.big_endian ? LOG_FORMAT_BE : LOG_FORMAT_LE),
		.size = be32_put(LOG_HEADER_COVERS),
	};
	memcpy(record->header.fs_uuid, w->log->uuid, sizeof(w->log->uuid));
	log_image_put(w->log, record);
	w->previous = record->bb;
	record->bb += 1 + record->len / LOG_BLOCK;
	if (record->bb >= w->log->bbs) {
		record->bb -= w->log->bbs;
		w->cycle++;
	}
	if ((w->tail & UINT32_MAX) < record->bb + LOG_MAX_RECORD / LOG_BLOCK && w->cycle > w->tail >> 32)
		errx(1, "the log is too small");
	memset(record->payload, 0, PAYLOAD_MAX);
	w->used = w->ops = 0;
	w->records++;
}

static void put_op(struct log_writer *w, uint8_t flags, const void *bytes, uint32_t len)
{
	const struct log_op_disk op = {
		.tid = be32_put(w->tid), .len = be32_put(len), .clientid = LOG_CLIENT_TRANSACTION, .flags = flags
	};

	memcpy(w->record.payload + w->used, &op, sizeof(op));
	if (len)
		memcpy(w->record.payload + w->used + sizeof(op), bytes, len);
	w->used += (uint32_t)sizeof(op) + len;
	w->ops++;
}

static void put_empty_op(struct log_writer *w, uint8_t flags)
{
	if (PAYLOAD_MAX - w->used < sizeof(struct log_op_disk))
		put_record(w);
	put_op(w, flags, NULL, 0);
}

/* Adds a region, which it changes. */
static void put_region(struct log_writer *w, uint8_t *region, uint32_t len)
{
	const uint32_t op_size = sizeof(struct log_op_disk);
	struct item_position next = w->position;
	uint8_t flags = 0;

	item_next(&next, region, len);
	if (w->form.short_items)
		len = item_shorten(&w->position, region, len);
	if (w->form.big_endian)
		item_swap(&w->position, region, len);
	w->position = next;
	while (len > 0) {
		uint32_t room, part;

		if (PAYLOAD_MAX - w->used < op_size + 4)
			put_record(w);
		room = PAYLOAD_MAX - w->used - op_size;
		part = len < room ? len : room;
		if (part < len)
			w->split++;
		flags = (uint8_t)((flags ? LOG_OP_WAS_CONT : 0) | (part < len ? LOG_OP_CONTINUE
								   : flags    ? LOG_OP_END
									      : 0));
		put_op(w, flags, region, part);
		region += part;
		len -= part;
	}
}

void writer_transaction(struct log_writer *w, struct log_item_data *items, size_t count)
{
	/* a magic number, the kind of the transaction, its number, and a count, in the machine's byte order */
	uint32_t header[4] = { LOG_TRANSACTION_MAGIC, CHECKPOINT, ++w->tid, (uint32_t)count };

	/* old transactions count items, checkpoints regions */
	if (w->form.checksums)
		header[3] = 0;
	for (size_t i = 0; w->form.checksums && i < count; i++)
		header[3] += items[i].regions;
	w->position = (struct item_position){ 0 };
	put_empty_op(w, LOG_OP_START);
	put_region(w, (uint8_t *)header, sizeof(header));
	for (size_t i = 0; i < count; i++) {
		for (uint16_t k = 0; k < items[i].regions; k++) {
			put_region(w, items[i].region[k].bytes, items[i].region[k].len);
			free(items[i].region[k].bytes);
		}
	}
	put_empty_op(w, LOG_OP_COMMIT);
}

void writer_end(struct log_writer *w)
{
	put_record(w);
	free(w->record.payload);
}
