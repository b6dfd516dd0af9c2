/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of --list, and of what goes with it: fields, names and filters. */
#define _GNU_SOURCE 1 /* strptime(), timegm() */

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "inventory/list/list_lines.h"
#include "libxfs/dinode.h"
#include "option_parser.h"

static enum options_result set_list(struct parser *p, const char *value)
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
	return option_refuse(p, "--list: '%s' is none of text, tsv, csv, json, paths0", value);
}

static enum options_result set_list_names(struct parser *p, const char *value)
{
	if (strcmp(value, "all") != 0 && strcmp(value, "one") != 0)
		return option_refuse(p, "--list-names: '%s' is none of all, one", value);
	p->options.query.one_name = value[0] == 'o';
	return OPTIONS_RUN;
}

static enum options_result set_fields(struct parser *p, const char *list)
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
			return option_refuse(p, "--fields: there is no field '%.*s'", (int)len, list);
		if (q->nfields == LIST_FIELD_NR)
			return option_refuse(p, "--fields: more than %d fields", LIST_FIELD_NR);
		q->fields[q->nfields++] = (uint8_t)i;
		list += len;
		if (!*list)
			return OPTIONS_RUN;
	}
}

static enum options_result set_types(struct parser *p, const char *list)
{
	for (const char *at = list; at[0]; at += at[1] ? 2 : 1) {
		enum ftype type = FT_REG;

		while (type < FT_WHITEOUT && list_type_letter(type) != at[0])
			type++;
		if (type == FT_WHITEOUT || (at[1] && (at[1] != ',' || !at[2])))
			return option_refuse(p, "--type: '%s' is no list of f, d, l, c, b, p, s", list);
		p->options.query.filter.types |= 1u << type;
	}
	return list[0] ? OPTIONS_RUN : option_refuse(p, "--type: the list is empty");
}

/* Parse a time: @SECONDS, or a date, with or without a time of the day, in local time, or with a Z in UTC. */
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
	return option_refuse(p, "%s: '%s' is no time: give YYYY-MM-DD, 'YYYY-MM-DD HH:MM[:SS][Z]' or @SECONDS", name,
			     text);
}

/* Parse the number of a user, group or project, or the name of one on this machine. */
static enum options_result set_id(const struct parser *p, int key, const char *text, uint32_t *ret)
{
	const char *name = key == KEY_USER ? "--user" : key == KEY_GROUP ? "--group" : "--project";
	const struct passwd *user = key == KEY_USER ? getpwnam(text) : NULL;
	const struct group *group = key == KEY_GROUP ? getgrnam(text) : NULL;
	uint64_t number = 0;
	enum options_result result;

	if (option_is_digits(text)) {
		result = option_set_number(p, name, text, 0, UINT32_MAX, &number);
		*ret = (uint32_t)number;
		return result;
	}
	if (!user && !group)
		return option_refuse(p, "%s: '%s' is neither a number nor a name that this machine knows", name, text);
	*ret = user ? user->pw_uid : group->gr_gid;
	return OPTIONS_RUN;
}

static enum options_result set_under(struct parser *p, const char *path)
{
	if (path[0] != '/')
		return option_refuse(p, "--under: '%s' is no path from the root of the file system", path);
	p->options.query.filter.under = path;
	return OPTIONS_RUN;
}

static enum options_result set_filter(struct parser *p, int key, const char *value)
{
	struct list_filter *f = &p->options.query.filter;

	switch (key) {
	case KEY_TYPE:
		return set_types(p, value);
	case KEY_NEWER:
		f->newer = true;
		return set_time(p, "--newer", value, &f->after);
	case KEY_OLDER:
		f->older = true;
		return set_time(p, "--older", value, &f->before);
	case KEY_LARGER:
		f->larger = true;
		return option_set_size(p, "--larger", value, &f->above);
	case KEY_SMALLER:
		f->smaller = true;
		return option_set_size(p, "--smaller", value, &f->below);
	case KEY_USER:
		f->user = true;
		return set_id(p, key, value, &f->uid);
	case KEY_GROUP:
		f->group = true;
		return set_id(p, key, value, &f->gid);
	case KEY_PROJECT:
		f->project = true;
		return set_id(p, key, value, &f->projid);
	case KEY_UNDER:
		return set_under(p, value);
	default:
		return OPTIONS_USAGE;
	}
}

enum options_result option_list(struct parser *p, int key, const char *value)
{
	switch (key) {
	case KEY_LIST:
		return set_list(p, value);
	case KEY_LIST_NAMES:
		return set_list_names(p, value);
	case KEY_FIELDS:
		return set_fields(p, value);
	default:
		return set_filter(p, key, value);
	}
}
