/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes a window of segments at a time: reads and writes those with new blocks, then shares the others within the
 * target (FICLONERANGE), or copies them if its file system cannot share. From time to time everything written is
 * flushed and noted, so that a stopped run can resume.
 */
#include "sweep.h"
#include "whole.h"

#include <errno.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WINDOW_SEGMENTS 8192u
#define NOTE_BYTES	((uint64_t)1 << 30) /* the least that is read between notes */

/* A segment that shares its blocks with an earlier one, and is copied from there. */
struct shared_segment {
	struct segment from, to; /* of equal length */
};

struct window {
	const struct sweep_out *out;
	struct segment_reader reader;
	struct segment lead; /* the earlier segment that ends last; len 0: none */
	struct segment *read;
	struct shared_segment *shared;
	size_t nread, nshared;
	uint64_t bytes, noted; /* read so far, and at the last note */
};

/* ---- writing ---- */

static int note_bad(const struct window *w, const struct segment *segment)
{
	return bad_ranges_note(w->out->bad, segment_device(w->out->rc, segment->rt), segment->address, segment->len,
			       segment->ino, segment->offset);
}

/* Writes bytes of a file. 0 or negative errno. */
static int write_bytes(const struct window *w, const struct segment *segment, const uint8_t *bytes)
{
	const int fd = stage_file(w->out->stage, segment->ino, true);

	if (fd < 0)
		return fd;
	return segment->offset > (uint64_t)INT64_MAX - segment->len
		       ? -EFBIG
		       : whole_write(fd, segment->offset, bytes, segment->len);
}

static int write_segment(void *ctx, const struct segment *segment, const uint8_t *bytes)
{
	struct window *w = ctx;
	int ret;

	if (stage_failed(w->out->stage, segment->ino))
		return 0;
	ret = write_bytes(w, segment, bytes);
	return ret ? stage_fail(w->out->stage, segment->ino, ret) : note_bad(w, segment);
}

/* Copies within the target. 0 or negative errno. */
static int copy_range(int from, uint64_t from_offset, int to, uint64_t to_offset, uint64_t len)
{
	uint8_t *buf = malloc(len);
	int ret = buf ? whole_read(from, from_offset, buf, len, -EIO) : -ENOMEM;

	if (!ret)
		ret = whole_write(to, to_offset, buf, len);
	free(buf);
	return ret;
}

static int share(struct window *w, const struct shared_segment *s)
{
	struct file_clone_range range = { .src_offset = s->from.offset,
					  .src_length = s->from.len,
					  .dest_offset = s->to.offset };
	int to, from, ret;

	if (stage_failed(w->out->stage, s->to.ino))
		return 0;
	if (stage_failed(w->out->stage, s->from.ino))
		return segments_read(&w->reader, &s->to, 1, write_segment, w);
	to = stage_file(w->out->stage, s->to.ino, true);
	from = to < 0 ? to : stage_file(w->out->stage, s->from.ino, false);
	if (from < 0)
		return stage_fail(w->out->stage, s->to.ino, from);
	range.src_fd = from;
	ret = ioctl(to, FICLONERANGE, &range) ? copy_range(from, s->from.offset, to, s->to.offset, s->to.len) : 0;
	return ret ? stage_fail(w->out->stage, s->to.ino, ret) : note_bad(w, &s->to);
}

/* Reads and writes the segments of the window. 0 or negative errno. */
static int do_window(struct window *w)
{
	int ret = segments_read(&w->reader, w->read, w->nread, write_segment, w);

	for (size_t i = 0; i < w->nshared && !ret; i++)
		ret = share(w, &w->shared[i]);
	w->nread = w->nshared = 0;
	return ret;
}

/* ---- the plan ---- */

static struct segment part(const struct segment *segment, uint64_t from, uint64_t end)
{
	struct segment p = *segment;

	p.offset += from - p.address;
	p.address = from;
	p.len = (uint32_t)(end - from);
	return p;
}

/* Adds a segment to the window: the part within `lead` is shared with that, the rest is read. */
static void add(struct window *w, const struct segment *segment)
{
	const uint64_t end = segment->address + segment->len;
	uint64_t lead_end = w->lead.len && w->lead.rt == segment->rt ? w->lead.address + w->lead.len : 0;
	uint64_t from = segment->address;

	if (from < lead_end) {
		const uint64_t shared_end = end < lead_end ? end : lead_end;

		w->shared[w->nshared++] =
			(struct shared_segment){ part(&w->lead, from, shared_end), part(segment, from, shared_end) };
		from = shared_end;
	}
	if (from == end)
		return;
	w->read[w->nread++] = part(segment, from, end);
	w->bytes += end - from;
	w->lead = *segment;
}

/* Notes that everything before this place is done, if `now`, or enough was read since. 0 or negative errno. */
static int note(struct window *w, uint64_t place, bool now)
{
	struct stage_notes notes = w->out->notes;
	int ret;

	if (!now && w->bytes - w->noted < NOTE_BYTES)
		return 0;
	if (place > notes.swept)
		notes.swept = place;
	ret = stage_notes_write(w->out->stage, &notes);
	w->noted = w->bytes;
	return ret;
}

/* True if this segment need not be read: an earlier run has read it, or its file has failed. */
static bool is_done(const struct window *w, const struct segment *segment)
{
	return stage_failed(w->out->stage, segment->ino) ||
	       (plan_place(segment) + segment->len <= w->out->notes.swept &&
		stage_file(w->out->stage, segment->ino, false) >= 0);
}

static int sweep(struct window *w, struct plan *plan)
{
	struct segment segment;
	int ret, error;

	while ((ret = plan_next(plan, &segment)) > 0) {
		if (is_done(w, &segment))
			continue;
		if (w->nread == WINDOW_SEGMENTS || w->nshared == WINDOW_SEGMENTS) {
			error = do_window(w);
			if (!error)
				error = note(w, plan_place(&segment), false);
			if (error)
				return error;
		}
		add(w, &segment);
	}
	if (!ret)
		ret = do_window(w);
	return ret ? ret : note(w, UINT64_MAX, true);
}

int sweep_to_files(const struct sweep_out *out, struct plan *plan)
{
	struct window w = { .out = out,
			    .reader = { .rc = out->rc, .bytes_read = out->bytes_read },
			    .read = calloc(WINDOW_SEGMENTS, sizeof(*w.read)),
			    .shared = calloc(WINDOW_SEGMENTS, sizeof(*w.shared)) };
	const int ret = w.read && w.shared ? sweep(&w, plan) : -ENOMEM;

	segment_reader_end(&w.reader);
	free(w.read);
	free(w.shared);
	return ret;
}
