/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line: xfs_repair 7.2's letters and -o names, long options of our own, and the few letters of fsck(8) when
 * we are called as fsck.xfs (option_table.c lists them).  Nothing is ignored in silence: options that are unknown or
 * contradict each other are refused, and the user is told of one that has no effect.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "option_parser.h"
#include "path.h"
#include "report/explain.h"
#include "sandbox/sandbox.h"
#include "units.h"

#define MAX_INTERVAL (7 * 24 * 3600u)

static const char undo_dir[] = XFSCK_UNDO_DIR;

/* Parse one NAME=VALUE of -c. */
static enum options_result parse_feature(struct parser *p, const char *text)
{
	static const char *const names[SB_FEATURE_NR] = {
#define x(name, text) #name,
		SB_FEATURE_TABLE(x)
#undef x
	};
	size_t length = strcspn(text, "=");
	enum feature_choice *choice;
	unsigned i;

	for (i = 0; i < SB_FEATURE_NR; i++) {
		if (strlen(names[i]) == length && !memcmp(names[i], text, length))
			break;
	}
	if (i == SB_FEATURE_NR)
		/* scripts ask like this for what a program knows, with a value that nothing takes */
		return option_refuse(p, "unknown option -c %s: there is no such feature that can be changed", text);
	choice = &p->options.features[i];
	if (*choice != FEATURE_KEEP)
		return option_refuse(p, "-c %s is given twice", names[i]);
	if (!strcmp(text + length, "=1"))
		*choice = FEATURE_ADD;
	else if (!strcmp(text + length, "=0") && i == SB_FEATURE_lazycount)
		*choice = FEATURE_DROP;
	else
		return option_refuse(p, "-c %s: it can be added, with %s=1, and nothing else", text, names[i]);
	return OPTIONS_RUN;
}

/* Parse a comma-separated list, item by item. */
static enum options_result parse_list(struct parser *p, char letter, const char *list,
				      enum options_result (*parse)(struct parser *p, const char *text))
{
	enum options_result result;
	char item[64];
	size_t length;

	for (;;) {
		length = strcspn(list, ",");
		if (length >= sizeof(item))
			return option_refuse(p, "unknown option -%c %s", letter, list);
		memcpy(item, list, length);
		item[length] = '\0';
		result = parse(p, item);
		if (result != OPTIONS_RUN || !list[length])
			return result;
		list += length + 1;
	}
}

/* Take a name, but refuse an empty one, as a script gives it whose variable is not set: the option would be lost. */
static enum options_result set_name(const struct parser *p, const char *name, const char *text, const char **ret_name)
{
	if (!text[0])
		return option_refuse(p, "%s: the name is empty", name);
	*ret_name = text;
	return OPTIONS_RUN;
}

/* Parse the value of --undo: one of two words, or the name of a file, which "./" tells from a word. */
static enum options_result set_undo(struct parser *p, const char *text)
{
	struct options *o = &p->options;

	if (!strcmp(text, "auto") || !strcmp(text, "none")) {
		o->keep = text[0] == 'a' ? UNDO_AUTO : UNDO_NONE;
		return OPTIONS_RUN;
	}
	o->keep = UNDO_FILE;
	return set_name(p, "--undo", text, &o->undo);
}

/* Explain findings, and do nothing else. */
static enum options_result explain_findings(const struct parser *p, const char *list)
{
	bool chosen[FINDING_NR] = { 0 };
	struct words why = { 0 };

	if (!explain_choose(list, chosen, &why))
		return option_refuse(p, "--explain: %s", why.text);
	explain_print(p->out, chosen);
	return OPTIONS_DONE;
}

/* Parse the value of -C; empty: none was given. */
static enum options_result set_progress_fd(struct parser *p, const char *text)
{
	unsigned *fd = &p->options.progress_fd;
	enum options_result result = text[0] ? option_set_unsigned(p, "-C", text, 0, INT_MAX, fd) : OPTIONS_RUN;

	if (result == OPTIONS_RUN && fcntl((int)*fd, F_GETFD) < 0)
		return option_refuse(p, "-C: there is no open descriptor %u", *fd);
	return result;
}

/* Parse the value of --offset: where the file system begins, and its size if that is told. */
static enum options_result set_offset(struct parser *p, const char *text)
{
	struct options *o = &p->options;
	const char *end;
	bool good = option_parse_size(text, true, &end, &o->offset);

