/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account BEFORE AFTER JSON DAMAGED-IMAGE REPAIRED-IMAGE [DAMAGED]...: compares the account of a repair, in its JSON
 * report, with the file system that the kernel shows before the damage and after the repair, mounted at BEFORE and
 * AFTER.  Every difference must be reported, and everything reported must differ.  Prints a line for each violation,
 * and exits with 1 if there are any, with 2 if the comparison is impossible.
 *
 * Damage may change facts that are stored nowhere else, with right checksums: a name, an owner.  DAMAGED is the mounted
 * damaged image, if the kernel mounts it.  If it shows the same there as after the repair, the repair did not lose
 * anything; what the repair has changed of it was really changed.  Inode fields are read from DAMAGED-IMAGE itself.
 */
#include <err.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "truth.h"

void violation(struct truth *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	t->violations++;
}

static int open_image(const char *path)
{
	const int fd = open(path, O_RDONLY);

	if (fd < 0)
		err(2, "%s", path);
	return fd;
}

int main(int argc, char **argv)
{
	static struct truth t;

	if (argc < 6 || argc > 6 + DAMAGED_MOST)
		errx(2, "usage: account BEFORE AFTER JSON DAMAGED-IMAGE REPAIRED-IMAGE [DAMAGED]...");
	tree_read(&t.before, argv[1]);
	tree_read(&t.after, argv[2]);
	account_read(&t.account, argv[3]);
	t.damaged_image = open_image(argv[4]);
	t.repaired_image = open_image(argv[5]);
	for (int i = 6; i < argc; i++)
		tree_read(&t.damaged[t.ndamaged++], argv[i]);
	if (t.before.unreadable || t.after.unreadable)
		violation(&t, "%u objects can't be read before, %u after", t.before.unreadable, t.after.unreadable);
	compare_names(&t);
	compare_inodes(&t);
	compare_figures(&t);
	return fflush(stdout) || t.violations ? 1 : 0;
}
