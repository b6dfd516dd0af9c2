/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Order matters: a new owner clears setuid bits and capabilities, and an access control list changes the mode. */
#define _GNU_SOURCE 1 /* O_PATH, struct stat.st_mtim */

#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "safe_name.h"

/* True if a target has no such thing, as FAT has no owners, or not this value of it. */
static bool cannot_hold(int error)
{
	return error == EPERM || error == EOPNOTSUPP || error == ENOSYS;
}

int place_owner(struct extract_job *job, const struct placed *f, const struct file_record *r, mode_t *ret_mode)
{
	int ret;

	*ret_mode = r->mode & 07777;
	ret = f->fd >= 0 ? fchown(f->fd, r->uid, r->gid)
			 : fchownat(f->dir, f->name, r->uid, r->gid, AT_SYMLINK_NOFOLLOW);
	if (!ret)
		return 0;
	/* EINVAL: the id is not mapped in this user namespace */
	if (!cannot_hold(errno) && errno != EINVAL)
		return -errno;
	*ret_mode &= ~(mode_t)(S_ISUID | S_ISGID);
	if (geteuid() != r->uid || getegid() != r->gid)
		job->report.once[ONCE_OWNER]++;
	else
		*ret_mode = r->mode & 07777;
	return 0;
}

/* ---- attributes ---- */

struct setting {
	struct extract_job *job;
	const struct placed *file;
	const struct byte_buffer *path;
	struct byte_buffer acl;
	bool refused;
	uint64_t failed; /* attributes that failed for other reasons, and the last reason */
	int error;
};

static int set(const struct placed *f, const char *name, const void *value, size_t len)
{
	char path[64 + SAFE_NAME_ROOM];

	if (f->fd >= 0)
		return fsetxattr(f->fd, name, value, len, 0) ? -errno : 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", f->dir, f->name);
	return lsetxattr(path, name, value, len, 0) ? -errno : 0;
}

static int set_attribute(void *ctx, const struct attribute *a)
{
	struct setting *s = ctx;
	const uint32_t count = a->kind == XATTR_PLAIN ? 0 : acl_count(a->value, a->valuelen);
	int ret;

	if (a->kind == XATTR_PLAIN) {
		ret = set(s->file, a->name, a->value, a->valuelen);
	} else if (count) {
		s->acl.len = 0;
		if (byte_buffer_reserve(&s->acl, ACL_XATTR_BYTES(count)))
			return -ENOMEM;
		acl_xattr_make(a->value, count, s->acl.bytes);
		ret = set(s->file, a->kind == XATTR_ACL_ACCESS ? "system.posix_acl_access" : "system.posix_acl_default",
			  s->acl.bytes, ACL_XATTR_BYTES(count));
	} else {
		ret = -EINVAL;
	}
	if (cannot_hold(-ret) || ret == -EACCES) {
		s->job->report.once[ONCE_ATTRIBUTE] += !s->refused;
		s->refused = true;
	} else if (ret) {
		s->failed++;
		s->error = -ret;
	}
	return 0;
}

int place_attributes(struct extract_job *job, const struct placed *file, const struct byte_buffer *path)
{
	struct setting s = { .job = job, .file = file, .path = path };
	const int ret = attributes_each(&job->attributes, job->paths.file.ino, set_attribute, &s);

	free(s.acl.bytes);
	if (!ret && s.failed)
		extract_report_file(&job->report, path, "%" PRIu64 " of its attributes can't be set: %s", s.failed,
				    strerror(s.error));
	if (!ret && job->attributes.lost)
		extract_report_file(&job->report, path, "some of its attributes are lost or can't be read");
	return ret;
}

/* ---- mode and times ---- */

static int set_mode(const struct placed *f, mode_t mode)
{
	if (f->fd >= 0)
		return fchmod(f->fd, mode) ? errno : 0;
	/* symlinks have no mode */
	return fchmodat(f->dir, f->name, mode, AT_SYMLINK_NOFOLLOW) && errno != EOPNOTSUPP ? errno : 0;
}

static int set_times(const struct placed *f, const struct file_record *r)
{
	struct timespec times[2];

	for (unsigned i = 0; i < 2; i++) {
		const struct time_stamp *t = &r->times[i ? TIME_MODIFICATION : TIME_ACCESS];

		times[i] = (struct timespec){ t->seconds, t->nsec < NSEC_PER_SEC ? (long)t->nsec : 0 };
	}
	return (f->fd >= 0 ? futimens(f->fd, times) : utimensat(f->dir, f->name, times, AT_SYMLINK_NOFOLLOW)) ? errno
													      : 0;
}

int place_mode_and_times(struct extract_job *job, const struct placed *f, mode_t mode, const struct file_record *r)
{
	const int errors[] = { set_mode(f, mode), set_times(f, r) };
	bool lacks = false;

	for (unsigned i = 0; i < 2; i++) {
		if (errors[i] && !cannot_hold(errors[i]))
			return -errors[i];
		lacks |= errors[i] != 0;
	}
	job->report.once[ONCE_MODE] += lacks;
	return 0;
}

/* True if a file has this time, or what file systems keep of it: NTFS 100 ns, exFAT 10 ms, others 1 s, FAT 2 s. */
static bool is_time(const struct timespec *has, const struct time_stamp *t)
{
	static const uint32_t grains[] = { 1, 100, 10000000, NSEC_PER_SEC };
	bool is = !has->tv_nsec && has->tv_sec == (t->seconds & ~(int64_t)1);

	for (unsigned i = 0; i < sizeof(grains) / sizeof(*grains); i++)
		is |= has->tv_sec == t->seconds && has->tv_nsec == (long)(t->nsec - t->nsec % grains[i]);
	return is;
}

bool place_is_same(const struct file_record *r, int dir, const char *name)
{
	const struct time_stamp *t = &r->times[TIME_MODIFICATION];
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) || (st.st_mode & S_IFMT) != (r->mode & S_IFMT))
		return false;
	return !S_ISREG(st.st_mode) || ((uint64_t)st.st_size == r->size && is_time(&st.st_mtim, t));
}
