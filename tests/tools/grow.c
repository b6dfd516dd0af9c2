/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grow DIR SHAPE...: fills the mounted file system at DIR with very many of one thing, as fast as the kernel makes
 * them:
 *
 *   tree INODES NAMES    inodes in directories of so many names each, 1 for directories that are empty
 *   names COUNT          one directory with so many names
 *   extents COUNT        one file with so many extents, with a free block after each
 */
#define _GNU_SOURCE
#include <linux/falloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workload.h"

/* Creates a directory and changes to it. */
static void make_and_enter(const char *name)
{
	if (mkdir(name, 0755) || chdir(name))
		err(1, "%s", name);
}

static void leave(void)
{
	if (chdir(".."))
		err(1, "..");
}

/* Creates an empty file, by mknod(), which leaves nothing to close.  form: printf() format of its name. */
static void touch(const char *form, unsigned long number)
{
	char name[64];

	snprintf(name, sizeof(name), form, number);
	if (mknod(name, S_IFREG | 0644, 0))
		err(1, "%s", name);
}

static void grow_tree(unsigned long inodes, unsigned long names)
{
	const unsigned long fan = 1000;
	unsigned long directories = inodes / names;
	char name[64];

	for (unsigned long i = 0; i < directories; i++) {
		if (i % fan == 0) {
			if (i)
				leave();
			snprintf(name, sizeof(name), "branch%lu", i / fan);
			make_and_enter(name);
		}
		snprintf(name, sizeof(name), "twig%lu", i);
		make_and_enter(name);
		for (unsigned long file = 1; file < names; file++)
			touch("file_of_some_name_%lu", file);
		leave();
	}
	leave();
}

static void grow_names(unsigned long count)
{
	make_and_enter("names");
	for (unsigned long i = 0; i < count; i++)
		touch("name_in_a_large_directory_%lu", i * 7919 % count);
	leave();
}

static void grow_extents(unsigned long count)
{
	int fd = create("extents");

	if (fallocate(fd, 0, 0, (off_t)count * 2 * BLOCK))
		err(1, "fallocate");
	for (unsigned long i = 0; i < count; i++) {
		if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(2 * i + 1) * BLOCK, BLOCK))
			err(1, "fallocate");
	}
	close(fd);
}

int main(int argc, char **argv)
{
	unsigned long count;

	if (argc < 4)
		errx(2, "usage: grow DIR tree INODES NAMES | names COUNT | extents COUNT");
	if (chdir(argv[1]))
		err(1, "%s", argv[1]);
	count = strtoul(argv[3], NULL, 10);
	if (!strcmp(argv[2], "tree") && argc == 5 && strtol(argv[4], NULL, 10) > 0)
		grow_tree(count, strtoul(argv[4], NULL, 10));
	else if (!strcmp(argv[2], "names"))
		grow_names(count);
	else if (!strcmp(argv[2], "extents"))
		grow_extents(count);
	else
		errx(2, "%s: what shape?", argv[2]);
	return 0;
}
