/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the command line: the letters and -o names of xfs_repair 7.2, long options of our own, and the few letters of
 * fsck(8) when called as fsck.xfs (option_table.c). Nothing is ignored silently: unknown and contradictory options are
 * refused, and an option without effect causes a message.
 */
#include <stdlib.h>
#include <string.h>

#include "ask/extract/wanted.h"
#include "option_table.h"
#include "output.h"

static const char undo_dir[] = XFSCK_UNDO_DIR, audits[] = XFSCK_AUDIT_DIR, hooks[] = XFSCK_HOOKS;

/* ---- which options can be combined ---- */

/* Writes to o->range the options by which the part of the device was chosen. */
static void write_part(struct options *o)
{
	char size[24] = "";

	if (o->size)
		snprintf(size, sizeof(size), ":%llu", (unsigned long long)o->size);
	if (o->partition)
		snprintf(o->range, sizeof(o->range), "--partition=%u", o->partition);
	else if (o->offset || o->size)
		snprintf(o->range, sizeof(o->range), "--offset=%llu%s", (unsigned long long)o->offset, size);
}

/* What can be asked for in place of a check or a plain repair. */
struct deed {
	const char *name;
	bool given, reads; /* reads: nothing is written to the device */
};

#define DEEDS 6u

static void list_deeds(const struct options *o, struct deed ret[static DEEDS])
{
	const struct deed deeds[DEEDS] = {
		{ "--rollback", o->rollback, false },
		{ "--preview", o->preview, true },
		{ "--apply", o->apply, false },
		{ "--plan", o->plan, true },
		/* --plan-apply can be combined with --preview */
		{ "--plan-apply", o->plan_apply && !o->preview, false },
		{ "a question about files", query_any(&o->query), true },
	};

	memcpy(ret, deeds, sizeof(deeds));
}

static const char repair_deed[] = "a repair";

/* Returns what is asked for beyond a check, in words; NULL: nothing. */
static const char *find_deed(const struct options *o)
{
	struct deed deeds[DEEDS];

	list_deeds(o, deeds);
	for (size_t i = 0; i < DEEDS; i++)
		if (deeds[i].given)
			return deeds[i].name;
	return o->no_modify ? NULL : repair_deed;
}

/* Refuses more than one action in place of a repair, and options that don't fit the action. */
static enum options_result refuse_second_deed(const struct parser *p)
{
	const struct options *o = &p->options;
	struct deed deeds[DEEDS];
	const char *first = NULL;

	list_deeds(o, deeds);
	for (size_t i = 0; i < DEEDS; i++) {
		if (!deeds[i].given)
			continue;
		if (first)
			return option_refuse(p, "%s and %s cannot be combined", first, deeds[i].name);
		if (deeds[i].reads && (o->undo || o->commit_unproven))
			return option_refuse(
				p, "%s writes nothing to the device: --undo and --commit-unproven do not apply",
				deeds[i].name);
		first = deeds[i].name;
	}
	if (o->preview && o->no_modify)
		return option_refuse(p, "--preview cannot be combined with -n");
	if (o->apply && (o->commit_unproven || o->discard_log || o->log != LOG_REPLAY))
		return option_refuse(p, "--apply writes the previewed repair: its options were given to --preview");
	return OPTIONS_RUN;
}

/* Returns the name of an option that needs a single device, if one was given; otherwise NULL. */
static const char *find_single(const struct options *o)
{
	const struct {
		const char *name;
		bool given;
	} single[] = {
		{ "--html", o->html },	   { "--undo=FILE", o->undo },
		{ "-l", o->log_device },   { "-r", o->rt_device },
		{ "-C", o->progress_fd },  { "--trace=FILE", o->trace && strcmp(o->trace, "-") != 0 },
		{ "--resume", o->resume }, { "--checkpoint", o->checkpoint },
	};

	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		if (single[i].given)
			return single[i].name;
	return NULL;
}

