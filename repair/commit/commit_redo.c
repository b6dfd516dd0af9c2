/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The redo record of a commit: what all layers will write, and a pointer to it at the end of the primary superblock's
 * first sector, where nothing of the superblock is.  From when the pointer is there until the last write takes it away,
 * whatever lies half written is finished by the next run (resume.c).  Where there is no room for a record, or
 * other devices are written too, the order of the writes has to do.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commit.h"

struct recording {
	struct commit *c;
	struct redo_writer *redo;
};

/* What is replayed is written first, and all that is mended then, over some of it. */
static int record_change(void *ctx, const struct change *change)
{
	const struct recording *r = ctx;
	struct device *device = r->c->rc->device;
	uint8_t *between = malloc(change->len), *final = malloc(change->len);
	int ret = between && final ? 0 : -ENOMEM;

	if (!ret) {
		memcpy(between, change->before, change->len);
		ret = device_cover(device, between, change->offset, change->len, LAYER_REPLAY, LAYER_REPLAY + 1);
	}
	if (!ret) {
		memcpy(final, between, change->len);
		ret = device_cover(device, final, change->offset, change->len, LAYER_REPLAY + 1, LAYERS);
	}
	if (!ret)
		ret = redo_add(r->redo, change, between, final);
	free(between);
	free(final);
	return ret;
}

static bool not_superblock(void *ctx, uint64_t offset)
{
	const struct commit *c = ctx;

	return offset >= c->rc->geo.sector_size;
}

/* All changes, then the primary superblock as it will be; nothing is said of what is there before. */
static int record_all(struct commit *c, struct redo_writer *redo)
{
	const struct recording r = { c, redo };
	const struct change superblock = { .len = c->rc->geo.sector_size, .before = c->superblock, .lost = true };
	int ret = 0;

	for (unsigned layer = 0; layer < LAYERS && !ret; layer++)
		ret = device_changes(c->rc->device, layer, not_superblock, c, record_change, (void *)&r);
	if (!ret)
		ret = commit_superblock(c, LAYERS, false);
	return ret ? ret : redo_add(redo, &superblock, c->superblock, c->superblock);
}

static int record(struct commit *c, struct device *device, struct redo_place *place)
{
	struct redo_writer *redo;
	int ret = redo_create(device, place->offset, &redo);

	if (ret)
		return ret;
	ret = record_all(c, redo);
	if (ret) {
		redo_abandon(redo);
		return ret;
	}
	return redo_finish(redo, place);
}

/* Whether the sector 0 can be read: what is there stays around the pointer. */
static bool has_superblock(const struct commit *c)
{
	uint64_t bad, len;

	return !device_unreadable(c->rc->device, 0, c->rc->geo.sector_size, &bad, &len);
}

/* What that means, where there is no way back either. */
static void say_without(const struct commit *c)
{
	if (!c->rc->options->undo)
		report_note(c->rc->report,
			    "There is no free space for a record of what is written now. If that is cut short, what is "
			    "being written just then may be lost; --undo=FILE would keep the way back.");
}

int commit_redo_plan(struct commit *c)
{
	struct redo_place place = { 0 };
	int ret;

	if (!c->mends_blocks || c->changes[ON_LOG] || c->changes[ON_RT] || !has_superblock(c))
		return 0;
	ret = record(c, NULL, &place);
	if (!ret)
		ret = redo_room(c, place.bytes, &place.offset);
	if (!ret)
		c->redo = place;
	else if (ret == -ENOSPC)
		say_without(c);
	/* it does without */
	return ret == -ENOMEM ? ret : 0;
}

int commit_redo_write(struct commit *c)
{
	struct redo_place place = { .offset = c->redo.offset };
	int ret;

	if (!c->redo.bytes)
		return 0;
	ret = record(c, c->rc->device, &place);
	/* what was read for the plan reads otherwise now */
	if (!ret && (place.bytes != c->redo.bytes || place.crc != c->redo.crc))
		ret = -EIO;
	if (ret && c->rc->options->undo) {
		c->redo.bytes = 0;
		ret = 0;
	}
	return ret;
}
