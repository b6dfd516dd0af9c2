/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries out the repair in a preview.  Every range of the list must have the contents that it had when the preview was
 * made, and the preview the contents that were written to it, which are staged, each in its original layer.  The rest
 * is as in any run: the check sees the result, which must be sound, and the commit writes it, with an undo file, and
 * with the redo record of the preview.  So the device gets exactly the bytes that the repair would have written.
 */

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commit.h"
#include "base/devices.h"
#include "disk/sb.h"
#include "libxfs/crc.h"
#include "qcow.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "sandbox/sandbox.h"
#include "parallel.h"

struct applying {
	struct repair *rc;
	const char *file;
	struct preview_head *head;
	struct device *devices[UNDO_DEVICES];
	uint8_t *now, *after;	   /* PREVIEW_MAX bytes each */
	uint64_t changes, applied; /* ranges that the repair changes; those that already have the new contents */
	uint64_t changed;	   /* of all ranges, those with other contents */
	unsigned device;	   /* of the first such range */
	uint64_t offset;
	uint32_t redo_crc;
	uint64_t redo_bytes;
	char message[640]; /* why it can't be applied */
};

static int refuse(struct applying *a, int error, const char *why)
{
	snprintf(a->message, sizeof(a->message), "%s", why);
	return error;
}

static uint32_t crc_of(const uint8_t *bytes, size_t len)
{
	return ~crc_add(CRC_SEED, bytes, len);
}

/* Compares the device with the list.  Returns 0 or -ENOMEM. */
static int look_at_device(struct applying *a, const struct preview_range *range)
{
	const int lost = device_read_below(a->devices[range->device], a->now, range->offset, range->len, 0);
	const uint32_t now = crc_of(a->now, range->len);

	if (lost == -ENOMEM)
		return lost;
	a->changes += !range->same;
	a->applied += !range->same && !lost && now == range->after;
	if (range->lost ? lost : !lost && now == range->before)
		return 0;
	if (!a->changed++) {
		a->device = range->device;
		a->offset = range->offset;
	}
	return 0;
}

/* Reads the contents in the preview into a->after.  Returns 0 or a negative errno. */
static int look_at_preview(struct applying *a, const struct preview_range *range)
{
	struct qcow *overlay = a->rc->run->applied->overlays[range->device];
	int ret = overlay ? qcow_read(overlay, a->after, range->offset, range->len) : -EBADMSG;

	if (ret && ret != -EBADMSG)
		return ret;
	if (ret || crc_of(a->after, range->len) != range->after)
		return refuse(a, -EBADMSG, "its contents were changed after it was made: make a new one");
	return 0;
}

/* Adds a part of the redo record; parts are in order, without gaps. */
static int take_redo(struct applying *a, const struct preview_range *range)
{
	const struct redo_place *redo = &a->head->redo;

	if (range->device != ON_DATA || range->offset != redo->offset + a->redo_bytes ||
	    range->len > redo->bytes - a->redo_bytes)
		return refuse(a, -EBADMSG, "its list is damaged: make a new one");
	a->redo_bytes += range->len;
	a->redo_crc = crc_add(a->redo_crc, a->after, range->len);
	return 0;
}

static int take_range(struct applying *a, const struct preview_range *range)
{
	/* the layer for exchanged areas was written together with mended blocks */
	const enum overlay_layer layer = range->layer == LAYER_PLACE ? LAYER_MEND : range->layer;
	int ret;

	if (!a->devices[range->device])
		return refuse(a, -ENODEV,
			      range->device == ON_LOG ? "it is also of a log device: name that with -l"
						      : "it is also of a realtime device: name that with -r");
	ret = look_at_device(a, range);
	if (ret || range->same)
		return ret;
	ret = look_at_preview(a, range);
	if (!ret && range->redo)
		return take_redo(a, range);
	return ret ? ret : device_stage(a->devices[range->device], layer, a->after, range->offset, range->len);
}

static int take_all(struct applying *a, struct json_in *list)
{
	struct preview_range range;
	bool end = false;
	int ret = 0;

	a->redo_crc = CRC_SEED;
	for (uint64_t number = 0; !ret; number++) {
		if (!preview_get_range(list, a->head, number, &range, &end))
			return refuse(a, -EBADMSG, "its list is damaged, or not complete: make a new one");
		if (end)
			break;
		ret = take_range(a, &range);
	}
	if (!ret && (a->redo_bytes != a->head->redo.bytes || (a->redo_bytes && ~a->redo_crc != a->head->redo.crc)))
		ret = refuse(a, -EBADMSG, "its list is damaged: make a new one");
	return ret;
}

