/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots of logical volumes, thick and thin, by lvm(8), which freezes the file system by itself. They are read-only,
 * so that nobody mounts one by mistake and replays its log into it.
 * - lvcreate is never killed: that can leave the volume suspended, with all writers blocked. What it leaves behind is
 *   found by tag, not by origin, which it may have lost.
 * - All reads from a full thick snapshot fail. So findings are void unless it is valid at the end.
 * - A full thin pool shuts down the mounted file system. So the pool must have room, and is monitored.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot.h"
#include "tool.h"

#define TAG	       "xfsck.audit="
#define FULL_BEFORE    80.0 /* percent of a thin pool in use: above it no snapshot is made ... */
#define FULL_MEANWHILE 95.0 /* ... and above this it is removed */
#define REMOVE_TRIES   15

/* Without udev nothing else creates device nodes, and lvcreate would wait for them or fail. */
static const char *lvm_config(void)
{
	return access("/run/udev/control", F_OK) ? "activation{udev_sync=0 udev_rules=0}" : "activation{udev_sync=1}";
}

/* Lists fields of a volume, or of those with a tag, by lvs(8): a line for each, with '|' between fields. */
static int ask(const char *what, const char *fields, const char *select, char *answer, size_t room, char *message,
	       size_t size)
{
	const char *const argv[] = { "lvs", "--noheadings", "--nosuffix", "--units", "b",  "--separator", "|",
				     "-o",  fields,	    "--select",	  select,    "--", what,	  NULL };

	return tool_read(argv, answer, room, message, size);
}

/* Returns the next field, and advances *at. */
static const char *next_field(char **at)
{
	char *field = *at + strspn(*at, " \n");
	char *end = field + strcspn(field, "|\n");

	*at = *end ? end + 1 : end;
	*end = '\0';
	return field;
}

static int remove_lv(const char *name, char *message, size_t size)
{
	const char *const argv[] = { "lvremove", "-q", "-y", "--config", lvm_config(), "--", name, NULL };

	return snapshot_try(argv, REMOVE_TRIES, message, size);
}

/* Removes snapshots of this volume that killed runs left behind. */
static int tidy(const struct volume *v, char *message, size_t size)
{
	char answer[4096], select[VOLUME_LV + 64], name[2 * VOLUME_LV], *at = answer;
	int ret;

	snprintf(select, sizeof(select), "tags=\"" TAG "%s\"", v->lv);
	ret = ask(v->vg, "lv_name", select, answer, sizeof(answer), message, size);
	while (!ret && *(at += strspn(at, " \n"))) {
		snprintf(name, sizeof(name), "%s/%s", v->vg, next_field(&at));
		ret = remove_lv(name, message, size);
	}
	return ret;
}

/* Checks that the volume is not suspended. A killed lvcreate leaves it suspended, and it must not be touched then. */
static int check_running(const struct volume *v, char *message, size_t size)
{
	const char *const argv[] = {
		"dmsetup", "info", "-c", "--noheadings", "-o", "suspended", "--", v->device, NULL
	};
	char answer[64];
	const int ret = tool_read(argv, answer, sizeof(answer), message, size);

	if (ret || strncmp(answer, "Suspended", 9) != 0)
		return ret;
	snprintf(message, size,
		 "%s/%s is suspended: all that write to it wait. If nothing else is at work on it: dmsetup clear %s; "
		 "dmsetup resume %s",
		 v->vg, v->lv, v->device, v->device);
	return -EBUSY;
}

/* Gets the usage of a thin pool in percent: the higher one of its data and metadata. */
static int pool_use(const char *vg, const char *pool, double *ret_percent, char *message, size_t size)
{
	char name[2 * VOLUME_LV], answer[128], *at = answer;
	double data, metadata;
	int ret;

	snprintf(name, sizeof(name), "%s/%s", vg, pool);
	ret = ask(name, "data_percent,metadata_percent", "", answer, sizeof(answer), message, size);
	if (ret)
		return ret;
	data = strtod(next_field(&at), NULL);
	metadata = strtod(next_field(&at), NULL);
	*ret_percent = data > metadata ? data : metadata;
	return 0;
}

static int check_pool(const char *vg, const char *pool, double limit, char *message, size_t size)
{
	double percent;
	const int ret = pool_use(vg, pool, &percent, message, size);

	if (ret || percent < limit)
		return ret;
	snprintf(message, size,
		 "the thin pool %s/%s is %.0f %% full: a snapshot could fill it, which shuts down what is mounted from "
		 "it",
		 vg, pool, percent);
	return -ENOSPC;
}

