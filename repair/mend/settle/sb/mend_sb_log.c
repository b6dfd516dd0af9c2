/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds a log that neither a superblock nor the rmapbt lists.  It is a run of lost blocks with a log record at the
 * place of its LSN (ondisk 11), or all of the device given as log device.  Such a log is used only if it is clean,
 * because a dirty one would have to be replayed before anything else was read.  With -L its state does not matter, and
 * if there is none, a new one is made in free blocks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>

#include "commit/commit.h"
#include "base/devices.h"
#include "disk/log.h"
#include "disk/sb.h"
#include "libxfs/log.h"
#include "log/log_end.h"
#include "mend/base/mend.h"
#include "mend_sb.h"
#include "options.h"
#include "repair.h"
#include "run.h"

#define BUFFER_BYTES  (64u << 10)
#define NEW_LOG_BYTES (64u << 20) /* minimum of mkfs.xfs, sufficient for any geometry */

#define SMALLER_LOG_BYTES (16u << 20) /* minimum for a log that has to be smaller than before */

/* True if this is a record of a log that starts `bb` sectors before it. */
static bool is_record(const struct geometry *geo, const struct log_header_disk *header, uint64_t bb)
{
	return be32_get(header->magic) == LOG_MAGIC && (be64_get(header->lsn) & UINT32_MAX) == bb &&
	       be32_get(header->version) >= 1 && be32_get(header->version) <= 2 &&
	       (!geo->crc || memcmp(header->fs_uuid, geo->uuid, sizeof(geo->uuid)) == 0);
}

/* Finds the first record in a byte range of a device that may be a log. 0, -ENOENT or -ENOMEM. */
static int find_record(const struct mend *m, struct device *device, uint64_t start, uint64_t bytes,
		       struct log_header_disk *ret_header)
{
	uint8_t *buffer = malloc(BUFFER_BYTES);
	int ret = buffer ? -ENOENT : -ENOMEM;

	for (uint64_t at = 0; at < bytes && ret == -ENOENT; at += BUFFER_BYTES) {
		size_t n = bytes - at < BUFFER_BYTES ? (size_t)(bytes - at) : BUFFER_BYTES;

		if (device_read(device, buffer, start + at, n) == -ENOMEM)
			ret = -ENOMEM;
		for (size_t i = 0; i + SECTOR_SIZE <= n && ret == -ENOENT; i += SECTOR_SIZE) {
			memcpy(ret_header, buffer + i, sizeof(*ret_header));
			if (is_record(&m->now->geo, ret_header, (at + i) >> SECTOR_LOG))
				ret = 0;
		}
	}
	free(buffer);
	return ret;
}

/* Copies the superblock's log fields and UUID to the geometry. */
static void put_log_into(const struct sb_disk *sb, struct geometry *geo)
{
	geo->logstart.v = be64_get(sb->logstart);
	geo->logblocks = be32_get(sb->logblocks);
	geo->log_version = be16_get(sb->versionnum) & SB_VERSION_LOGV2 ? 2 : 1;
	memcpy(geo->uuid, sb->uuid, sizeof(geo->uuid));
	if (!geo->crc)
		memcpy(geo->meta_uuid, sb->uuid, sizeof(geo->meta_uuid));
}

/* Stages a new log where the superblock now places it. 0 or negative errno. */
static int begin_anew(struct mend *m, const struct sb_disk *sb)
{
	put_log_into(sb, &m->now->geo);
	put_log_into(sb, &m->rc->geo); /* log_end_stage_new() uses the run, not the last check */
	return log_end_stage_new(m->rc, 0);
}

/*
 * Finds free space for a log of *blocks blocks, or of three quarters or half as many, and updates *blocks.  Avoids the
 * first AG if possible: there, the root directory would seem to be in an unexpected place, which causes a warning.  0,
 * -ENOSPC or another negative errno.
 */
