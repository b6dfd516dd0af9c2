/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the undo file of a commit: everything that layers will overwrite, and all intermediate states of the primary
 * superblock.  By these, a rollback can tell a device with an unfinished commit or rollback from one that others have
 * written to.
 */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "commit.h"
#include "consent.h"
#include "libxfs/sb_feature.h"
#include "repair.h"
#include "report.h"
#include "run.h"

#define KEEP_BYTES (1u << 20) /* of free space at a time */
#define SAME_NAME  100u	      /* files of the same second and device name */

struct keeping {
	struct undo_writer *undo;
	unsigned device;
};

static int keep_change(void *ctx, const struct change *change)
{
	const struct keeping *k = ctx;

	return undo_add(k->undo, k->device, change);
}

int commit_superblock(struct commit *c, unsigned layers, bool marked)
{
	uint32_t size = c->rc->geo.sector_size;
	int ret = device_read_below(c->rc->run->device, c->superblock, 0, size, layers);
	bool sealed = false;

	/* unreadable bytes are zero, which nobody mounts */
	if (ret != -ENOMEM)
		ret = 0;
	/* if no layer has it, it was read from the device, where it may already have this commit's pointer */
	if (!ret && !marked)
		redo_unpoint(c->superblock, size);
	if (!ret)
		sealed = sb_mark_needsrepair(c->superblock, size, marked);
	if (!ret && marked && c->redo.bytes)
		redo_point(c->superblock, size, sealed, &c->redo);
	return ret;
}

/* Keeps all states of the superblock: with each number of layers, marked and not; with a pointer if c->redo is set. */
static int keep_states(struct commit *c, struct undo_writer *undo, const struct change *change)
{
	int ret = 0;

	for (unsigned layers = 0; layers < LAYERS && !ret; layers++) {
		ret = commit_superblock(c, layers, true);
		if (!ret)
			ret = undo_add(undo, ON_DATA, change);
		if (!ret)
			ret = commit_superblock(c, layers, false);
		if (!ret)
			ret = undo_add(undo, ON_DATA, change);
	}
	return ret;
}

/* Keeps the superblock even if no layer changes it, since the commit sets the mark in it. */
static int keep_superblock(struct commit *c, struct undo_writer *undo, uint8_t *before)
{
	const struct redo_place redo = c->redo;
	uint32_t size = c->rc->geo.sector_size;
	struct change change = { .len = size, .before = before, .after = c->superblock };
	int ret = device_read_below(c->rc->run->device, before, 0, size, 0);

	if (ret == -ENOMEM)
		return ret;
	change.lost = ret != 0;
	ret = keep_states(c, undo, &change);
	/* also states without the pointer: writing the record may fail */
	c->redo.bytes = 0;
	if (!ret && redo.bytes)
		ret = keep_states(c, undo, &change);
	c->redo = redo;
	return ret;
}

/* Keeps the free space that the redo record will overwrite. */
static int keep_redo_room(const struct commit *c, struct undo_writer *undo)
{
	uint64_t end = c->redo.offset + c->redo.bytes;
	uint8_t *before = malloc(KEEP_BYTES);
	int ret = before ? 0 : -ENOMEM;

	for (uint64_t at = c->redo.offset; at < end && !ret; at += KEEP_BYTES) {
		struct change change = { .offset = at, .before = before, .after = before, .free = true };

		change.len = end - at < KEEP_BYTES ? end - at : KEEP_BYTES;
		ret = device_read_below(c->rc->run->device, before, at, change.len, 0);
		if (!ret)
			ret = undo_add(undo, ON_DATA, &change);
	}
	free(before);
	return ret;
}

static int keep_all(struct commit *c, struct undo_writer *undo)
{
	struct keeping k = { .undo = undo };
	uint8_t *before = malloc(c->rc->geo.sector_size);
	int ret = before ? keep_superblock(c, undo, before) : -ENOMEM;

	if (!ret)
		ret = keep_redo_room(c, undo);
	for (k.device = 0; k.device < UNDO_DEVICES; k.device++) {
		for (unsigned layer = 0; layer < LAYERS && !ret; layer++)
			if (c->devices[k.device])
				ret = device_changes(c->devices[k.device], layer, NULL, NULL, keep_change, &k);
	}
	free(before);
	return ret;
}