/* Refuses what can't be combined with several devices, and what can't be combined with --report. */
static enum options_result conclude_several(const struct parser *p)
{
	const struct options *o = &p->options;
	const char *deed = find_deed(o), *single = find_single(o);

	if (o->devices && deed && deed != repair_deed)
		return option_refuse(p, "more than one device, %s and %s: %s takes one", o->devices[0], o->devices[1],
				     deed);
	if (o->devices && single)
		return option_refuse(p, "%s takes one device, but several are given", single);
	if (o->report && deed)
		return option_refuse(p, "--report requires -n and cannot be combined with %s", deed);
	if (o->report && !o->report_file && o->json && !strcmp(o->json, "-"))
		return option_refuse(p, "--report and --json both write to standard output: give one of them a file");
	return OPTIONS_RUN;
}

/* Refuses wrong values of --extract, and options that require it. */
static enum options_result conclude_extract(const struct parser *p)
{
	const struct query *q = &p->options.query;
	const bool shown = q->to && !strcmp(q->to, "-");
	/* lists in files are read later */
	const bool later = q->extract && q->extract[0] == '@', later_too = q->exclude && q->exclude[0] == '@';
	char why[WANTED_WHY];
	struct wanted wanted;
	int ret;

	if (!q->extract != !q->to)
		return option_refuse(p, "--extract and --to must be given together");
	if (!q->extract && (q->skip_damaged || q->exclude || option_is_given(p, "with")))
		return option_refuse(p, "%s requires --extract",
				     q->exclude	       ? "--exclude"
				     : q->skip_damaged ? "--skip-damaged"
						       : "--with");
	if (!q->extract)
		return OPTIONS_RUN;
	ret = wanted_parse(later ? "/" : q->extract, later_too ? NULL : q->exclude, &wanted, why);
	wanted_free(&wanted);
	if (ret)
		return option_refuse(p, "--extract, --exclude: %s", why);
	if (shown && (q->list != LIST_NONE || (p->options.json && !strcmp(p->options.json, "-"))))
		return option_refuse(p, "--to=- requires standard output for the archive alone");
	if (q->with_projects && wanted_is_archive(q->to))
		return option_refuse(p, "--with=projects requires a folder: archives have no place for project ids");
#ifndef HAVE_LIBARCHIVE
	if (wanted_is_archive(q->to))
		return option_refuse(p, "--to: this xfsck was built without libarchive, and makes no archives");
#endif
	return OPTIONS_RUN;
}

/* Refuses --checkpoint and --resume except for a plain check. */
static enum options_result conclude_checkpoint(struct parser *p)
{
	struct options *o = &p->options;
	const char *name = o->resume ? "--resume" : "--checkpoint";

	if (!o->resume && !o->checkpoint)
		return OPTIONS_RUN;
	if (query_any(&o->query) || o->preview || o->plan || o->plan_apply || o->rollback || o->apply)
		return option_refuse(p, "%s requires a plain check (-n)", name);
	if (!o->no_modify)
		return option_refuse(p, "%s requires -n", name);
	if (!o->checkpoint)
		o->checkpoint = o->resume;
	return OPTIONS_RUN;
}

/* Refuses options for --list or --extract if neither is given. */
static enum options_result conclude_list(const struct parser *p)
{
	const struct query *q = &p->options.query;
	const struct option_row *row;
	char name[OPTION_SPELLING];

	for (unsigned i = 0; q->list == LIST_NONE && (row = option_table_row(i)); i++) {
		if (p->seen[i] && (row->of_list || (row->filter && !q->extract)))
			return option_refuse(p, "%s requires --list%s", option_spelling(row, name),
					     row->filter ? " or --extract" : "");
	}
	return OPTIONS_RUN;
}

/* Refuses what can't be combined with -q, which prints no text. */
static enum options_result conclude_quiet(struct parser *p)
{
	struct options *o = &p->options;

