/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Extracts to an archive (pax, with attributes and holes). An archive has one file after another, so a single sweep
 * over all data is impossible: files come in inode order, near which their data usually is, and data of many small
 * files, or a part of a large one, is read at a time in disk order. Directories come last, since unpacking files later
 * would change their times.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "bad_ranges.h"
#include "cache.h"
#include "contents.h"
#include "job.h"
#include "place.h"
#include "query.h"
#include "repair.h"
#include "segments.h"

struct queued {
	struct archive_entry *entry;
	struct byte_buffer path; /* for messages */
	size_t first, count;	 /* in tar.segments */
	size_t first_lost, lost; /* ranges in tar.lost: their blocks are unknown */
	uint64_t size;		 /* bytes; 0 except for regular files */
	uint64_t holes;		 /* bytes of holes before its last data */
	bool link;		 /* a hard link to the last entry that is not */
};

struct tar {
	struct extract_job *job;
	struct archive *archive;
	struct segment_reader reader;
	struct queued *queue;
	size_t nqueued, queue_room;
	struct segment *segments; /* of all entries, in file order */
	size_t nsegments, segments_room;
	uint64_t bytes; /* of these segments */
	struct bad_range *lost;
	size_t nlost, lost_room;
	uint8_t *window; /* TAR_WINDOW bytes */
	uint8_t *zeroes; /* TAR_ZEROES bytes */
};

#define TAR_WINDOW (16u << 20)
#define TAR_ZEROES ((size_t)1 << 30)

/* Returns how many bytes to write of a file that is a single hole; some programs cannot read an archive without any. */
static inline uint64_t tar_hole_head(const struct queued *q)
{
	return q->count ? 0 : q->size < 512 ? q->size : 512;
}

/* Returns the end of a segment in a file of this size, which may end within a block. */
static inline uint64_t tar_segment_end(const struct segment *p, uint64_t size)
{
	return p->offset + p->len < size ? p->offset + p->len : size;
}

#ifdef HAVE_LIBARCHIVE

#define RDEV_MINOR_BITS 18 /* ondisk 04 */

/* ---- attributes ---- */

static void add_acl(struct archive_entry *entry, const struct attribute *a)
{
	static const struct {
		uint16_t tag;
		int as;
	} tags[] = { { ACL_TAG_USER_OBJ, ARCHIVE_ENTRY_ACL_USER_OBJ },	 { ACL_TAG_USER, ARCHIVE_ENTRY_ACL_USER },
		     { ACL_TAG_GROUP_OBJ, ARCHIVE_ENTRY_ACL_GROUP_OBJ }, { ACL_TAG_GROUP, ARCHIVE_ENTRY_ACL_GROUP },
		     { ACL_TAG_MASK, ARCHIVE_ENTRY_ACL_MASK },		 { ACL_TAG_OTHER, ARCHIVE_ENTRY_ACL_OTHER } };
	const int type = a->kind == XATTR_ACL_ACCESS ? ARCHIVE_ENTRY_ACL_TYPE_ACCESS : ARCHIVE_ENTRY_ACL_TYPE_DEFAULT;
	const uint32_t count = acl_count(a->value, a->valuelen);

	for (uint32_t i = 0; i < count; i++) {
		const struct acl_item item = acl_item_get(a->value, i);

		for (size_t k = 0; k < sizeof(tags) / sizeof(tags[0]); k++)
			if (tags[k].tag == item.tag)
				archive_entry_acl_add_entry(entry, type, item.perm & 7, tags[k].as, (int)item.id, NULL);
	}
}

/* The entry that attributes are added to. */
struct adding {
	struct archive_entry *entry;
	bool odd; /* a name has bytes that the library writes as %XX; GNU tar decodes only %25 and %3D */
};

static int add_attribute(void *ctx, const struct attribute *a)
{
	struct adding *adding = ctx;

	if (a->kind != XATTR_PLAIN) {
		add_acl(adding->entry, a);
		return 0;
	}
	for (const char *at = a->name; *at; at++)
		adding->odd |= *at <= ' ' || *at > '~';
	archive_entry_xattr_add_entry(adding->entry, a->name, a->value ? (const void *)a->value : "", a->valuelen);
	return 0;
}

