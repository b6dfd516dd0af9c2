/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds directory entries in the log of the last mount: in shortform directories, and in data blocks, of which only a
 * part may be known.  Unknown bytes of a name are zeros, and become underscores; even then it is useful to know which
 * directory had the entry.
 */
#include <string.h>

#include "disk/inode.h"
#include "libxfs/dinode.h"
#include "libxfs/log_stamp.h"
#include "log_history.h"

struct naming {
	log_name_fn *fn;
	void *ctx;
	xino_t directory;
	int ret;
};

static void visit(void *ctx, const struct dir_entry *entry)
{
	struct naming *n = ctx;
	uint8_t name[UINT8_MAX];
	struct dir_entry possible = *entry;

	if (entry->kind != ENTRY_NAME || n->ret)
		return;
	memcpy(name, entry->name, entry->namelen);
	da_name_make_possible(name, entry->namelen);
	possible.name = name;
	n->ret = n->fn(n->ctx, n->directory, &possible);
}

/* Visits the entries of a shortform directory, if its data fork is known. */
static void in_inode(struct naming *n, const struct geometry *geo, const struct log_trace *trace)
{
	const struct dinode_disk *disk = (const void *)trace->bytes;
	const struct check silent = check_silent(geo);
	struct dinode inode;

	n->directory = trace->ino;
	if (be16_get(disk->mode) && dinode_decode(&silent, disk, trace->ino, true, &inode) && inode.ftype == FT_DIR &&
	    inode.nlink && inode.fork[DATA_FORK].ok && inode.fork[DATA_FORK].format == FMT_LOCAL &&
	    trace->fork[DATA_FORK].fields == LOG_INODE_DDATA && trace->fork[DATA_FORK].len >= inode.size)
		dir_sf_decode(&silent, inode.fork[DATA_FORK].bytes, inode.fork[DATA_FORK].size, inode.size, trace->ino,
			      visit, n);
}

/* Visits the entries of a directory block, if its header with the owner is known. */
static void in_block(struct naming *n, const struct geometry *geo, const struct log_trace *trace)
{
	const uint32_t len = trace->len << SECTOR_LOG;
	const struct check silent = check_silent(geo);
	struct da_expect expect = { .fork = DATA_FORK };
	struct dir_data data;

	if (len != geo->dir_block_size)
		return;
	log_stamp_set(geo, trace->type, trace->bytes, len, trace->lsn);
	if (!log_stamp_place(geo, trace->bytes, len, &expect.daddr, &expect.owner) ||
	    expect.daddr.v != trace->daddr.v || !ino_valid(geo, expect.owner))
		return;
	n->directory = expect.owner;
	if (trace->type == LB_DIR_BLOCK)
		dir_block_decode(&silent, trace->bytes, &expect, visit, dir_ignore_leaf, n, &data);
	if (trace->type != LB_DIR_DATA)
		return;
	/* decoded as if it were not the first data block: if it is, visit() ignores `.` and `..` */
	expect.dablk.v = len >> geo->block_log;
	dir_data_decode(&silent, trace->bytes, &expect, visit, n, &data);
}

int log_history_names(struct log_history *h, log_name_fn *fn, void *ctx)
{
	struct naming n = { .fn = fn, .ctx = ctx };

	for (size_t i = 0; i < h->count && !n.ret; i++) {
		const struct log_trace *trace = &h->traces[i];

		if (!trace->known)
			continue;
		if (trace->ino.v != NULL_INO)
			in_inode(&n, h->geo, trace);
		else
			in_block(&n, h->geo, trace);
	}
	return n.ret;
}
