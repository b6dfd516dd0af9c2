/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Archive entries in the queue, with their data to be read. */
#ifndef XFSCK_REPAIR_EXTRACT_TAR_H
#define XFSCK_REPAIR_EXTRACT_TAR_H

#include <archive.h>
#include <archive_entry.h>

#include "job.h"
#include "segments.h"

struct queued {
	struct archive_entry *entry;
	struct byte_buffer path; /* for messages */
	size_t first, count;	 /* in tar.segments */
	size_t first_lost, lost; /* ranges in tar.lost: their blocks are unknown */
	uint64_t size;		 /* bytes; 0 except for regular files */
	uint64_t holes;		 /* bytes of holes before its last data */
	bool link;		 /* a hard link to the last entry that is not */
};

struct tar {
	struct extract_job *job;
	struct archive *archive;
	struct segment_reader reader;
	struct queued *queue;
	size_t nqueued, queue_room;
	struct segment *segments; /* of all entries, in file order */
	size_t nsegments, segments_room;
	uint64_t bytes; /* of these segments */
	struct bad_range *lost;
	size_t nlost, lost_room;
	uint8_t *window; /* TAR_WINDOW bytes */
	uint8_t *zeroes; /* TAR_ZEROES bytes */
};

#define TAR_WINDOW (16u << 20)
#define TAR_ZEROES ((size_t)1 << 30)

/* Returns how many bytes to write of a file that is a single hole; some programs cannot read an archive without any. */
static inline uint64_t tar_hole_head(const struct queued *q)
{
	return q->count ? 0 : q->size < 512 ? q->size : 512;
}

/* Returns the end of a segment in a file of this size, which may end within a block. */
static inline uint64_t tar_segment_end(const struct segment *p, uint64_t size)
{
	return p->offset + p->len < size ? p->offset + p->len : size;
}

/* Adds the current file to the queue with its attributes, and its other names as links. 0 or negative errno. */
int tar_add(struct tar *t);
/* Empties the queue. */
void tar_forget(struct tar *t);

#endif
