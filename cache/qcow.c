/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes a qcow2 file by qemu-nbd, which is started for it and ends with the connection.  The socket between
 * the two has no name (systemd's socket activation, by libnbd), so nobody else can connect.
 */
#define _GNU_SOURCE 1

#include "qcow.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_LIBNBD
#include <libnbd.h>
#endif

#include "source_nbd.h"
#include "tool.h"

static int fail(int error, const char *path, char *message, size_t size)
{
	snprintf(message, size, "the preview %s can't be written: %s", path, strerror(-error));
	return error;
}

static int create(const char *path)
{
	const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : fd;
}

int qcow_may_create(const char *path, char *message, size_t size)
{
	const int fd = create(path);

	if (fd < 0)
		return fail(fd, path, message, size);
	close(fd);
	unlink(path);
	return 0;
}

/* A name that begins with a slash, which qemu never takes for anything but a file.  NULL: no memory, or no folder. */
static char *absolute(const char *path)
{
	char *folder, *whole = NULL;

	if (path[0] == '/')
		return strdup(path);
	folder = getcwd(NULL, 0);
	if (folder && asprintf(&whole, "%s/%s", folder, path) < 0)
		whole = NULL;
	free(folder);
	return whole;
}

/*
 * What lies below the file: the device, or of a part of one what qemu calls "json:", which has no path for that.
 * NULL: no memory.
 */
static char *backing_of(const struct device *device)
{
	char *path =
		source_nbd_is_uri(device_path(device)) ? strdup(device_path(device)) : absolute(device_path(device));
	json_t *node;
	char *text = NULL, *whole = NULL;
	struct stat st;

	if (!path || !device_base(device))
		return path;
	node = json_pack("{s:s, s:I, s:I, s:{s:s, s:s}}", "driver", "raw", "offset", (json_int_t)device_base(device),
			 "size", (json_int_t)device_bytes(device), "file", "driver",
			 !stat(path, &st) && S_ISBLK(st.st_mode) ? "host_device" : "file", "filename", path);
	if (node)
		text = json_dumps(node, JSON_COMPACT);
	if (!text || asprintf(&whole, "json:%s", text) < 0)
		whole = NULL;
	json_decref(node);
	free(text);
	free(path);
	return whole;
}

int qcow_create(const char *path, const struct device *device, char *message, size_t size)
{
	char *file = absolute(path), *backing = backing_of(device), bytes[24];
	const char *const argv[] = { "qemu-img", "create", "-q",    "-f", "qcow2", "-F", "raw",
				     "-u",	 "-b",	   backing, file, bytes,   NULL };
	const int fd = file && backing ? create(path) : -ENOMEM;
	int ret = fd < 0 ? fail(fd, path, message, size) : 0;

	snprintf(bytes, sizeof(bytes), "%llu", (unsigned long long)device_bytes(device));
	if (!ret) {
		close(fd);
		/* -u: the device is not opened, which we hold, and whose size we know */
		ret = tool_run(argv, message, size);
		if (ret)
			unlink(path);
	}
	free(file);
	free(backing);
	return ret;
}

#ifdef HAVE_LIBNBD

struct qcow {
	struct nbd_handle *nbd;
	uint64_t bytes;
};

int qcow_possible(bool write, char *message, size_t size)
{
	static const char *const tools[] = { "qemu-nbd", "qemu-img" };
	char why[320];

	for (unsigned i = 0; i < (write ? 2u : 1u); i++) {
		const char *const argv[] = { tools[i], "--version", NULL };

		if (!tool_run(argv, why, sizeof(why)))
			continue;
		snprintf(message, size, "%s; it is needed for the preview (Debian has it in qemu-utils)", why);
		return -ENOENT;
	}
	return 0;
}

static int fail_open(const char *path, const char *why, char *message, size_t size)
{
	snprintf(message, size, "the preview %s can't be opened: %s", path, why);
	return -EIO;
}

static int begin(struct nbd_handle *nbd, const char *path, bool write, uint64_t bytes, char *message, size_t size)
{
	char *file = absolute(path), *argv[6], **arg = argv;
	int64_t has;
	int ret;

	if (!file)
		return fail_open(path, strerror(ENOMEM), message, size);
	*arg++ = "qemu-nbd";
	*arg++ = "--format=qcow2";
	if (!write)
		*arg++ = "--read-only";
	*arg++ = file;
	*arg = NULL;
	ret = nbd_connect_systemd_socket_activation(nbd, argv);
	free(file);
	if (ret)
		return fail_open(path, nbd_get_error(), message, size);
	has = nbd_get_size(nbd);
	if (has < 0 || (uint64_t)has < bytes)
		return fail_open(path, "it is too small for the device", message, size);
	return 0;
}

int qcow_open(const char *path, bool write, uint64_t bytes, struct qcow **ret_qcow, char *message, size_t size)
{
	struct qcow *qcow;
	struct stat st;
	int ret;

	if (stat(path, &st))
		return fail_open(path, strerror(errno), message, size);
	if (!S_ISREG(st.st_mode))
		return fail_open(path, "it is no regular file", message, size);
	qcow = calloc(1, sizeof(*qcow));
	if (qcow)
		qcow->nbd = nbd_create();
	if (!qcow || !qcow->nbd) {
		free(qcow);
		return fail_open(path, strerror(ENOMEM), message, size);
	}
	qcow->bytes = bytes;
	ret = begin(qcow->nbd, path, write, bytes, message, size);
	if (ret)
		qcow_close(qcow);
	else
		*ret_qcow = qcow;
	return ret;
}

static int error_of(int ret)
{
	if (!ret)
		return 0;
	return nbd_get_errno() ? -nbd_get_errno() : -EIO;
}

static bool lies_within(const struct qcow *qcow, uint64_t offset, size_t len)
{
	return offset <= qcow->bytes && len <= qcow->bytes - offset;
}

int qcow_write(struct qcow *qcow, const void *buf, uint64_t offset, size_t len)
{
	return lies_within(qcow, offset, len) ? error_of(nbd_pwrite(qcow->nbd, buf, len, offset, 0)) : -ERANGE;
}

int qcow_read(struct qcow *qcow, void *buf, uint64_t offset, size_t len)
{
	return lies_within(qcow, offset, len) ? error_of(nbd_pread(qcow->nbd, buf, len, offset, 0)) : -ERANGE;
}

int qcow_flush(struct qcow *qcow)
{
	return error_of(nbd_flush(qcow->nbd, 0));
}

void qcow_close(struct qcow *qcow)
{
	if (!qcow)
		return;
	nbd_shutdown(qcow->nbd, 0);
	nbd_close(qcow->nbd);
	free(qcow);
}

#else

int qcow_possible(bool write, char *message, size_t size)
{
	(void)write;
	snprintf(message, size, "this xfsck was built without libnbd, which the preview takes");
	return -ENOSYS;
}

int qcow_open(const char *path, bool write, uint64_t bytes, struct qcow **ret_qcow, char *message, size_t size)
{
	(void)path;
	(void)bytes;
	(void)ret_qcow;
	return qcow_possible(write, message, size);
}

int qcow_write(struct qcow *qcow, const void *buf, uint64_t offset, size_t len)
{
	(void)qcow;
	(void)buf;
	(void)offset;
	(void)len;
	return -ENOSYS;
}

int qcow_read(struct qcow *qcow, void *buf, uint64_t offset, size_t len)
{
	return qcow_write(qcow, buf, offset, len);
}

int qcow_flush(struct qcow *qcow)
{
	(void)qcow;
	return -ENOSYS;
}

void qcow_close(struct qcow *qcow)
{
	(void)qcow;
}

#endif
