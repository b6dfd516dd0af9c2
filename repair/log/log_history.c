/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays the changes that the last mount logged, in the order of recovery (ondisk 11), but only for wanted blocks and
 * inodes, and into memory.  When a block was freed, its known contents are dropped: later items are about another use
 * of it.
 */
#include "log_history.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "base/devices.h"
#include "base/over_memory.h"
#include "disk/inode.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "libxfs/log_apply.h"
#include "log_transactions.h"
#include "log_assembly.h"
#include "options.h"
#include "repair.h"
#include "run.h"
#include "sets/sort.h"

#define DATA_FIELDS (LOG_INODE_DDATA | LOG_INODE_DEXT | LOG_INODE_DBROOT | LOG_INODE_DEV)
#define INDEX_SHARE 3u /* of the memory for reading the log, a part for its index */
#define ATTR_FIELDS (LOG_INODE_ADATA | LOG_INODE_AEXT | LOG_INODE_ABROOT)

/*
 * True if a repair has written something since the last mount: log_history_end() then gave the superblock the LSN of
 * the unmount record.  Kernels log the superblock before that record, so theirs has an older LSN.
 */
static bool mended_since(const struct repair *rc)
{
	return rc->log.unmount.v && rc->geo.sb_lsn.v == rc->log.unmount.v;
}

bool log_history_there(const struct repair *rc)
{
	return rc->geo.crc && rc->log.condition != LOG_DAMAGED && !rc->run->log_across && rc->log.head.v &&
	       !rc->log.foreign && !mended_since(rc) && !rc->run->log_left_out && !rc->run->options->discard_log &&
	       log_has_place(rc);
}

int log_history_end(struct repair *rc)
{
	const struct log_end *end = &rc->run->log_end;
	const lsn_t last = end->kind == LOG_END_NONE ? rc->log.unmount : end->ending.head;
	const uint32_t size = rc->geo.sector_size;
	struct sb_disk *sb;
	int ret;

	/* a new log has no history that must be ended */
	if (!rc->geo.crc || !last.v || end->kind == LOG_END_NEW)
		return 0;
	sb = malloc(size);
	ret = sb ? device_read(rc->run->device, sb, 0, size) : -ENOMEM;
	if (!ret && be64_get(sb->lsn) != last.v && crc_is_right(sb, size, offsetof(struct sb_disk, crc))) {
		sb->lsn = be64_put(last.v);
		sb_seal(sb, size);
		ret = device_stage(rc->run->device, LAYER_MEND, sb, 0, size);
	} else if (ret != -ENOMEM) {
		ret = 0; /* a damaged superblock, or one that has the mark, stays unchanged */
	}
	free(sb);
	return ret;
}

/* Adds a trace, unless there is one.  Returns 0 or -ENOMEM. */
static int want(struct log_history *h, xdaddr_t daddr, uint32_t len, xino_t ino)
{
	uint32_t *index = extent_counts_add(&h->index, daddr, len);

	if (!index || array_grow(&h->traces, &h->room, h->count, sizeof(*h->traces)))
		return -ENOMEM;
	if (*index)
		return 0;
	h->traces[h->count++] = (struct log_trace){ .daddr = daddr, .len = len, .ino = ino };
	*index = (uint32_t)h->count;
	return 0;
}

int log_history_want(struct log_history *h, xdaddr_t daddr, uint32_t len)
{
	int ret = want(h, daddr, len, (xino_t){ NULL_INO });

	h->wanted = h->count;
	return ret;
}

static xdaddr_t daddr_of_ino(const struct geometry *geo, xino_t ino)
{
	return (xdaddr_t){ bytes_of_ino(geo, ino) >> SECTOR_LOG };
}

static uint32_t inode_sectors(const struct geometry *geo)
{
	return geo->inode_size >> SECTOR_LOG;
}

static int want_inode(struct log_history *h, xino_t ino)
{
	return want(h, daddr_of_ino(h->geo, ino), inode_sectors(h->geo), ino);
}

