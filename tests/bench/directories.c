/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * directories COUNT [MIB]: measures the table of directories, and the check that all of them are reachable from the
 * root, with COUNT directories, one in twenty inodes, in 256 groups, each below any earlier one; the table has MIB of
 * memory.  Prints seconds of processor time, bytes per directory, and the peak memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "check/books/books.h"
#include "../../repair/names/dir_runs.h"
#include "../../repair/repair.h"
#include "../../repair/run.h"
#include "check/walk/walker.h"

#define LANES	4u
#define GROUPS	256u
#define AGINO	31u /* bits */
#define BETWEEN 20u /* inodes */

/* Directory i of all: the groups take turns. */
static xino_t number_of(uint64_t i)
{
	return (xino_t){ (i % GROUPS << AGINO) + 128 + i / GROUPS * BETWEEN };
}

/* Its parent: siblings, which are created one after the other, have the same one. */
static xino_t parent_of(uint64_t i)
{
	uint64_t x = i / 16 + 1;

	x = (x ^ x >> 31) * 0x7fb5d329728ea185;
	x = (x ^ x >> 27) * 0x81dadef4bc2dd44d;
	return i ? number_of((x ^ x >> 33) % (i < 16 ? 1 : i / 16)) : number_of(0);
}

static void count_problem(void *ctx, const struct problem *problem)
{
	(void)problem;
	++*(uint64_t *)ctx;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Adds them group by group, as a sweep does, two groups at a time. */
static void add_all(struct dir_runs *runs, uint64_t count)
{
	for (uint64_t group = 0; group < GROUPS; group++) {
		for (uint64_t i = group; i < count; i += GROUPS)
			dir_runs_add(runs, i / GROUPS % 2 + group % 2 * 2,
				     (struct dir_parent){ number_of(i), parent_of(i) });
	}
}

int main(int argc, char **argv)
{
	const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	struct run run = { .memory.directories = argc > 2 ? strtoull(argv[2], NULL, 10) << 20 : SIZE_MAX };
	struct repair rc = { .run = &run };
	struct traverse traverse = { .geo = &rc.geo };
	uint64_t problems = 0;
	struct walker *walker = calloc(1, sizeof(*walker));
	struct rusage usage;
	double start = seconds(), added;

	if (!walker)
		return 1;
	rc.geo = (struct geometry){
		.rootino = number_of(0), .agcount = GROUPS, .agblock_log = AGINO - 3, .inopb_log = 3
	};
	walker->t = &traverse;
	walker->check = (struct check){ &rc.geo, count_problem, &problems };
	rc.traverse = &traverse;
	traverse.dirs = dir_runs_new(LANES);
	if (!traverse.dirs) {
		free(walker);
		return 1;
	}
	dir_runs_limit(traverse.dirs, run.memory.directories);
	add_all(traverse.dirs, count);
	added = seconds();
	if (connectivity_check(&rc, walker)) {
		free(walker);
		return 1;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%llu directories: collected %.2f s, sorted and checked %.2f s; %.2f bytes each in memory, %.2f in a "
	       "file; "
	       "peak %.0f MiB; %llu problems\n",
	       (unsigned long long)count, added - start, seconds() - added,
	       (double)dir_table_bytes(&rc.dirs) / (double)count, (double)dir_table_spilled(&rc.dirs) / (double)count,
	       (double)usage.ru_maxrss / 1024, (unsigned long long)problems);
	dir_table_free(&rc.dirs);
	free(walker);
	return problems > 0;
}
