/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Extracts to an archive (pax, with attributes and holes). An archive has one file after another, so a single sweep
 * over all data is impossible: files come in inode order, near which their data usually is, and data of many small
 * files, or a part of a large one, is read at a time in disk order. Directories come last, since unpacking files later
 * would change their times.
 */
#include "job.h"

#include <errno.h>

#ifndef HAVE_LIBARCHIVE

int extract_to_tar(struct extract_job *job, int fd)
{
	(void)job;
	(void)fd;
	return -ENOSYS;
}

#else

#include <sys/mman.h>
#include <sys/stat.h>

#include "bad_ranges.h"
#include "cache.h"
#include "query.h"
#include "repair.h"
#include "tar.h"

#define QUEUE_MOST 4096u
#define HOLES_MOST ((uint64_t)1 << 50) /* bytes per file: skipping them takes time, and damage may add more */

static int failed_to_write(const struct tar *t)
{
	const int error = archive_errno(t->archive);

	return error > 0 ? -error : -EIO;
}

/* ---- data ---- */

static int write_bytes(const struct tar *t, const uint8_t *bytes, uint64_t len)
{
	while (len) {
		const la_ssize_t n = archive_write_data(t->archive, bytes, len < TAR_ZEROES ? len : TAR_ZEROES);

		if (n <= 0)
			return n < 0 ? failed_to_write(t) : 0; /* 0: the rest of the file is a hole */
		if (bytes != t->zeroes)
			bytes += n;
		len -= (uint64_t)n;
	}
	return 0;
}

/* Copies a segment into the window; its ino is the offset there. */
static int take_segment(void *ctx, const struct segment *segment, const uint8_t *bytes)
{
	memcpy(((struct tar *)ctx)->window + segment->ino.v, bytes, segment->len);
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct segment *x = a, *y = b;

	if (x->rt != y->rt)
		return x->rt ? 1 : -1;
	return (x->address > y->address) - (x->address < y->address);
}

/* Reads segments into the window in file order; reads in disk order. 0 or negative errno. */
static int fill_window(struct tar *t, const struct segment *segments, size_t count)
{
	struct segment *sorted = calloc(count + 1, sizeof(*sorted));
	uint64_t at = 0;
	int ret;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		sorted[i] = segments[i];
		sorted[i].ino.v = at;
		at += segments[i].len;
	}
	qsort(sorted, count, sizeof(*sorted), by_address);
	ret = segments_read(&t->reader, sorted, count, take_segment, t);
	free(sorted);
	return ret;
}

/* Writes segments of a file with these bytes. *done: bytes of the file written so far. 0 or negative errno. */
static int write_segments(const struct tar *t, const struct segment *segments, size_t count, const uint8_t *bytes,
			  uint64_t size, uint64_t *done)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		if (segments[i].offset > *done)
			ret = write_bytes(t, t->zeroes, segments[i].offset - *done);
		if (!ret)
			ret = write_bytes(t, bytes, tar_segment_end(&segments[i], size) - segments[i].offset);
		*done = tar_segment_end(&segments[i], size);
		bytes += segments[i].len;
	}
	return ret;
}

/* Returns how many segments fit into the window. */
static size_t fitting(const struct segment *segments, size_t count)
{
	size_t n = 0, bytes = 0;

	for (; n < count && bytes + segments[n].len <= TAR_WINDOW; n++)
		bytes += segments[n].len;
	return n;
}

/* Reads a file that does not fit into the window; `write`: writes it, else only finds unreadable parts. */
static int go_through(struct tar *t, const struct queued *q, bool write)
{
	uint64_t done = 0;
	size_t n;
	int ret = 0;

	for (size_t i = 0; i < q->count && !ret; i += n) {
		const struct segment *segments = t->segments + q->first + i;

		n = fitting(segments, q->count - i);
		ret = fill_window(t, segments, n);
		if (!ret && write)
			ret = write_segments(t, segments, n, t->window, q->size, &done);
	}
	return ret;
}

/* ---- unreadable data ---- */

/* Reports unreadable parts of a file. True if there are any. */
static bool tell_bad(struct tar *t, const struct queued *q)
{
	struct extract_report *report = &t->job->report;
	const bool kept = !t->job->query->skip_damaged;
	struct bad_range bad = { 0 };
	bool any = q->lost > 0;

	for (size_t i = 0; i < q->lost; i++) {
		const struct bad_range *lost = &t->lost[q->first_lost + i];

		extract_report_range(report, &q->path, lost->offset, lost->offset + lost->len, kept);
	}
	for (size_t i = q->first; i < q->first + q->count; i++) {
		const struct segment *p = &t->segments[i];
		const struct device *device = segment_device(t->job->rc, p->rt);
		uint64_t at = p->address, from, len;
		const uint64_t end = at + (tar_segment_end(p, q->size) - p->offset);

		for (; at < end && device_unreadable(device, at, end - at, &from, &len); at = from + len) {
			const uint64_t offset = p->offset + (from - p->address);

			if (bad.len && bad.offset + bad.len != offset)
				extract_report_range(report, &q->path, bad.offset, bad.offset + bad.len, kept);
			if (!bad.len || bad.offset + bad.len != offset)
				bad = (struct bad_range){ .offset = offset };
			bad.len += len;
			any = true;
		}
	}
	if (bad.len)
		extract_report_range(report, &q->path, bad.offset, bad.offset + bad.len, kept);
	report->incomplete += any;
	return any;
}

/* ---- entries ---- */