/* Finds the thin pool of a volume; "": thick. */
static int find_pool(const struct volume *v, char pool[static VOLUME_LV], char *message, size_t size)
{
	char name[2 * VOLUME_LV], answer[512], *at = answer;
	int ret;

	snprintf(name, sizeof(name), "%s/%s", v->vg, v->lv);
	ret = ask(name, "pool_lv,segtype", "", answer, sizeof(answer), message, size);
	if (ret)
		return ret;
	snprintf(pool, VOLUME_LV, "%s", next_field(&at));
	if (strcmp(next_field(&at), "thin") != 0)
		pool[0] = '\0';
	return 0;
}

/* Creates a snapshot; option, value: additional arguments of lvcreate(8). */
static int create(const struct volume *v, const char *snapshot, const char *tag, const char *option, const char *value,
		  char *message, size_t size)
{
	char origin[2 * VOLUME_LV];
	const char *const argv[] = { "lvcreate", "-q",	       "-y",	   "-s",   "-p", "r",
				     "--config", lvm_config(), "--addtag", tag,	   "-n", snapshot,
				     option,	 value,	       "--",	   origin, NULL };

	snprintf(origin, sizeof(origin), "%s/%s", v->vg, v->lv);
	return tool_run(argv, message, size);
}

/* Makes it as large as the volume, so that it cannot overflow, or else as large as possible. */
static int create_thick(const struct volume *v, const char *snapshot, const char *tag, char *message, size_t size)
{
	const int ret = create(v, snapshot, tag, "-l", "100%ORIGIN", message, size);

	return ret == -EIO ? create(v, snapshot, tag, "-l", "80%FREE", message, size) : ret;
}

/* Without -k n it would not be activated. */
static int create_thin(const struct volume *v, const char *snapshot, const char *tag, char *message, size_t size)
{
	return create(v, snapshot, tag, "-k", "n", message, size);
}

static int make(const struct volume *v, struct snapshot *snapshot, char *message, size_t size)
{
	char pool[VOLUME_LV], name[VOLUME_LV], tag[VOLUME_LV + sizeof(TAG)];
	char ignored[256];
	int ret = v->lv[0] ? check_running(v, message, size) : -ENODEV;

	if (!ret)
		ret = tidy(v, message, size);
	if (!ret)
		ret = find_pool(v, pool, message, size);
	if (!ret && pool[0])
		ret = check_pool(v->vg, pool, FULL_BEFORE, message, size);
	if (ret)
		return ret;
	snprintf(name, sizeof(name), VOLUME_OURS "%u-%u", (unsigned)v->dev, (unsigned)getpid());
	snprintf(tag, sizeof(tag), TAG "%s", v->lv);
	snprintf(snapshot->name, sizeof(snapshot->name), "%s/%s", v->vg, name);
	snprintf(snapshot->device, sizeof(snapshot->device), "/dev/%s/%s", v->vg, name);
	ret = pool[0] ? create_thin(v, name, tag, message, size) : create_thick(v, name, tag, message, size);
	if (ret) /* it may exist nevertheless */
		tidy(v, ignored, sizeof(ignored));
	return ret;
}

static int look(const struct snapshot *s, char *message, size_t size)
{
	char answer[512], pool[VOLUME_LV], *at = answer;
	int ret = ask(s->name, "lv_snapshot_invalid,pool_lv", "", answer, sizeof(answer), message, size);
	bool invalid;

	if (ret)
		return ret;
	invalid = strstr(next_field(&at), "invalid");
	snprintf(pool, sizeof(pool), "%s", next_field(&at));
	if (pool[0])
		return check_pool(s->of->vg, pool, FULL_MEANWHILE, message, size);
	if (!invalid)
		return 0;
	snprintf(message, size,
		 "the snapshot of %s was full before the check was over: what it found does not count. Give %s more "
		 "free "
		 "space, or audit it when less is written",
		 s->of->mount, s->of->vg);
	return -EOVERFLOW;
}

static int drop(struct snapshot *snapshot, char *message, size_t size)
{
	return remove_lv(snapshot->name, message, size);
}

const struct snapshot_kind snapshot_lvm = { .name = "lvm", .make = make, .look = look, .remove = drop };
