/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries of an archive that wait for their data. */
#ifndef XFSCK_REPAIR_EXTRACT_TAR_H
#define XFSCK_REPAIR_EXTRACT_TAR_H

#include <archive.h>
#include <archive_entry.h>

#include "job.h"
#include "pieces.h"

struct queued {
	struct archive_entry *entry;
	struct byte_buffer path; /* for messages */
	size_t first, count;	 /* its pieces */
	size_t first_lost, lost; /* whose place is unknown */
	uint64_t size;		 /* bytes; of all but regular files 0 */
	uint64_t holes;		 /* bytes of them in front of its last data */
	bool link;		 /* to the one before it that is none */
};

struct tar {
	struct extract_job *job;
	struct archive *archive;
	struct piece_reader reader;
	struct queued *queue;
	size_t nqueued, queue_room;
	struct piece *pieces; /* of all that wait, each file's in its order */
	size_t npieces, pieces_room;
	uint64_t bytes; /* of these pieces */
	struct lost_range *lost;
	size_t nlost, lost_room;
	uint8_t *window; /* TAR_WINDOW bytes */
	uint8_t *zeroes; /* TAR_ZEROES of them */
};

#define TAR_WINDOW (16u << 20)
#define TAR_ZEROES ((size_t)1 << 30)

/* Of a file that is nothing but a hole, so many bytes are written: some programs can't read an archive without any. */
static inline uint64_t tar_hole_head(const struct queued *q)
{
	return q->count ? 0 : q->size < 512 ? q->size : 512;
}

/* End of a piece in a file of that size, which may end in the middle of its last block. */
static inline uint64_t tar_piece_end(const struct piece *p, uint64_t size)
{
	return p->offset + p->len < size ? p->offset + p->len : size;
}

/* Add the current file to the queue, with its attributes, and its other names as links. 0 or negative errno. */
int tar_add(struct tar *t);
/* Forget all that waits. */
void tar_forget(struct tar *t);

#endif
