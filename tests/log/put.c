/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * put IMAGE WORD...: adds records to a clean log in its first lap, with arbitrary operations, and with the right
 * checksum.  Words are
 *   FLAGS[,CLIENT[,LEN]]:HEX   an operation with these bytes (FLAGS, CLIENT, HEX hexadecimal; LEN: its length field)
 *   header,OFFSET,BYTES,VALUE  overrides a field of the record's header
 *   /                          ends the record, and begins another
 */
#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "disk/log_item.h"
#include "writer.h"

#define TID	    0x1001u
#define PAYLOAD_MAX (LOG_HEADER_COVERS - LOG_BLOCK)

struct override {
	uint32_t offset, bytes;
	uint64_t value;
};

struct put {
	struct log_writer writer;
	struct override overrides[8];
	unsigned noverrides;
};

static void put_op(struct put *p, const char *word)
{
	struct log_op_disk op = { .tid = be32_put(TID), .clientid = LOG_CLIENT_TRANSACTION };
	uint8_t *to = p->writer.record.payload + p->writer.used;
	char *at;
	uint32_t len = 0;

	op.flags = (uint8_t)strtoul(word, &at, 16);
	if (*at == ',')
		op.clientid = (uint8_t)strtoul(at + 1, &at, 16);
	op.len =
		be32_put(*at == ',' ? (uint32_t)strtoul(at + 1, &at, 10) : (uint32_t)strlen(strchr(word, ':') + 1) / 2);
	if (*at != ':' || p->writer.used + sizeof(op) + strlen(at) / 2 > PAYLOAD_MAX)
		errx(2, "%s: FLAGS[,CLIENT[,LEN]]:HEX", word);
	memcpy(to, &op, sizeof(op));
	for (at++; isxdigit(at[0]) && isxdigit(at[1]); at += 2) {
		const char digits[3] = { at[0], at[1], 0 };

		to[sizeof(op) + len++] = (uint8_t)strtoul(digits, NULL, 16);
	}
	p->writer.used += (uint32_t)sizeof(op) + len;
	p->writer.ops++;
}

static void put_override(struct put *p, const char *word)
{
	struct override *o = &p->overrides[p->noverrides++];
	char *at;

	o->offset = (uint32_t)strtoul(word, &at, 0);
	o->bytes = (uint32_t)strtoul(*at ? at + 1 : at, &at, 0);
	o->value = strtoull(*at ? at + 1 : at, &at, 0);
	if (*at || o->bytes > 8 || o->offset > LOG_BLOCK - o->bytes ||
	    p->noverrides == sizeof(p->overrides) / sizeof(p->overrides[0]))
		errx(2, "header,%s: OFFSET,BYTES,VALUE", word);
}

static void end_record(struct put *p)
{
	struct log_writer *w = &p->writer;
	struct record *record = &w->record;
	uint64_t lsn = 1ull << 32 | record->bb;

	record->len = (w->used + LOG_BLOCK - 1) / LOG_BLOCK * LOG_BLOCK;
	record->header = (struct log_header_disk){
		.magic = be32_put(LOG_MAGIC),
		.cycle = be32_put(1),
		.version = be32_put(2),
		.len = be32_put(record->len),
		.lsn = be64_put(lsn),
		.tail_lsn = be64_put(w->tail),
		.crc = le32_put(1),
		.prev_block = be32_put(w->previous),
		.num_logops = be32_put(w->ops),
		.fmt = be32_put(LOG_FORMAT_LE),
		.size = be32_put(LOG_HEADER_COVERS),
	};
	memcpy(record->header.fs_uuid, w->log->uuid, sizeof(w->log->uuid));
	for (unsigned i = 0; i < p->noverrides; i++) {
		const struct override *o = &p->overrides[i];

		for (uint32_t k = 0; k < o->bytes; k++)
			((uint8_t *)&record->header)[o->offset + k] = (uint8_t)(o->value >> 8 * (o->bytes - 1 - k));
	}
	log_image_put(w->log, record);
	w->previous = record->bb;
	record->bb += 1 + record->len / LOG_BLOCK;
	memset(record->payload, 0, PAYLOAD_MAX);
	w->used = w->ops = p->noverrides = 0;
}

int main(int argc, char **argv)
{
	const struct log_form form = { .checksums = true, .version = 2 };
	struct put p = { .noverrides = 0 };
	struct log_image log;

	if (argc < 3)
		errx(2, "usage: put IMAGE WORD...");
	log_image_open(&log, argv[1]);
	writer_start(&p.writer, &log, form);
	writer_append(&p.writer);
	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "/"))
			end_record(&p);
		else if (!strncmp(argv[i], "header,", 7))
			put_override(&p, argv[i] + 7);
		else
			put_op(&p, argv[i]);
	}
	end_record(&p);
	free(p.writer.record.payload);
	log_image_close(&log);
	return 0;
}