int log_history_want_inode(struct log_history *h, xino_t ino)
{
	int ret = want_inode(h, ino);

	h->wanted = h->count;
	return ret;
}

int log_history_want_group(struct log_history *h, agno_t agno)
{
	if (!h->groups)
		h->groups = calloc(h->geo->agcount, sizeof(*h->groups));
	if (!h->groups)
		return -ENOMEM;
	h->groups[agno.v] = true;
	return 0;
}

static bool in_part(const struct log_history *h, xdaddr_t daddr)
{
	return daddr.v >= h->from && (!h->to || daddr.v < h->to);
}

struct log_trace *log_history_find(const struct log_history *h, xdaddr_t daddr, uint32_t len)
{
	const uint32_t *index = in_part(h, daddr) ? extent_counts_find(&h->index, daddr, len) : NULL;

	return index && *index ? &h->traces[*index - 1] : NULL;
}

/* Finds the trace of an inode, or NULL; *ret_trace is valid until another trace is added.  Returns 0 or -ENOMEM. */
static int find_inode(struct log_history *h, xino_t ino, struct log_trace **ret_trace)
{
	int ret = 0;

	*ret_trace = NULL;
	if (!ino_valid(h->geo, ino) || !in_part(h, daddr_of_ino(h->geo, ino)))
		return 0;
	if (h->groups && h->groups[agno_of_ino(h->geo, ino).v])
		ret = want_inode(h, ino);
	if (!ret)
		*ret_trace = log_history_find(h, daddr_of_ino(h->geo, ino), inode_sectors(h->geo));
	return ret;
}

static uint64_t bytes_of_trace(const struct log_trace *trace)
{
	return ((uint64_t)trace->len << SECTOR_LOG) + sizeof(*trace);
}

/* Frees the contents of a trace. */
static void give_up(struct log_history *h, struct log_trace *trace)
{
	if (trace->bytes)
		h->used -= bytes_of_trace(trace);
	free(trace->bytes);
	trace->bytes = NULL;
	trace->known = false;
}

/*
 * Ends the current part earlier, so that half of the traces that use memory remain, and frees the others.  If all are
 * at the same address, nothing changes.  Returns 0 or -ENOMEM.
 */
static int narrow(struct log_history *h)
{
	uint64_t *daddrs = calloc(h->count + 1, sizeof(*daddrs));
	size_t n = 0, half;

	if (!daddrs)
		return -ENOMEM;
	for (size_t i = 0; i < h->count; i++)
		if (h->traces[i].bytes)
			daddrs[n++] = h->traces[i].daddr.v;
	sort_words(daddrs, n, 1);
	for (half = n / 2; half < n && daddrs[half] == daddrs[0];)
		half++;
	if (half < n)
		h->to = daddrs[half];
	free(daddrs);
	for (size_t i = 0; i < h->count; i++)
		if (!in_part(h, h->traces[i].daddr))
			give_up(h, &h->traces[i]);
	return 0;
}

/*
 * Allocates the bytes of a trace; they are zero if nothing was known so far.  *ret_room: false if memory was short and
 * the trace is no longer in the current part.  Returns 0 or -ENOMEM.
 */
static int begin_trace(struct log_history *h, struct log_trace *trace, bool *ret_room)
{
	const size_t len = (size_t)trace->len << SECTOR_LOG;
	int ret = 0;

	if (!trace->bytes && h->used && h->used + bytes_of_trace(trace) > h->limit)
		ret = narrow(h);
	*ret_room = !ret && in_part(h, trace->daddr);
	if (!*ret_room)
		return ret;
	if (!trace->bytes) {
		trace->bytes = malloc(len);
		if (!trace->bytes)
			return -ENOMEM;
		h->used += bytes_of_trace(trace);
	}
	if (!trace->known) {
		memset(trace->bytes, 0, len);
		memset(trace->chunks, 0, sizeof(trace->chunks));
		memset(trace->fork, 0, sizeof(trace->fork));
	}
	return 0;
}

