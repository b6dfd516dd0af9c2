/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutate [--seed=N] [--count=N] [--compare=N] [--only=TYPE] [--with=OPTION]... [--keep=FILE] [--verbose] PROGRAM
 * IMAGE...: damages copies of sound images at random, one way for each seed from N on, and runs PROGRAM -n on each.
 * Whatever it says, it must end by itself, within 100 times the processor time that it takes for the sound image,
 * without using much more memory, with an exit status that it may have, and must not write.
 *
 * --compare=N  every Nth image is checked again by one thread, and by three that read otherwise: they must say the same
 * --only=TYPE  only objects of this type are damaged, "log" for example
 * --with=OPT   an option for the program
 * --keep=FILE  only leaves the damaged image of the first seed there
 *
 * Prints a line for each image, as tests/run wants them, after lines with a # for each seed that went wrong.
 */
#define _GNU_SOURCE 1

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../number.h"
#include "../property/checker.h"
#include "mutate.h"

#ifdef __SANITIZE_THREAD__
#define SHADOWS 5 /* memory that this sanitizer keeps per byte */
#else
#define SHADOWS 1
#endif
#define SLOWER	 100  /* times the time of the sound image: it is checked again after each round of repair */
#define LEAST_MS 1500 /* always allowed */
#define MORE_KIB (SHADOWS * 256u << 10)	   /* more than for the sound image */
#define ALIVE	 20			   /* images between lines of output: tests/run ends what prints none */
#define OPTIONS	 (CHECKER_OPTIONS_MAX - 3) /* without those that --compare adds */

struct run {
	const char *program;
	const char *options[OPTIONS + 1];
	unsigned noptions;
	uint64_t seed, count, compare;
	const char *only; /* NULL: all */
	const char *keep;
	bool verbose;
	unsigned images;

	/* of the current image */
	const char *name;
	struct image image;
	struct targets targets;
	struct verdict sound;
	unsigned outcomes[OUTCOME_BROKEN + 1];
	unsigned wrong, slowest_ms, largest_kib;
};

static void complain(struct run *run, const struct mutation *m, const char *what, const struct verdict *verdict)
{
	run->wrong++;
	printf("# %s, seed %llu: %s (%s, %u ms, %u KiB)\n%s", run->name, (unsigned long long)m->seed, what,
	       verdict->ending, verdict->cpu_ms, verdict->peak_kib, m->story);
	printf("%s\n", verdict->output);
}

static void judge(struct run *run, const struct mutation *m, const struct verdict *verdict)
{
	const struct verdict *sound = &run->sound;

	run->outcomes[verdict->outcome]++;
	if (verdict->cpu_ms > run->slowest_ms)
		run->slowest_ms = verdict->cpu_ms;
	if (verdict->peak_kib > run->largest_kib)
		run->largest_kib = verdict->peak_kib;
	if (verdict->outcome == OUTCOME_BROKEN)
		complain(run, m, "it crashed or hung", verdict);
	else if (verdict->cpu_ms > LEAST_MS && verdict->cpu_ms > SLOWER * sound->cpu_ms)
		complain(run, m, "it took too long", verdict);
	else if (verdict->peak_kib > sound->peak_kib + MORE_KIB)
		complain(run, m, "it took too much memory", verdict);
}

static void check(const struct run *run, const char *const extra[], struct verdict *ret_verdict)
{
	const char *options[CHECKER_OPTIONS_MAX + 1] = { NULL };
	unsigned n = 0;

	for (unsigned i = 0; i < run->noptions; i++)
		options[n++] = run->options[i];
	while (*extra && n < CHECKER_OPTIONS_MAX)
		options[n++] = *extra++;
	checker_run(run->program, options, run->image.copy, ret_verdict);
}

static const char *const nothing[] = { NULL };
static const char *const one_thread[] = { "--threads=1", NULL };
static const char *const three_threads[] = { "--threads=3", "--engine=threads", "-omerge_gap=0", NULL };

/* Compares the findings of runs that read differently. */
static void compare(struct run *run, const struct mutation *m)
{
	struct verdict one, three;

	check(run, one_thread, &one);
	check(run, three_threads, &three);
	judge(run, m, &one);
	judge(run, m, &three);
	if (strcmp(one.output, three.output) != 0) {
		complain(run, m, "one thread says", &one);
		printf("# and three say\n%s\n", three.output);
	}
}

static void run_seed(struct run *run, uint64_t seed)
{
	struct verdict verdict;
	struct mutation m;

	mutate(&m, seed, &run->image, &run->targets);
	check(run, nothing, &verdict);
	judge(run, &m, &verdict);
	if (run->compare && seed % run->compare == 0)
		compare(run, &m);
	if (run->verbose)
		printf("# seed %llu: %u ms, outcome %d\n%s", (unsigned long long)seed, verdict.cpu_ms, verdict.outcome,
		       m.story);
	mutate_undo(&m);
	if (!image_intact(&run->image))
		errx(1, "%s: seed %llu: the image was written to", run->name, (unsigned long long)seed);
}