/* Reports how the device has changed since.  Returns -ESTALE, or 0 if it has not. */
static int judge(struct applying *a)
{
	uint8_t sector[SECTOR_SIZE];
	struct redo_place place;
	const bool read = !device_read_below(a->rc->run->device, sector, 0, sizeof(sector), 0);

	if (!a->changed)
		return 0;
	if (a->applied == a->changes)
		return refuse(a, -ESTALE, "it is already applied");
	if (read && redo_pointed(sector, &place))
		return refuse(a, -ESTALE, "a repair was interrupted here: run xfsck without --apply to finish it");
	if (read && memcmp(((struct sb_disk *)sector)->uuid, a->head->uuid, sizeof(a->head->uuid)) != 0)
		return refuse(a, -ESTALE, "it is of another file system, by the UUID in the superblock");
	snprintf(a->message, sizeof(a->message),
		 "the device was written to since it was made: %llu ranges are not what they were, the first at byte "
		 "%llu "
		 "of %s",
		 (unsigned long long)a->changed, (unsigned long long)a->offset, device_path(a->devices[a->device]));
	return -ESTALE;
}

/* Opens the other devices of the preview. */
static int open_others(struct applying *a)
{
	const struct options *o = a->rc->run->options;
	struct repair *rc = a->rc;
	int ret = 0;

	if (o->log_device && a->head->bytes[ON_LOG]) {
		ret = other_device_open(rc, o->log_device, &rc->run->log_device, a->message, sizeof(a->message));
		if (!ret)
			report_device(rc->report, ROLE_LOG, o->log_device, 0, device_bytes(rc->run->log_device));
	}
	if (!ret && a->head->bytes[ON_RT])
		ret = rt_device_open(rc, a->message, sizeof(a->message));
	a->devices[ON_DATA] = rc->run->device;
	a->devices[ON_LOG] = rc->run->log_device;
	a->devices[ON_RT] = rc->run->rt_device;
	return ret;
}

static int check_sizes(struct applying *a)
{
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		if (!a->devices[i] || device_bytes(a->devices[i]) == a->head->bytes[i])
			continue;
		snprintf(a->message, sizeof(a->message), "it is of a device of %llu bytes, and %s has %llu",
			 (unsigned long long)a->head->bytes[i], device_path(a->devices[i]),
			 (unsigned long long)device_bytes(a->devices[i]));
		return -ESTALE;
	}
	return 0;
}

/* Checks that all changed devices of the list have overlays.  Returns 0 or a negative errno. */
static int check_overlays(struct applying *a)
{
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		const struct qcow *overlay = a->rc->run->applied->overlays[i];

		if (!a->head->changed[i] || !a->devices[i] ||
		    (overlay && qcow_bytes(overlay) - a->head->bytes[i] < SECTOR_SIZE))
			continue;
		snprintf(a->message, sizeof(a->message), "its file for the %s device %s", preview_role(i),
			 overlay ? "was changed after it was made, and has another size: make a new one"
				 : "is missing");
		return overlay ? -EINVAL : -ENOENT;
	}
	return 0;
}

static int apply(struct applying *a, struct json_in *list)
{
	int ret;

	if (!preview_get_head(list, a->head))
		return refuse(a, -EBADMSG, "its list is none, or one of another version of xfsck");
	ret = open_others(a);
	if (!ret)
		ret = check_sizes(a);
	if (!ret)
		ret = check_overlays(a);
	if (!ret)
		ret = take_all(a, list);
	return ret ? ret : judge(a);
}

/* True if the file begins like a plan. */
static bool is_plan(const char *file)
{
	static const char begin[] = "{\"type\":\"plan\"";
	char read[sizeof(begin)] = "";
	FILE *in = fopen(file, "re");
	const bool is = in && fread(read, 1, sizeof(begin) - 1, in) == sizeof(begin) - 1 && !strcmp(read, begin);

	if (in)
		fclose(in);
	return is;
}

static int open_list(struct applying *a, struct json_in *list)
{
	char *name = preview_list(a->file);
	int ret = name ? 0 : -ENOMEM;

	if (name)
		list->in = fopen(name, "re");
	if (name && !list->in) {
		ret = -errno;
		if (is_plan(a->file))
			snprintf(a->message, sizeof(a->message), "it is a plan, not a preview: use --plan-apply=%s",
				 a->file);
		else
			snprintf(a->message, sizeof(a->message), "the list beside it, %s, can't be opened: %s", name,
				 strerror(errno));
	}
	free(name);
	return ret;
}

