/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the values of options, and refuses wrong ones with a message. */
#define _GNU_SOURCE 1 /* strptime(), timegm() */

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ask/list/list.h"
#include "ask/names/numbers_asked.h"
#include "ask/places/where.h"
#include "libxfs/dinode.h"
#include "option_table.h"
#include "report/explain.h"
#include "report/quote.h"
#include "report/words.h"
#include "sandbox/sandbox.h"
#include "units.h"

enum options_result option_refuse(const struct parser *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	quote_vsaid(p->err, p->options.program, format, args);
	va_end(args);
	fprintf(p->err, "Try '%s --help'.\n", p->options.program);
	return OPTIONS_USAGE;
}

/* Parses a whole number from min to max; as in xfs_repair, 0x in front means hexadecimal, and 0 octal. */
static bool parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *ret_number)
{
	unsigned long long number;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	number = strtoull(text, &end, 0);
	if (errno || *end || number < min || number > max)
		return false;
	*ret_number = number;
	return true;
}

static bool parse_size(const char *text, bool sectors, const char **ret_end, uint64_t *ret_bytes)
{
	static const char units[] = "kMGTP";
	unsigned long long number;
	const char *unit;
	unsigned shift = 0;
	char *end;

	errno = 0;
	number = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
	if (unit)
		shift = 10 * (unsigned)(unit - units + 1);
	else if (sectors && *end == 's')
		shift = SECTOR_LOG;
	*ret_end = end + (shift ? 1 : 0);
	*ret_bytes = (uint64_t)number << shift;
	return !errno && end != text && isdigit((unsigned char)text[0]) && number <= UINT64_MAX >> shift;
}

static enum options_result set_size(const struct parser *p, const char *name, const char *text, uint64_t *ret_bytes)
{
	const char *end;

	if (!parse_size(text, false, &end, ret_bytes) || *end)
		return option_refuse(p, "%s: '%s' is no size: give bytes, or a number with k, M, G, T or P", name,
				     text);
	return OPTIONS_RUN;
}

bool option_is_digits(const char *text)
{
	return text[0] && !text[strspn(text, "0123456789")];
}

static enum options_result set_number(const struct parser *p, const char *name, const char *text, uint64_t min,
				      uint64_t max, uint64_t *ret_number)
{
	if (parse_number(text, min, max, ret_number))
		return OPTIONS_RUN;
	return option_refuse(p, "%s: '%s' is not a number from %llu to %llu", name, text, (unsigned long long)min,
			     (unsigned long long)max);
}

static enum options_result set_unsigned(const struct parser *p, const char *name, const char *text, unsigned min,
					unsigned max, unsigned *ret_number)
{
	uint64_t number = 0;
	enum options_result result = set_number(p, name, text, min, max, &number);

	if (result == OPTIONS_RUN)
		*ret_number = (unsigned)number;
	return result;
}

static enum options_result set_choice(const struct parser *p, const char *name, const char *text,
				      const char *const words[], unsigned *ret_choice)
{
	char all[128] = "";
	size_t len = 0;

	for (unsigned i = 0; words[i]; i++) {
		if (!strcmp(text, words[i])) {
			*ret_choice = i;
			return OPTIONS_RUN;
		}
		if (len < sizeof(all))
			len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i ? ", " : "", words[i]);
	}
	return option_refuse(p, "%s: '%s' is none of %s", name, text, all);
}

/* Parses a time: @SECONDS, or a date with or without a time of day, in local time, or with a Z in UTC. */
static enum options_result set_time(const struct parser *p, const char *name, const char *text, int64_t *ret)
{
	static const char *const formats[] = { "%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S",
					       "%Y-%m-%dT%H:%M:%S" };
	char *end;

	if (text[0] == '@') {
		errno = 0;
		*ret = strtoll(text + 1, &end, 10);
		if (!errno && end != text + 1 && !*end)
			return OPTIONS_RUN;
	}
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct tm tm = { .tm_isdst = -1 };
		const char *rest = strptime(text, formats[i], &tm);

		if (!rest || (rest[0] && strcmp(rest, "Z") != 0))
			continue;
		*ret = rest[0] ? timegm(&tm) : mktime(&tm);
		return OPTIONS_RUN;
	}
	return option_refuse(p, "%s: '%s' is not a time: use YYYY-MM-DD, 'YYYY-MM-DD HH:MM[:SS][Z]' or @SECONDS", name,
			     text);
}