	if (!o->quiet)
		return OPTIONS_RUN;
	if (o->verbose || o->lines || query_any(&o->query) || o->rollback)
		return option_refuse(p, "-q cannot be combined with %s",
				     o->verbose	   ? "-v"
				     : o->lines	   ? "--lines"
				     : o->rollback ? "--rollback"
						   : "a question about files");
	if (o->progress == PROGRESS_AUTO)
		o->progress = PROGRESS_NEVER;
	return OPTIONS_RUN;
}

/* Refuses options that contradict --audit, --status or --undos, or require them. */
static enum options_result conclude_audit(struct parser *p)
{
	struct options *o = &p->options;

	if ((o->baseline || o->on_new || o->journal || o->mark) && !o->audit)
		return option_refuse(p, "%s requires --audit",
				     o->baseline ? "--baseline"
				     : o->on_new ? "--on-new"
				     : o->mark	 ? "--repair-at-boot"
						 : "--journal");
	if (option_is_given(p, "audit-dir") && !o->audit && !o->status)
		return option_refuse(p, "--audit-dir requires --audit or --status");
	if (option_is_given(p, "snapshot-dir") && !o->audit)
		return option_refuse(p, "--snapshot-dir requires --audit");
	if (o->exceptions && !o->status && !o->merge)
		return option_refuse(p, "-x requires --status or --merge");
	if (o->status && (o->audit || o->device))
		return option_refuse(p, "--status takes no device: it lists all audits");
	if (o->undos && (o->audit || o->status || o->device))
		return option_refuse(p, "--undos takes no device: it lists all undo files of a directory");
	if ((o->status || o->undos) && o->json && strcmp(o->json, "-") != 0)
		return option_refuse(p, "%s prints: --json takes no file", o->undos ? "--undos" : "--status");
	if (o->audit && o->range[0])
		return option_refuse(
			p, "--audit takes file systems as they are mounted: --partition and --offset do not apply");
	o->no_modify |= o->audit;
	return OPTIONS_RUN;
}

/* Refuses all but output options with --merge: it reads reports, and no device. */
static enum options_result conclude_merge(const struct parser *p)
{
	static const char *const fits[] = { "merge", "json", "html", "report" };
	const struct option_row *row;
	char name[OPTION_SPELLING];

	for (unsigned i = 0; (row = option_table_row(i)); i++) {
		bool fit = row->letter == 'x';

		for (size_t n = 0; row->name && n < sizeof(fits) / sizeof(fits[0]); n++)
			fit |= !strcmp(row->name, fits[n]);
		if (p->seen[i] && !fit)
			return option_refuse(p, "--merge and %s cannot be combined", option_spelling(row, name));
	}
	if (!p->options.device)
		return option_refuse(p, "--merge requires reports");
	if (p->options.report == REPORT_TAP)
		return option_refuse(p, "--merge makes no TAP: that begins with the number of tests");
	return OPTIONS_RUN;
}

static enum options_result conclude(struct parser *p)
{
	struct options *o = &p->options;
	enum options_result result;

