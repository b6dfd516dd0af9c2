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

#include "inventory/extract/wanted.h"
#include "option_parser.h"
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
	static const char *const names[3] = { "auto", "xfs_repair", "fsck" };
	unsigned choice = 0;
	enum options_result result = option_set_choice(p, "--exit-codes", text, names, &choice);

	if (result == OPTIONS_RUN && choice)
		p->options.fsck_codes = choice == 2;
	return result;
}

/* Apply an option that takes a value; value: empty if it is optional and was not given. */
static enum options_result apply_value(struct parser *p, int key, const char *value)
{
	static const char *const when[3] = { "auto", "always", "never" };
	static const char *const engines[3] = { "auto", "uring", "threads" };
	static const char *const logs[3] = { "replay", "ignore", "upto" };
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

/* True if an option with a key in this range was given. */
static bool is_any_seen(const struct parser *p, int first, int last)
{
	bool any = false;
	unsigned index;

	for (int key = first; key <= last; key++)
		any |= option_table_find(p->who, key, &index) && p->seen[index];
	return any;
}

/* Refuse to do more than one thing, of those that take the place of a repair. */
static enum options_result refuse_second_deed(const struct parser *p)
{
	const struct options *o = &p->options;
	const struct {
		const char *name;
		bool given, reads; /* reads: it writes nothing to the device */
	} deeds[] = {
		{ "--rollback", o->rollback, false },
		{ "--preview", o->preview, true },
		{ "--apply", o->apply, false },
		{ "--plan", o->plan, true },
		/* a preview may be of what is left in a plan */
		{ "--plan-apply", o->plan_apply && !o->preview, false },
		{ "a question about the files", query_any(&o->query), true },
	};
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
		if (!deeds[i].given)
			continue;
		if (first)
			return option_refuse(p, "%s and %s can't be done in one run: give one of them", first,
					     deeds[i].name);
		if (deeds[i].reads && (o->undo || o->commit_unproven))
			return option_refuse(
				p, "%s writes nothing to the device, so there is nothing to keep or to commit",
				deeds[i].name);
		first = deeds[i].name;
	}
	if (o->preview && o->no_modify)
		return option_refuse(p, "--preview writes a repair, if only to a file: -n makes none");
	if (o->apply && (o->commit_unproven || o->discard_log || o->log != LOG_REPLAY))
		return option_refuse(
			p, "--apply makes the repair that was previewed: how it is made was said to --preview");
	return OPTIONS_RUN;
}

/* Write the options that tell which part of the device is meant. */
static void write_part(struct options *o)
{
	char size[24] = "";

	if (o->size)
		snprintf(size, sizeof(size), ":%llu", (unsigned long long)o->size);
	if (o->partition)
		snprintf(o->part, sizeof(o->part), "--partition=%u", o->partition);
	else if (o->offset || o->size)
		snprintf(o->part, sizeof(o->part), "--offset=%llu%s", (unsigned long long)o->offset, size);
}

/* Whether what --extract is given makes sense. */
static enum options_result conclude_extract(const struct parser *p)
{
	const struct query *q = &p->options.query;
	const bool shown = q->to && !strcmp(q->to, "-");
	struct wanted wanted;
	int ret;

	if (!q->extract != !q->to)
		return option_refuse(p, "--extract and --to belong together: what to copy, and where to");
	if (!q->extract)
		return q->skip_damaged ? option_refuse(p, "--skip-damaged is for --extract") : OPTIONS_RUN;
	ret = wanted_parse(q->extract, &wanted);
	wanted_free(&wanted);
	if (ret)
		return option_refuse(p, "--extract: '%s' is no list of paths from the root of the file system",
				     q->extract);
	if (shown && (q->list != LIST_NONE || (p->options.json && !strcmp(p->options.json, "-"))))
		return option_refuse(p, "--to=- needs standard output for itself");
#ifndef HAVE_LIBARCHIVE
	if (wanted_is_archive(q->to))
		return option_refuse(p, "--to: this xfsck was built without libarchive, and makes no archives");
#endif
	return OPTIONS_RUN;
}

/* Whether --checkpoint and --resume make sense: they are for a check, and nothing else. */
static enum options_result conclude_checkpoint(struct parser *p)
{
	struct options *o = &p->options;
	const char *name = o->resume ? "--resume" : "--checkpoint";

