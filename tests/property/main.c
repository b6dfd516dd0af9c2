/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * damage [--trials=N] [--seed=N] [--verbose] PROGRAM IMAGE...: damages random metadata fields in copies of sound
 * images, one at a time and with the checksum corrected, and runs PROGRAM -n on each.  All damage must be found unless
 * the table has an excuse for it.  Prints a line for each kind of object, as tests/run wants them, after lines with a #
 * for each failure.
 *
 * damage --list: the fields with an excuse.
 */
#define _GNU_SOURCE 1

#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "../number.h"
#include "checker.h"
#include "report.h"
#include "table.h"
#include "trial.h"
#include "walk.h"

#define DEFAULT_TRIALS 2000
#define ALIVE	       50 /* trials between lines of output: tests/run ends what prints none */

struct options {
	unsigned trials;
	uint64_t seed;
	bool verbose;
};

/* ---- trials ---- */

/* A field of a group: the subject of a trial. */
struct row {
	size_t group;
	unsigned field;
};

static bool is_hopeless(const struct field *f)
{
	return f->excuse && !f->excuse->holds;
}

/* Lists the fields of the image; those that can't be checked at all only on request. */
static size_t list_rows(const struct catalog *catalog, bool hopeless_too, struct row **ret_rows)
{
	struct row *rows = NULL;
	size_t n = 0;

	for (size_t i = 0; i < catalog->ngroups; i++) {
		const struct structure *s = catalog->groups[i].structure;

		if (catalog->groups[i].nplaces == 0)
			continue;
		rows = reallocarray(rows, n + s->nfields, sizeof(*rows));
		if (!rows)
			err(1, "rows");
		for (unsigned field = 0; field < s->nfields; field++)
			if (hopeless_too || !is_hopeless(&s->fields[field]))
				rows[n++] = (struct row){ i, field };
	}
	*ret_rows = rows;
	return n;
}

/* Damages each field once, then those that can be checked until all trials are done. */
static void run_trials(struct trials *trials, unsigned count)
{
	struct catalog *catalog = trials->catalog;
	bool first = true;

	for (unsigned made = 0; first || made < count; first = false) {
		struct row *rows;
		size_t nrows = list_rows(catalog, first, &rows);

		for (size_t i = 0; i < nrows && (first || made < count); i++, made++) {
			trial_run(trials, &catalog->groups[rows[i].group], rows[i].field);
			if (made % ALIVE == 0)
				printf("# %u trials\n", made + 1);
		}
		free(rows);
	}
}

static void run_image(struct trials *trials, const char *path, unsigned count)
{
	struct image image;

	image_open(&image, path);
	catalog_start(trials->catalog, &image);
	find_objects(trials->catalog);
	trial_of_sound_image(trials);
	run_trials(trials, count);
	image_close(&image);
}

/* ---- the command line ---- */

static void parse(int argc, char **argv, struct options *options)
{
	static const struct option long_options[] = {
		{ "trials", required_argument, NULL, 't' },
		{ "seed", required_argument, NULL, 's' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "list", no_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		switch (c) {
		case 't':
			options->trials = (unsigned)number(optarg);
			break;
		case 's':
			options->seed = number(optarg);
			break;
		case 'v':
			options->verbose = true;
			break;
		case 'l':
			table_list_excuses();
			exit(0);
		default:
			exit(2);
		}
	}
	if (argc - optind < 2)
		errx(2, "usage: damage [--trials=N] [--seed=N] [--verbose] PROGRAM IMAGE... | --list");
}

int main(int argc, char **argv)
{
	struct options options = { .trials = DEFAULT_TRIALS, .seed = 1 };
	struct catalog catalog = { 0 };
	struct trials trials = { .catalog = &catalog };
	bool good;

	table_check();
	parse(argc, argv, &options);
	trials.program = argv[optind];
	trials.seed = options.seed;
	setlinebuf(stdout);
	checker_init();
	for (int i = optind + 1; i < argc; i++)
		run_image(&trials, argv[i], options.trials);
	printf("# %u trials for each image, seed %llu\n", options.trials, (unsigned long long)options.seed);
	good = report(&trials, options.verbose);
	catalog_free(&catalog);
	return good ? 0 : 1;
}
