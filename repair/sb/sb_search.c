/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks for superblocks.  There is one at each multiple of the size of AGs, but only superblocks tell that size; so any
 * one that is found leads to the others.
 */
#include <errno.h>
#include <string.h>

#include "sb_search.h"

#include "disk/agf.h"
#include "disk/sb.h"
#include "report.h"

#define PIECE	(4u << 20) /* of the device, read at once */
#define MIB_LOG 20
#define SIZES	8 /* block sizes are 512 to 65536 bytes: so many powers of two */
#define TRIES	8 /* AGs of one size that are looked at before another size is tried */

static bool any_usable_secondary(const struct sb_candidates *list)
{
	for (size_t i = 1; i < list->count; i++)
		if (list->all[i].usable)
			return true;
	return false;
}

/* Look where the first AGs begin if they have this size; if one has a usable superblock, add all of its geometry. */
static int try_ag_bytes(struct sb_candidates *list, uint64_t ag_bytes)
{
	if (ag_bytes < SB_MIN_AG_BYTES || ag_bytes > SB_MAX_AG_BYTES)
		return 0;
	for (unsigned agno = 1; agno <= TRIES && agno * ag_bytes < device_bytes(list->device); agno++) {
		size_t before = list->count;
		int ret = sb_candidates_add(list, agno * ag_bytes);

		if (ret)
			return ret;
		if (list->count > before && list->all[before].usable) {
			const struct geometry geo = list->all[before].geo;

			return sb_candidates_add_all(list, &geo);
		}
	}
	return 0;
}

/* The same for AGs of so many blocks, with each possible block size. */
static int look_at_blocks(struct sb_candidates *list, uint32_t agblocks)
{
	int ret = 0;

	for (unsigned log = SECTOR_LOG; log < SECTOR_LOG + SIZES && !ret; log++)
		ret = try_ag_bytes(list, (uint64_t)agblocks << log);
	return ret;
}

/* Take the size of AGs from the first AGF, which lies in the second sector, whatever the sector size. */
static int ask_first_agf(struct sb_candidates *list)
{
	int ret = 0;

	for (unsigned log = SECTOR_LOG; log < SECTOR_LOG + SIZES - 1 && !ret; log++) {
		struct agf_disk agf;

		if (device_read(list->device, &agf, 1u << log, sizeof(agf)) == -ENOMEM)
			return -ENOMEM;
		if (be32_get(agf.magicnum) == AGF_MAGIC)
			ret = look_at_blocks(list, be32_get(agf.length));
	}
	return ret;
}

/* Try the sizes that mkfs chooses: 4 AGs on a single disk, more on an array, the largest possible on large devices. */
static int guess_like_mkfs(struct sb_candidates *list)
{
	static const unsigned counts[] = { 4, 16, 32, 8, 2 };
	uint64_t bytes = device_bytes(list->device);
	int ret = try_ag_bytes(list, SB_MAX_AG_BYTES);

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]) && !ret; i++) {
		for (unsigned log = SECTOR_LOG; log < SECTOR_LOG + SIZES && !ret; log++) {
			uint64_t blocks = bytes >> log;

			ret = try_ag_bytes(list, (blocks / counts[i] + (blocks % counts[i] != 0)) << log);
		}
	}
	return ret;
}

int sb_search_likely(struct sb_candidates *list)
{
	const struct sb_disk *sb = (const struct sb_disk *)list->all[0].sector;
	uint32_t agblocks = be32_get(sb->agblocks);
	int ret;

	if (list->all[0].usable) {
		const struct geometry geo = list->all[0].geo;

		ret = sb_candidates_add_all(list, &geo);
	} else {
		ret = look_at_blocks(list, agblocks);
	}
	if (!ret && !any_usable_secondary(list))
		ret = ask_first_agf(list);
	if (!ret && !any_usable_secondary(list) && !list->all[0].usable)
		ret = guess_like_mkfs(list);
	return ret;
}

/* The offset of the next sector of the piece, from `from` on, that begins with a superblock's magic; >= len: none. */
static uint32_t next_magic(const uint8_t *piece, uint32_t from, uint32_t len)
{
	static const uint8_t magic[] = { 'X', 'F', 'S', 'B' };

	while (from < len && memcmp(piece + from, magic, sizeof(magic)) != 0)
		from += SECTOR_SIZE;
	return from;
}

static void note_displaced(struct sb_displaced *displaced, const struct sb_candidate *candidate)
{
	const uint64_t ag_bytes = bytes_of_ag(&candidate->geo);

	if (!displaced->count)
		*displaced = (struct sb_displaced){ candidate->position, ag_bytes, 1, candidate->geo };
	else if (ag_bytes == displaced->ag_bytes && (candidate->position - displaced->first) % ag_bytes == 0)
		displaced->count++;
}

static int search_piece(struct sb_candidates *list, const uint8_t *piece, uint64_t start, uint32_t len,
			bool (*enough)(void *ctx), void *ctx, bool *ret_enough)
{
	for (uint32_t at = next_magic(piece, 0, len); at < len; at = next_magic(piece, at + SECTOR_SIZE, len)) {
		size_t before = list->count;
		struct geometry geo;
		int ret = sb_candidates_add(list, start + at);

		if (ret)
			return ret;
		if (list->count == before)
			continue;
		/* a superblock at an impossible place may be that of a file system in a file of this one */
		if (!list->all[before].usable) {
			if (list->all[before].decoded)
				note_displaced(&list->displaced, &list->all[before]);
			list->count = before;
			continue;
		}
		geo = list->all[before].geo;
		ret = sb_candidates_add_all(list, &geo);
		if (ret)
			return ret;
		*ret_enough = enough(ctx);
		if (*ret_enough)
			return 0;
	}
	return 0;
}

int sb_search_device(struct sb_candidates *list, struct report *report, bool (*enough)(void *ctx), void *ctx)
{
	uint8_t *piece = device_buffer(list->device, PIECE);
	uint64_t bytes = device_bytes(list->device), done = 0;
	bool found = false;
	int ret = 0;

	if (!piece)
		return -ENOMEM;
	report_progress(report,
			&(struct report_work){
				.look = report_look_count, .ctx = &done, .total = bytes >> MIB_LOG, .unit = "MiB" });
	for (uint64_t start = 0; (start = device_next_data(list->device, start, PIECE)) < bytes && !ret && !found;
	     start += PIECE) {
		uint32_t len = bytes - start < PIECE ? (uint32_t)(bytes - start) : PIECE;

		if (device_gone(list->device))
			break;
		if (device_read(list->device, piece, start, len) == -ENOMEM)
			ret = -ENOMEM;
		else
			ret = search_piece(list, piece, start, len & ~(SECTOR_SIZE - 1), enough, ctx, &found);
		__atomic_store_n(&done, (start + len) >> MIB_LOG, __ATOMIC_RELAXED);
	}
	/* `done` must outlive its reader */
	report_progress_end(report);
	device_buffer_free(piece);
	return ret;
}