	if (!o->resume && !o->checkpoint)
		return OPTIONS_RUN;
	if (query_any(&o->query) || o->preview || o->plan || o->plan_apply || o->rollback || o->apply)
		return option_refuse(p, "%s is for a check alone (-n): not for questions, nor for anything else", name);
	if (!o->no_modify)
		return option_refuse(p, "%s is for a check: give -n", name);
	if (!o->checkpoint)
		o->checkpoint = o->resume;
	return OPTIONS_RUN;
}

/* When all options are read: whether they make sense together. */
static enum options_result conclude(struct parser *p)
{
	struct options *o = &p->options;
	enum options_result result;

	write_part(o);

	if (!o->device)
		return option_refuse(p, "no device is given");
	if (o->partition && is_any_seen(p, KEY_OFFSET, KEY_OFFSET))
		return option_refuse(p,
				     "--partition and --offset both tell where the file system is: give one of them");
	if (o->no_prefetch && (o->queue_depth > 1 || o->merge_gap > 0))
		return option_refuse(p,
				     "-P, one small request after the other, contradicts -o queue_depth and merge_gap");
	if (o->rollback && o->undo)
		return option_refuse(p, "--rollback takes a repair back, --undo is for one: give one of them");
	if (refuse_second_deed(p) != OPTIONS_RUN || option_conclude_several(p) != OPTIONS_RUN)
		return OPTIONS_USAGE;
	if (o->query.list == LIST_NONE && is_any_seen(p, KEY_LIST_NAMES, KEY_NAME))
		return option_refuse(p, "fields, names and filters are for --list");
	if (o->query.list != LIST_NONE && o->json && !strcmp(o->json, "-"))
		return option_refuse(p,
				     "--list and --json both want standard output: give --list=json, or --json=FILE");
	result = conclude_extract(p);
	if (result != OPTIONS_RUN)
		return result;
	if (query_any(&o->query) && (o->undo || o->rollback || o->commit_unproven))
		return option_refuse(p, "what is asked about files writes nothing, so there is nothing to keep, to "
					"take back or to commit");
	if (o->query.bad_block_size && !o->query.bad)
		return option_refuse(p, "--bad-block-size is for --bad");
	if (o->query.map_attributes && !o->query.map)
		return option_refuse(p, "-a is for --map: it tells the attribute fork's extents");
	result = conclude_checkpoint(p);
	if (result != OPTIONS_RUN)
		return result;
	o->no_modify |= query_any(&o->query) || o->preview || o->plan;
	if (o->no_modify && o->undo)
		return option_refuse(p, "-n writes nothing that --undo could keep");
	if (o->keep != UNDO_AUTO && o->undo_dir != undo_dir)
		return option_refuse(p, "--undo-dir is for --undo=auto: the folder of --undo=FILE is in its name");
	if (o->commit_unproven && (o->no_modify || o->rollback))
		return option_refuse(p, "--commit-unproven is for a repair: %s makes none",
				     o->rollback ? "--rollback" : "-n");
	if (o->discard_log && o->log != LOG_REPLAY)
		return option_refuse(
			p, "-L gives up what a dirty log holds, --log=ignore and --log=upto do not: give one of them");
	if (o->no_modify && !o->preview)
		return OPTIONS_RUN;
	/* if the file system were mended without what the log holds, the replay at the next mount would damage it */
	if (o->log == LOG_IGNORE)
		return option_refuse(p, "--log=ignore is for -n: a repair replays the log");
	if (p->automatic && !p->force)
		return OPTIONS_BOOT;
	if (p->who == FSCK && !p->repair && !p->force && !o->rollback)
		return option_refuse(p,
				     "nothing is asked before it is repaired: give -y to repair, or -n to check only");
	return OPTIONS_RUN;
}

enum options_result options_parse(int argc, char **argv, FILE *out, FILE *err, struct options *ret_options)
{
	const char *name = argc > 0 && argv[0] ? argv[0] : "xfsck";
	const char *slash = strrchr(name, '/');
	struct parser p = { .out = out, .err = err };
	enum options_result result = OPTIONS_RUN;
	struct option_getopt table = { 0 };
	unsigned index;
	int key;

	p.options = (struct options){
		.program = slash ? slash + 1 : name,
		.interval = 60,
		.limit = 3,
		.merge_gap = -1,
		.jobs = 1,
		.undo_dir = undo_dir,
		.query.top = 10,
	};
	p.options.fsck = p.options.fsck_codes = !strcmp(p.options.program, "fsck.xfs");
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
		result = conclude(&p);
	if (result != OPTIONS_RUN) {
		free(p.options.devices);
		p.options.devices = NULL;
	}
	*ret_options = p.options;
	return result;
}