/* Drops the known contents of a cancelled buffer, as a block and as inodes. */
static void forget(struct log_history *h, const struct log_buf *buf)
{
	const uint32_t sectors = inode_sectors(h->geo);
	struct log_trace *trace = log_history_find(h, buf->daddr, buf->len);

	if (trace)
		trace->known = false;
	for (uint32_t at = 0; at + sectors <= buf->len; at += sectors) {
		trace = log_history_find(h, (xdaddr_t){ buf->daddr.v + at }, sectors);
		if (trace)
			trace->known = false;
	}
}

static int take_buf(struct log_history *h, lsn_t lsn, const struct log_item *item)
{
	const struct check silent = check_silent(h->geo);
	struct log_buf_position position = { 0 };
	struct log_buf_range logged;
	struct log_trace *trace;
	struct log_buf buf;
	bool room;
	int ret;

	if (!log_buf_decode(&silent, item, &buf))
		return 0;
	if (buf.flags & LOG_BUF_CANCEL)
		forget(h, &buf);
	else if (h->names && (buf.type == LB_DIR_BLOCK || buf.type == LB_DIR_DATA) && in_part(h, buf.daddr) &&
		 want(h, buf.daddr, buf.len, (xino_t){ NULL_INO }))
		return -ENOMEM;
	trace = log_history_find(h, buf.daddr, buf.len);
	if (!trace || (buf.flags & (LOG_BUF_CANCEL | LOG_BUF_INODE)))
		return 0;
	ret = begin_trace(h, trace, &room);
	if (ret || !room)
		return ret;
	log_buf_apply(item, trace->bytes, trace->len << SECTOR_LOG);
	while (log_buf_next(item, &position, &logged))
		for (uint32_t at = 0; at < logged.len; at += LOG_BUF_CHUNK)
			log_trace_add_chunk(trace, (logged.offset + at) / LOG_BUF_CHUNK);
	trace->type = buf.type;
	trace->lsn = lsn;
	trace->known = true;
	return 0;
}

/* Notes in which form and with which length a fork was logged. */
static void note_fork(struct log_trace *trace, enum fork fork, uint32_t fields, uint32_t len)
{
	const struct dinode_disk *disk = (const void *)trace->bytes;

	if (!fields)
		return;
	trace->fork[fork].fields = fields;
	trace->fork[fork].len = len;
	trace->fork[fork].forkoff = disk->forkoff;
}

/* True if an inode is a shortform directory. */
static bool holds_names(const struct log_inode *inode)
{
	const struct dinode_disk *core = (const void *)inode->core;

	return inode->core_len && (be16_get(core->mode) & MODE_TYPE) == MODE_DIR && core->format == DINODE_FMT_LOCAL;
}

static int take_inode(struct log_history *h, lsn_t lsn, const struct log_item *item)
{
	const struct check silent = check_silent(h->geo);
	struct log_inode inode;
	struct log_trace *trace;
	bool room;
	int ret;

	if (!log_inode_decode(&silent, item, &inode))
		return 0;
	if (h->names && holds_names(&inode) && ino_valid(h->geo, inode.ino) &&
	    in_part(h, daddr_of_ino(h->geo, inode.ino)) && want_inode(h, inode.ino))
		return -ENOMEM;
	ret = find_inode(h, inode.ino, &trace);
	if (ret || !trace || !inode.core_len)
		return ret;
	ret = begin_trace(h, trace, &room);
	if (ret || !room)
		return ret;
	if (!trace->known)
		log_icreate_apply(h->geo, inode.ino, 0, trace->bytes);
	trace->lsn = lsn;
	trace->known = log_inode_apply(&silent, &inode, lsn, trace->bytes) == LOG_APPLIED;
	note_fork(trace, DATA_FORK, inode.fields & DATA_FIELDS, inode.data.len);
	note_fork(trace, ATTR_FORK, inode.fields & ATTR_FIELDS, inode.attr.len);
	return 0;
}