static void say(const struct repair *rc, const char *message)
{
	char sentence[640];

	snprintf(sentence, sizeof(sentence), "%s; nothing was changed", message);
	report_trouble(rc->report, sentence);
}

/* Opens the folder of the file that the user names.  Returns 0 or -ENOMEM. */
static int open_folder_of(const char *path, struct undo_place *ret_place)
{
	char *copy = strdup(path);

	if (!copy)
		return -ENOMEM;
	undo_place_open(dirname(copy), false, ret_place);
	free(copy);
	return 0;
}

enum phase_result commit_may_keep(const struct repair *rc)
{
	const struct options *o = rc->run->options;
	char message[512];

	if (o->keep == UNDO_AUTO)
		undo_place_open(o->undo_dir, true, rc->run->undo_place);
	if (o->keep != UNDO_FILE)
		return PHASE_DONE;
	if (open_folder_of(o->undo, rc->run->undo_place))
		return failed(rc, "the undo file", -ENOMEM);
	if (!undo_may_create(rc->run->undo_place, o->undo, message, sizeof(message)))
		return PHASE_DONE;
	report_advise(rc->report, "name another file with --undo, then run xfsck again.");
	say(rc, message);
	return PHASE_FAILED;
}

/* Writes the undo file of this name, and sets c->undo.  Errors as in undo.h. */
static int keep_in(struct commit *c, const char *path, char *message, size_t size)
{
	struct undo_writer *undo = NULL;
	uint64_t bytes;
	int ret = undo_create(path, c->rc->geo.uuid, c->devices, c->rc->run->undo_place, &undo, message, size);

	if (ret)
		return ret;
	ret = keep_all(c, undo);
	if (ret) {
		undo_abandon(undo);
		snprintf(message, size, "the undo file %s can't be written: %s", path, strerror(-ret));
		return ret;
	}
	ret = undo_finish(undo, &bytes, message, size);
	if (!ret)
		c->undo = strdup(path);
	return ret;
}

/* Returns the maximum bytes of an undo file. */
static uint64_t bytes_needed(const struct commit *c)
{
	uint64_t bytes = c->redo.bytes + KEEP_BYTES;

	for (unsigned i = 0; i < UNDO_DEVICES; i++)
		for (unsigned layer = 0; layer < LAYERS && c->devices[i]; layer++)
			bytes += device_staged(c->devices[i], layer);
	return bytes + bytes / 64; /* checksums */
}

/* Keeps it in a file of the undo folder, or notes why it can't be kept. */
static void keep_in_folder(struct commit *c)
{
	const char *folder = c->rc->run->options->undo_dir;
	char message[512], note[640];
	int ret = -EEXIST;

	/* others may repair devices of the same name in the same second */
	for (unsigned number = 1; ret == -EEXIST && number <= SAME_NAME; number++) {
		char *path = NULL;

		ret = undo_choose(folder, c->devices, bytes_needed(c), number, &path, message, sizeof(message));
		if (!ret)
			ret = keep_in(c, path, message, sizeof(message));
		free(path);
	}
	if (ret) {
		snprintf(note, sizeof(note), "No undo file is kept: %s.", message);
		report_note(c->rc->report, note);
	}
}

enum phase_result commit_keep(struct commit *c)
{
	const struct options *o = c->rc->run->options;
	char message[512];
	consents_t lacking;

	lacking = consent_lacking(c->rc, true);
	if (lacking) { /* needed even with an undo file, so none is written */
		report_consent(c->rc->report, lacking);
		return PHASE_STOP;
	}
	/* a mere replay of the log does what the next mount would do: it needs no undo file */
	if (o->keep == UNDO_AUTO && c->mends)
		keep_in_folder(c);
	if (o->keep == UNDO_FILE && keep_in(c, o->undo, message, sizeof(message))) {
		say(c->rc, message);
		return PHASE_FAILED;
	}
	lacking = consent_lacking(c->rc, c->undo != NULL);
	c->rc->run->lacking = lacking;
	if (!lacking)
		return PHASE_DONE;
	report_consent(c->rc->report, lacking);
	return PHASE_STOP;
}
