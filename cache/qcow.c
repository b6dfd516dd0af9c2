/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes a qcow2 file through qemu-nbd, which is started for it and ends with the connection. libnbd passes
 * it the socket (systemd's socket activation), whose name is removed once connected.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
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

#include "be.h"
#include "qcow.h"
#include "source.h"
#include "tool.h"

/* Returns an absolute path, which qemu always takes for a file. NULL: out of memory, or no current directory. */
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

/* Returns qemu's "json:" name of a node, and releases the node. NULL: out of memory. */
static char *json_name(json_t *node)
{
	char *text = node ? json_dumps(node, JSON_COMPACT) : NULL, *name = NULL;

	if (text && asprintf(&name, "json:%s", text) < 0)
		name = NULL;
	json_decref(node);
	free(text);
	return name;
}

/*
 * Returns the name of the backing device; for a part of a device a "json:" name, since it has no path. NULL: out of
 * memory.
 */
static char *backing_of(const struct device *device)
{
	char *path =
		source_nbd_is_uri(device_path(device)) ? strdup(device_path(device)) : absolute(device_path(device));
	struct stat st;
	char *name;

	if (!path || !device_base(device))
		return path;
	name = json_name(json_pack("{s:s, s:I, s:I, s:{s:s, s:s}}", "driver", "raw", "offset",
				   (json_int_t)device_base(device), "size", (json_int_t)device_bytes(device), "file",
				   "driver", !stat(path, &st) && S_ISBLK(st.st_mode) ? "host_device" : "file",
				   "filename", path));
	free(path);
	return name;
}

/* Returns a path by which other programs find an open file, with or without a name. NULL: out of memory. */
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
	/* -u: qemu-img doesn't open the device, which we have locked; we know its size */
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
 * Removes the socket and its directory: the name is not needed any more, and could not be removed once the program is
 * confined.
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

/* Starts qemu-nbd with these arguments for a file. */
static int begin(struct qcow *qcow, const char *path, char *const argv[], char *message, size_t size)
{
	int64_t has;

	if (nbd_connect_systemd_socket_activation(qcow->nbd, (char **)argv))
		return fail_open(path, nbd_get_error(), message, size);
	remove_socket(qcow->nbd);
	has = nbd_get_size(qcow->nbd);
	if (has < 0)
		return fail_open(path, nbd_get_error(), message, size);
	qcow->bytes = (uint64_t)has;
	return 0;
}

/* Opens a file with this command; argv[2] is freed, and NULL means out of memory. */
static int open_by(const char *path, char *const argv[], struct qcow **ret_qcow, char *message, size_t size)
{
	struct qcow *qcow = argv[2] ? calloc(1, sizeof(*qcow)) : NULL;
	int ret;

	if (qcow)
		qcow->nbd = nbd_create();
	if (!qcow || !qcow->nbd) {
		free(qcow);
		free(argv[2]);
		return fail_open(path, strerror(ENOMEM), message, size);
	}
	ret = begin(qcow, path, argv, message, size);
	free(argv[2]);
	if (ret)
		qcow_close(qcow);
	else
		*ret_qcow = qcow;
	return ret;
}

int qcow_open_new(const struct nameless *file, struct qcow **ret_qcow, char *message, size_t size)
{
	char *const argv[] = { "qemu-nbd", "--format=qcow2", place_of(file), NULL };

	return open_by(file->path, argv, ret_qcow, message, size);
}

/* The header of a qcow2 file (QEMU, docs/interop/qcow2.txt). */
struct qcow_header {
	be32_t magic;
	be32_t version;
	be64_t backing_offset;
	be32_t backing_bytes;
	be32_t cluster_bits;
	be64_t size;
	be32_t crypt_method;
	be32_t l1_size;
	be64_t l1_offset;
	be64_t refcounts_offset;
	be32_t refcount_clusters;
	be32_t snapshots;
	be64_t snapshots_offset;
	be64_t incompatible; /* version 3: feature bits, among them an external data file */
} __attribute__((packed));

_Static_assert(sizeof(struct qcow_header) == 80, "the header is as in QEMU's document");

#define QCOW_MAGIC 0x514649fbu
#define INHERITED  10 /* the least descriptor for qemu-nbd to inherit, above those of its streams and socket */

/* Returns why this file is not from qcow_create(), or NULL. */
static const char *refuse_header(int fd)
{
	struct qcow_header header;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) || be32_get(header.magic) != QCOW_MAGIC ||
	    be32_get(header.version) != 3)
		return "it is no qcow2 file of version 3";
	if (be32_get(header.snapshots))
		return "it was modified after it was made, and has snapshots: make a new one";
	if (be64_get(header.incompatible) || be32_get(header.crypt_method))
		return "it was modified after it was made, and has features that no preview has: make a new one";
	return NULL;
}

/*
 * Returns the node for qemu-nbd: an inherited descriptor, as qcow2 without backing file, whatever the header says.
 * NULL: out of memory.
 */
static char *node_of(int fd)
{
	char place[40];

	snprintf(place, sizeof(place), "/proc/self/fd/%d", fd);
	return json_name(json_pack("{s:s, s:n, s:{s:s, s:s}}", "driver", "qcow2", "backing", "file", "driver", "file",
				   "filename", place));
}

int qcow_open(const char *path, struct qcow **ret_qcow, char *message, size_t size)
{
	const int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const int fd = opened < 0 ? opened : fcntl(opened, F_DUPFD, INHERITED);
	const char *why;
	struct stat st;
	int ret;

	if (opened >= 0)
		close(opened);
	if (fd < 0)
		return fail_open(path, strerror(errno), message, size);
	why = fstat(fd, &st) ? strerror(errno) : !S_ISREG(st.st_mode) ? "it is no regular file" : refuse_header(fd);
	if (why) {
		ret = fail_open(path, why, message, size);
	} else {
		char *const argv[] = { "qemu-nbd", "--read-only", node_of(fd), NULL };

		ret = open_by(path, argv, ret_qcow, message, size);
	}
	close(fd);
	return ret;
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
