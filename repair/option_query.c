/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of options that ask something about the files (query.h). */
#include <string.h>

#include "inventory/numbers_asked.h"
#include "option_parser.h"

static enum options_result set_list(struct parser *p, const char *value)
{
	static const char *const names[] = { [LIST_TEXT] = "text",
					     [LIST_TSV] = "tsv",
					     [LIST_CSV] = "csv",
					     [LIST_JSON] = "json",
					     [LIST_PATHS0] = "paths0" };

	for (unsigned i = LIST_TEXT; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value[0] ? value : "text", names[i]))
			continue;
		p->options.query.list = (enum list_format)i;
		return OPTIONS_RUN;
	}
	return option_refuse(p, "--list: '%s' is none of text, tsv, csv, json, paths0", value);
}

/* Refuse a list with anything but numbers in it; a file with them is read later. */
static enum options_result set_name_of(struct parser *p, const char *value)
{
	struct numbers_asked numbers = { 0 };
	char why[NUMBERS_WHY];
	int ret = 0;

	if (value[0] != '@' || !value[1])
		ret = numbers_asked_read(value, &numbers, why);
	numbers_asked_free(&numbers);
	if (ret)
		return option_refuse(p, "--name-of: %s", why);
	p->options.query.name_of = value;
	return OPTIONS_RUN;
}

enum options_result option_query(struct parser *p, int key, const char *value)
{
	switch (key) {
	case KEY_LIST:
		return set_list(p, value);
	case KEY_NAME_OF:
		return set_name_of(p, value);
	default:
		return OPTIONS_USAGE;
	}
}