static int find_room(struct mend *m, uint64_t limit, uint32_t *blocks, uint64_t *ret_offset)
{
	const struct geometry *geo = &m->now->geo;
	const uint32_t sizes[] = { *blocks, *blocks / 4 * 3, *blocks / 2 };
	int ret = -ENOSPC;

	for (unsigned first = 0; first < 2; first++)
		for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && ret == -ENOSPC; i++) {
			const uint64_t bytes = (uint64_t)sizes[i] << geo->block_log;

			if (i && bytes < SMALLER_LOG_BYTES)
				break;
			*blocks = sizes[i];
			ret = redo_room_free(m->rc->run->device, geo, limit << geo->block_log, bytes, first,
					     ret_offset);
		}
	return ret;
}

int mend_log_move(struct mend *m, struct sb_disk *sb, uint64_t limit, uint32_t blocks)
{
	const struct geometry *geo = &m->now->geo;
	uint64_t offset, block;
	int ret = find_room(m, limit, &blocks, &offset);

	if (ret)
		return ret;
	block = offset >> geo->block_log;
	sb->logstart = be64_put(fsbno_of(geo, (agno_t){ (uint32_t)(block / geo->agblocks) },
					 (agbno_t){ (uint32_t)(block % geo->agblocks) })
					.v);
	sb->logblocks = be32_put(blocks);
	return begin_anew(m, sb);
}

/* True if the log that the superblock now names is clean and intact. */
static bool is_clean(const struct mend *m, const struct sb_disk *sb, struct device *log_device)
{
	struct geometry geo = m->now->geo;
	unsigned problems = 0;
	const struct check check = check_counting(&geo, &problems);
	struct log_source log;
	struct log_state state;

	put_log_into(sb, &geo);
	log = log_source_of(&geo, m->rc->run->device, log_device);
	log_source_read_ahead(&log); /* optional: only speeds up reading */
	log_examine(&check, log_source_read, &log, log_bbs(&geo), &state);
	log_source_forget(&log);
	return !problems && state.condition == LOG_CLEAN;
}

/*
 * If these blocks, or a log device, have a usable log, sets its location in the superblock, along with what only the
 * log knows.  0; -ENOENT: none, and nothing has changed; or another negative errno.
 */
static int adopt_log(struct mend *m, struct sb_disk *sb, struct device *log_device, fsbno_t start, uint64_t blocks)
{
	const struct geometry *geo = &m->now->geo;
	struct device *device = log_device ? log_device : m->rc->run->device;
	uint64_t at = log_device ? 0 : bytes_of_daddr(daddr_of_fsbno(geo, start));
	uint16_t versionnum = be16_get(sb->versionnum);
	const struct sb_disk before = *sb;
	struct log_header_disk header;
	int ret;

	if (blocks < SB_MIN_LOG_BLOCKS || blocks > SB_MAX_LOG_BLOCKS || blocks << geo->block_log > SB_MAX_LOG_BYTES)
		return -ENOENT;
	ret = find_record(m, device, at, blocks << geo->block_log, &header);
	if (ret)
		return ret;
	sb->logstart = be64_put(log_device ? 0 : start.v);
	sb->logblocks = be32_put((uint32_t)blocks);
	if (!geo->crc) {
		/* in version 4, only log records still have the UUID; and there are two log versions */
		memcpy(sb->uuid, header.fs_uuid, sizeof(sb->uuid));
		if (be32_get(header.version) == 1) {
			sb->versionnum = be16_put(versionnum & (uint16_t)~SB_VERSION_LOGV2);
			sb->logsunit = be32_put(0);
		}
	}
	if (is_clean(m, sb, log_device))
		return 0;
	if (m->rc->run->options->discard_log && !log_device)
		return begin_anew(m, sb);
	*sb = before;
	return -ENOENT;
}

