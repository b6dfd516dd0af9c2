/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The redo record of a commit: everything that its layers will write.  A pointer to it is at the end of the primary
 * superblock's first sector, in bytes that the superblock does not use.  While the pointer is there, from the first
 * write to the last, the next run finishes an interrupted commit (resume.c).  If there is no room for a record, or
 * other devices are written as well, only the order of writes protects the file system.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commit.h"
#include "disk/sb.h"
#include "libxfs/ag.h"
#include "libxfs/crc.h"
#include "repair.h"
#include "report.h"
#include "run.h"

/* The pointer to a redo record. */

static const char pointer_magic[] = "xfsckred";

struct pointer_disk {
	char magic[8];
	be64_t offset;
	be64_t bytes;
	be32_t crc;	/* of the record */
	be32_t own_crc; /* of the sector, with zeroes for this field and the superblock's checksum */
};
_Static_assert(sizeof(struct pointer_disk) == 32, "pointer to a redo record");

#define POINTER_AT (SECTOR_SIZE - sizeof(struct pointer_disk))
_Static_assert(sizeof(struct sb_disk) <= POINTER_AT, "the superblock and the pointer in one sector");

static uint32_t own_crc(const uint8_t *sector)
{
	uint8_t copy[SECTOR_SIZE];

	memcpy(copy, sector, sizeof(copy));
	((struct sb_disk *)copy)->crc = le32_put(0);
	return crc_block(copy, sizeof(copy), POINTER_AT + offsetof(struct pointer_disk, own_crc));
}

void redo_point(uint8_t *superblock, uint32_t size, bool sealed, const struct redo_place *place)
{
	struct pointer_disk *pointer = (struct pointer_disk *)(superblock + POINTER_AT);

	memcpy(pointer->magic, pointer_magic, sizeof(pointer->magic));
	pointer->offset = be64_put(place->offset);
	pointer->bytes = be64_put(place->bytes);
	pointer->crc = be32_put(place->crc);
	pointer->own_crc = be32_put(own_crc(superblock));
	if (sealed)
		sb_seal(superblock, size);
}

void redo_unpoint(uint8_t *superblock, uint32_t size)
{
	bool sealed = crc_is_right(superblock, size, offsetof(struct sb_disk, crc));
	struct redo_place place;

	if (!redo_pointed(superblock, &place))
		return;
	memset(superblock + POINTER_AT, 0, sizeof(struct pointer_disk));
	if (sealed)
		sb_seal(superblock, size);
}

bool redo_pointed(const uint8_t *superblock, struct redo_place *ret_place)
{
	const struct pointer_disk *pointer = (const struct pointer_disk *)(superblock + POINTER_AT);

	if (memcmp(pointer->magic, pointer_magic, sizeof(pointer->magic)) != 0 ||
	    be32_get(pointer->own_crc) != own_crc(superblock))
		return false;
	*ret_place = (struct redo_place){ be64_get(pointer->offset), be64_get(pointer->bytes), be32_get(pointer->crc) };
	return true;
}

struct recording {
	struct commit *c;
	struct redo_writer *redo;
};

/* Records a change with both contents that it will have: after the replay is written, and after all layers are. */
static int record_change(void *ctx, const struct change *change)
{
	const struct recording *r = ctx;
	struct device *device = r->c->rc->run->device;
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

/* Records all changes, then the final primary superblock, without its old contents.  Returns 0 or a negative errno. */
static int record_all(struct commit *c, struct redo_writer *redo)
{
	const struct recording r = { c, redo };
	const struct change superblock = { .len = c->rc->geo.sector_size, .before = c->superblock, .lost = true };
	int ret = 0;

	for (unsigned layer = 0; layer < LAYERS && !ret; layer++)
		ret = device_changes(c->rc->run->device, layer, not_superblock, c, record_change, (void *)&r);
	if (!ret)
		ret = commit_superblock(c, LAYERS, false);
	return ret ? ret : redo_add(redo, &superblock, c->superblock, c->superblock);
}

/* Writes the record at place->offset, to the device or by fn(); if both are NULL, only computes length and checksum. */
static int record(struct commit *c, struct device *device, redo_put_fn *fn, void *ctx, struct redo_place *place)
{
	struct redo_writer *redo;
	int ret = redo_create(device, place->offset, &redo);

	if (ret)
		return ret;
	redo_divert(redo, fn, ctx);
	ret = record_all(c, redo);
	if (ret) {
		redo_abandon(redo);
		return ret;
	}
	return redo_finish(redo, place);
}

/* True if the primary superblock is readable: the sector that gets the pointer keeps its other contents. */
static bool has_superblock(const struct commit *c)
{
	uint64_t bad, len;

	return !device_unreadable(c->rc->run->device, 0, c->rc->geo.sector_size, &bad, &len);
}

/* Notes the consequences if there is no room for a record, unless there is an undo file. */
static void say_without(const struct commit *c)
{
	if (c->no_room && !c->undo)
		report_note(c->rc->report,
			    "There is no free space for a redo record. If the repair is interrupted now, the blocks "
			    "being written may be lost; --undo=FILE would make it reversible.");
}

int commit_redo_plan(struct commit *c)
{
	struct redo_place place = { 0 };
	int ret;

	if (c->rc->run->applied) { /* that of the preview, which has the same changes */
		c->redo = c->rc->run->applied->head.redo;
		return 0;
	}
	if (!c->mends_blocks || c->at_once || c->changes[ON_LOG] || c->changes[ON_RT] || !has_superblock(c))
		return 0;
	ret = record(c, NULL, NULL, NULL, &place);
	if (!ret)
		ret = redo_room(c, place.bytes, &place.offset);
	if (!ret)
		c->redo = place;
	c->no_room = ret == -ENOSPC;
	/* any other failure only means that there is no record */
	return ret == -ENOMEM ? ret : 0;
}

int commit_redo_put(struct commit *c, redo_put_fn *fn, void *ctx)
{
	struct redo_place place = { .offset = c->redo.offset };
	int ret = record(c, NULL, fn, ctx, &place);

	return ret ? ret : place.bytes != c->redo.bytes || place.crc != c->redo.crc ? -EIO : 0;
}

int commit_redo_write(struct commit *c)
{
	struct redo_place place = { .offset = c->redo.offset };
	int ret;

	say_without(c);
	if (!c->redo.bytes)
		return 0;
	if (c->rc->run->applied)
		ret = apply_redo(c);
	else
		ret = record(c, c->rc->run->device, NULL, NULL, &place);
	/* the device has returned other data than when the record was planned */
	if (!ret && !c->rc->run->applied && (place.bytes != c->redo.bytes || place.crc != c->redo.crc))
		ret = -EIO;
	if (ret && c->undo) {
		c->redo.bytes = 0;
		ret = 0;
	}
	return ret;
}
