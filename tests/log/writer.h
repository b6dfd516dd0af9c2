/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes transactions into a log that is clean, in one of the forms that it had over the years. */
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
	struct record record; /* that is being filled */
	uint32_t used;	      /* bytes of it */
	uint32_t ops;
	uint32_t cycle;
	uint32_t previous; /* record */
	uint64_t tail;
	uint32_t tid;
	struct item_position position;
	unsigned records, split;
};

/* An item: regions as a little-endian 64-bit machine has them, which belong to it. */
struct log_item_data {
	uint16_t regions;
	struct {
		uint8_t *bytes;
		uint32_t len;
	} region[34];
};

void writer_start(struct log_writer *w, struct log_image *log, struct log_form form);
/* Right after that: begin behind the last record of a clean log in its first lap instead. */
void writer_append(struct log_writer *w);
/* One transaction, from start to commit; frees the regions. */
void writer_transaction(struct log_writer *w, struct log_item_data *items, size_t count);
void writer_end(struct log_writer *w);

#endif