	write_part(o);
	if (o->merge)
		return conclude_merge(p);
	if (conclude_audit(p) != OPTIONS_RUN)
		return OPTIONS_USAGE;
	if (o->status || o->undos)
		return OPTIONS_RUN;
	if (!o->device)
		return option_refuse(p, "no device is given");
	if (o->partition && option_is_given(p, "offset"))
		return option_refuse(p, "--partition and --offset cannot be combined");
	if (o->no_prefetch && (o->queue_depth > 1 || o->merge_gap > 0))
		return option_refuse(p, "-P cannot be combined with -o queue_depth or -o merge_gap");
	if (o->rollback && o->undo)
		return option_refuse(p, "--rollback and --undo cannot be combined");
	if (refuse_second_deed(p) != OPTIONS_RUN || conclude_several(p) != OPTIONS_RUN)
		return OPTIONS_USAGE;
	if (conclude_list(p) != OPTIONS_RUN || conclude_quiet(p) != OPTIONS_RUN)
		return OPTIONS_USAGE;
	if (o->query.list != LIST_NONE && o->json && !strcmp(o->json, "-"))
		return option_refuse(p,
				     "--list and --json both write to standard output: use --list=json or --json=FILE");
	result = conclude_extract(p);
	if (result != OPTIONS_RUN)
		return result;
	if (query_any(&o->query) && (o->undo || o->rollback || o->commit_unproven))
		return option_refuse(
			p,
			"questions about files write nothing: --undo, --rollback and --commit-unproven do not apply");
	if (o->query.bad_block_size && !o->query.bad)
		return option_refuse(p, "--bad-block-size requires --bad");
	if (o->query.map_attributes && !o->query.map)
		return option_refuse(p, "-a requires --map: it selects the attribute fork");
	result = conclude_checkpoint(p);
	if (result != OPTIONS_RUN)
		return result;
	o->no_modify |= query_any(&o->query) || o->preview || o->plan;
	if (o->no_modify && o->undo)
		return option_refuse(p, "--undo cannot be combined with -n, which writes nothing");
	if (o->keep != UNDO_AUTO && option_is_given(p, "undo-dir"))
		return option_refuse(p, "--undo-dir requires --undo=auto");
	if (o->commit_unproven && (o->no_modify || o->rollback))
		return option_refuse(p, "--commit-unproven requires a repair: %s makes none",
				     o->rollback ? "--rollback" : "-n");
	if (o->discard_log && o->log != LOG_REPLAY)
		return option_refuse(p, "-L cannot be combined with --log=ignore or --log=upto");
	if (o->no_modify && !o->preview)
		return OPTIONS_RUN;
	/* a log replay at the next mount would damage a file system that was repaired without its log */
	if (o->log == LOG_IGNORE)
		return option_refuse(p, "--log=ignore requires -n: a repair replays the log");
	if (p->automatic && !p->force)
		return OPTIONS_BOOT;
	if (p->who == FSCK && !p->repair && !p->force && !o->rollback)
		return option_refuse(p, "fsck.xfs does not ask questions: use -y to repair or -n to check");
	return OPTIONS_RUN;
}

/* ---- parsing ---- */

static enum options_result add_device(struct parser *p, const char *device)
{
	struct options *o = &p->options;
	const char **devices;

	if (!device[0])
		return option_refuse(p, "the name of the device is empty");
	if (!o->device_count++) {
		o->device = device;
		return OPTIONS_RUN;
	}
	devices = realloc(o->devices, o->device_count * sizeof(*devices));
	if (!devices)
		return option_refuse(p, "no memory for so many devices");
	devices[0] = o->device;
	devices[o->device_count - 1] = device;
	o->devices = devices;
	return OPTIONS_RUN;
}

static enum options_result apply(struct parser *p, const struct option_row *row, unsigned index, const char *value)
{
	char name[OPTION_SPELLING];

	option_spelling(row, name);
	if (row->arg && p->seen[index] && row->letter != 'o' && row->letter != 'c')
		return option_refuse(p, "%s is given twice", name);
	p->seen[index] = true;
	return option_apply(p, &row->value, name, value);
}

/* getopt_long() returns this for an operand in place */
#define OPERAND 1

/* Returns advice about an option of other programs; NULL: the word is none of these. */
static const char *find_substitute(const char *word)
{
	static const struct {
		const char *word, *advice;
	} substitutes[] = {
		{ "-y", "xfsck asks no questions, and repairs without -n" },
		{ "--yes", "xfsck asks no questions, and repairs without -n" },
		{ "-p", "xfsck asks no questions, and repairs without -n" },
		{ "--repair", "xfsck repairs without -n" },
		{ "--fix", "xfsck repairs without -n" },
		{ "--force", "a clean file system is checked, too" },
		{ "--dry-run", "use -n" },
		{ "--check", "use -n" },
		{ "--no-modify", "use -n" },
		{ "--verbose", "use -v" },
	};

	for (size_t i = 0; i < sizeof(substitutes) / sizeof(substitutes[0]); i++)
		if (!strcmp(substitutes[i].word, word))
			return substitutes[i].advice;
	return NULL;
}

