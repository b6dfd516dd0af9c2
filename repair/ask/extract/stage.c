/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Staged files are named by number, so that writing them needs no path. The directory must belong to us, with no write
 * permission for others; this is checked, since an earlier run or a stranger may have created it.
 */
#define _GNU_SOURCE 1 /* syncfs() */

#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "output.h"

#define NOTES	  "notes"
#define NOTES_NEW "notes.new"
#define BAD	  "unreadable"

struct stage_file {
	xino_t ino;
	int fd; /* -1: none */
	uint64_t used;
};

/* Opens the directory if it is ours. 0 or negative errno; -EOPNOTSUPP: a new one would not be ours alone. */
static int open_dir(struct stage *stage)
{
	struct stat st;

	stage->found = mkdirat(stage->tree->root, TREE_STAGE, 0700) != 0;
	if (stage->found && errno != EEXIST)
		return -errno;
	stage->dir = openat(stage->tree->root, TREE_STAGE, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (stage->dir < 0)
		return errno == ENOTDIR || errno == ELOOP ? -EEXIST : -errno;
	if (fstat(stage->dir, &st))
		return -errno;
	if (st.st_uid != geteuid() || st.st_mode & (S_IWGRP | S_IWOTH)) {
		if (stage->found || unlinkat(stage->tree->root, TREE_STAGE, AT_REMOVEDIR))
			return -EEXIST;
		return -EOPNOTSUPP;
	}
	stage->tree->stage_dev = st.st_dev;
	stage->tree->stage_ino = st.st_ino;
	if (flock(stage->dir, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return -EBUSY;
	return 0;
}

int stage_open(struct stage *stage, struct out_tree *tree)
{
	int ret;

	*stage = (struct stage){ .tree = tree, .dir = -1, .files = calloc(STAGE_OPEN, sizeof(*stage->files)) };
	if (!stage->files)
		return -ENOMEM;
	for (unsigned i = 0; i < STAGE_OPEN; i++)
		stage->files[i].fd = -1;
	ret = open_dir(stage);
	return ret ? ret : exact_names_open(&tree->names, stage->dir);
}

void stage_close(struct stage *stage, bool over)
{
	for (unsigned i = 0; stage->files && i < STAGE_OPEN; i++)
		if (stage->files[i].fd >= 0)
			close(stage->files[i].fd);
	free(stage->files);
	stage->files = NULL;
	for (unsigned i = 0; i < STAGE_FAILS; i++)
		number_set_free(&stage->failed[i]);
	if (stage->dir < 0)
		return;
	exact_names_close(&stage->tree->names, stage->dir);
	if (over) {
		unlinkat(stage->dir, NOTES, 0);
		unlinkat(stage->dir, BAD, 0);
		unlinkat(stage->tree->root, TREE_STAGE, AT_REMOVEDIR);
	}
	close(stage->dir);
	stage->dir = -1;
	stage->tree->stage_ino = 0;
}

const char *stage_name(xino_t ino, char name[static STAGE_NAME_ROOM])
{
	snprintf(name, STAGE_NAME_ROOM, "%" PRIu64, ino.v);
	return name;
}

/* Returns the slot of an open file, or a free slot, or the least recently used one. */
static struct stage_file *place_of(const struct stage *stage, xino_t ino)
{
	struct stage_file *oldest = &stage->files[0];

	for (unsigned i = 0; i < STAGE_OPEN; i++) {
		struct stage_file *f = &stage->files[i];

		if (f->fd >= 0 && f->ino.v == ino.v)
			return f;
		if (f->fd < 0 ? oldest->fd >= 0 : oldest->fd >= 0 && f->used < oldest->used)
			oldest = f;
	}
	return oldest;
}

int stage_file(struct stage *stage, xino_t ino, bool create)
{
	struct stage_file *f = place_of(stage, ino);
	char name[STAGE_NAME_ROOM];
	int fd;

	if (f->fd < 0 || f->ino.v != ino.v) {
		fd = openat(stage->dir, stage_name(ino, name), O_RDWR | O_NOFOLLOW | O_CLOEXEC | (create ? O_CREAT : 0),
			    0600);
		if (fd < 0)
			return -errno;
		if (f->fd >= 0)
			close(f->fd);
		*f = (struct stage_file){ .ino = ino, .fd = fd };
	}
	f->used = ++stage->uses;
	return f->fd;
}

void stage_release(struct stage *stage, xino_t ino)
{
	struct stage_file *f = place_of(stage, ino);

	if (f->fd < 0 || f->ino.v != ino.v)
		return;
	close(f->fd);
	f->fd = -1;
}

static const int fails[STAGE_FAILS] = { -EFBIG, -EDQUOT };

int stage_fail(struct stage *stage, xino_t ino, int error)
{
	char name[STAGE_NAME_ROOM];
	unsigned i = 0;
	int ret;

	while (i < STAGE_FAILS && fails[i] != error)
		i++;
	if (i == STAGE_FAILS)
		return error;
	ret = number_set_add(&stage->failed[i], ino.v);
	stage_release(stage, ino);
	unlinkat(stage->dir, stage_name(ino, name), 0);
	return ret < 0 ? ret : 0;
}

int stage_failed(const struct stage *stage, xino_t ino)
{
	for (unsigned i = 0; i < STAGE_FAILS; i++)
		if (number_set_has(&stage->failed[i], ino.v))
			return fails[i];
	return 0;
}

bool stage_has(const struct stage *stage, xino_t ino)
{
	char name[STAGE_NAME_ROOM];

	return !faccessat(stage->dir, stage_name(ino, name), F_OK, AT_SYMLINK_NOFOLLOW);
}

int stage_clear(struct stage *stage)
{
	return folder_clear(stage->dir, EXACT_NAMES_TRIAL);
}

/* ---- notes ---- */

/* Reads a word and the number after it, and advances. False: something else is there. */
static bool read_note(const char **at, const char *word, uint64_t *ret)
{
	const size_t len = strlen(word);
	char *end;

	if (strncmp(*at, word, len) != 0)
		return false;
	*at += len;
	*ret = strtoull(*at, &end, 16);
	if (end == *at)
		return false;
	*at = end;
	return true;
}

bool stage_notes_read(const struct stage *stage, struct stage_notes *ret)
{
	const int fd = openat(stage->dir, NOTES, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	char text[128] = { 0 };
	const char *at = text;
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	return got > 0 && text[got - 1] == '\n' && read_note(&at, "plan ", &ret->plan) &&
	       read_note(&at, " swept ", &ret->swept);
}

int stage_notes_write(const struct stage *stage, const struct stage_notes *notes)
{
	char text[128];
	const int len = snprintf(text, sizeof(text), "plan %" PRIx64 " swept %" PRIx64 "\n", notes->plan, notes->swept);
	int fd, ret = 0;

	if (syncfs(stage->dir))
		return -errno;
	fd = openat(stage->dir, NOTES_NEW, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (write(fd, text, (size_t)len) != len || fsync(fd))
		ret = errno ? -errno : -EIO;
	close(fd);
	if (!ret && renameat(stage->dir, NOTES_NEW, stage->dir, NOTES))
		ret = -errno;
	return ret;
}

int stage_bad_open(const struct stage *stage)
{
	return opened(openat(stage->dir, BAD, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
}
