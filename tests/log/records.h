/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of an image as records in memory, for tools that rewrite or build one (ondisk 11, "Log record").  They end
 * the program on failure.
 */
#ifndef TESTS_LOG_RECORDS_H
#define TESTS_LOG_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "disk/log.h"

/* The place of an image's log, and the common fields of all records. */
struct log_image {
	int fd;
	off_t start;  /* bytes */
	uint32_t bbs; /* blocks of 512 bytes */
	uint8_t uuid[16];
	bool crc;	/* version 5 */
	uint8_t *bytes; /* all of it */
};

struct record {
	struct log_header_disk header;
	uint32_t bb;
	uint32_t header_blocks;
	uint32_t len;	  /* bytes of payload, a multiple of 512 */
	uint8_t *payload; /* with the original first words */
};

struct records {
	struct record *list;
	size_t count;
};

/* Reads the log of an image, which is in it or in a file IMAGE.log. */
void log_image_open(struct log_image *log, const char *path);
/* The records that wait for replay, in order. */
struct records log_image_records(const struct log_image *log);
/* Puts a record into log->bytes: with stamps, and a checksum if it had one. */
void log_image_put(struct log_image *log, const struct record *from);
/* Writes the log back. */
void log_image_close(struct log_image *log);

#endif