/*
 * Refuses a shortened option if its value is the next word, which may be meant as the device ("--check disk" is not
 * --checkpoint=disk), or if it is an option of other programs. word: as given.
 */
static enum options_result refuse_shortened(const struct parser *p, const struct option_row *row, const char *word)
{
	const char *advice = find_substitute(word);

	if (advice)
		return option_refuse(p, "unknown option %s: %s", word, advice);
	return option_refuse(p, "%s is short for --%s=%s: write it like this, with the value behind \"=\"", word,
			     row->name, row->arg);
}

/* True if a word is a shortened option that may mean something else. next: its value is the next word. */
static bool is_shortened(const struct option_row *row, const char *word, bool next)
{
	return row->name && !strncmp(word, "--", 2) && strcmp(word + 2, row->name) != 0 &&
	       (next || find_substitute(word));
}

/* Prints why getopt_long() refused the last option; reason: its return value. */
static enum options_result refuse_unknown(const struct parser *p, int reason, char **argv)
{
	unsigned index;
	const struct option_row *row = optopt ? option_table_find(p->who, optopt, &index) : NULL;
	char name[OPTION_SPELLING];
	const char letter[] = { '-', (char)(optopt < OPTION_LONG ? optopt : 0), '\0' };
	const char *advice = find_substitute(optopt && optopt < OPTION_LONG ? letter : argv[optind - 1]);

	if (advice && !(row && reason == ':'))
		return option_refuse(p, "unknown option %s: %s",
				     optopt && optopt < OPTION_LONG ? letter : argv[optind - 1], advice);
	if (reason == ':' && row)
		return option_refuse(p, "%s needs a value: %s", option_spelling(row, name), row->arg);
	if (row && row->name)
		return option_refuse(p, "--%s takes no value", row->name);
	if (optopt && optopt < OPTION_LONG)
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
	bool next;

	p.options = (struct options){
		.program = path_name(name),
		.interval = 60,
		.limit = 3,
		.merge_gap = -1,
		.io_timeout = 60,
		.jobs = 1,
		.undo_dir = undo_dir,
		.audits = audits,
		.hooks = hooks,
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
	optind = 0; /* glibc: restart */
	while ((key = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
		const struct option_row *row = option_table_find(p.who, key, &index);

		if (result != OPTIONS_RUN) { /* a later --exit-codes still counts */
			if (row && row->name && !strcmp(row->name, "exit-codes") && optarg && !strcmp(optarg, "fsck"))
				p.options.fsck_codes = true;
			continue;
		}
		if (key == 'C' && !optarg && optind < argc && option_is_digits(argv[optind]))
			optarg = argv[optind++]; /* as in fsck(8), only a number is the value of -C */
		next = optarg && optarg == argv[optind - 1];
		if (key == OPERAND)
			result = add_device(&p, optarg ? optarg : "");
		else if (row && is_shortened(row, argv[optind - 1 - next], next))
			result = refuse_shortened(&p, row, argv[optind - 1 - next]);
		else if (row)
			result = apply(&p, row, index, optarg);
		else
			result = refuse_unknown(&p, key, argv);
	}
	for (int i = optind; result == OPTIONS_RUN && i < argc; i++) /* after "--" */
		result = add_device(&p, argv[i]);
	if (result == OPTIONS_RUN)
		result = conclude(&p);
	if (result != OPTIONS_RUN) {
		free(p.options.devices);
		p.options.devices = NULL;
	}
	*ret_options = p.options;
	return result;
}
