/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE 1

#include "history.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "report/json_in.h"

/* Findings are identified by id and place: a changed message, for example with another count, does not make one new. */
static int take_finding(struct history *h, const json_t *line)
{
	const char *id = json_in_text(line, "id");
	char *key;
	int ret;

	if (!id[0] || json_in_is(line, "severity", "note") || json_in_is(line, "severity", "preen"))
		return 0;
	if (!h->findings)
		h->findings = json_object();
	if (asprintf(&key, "%s: %s", id, json_in_text(line, "where")) < 0)
		return -ENOMEM;
	ret = json_object_set_new(h->findings, key, json_string(json_in_text(line, "message")));
	free(key);
	return ret ? -ENOMEM : 0;
}

static void keep_string(char *to, size_t size, const char *string)
{
	if (string && strlen(string) < size)
		memcpy(to, string, strlen(string) + 1);
}

int history_take(struct history *h, const json_t *line)
{
	if (!h->lines)
		h->lines = json_array();
	if (json_array_append(h->lines, (json_t *)line)) /* takes a reference, and changes nothing else */
		return -ENOMEM;
	if (json_in_is(line, "type", "run"))
		keep_string(h->start, sizeof(h->start), json_in_string(line, "start"));
	if (json_in_is(line, "type", "geometry"))
		keep_string(h->uuid, sizeof(h->uuid), json_in_string(line, "uuid"));
	return json_in_is(line, "type", "finding") ? take_finding(h, line) : 0;
}

int history_read(struct history *ret_history, const char *path)
{
	struct json_in in = { .in = fopen(path, "re") };
	json_t *line;
	int ret = 0;

	*ret_history = (struct history){ 0 };
	if (!in.in)
		return -errno;
	while (!ret && (line = json_in_next(&in))) {
		ret = history_take(ret_history, line);
		json_decref(line);
	}
	if (!ret)
		ret = in.error;
	if (!ret && !ret_history->start[0])
		ret = -EBADMSG;
	json_in_free(&in);
	fclose(in.in);
	return ret;
}

const char *history_path(const char *folder, const char *uuid, char buf[static HISTORY_PATH])
{
	snprintf(buf, HISTORY_PATH, "%s/%s.json", folder, uuid);
	return buf;
}

static int write_lines(const struct history *h, int fd)
{
	FILE *out = fdopen(dup(fd), "w");
	const json_t *line;
	size_t i;
	int ret = out ? 0 : -ENOMEM;

	if (ret)
		return ret;
	json_array_foreach(h->lines, i, line)
	{
		if (json_dumpf(line, out, JSON_COMPACT | JSON_ENSURE_ASCII) || fputc('\n', out) == EOF)
			ret = -EIO;
	}
	return fclose(out) ? -errno : ret;
}

int history_write(const struct history *h, const char *folder)
{
	struct replacement file;
	char path[HISTORY_PATH];
	const char *why;
	bool made;
	int fd = output_folder_make(folder, &made), ret;

	if (fd < 0)
		return fd;
	close(fd);
	ret = replacement_begin(history_path(folder, h->uuid, path), &file, &why);
	if (ret)
		return ret;
	fd = replacement_new(&file);
	ret = fd < 0 ? fd : write_lines(h, fd);
	if (!ret)
		ret = replacement_settle(&file, fd);
	else if (fd >= 0)
		replacement_drop(&file, fd);
	replacement_end(&file);
	return ret;
}

void history_free(struct history *h)
{
	json_decref(h->lines);
	json_decref(h->findings);
	*h = (struct history){ 0 };
}

bool history_is_fresh(const struct history *before, const char *key)
{
	return !json_object_get(before->findings, key);
}

struct history_change history_compare(const struct history *before, const struct history *now)
{
	struct history_change change = { 0 };
	const char *key;
	json_t *message;

	json_object_foreach(now->findings, key, message)
	{
		change.fresh += history_is_fresh(before, key);
		change.unchanged += !history_is_fresh(before, key);
	}
	change.gone = json_object_size(before->findings) - change.unchanged;
	return change;
}