static int take_icreate(struct log_history *h, lsn_t lsn, const struct log_item *item)
{
	const struct check silent = check_silent(h->geo);
	struct log_icreate icreate;
	int ret = 0;

	if (!log_icreate_decode(&silent, item, &icreate))
		return 0;
	for (uint32_t i = 0; i < icreate.count && !ret; i++) {
		const agino_t agino = { (icreate.agbno.v << h->geo->inopb_log) + i };
		const xino_t ino = ino_of(h->geo, icreate.agno, agino);
		struct log_trace *trace;
		bool room = false;

		ret = find_inode(h, ino, &trace);
		if (!ret && trace) {
			trace->known = false;
			ret = begin_trace(h, trace, &room);
		}
		if (ret || !room)
			continue;
		log_icreate_apply(h->geo, ino, icreate.gen, trace->bytes);
		trace->lsn = lsn;
		trace->known = true;
	}
	return ret;
}

int log_history_item(struct log_history *h, lsn_t lsn, const struct log_item *item)
{
	switch (item->type) {
	case LI_BUF:
		return take_buf(h, lsn, item);
	case LI_INODE:
		return take_inode(h, lsn, item);
	case LI_ICREATE:
		return take_icreate(h, lsn, item);
	default:
		return 0;
	}
}

static int take_item(void *ctx, const struct log_transaction *transaction, const struct log_item *item)
{
	return log_history_item(ctx, transaction->lsn, item);
}

/* True if a trace is about a part of these sectors. */
static bool any_trace(const struct log_history *h, xdaddr_t daddr, uint32_t len)
{
	const uint32_t sectors = inode_sectors(h->geo);
	bool any = log_history_find(h, daddr, len);

	for (uint32_t at = 0; at + sectors <= len && !any; at += sectors)
		any = log_history_find(h, (xdaddr_t){ daddr.v + at }, sectors);
	return any;
}

/* True if an inode is wanted, or may be: names: if it is a directory with names in it. */
static bool inode_is_wanted(const struct log_history *h, xino_t ino, bool names)
{
	if (!ino_valid(h->geo, ino) || !in_part(h, daddr_of_ino(h->geo, ino)))
		return false;
	return names || (h->groups && h->groups[agno_of_ino(h->geo, ino).v]) ||
	       log_history_find(h, daddr_of_ino(h->geo, ino), inode_sectors(h->geo));
}

/* True if one of the inodes that an icreate makes is wanted. */
static bool any_new_inode(const struct log_history *h, const struct log_item_head *head)
{
	const agno_t agno = { (uint32_t)(head->at >> 32) };
	const uint64_t first = (uint64_t)(uint32_t)head->at << h->geo->inopb_log;
	bool any = false;

	/* icreates of more inodes, or elsewhere, are invalid */
	if (agno.v >= h->geo->agcount || head->len > h->geo->chunk_blocks << h->geo->inopb_log)
		return false;
	for (uint32_t i = 0; i < head->len && !any; i++)
		any = inode_is_wanted(h, ino_of(h->geo, agno, (agino_t){ (uint32_t)first + i }), false);
	return any;
}

bool log_history_wants(const struct log_history *h, const struct log_item_head *head)
{
	const enum log_buf_type type = head->buf_flags >> LOG_BUF_TYPE_SHIFT;
	const xdaddr_t daddr = { head->at };

	switch (head->type) {
	case LI_BUF:
		if (head->buf_flags & LOG_BUF_CANCEL)
			return any_trace(h, daddr, head->len);
		return (h->names && (type == LB_DIR_BLOCK || type == LB_DIR_DATA)) ||
		       log_history_find(h, daddr, head->len);
	case LI_INODE:
		return inode_is_wanted(h, (xino_t){ head->at }, h->names);
	case LI_ICREATE:
		return any_new_inode(h, head);
	default:
		return false;
	}
}

