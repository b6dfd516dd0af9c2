/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Extracts to a directory. It plans what to read, and reads all data in one sweep into staged files named by inode
 * number; then each gets its attributes and, when complete, its names. A file with its name is complete, so a later run
 * can skip it.
 */
#define _GNU_SOURCE 1 /* renameat2() */

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bad_ranges.h"
#include "contents.h"
#include "place.h"
#include "query.h"
#include "repair.h"
#include "run.h"
#include "sets/spill.h"
#include "stage.h"
#include "sweep.h"

#define RDEV_MINOR_BITS 18 /* ondisk 04 */

struct dir_out {
	struct extract_job *job;
	struct out_tree *tree;
	struct stage stage;
	struct plan *plan;
	struct spill *dirs; /* directories whose mode and times are set at the end, deepest first */
	uint64_t sum;	    /* checksum of the plan */
	bool hints;	    /* some files need hints before their data */
};

/* ---- planning ---- */

static int plan_segment(void *ctx, const struct segment *segment)
{
	plan_add(((struct dir_out *)ctx)->plan, segment);
	return 0;
}

/* Adds to the checksum, which is equal in the next run if that must read the same. */
static void sum_up(struct dir_out *out, uint64_t a, uint64_t b, uint64_t c)
{
	static const struct hash_key key = { { 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb,
					       0xd6e8feb86659fd93 } };

	out->sum = hash5(&key, out->sum, a, b, c, 0);
}

/* True if an earlier run has completed the current file. */
static bool is_there(struct dir_out *out)
{
	struct extract_job *job = out->job;
	char name[SAFE_NAME_ROOM];
	int dir;

	return !tree_parent(out->tree, job->paths.path.bytes, job->paths.path.len, &dir, name) &&
	       place_is_same(&job->paths.file.record, dir, name) && !exact_name_check(&out->tree->names, dir, name) &&
	       !stage_has(&out->stage, job->paths.file.ino);
}

static int plan_file(struct dir_out *out)
{
	struct extract_job *job = out->job;
	const struct file *file = &job->paths.file;
	const struct time_stamp *mtime = &file->record.times[TIME_MODIFICATION];
	const bool there = is_there(out);
	struct contents_record r;
	int ret;

	out->hints |= !there && flags_hint(job, &file->record);
	sum_up(out, file->ino.v, file->record.size, (uint64_t)mtime->seconds << 30 ^ mtime->nsec);
	while ((ret = contents_next(job->contents, file->ino, CONTENTS_LAST, &r)) > 0) {
		const uint64_t start = r.offset << job->rc->geo.block_log;

		if (r.kind == CONTENTS_DATA_LOST && !there)
			bad_ranges_add(job->bad, file->ino, start, r.at.len << job->rc->geo.block_log);
		if (r.kind != CONTENTS_DATA)
			continue;
		sum_up(out, r.offset, r.at.len, (uint64_t)r.at.group.v << 44 ^ r.at.start.v);
		if (!there)
			ret = segments_of_extent(job->rc, file->ino, &r.at, r.offset, file->record.size, plan_segment,
						 out);
		if (ret < 0)
			return ret;
	}
	return ret;
}

/* Calls one() for all files with a wanted path, with the first of these. 0, or the first other result. */
static int each_file(struct dir_out *out, int (*one)(struct dir_out *out, enum wanted_how how))
{
	struct extract_job *job = out->job;
	struct file file;
	enum wanted_how how;
	int ret, found;

	while ((ret = files_next(job->paths.files, &file)) > 0) {
		file_paths_begin(&job->paths, &file);
		found = file_paths_next(&job->paths, &how);
		ret = found > 0 ? one(out, how) : found;
		if (ret)
			return ret;
	}
	return ret;
}

static int plan_one(struct dir_out *out, enum wanted_how how)
{
	(void)how;
	return S_ISREG(out->job->paths.file.record.mode) ? plan_file(out) : 0;
}

