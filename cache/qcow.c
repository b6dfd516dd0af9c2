/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes a qcow2 file by qemu-nbd, which is started for it and ends with the connection.  The socket between
 * the two has no name (systemd's socket activation, by libnbd), so nobody else can connect.
 */
#define _GNU_SOURCE 1

#include "qcow.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#ifdef HAVE_LIBNBD
#include <libnbd.h>
#endif

#include "source_nbd.h"
#include "tool.h"

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

/* By which name others find an open file, whether it has one or not.  NULL: no memory. */
static char *place_of(const struct nameless *file)
{
	char *place = NULL;

	if (file->named)
		return absolute(file->path);
	return asprintf(&place, "/proc/%ld/fd/%d", (long)getpid(), file->fd) < 0 ? NULL : place;
}

int qcow_create(const struct nameless *file, const struct device *device, char *message, size_t size)
{
	char *place = place_of(file), *backing = backing_of(device), bytes[24];
	/* -u: the device is not opened, which we hold, and whose size we know */
	const char *const argv[] = { "qemu-img", "create", "-q",    "-f",  "qcow2", "-F", "raw",
				     "-u",	 "-b",	   backing, place, bytes,   NULL };
	int ret = -ENOMEM;

	snprintf(bytes, sizeof(bytes), "%llu", (unsigned long long)device_bytes(device));
	if (place && backing)
		ret = tool_run(argv, message, size);
	else
		snprintf(message, size, "the preview %s can't be written: %s", file->path, strerror(ENOMEM));
	free(place);
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

/*
 * The socket has a name for a moment, in a folder of its own: it need not stay, and could not be removed any more once
 * the program is confined.
 */
static void remove_socket(struct nbd_handle *nbd)
{
	struct sockaddr_un at = { 0 };
	socklen_t length = sizeof(at) - 1;
	char *slash;

	if (getpeername(nbd_aio_get_fd(nbd), (struct sockaddr *)&at, &length) || at.sun_family != AF_UNIX ||
	    at.sun_path[0] != '/')
		return;
	unlink(at.sun_path);
	slash = strrchr(at.sun_path, '/');
	*slash = '\0';
	rmdir(at.sun_path);
}

/* Start qemu-nbd for a file. */
static int begin(struct qcow *qcow, const char *path, const char *place, bool write, char *message, size_t size)
{
	char *argv[] = { "qemu-nbd", "--format=qcow2", (char *)place, write ? NULL : "--read-only", NULL };
	int64_t has;

	if (nbd_connect_systemd_socket_activation(qcow->nbd, argv))
		return fail_open(path, nbd_get_error(), message, size);
	remove_socket(qcow->nbd);
	has = nbd_get_size(qcow->nbd);
	if (has < 0)
		return fail_open(path, nbd_get_error(), message, size);
	qcow->bytes = (uint64_t)has;
	return 0;
}

static int open_at(const char *path, char *place, bool write, struct qcow **ret_qcow, char *message, size_t size)
{
	struct qcow *qcow = place ? calloc(1, sizeof(*qcow)) : NULL;
	int ret;

	if (qcow)
		qcow->nbd = nbd_create();
	if (!qcow || !qcow->nbd) {
		free(qcow);
		free(place);
		return fail_open(path, strerror(ENOMEM), message, size);
	}
	ret = begin(qcow, path, place, write, message, size);
	free(place);
	if (ret)
		qcow_close(qcow);
	else
		*ret_qcow = qcow;
	return ret;
}

int qcow_open_new(const struct nameless *file, struct qcow **ret_qcow, char *message, size_t size)
{
	return open_at(file->path, place_of(file), true, ret_qcow, message, size);
}

int qcow_open(const char *path, struct qcow **ret_qcow, char *message, size_t size)
{
	struct stat st;

	if (stat(path, &st))
		return fail_open(path, strerror(errno), message, size);
	if (!S_ISREG(st.st_mode))
		return fail_open(path, "it is no regular file", message, size);
	return open_at(path, absolute(path), false, ret_qcow, message, size);
}

uint64_t qcow_bytes(const struct qcow *qcow)
{
	return qcow->bytes;
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

int qcow_open_new(const struct nameless *file, struct qcow **ret_qcow, char *message, size_t size)
{
	return qcow_open(file->path, ret_qcow, message, size);
}

int qcow_open(const char *path, struct qcow **ret_qcow, char *message, size_t size)
{
	(void)path;
	(void)ret_qcow;
	return qcow_possible(true, message, size);
}

uint64_t qcow_bytes(const struct qcow *qcow)
{
	(void)qcow;
	return 0;
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
