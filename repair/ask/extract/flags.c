/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets flags one by one, since a target refuses all if it refuses one, and reads them back, since some targets silently
 * ignore unknown ones.
 */
#include "place.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "disk/inode.h"
#include "query.h"
#include "repair.h"

/* Flags of ondisk 04 about the use of a file, not the place of its blocks. The kernel's interface has the same bits. */
#define KEPT                                                                                                           \
	(DIFLAG_IMMUTABLE | DIFLAG_APPEND | DIFLAG_SYNC | DIFLAG_NOATIME | DIFLAG_NODUMP | DIFLAG_NOSYMLINKS |         \
	 DIFLAG_EXTSIZE | DIFLAG_EXTSZINHERIT | DIFLAG_NODEFRAG | DIFLAG_FILESTREAM)
_Static_assert(KEPT == (FS_XFLAG_IMMUTABLE | FS_XFLAG_APPEND | FS_XFLAG_SYNC | FS_XFLAG_NOATIME | FS_XFLAG_NODUMP |
			FS_XFLAG_NOSYMLINKS | FS_XFLAG_EXTSIZE | FS_XFLAG_EXTSZINHERIT | FS_XFLAG_NODEFRAG |
			FS_XFLAG_FILESTREAM),
	       "flags of the disk are those of the kernel's interface");
_Static_assert(DIFLAG_PROJINHERIT == FS_XFLAG_PROJINHERIT, "so is this");

#define SIZES (FS_XFLAG_EXTSIZE | FS_XFLAG_EXTSZINHERIT)

/* Returns the requested flags, FS_XFLAG_... */
static uint32_t flags_of(const struct extract_job *job, const struct file_record *r)
{
	const struct query *q = job->query;
	uint32_t flags = 0;

	if (q->with_flags)
		flags = (r->flags & KEPT) | (r->flags2 & DIFLAG2_DAX ? FS_XFLAG_DAX : 0) |
			(r->flags2 & DIFLAG2_COWEXTSIZE ? FS_XFLAG_COWEXTSIZE : 0);
	/* whether a directory passes its project on */
	return flags | (q->with_projects ? r->flags & DIFLAG_PROJINHERIT : 0);
}

bool flags_any(const struct extract_job *job, const struct file_record *r)
{
	/* 0 is a project as well: a new file may inherit another one */
	return flags_of(job, r) || job->query->with_projects;
}

bool flags_hint(const struct extract_job *job, const struct file_record *r)
{
	return flags_of(job, r) & FS_XFLAG_EXTSIZE;
}

/* Adds a flag, with its hint, to the current ones. False: refused or ignored. */
static bool add_flag(const struct extract_job *job, int fd, const struct file_record *r, uint32_t flag,
		     struct fsxattr *now)
{
	const uint64_t size = (uint64_t)(flag & SIZES ? r->extsize : r->cowextsize) << job->rc->geo.block_log;
	struct fsxattr want = *now;

	want.fsx_xflags |= flag;
	if (size > UINT32_MAX)
		return false;
	if (flag & SIZES)
		want.fsx_extsize = (uint32_t)size;
	if (flag & FS_XFLAG_COWEXTSIZE)
		want.fsx_cowextsize = (uint32_t)size;
	return !ioctl(fd, FS_IOC_FSSETXATTR, &want) && !ioctl(fd, FS_IOC_FSGETXATTR, now) && now->fsx_xflags & flag &&
	       (!(flag & SIZES) || now->fsx_extsize == want.fsx_extsize) &&
	       (!(flag & FS_XFLAG_COWEXTSIZE) || now->fsx_cowextsize == want.fsx_cowextsize);
}

void flags_set_hint(const struct extract_job *job, int fd, const struct file_record *r)
{
	struct fsxattr now;

	/* flags_set() finds out whether it worked */
	if (!ioctl(fd, FS_IOC_FSGETXATTR, &now))
		add_flag(job, fd, r, FS_XFLAG_EXTSIZE, &now);
}

static bool set_project(int fd, const struct file_record *r, struct fsxattr *now)
{
	struct fsxattr want = *now;

	want.fsx_projid = r->projid;
	return now->fsx_projid == r->projid || (!ioctl(fd, FS_IOC_FSSETXATTR, &want) &&
						!ioctl(fd, FS_IOC_FSGETXATTR, now) && now->fsx_projid == r->projid);
}

/* Adds all missing flags; immutable last, since it blocks the others. False: some are missing. */
static bool add_flags(const struct extract_job *job, int fd, const struct file_record *r, struct fsxattr *now)
{
	const uint32_t flags = flags_of(job, r);
	bool all = true;

	for (unsigned bit = 32; bit-- > 0;) {
		const uint32_t flag = flags & UINT32_C(1) << bit;

		if (flag && !(now->fsx_xflags & flag))
			all &= add_flag(job, fd, r, flag, now);
	}
	return all;
}

void flags_set(struct extract_job *job, int fd, const struct file_record *r)
{
	struct fsxattr now;
	const bool known = fd >= 0 && !ioctl(fd, FS_IOC_FSGETXATTR, &now);

	if (job->query->with_projects && !(known ? set_project(fd, r, &now) : !r->projid))
		job->report.once[ONCE_PROJECT]++;
	if (!(known ? add_flags(job, fd, r, &now) : !flags_of(job, r)))
		job->report.once[ONCE_FLAG]++;
}

unsigned long flags_of_archive(struct extract_job *job, const struct file_record *r)
{
	static const struct {
		uint32_t flag;
		unsigned long as;
	} all[] = { { FS_XFLAG_IMMUTABLE, FS_IMMUTABLE_FL },
		    { FS_XFLAG_APPEND, FS_APPEND_FL },
		    { FS_XFLAG_SYNC, FS_SYNC_FL },
		    { FS_XFLAG_NOATIME, FS_NOATIME_FL },
		    { FS_XFLAG_NODUMP, FS_NODUMP_FL } };
	uint32_t flags = flags_of(job, r);
	unsigned long ret = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		ret |= flags & all[i].flag ? all[i].as : 0;
		flags &= ~all[i].flag;
	}
	job->report.once[ONCE_FLAG] += flags != 0;
	return ret;
}