	if (good && *end == ':')
		good = option_parse_size(end + 1, true, &end, &o->size) && o->size;
	if (!good || *end)
		return option_refuse(
			p,
			"--offset: '%s' is no BYTES[:SIZE]: each a number, or one with k, M, G, T, P, or s "
			"(sectors of 512 bytes)",
			text);
	if ((o->offset | o->size) % SECTOR_SIZE || o->offset > INT64_MAX || o->size > INT64_MAX - o->offset)
		return option_refuse(p, "--offset: '%s' is no whole number of sectors of 512 bytes, or too large",
				     text);
	return OPTIONS_RUN;
}

static enum options_result set_exit_codes(struct parser *p, const char *text)
{
	static const char *const names[] = { "auto", "xfs_repair", "fsck", NULL };
	unsigned choice = 0;
	enum options_result result = option_set_choice(p, "--exit-codes", text, names, &choice);

	if (result == OPTIONS_RUN && choice)
		p->options.fsck_codes = choice == 2;
	return result;
}

/* Apply an option that takes a value; value: empty if it is optional and was not given. */
static enum options_result apply_value(struct parser *p, int key, const char *value)
{
	static const char *const when[] = { "auto", "always", "never", NULL };
	static const char *const engines[] = { "auto", "uring", "threads", NULL };
	static const char *const logs[] = { "replay", "ignore", "upto", "across", NULL };
	struct options *o = &p->options;
	enum options_result result;
	uint64_t number = 0;
	unsigned choice = 0;

	switch (key) {
	case 'o':
		return parse_list(p, 'o', value, option_tuning);
	case 'c':
		return parse_list(p, 'c', value, parse_feature);
	case 't':
		return option_set_unsigned(p, "-t", value, 0, MAX_INTERVAL, &o->interval);
	case 'C':
		return set_progress_fd(p, value);
	case 'm':
		result = option_set_number(p, "-m", value, 0, 1u << 30, &number);
		o->memory_bytes = number << 20;
		return result;
	case KEY_THREADS:
		return option_set_unsigned(p, "--threads", value, 1, 1024, &o->threads);
	case KEY_JOBS:
		return option_set_unsigned(p, "--jobs", value, 1, OPTION_JOBS_MOST, &o->jobs);
	case KEY_REPORT:
		return option_report(p, value);
	case KEY_UNDO:
		return set_undo(p, value);
	case KEY_PROGRESS:
		result = option_set_choice(p, "--progress", value, when, &choice);
		o->progress = (enum progress_when)choice;
		return result;
	case KEY_COLOR:
		result = option_set_choice(p, "--color", value, when, &choice);
		o->colour = (enum colour_when)choice;
		return result;
	case KEY_LIMIT:
		result = option_set_unsigned(p, "--limit", value, 1, 1000000, &o->limit);
		o->query.top = o->limit;
		return result;
	case KEY_EXIT_CODES:
		return set_exit_codes(p, value);
	case KEY_LOG:
		result = option_set_choice(p, "--log", value, logs, &choice);
		o->log = (enum log_choice)choice;
		return result;
	case KEY_OFFSET:
		return set_offset(p, value);
	case KEY_PARTITION:
		return option_set_unsigned(p, "--partition", value, 1, INT_MAX, &o->partition);
	case KEY_EXPLAIN:
		return explain_findings(p, value);
	case KEY_ENGINE:
		result = option_set_choice(p, "--engine", value, engines, &choice);
		o->engine = (enum device_engine)choice;
		return result;
	default:
		return option_query(p, key, value);
	}
}

/* Tell what this program was built with: kinds of devices, and archives. */
static void print_inputs(FILE *out)
{
	for (unsigned i = 0; device_inputs[i].what; i++)
		fprintf(out, "%s: %s\n", device_inputs[i].what,
			device_inputs[i].built_in ? "yes" : device_inputs[i].why_not);
#ifdef HAVE_LIBARCHIVE
	fputs("archives (libarchive): yes\n", out);
#else
	fputs("archives (libarchive): no, this was built without libarchive\n", out);
#endif
}

static enum options_result apply(struct parser *p, const struct option_row *row, unsigned index, const char *value)
{
	struct options *o = &p->options;
	char name[OPTION_SPELLING];

