/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replay of buffers (ondisk 11, "BUF"). */
#include "replay.h"

#include <errno.h>

#include "libxfs/log_apply.h"
#include "libxfs/log_stamp.h"
#include "run.h"

#define DQUOT_FLAGS (LOG_BUF_UDQUOT | LOG_BUF_PDQUOT | LOG_BUF_GDQUOT)

/* Counts a cancellation.  A buffer is replayed only behind its last one: before that, its blocks were freed. */
static void uncancel(struct replay *r, const struct log_buf *buf)
{
	uint32_t *count = extent_counts_find(&r->cancelled, buf->daddr, buf->len);

	if (count && *count)
		--*count;
}

/* Notes that a buffer must get the LSN later, except inodes and quota records, each of which has its own. */
static int leave_undated(struct replay *r, const struct log_buf *buf)
{
	uint32_t *type;

	if (!r->geo.crc || (buf->flags & (LOG_BUF_INODE | DQUOT_FLAGS)))
		return 0;
	type = extent_counts_add(&r->undated, buf->daddr, buf->len);
	if (!type)
		return -ENOMEM;
	*type = buf->type;
	return 0;
}

int replay_buf(struct replay *r, const struct log_item *item)
{
	struct log_buf buf;
	uint64_t offset;
	uint32_t len;
	lsn_t dated;
	bool ok;
	int ret;

	if (!log_buf_decode(&r->check, item, &buf))
		return 0;
	if (buf.flags & LOG_BUF_CANCEL) {
		uncancel(r, &buf);
		return 0;
	}
	if (replay_is_cancelled(r, buf.daddr, buf.len)) {
		r->counts->cancelled++;
		return 0;
	}
	if (replay_is_guarded(r, buf.daddr, buf.len, buf.type))
		return 0;
	offset = bytes_of_daddr(buf.daddr);
	len = buf.len << SECTOR_LOG;
	if ((buf.flags & DQUOT_FLAGS & r->quota_off) || !replay_may_change(r, offset, len))
		return 0;
	ret = replay_read(r, r->buffer, offset, len, &ok);
	if (ret || !ok)
		return ret;
	dated = log_stamp_lsn(&r->geo, buf.type, r->buffer);
	if (dated.v != NULL_LSN && dated.v >= r->lsn.v && !log_stamp_torn(&r->geo, buf.type, r->buffer, len)) {
		r->counts->newer++;
		return 0;
	}
	if (buf.flags & LOG_BUF_INODE) {
		log_unlinked_apply(&r->check, item, r->buffer, len);
	} else {
		log_buf_apply(item, r->buffer, len);
		replay_sb_follow(r, item, &buf);
	}
	ret = replay_write(r, r->buffer, offset, len);
	return ret ? ret : leave_undated(r, &buf);
}

int replay_buf_date(struct replay *r)
{
	for (size_t i = 0; i < r->undated.count; i++) {
		const struct extent_count *buf = &r->undated.all[i];
		uint64_t offset = bytes_of_daddr((xdaddr_t){ buf->daddr });
		uint32_t len = buf->len << SECTOR_LOG;
		bool ok;
		int ret = replay_read(r, r->buffer, offset, len, &ok);

		if (ret)
			return ret;
		if (!ok)
			continue;
		log_stamp_set(&r->geo, (enum log_buf_type)buf->count, r->buffer, len, r->lsn);
		ret = replay_write(r, r->buffer, offset, len);
		if (ret)
			return ret;
	}
	extent_counts_clear(&r->undated);
	return 0;
}