static int hint_one(struct dir_out *out, enum wanted_how how)
{
	const struct file *file = &out->job->paths.file;
	int fd;

	(void)how;
	if (!S_ISREG(file->record.mode) || !flags_hint(out->job, &file->record) || is_there(out))
		return 0;
	fd = stage_file(&out->stage, file->ino, true);
	if (fd >= 0)
		flags_set_hint(out->job, fd, &file->record);
	return fd < 0 ? fd : 0;
}

/* ---- naming ---- */

/* True if the target cannot be used any more after this error. */
static bool is_fatal(int error)
{
	return error == -ENOSPC || error == -EIO || error == -EROFS || error == -ENOMEM || error == -EMFILE ||
	       error == -ENFILE;
}

static const char *reason(int error)
{
	switch (error) {
	case -EEXIST:
	case -ENOTDIR:
	case -ELOOP:
		return "something else is in the way, which stays as it is";
	case -EILSEQ:
		return "the target can't hold this name";
	case -ENOTUNIQ:
		return "the target can't tell this name from that of another file, which stays as it is";
	default:
		return strerror(-error);
	}
}

/* Reports that this path could not be created. 0, or the error if it is fatal. */
static int tell_failed(struct dir_out *out, const struct byte_buffer *path, int error)
{
	if (is_fatal(error))
		return error;
	extract_report_file(&out->job->report, path, "%s", reason(error));
	return 0;
}

/* Opens the directory of the current path. 0 or negative errno. */
static int parent_of(struct dir_out *out, int *ret_dir, char name[static SAFE_NAME_ROOM])
{
	const struct byte_buffer *path = &out->job->paths.path;

	return tree_parent(out->tree, path->bytes, path->len, ret_dir, name);
}

/* Opens the directory of the current path, where its name is unused or exactly that of a file. 0 or negative errno. */
static int exact_parent_of(struct dir_out *out, int *ret_dir, char name[static SAFE_NAME_ROOM])
{
	const int ret = parent_of(out, ret_dir, name);

	return ret ? ret : exact_name_check(&out->tree->names, *ret_dir, name);
}

/* Moves a file to an unused name. 0 or negative errno. */
static int move(int from, const char *name, int to, const char *to_name)
{
	int fd, error;

	if (!syscall(SYS_renameat2, from, name, to, to_name, RENAME_NOREPLACE)) /* musl has no wrapper */
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (!linkat(from, name, to, to_name, 0))
		return unlinkat(from, name, 0) ? -errno : 0;
	if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP)
		return -errno;
	/* a target without links, as FAT: an empty file holds the name until it is replaced */
	fd = openat(to, to_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	close(fd);
	if (!renameat(from, name, to, to_name))
		return 0;
	error = errno;
	unlinkat(to, to_name, 0);
	return -error;
}

