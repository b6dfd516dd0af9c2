/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intend IMAGE {set|replace|remove INO NAME BYTES}...: writes a log with unfinished changes of attributes, as a kernel
 * leaves it that logs them (ondisk 11, ATTRI).  NAME includes its namespace.  The log must be clean, in its first lap.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "disk/attr.h"
#include "libxfs/da.h"
#include "disk/log_item.h"
#include "writer.h"

/* In the kernel's memory layout (64 bits, little-endian). */
struct attri {
	uint16_t type, size;
	uint32_t igen;
	uint64_t id, ino;
	uint32_t op, name_len, value_len, filter;
};
_Static_assert(sizeof(struct attri) == 40, "ATTRI");

static void add_region(struct log_item_data *item, const void *bytes, uint32_t len)
{
	uint32_t padded = (len + 3) / 4 * 4;
	uint8_t *copy = calloc(1, padded);

	if (!copy)
		err(1, "memory");
	memcpy(copy, bytes, len);
	item->region[item->regions].bytes = copy;
	item->region[item->regions++].len = padded;
}

static const char *split_name(const char *name, uint32_t *ret_filter)
{
	static const struct {
		const char *prefix;
		uint32_t filter;
	} spaces[] = { { "user.", 0 }, { "trusted.", ATTR_ROOT }, { "security.", ATTR_SECURE } };

	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
		if (strncmp(name, spaces[i].prefix, strlen(spaces[i].prefix)) != 0)
			continue;
		*ret_filter = spaces[i].filter;
		return name + strlen(spaces[i].prefix);
	}
	errx(1, "%s: no such namespace", name);
}

static uint32_t op_of(const char *word)
{
	if (!strcmp(word, "set"))
		return ATTRI_SET;
	if (!strcmp(word, "replace"))
		return ATTRI_REPLACE;
	if (!strcmp(word, "remove"))
		return ATTRI_REMOVE;
	errx(1, "%s: set, replace or remove", word);
}

static struct log_item_data item_of(char **words, uint64_t id)
{
	struct attri attri = { .type = LI_ATTRI, .id = id, .op = op_of(words[0]), .ino = strtoull(words[1], NULL, 10) };
	const char *name = split_name(words[2], &attri.filter);
	static uint8_t value[ATTR_MAX_VALUE];
	struct log_item_data item = { 0 };

	attri.name_len = (uint32_t)strlen(name);
	attri.value_len = (uint32_t)strtoul(words[3], NULL, 10);
	if (attri.value_len > sizeof(value))
		errx(1, "%s bytes are too many", words[3]);
	for (uint32_t i = 0; i < attri.value_len; i++)
		value[i] = (uint8_t)(i * 7 + id);
	attri.size = attri.value_len ? 3 : 2;
	add_region(&item, &attri, sizeof(attri));
	add_region(&item, name, attri.name_len);
	if (attri.value_len)
		add_region(&item, value, attri.value_len);
	return item;
}

int main(int argc, char **argv)
{
	const struct log_form form = { .checksums = true, .version = 2 };
	struct log_writer writer;
	struct log_image log;

	if (argc < 6 || argc % 4 != 2)
		errx(2, "usage: intend IMAGE {set|replace|remove INO NAME BYTES}...");
	log_image_open(&log, argv[1]);
	writer_start(&writer, &log, form);
	writer_append(&writer);
	for (int i = 2; i < argc; i += 4) {
		struct log_item_data item = item_of(argv + i, (uint64_t)i);

		writer_transaction(&writer, &item, 1);
	}
	writer_end(&writer);
	log_image_close(&log);
	return 0;
}
