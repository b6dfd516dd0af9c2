/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the losses if a dirty log, or the rest of one, is discarded: counts its transactions, and reports the inodes
 * that they change.  The paths of these are found without the log, since that is the state that will remain; files that
 * are only in the log have no path.  Problems of the log itself are not reported again, since they no longer matter.
 */
#include "log_losses.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"
#include "base/over_memory.h"
#include "disk/inode.h"
#include "repair.h"
#include "run.h"
#include "sets/number_set.h"
#include "sets/sort.h"
#include "base/spot.h"

#define IS_DIRECTORY (UINT64_C(1) << 32)
#define NUMBER_SHIFT 33
#define NUMBERS_MAX  (UINT64_C(1) << 31)
#define MANY	     65536u /* versions of inodes; with more, old ones are dropped first */

/* The links of an inode by the log. */
struct version {
	uint64_t ino;
	uint64_t links; /* number of the version << NUMBER_SHIFT | IS_DIRECTORY | link count, 0 if it is free */
};

struct counting {
	const struct check *silent;
	struct log_mark from;
	struct log_losses losses;
	struct ino_set inodes;
	struct log_mark committed;
	struct version *versions;
	size_t count, room;
	uint64_t number; /* of the next version */
};

/* Sorts versions by inode, and keeps the last one of each. */
static void drop_old_versions(struct counting *c)
{
	size_t n = 0;

	sort_words((uint64_t *)c->versions, c->count, sizeof(*c->versions) / sizeof(uint64_t));
	for (size_t i = 0; i < c->count; i++)
		if (i + 1 == c->count || c->versions[i + 1].ino != c->versions[i].ino)
			c->versions[n++] = c->versions[i];
	c->count = n;
}

/* Returns the links of an inode as in struct version; 0 if it is free, or of version 1, which has them elsewhere. */
static uint64_t links_of(const struct dinode_disk *disk)
{
	const uint16_t mode = be16_get(disk->mode);

	if (!mode || disk->version < 2)
		return 0;
	return be32_get(disk->nlink) | ((mode & MODE_TYPE) == MODE_DIR ? IS_DIRECTORY : 0);
}

static int add_version(struct counting *c, const struct log_inode *inode)
{
	struct dinode_disk core = { 0 };
	struct version version = { .ino = inode->ino.v };

	if (!inode->core_len || c->number == NUMBERS_MAX)
		return 0;
	memcpy(&core, inode->core, inode->core_len < sizeof(core) ? inode->core_len : sizeof(core));
	version.links = links_of(&core) | c->number++ << NUMBER_SHIFT;
	if (c->count >= MANY && c->count == c->room)
		drop_old_versions(c);
	return array_add(c->versions, c->room, c->count, version);
}

static bool is_before(struct log_mark a, struct log_mark b)
{
	return a.record.v < b.record.v || (a.record.v == b.record.v && a.commits < b.commits);
}

static int count(void *ctx, const struct log_transaction *transaction, const struct log_item *item)
{
	struct counting *counting = ctx;
	struct log_inode inode;
	int ret;

	if (is_before(transaction->committed, counting->from))
		return 0;
	counting->losses.transactions += !log_mark_same(transaction->committed, counting->committed);
	counting->committed = transaction->committed;
	counting->losses.items++;
	if (item->type != LI_INODE || !log_inode_decode(counting->silent, item, &inode) || inode.ino.v == 0)
		return 0;
	ret = ino_set_put(&counting->inodes, inode.ino);
	return ret ? ret : add_version(counting, &inode);
}

/* Returns how many more names, at least, the inode has by this version than on the device. */
static uint64_t names_added(struct repair *rc, const struct version *version, uint8_t *bytes)
{
	const struct dinode_disk *disk = (const struct dinode_disk *)bytes;
	const xino_t ino = { version->ino };
	const uint64_t links = (uint32_t)version->links;
	uint64_t had = 0;

	if (!links || !ino_valid(&rc->geo, ino))
		return 0;
	/* an unreadable inode is lost anyway, or will be restored with its names */
	if (device_read(rc->run->device, bytes, bytes_of_ino(&rc->geo, ino), rc->geo.inode_size))
		return 0;
	if (be16_get(disk->magic) == DINODE_MAGIC)
		had = links_of(disk);
	if (version->links & IS_DIRECTORY)
		return !had;
	return links > (uint32_t)had ? links - (uint32_t)had : 0;
}

static int count_names(struct repair *rc, struct counting *c)
{
	uint8_t *bytes = malloc(rc->geo.inode_size);

	if (!bytes)
		return -ENOMEM;
	drop_old_versions(c);
	for (size_t i = 0; i < c->count; i++)
		c->losses.names += names_added(rc, &c->versions[i], bytes);
	free(bytes);
	return 0;
}

int log_losses_each(struct repair *rc, log_item_fn *fn, void *ctx, struct log_mark *ret_end)
{
	const struct check silent = check_silent(&rc->geo);
	const struct log_source log = log_source_of(&rc->geo, rc->run->device, rc->run->log_device);
	bool beyond = false;
	const struct log_range range = { .log = &log,
					 .state = &rc->log,
					 .bbs = log_bbs(&rc->geo),
					 .until = { rc->log.head, 0 },
					 .walk = LOG_WALK_LOGGED,
					 .limit = rc->run->memory.log,
					 .across = true,
					 .most = rc->run->memory.alone,
					 .beyond = &beyond };
	const int ret = log_transactions_each(&silent, &range, fn, ctx, ret_end);

	if (beyond)
		over_memory(rc, OVER_MEMORY_LOG);
	return ret;
}

int log_losses(struct repair *rc, struct log_mark from, bool named, struct log_losses *ret_losses)
{
	const struct check silent = check_silent(&rc->geo);
	struct counting counting = { .silent = &silent, .from = from };
	struct log_mark end;
	int ret = log_losses_each(rc, count, &counting, &end);

	counting.losses.inodes = ino_set_count(&counting.inodes);
	counting.losses.records = rc->log.behind.records + (from.record.v ? 0 : rc->log.records);
	counting.losses.at_least = rc->log.hole.v || !log_mark_same(end, (struct log_mark){ rc->log.head, 0 });
	if (!ret)
		ret = count_names(rc, &counting);
	free(counting.versions);
	if (ret || !named)
		ino_set_free(&counting.inodes);
	else
		rc->run->lost_inodes = counting.inodes;
	if (!ret)
		*ret_losses = counting.losses;
	return ret;
}

int log_losses_name(struct repair *rc)
{
	const struct ino_set *inodes = &rc->run->lost_inodes;
	struct spot spot = spot_of(rc, OBJ_INODE, NO_AGNO);
	const struct check check = spot_check(&spot);
	xino_t *sorted = ino_set_count(inodes) ? ino_set_sorted(inodes) : NULL;

	if (!ino_set_count(inodes))
		return 0;
	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < ino_set_count(inodes); i++) {
		spot.place.ino = sorted[i];
		spot.place.agno = agno_of_ino(&rc->geo, sorted[i]);
		problem(&check, F_LOG_LOSES_INODE, 0, 0, 0);
	}
	free(sorted);
	return 0;
}