/* ---- entries ---- */

/*
 * Converts a time: archives count away from 1970 in both directions, as in -2.25. The library copies the digits, and
 * cannot write a fraction between -1 and 0.
 */
static struct time_stamp archive_time(struct time_stamp t)
{
	if (t.nsec >= NSEC_PER_SEC)
		t.nsec = 0;
	if (t.seconds < 0 && t.nsec) {
		t.seconds++;
		t.nsec = t.seconds ? NSEC_PER_SEC - t.nsec : 0;
	}
	return t;
}

/* True if a time is between -1 and 0. */
static bool has_lost_fraction(const struct file_record *r)
{
	const struct time_stamp a = r->times[TIME_ACCESS], m = r->times[TIME_MODIFICATION];

	return (a.seconds == -1 && a.nsec && a.nsec < NSEC_PER_SEC) ||
	       (m.seconds == -1 && m.nsec && m.nsec < NSEC_PER_SEC);
}

static void set_times(struct archive_entry *e, const struct file_record *r)
{
	const struct time_stamp a = archive_time(r->times[TIME_ACCESS]);
	const struct time_stamp m = archive_time(r->times[TIME_MODIFICATION]);

	archive_entry_set_atime(e, a.seconds, (long)a.nsec);
	archive_entry_set_mtime(e, m.seconds, (long)m.nsec);
}

/* Returns the name of an entry, without a leading "/"; the caller frees it. NULL: out of memory. */
static char *name_of(const struct byte_buffer *path, bool dir)
{
	struct byte_buffer name = { 0 };
	const bool root = path->len == 0;

	if (!byte_buffer_add(&name, root ? "." : (const char *)path->bytes + 1, root ? 1 : path->len - 1) &&
	    (!dir || !byte_buffer_add(&name, "/", 1)) && !byte_buffer_add(&name, "", 1))
		return (char *)name.bytes;
	free(name.bytes);
	return NULL;
}

/* Adds an entry with its name and common properties to the queue. NULL: out of memory. */
static struct queued *add_entry(struct tar *t)
{
	const struct file_record *r = &t->job->paths.file.record;
	const struct byte_buffer *path = &t->job->paths.path;
	struct queued q = { .entry = archive_entry_new(), .first = t->nsegments, .first_lost = t->nlost };
	char *name = name_of(path, S_ISDIR(r->mode));

	if (!q.entry || !name || byte_buffer_add(&q.path, path->bytes, path->len) ||
	    array_add(t->queue, t->queue_room, t->nqueued, q)) {
		archive_entry_free(q.entry);
		free(q.path.bytes);
		free(name);
		return NULL;
	}
	archive_entry_copy_pathname(q.entry, name);
	free(name);
	archive_entry_set_mode(q.entry, r->mode);
	archive_entry_set_uid(q.entry, r->uid);
	archive_entry_set_gid(q.entry, r->gid);
	archive_entry_set_size(q.entry, 0);
	t->job->report.once[ONCE_TIME] += has_lost_fraction(r);
	set_times(q.entry, r);
	return &t->queue[t->nqueued - 1];
}

/* Adds the other names of the current file as links to `first`. 0 or negative errno. */
static int add_links(struct tar *t, const char *first)
{
	struct queued *q;
	enum wanted_how how;
	int ret;

	while ((ret = file_paths_next(&t->job->paths, &how)) > 0) {
		q = add_entry(t);
		if (!q)
			return -ENOMEM;
		q->link = true;
		archive_entry_copy_hardlink(q->entry, first);
	}
	return ret;
}

/* ---- data ---- */

static int add_segment(void *ctx, const struct segment *segment)
{
	struct tar *t = ctx;

	t->bytes += segment->len;
	return array_add(t->segments, t->segments_room, t->nsegments, *segment);
}

/* Sets the data ranges of an entry. */
static void set_sparse(const struct tar *t, struct queued *q)
{
	const struct segment *p = t->segments + q->first, *end = p + q->count;
	uint64_t done = 0;

	if (q->size && !q->count)
		archive_entry_sparse_add_entry(q->entry, 0, (la_int64_t)tar_hole_head(q));
	while (p < end) {
		const uint64_t from = p->offset;
		uint64_t to = tar_segment_end(p, q->size);

		for (p++; p < end && p->offset == to; p++)
			to = tar_segment_end(p, q->size);
		q->holes += from - done;
		done = to;
		archive_entry_sparse_add_entry(q->entry, (la_int64_t)from, (la_int64_t)(to - from));
	}
}

