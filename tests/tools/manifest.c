/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * manifest DIR: prints the visible properties of the tree at DIR, one sorted line per object, so that two file systems
 * can be compared with diff: path, inode number, type and mode, owner, links, size, device, times, flags, and hashes of
 * the contents (or of a link's target) and of the extended attributes.  Holes count as zeroes.  For unreadable
 * properties the error is printed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "libxfs/crc.h"

#define CHUNK (1 << 20)

/* Prints a name as one word. */
static void print_path(const char *path)
{
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (c > ' ' && c < 0x7f && c != '\\')
			putchar(c);
		else
			printf("\\%03o", c);
	}
}

/* Prints a hash of the pieces of 512 bytes of a file that are not all zero, and of their offsets. */
static void print_content(int fd, off_t size)
{
	static char buf[CHUNK];
	uint32_t crc = CRC_SEED;
	off_t at = 0;

	while (at < size && (at = lseek(fd, at, SEEK_DATA)) >= 0) {
		ssize_t len = pread(fd, buf, CHUNK - at % CHUNK, at);

		if (len <= 0)
			break;
		for (ssize_t i = 0; i < len; i += 512) {
			size_t piece = (size_t)(len - i < 512 ? len - i : 512);
			off_t where = at + i;

			if (buf[i] == 0 && !memcmp(buf + i, buf + i + 1, piece - 1))
				continue;
			crc = crc_add(crc, &where, sizeof(where));
			crc = crc_add(crc, buf + i, piece);
		}
		at += len;
	}
	if (at < 0 && errno != ENXIO)
		printf(" content=%s", strerrorname_np(errno));
	else
		printf(" content=%08x", ~crc);
}

static void print_flags(int fd)
{
	struct fsxattr attr;

	if (ioctl(fd, FS_IOC_FSGETXATTR, &attr) == 0)
		printf(" flags=%x extsize=%u,%u project=%u", attr.fsx_xflags & ~(unsigned)FS_XFLAG_HASATTR,
		       attr.fsx_extsize, attr.fsx_cowextsize, attr.fsx_projid);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Prints a hash of the names and values of all attributes, sorted by name. */
static void print_attributes(const char *path)
{
	static char list[XATTR_LIST_MAX], value[XATTR_SIZE_MAX];
	char *names[XATTR_LIST_MAX / 2];
	size_t count = 0;
	uint32_t crc = CRC_SEED;
	ssize_t len = llistxattr(path, list, sizeof(list));

	if (len < 0) {
		printf(" attributes=%s", strerrorname_np(errno));
		return;
	}
	for (char *name = list; name < list + len; name += strlen(name) + 1)
		names[count++] = name;
	if (count == 0)
		return;
	qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < count; i++) {
		ssize_t got = lgetxattr(path, names[i], value, sizeof(value));

		crc = crc_add(crc, names[i], strlen(names[i]) + 1);
		crc = crc_add(crc, &got, sizeof(got));
		if (got > 0)
			crc = crc_add(crc, value, (size_t)got);
	}
	printf(" attributes=%zu,%08x", count, ~crc);
}

static void print_object(const char *path, const struct stat *st)
{
	char target[PATH_MAX];

	printf(" %ju %06o %u:%u links=%ju", (uintmax_t)st->st_ino, st->st_mode, st->st_uid, st->st_gid,
	       (uintmax_t)st->st_nlink);
	printf(" modified=%jd.%09ld changed=%jd.%09ld", (intmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
	       (intmax_t)st->st_ctim.tv_sec, st->st_ctim.tv_nsec);
	if (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode)) {
		int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NOATIME);

		if (S_ISREG(st->st_mode)) {
			printf(" size=%jd", (intmax_t)st->st_size);
			print_content(fd, st->st_size);
		}
		print_flags(fd);
		close(fd);
	} else if (S_ISLNK(st->st_mode)) {
		ssize_t len = readlink(path, target, sizeof(target) - 1);

		target[len < 0 ? 0 : len] = '\0';
		printf(" target=%s", len < 0 ? strerrorname_np(errno) : "");
		print_path(target);
	} else {
		printf(" device=%u,%u", major(st->st_rdev), minor(st->st_rdev));
	}
	print_attributes(path);
}

/* Prints the contents of a directory; path: its path, to which each name is appended; size: of its buffer. */
static void walk(char *path, size_t len, size_t size)
{
	struct dirent **entries;
	struct stat st;
	int count;

	print_path(path);
	if (lstat(path, &st) < 0) {
		printf(" %s\n", strerrorname_np(errno));
		return;
	}
	print_object(path, &st);
	putchar('\n');
	if (!S_ISDIR(st.st_mode))
		return;
	count = scandir(path, &entries, NULL, alphasort);
	if (count < 0) {
		printf("%s/* %s\n", path, strerrorname_np(errno));
		return;
	}
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		size_t more = (size_t)snprintf(path + len, size - len, "/%s", name);

		if (len + more >= size)
			errx(1, "the path of %s is too long", name);
		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			walk(path, len + more, size);
		path[len] = '\0';
		free(entries[i]);
	}
	free(entries);
}

int main(int argc, char **argv)
{
	static char path[16 * PATH_MAX] = ".";

	if (argc != 2)
		errx(2, "usage: manifest DIR");
	if (chdir(argv[1]) < 0)
		err(1, "%s", argv[1]);
	walk(path, 1, sizeof(path));
	return fflush(stdout) ? 1 : 0;
}
