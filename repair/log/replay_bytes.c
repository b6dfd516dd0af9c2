/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which bytes the log may change, and reads and writes bytes of the replayed state. */
#include "replay.h"

#include <errno.h>

bool replay_may_change(struct replay *r, uint64_t offset, uint32_t len)
{
	const struct geometry *geo = &r->geo;
	bool inside = len && len <= REPLAY_BUFFER_MAX && offset < r->end && len <= r->end - offset;

	return (inside && !bytes_on_log(geo, offset, len)) ||
	       problem(&r->check, F_LOG_REPLAY_PLACE, 0, len >> SECTOR_LOG, offset >> SECTOR_LOG);
}

bool replay_is_cancelled(const struct replay *r, xdaddr_t daddr, uint32_t len)
{
	const uint32_t *count = extent_counts_find(&r->cancelled, daddr, len);

	return count && *count;
}

bool replay_is_guarded(struct replay *r, xdaddr_t daddr, uint32_t len, enum log_buf_type type)
{
	const bool guarded = log_across_guards(r->across, daddr.v, len, r->holes, type);

	if (guarded)
		r->across->guarded++;
	return guarded;
}

/* Reports unreadable bytes, which are damage, and returns 0.  Returns other errors. */
static int unless_unreadable(struct replay *r, uint64_t offset, uint32_t len, int error)
{
	if (error != -EIO && error != -ENODATA)
		return error;
	problem(&r->check, F_LOG_REPLAY_UNREADABLE, 0, len, offset >> SECTOR_LOG);
	return 0;
}

int replay_read(struct replay *r, void *buf, uint64_t offset, uint32_t len, bool *ret_ok)
{
	int ret = block_cache_read(r->cache, buf, offset, len);

	*ret_ok = ret == 0;
	return unless_unreadable(r, offset, len, ret);
}

int replay_write(struct replay *r, const void *buf, uint64_t offset, uint32_t len)
{
	return unless_unreadable(r, offset, len, block_cache_write(r->cache, buf, offset, len));
}