/* Adds data ranges of the current file; overlapping extents, a kind of damage, are left out. 0 or negative errno. */
static int add_data(struct tar *t, size_t number)
{
	struct extract_job *job = t->job;
	const struct file *file = &job->paths.file;
	const uint64_t size = file->record.size;
	struct queued *q = &t->queue[number];
	uint64_t end = 0;
	struct contents_record r;
	int ret;

	q->size = size;
	archive_entry_set_size(q->entry, (la_int64_t)size);
	while ((ret = contents_next(job->contents, file->ino, CONTENTS_LAST, &r)) > 0) {
		const uint64_t start = r.offset << job->rc->geo.block_log;
		const uint64_t len = r.at.len << job->rc->geo.block_log;

		ret = 0;
		if (r.kind == CONTENTS_DATA_LOST && start < size)
			ret = array_add(t->lost, t->lost_room, t->nlost,
					(struct bad_range){ start, len < size - start ? len : size - start });
		if (r.kind == CONTENTS_DATA && r.offset >= end) {
			end = r.offset + r.at.len;
			ret = segments_of_extent(job->rc, file->ino, &r.at, r.offset, size, add_segment, t);
		}
		if (ret)
			return ret;
	}
	q->count = t->nsegments - q->first;
	q->lost = t->nlost - q->first_lost;
	set_sparse(t, q);
	return ret;
}

/* ---- a file ---- */

/* Sets the target of a symlink, up to a NUL, which damage may have put there. 0 or -ENOMEM. */
static int set_target(struct archive_entry *entry, const struct file *file)
{
	char *target = strndup(file->target_len ? (const char *)file->target : "", file->target_len);

	if (!target)
		return -ENOMEM;
	archive_entry_copy_symlink(entry, target);
	free(target);
	return 0;
}

/* Adds the current file to the queue with its attributes, and its other names as links. 0 or negative errno. */
static int tar_add(struct tar *t)
{
	const struct file *file = &t->job->paths.file;
	const struct file_record *r = &file->record;
	const size_t number = t->nqueued;
	struct queued *q = add_entry(t);
	struct adding adding = { .entry = q ? q->entry : NULL };
	char *first;
	int ret;

	if (!q)
		return -ENOMEM;
	if (S_ISCHR(r->mode) || S_ISBLK(r->mode))
		archive_entry_set_rdev(q->entry,
				       makedev(r->rdev >> RDEV_MINOR_BITS, r->rdev & ((1u << RDEV_MINOR_BITS) - 1)));
	archive_entry_set_fflags(q->entry, flags_of_archive(t->job, r), 0);
	ret = S_ISLNK(r->mode) ? set_target(q->entry, file) : 0;
	if (!ret)
		ret = attributes_each(&t->job->attributes, file->ino, add_attribute, &adding);
	t->job->report.once[ONCE_ODD] += adding.odd;
	if (!ret && t->job->attributes.lost)
		extract_report_file(&t->job->report, &q->path, "some of its attributes are lost or can't be read");
	if (!ret && S_ISREG(r->mode))
		ret = add_data(t, number);
	if (ret || S_ISDIR(r->mode))
		return ret;
	first = name_of(&t->job->paths.path, false);
	ret = first ? add_links(t, first) : -ENOMEM;
	free(first);
	return ret;
}

/* Empties the queue. */
static void tar_forget(struct tar *t)
{
	for (size_t i = 0; i < t->nqueued; i++) {
		archive_entry_free(t->queue[i].entry);
		free(t->queue[i].path.bytes);
	}
	t->nqueued = t->nsegments = t->nlost = 0;
	t->bytes = 0;
}

#else

typedef int tar_needs_libarchive;

#endif

#ifndef HAVE_LIBARCHIVE

int extract_to_tar(struct extract_job *job, int fd)
{
	(void)job;
	(void)fd;
	return -ENOSYS;
}

#else

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
