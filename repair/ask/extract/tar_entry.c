/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates archive entries: names, inode properties, attributes, and data ranges. */
#ifdef HAVE_LIBARCHIVE

#include "bad_ranges.h"
#include "tar.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "contents.h"
#include "place.h"
#include "repair.h"

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

int tar_add(struct tar *t)
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

void tar_forget(struct tar *t)
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