	if (row->arg) {
		if (p->seen[index] && row->key != 'o' && row->key != 'c')
			return option_refuse(p, "%s is given twice", option_spelling(row, name));
		p->seen[index] = true;
		if (!row->sets)
			return apply_value(p, row->key, value ? value : "");
		return set_name(p, option_spelling(row, name), value ? value : "-",
				(void *)((char *)&p->options + row->sets));
	}
	if (row->sets)
		option_set_flag(p, row->sets);
	switch (row->key) {
	case 'f': /* xfs_repair's means that the device is a regular file, which is seen anyway */
		p->force = p->who == FSCK;
		break;
	case 'y':
		p->repair = true;
		break;
	case 'D': /* xfs_repair's dumps core where it gives up */
		break;
	case 'v':
	case KEY_STATS:
		o->verbose++;
		break;
	case 'a':
	case 'A':
	case 'p': /* xfsck has only -a, which means something else */
		p->automatic = p->who == FSCK;
		break;
	case 'V':
		fprintf(p->out, "xfsck version %s\n", XFSCK_VERSION);
		print_inputs(p->out);
		fprintf(p->out, "sandbox: %s\n", sandbox_built() ? sandbox_built() : "none, because of sanitizers");
		return OPTIONS_DONE;
	case KEY_HELP:
		option_table_help(p->who, o->program, p->out);
		return OPTIONS_DONE;
	}
	return OPTIONS_RUN;
}

/* Tell the user why getopt_long() refused the option it has just passed; reason: what it returned. */
static enum options_result refuse_unknown(const struct parser *p, int reason, char **argv)
{
	unsigned index;
	const struct option_row *row = optopt ? option_table_find(p->who, optopt, &index) : NULL;
	char name[OPTION_SPELLING];

	if (reason == ':' && row)
		return option_refuse(p, "%s needs a value: %s", option_spelling(row, name), row->arg);
	if (row && row->name)
		return option_refuse(p, "--%s takes no value", row->name);
	if (optopt && optopt < KEY_JSON)
		return option_refuse(p, "unknown option -%c", optopt);
	return option_refuse(p, "unknown option %s", argv[optind - 1]);
}

enum options_result options_parse(int argc, char **argv, FILE *out, FILE *err, struct options *ret_options)
{
	const char *name = argc > 0 && argv[0] ? argv[0] : "xfsck";
	struct parser p = { .out = out, .err = err };
	enum options_result result = OPTIONS_RUN;
	struct option_getopt table = { 0 };
	unsigned index;
	int key;

	p.options = (struct options){
		.program = path_name(name),
		.interval = 60,
		.limit = 3,
		.merge_gap = -1,
		.io_timeout = 60,
		.jobs = 1,
		.undo_dir = undo_dir,
		.query.top = 10,
	};
	p.options.fsck = p.options.fsck_codes = !strcmp(p.options.program, "fsck.xfs");
	p.options.to_stderr = !strcmp(p.options.program, "xfs_repair");
	p.who = p.options.fsck ? FSCK : XFSCK;
	if (argc <= 1) {
		option_table_help(p.who, p.options.program, err);
		*ret_options = p.options;
		return OPTIONS_USAGE;
	}

	option_table_getopt(p.who, &table);
	optind = 0; /* glibc: start afresh */
	while ((key = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
		const struct option_row *row = option_table_find(p.who, key, &index);

		if (result != OPTIONS_RUN) { /* the status of wrong usage depends on options behind it, too */
			if (key == KEY_EXIT_CODES && optarg && !strcmp(optarg, "fsck"))
				p.options.fsck_codes = true;
			continue;
		}
		if (key == 'C' && !optarg && optind < argc && option_is_digits(argv[optind]))
			optarg = argv[optind++]; /* as fsck(8) has it: anything but a number is no value of it */
		if (key == KEY_OPERAND)
			result = option_device(&p, optarg ? optarg : "");
		else if (row)
			result = apply(&p, row, index, optarg);
		else
			result = refuse_unknown(&p, key, argv);
	}
	for (int i = optind; result == OPTIONS_RUN && i < argc; i++) /* behind "--" */
		result = option_device(&p, argv[i]);
	if (result == OPTIONS_RUN)
		result = option_conclude(&p);
	if (result != OPTIONS_RUN) {
		free(p.options.devices);
		p.options.devices = NULL;
	}
	*ret_options = p.options;
	return result;
}
