/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a repair to a copy-on-write file over the device instead of to the device: the bytes are those that a commit
 * would leave there, with the redo record in free space.  Beside it goes a list of what must be unchanged for the
 * repair to be applied later (preview_list.h): the old contents of everything that it changes, and of superblocks, AG
 * headers and the log, some of which change whenever the file system is written.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "base/interrupt.h"
#include "commit.h"
#include "libxfs/crc.h"
#include "log/log_source.h"
#include "preview_files.h"
#include "preview_list.h"
#include "qcow.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "sets/ordered.h"

/* Merges the changes of all layers: the ends of all ranges are sorted, and read once. */

/* Called for a range; a result other than 0 ends the loop. */
typedef int preview_range_fn(void *ctx, const struct preview_range *range);

/* The start or end of a range of a layer. */
struct border {
	uint64_t at;
	uint32_t layer;
	int32_t step; /* 1 or -1 */
};

struct borders {
	struct border *v;
	size_t count, room;
	enum overlay_layer layer;
};

static int add_range(struct borders *b, enum overlay_layer layer, uint64_t start, uint64_t end)
{
	if (start >= end)
		return 0;
	return array_add(b->v, b->room, b->count, (struct border){ start, layer, 1 }) ||
			       array_add(b->v, b->room, b->count, (struct border){ end, layer, -1 })
		       ? -ENOMEM
		       : 0;
}

static int add_change(void *ctx, const struct change *change)
{
	struct borders *b = ctx;

	/* an image may end within a sector, which no file system uses */
	return add_range(b, b->layer, change->offset, (change->offset + change->len) / SECTOR_SIZE * SECTOR_SIZE);
}

static int collect(struct commit *c, unsigned device, struct borders *b)
{
	int ret = 0;

	for (unsigned layer = 0; layer < LAYERS && !ret; layer++) {
		b->layer = layer;
		ret = device_changes(c->devices[device], layer, NULL, NULL, add_change, b);
	}
	if (!ret && device == ON_DATA)
		ret = add_range(b, c->mends ? LAYER_MEND : LAYER_REPLAY, 0, c->rc->geo.sector_size);
	ordered_sort(b->v, b->count, MEMBERS(MEMBER(b->v, at)));
	return ret;
}

/* Calls fn() for a range, in pieces that are not too long. */
static int tell(unsigned device, uint64_t start, uint64_t end, enum overlay_layer layer, preview_range_fn *fn,
		void *ctx)
{
	int ret = 0;

	for (uint64_t at = start; at < end && !ret; at += PREVIEW_MAX) {
		struct preview_range range = { .device = device, .offset = at, .layer = layer };

		range.len = end - at < PREVIEW_MAX ? (uint32_t)(end - at) : PREVIEW_MAX;
		ret = fn(ctx, &range);
	}
	return ret;
}

/* Returns the uppermost layer with an open range; LAYERS: none. */
static enum overlay_layer uppermost(const int32_t open[static LAYERS])
{
	for (unsigned layer = LAYERS; layer-- > 0;)
		if (open[layer] > 0)
			return (enum overlay_layer)layer;
	return LAYERS;
}

/*
 * Calls fn() for all changed ranges, in ascending order, with device, offset, len, and layer, the uppermost that
 * changes the range.  On the data device the primary superblock is one of them.  Returns fn's result, or a negative
 * errno.
 */
static int preview_ranges(struct commit *c, unsigned device, preview_range_fn *fn, void *ctx)
{
	struct borders b = { 0 };
	int ret = collect(c, device, &b);
	int32_t open[LAYERS] = { 0 };
	enum overlay_layer now = LAYERS;
	uint64_t start = 0;

	for (size_t i = 0; i < b.count && !ret;) {
		const uint64_t at = b.v[i].at;
		enum overlay_layer next;

		for (; i < b.count && b.v[i].at == at; i++)
			open[b.v[i].layer] += b.v[i].step;
		next = uppermost(open);
		if (next == now)
			continue;
		if (now != LAYERS)
			ret = tell(device, start, at, now, fn, ctx);
		start = at;
		now = next;
	}
	free(b.v);
	return ret;
}

#define LOG_WHOLE                                                                                                      \
	(64u << 20) /* bytes of a log that must be entirely unchanged; of a larger one, so many around its head */

#define CLUSTER (64u << 10) /* bytes that the file has or lacks as a whole */

struct preview {
	struct commit *c;
	struct preview_files *files;
	struct qcow *qcow;	 /* the overlay that is being written */
	struct report_json json; /* the list */
	uint64_t ranges;
	uint8_t *before, *after; /* PREVIEW_MAX bytes each */
	char message[512];	 /* why it failed, if known more precisely than by an errno */
};

static enum phase_result refuse(const struct repair *rc, const char *message)
{
	char sentence[640];