/* Writes the header of an entry. 1; 0: not possible in an archive, after a message; or negative errno. */
static int write_header(struct tar *t, const struct queued *q)
{
	int result;

	if (q->holes > HOLES_MOST) {
		extract_report_file(&t->job->report, &q->path, "its holes are too large for an archive");
		return 0;
	}
	result = archive_write_header(t->archive, q->entry);
	if (result == ARCHIVE_FATAL)
		return failed_to_write(t);
	if (result == ARCHIVE_OK || result == ARCHIVE_WARN)
		return 1;
	extract_report_file(&t->job->report, &q->path, "the archive can't hold it: %s",
			    archive_error_string(t->archive));
	return 0;
}

static void count_entry(struct extract_report *report, const struct queued *q)
{
	if (q->link)
		return;
	switch (archive_entry_filetype(q->entry)) {
	case S_IFREG:
		report->files++;
		report->bytes += q->size;
		break;
	case S_IFDIR:
		report->dirs++;
		break;
	default:
		report->others++;
	}
}

/* Writes an entry; bytes: its data, or NULL if that exceeds the window. 1; 0: left out; or negative errno. */
static int write_entry(struct tar *t, const struct queued *q, const uint8_t *bytes)
{
	const bool skips = t->job->query->skip_damaged;
	uint64_t done = 0;
	int ret = 0;

	if (!bytes && skips)
		ret = go_through(t, q, false);
	if (ret || ((bytes || skips) && tell_bad(t, q) && skips))
		return ret;
	ret = write_header(t, q);
	if (ret <= 0)
		return ret;
	ret = write_bytes(t, t->zeroes, tar_hole_head(q));
	if (ret)
		return ret;
	ret = bytes ? write_segments(t, t->segments + q->first, q->count, bytes, q->size, &done)
		    : go_through(t, q, true);
	if (!ret && !bytes && !skips)
		tell_bad(t, q);
	if (!ret)
		count_entry(&t->job->report, q);
	return ret ? ret : 1;
}

/* Writes entries [from, to) of the queue. 0 or negative errno. */
static int write_entries(struct tar *t, size_t from, size_t to)
{
	const struct queued *last = &t->queue[to - 1];
	const size_t first = t->queue[from].first, count = last->first + last->count - first;
	const bool fits = fitting(t->segments + first, count) == count;
	const uint8_t *bytes = t->window;
	bool written = false;
	int ret = fits ? fill_window(t, t->segments + first, count) : 0;

	for (size_t i = from; i < to && ret >= 0; i++) {
		const struct queued *q = &t->queue[i];

		if (q->link && !written)
			continue;
		ret = write_entry(t, q, fits || !q->count ? bytes : NULL);
		if (!q->link)
			written = ret > 0;
		for (size_t k = q->first; fits && k < q->first + q->count; k++)
			bytes += t->segments[k].len;
	}
	return ret < 0 ? ret : 0;
}

/* Writes all queued entries; the last file, which may be large, separately. 0 or negative errno. */
static int flush(struct tar *t)
{
	size_t last = t->nqueued;
	int ret = 0;

	while (last && t->queue[last - 1].link)
		last--;
	last -= last > 0;
	if (last)
		ret = write_entries(t, 0, last);
	if (!ret && last < t->nqueued)
		ret = write_entries(t, last, t->nqueued);
	tar_forget(t);
	return ret;
}

/* Writes all directories, or all other files. 0 or negative errno. */
static int extract(struct tar *t, bool dirs)
{
	struct extract_job *job = t->job;
	struct file file;
	enum wanted_how how;
	int ret, found;

	while ((ret = files_next(job->paths.files, &file)) > 0) {
		if (S_ISDIR(file.record.mode) != dirs)
			continue;
		file_paths_begin(&job->paths, &file);
		found = file_paths_next(&job->paths, &how);
		if (found > 0 && S_ISSOCK(file.record.mode))
			job->report.once[ONCE_SOCKET]++;
		else if (found > 0)
			ret = tar_add(t);
		if (found < 0 || ret < 0)
			return found < 0 ? found : ret;
		if (t->bytes > TAR_WINDOW / 2 || t->nqueued > QUEUE_MOST)
			ret = flush(t);
		if (ret < 0)
			return ret;
	}
	return ret ? ret : flush(t);
}

static int open_archive(struct tar *t, int fd)
{
	void *zeroes = mmap(NULL, TAR_ZEROES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	t->zeroes = zeroes == MAP_FAILED ? NULL : zeroes;
	t->window = malloc(TAR_WINDOW);
	t->archive = archive_write_new();
	if (!t->zeroes || !t->window || !t->archive)
		return -ENOMEM;
	if (archive_write_set_format_pax(t->archive) != ARCHIVE_OK ||
	    archive_write_set_bytes_in_last_block(t->archive, 1) != ARCHIVE_OK)
		return failed_to_write(t);
	archive_write_set_options(t->archive,
				  "pax:xattrheader=SCHILY"); /* old versions don't know the option, and do the same */
	if (archive_write_open_fd(t->archive, fd) != ARCHIVE_OK)
		return failed_to_write(t);
	return 0;
}

int extract_to_tar(struct extract_job *job, int fd)
{
	struct tar t = { .job = job, .reader = { .rc = job->rc, .bytes_read = &job->bytes_read } };
	int ret = open_archive(&t, fd);

	if (!ret)
		ret = extract(&t, false);
	if (!ret)
		ret = extract_rewind(job);
	if (!ret)
		ret = extract(&t, true);
	tar_forget(&t);
	segment_reader_end(&t.reader);
	if (!ret && archive_write_close(t.archive) != ARCHIVE_OK)
		ret = failed_to_write(&t);
	archive_write_free(t.archive);
	if (t.zeroes)
		munmap(t.zeroes, TAR_ZEROES);
	free(t.window);
	free(t.queue);
	free(t.segments);
	free(t.lost);
	return ret;
}

#endif