/* Takes a name. Refuses an empty one: a script with an unset variable would lose the option silently. */
static enum options_result set_name(const struct parser *p, const char *name, const char *text, const char **ret_name)
{
	if (!text[0])
		return option_refuse(p, "%s: the name is empty", name);
	*ret_name = text;
	return OPTIONS_RUN;
}

enum options_result option_apply(struct parser *p, const struct option_value *v, const char *name, const char *value)
{
	void *at = (char *)&p->options + v->sets;

	if (v->given)
		*(bool *)((char *)&p->options + v->given) = true;
	switch (v->type) {
	case OPTION_NOTHING:
		return OPTIONS_RUN;
	case OPTION_FLAG:
		*(bool *)at = true;
		return OPTIONS_RUN;
	case OPTION_COUNT:
		++*(unsigned *)at;
		return OPTIONS_RUN;
	case OPTION_NAME:
		return set_name(p, name, value ? value : "-", at);
	case OPTION_UNSIGNED:
		return set_unsigned(p, name, value, (unsigned)v->min, (unsigned)v->max, at);
	case OPTION_NUMBER:
		return set_number(p, name, value, v->min, v->max, at);
	case OPTION_SIZE:
		return set_size(p, name, value, at);
	case OPTION_TIME:
		return set_time(p, name, value, at);
	case OPTION_CHOICE:
		return set_choice(p, name, value, v->words, at);
	default:
		return v->parse(p, name, value ? value : "");
	}
}

/* ---- modes ---- */

/* Parses one NAME=VALUE of -c. */
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
		/* scripts probe like this, with a value that is never valid, whether a program knows a feature */
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

/* Parses a comma-separated list, item by item. */
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

enum options_result option_features(struct parser *p, const char *name, const char *value)
{
	(void)name;
	return parse_list(p, 'c', value, parse_feature);
}

/* Parses the value of --undo: "auto", "none", or the name of a file ("./auto" for one with such a name). */
enum options_result option_undo(struct parser *p, const char *name, const char *text)
{
	struct options *o = &p->options;

	if (!strcmp(text, "auto") || !strcmp(text, "none")) {
		o->keep = text[0] == 'a' ? UNDO_AUTO : UNDO_NONE;
		return OPTIONS_RUN;
	}
	o->keep = UNDO_FILE;
	return set_name(p, name, text, &o->undo);
}

enum options_result option_exit_codes(struct parser *p, const char *name, const char *text)
{
	static const char *const names[] = { "auto", "xfs_repair", "fsck", NULL };
	unsigned choice = 0;
	enum options_result result = set_choice(p, name, text, names, &choice);

	if (result == OPTIONS_RUN && choice)
		p->options.fsck_codes = choice == 2;
	return result;
}

/* In xfs_repair, -f means that the device is a regular file: xfsck sees that for itself. */
enum options_result option_force(struct parser *p, const char *name, const char *value)
{
	(void)name;
	(void)value;
	p->force = p->who == FSCK;
	return OPTIONS_RUN;
}

enum options_result option_yes(struct parser *p, const char *name, const char *value)
{
	(void)name;
	(void)value;
	p->repair = true;
	return OPTIONS_RUN;
}

enum options_result option_automatic(struct parser *p, const char *name, const char *value)
{
	(void)name;
	(void)value;
	p->automatic = true;
	return OPTIONS_RUN;
}

/* ---- devices and output ---- */

/* Parses the value of --offset: where the file system begins, and optionally its size. */
enum options_result option_offset(struct parser *p, const char *name, const char *text)
{
	struct options *o = &p->options;
	const char *end;
	bool good = parse_size(text, true, &end, &o->offset);

	if (good && *end == ':')
		good = parse_size(end + 1, true, &end, &o->size) && o->size;
	if (!good || *end)
		return option_refuse(
			p,
			"--offset: '%s' is no BYTES[:SIZE]: each a number, or one with k, M, G, T, P, or s "
			"(sectors of 512 bytes)",
			text);
	if ((o->offset | o->size) % SECTOR_SIZE || o->offset > INT64_MAX || o->size > INT64_MAX - o->offset)
		return option_refuse(p, "%s: '%s' is no whole number of sectors of 512 bytes, or too large", name,
				     text);
	return OPTIONS_RUN;
}

