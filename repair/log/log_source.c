/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads blocks of the log.  Records are read in small steps, and some blocks twice, such as a header again after its
 * payload; so callers that read the whole log make it be read ahead in large pieces.
 */
#include "log_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/log.h"

#define PIECES	     8
#define PIECE_BYTES  (512u << 10)
#define PIECE_BLOCKS (PIECE_BYTES >> SECTOR_LOG)
#define CHUNK_BLOCKS UINT64_C(64) /* as log_examine() reads them */
#define NEAR_BLOCKS  (LOG_MAX_IN_FLIGHT * LOG_MAX_RECORD >> SECTOR_LOG)

struct log_ahead {
	struct piece {
		uint64_t bb, count;
		uint8_t *bytes;
	} pieces[PIECES];
	unsigned next; /* the piece to replace next */
	uint8_t bytes[PIECES][PIECE_BYTES];
};

struct log_source log_source_of(const struct geometry *geo, struct device *device, struct device *log_device)
{
	if (log_device)
		return (struct log_source){ log_device, 0, NULL };
	return (struct log_source){ device, bytes_of_daddr(daddr_of_fsbno(geo, geo->logstart)), NULL };
}

int log_source_read_ahead(struct log_source *log)
{
	log->ahead = malloc(sizeof(*log->ahead));
	if (!log->ahead)
		return -ENOMEM;
	log->ahead->next = 0;
	for (unsigned i = 0; i < PIECES; i++)
		log->ahead->pieces[i] = (struct piece){ 0, 0, log->ahead->bytes[i] };
	return 0;
}

void log_source_forget(struct log_source *log)
{
	free(log->ahead);
	log->ahead = NULL;
}

/* Reads without caching: a log may be as large as everything else, and is read again in large pieces. */
static int read_device(const struct log_source *log, void *buf, uint64_t bb, uint64_t count)
{
	return device_read_once(log->device, buf, log->start + (bb << SECTOR_LOG), (size_t)count << SECTOR_LOG);
}

/* Returns the piece that has these blocks, or NULL.  *ret_goes_on: some piece ends where they begin. */
static const struct piece *find_piece(const struct log_ahead *ahead, uint64_t bb, uint32_t count, bool *ret_goes_on)
{
	const struct piece *found = NULL;

	*ret_goes_on = false;
	for (unsigned i = 0; i < PIECES; i++) {
		const struct piece *piece = &ahead->pieces[i];

		if (piece->count && bb == piece->bb + piece->count)
			*ret_goes_on = true;
		if (bb >= piece->bb && bb + count <= piece->bb + piece->count)
			found = piece;
	}
	return found;
}

/* Reads a piece that begins with these blocks: a large one if goes_on, else only these.  NULL: unreadable. */
static const struct piece *read_piece(const struct log_source *log, uint64_t bb, uint32_t count, bool goes_on)
{
	struct log_ahead *ahead = log->ahead;
	struct piece *piece = &ahead->pieces[ahead->next];
	uint64_t end = (device_bytes(log->device) - log->start) >> SECTOR_LOG;
	uint64_t more = PIECE_BLOCKS;

	if (!goes_on || bb > end || more > end - bb)
		more = count;
	piece->count = 0;
	if (read_device(log, piece->bytes, bb, more))
		return NULL;
	piece->bb = bb;
	piece->count = more;
	ahead->next = (ahead->next + 1) % PIECES;
	return piece;
}

static uint64_t round_down(uint64_t bb)
{
	return bb - bb % CHUNK_BLOCKS;
}

/* Reads blocks [bb, end) ahead; errors are ignored. */
static void read_pieces(const struct log_source *log, uint64_t bb, uint64_t end)
{
	while (bb < end) {
		uint32_t count = end - bb < PIECE_BLOCKS ? (uint32_t)(end - bb) : PIECE_BLOCKS;

		read_piece(log, bb, count, false);
		bb += count;
	}
}

void log_source_read_near(const struct log_source *log, uint64_t bbs, uint64_t bb)
{
	const uint64_t last = round_down(bbs - 1), near = round_down(bb);
	const uint64_t first = near > NEAR_BLOCKS + CHUNK_BLOCKS ? near - NEAR_BLOCKS : CHUNK_BLOCKS;

	if (!log->ahead || bb >= last || last <= CHUNK_BLOCKS)
		return;
	read_pieces(log, 0, CHUNK_BLOCKS);
	read_pieces(log, first, near + 2 * CHUNK_BLOCKS < last ? near + 2 * CHUNK_BLOCKS : last);
	read_pieces(log, last, bbs);
}

int log_source_read(void *ctx, void *buf, uint64_t bb, uint32_t count)
{
	const struct log_source *log = ctx;
	const struct piece *piece;
	bool goes_on;

	if (!log->ahead || count > PIECE_BLOCKS)
		return read_device(log, buf, bb, count);
	piece = find_piece(log->ahead, bb, count, &goes_on);
	if (!piece)
		piece = read_piece(log, bb, count, goes_on);
	/* the unreadable blocks may be behind the wanted ones */
	if (!piece)
		return read_device(log, buf, bb, count);
	memcpy(buf, piece->bytes + ((bb - piece->bb) << SECTOR_LOG), (size_t)count << SECTOR_LOG);
	return 0;
}
