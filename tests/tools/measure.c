/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure FILE COMMAND...: runs the command and writes its wall clock time and processor time in seconds, and its peak
 * memory in KiB, to FILE, on one line.  Exits as the command did.
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double start, wall;
	FILE *out;
	pid_t child;
	int status;

	if (argc < 3)
		errx(2, "usage: measure FILE COMMAND...");
	start = now();
	child = fork();
	if (child < 0)
		err(2, "fork");
	if (child == 0) {
		execvp(argv[2], argv + 2);
		err(127, "%s", argv[2]);
	}
	if (wait4(child, &status, 0, &usage) < 0)
		err(2, "wait4");
	wall = now() - start;
	out = fopen(argv[1], "w");
	if (!out)
		err(2, "%s", argv[1]);
	fprintf(out, "%.3f %.3f %ld\n", wall, seconds(&usage.ru_utime) + seconds(&usage.ru_stime), usage.ru_maxrss);
	if (fclose(out))
		err(2, "%s", argv[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
