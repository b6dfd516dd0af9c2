/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run still needs in the sandbox: a table of features, with the files, directories and system calls that each
 * needs. Only --no-sandbox runs without the sandbox.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "checkpoint/checkpoint.h"
#include "commit/preview_files.h"
#include "confine.h"
#include "base/devices.h"
#include "ask/extract/target.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "report/words.h"
#include "run.h"
#include "sandbox/sandbox.h"
#include "whole.h"
#include "undo.h"

/*
 * Before a device or image is written, loop devices on it are searched again (cache/in_use.c). Of loop devices created
 * meanwhile only the name of their file is then known.
 */
static void allow_loops(struct sandbox *s)
{
	DIR *devices = opendir("/sys/block");
	const struct dirent *entry;
	char path[300];

	while (devices && (entry = readdir(devices))) {
		if (strncmp(entry->d_name, "loop", 4) != 0)
			continue;
		snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
		sandbox_allow(s, path, SANDBOX_READ | SANDBOX_IOCTL);
	}
	if (devices)
		closedir(devices);
}

/* Allows information about devices and mounts. */
static void allow_system(struct sandbox *s, const struct repair *rc)
{
	(void)rc;
	sandbox_allow(s, "/sys/block", SANDBOX_LIST);
	sandbox_allow(s, "/sys/devices", SANDBOX_READ | SANDBOX_LIST);
	sandbox_allow(s, "/proc/self", SANDBOX_READ);
	sandbox_allow(s, "/proc/sys/vm/overcommit_memory", SANDBOX_READ); /* malloc */
	sandbox_allow(s, "/dev/urandom", SANDBOX_READ);			  /* seeds of libraries */
	allow_loops(s);
}

static void allow_devices(struct sandbox *s, const struct repair *rc)
{
	const struct options *o = rc->run->options;
	const char *paths[] = { o->device, o->snapshot, o->log_device, o->rt_device };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (paths[i])
			sandbox_allow(s, paths[i], SANDBOX_READ | SANDBOX_IOCTL | (o->no_modify ? 0 : SANDBOX_WRITE));
}

/* Unnamed files are only read and written; elsewhere they have a name for a moment. */
static void allow_temporary(struct sandbox *s, const struct repair *rc)
{
	bool unnamed;
	const char *folder = temporary_folder(&unnamed);

	(void)rc;
	sandbox_allow(s, folder, SANDBOX_READ | SANDBOX_WRITE | (unnamed ? 0 : SANDBOX_MAKE | SANDBOX_REMOVE));
}

