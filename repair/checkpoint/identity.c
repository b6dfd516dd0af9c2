/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The devices, the file system and the options of a check: a resumed run compares them, to be sure that the devices are
 * unchanged and facts are made in the same way. A mount by the kernel always moves the log head.
 */
#include <string.h>
#include <sys/stat.h>

#include "cache.h"
#include "checkpoint/state.h"
#include "options.h"
#include "repair.h"
#include "report/words.h"
#include "run.h"
#include "sets/save.h"
#include "check/walk/samples.h"
#include "check/walk/traverse.h"

/* Notes the first difference. Always false. */
static bool differs(struct words *why, const char *what)
{
	if (!why->length)
		words_add(why, "%s", what);
	return false;
}

/* ---- devices ---- */

struct medium {
	uint64_t bytes;		       /* 0: no such device */
	bool is_file;		       /* the following members are of a regular file */
	uint64_t seconds, nanoseconds; /* modification time */
};

static struct medium medium_of(const struct device *device)
{
	struct medium m = { 0 };
	struct stat st;

	if (!device)
		return m;
	m.bytes = device_bytes(device);
	if (stat(device_path(device), &st) || !S_ISREG(st.st_mode))
		return m;
	m.is_file = true;
	m.seconds = (uint64_t)st.st_mtim.tv_sec;
	m.nanoseconds = (uint64_t)st.st_mtim.tv_nsec;
	return m;
}

static void save_medium(const struct device *device, struct saver *s)
{
	const struct medium m = medium_of(device);

	save_number(s, m.bytes);
	save_number(s, m.is_file);
	save_number(s, m.seconds);
	save_number(s, m.nanoseconds);
}

static bool load_medium(const struct device *device, const char *name, struct loader *l, struct words *why)
{
	const struct medium now = medium_of(device);
	struct medium then;

	then.bytes = load_number(l);
	then.is_file = load_bool(l);
	then.seconds = load_number(l);
	then.nanoseconds = load_number(l);
	if (!load_good(l) || why->length)
		return false;
	if (then.bytes != now.bytes)
		words_add(why, "the size of the %s is %llu bytes, and was %llu", name, (unsigned long long)now.bytes,
			  (unsigned long long)then.bytes);
	else if (then.is_file != now.is_file)
		words_add(why, "the %s is %s", name, now.is_file ? "an image now, and was none" : "no image any more");
	else if (then.seconds != now.seconds || then.nanoseconds != now.nanoseconds)
		words_add(why, "the image of the %s has been modified since", name);
	return !why->length;
}

/* ---- options that change facts ---- */

static struct words options_of(const struct options *o)
{
	static const char *const logs[] = { [LOG_REPLAY] = "",
					    [LOG_IGNORE] = " --log=ignore",
					    [LOG_UPTO] = " --log=upto",
					    [LOG_ACROSS] = " --log=across" };
	struct words words = { 0 };

	words_add(&words, "-n%s%s%s%s%s%s%s", logs[o->log], o->discard_log ? " -L" : "",
		  o->no_quota ? " -o noquota" : "", o->force_geometry ? " -o force_geometry" : "",
		  o->shrink ? " -o shrink" : "", o->range[0] ? " " : "", o->range);
	return words;
}

static bool load_options(const struct options *o, struct loader *l, struct words *why)
{
	const struct words now = options_of(o);
	char then[sizeof(now.text)];

	load_text(l, then, sizeof(then));
	if (load_good(l) && !why->length && strcmp(then, now.text) != 0)
		words_add(why, "the options were %s, and are %s", then, now.text);
	return load_good(l) && !why->length;
}

/* ---- the file system ---- */

static uint32_t primary_crc(const struct repair *rc)
{
	return samples_crc(rc->primary, rc->geo.sector_size);
}

static void save_log(const struct log_state *log, struct saver *s)
{
	save_number(s, log->condition);
	save_number(s, log->head.v);
	save_number(s, log->tail.v);
	save_number(s, log->unmount.v);
	save_number(s, log->records);
	save_number(s, log->foreign);
}

static bool load_log(const struct log_state *now, struct loader *l, struct words *why)
{
	bool same = load_number(l) == (uint64_t)now->condition;

	same &= load_number(l) == now->head.v;
	same &= load_number(l) == now->tail.v;
	same &= load_number(l) == now->unmount.v;
	same &= load_number(l) == now->records;
	same &= load_number(l) == (uint64_t)now->foreign;
	return same || differs(why, "the head of the log has moved: the file system has been mounted, or written to");
}

static bool load_headers(const struct traverse *t, struct loader *l, struct words *why)
{
	static const char *const names[AG_SECTORS] = { "superblock", "AGF", "AGI", "AGFL" };

	for (uint32_t ag = 0; ag < t->geo->agcount; ag++) {
		for (unsigned i = 0; i < AG_SECTORS; i++) {
			if (load_number(l) == t->ags[ag].headers_crc[i] || !load_good(l) || why->length)
				continue;
			words_add(why, "the %s of AG %u has changed", names[i], ag);
		}
	}
	return load_good(l) && !why->length;
}

void identity_save(const struct repair *rc, struct saver *s)
{
	const struct words options = options_of(rc->run->options);

	save_bytes(s, rc->geo.uuid, sizeof(rc->geo.uuid));
	save_medium(rc->run->device, s);
	save_medium(rc->run->log_device, s);
	save_medium(rc->run->rt_device, s);
	save_text(s, options.text);
	save_log(&rc->log, s);
	save_number(s, primary_crc(rc));
	save_number(s, rc->geo.agcount);
	for (uint32_t ag = 0; ag < rc->geo.agcount; ag++)
		for (unsigned i = 0; i < AG_SECTORS; i++)
			save_number(s, rc->traverse->ags[ag].headers_crc[i]);
}

bool identity_load(const struct repair *rc, struct loader *l, struct words *why)
{
	uint8_t uuid[sizeof(rc->geo.uuid)];

	load_bytes(l, uuid, sizeof(uuid));
	if (load_good(l) && memcmp(uuid, rc->geo.uuid, sizeof(uuid)) != 0)
		return differs(why, "it is of a file system with another UUID");
	if (!load_medium(rc->run->device, "device", l, why) ||
	    !load_medium(rc->run->log_device, "log device", l, why) ||
	    !load_medium(rc->run->rt_device, "realtime device", l, why) || !load_options(rc->run->options, l, why) ||
	    !load_log(&rc->log, l, why))
		return false;
	if (load_number(l) != primary_crc(rc) && load_good(l))
		return differs(why, "the primary superblock has changed");
	if (load_number(l) != rc->geo.agcount && load_good(l))
		return differs(why, "the number of allocation groups has changed");
	return load_headers(rc->traverse, l, why);
}
