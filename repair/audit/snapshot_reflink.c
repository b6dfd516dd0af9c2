/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots of images, also below loop devices: a file that shares all blocks with the image (FICLONE), on XFS, btrfs
 * and others. It has no name, so it vanishes however the run ends.
 *
 * A file system mounted from the image is frozen meanwhile, so that completed writes are included. All writers are
 * blocked until it is thawed, so a separate process does that, which no signal to this run reaches; if that process
 * dies, this one thaws. Where this run's own output may go, nothing is frozen: the copy is then as after a power
 * failure, and the log has the rest.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "snapshot.h"
#include "whole.h"

/* True if this run may have to write to the mounted file system before it is thawed. */
static bool is_ours(const struct volume *volume)
{
	struct stat st;
	bool unnamed;

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (!fstat(fd, &st) && st.st_dev == volume->dev)
			return true;
	return !stat(temporary_folder(&unnamed), &st) && st.st_dev == volume->dev;
}

/* Freezes, copies and thaws, in a separate process. Returns its exit status, an errno. */
static int copy_frozen(int mount, int image, int copy)
{
	const bool frozen = ioctl(mount, FIFREEZE, 0) == 0; /* fails if it is already frozen, which is fine */
	const int error = ioctl(copy, FICLONE, image) ? errno : 0;

	while (frozen && ioctl(mount, FITHAW, 0) && errno == EINTR)
		;
	return error;
}

/* Protects the process from the OOM killer. */
static void protect(void)
{
	FILE *file = fopen("/proc/self/oom_score_adj", "we");

	if (!file)
		return;
	fputs("-1000", file); /* needs privileges; without them the other process thaws */
	fclose(file);
}

static int copy_in_process(const struct volume *volume, int image, int copy)
{
	const int mount = open(volume->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int status = 0;
	sigset_t all;
	pid_t pid;

	if (mount < 0)
		return -errno;
	pid = fork();
	if (!pid) {
		setsid();
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
		protect();
		_exit(copy_frozen(mount, image, copy));
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && !WIFEXITED(status))
		ioctl(mount, FITHAW, 0);
	close(mount);
	return pid < 0 || !WIFEXITED(status) ? -EIO : -WEXITSTATUS(status);
}

static int copy_image(const struct volume *volume, int image, int copy)
{
	if (volume->mount && !is_ours(volume))
		return copy_in_process(volume, image, copy);
	return ioctl(copy, FICLONE, image) ? -errno : 0;
}

static int make(const struct volume *volume, struct snapshot *snapshot, char *message, size_t size)
{
	int image, folder, copy, ret;

	if (!volume->backing)
		return -ENODEV;
	image = opened(open(volume->backing, O_RDONLY | O_CLOEXEC));
	folder = image < 0 ? image : output_folder_of(volume->backing);
	copy = folder < 0 ? folder : nameless_create(folder, O_RDWR);
	ret = copy < 0 ? copy : copy_image(volume, image, copy);
	if (folder >= 0)
		close(folder);
	if (image >= 0)
		close(image);
	if (ret) {
		if (copy >= 0)
			close(copy);
		if (ret == -EOPNOTSUPP || ret == -ENOTTY || ret == -EINVAL)
			return -ENODEV; /* its file system has no reflinks */
		snprintf(message, size, "no copy of %s that shares its blocks can be made: %s", volume->backing,
			 strerror(-ret));
		return ret;
	}
	snapshot->fd = copy;
	snapshot->offset = volume->offset;
	snapshot->bytes = volume->limit;
	snprintf(snapshot->device, sizeof(snapshot->device), "/proc/self/fd/%d", copy);
	return 0;
}

static int drop(struct snapshot *snapshot, char *message, size_t size)
{
	(void)message;
	(void)size;
	close(snapshot->fd);
	snapshot->fd = -1;
	return 0;
}

const struct snapshot_kind snapshot_reflink = { .name = "reflink", .make = make, .remove = drop };