/* Parses the value of -C, which is optional. */
enum options_result option_progress_fd(struct parser *p, const char *name, const char *text)
{
	unsigned *fd = &p->options.progress_fd;
	enum options_result result = text[0] ? set_unsigned(p, name, text, 0, INT_MAX, fd) : OPTIONS_RUN;

	if (result == OPTIONS_RUN && fcntl((int)*fd, F_GETFD) < 0)
		return option_refuse(p, "%s: there is no open descriptor %u", name, *fd);
	return result;
}

/* Explains findings, and does nothing else. */
enum options_result option_explain(struct parser *p, const char *name, const char *list)
{
	bool chosen[FINDING_NR] = { 0 };
	struct words why = { 0 };

	if (!explain_choose(list, chosen, &why))
		return option_refuse(p, "%s: %s", name, why.text);
	explain_print(p->out, chosen);
	return OPTIONS_DONE;
}

enum options_result option_report(struct parser *p, const char *name, const char *value)
{
	static const char *const formats[] = {
		[REPORT_JUNIT] = "junit",
		[REPORT_TAP] = "tap",
		[REPORT_METRICS] = "openmetrics",
	};
	const size_t length = strcspn(value, ":");
	struct options *o = &p->options;

	o->report = REPORT_TEXT;
	for (size_t i = REPORT_TEXT + 1; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (length == strlen(formats[i]) && !strncmp(value, formats[i], length))
			o->report = (enum report_format)i;
	if (o->report == REPORT_TEXT)
		return option_refuse(
			p, "%s: '%s' is none of junit, tap and openmetrics, nor one of them with :FILE; JSON is --json",
			name, value);
	if (value[length] && !value[length + 1])
		return option_refuse(p, "%s: the name of the file is empty", name);
	o->report_file = value[length] ? value + length + 1 : NULL;
	return OPTIONS_RUN;
}

enum options_result option_limit(struct parser *p, const char *name, const char *value)
{
	const enum options_result result = set_unsigned(p, name, value, 1, 1000000, &p->options.limit);

	p->options.query.top = p->options.limit;
	return result;
}

enum options_result option_memory(struct parser *p, const char *name, const char *value)
{
	uint64_t number = 0;
	const enum options_result result = set_number(p, name, value, 0, 1u << 30, &number);

	p->options.memory_bytes = number << 20;
	return result;
}

/* Prints which kinds of devices and archives this build supports. */
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

enum options_result option_version(struct parser *p, const char *name, const char *value)
{
	(void)name;
	(void)value;
	fprintf(p->out, "xfsck version %s\n", XFSCK_VERSION);
	print_inputs(p->out);
	fprintf(p->out, "sandbox: %s\n", sandbox_built() ? sandbox_built() : "none, because of sanitizers");
	return OPTIONS_DONE;
}

/* ---- questions about files (query.h) ---- */

enum options_result option_list(struct parser *p, const char *name, const char *value)
{
	static const char *const names[] = { [LIST_TEXT] = "text",
					     [LIST_TSV] = "tsv",
					     [LIST_CSV] = "csv",
					     [LIST_JSON] = "json",
					     [LIST_PATHS0] = "paths0" };

	for (unsigned i = LIST_TEXT; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value[0] ? value : "text", names[i]) != 0)
			continue;
		p->options.query.list = (enum list_format)i;
		return OPTIONS_RUN;
	}
	return option_refuse(p, "%s: '%s' should be text, tsv, csv, json or paths0", name, value);
}

enum options_result option_list_names(struct parser *p, const char *name, const char *value)
{
	if (strcmp(value, "all") != 0 && strcmp(value, "one") != 0)
		return option_refuse(p, "%s: '%s' should be all or one", name, value);
	p->options.query.one_name = value[0] == 'o';
	return OPTIONS_RUN;
}

enum options_result option_fields(struct parser *p, const char *name, const char *list)
{
	struct query *q = &p->options.query;

