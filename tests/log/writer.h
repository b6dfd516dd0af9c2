/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes transactions into a clean log, in one of its historical formats. */
#ifndef TESTS_LOG_WRITER_H
#define TESTS_LOG_WRITER_H

#include <stdbool.h>

#include "items.h"
#include "records.h"

struct log_form {
	bool big_endian;
	bool short_items; /* of a 32-bit machine */
	bool checksums;
	bool wrapped; /* begins just before the end of the log */
	uint8_t version;
};

struct log_writer {
	struct log_image *log;
	struct log_form form;
	struct record record; /* the current one */
	uint32_t used;	      /* bytes of it */
	uint32_t ops;
	uint32_t cycle;
	uint32_t previous; /* record */
	uint64_t tail;
	uint32_t tid;
	struct item_position position;
	unsigned records, split;
};

/* An item: its regions, which it owns, as a little-endian 64-bit machine has them. */
struct log_item_data {
	uint16_t regions;
	struct {
		uint8_t *bytes;
		uint32_t len;
	} region[34];
};

void writer_start(struct log_writer *w, struct log_image *log, struct log_form form);
/* Right after writer_start(): begins after the last record of a clean log in its first lap instead. */
void writer_append(struct log_writer *w);
/* Writes one transaction, from start to commit; frees the regions. */
void writer_transaction(struct log_writer *w, struct log_item_data *items, size_t count);
void writer_end(struct log_writer *w);

#endif