/* Runs every n-th seed on this image. */
static void run_image(struct run *run, const char *path, unsigned number)
{
	const char *slash = strrchr(path, '/');
	unsigned ran = 0;

	run->name = slash ? slash + 1 : path;
	run->wrong = run->slowest_ms = run->largest_kib = 0;
	memset(run->outcomes, 0, sizeof(run->outcomes));
	image_open_any(&run->image, path);
	targets_find(&run->image, &run->targets);
	if (run->only && !targets_keep(&run->targets, run->only))
		errx(1, "%s has no object of type %s", path, run->only);
	check(run, nothing, &run->sound);
	if (run->sound.outcome != OUTCOME_CLEAN)
		errx(1, "%s is not found clean:\n%s", path, run->sound.output);
	for (uint64_t seed = run->seed; seed < run->seed + run->count; seed++)
		if (seed % run->images == number) {
			run_seed(run, seed);
			if (++ran % ALIVE == 0)
				printf("# %s: %u images\n", run->name, ran);
		}
	printf("# %s: %zu objects of %zu types; sound %u ms, %u KiB; slowest %u ms, largest %u KiB; clean %u, "
	       "found %u, refused %u, dirty log %u, broken %u\n",
	       run->name, run->targets.count, run->targets.types, run->sound.cpu_ms, run->sound.peak_kib,
	       run->slowest_ms, run->largest_kib, run->outcomes[OUTCOME_CLEAN], run->outcomes[OUTCOME_FOUND],
	       run->outcomes[OUTCOME_REFUSED], run->outcomes[OUTCOME_DIRTY], run->outcomes[OUTCOME_BROKEN]);
	if (run->wrong)
		printf("not ok mutated/%s: %u of them went wrong\n", run->name, run->wrong);
	else
		printf("ok mutated/%s\n", run->name);
	targets_free(&run->targets);
	image_close(&run->image);
}

/* Keeps the damaged image of the first seed, for inspection. */
static void keep(struct run *run, char **paths)
{
	struct mutation m;
	int fd;

	image_open_any(&run->image, paths[run->seed % run->images]);
	targets_find(&run->image, &run->targets);
	if (run->only && !targets_keep(&run->targets, run->only))
		errx(1, "no object of type %s", run->only);
	mutate(&m, run->seed, &run->image, &run->targets);
	fputs(m.story, stdout);
	fd = open(run->keep, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || ftruncate(fd, (off_t)m.cut) < 0)
		err(1, "%s", run->keep);
	for (uint64_t start = 0; start < m.cut; start += 4096) {
		static const uint8_t zeroes[4096];
		uint64_t len = m.cut - start < 4096 ? m.cut - start : 4096;

		if (memcmp(run->image.bytes + start, zeroes, len) != 0 &&
		    pwrite(fd, run->image.bytes + start, len, (off_t)start) != (ssize_t)len)
			err(1, "%s", run->keep);
	}
	if (close(fd) < 0)
		err(1, "%s", run->keep);
}

static void parse(int argc, char **argv, struct run *run)
{
	static const struct option long_options[] = {
		{ "seed", required_argument, NULL, 's' },    { "count", required_argument, NULL, 'c' },
		{ "compare", required_argument, NULL, 'm' }, { "with", required_argument, NULL, 'w' },
		{ "only", required_argument, NULL, 'o' },    { "keep", required_argument, NULL, 'k' },
		{ "verbose", no_argument, NULL, 'v' },	     { NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		switch (c) {
		case 's':
			run->seed = number(optarg);
			break;
		case 'c':
			run->count = number(optarg);
			break;
		case 'm':
			run->compare = number(optarg);
			break;
		case 'w':
			if (run->noptions == OPTIONS)
				errx(2, "too many options");
			run->options[run->noptions++] = optarg;
			break;
		case 'o':
			run->only = optarg;
			break;
		case 'k':
			run->keep = optarg;
			break;
		case 'v':
			run->verbose = true;
			break;
		default:
			exit(2);
		}
	}
	if (argc - optind < 2)
		errx(2, "usage: mutate [--seed=N] [--count=N] [--compare=N] [--only=TYPE] [--with=OPTION]... "
			"[--keep=FILE] [--verbose] PROGRAM IMAGE...");
}

int main(int argc, char **argv)
{
	struct run run = { .seed = 1, .count = 100 };
	unsigned wrong = 0;

	parse(argc, argv, &run);
	run.program = argv[optind];
	run.images = (unsigned)(argc - optind - 1);
	setlinebuf(stdout);
	checker_init();
	if (run.keep) {
		keep(&run, argv + optind + 1);
		return 0;
	}
	for (unsigned i = 0; i < run.images; i++) {
		run_image(&run, argv[optind + 1 + i], i);
		wrong += run.wrong;
	}
	return wrong ? 1 : 0;
}