	for (;; list++) {
		const size_t len = strcspn(list, ",");
		unsigned i;

		for (i = 0; i < LIST_FIELD_NR; i++)
			if (strlen(list_field_name((enum list_field)i)) == len &&
			    !memcmp(list, list_field_name((enum list_field)i), len))
				break;
		if (i == LIST_FIELD_NR)
			return option_refuse(p, "%s: there is no field '%.*s'", name, (int)len, list);
		if (q->nfields == LIST_FIELD_NR)
			return option_refuse(p, "%s: more than %d fields", name, LIST_FIELD_NR);
		q->fields[q->nfields++] = (uint8_t)i;
		list += len;
		if (!*list)
			return OPTIONS_RUN;
	}
}

enum options_result option_with(struct parser *p, const char *name, const char *list)
{
	struct query *q = &p->options.query;

	for (;; list++) {
		const size_t len = strcspn(list, ",");

		if (len == 5 && !memcmp(list, "flags", len))
			q->with_flags = true;
		else if (len == 8 && !memcmp(list, "projects", len))
			q->with_projects = true;
		else
			return option_refuse(p, "%s: '%.*s' should be flags or projects", name, (int)len, list);
		list += len;
		if (!*list)
			return OPTIONS_RUN;
	}
}

enum options_result option_types(struct parser *p, const char *name, const char *list)
{
	for (const char *at = list; at[0]; at += at[1] ? 2 : 1) {
		enum ftype type = FT_REG;

		while (type < FT_WHITEOUT && list_type_letter(type) != at[0])
			type++;
		if (type == FT_WHITEOUT || (at[1] && (at[1] != ',' || !at[2])))
			return option_refuse(p, "%s: '%s' should be a list of f, d, l, c, b, p, s", name, list);
		p->options.query.filter.types |= 1u << type;
	}
	return list[0] ? OPTIONS_RUN : option_refuse(p, "%s: the list is empty", name);
}

enum options_result option_under(struct parser *p, const char *name, const char *path)
{
	if (path[0] != '/')
		return option_refuse(p, "%s: '%s' should be a path that starts with /", name, path);
	p->options.query.filter.under = path;
	return OPTIONS_RUN;
}

/* Parses the id of a user, group or project; known: the id of a name on this machine, NULL: it is none. */
static enum options_result set_id(const struct parser *p, const char *name, const char *text, const uint32_t *known,
				  uint32_t *ret)
{
	if (option_is_digits(text))
		return set_unsigned(p, name, text, 0, UINT32_MAX, ret);
	if (!known)
		return option_refuse(p, "%s: '%s' is neither a number nor a name known here", name, text);
	*ret = *known;
	return OPTIONS_RUN;
}

enum options_result option_user(struct parser *p, const char *name, const char *value)
{
	const struct passwd *user = getpwnam(value);

	p->options.query.filter.user = true;
	return set_id(p, name, value, user ? &user->pw_uid : NULL, &p->options.query.filter.uid);
}

enum options_result option_group(struct parser *p, const char *name, const char *value)
{
	const struct group *group = getgrnam(value);

	p->options.query.filter.group = true;
	return set_id(p, name, value, group ? &group->gr_gid : NULL, &p->options.query.filter.gid);
}

enum options_result option_project(struct parser *p, const char *name, const char *value)
{
	p->options.query.filter.project = true;
	return set_id(p, name, value, NULL, &p->options.query.filter.projid);
}

/* Checks a list of places; that in an @FILE is read later. */
enum options_result option_owner_of(struct parser *p, const char *name, const char *value)
{
	struct where_list places = { 0 };
	struct words why = { 0 };
	const int ret = value[0] == '@' ? 0 : where_list_parse(&places, value, &why);

	where_list_free(&places);
	if (ret)
		return option_refuse(p, "%s: %s", name, why.text);
	p->options.query.owner_of = value;
	return OPTIONS_RUN;
}

/* Takes an absolute path or an inode number. */
enum options_result option_map(struct parser *p, const char *name, const char *value)
{
	uint64_t ino;

	if (value[0] != '/' && !where_number(value, strlen(value), &ino))
		return option_refuse(p, "%s: '%s' should be a path that starts with / or an inode number", name, value);
	p->options.query.map = value;
	return OPTIONS_RUN;
}

/* Checks a list of inode numbers; that in an @FILE is read later. */
enum options_result option_name_of(struct parser *p, const char *name, const char *value)
{
	struct numbers_asked numbers = { 0 };
	char why[NUMBERS_WHY];
	int ret = 0;

