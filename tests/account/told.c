/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the records of a report; ignores all other lines. */
#define _GNU_SOURCE
#include "told.h"

#include <err.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "libxfs/da.h"

static const char *const fates[] = { [LOST] = "lost", [CHANGED] = "changed", [GAINED] = "gained", "outdated" };
static const char *const whats[] = {
	[NAME] = "name", [DATA] = "data", [ATTRIBUTE] = "attribute", [TARGET] = "target", [INODE] = "inode"
};

/* The index of a word in a table, or -1. */
static int place_of(const char *word, const char *const *words, int count)
{
	for (int i = 0; i < count; i++)
		if (word && !strcmp(word, words[i]))
			return i;
	return -1;
}

/* A number, which is a string if it is beyond 2^63; NOTHING if the key is missing or null. */
static uint64_t number(const json_t *o, const char *key)
{
	const json_t *value = json_object_get(o, key);

	if (json_is_string(value))
		return strtoull(json_string_value(value), NULL, 10);
	return json_is_integer(value) ? (uint64_t)json_integer_value(value) : NOTHING;
}

/* A string, or an object with its bytes in hexadecimal if it is not UTF-8; NULL: none.  The caller frees it. */
static char *string(const json_t *o, const char *key)
{
	const json_t *value = json_object_get(o, key);
	const char *hex = json_string_value(json_object_get(value, "bytes"));
	char byte[3] = "";
	char *text;

	if (json_is_string(value))
		return strdup(json_string_value(value));
	if (!hex)
		return NULL;
	text = calloc(strlen(hex) / 2 + 1, 1);
	for (size_t i = 0; text && hex[2 * i]; i++) {
		memcpy(byte, hex + 2 * i, 2);
		text[i] = (char)strtoul(byte, NULL, 16);
	}
	return text;
}

/* The name of an attribute as the kernel lists it, from its name and flags on the disk. */
static char *listed(const char *name, uint64_t flags)
{
	char *text = NULL;

	if (!name || !*name)
		return NULL;
	if (flags & ATTR_ROOT && !strcmp(name, "SGI_ACL_FILE"))
		return strdup("system.posix_acl_access");
	if (flags & ATTR_ROOT && !strcmp(name, "SGI_ACL_DEFAULT"))
		return strdup("system.posix_acl_default");
	if (asprintf(&text, "%s.%s",
		     flags & ATTR_ROOT	   ? "trusted"
		     : flags & ATTR_SECURE ? "security"
					   : "user",
		     name) < 0)
		err(2, "%s", name);
	return text;
}

static void read_ranges(struct told *told, const json_t *o)
{
	const json_t *ranges = json_object_get(o, "ranges");

	told->nranges = json_array_size(ranges);
	told->ranges = calloc(told->nranges + 1, sizeof(*told->ranges));
	for (size_t i = 0; i < told->nranges; i++) {
		const json_t *range = json_array_get(ranges, i);

		told->ranges[i].from = number(range, "offset");
		told->ranges[i].to = told->ranges[i].from + number(range, "length");
	}
}

static void add(struct account *account, const json_t *o, enum fate fate)
{
	const int what = place_of(json_string_value(json_object_get(o, "what")), whats, INODE + 1);
	const char *reason = json_string_value(json_object_get(o, "reason"));
	const char *witness = json_string_value(json_object_get(o, "witness"));
	struct told told = { .fate = fate, .what = (enum what)what };
	char *name;

	if (what < 0 || !reason || !witness)
		errx(2, "a record that says too little");
	told.ino = number(o, "ino");
	told.dir = number(o, "directory");
	name = string(o, "name");
	told.now = string(o, "now");
	told.field = string(o, "field");
	told.leads_elsewhere = what == NAME && json_object_get(o, "new");
	told.counted = !strcmp(witness, "count");
	told.rebuilt = !strcmp(reason, "made_anew");
	told.guessed = !strcmp(reason, "guessed");
	told.unconfirmed = json_is_false(json_object_get(o, "confirmed")) || !strcmp(reason, "inode_impossible");
	told.has_path = !json_is_null(json_object_get(o, "path"));
	told.old = (int64_t)number(o, "old");
	told.new = (int64_t)number(o, "new");
	told.count = number(o, "count");
	told.name = what == ATTRIBUTE ? listed(name, number(o, "flags")) : name;
	if (what == ATTRIBUTE)
		free(name);
	read_ranges(&told, o);
	if (array_add(account->all, account->room, account->count, told))
		err(2, "%zu records", account->count);
}

static void read_figures(struct figures *f, const json_t *losses)
{
	const json_t *missing = json_object_get(losses, "missing");

	if (!json_is_object(losses))
		return;
	*f = (struct figures){ .known = true,
			       .missing_known = !json_is_null(json_object_get(missing, "most")),
			       .about = json_is_true(json_object_get(missing, "about")),
			       .in_place = number(losses, "in_place"),
			       .moved = number(losses, "moved"),
			       .damaged = number(losses, "damaged"),
			       .lost = number(losses, "lost"),
			       .missing = number(missing, "least") };
	f->missing_most = f->missing_known ? number(missing, "most") : f->missing;
}

void account_read(struct account *account, const char *file)
{
	FILE *f = fopen(file, "r");
	char *line = NULL;
	size_t room = 0;

	*account = (struct account){ 0 };
	if (!f)
		err(2, "%s", file);
	while (getline(&line, &room, f) > 0) {
		json_t *o = json_loads(line, JSON_ALLOW_NUL, NULL);
		const int fate = place_of(json_string_value(json_object_get(o, "type")), fates, OUTDATED + 1);

		if (!o)
			errx(2, "%s: no JSON: %s", file, line);
		if (fate >= 0)
			add(account, o, (enum fate)fate);
		read_figures(&account->figures, json_object_get(o, "losses"));
		json_decref(o);
	}
	free(line);
	fclose(f);
}

const char *told_words(const struct told *told)
{
	static char words[64];

	snprintf(words, sizeof(words), "%s %s", fates[told->fate], whats[told->what]);
	return words;
}