/* Likewise for the device given as log device. */
static int adopt_external(struct mend *m, struct sb_disk *sb)
{
	struct device *device = m->rc->run->log_device;
	char message[512];
	int ret;

	if (!device && other_device_open(m->rc, m->rc->run->options->log_device, &device, message, sizeof(message)))
		return -ENOENT;
	ret = adopt_log(m, sb, device, (fsbno_t){ 0 }, device_bytes(device) >> m->now->geo.block_log);
	if (device != m->rc->run->log_device)
		other_device_close(m->rc, device);
	return ret;
}

/* True if these are lost blocks right after the log that make it long enough. */
static bool makes_enough(const struct geometry *geo, const struct found *found, uint64_t least)
{
	const struct place *place = &found->place;
	uint64_t blocks = geo->logblocks + found->problem.got;

	return found->problem.finding == F_SPACE_LOST && place->agno.v < geo->agcount &&
	       fsbno_of(geo, place->agno, place->agbno).v == geo->logstart.v + geo->logblocks && blocks >= least &&
	       blocks <= SB_MAX_LOG_BLOCKS && blocks << geo->block_log <= SB_MAX_LOG_BYTES;
}

/*
 * Enlarges a log that is too small to be mounted (small: that finding): makes a larger one in free blocks, so that the
 * old one becomes free, or else adds the lost blocks after it.  There must be no pending changes; replayed ones are
 * staged already.  Without room, both the log and the finding stay.  0, -ENOSPC or another negative errno.
 */
static int enlarge(struct mend *m, struct sb_disk *sb, const struct found *small, const struct found *found,
		   size_t count)
{
	const struct geometry *geo = &m->now->geo;
	const struct repair *rc = m->rc;
	const uint32_t sizes[] = { NEW_LOG_BYTES >> geo->block_log, NEW_LOG_BYTES >> geo->block_log >> 1,
				   (uint32_t)small->problem.want * 2, (uint32_t)small->problem.want * 5 / 4 };
	int ret = -ENOSPC;

	if (!geo->logstart.v || (rc->log.condition != LOG_CLEAN && !rc->run->log_replayed))
		return ret;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && ret == -ENOSPC; i++)
		if (sizes[i] >= small->problem.want)
			ret = mend_log_move(m, sb, geo->dblocks, sizes[i]);
	for (size_t i = 0; i < count && ret == -ENOSPC; i++) {
		if (!makes_enough(geo, &found[i], small->problem.want))
			continue;
		sb->logblocks = be32_put(geo->logblocks + (uint32_t)found[i].problem.got);
		ret = begin_anew(m, sb);
	}
	return ret;
}

int mend_sb_log(struct mend *m, struct sb_disk *sb, const struct found *found, size_t count)
{
	const struct geometry *geo = &m->now->geo;
	int ret = -ENOENT;

	for (size_t i = 0; i < count && geo->logblocks; i++)
		if (found[i].problem.finding == F_SB_LOGBLOCKS_MIN)
			return mend_left(m, &found[i], 1, enlarge(m, sb, &found[i], found, count));
	if (geo->logblocks)
		return 0;
	if (m->rc->run->options->log_device)
		ret = adopt_external(m, sb);
	for (size_t i = 0; i < count && ret == -ENOENT && !m->rc->run->options->log_device; i++) {
		const struct place *place = &found[i].place;

		if (found[i].problem.finding == F_SPACE_LOST && place->agno.v < geo->agcount)
			ret = adopt_log(m, sb, NULL, fsbno_of(geo, place->agno, place->agbno), found[i].problem.got);
	}
	if (ret == -ENOENT && m->rc->run->options->discard_log && !m->rc->run->options->log_device) {
		if (uuid_is_null(sb->uuid)) /* version 4: lost with the log, but the kernel needs one */
			uuid_generate(sb->uuid);
		ret = mend_log_move(m, sb, geo->dblocks, NEW_LOG_BYTES >> geo->block_log);
	}
	return ret == -ENOENT ? 0 : mend_left(m, found, count, ret); /* log_lost_refuse() reports the loss */
}