	if (value[0] != '@' || !value[1])
		ret = numbers_asked_read(value, &numbers, why);
	numbers_asked_free(&numbers);
	if (ret)
		return option_refuse(p, "%s: %s", name, why);
	p->options.query.name_of = value;
	return OPTIONS_RUN;
}

enum options_result option_summary(struct parser *p, const char *name, const char *value)
{
	struct query *q = &p->options.query;

	q->summary = true;
	q->summary_depth = 1;
	return value[0] ? set_unsigned(p, name, value, 0, 1000000, &q->summary_depth) : OPTIONS_RUN;
}

/* ---- tuning ---- */

/* In xfs_repair, -1 means no threads of its own; here, that AGs share no disk. */
static enum options_result set_ag_stride(struct parser *p, const char *name, const char *value)
{
	return strcmp(value, "-1") != 0 ? set_unsigned(p, name, value, 0, UINT32_MAX, &p->options.ag_stride)
					: OPTIONS_RUN;
}

static enum options_result set_read_requests(struct parser *p, const char *name, const char *value)
{
	p->options.requests_given = true;
	return set_unsigned(p, name, value, 0, 1000000, &p->options.read_requests);
}

static enum options_result set_read_share(struct parser *p, const char *name, const char *value)
{
	p->options.share_given = true;
	return set_unsigned(p, name, value, 0, 100, &p->options.read_share);
}

static enum options_result take_bhash(struct parser *p, const char *name, const char *value)
{
	uint64_t number;
	const enum options_result result = set_number(p, name, value, 0, UINT64_MAX, &number);

	if (result == OPTIONS_RUN)
		fprintf(p->err, "%s: %s is accepted and ignored\n", p->options.program, name);
	return result;
}

/* Checks and ignores options that tune the internals of xfs_repair. */
static enum options_result take_number(struct parser *p, const char *name, const char *value)
{
	uint64_t number;

	return set_number(p, name, value, 0, UINT64_MAX, &number);
}

static const struct {
	const char *name;
	struct option_value value;
} tunings[] = {
	{ "ag_stride", PARSED(set_ag_stride) },
	{ "queue_depth", UNSIGNED(queue_depth, 1, 4096) },
	{ "merge_gap", NUMBER(merge_gap, 0, 1u << 30) },
	{ "medium", CHOICE(medium, "auto", "flash", "disk") },
	{ "read_rate", SIZE(read_rate, rate_given) },
	{ "read_requests", PARSED(set_read_requests) },
	{ "read_share", PARSED(set_read_share) },
	{ "io_timeout", UNSIGNED(io_timeout, 0, 86400) },
	{ "bhash", PARSED(take_bhash) },
	{ "phase2_threads", PARSED(take_number) },
	{ "debug_bload_leaf_slack", PARSED(take_number) },
	{ "debug_bload_node_slack", PARSED(take_number) },
	{ "noquota", FLAG(no_quota) },
	{ "force_geometry", FLAG(force_geometry) },
	{ "shrink", FLAG(shrink) },
	{ "assume_xfs", FLAG(assume_xfs) },
	{ "compare_books", FLAG(compare_books) },
};

/* Parses one NAME or NAME=VALUE of -o. */
static enum options_result parse_tuning(struct parser *p, const char *text)
{
	const size_t length = strcspn(text, "="), count = sizeof(tunings) / sizeof(tunings[0]);
	const char *value = text[length] ? text + length + 1 : NULL;
	bool flag;
	char name[40];
	unsigned i;

	for (i = 0; i < count; i++) {
		if (strlen(tunings[i].name) == length && !memcmp(tunings[i].name, text, length))
			break;
	}
	if (i == count)
		return option_refuse(p, "unknown option -o %s", text);
	if (p->tuned & 1u << i)
		return option_refuse(p, "-o %s is given twice", tunings[i].name);
	p->tuned |= 1u << i;
	flag = tunings[i].value.type == OPTION_FLAG;
	if (flag == !!value)
		return option_refuse(p, "-o %s %s value", tunings[i].name, flag ? "takes no" : "needs a");
	snprintf(name, sizeof(name), "-o %s", tunings[i].name);
	return option_apply(p, &tunings[i].value, name, value);
}

enum options_result option_tunings(struct parser *p, const char *name, const char *value)
{
	(void)name;
	return parse_list(p, 'o', value, parse_tuning);
}
