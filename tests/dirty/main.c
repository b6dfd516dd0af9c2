/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dirty DIR WORKLOAD SEED flush
 * lose [young]: leaves the mounted XFS at DIR with a dirty log.  A small tree is created and written back, so that only
 * the workload is in the log (young: everything).  Then the file system is shut down, with files still open, as by a
 * crash.  "flush" writes out the logged changes first, "lose" does not.  The same seed gives the same result, except
 * for workloads that are stopped in the middle.  Steps are skipped if the file system lacks the feature.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xfs/xfs.h>

#include "dirty.h"

static void prepare(uint64_t *seed)
{
	char path[NAME_LEN];

	for (int letter = 'a'; letter <= 'c'; letter++) {
		char dir = (char)letter;
		int fd;

		mkdir((char[]){ dir, 0 }, 0755);
		for (unsigned i = 0; i < FILES; i++) {
			path_in(dir, "", i, path);
			put(path, below(seed, 9000), seed);
		}
		path_in(dir, "frag", 0, path);
		fd = create(path);
		for (unsigned i = 0; i < FRAG_BLOCKS; i++)
			write_random(fd, (off_t)i * BLOCK, BLOCK, seed);
		for (unsigned i = 0; i < FRAG_BLOCKS; i += 2)
			need(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)i * BLOCK, BLOCK),
			     "punch");
		close(fd);
	}
}

static const struct workload {
	const char *name;
	void (*run)(uint64_t *seed);
	void (*beside)(uint64_t *seed); /* in two other processes; all are stopped in the middle ... */
	unsigned usec;			/* ... after this time, or up to twice as much */
} workloads[] = {
	{ "creates", creates, NULL, 0 },
	{ "renames", renames, NULL, 0 },
	{ "orphans", orphans, NULL, 0 },
	{ "reflinks", reflinks, NULL, 0 },
	{ "truncates", truncates, NULL, 0 },
	{ "xattrs", xattrs, NULL, 0 },
	{ "directories", directories, NULL, 0 },
	{ "inodes", inodes, NULL, 0 },
	{ "exchanges", exchanges, NULL, 0 },
	{ "grow", grow, NULL, 0 },
	{ "wrap", wrap, NULL, 0 },
	{ "chains", chains, forcer, 400000 },
	{ "remaps", remaps, forcer, 200000 },
	{ "links", links, forcer, 50000 },
	{ "mixed", mixed, mixed, 400000 },
};

static void shut_down(uint32_t how)
{
	int fd = open(".", O_RDONLY);

	if (fd < 0 || ioctl(fd, XFS_IOC_GOINGDOWN, &how) < 0)
		err(1, "shutting down");
	close(fd);
}

/* Runs a function in its own process, which ends silently. */
static void start(void (*run)(uint64_t *seed), uint64_t seed)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid > 0)
		return;
	if (!freopen("/dev/null", "w", stderr))
		_exit(1);
	run(&seed);
	_exit(0);
}

int main(int argc, char **argv)
{
	const struct workload *workload = workloads;
	uint64_t seed;

	if (argc < 5 || argc > 6)
		errx(2, "usage: dirty DIR WORKLOAD SEED flush|lose [young]");
	while (strcmp(workload->name, argv[2]) != 0) {
		if (++workload == workloads + sizeof(workloads) / sizeof(workloads[0]))
			errx(2, "no workload \"%s\"", argv[2]);
	}
	if (chdir(argv[1]) < 0)
		err(1, "%s", argv[1]);
	seed = seed_of(argv[3]);
	prepare(&seed);
	if (argc == 5)
		write_back();
	if (workload->beside) {
		start(workload->run, seed);
		start(workload->beside, seed + 2);
		start(workload->beside, seed + 4);
		usleep(workload->usec + below(&seed, workload->usec));
	} else {
		workload->run(&seed);
	}
	shut_down(!strcmp(argv[4], "flush") ? XFS_FSOP_GOING_FLAGS_LOGFLUSH : XFS_FSOP_GOING_FLAGS_NOLOGFLUSH);
	while (wait(NULL) > 0)
		;
	return 0;
}