	snprintf(sentence, sizeof(sentence), "%s; nothing was changed", message);
	return trouble(rc, sentence);
}

static int put_range(struct preview *p, const struct preview_range *range)
{
	preview_put_range(&p->json, range);
	p->ranges++;
	return p->json.error;
}

static uint32_t crc_of(const uint8_t *bytes, size_t len)
{
	return ~crc_add(CRC_SEED, bytes, len);
}

/* Writes a part of the redo record, which goes to free space. */
static int put_redo(void *ctx, uint64_t offset, const void *bytes, size_t len)
{
	struct preview *p = ctx;
	struct preview_range range = { .offset = offset, .len = (uint32_t)len, .redo = true };
	int ret = device_read_below(p->c->rc->run->device, p->before, offset, len, 0);

	if (ret == -ENOMEM)
		return ret;
	range.lost = ret != 0;
	range.before = crc_of(p->before, len);
	range.after = crc_of(bytes, len);
	ret = put_range(p, &range);
	return ret ? ret : qcow_write(p->qcow, bytes, offset, len);
}

/* Puts the final contents into p->after: the staged ones, but the superblock as the commit writes it. */
static int final_contents(struct preview *p, const struct preview_range *range)
{
	const uint32_t size = p->c->rc->geo.sector_size;
	int ret;

	memcpy(p->after, p->before, range->len);
	ret = device_cover(p->c->devices[range->device], p->after, range->offset, range->len, 0, LAYERS);
	if (!ret && range->device == ON_DATA && range->offset < size) {
		const uint32_t at = (uint32_t)range->offset, rest = size - at;

		memcpy(p->after, p->c->superblock + at, range->len < rest ? range->len : rest);
	}
	return ret;
}

/*
 * Writes whole clusters: otherwise the file would copy the rest of them from the device, which is unreadable there.
 * Lost bytes are zeroes.
 */
static int write_clusters(struct preview *p, const struct preview_range *range)
{
	const uint64_t bytes = device_bytes(p->c->devices[range->device]), end = range->offset + range->len;
	int ret = 0;

	for (uint64_t at = range->offset / CLUSTER * CLUSTER; at < end && !ret; at += CLUSTER) {
		struct preview_range cluster = { .device = range->device, .offset = at, .len = CLUSTER };

		if (bytes - at < CLUSTER)
			cluster.len = (uint32_t)(bytes - at) / SECTOR_SIZE * SECTOR_SIZE;
		ret = device_read_below(p->c->devices[range->device], p->before, at, cluster.len, 0);
		ret = ret == -ENOMEM ? ret : final_contents(p, &cluster);
		if (!ret)
			ret = qcow_write(p->qcow, p->after, at, cluster.len);
	}
	return ret;
}

static int put_change(void *ctx, const struct preview_range *range)
{
	struct preview *p = ctx;
	struct preview_range change = *range;
	int ret = device_read_below(p->c->devices[change.device], p->before, change.offset, change.len, 0);

	if (ret == -ENOMEM)
		return ret;
	change.lost = ret != 0;
	ret = final_contents(p, &change);
	if (ret || (!change.lost && !memcmp(p->before, p->after, change.len)))
		return ret;
	change.before = crc_of(p->before, change.len);
	change.after = crc_of(p->after, change.len);
	ret = put_range(p, &change);
	if (!ret)
		ret = qcow_write(p->qcow, p->after, change.offset, change.len);
	return ret == -EIO ? write_clusters(p, &change) : ret;
}

/* Lists the contents of a range that must not change, without unreadable parts. */
static int put_same(struct preview *p, unsigned device, uint64_t offset, uint64_t len)
{
	int ret = 0;

	for (uint64_t end = offset + len; offset < end && !ret; offset += PREVIEW_MAX) {
		struct preview_range range = { .device = device, .offset = offset, .same = true };

		range.len = end - offset < PREVIEW_MAX ? (uint32_t)(end - offset) : PREVIEW_MAX;
		ret = device_read_below(p->c->devices[device], p->before, offset, range.len, 0);
		range.before = crc_of(p->before, range.len);
		if (!ret)
			ret = put_range(p, &range);
		else if (ret != -ENOMEM)
			ret = 0;
	}
	return ret;
}