/* True if two names refer to the same file. */
static bool is_one(int dir, const char *name, int other, const char *other_name)
{
	struct stat a, b;

	return !fstatat(dir, name, &a, AT_SYMLINK_NOFOLLOW) && !fstatat(other, other_name, &b, AT_SYMLINK_NOFOLLOW) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Links the other names of the current file to its first one. 0 or negative errno. */
static int link_others(struct dir_out *out, int dir, const char *name)
{
	char other_name[SAFE_NAME_ROOM];
	int ret = 0, more, other, first = -1;
	enum wanted_how how;

	while (!ret && (more = file_paths_next(&out->job->paths, &how)) != 0) {
		if (more < 0)
			ret = more;
		if (first < 0)
			first = fcntl(dir, F_DUPFD_CLOEXEC, 0);
		if (!ret && first < 0)
			ret = -errno;
		if (ret)
			break;
		ret = exact_parent_of(out, &other, other_name);
		if (!ret && linkat(first, name, other, other_name, 0) &&
		    !(errno == EEXIST && is_one(first, name, other, other_name)))
			ret = -errno;
		if (ret)
			ret = tell_failed(out, &out->job->paths.path, ret);
	}
	if (first >= 0)
		close(first);
	return ret;
}

/* Sets owner, attributes, mode and times of a file that is not a directory. 0 or negative errno. */
static int dress(struct dir_out *out, const struct placed *file)
{
	const struct file_record *record = &out->job->paths.file.record;
	mode_t mode;
	int ret = place_owner(out->job, file, record, &mode);

	if (!ret)
		ret = place_attributes(out->job, file, &out->job->paths.path);
	return ret ? ret : place_mode_and_times(out->job, file, mode, record);
}

/* ---- regular files ---- */

/* Completes a staged file. 0 or negative errno. */
static int finish_file(struct dir_out *out)
{
	const struct file *file = &out->job->paths.file;
	const struct placed placed = { .fd = stage_file(&out->stage, file->ino, true) };

	if (placed.fd < 0)
		return placed.fd;
	if (file->record.size > INT64_MAX || ftruncate(placed.fd, (off_t)file->record.size))
		return file->record.size > INT64_MAX ? -EFBIG : -errno;
	return dress(out, &placed);
}

static int give_name(struct dir_out *out)
{
	const struct file *file = &out->job->paths.file;
	const bool flags = flags_any(out->job, &file->record);
	char waits[STAGE_NAME_ROOM], name[SAFE_NAME_ROOM];
	int dir, ret, fd = -1;

	ret = exact_parent_of(out, &dir, name);
	if (ret)
		return ret;
	if (!stage_has(&out->stage, file->ino) && place_is_same(&file->record, dir, name)) {
		out->job->report.before++;
		if (flags)
			fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	} else {
		ret = finish_file(out);
		if (!ret && flags)
			fd = fcntl(stage_file(&out->stage, file->ino, false), F_DUPFD_CLOEXEC, 0);
		stage_release(&out->stage, file->ino);
		if (!ret)
			ret = parent_of(out, &dir, name);
		if (!ret)
			ret = move(out->stage.dir, stage_name(file->ino, waits), dir, name);
		out->job->report.files += !ret;
		out->job->report.bytes += ret ? 0 : file->record.size;
	}
	if (!ret)
		ret = link_others(out, dir, name);
	if (!ret && flags)
		flags_set(out->job, fd, &file->record);
	if (fd >= 0)
		close(fd);
	return ret;
}

static int place_file(struct dir_out *out)
{
	struct extract_job *job = out->job;
	char waits[STAGE_NAME_ROOM];
	bool bad;
	int ret = extract_tell_bad(job, &job->paths.path, &bad);

	if (!ret)
		ret = stage_failed(&out->stage, job->paths.file.ino);
	if (!ret && !(bad && job->query->skip_damaged))
		ret = give_name(out);
	if (ret && is_fatal(ret))
		return ret;
	stage_release(&out->stage, job->paths.file.ino);
	unlinkat(out->stage.dir, stage_name(job->paths.file.ino, waits), 0); /* fails if it got its name */
	return ret ? tell_failed(out, &out->job->paths.path, ret) : 0;
}

/* ---- symbolic links and special files ---- */

/* Creates a symlink or special file under its name. *ret_there: it existed. 0 or negative errno. */
static int make(struct dir_out *out, int dir, const char *name, bool *ret_there)
{
	const struct file *file = &out->job->paths.file;
	const struct file_record *r = &file->record;
	const dev_t rdev = makedev(r->rdev >> RDEV_MINOR_BITS, r->rdev & ((1u << RDEV_MINOR_BITS) - 1));
	char target[4097], there[4097];
	ssize_t len;

	*ret_there = false;
	if (!S_ISLNK(r->mode)) {
		struct stat st;

		if (!mknodat(dir, name, r->mode & (S_IFMT | 0777), rdev))
			return 0;
		if (errno != EEXIST || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
			return -errno;
		*ret_there = (st.st_mode & S_IFMT) == (r->mode & S_IFMT) &&
			     ((!S_ISBLK(r->mode) && !S_ISCHR(r->mode)) || st.st_rdev == rdev);
		return *ret_there ? 0 : -EEXIST;
	}
	if (!file->target_len || file->target_len >= sizeof(target) || memchr(file->target, 0, file->target_len))
		return -EINVAL;
	memcpy(target, file->target, file->target_len);
	target[file->target_len] = '\0';
	if (!symlinkat(target, dir, name))
		return 0;
	if (errno != EEXIST)
		return -errno;
	len = readlinkat(dir, name, there, sizeof(there));
	*ret_there = len == (ssize_t)file->target_len && !memcmp(there, target, file->target_len);
	return *ret_there ? 0 : -EEXIST;
}

static int place_other(struct dir_out *out)
{
	struct extract_job *job = out->job;
	struct placed placed = { .fd = -1 };
	char name[SAFE_NAME_ROOM];
	bool there;
	int ret = exact_parent_of(out, &placed.dir, name);

	if (!ret)
		ret = make(out, placed.dir, name, &there);
	if (ret == -EPERM && (S_ISBLK(job->paths.file.record.mode) || S_ISCHR(job->paths.file.record.mode))) {
		job->report.once[ONCE_DEVICE]++;
		return 0;
	}
	/* FUSE says EIO if its server made a regular file in place of a pipe; a target that fails says it again */
	if (ret == -EIO)
		ret = -EOPNOTSUPP;
	placed.name = name;
	if (!ret)
		ret = dress(out, &placed);
	if (!ret) {
		job->report.others += !there;
		job->report.before += there;
		ret = link_others(out, placed.dir, name);
	}
	if (!ret)
		flags_set(job, -1, &job->paths.file.record);
	return ret ? tell_failed(out, &out->job->paths.path, ret) : 0;
}

/* ---- directories ---- */

static uint64_t depth_of(const struct byte_buffer *path)
{
	uint64_t depth = 0;

	for (size_t i = 0; i < path->len; i++)
		depth += path->bytes[i] == '/';
	return depth;
}

/* Record of a directory for the end; its path is found again by inode number. */
struct kept_dir {
	struct file_record record;
	mode_t mode;
};

static void keep_dir(struct dir_out *out, mode_t mode)
{
	const struct file_paths *paths = &out->job->paths;
	const struct kept_dir kept = { paths->file.record, mode };

	spill_add(out->dirs, 0,
		  &(struct spill_record){ .key = UINT64_MAX - depth_of(&paths->path),
					  .sub = paths->file.ino.v,
					  .len = sizeof(kept),
					  .bytes = (const uint8_t *)&kept });
}

static int open_dir(struct dir_out *out, const uint8_t *path, size_t len, int *ret_fd)
{
	int dir;
	const int ret = tree_dir(out->tree, path, len, &dir);

	if (ret)
		return ret;
	*ret_fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *ret_fd < 0 ? -errno : 0;
}

static int place_dir(struct dir_out *out)
{
	struct extract_job *job = out->job;
	const struct byte_buffer *path = &job->paths.path;
	struct placed placed = { .fd = -1 };
	mode_t mode;
	int ret;

	/* a directory that existed before belongs to the user */
	if (!path->len && !out->tree->made && !out->stage.found)
		return 0;
	ret = open_dir(out, path->bytes, path->len, &placed.fd);
	if (!ret)
		ret = place_owner(job, &placed, &job->paths.file.record, &mode);
	if (!ret)
		ret = place_attributes(job, &placed, path);
	if (!ret)
		keep_dir(out, mode);
	if (placed.fd >= 0)
		close(placed.fd);
	job->report.dirs += !ret && path->len;
	return ret ? tell_failed(out, &out->job->paths.path, ret) : 0;
}

/* Sets what would prevent work in a directory, or changes by it: mode, times, flags. 0 or negative errno. */
static int finish_dir(struct dir_out *out, xino_t ino, const struct kept_dir *kept)
{
	const struct byte_buffer *path = &out->job->paths.path;
	struct placed placed = { .fd = -1 };
	int ret = file_paths_dir(&out->job->paths, ino);

	if (!ret)
		ret = open_dir(out, path->bytes, path->len, &placed.fd);
	if (!ret)
		ret = place_mode_and_times(out->job, &placed, kept->mode, &kept->record);
	if (!ret && flags_any(out->job, &kept->record))
		flags_set(out->job, placed.fd, &kept->record);
	if (placed.fd >= 0)
		close(placed.fd);
	return ret ? tell_failed(out, path, ret) : 0;
}

static int finish_dirs(struct dir_out *out)
{
	struct spill_record r;
	struct kept_dir kept;
	int ret = spill_settle(out->dirs), more = 0;

	while (!ret && (more = spill_next(out->dirs, &r)) > 0) {
		memcpy(&kept, r.bytes, sizeof(kept));
		ret = finish_dir(out, (xino_t){ r.sub }, &kept);
	}
	return ret ? ret : more;
}

/* ---- all ---- */

static int place_one(struct dir_out *out, enum wanted_how how)
{
	(void)how;
	switch (out->job->paths.file.record.mode & S_IFMT) {
	case S_IFREG:
		return place_file(out);
	case S_IFDIR:
		return place_dir(out);
	case S_IFLNK:
	case S_IFCHR:
	case S_IFBLK:
	case S_IFIFO:
	case S_IFSOCK:
		return place_other(out);
	default:
		extract_report_file(&out->job->report, &out->job->paths.path, "it is of no type that files can have");
		return 0;
	}
}

/* Sets hints of files that need them, while they have no data. 0 or negative errno. */
static int hint_all(struct dir_out *out)
{
	const int ret = out->hints ? extract_rewind(out->job) : 0;

	return ret || !out->hints ? ret : each_file(out, hint_one);
}

/* Reads the data of the plan, except what an earlier run has read. 0 or negative errno. */
static int read_all(struct dir_out *out)
{
	struct sweep_out sweep = {
		.rc = out->job->rc, .stage = &out->stage, .bad = out->job->bad, .bytes_read = &out->job->bytes_read
	};
	int ret = plan_settle(out->plan), fd;

	if (!ret && (!stage_notes_read(&out->stage, &sweep.notes) || sweep.notes.plan != out->sum)) {
		sweep.notes = (struct stage_notes){ .plan = out->sum };
		ret = stage_clear(&out->stage);
	}
	if (!ret)
		ret = hint_all(out);
	fd = ret ? ret : stage_bad_open(&out->stage);
	if (fd < 0)
		return fd;
	bad_ranges_list(out->job->bad, fd);
	ret = sweep_to_files(&sweep, out->plan);
	return ret ? ret : bad_ranges_settle(out->job->bad);
}

static int extract(struct dir_out *out)
{
	int ret = each_file(out, plan_one);

	if (!ret)
		ret = read_all(out);
	if (!ret)
		ret = extract_rewind(out->job);
	if (!ret)
		ret = each_file(out, place_one);
	return ret;
}

int extract_to_dir(struct extract_job *job, struct out_tree *tree)
{
	const size_t memory = job->rc->run->memory.records / 4;
	struct dir_out out = { .job = job, .tree = tree, .plan = plan_new(memory), .dirs = spill_new(1, memory / 4) };
	const mode_t mask = umask(0);
	int ret = out.plan && out.dirs ? stage_open(&out.stage, tree) : -ENOMEM;

	if (!ret)
		ret = extract(&out);
	if (out.stage.files)
		stage_close(&out.stage, !ret);
	if (!ret)
		ret = finish_dirs(&out);
	umask(mask);
	plan_free(out.plan);
	spill_free(out.dirs);
	return ret;
}
