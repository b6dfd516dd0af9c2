/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of options that ask something about the files (query.h). */
#include <string.h>

#include "inventory/names/numbers_asked.h"
#include "inventory/places/where.h"
#include "option_parser.h"
#include "report/words.h"

/* Take places, or @FILE with places, which is read later. */
static enum options_result set_owner_of(struct parser *p, const char *value)
{
	struct where_list places = { 0 };
	struct words why = { 0 };
	const int ret = value[0] == '@' ? 0 : where_list_parse(&places, value, &why);

	where_list_free(&places);
	if (ret)
		return option_refuse(p, "--owner-of: %s", why.text);
	p->options.query.owner_of = value;
	return OPTIONS_RUN;
}

/* Take a path, which begins at the root, or the number of an inode. */
static enum options_result set_map(struct parser *p, const char *value)
{
	uint64_t ino;

	if (value[0] != '/' && !where_number(value, strlen(value), &ino))
		return option_refuse(p,
				     "--map: '%s' is neither a path from the root, which begins with /, nor the number "
				     "of an inode",
				     value);
	p->options.query.map = value;
	return OPTIONS_RUN;
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
	case KEY_BAD_BLOCK_SIZE:
		return option_set_number(p, "--bad-block-size", value, 1, 1u << 30, &p->options.query.bad_block_size);
	case KEY_MAP:
		return set_map(p, value);
	case KEY_OWNER_OF:
		return set_owner_of(p, value);
	case KEY_SUMMARY:
		p->options.query.summary = true;
		p->options.query.summary_depth = 1;
		return value[0]
			       ? option_set_unsigned(p, "--summary", value, 0, 1000000, &p->options.query.summary_depth)
			       : OPTIONS_RUN;
	case KEY_NAME_OF:
		return set_name_of(p, value);
	default:
		return option_list(p, key, value);
	}
}