static bool is_wanted(void *ctx, const struct log_item_head *head)
{
	return log_history_wants(ctx, head);
}

/* Reads the log, and makes the index if there is room for it.  *ret_whole: false: it ended early. */
static int read_log(struct log_history *h, struct repair *rc, const struct log_source *log, struct log_state *state,
		    bool *ret_whole)
{
	const struct check silent = check_silent(h->geo);
	struct log_index *index = &rc->run->log_mount.index;
	struct log_mark end = { state->head, 0 };
	bool beyond = false;
	const struct log_range range = { .log = log,
					 .state = state,
					 .bbs = log_bbs(h->geo),
					 .until = end,
					 .walk = LOG_WALK_RECOVERY,
					 .limit = rc->run->memory.log,
					 .most = rc->run->memory.alone,
					 .beyond = &beyond,
					 .wanted = is_wanted,
					 .index = index };
	int ret;

	log_index_free(index);
	index->limit = range.limit / INDEX_SHARE;
	ret = log_transactions_each(&silent, &range, take_item, h, &end);
	if (beyond)
		over_memory(rc, OVER_MEMORY_LOG);
	*ret_whole = !ret && end.record.v == state->head.v;
	if (!*ret_whole)
		log_index_free(index);
	return ret;
}

/* Does the same by the index. */
static int read_again(struct log_history *h, struct repair *rc, const struct log_source *log, bool *ret_whole)
{
	const struct check silent = check_silent(h->geo);
	const struct log_visit visit = { LOG_WALK_RECOVERY, is_wanted, take_item, h };
	const int ret = log_index_each(&rc->run->log_mount.index, &silent, log, log_bbs(h->geo),
				       rc->run->memory.log / 2, &visit);

	*ret_whole = !ret;
	return ret == -EIO ? 0 : ret;
}

int log_history_read(struct log_history *h, struct repair *rc)
{
	struct log_source log = log_source_of(h->geo, rc->run->device, rc->run->log_device);
	struct log_state state = { .condition = LOG_DIRTY, .head = rc->log.head };
	struct log_mount *mount = &rc->run->log_mount;
	bool whole = true;
	int ret = 0;

	log_source_read_ahead(&log); /* without memory for it, reading only takes longer */
	/* kept, since finding it needs a pass over the whole log */
	if (mount->head.v != state.head.v) {
		log_index_free(&mount->index);
		mount->head = state.head;
		mount->start = log_last_mount(h->geo, log_source_read, &log, log_bbs(h->geo), state.head);
	}
	state.tail = mount->start;
	if (mount->index.whole)
		ret = read_again(h, rc, &log, &whole);
	else if (state.tail.v != state.head.v)
		ret = read_log(h, rc, &log, &state, &whole);
	log_source_forget(&log);
	/* the log ended early: later versions may be missing, so nothing is reliable */
	for (size_t i = 0; i < h->count && !whole; i++)
		h->traces[i].known = false;
	return ret;
}

uint64_t log_history_limit(const struct repair *rc)
{
	const uint64_t walk = rc->run->memory.log;

	return rc->run->memory.records > 2 * walk ? rc->run->memory.records - walk : walk;
}

int log_history_next(struct log_history *h, bool *ret_more)
{
	*ret_more = h->to != 0;
	if (!h->to)
		return 0;
	for (size_t i = 0; i < h->count; i++)
		give_up(h, &h->traces[i]);
	h->count = h->wanted;
	extent_counts_clear(&h->index);
	for (size_t i = 0; i < h->count; i++) {
		uint32_t *index = extent_counts_add(&h->index, h->traces[i].daddr, h->traces[i].len);

		if (!index)
			return -ENOMEM;
		*index = (uint32_t)i + 1;
	}
	h->from = h->to;
	h->to = 0;
	return 0;
}

void log_history_free(struct log_history *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->traces[i].bytes);
	free(h->traces);
	free(h->groups);
	extent_counts_free(&h->index);
	*h = (struct log_history){ 0 };
}
