/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes a window of pieces at a time: reads and writes those with new blocks, then shares the others within the
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

#define WINDOW_PIECES 8192u
#define NOTE_BYTES    ((uint64_t)1 << 30) /* the least that is read between notes */

/* A piece that shares its blocks with an earlier one, and is copied from there. */
struct shared_piece {
	struct piece from, to; /* of equal length */
};

struct window {
	const struct sweep_out *out;
	struct piece_reader reader;
	struct piece lead; /* the earlier piece that ends last; len 0: none */
	struct piece *read;
	struct shared_piece *shared;
	size_t nread, nshared;
	uint64_t bytes, noted; /* read so far, and at the last note */
};

/* ---- writing ---- */

static int note_bad(const struct window *w, const struct piece *piece)
{
	return lost_ranges_note(w->out->bad, piece_device(w->out->rc, piece->rt), piece->address, piece->len,
				piece->ino, piece->offset);
}

/* Writes bytes of a file. 0 or negative errno. */
static int write_bytes(const struct window *w, const struct piece *piece, const uint8_t *bytes)
{
	const int fd = stage_file(w->out->stage, piece->ino, true);

	if (fd < 0)
		return fd;
	return piece->offset > (uint64_t)INT64_MAX - piece->len ? -EFBIG
								: whole_write(fd, piece->offset, bytes, piece->len);
}

static int write_piece(void *ctx, const struct piece *piece, const uint8_t *bytes)
{
	struct window *w = ctx;
	int ret;

	if (stage_failed(w->out->stage, piece->ino))
		return 0;
	ret = write_bytes(w, piece, bytes);
	return ret ? stage_fail(w->out->stage, piece->ino, ret) : note_bad(w, piece);
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

static int share(struct window *w, const struct shared_piece *s)
{
	struct file_clone_range range = { .src_offset = s->from.offset,
					  .src_length = s->from.len,
					  .dest_offset = s->to.offset };
	int to, from, ret;

	if (stage_failed(w->out->stage, s->to.ino))
		return 0;
	if (stage_failed(w->out->stage, s->from.ino))
		return pieces_read(&w->reader, &s->to, 1, write_piece, w);
	to = stage_file(w->out->stage, s->to.ino, true);
	from = to < 0 ? to : stage_file(w->out->stage, s->from.ino, false);
	if (from < 0)
		return stage_fail(w->out->stage, s->to.ino, from);
	range.src_fd = from;
	ret = ioctl(to, FICLONERANGE, &range) ? copy_range(from, s->from.offset, to, s->to.offset, s->to.len) : 0;
	return ret ? stage_fail(w->out->stage, s->to.ino, ret) : note_bad(w, &s->to);
}

/* Reads and writes the pieces of the window. 0 or negative errno. */
static int do_window(struct window *w)
{
	int ret = pieces_read(&w->reader, w->read, w->nread, write_piece, w);

	for (size_t i = 0; i < w->nshared && !ret; i++)
		ret = share(w, &w->shared[i]);
	w->nread = w->nshared = 0;
	return ret;
}

/* ---- the plan ---- */

static struct piece part(const struct piece *piece, uint64_t from, uint64_t end)
{
	struct piece p = *piece;

	p.offset += from - p.address;
	p.address = from;
	p.len = (uint32_t)(end - from);
	return p;
}

/* Adds a piece to the window: the part within `lead` is shared with that, the rest is read. */
static void add(struct window *w, const struct piece *piece)
{
	const uint64_t end = piece->address + piece->len;
	uint64_t lead_end = w->lead.len && w->lead.rt == piece->rt ? w->lead.address + w->lead.len : 0;
	uint64_t from = piece->address;

	if (from < lead_end) {
		const uint64_t shared_end = end < lead_end ? end : lead_end;

		w->shared[w->nshared++] =
			(struct shared_piece){ part(&w->lead, from, shared_end), part(piece, from, shared_end) };
		from = shared_end;
	}
	if (from == end)
		return;
	w->read[w->nread++] = part(piece, from, end);
	w->bytes += end - from;
	w->lead = *piece;
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

/* True if this piece need not be read: an earlier run has read it, or its file has failed. */
static bool is_done(const struct window *w, const struct piece *piece)
{
	return stage_failed(w->out->stage, piece->ino) || (plan_place(piece) + piece->len <= w->out->notes.swept &&
							   stage_file(w->out->stage, piece->ino, false) >= 0);
}

static int sweep(struct window *w, struct plan *plan)
{
	struct piece piece;
	int ret, error;

	while ((ret = plan_next(plan, &piece)) > 0) {
		if (is_done(w, &piece))
			continue;
		if (w->nread == WINDOW_PIECES || w->nshared == WINDOW_PIECES) {
			error = do_window(w);
			if (!error)
				error = note(w, plan_place(&piece), false);
			if (error)
				return error;
		}
		add(w, &piece);
	}
	if (!ret)
		ret = do_window(w);
	return ret ? ret : note(w, UINT64_MAX, true);
}

int sweep_to_files(const struct sweep_out *out, struct plan *plan)
{
	struct window w = { .out = out,
			    .reader = { .rc = out->rc, .bytes_read = out->bytes_read },
			    .read = calloc(WINDOW_PIECES, sizeof(*w.read)),
			    .shared = calloc(WINDOW_PIECES, sizeof(*w.shared)) };
	const int ret = w.read && w.shared ? sweep(&w, plan) : -ENOMEM;

	piece_reader_end(&w.reader);
	free(w.read);
	free(w.shared);
	return ret;
}