/* Allows an open directory; negative: none. made: it was created for this run, and may be removed. */
static void allow_folder(struct sandbox *s, int folder, unsigned rights, bool made)
{
	char path[40];

	if (folder < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", folder);
	sandbox_allow(s, path, rights);
	if (!made)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d/..", folder);
	sandbox_allow(s, path, SANDBOX_RMDIR);
}

/* An open undo file only gets its name. */
static void allow_undo(struct sandbox *s, const struct repair *rc)
{
	const struct undo_place *place = rc->run->undo_place;

	if (place->path)
		allow_folder(s, place->folder, SANDBOX_MAKE | (place->file < 0 ? SANDBOX_WRITE | SANDBOX_REMOVE : 0),
			     place->made);
}

/* New files replace old ones: names change, but no file in the directory is opened for writing. */
static void allow_checkpoint(struct sandbox *s, const struct repair *rc)
{
	allow_folder(s, checkpoint_folder(rc->checkpoint),
		     SANDBOX_MAKE | SANDBOX_REMOVE | (checkpoint_opens(rc->checkpoint) ? SANDBOX_WRITE : 0), false);
}

/* Inputs named by the user. */
static void allow_rollback(struct sandbox *s, const struct repair *rc)
{
	sandbox_allow(s, rc->run->options->rollback, SANDBOX_READ);
}

static void allow_names_asked(struct sandbox *s, const struct repair *rc)
{
	sandbox_allow(s, rc->run->options->query.name_of + 1, SANDBOX_READ);
}

/* Allows a complete file to get its name, or an incomplete one to lose it. */
static void allow_nameless(struct sandbox *s, const struct nameless *file)
{
	if (file->fd >= 0)
		allow_folder(s, file->folder, file->named ? SANDBOX_REMOVE : SANDBOX_MAKE, false);
}

static void allow_preview(struct sandbox *s, const struct repair *rc)
{
	const struct preview_files *files = rc->run->preview;

	for (unsigned i = 0; i < UNDO_DEVICES; i++)
		allow_nameless(s, &files->overlays[i]);
	allow_nameless(s, &files->list);
}

static void allow_target(struct sandbox *s, const struct repair *rc)
{
	const struct extract_target *target = rc->run->target;

	allow_nameless(s, &target->tar.file);
	allow_folder(s, target->tree.root,
		     SANDBOX_READ | SANDBOX_WRITE | SANDBOX_LIST | SANDBOX_MAKE | SANDBOX_REMOVE | SANDBOX_RMDIR |
			     SANDBOX_GROW,
		     target->tree.made && target->mount < 0);
}

/* ---- features ---- */

static bool always(const struct repair *rc)
{
	(void)rc;
	return true;
}

/* True if any device is read through io_uring; log and realtime devices are opened later. */
static bool uses_uring(const struct repair *rc)
{
	const struct options *o = rc->run->options;

	return device_uses_uring(rc->run->device) || ((o->log_device || o->rt_device) && o->engine != ENGINE_THREADS);
}

static bool talks_to_servers(const struct repair *rc)
{
	const struct options *o = rc->run->options;
	const char *paths[] = { o->device, o->log_device, o->rt_device };
	bool remote = false;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		remote |= paths[i] && device_is_remote(paths[i]);
	return remote;
}

static bool rolls_back(const struct repair *rc)
{
	return rc->run->options->rollback;
}

/* Phase names reads the list. */
static bool asks_for_names(const struct repair *rc)
{
	const char *name_of = rc->run->options->query.name_of;

	return name_of && name_of[0] == '@';
}

static bool previews(const struct repair *rc)
{
	return rc->run->preview;
}

static bool applies(const struct repair *rc)
{
	return rc->run->options->apply;
}

static bool keeps_checkpoints(const struct repair *rc)
{
	return rc->checkpoint;
}

static bool extracts(const struct repair *rc)
{
	return rc->run->target;
}

static bool extracts_tree(const struct repair *rc)
{
	return extracts(rc) && rc->run->target->tree.root >= 0;
}

static bool sets_flags(const struct repair *rc)
{
	const struct query *q = &rc->run->options->query;

	return extracts_tree(rc) && (q->with_flags || q->with_projects);
}

static bool is_alone(const struct repair *rc)
{
	return extracts_tree(rc) && rc->run->target->mount >= 0;
}

static const struct need {
	const char *words; /* for the user; NULL: not worth mentioning */
	bool (*applies)(const struct repair *rc);
	void (*allow)(struct sandbox *s, const struct repair *rc); /* files and directories; NULL: none */
	unsigned families;					   /* system call families */
} needs[] = {
	{ NULL, always, allow_system, 0 },
	{ "the devices", always, allow_devices, 0 },
	{ "temporary files", always, allow_temporary, 0 },
	{ NULL, always, allow_undo, 0 },
	{ "io_uring", uses_uring, NULL, SANDBOX_URING },
	{ "connections to servers that are there", talks_to_servers, NULL, SANDBOX_SERVER },
	{ "the undo file", rolls_back, allow_rollback, 0 },
	{ "a list of inodes", asks_for_names, allow_names_asked, 0 },
	{ "the preview, by qemu-nbd", previews, allow_preview, SANDBOX_SERVER | SANDBOX_PROGRAMS },
	{ "the preview, by qemu-nbd", applies, NULL, SANDBOX_SERVER | SANDBOX_PROGRAMS },
	{ "the checkpoint", keeps_checkpoints, allow_checkpoint, SANDBOX_REPLACE },
	{ "the target", extracts, allow_target, 0 },
	{ "owners, modes and attributes of files", extracts_tree, NULL, SANDBOX_TREE },
	{ "flags and project ids of files", sets_flags, NULL, SANDBOX_FLAGS },
	{ "which are all read-only but for the target", is_alone, NULL, 0 },
};

#define NEEDS (sizeof(needs) / sizeof(needs[0]))

/* ---- */

/* Before the table is used, since files are then found through other mounts. */
static void set_mounts(const struct repair *rc)
{
	struct extract_target *target = rc->run->target;
	bool unnamed;

	if (extracts_tree(rc) && sandbox_built())
		sandbox_mounts(target->path, &target->tree.root, temporary_folder(&unnamed), &target->mount);
}

static void tell(const struct repair *rc, const struct sandbox *sandbox)
{
	struct words words = { 0 };
	char force[128];
	bool any = false;

	sandbox_describe(sandbox, force, sizeof(force));
	words_add(&words, "%s", force);
	for (size_t i = 0; i < NEEDS && sandbox_built(); i++) {
		if (!needs[i].words || !needs[i].applies(rc))
			continue;
		words_add(&words, "%s%s", any ? ", " : " What is left: ", needs[i].words);
		any = true;
	}
	if (any)
		words_add(&words, ".");
	report_note(rc->report, words.text);
}

enum phase_result confine(const struct repair *rc, int exit_status)
{
	const struct options *o = rc->run->options;
	struct sandbox_needs all = { .exit_status = exit_status };
	struct sandbox sandbox;
	int ret;

	if (o->no_sandbox)
		return PHASE_DONE;
	tzset(); /* reads the time zone file */
	other_devices_rest(rc);
	set_mounts(rc);
	for (size_t i = 0; i < NEEDS; i++)
		all.families |= needs[i].applies(rc) ? needs[i].families : 0;
	sandbox_begin(&sandbox, all.families);
	for (size_t i = 0; i < NEEDS; i++)
		if (needs[i].allow && needs[i].applies(rc))
			needs[i].allow(&sandbox, rc);
	ret = sandbox_enter(&sandbox, &all);
	if (ret)
		return failed(rc, "the sandbox (--no-sandbox runs without it)", ret);
	if (o->verbose)
		tell(rc, &sandbox);
	return PHASE_DONE;
}