/* Opens the existing overlays; that of the data device must exist.  Returns 0 or a negative errno. */
static int open_overlays(struct applying *a, struct applied *applied)
{
	int ret = qcow_possible(false, a->message, sizeof(a->message));

	for (unsigned i = 0; i < UNDO_DEVICES && !ret; i++) {
		char *name = preview_overlay(a->file, i);

		if (!name)
			return -ENOMEM;
		if (i == ON_DATA || !access(name, F_OK))
			ret = qcow_open(name, &applied->overlays[i], a->message, sizeof(a->message));
		free(name);
	}
	return ret;
}

struct opening {
	struct applying *a;
	struct applied *applied;
	int ret;
};

/*
 * Opens the overlays in a thread with only the rights that qemu-nbd, which it starts, needs: somebody may have made the
 * files to exploit it.  The socket between the two has a name for a moment.
 */
static void *open_confined(void *ctx)
{
	static const char *const tmp[] = { "/tmp", "/var/tmp" };
	struct opening *o = ctx;
	struct sandbox sandbox;

	sandbox_begin(&sandbox, SANDBOX_TREE);
	sandbox_allow(&sandbox, "/", SANDBOX_READ | SANDBOX_LIST | SANDBOX_EXECUTE);
	sandbox_allow(&sandbox, "/dev/null", SANDBOX_WRITE);
	for (unsigned i = 0; i < sizeof(tmp) / sizeof(tmp[0]); i++)
		sandbox_allow(&sandbox, tmp[i], SANDBOX_GROW | SANDBOX_REMOVE | SANDBOX_RMDIR);
	if (getenv("TMPDIR"))
		sandbox_allow(&sandbox, getenv("TMPDIR"), SANDBOX_GROW | SANDBOX_REMOVE | SANDBOX_RMDIR);
	o->ret = sandbox_enter_files(&sandbox);
	if (!o->ret)
		o->ret = open_overlays(o->a, o->applied);
	return NULL;
}

/* Opens the overlays in that thread.  Returns 0 or a negative errno. */
static int open_apart(struct applying *a, struct applied *applied)
{
	struct opening o = { a, applied, 0 };
	pthread_t thread;
	const int ret = thread_start(&thread, 0, open_confined, &o);

	if (ret)
		return ret;
	pthread_join(thread, NULL);
	return o.ret;
}

static enum phase_result conclude(const struct applying *a, int error)
{
	char sentence[1024];

	if (!error)
		return PHASE_DONE;
	snprintf(sentence, sizeof(sentence), "the preview %s can't be applied: %s; nothing was changed", a->file,
		 a->message[0] ? a->message : strerror(-error));
	return trouble(a->rc, sentence);
}

enum phase_result apply_open(struct repair *rc)
{
	struct applying a = { .rc = rc, .file = rc->run->options->apply };
	struct applied *applied = calloc(1, sizeof(*applied));
	int ret = -ENOMEM;

	rc->run->applied = applied;
	if (applied)
		ret = open_list(&a, &applied->list);
	if (!ret)
		ret = open_apart(&a, applied);
	return conclude(&a, ret);
}

enum phase_result apply_begin(struct repair *rc)
{
	struct applied *applied = rc->run->applied;
	struct applying a = {
		.rc = rc, .file = rc->run->options->apply, .head = &applied->head, .now = malloc(PREVIEW_MAX)
	};
	int ret = -ENOMEM;

	a.after = malloc(PREVIEW_MAX);
	if (a.now && a.after)
		ret = apply(&a, &applied->list);
	free(a.now);
	free(a.after);
	return conclude(&a, ret);
}

int apply_redo(struct commit *c)
{
	const struct applied *applied = c->rc->run->applied;
	const struct redo_place *redo = &applied->head.redo;
	uint8_t *bytes = malloc(PREVIEW_MAX);
	uint32_t crc = CRC_SEED;
	int ret = bytes ? 0 : -ENOMEM;

	for (uint64_t at = 0; at < redo->bytes && !ret; at += PREVIEW_MAX) {
		const size_t len = redo->bytes - at < PREVIEW_MAX ? (size_t)(redo->bytes - at) : PREVIEW_MAX;

		ret = qcow_read(applied->overlays[ON_DATA], bytes, redo->offset + at, len);
		crc = crc_add(crc, bytes, len);
		if (!ret)
			ret = device_write(c->devices[ON_DATA], bytes, redo->offset + at, len);
	}
	free(bytes);
	if (!ret)
		ret = device_flush(c->devices[ON_DATA]);
	return ret ? ret : ~crc == redo->crc ? 0 : -EIO;
}

void apply_end(struct repair *rc)
{
	struct applied *applied = rc->run->applied;

	if (!applied)
		return;
	for (unsigned i = 0; i < UNDO_DEVICES; i++)
		qcow_close(applied->overlays[i]);
	if (applied->list.in)
		fclose(applied->list.in);
	json_in_free(&applied->list);
	free(applied);
	rc->run->applied = NULL;
}