/* Lists the log, which a mount writes at its head. */
static int put_log(struct preview *p)
{
	const struct repair *rc = p->c->rc;
	const struct log_source log = log_source_of(&rc->geo, rc->run->device, rc->run->log_device);
	const unsigned device = log.device == rc->run->log_device ? ON_LOG : ON_DATA;
	uint64_t end = log.start + ((uint64_t)rc->geo.logblocks << rc->geo.block_log), at = log.start;

	if (!rc->geo.logblocks || !log.device || log.start >= device_bytes(log.device))
		return 0;
	if (end > device_bytes(log.device))
		end = device_bytes(log.device) / SECTOR_SIZE * SECTOR_SIZE;
	if (end - at > LOG_WHOLE) {
		const uint64_t head = at + ((rc->log.head.v & UINT32_MAX) << SECTOR_LOG);

		if (head - at > LOG_WHOLE / 2)
			at = head - LOG_WHOLE / 2;
		if (at < end && end - at > LOG_WHOLE)
			end = at + LOG_WHOLE;
	}
	return at < end ? put_same(p, device, at, end - at) : 0;
}

/* Lists the superblocks and the headers of all AGs. */
static int put_headers(struct preview *p)
{
	const struct geometry *geo = &p->c->rc->geo;
	const uint64_t bytes = device_bytes(p->c->devices[ON_DATA]), len = (uint64_t)AG_SECTORS * geo->sector_size;
	int ret = 0;

	for (uint32_t ag = 0; ag < geo->agcount && !ret; ag++) {
		const uint64_t at = ag_offset(geo, (agno_t){ ag });

		if (at <= bytes && len <= bytes - at)
			ret = put_same(p, ON_DATA, at, len);
	}
	return ret;
}

/* Writes the overlay of a device, and its part of the list. */
static int put_device(struct preview *p, unsigned device)
{
	int ret;

	p->qcow = p->files->qcows[device];
	if (!p->qcow)
		return -ENODEV;
	ret = preview_ranges(p->c, device, put_change, p);
	if (!ret && device == ON_DATA && p->c->redo.bytes)
		ret = commit_redo_put(p->c, put_redo, p);
	return ret ? ret : qcow_flush(p->qcow);
}

static void set_head(const struct preview *p, struct preview_head *head)
{
	const struct repair *rc = p->c->rc;

	*head = (struct preview_head){ .mends = p->c->mends, .consents = consent_reasons(rc), .redo = p->c->redo };
	memcpy(head->uuid, rc->geo.uuid, sizeof(head->uuid));
	for (unsigned i = 0; i < UNDO_DEVICES; i++) {
		head->bytes[i] = p->c->devices[i] ? device_bytes(p->c->devices[i]) : 0;
		head->changed[i] = p->c->changes[i];
	}
}

static int write_all(struct preview *p)
{
	struct preview_head head;
	int ret;

	set_head(p, &head);
	preview_put_head(&p->json, &head);
	ret = commit_superblock(p->c, LAYERS, false);
	for (unsigned i = 0; i < UNDO_DEVICES && !ret; i++)
		if (p->c->changes[i])
			ret = put_device(p, i);
	if (!ret)
		ret = put_headers(p);
	if (!ret)
		ret = put_log(p);
	preview_put_end(&p->json, p->ranges);
	if (!ret && fflush(p->json.out))
		ret = -errno;
	if (!ret)
		ret = p->json.error;
	return ret ? ret : preview_files_finish(p->files, p->c->changes);
}

static int begin(struct preview *p)
{
	const int fd = fcntl(p->files->list.fd, F_DUPFD_CLOEXEC, 0);

	p->before = malloc(PREVIEW_MAX);
	p->after = malloc(PREVIEW_MAX);
	p->json.out = fd < 0 ? NULL : fdopen(fd, "w");
	if (p->before && p->after && p->json.out)
		return 0;
	if (fd >= 0 && !p->json.out)
		close(fd);
	return -ENOMEM;
}

static void look_at_ranges(const void *ctx, struct report_work_state *state)
{
	const struct preview *p = ctx;

	state->done = __atomic_load_n(&p->ranges, __ATOMIC_RELAXED);
}

enum phase_result preview_make(struct commit *c)
{
	struct preview p = { .c = c, .files = c->rc->run->preview };
	const char *overlays[UNDO_DEVICES];
	enum phase_result result = PHASE_DONE;
	int ret;

	for (unsigned i = 0; i < UNDO_DEVICES; i++)
		overlays[i] = c->changes[i] ? p.files->names[i] : NULL;
	interrupt_writing(c->rc->run->interrupt,
			  "The device was not written to; the files of the preview are not whole");
	report_step(c->rc->report, "preview",
		    &(struct report_work){ .look = look_at_ranges, .ctx = &p, .unit = "ranges", .last = true });
	ret = begin(&p);
	if (!ret)
		ret = commit_redo_plan(c);
	if (!ret)
		ret = write_all(&p);
	report_step(c->rc->report, "", NULL);
	if (ret && p.message[0])
		result = refuse(c->rc, p.message);
	else if (ret)
		result = failed(c->rc, "writing the preview", ret);
	else
		report_preview(c->rc->report, overlays);
	if (p.json.out)
		fclose(p.json.out);
	free(p.before);
	free(p.after);
	return result;
}
