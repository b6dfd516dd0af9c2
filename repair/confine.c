/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run still opens when it is in the sandbox: the list of files and folders, by what was asked. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "checkpoint/checkpoint.h"
#include "confine.h"
#include "options.h"
#include "repair.h"
#include "report.h"
#include "run.h"
#include "sandbox/sandbox.h"
#include "temporary.h"
#include "undo.h"

/*
 * Whoever uses a device or image through a loop device is looked for again before it is written (cache/in_use.c).  Of
 * loop devices that are made meanwhile only the name of their file is known then.
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

/* What the system tells of devices, and of mounts. */
static void allow_system(struct sandbox *s)
{
	sandbox_allow(s, "/sys/block", SANDBOX_LIST);
	sandbox_allow(s, "/sys/devices", SANDBOX_READ | SANDBOX_LIST);
	sandbox_allow(s, "/proc/self", SANDBOX_READ);
}

static void allow_devices(struct sandbox *s, const struct options *o)
{
	const char *paths[] = { o->device, o->log_device, o->rt_device };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (paths[i])
			sandbox_allow(s, paths[i], SANDBOX_READ | SANDBOX_IOCTL | (o->no_modify ? 0 : SANDBOX_WRITE));
}

/* Files without a name need no more than to be read and written; elsewhere they have one for a moment. */
static void allow_temporary(struct sandbox *s)
{
	bool unnamed;
	const char *folder = temporary_folder(&unnamed);

	sandbox_allow(s, folder, SANDBOX_READ | SANDBOX_WRITE | (unnamed ? 0 : SANDBOX_MAKE | SANDBOX_REMOVE));
}

/* An undo file that is open already only gets its name. */
static void allow_undo(struct sandbox *s, const struct undo_place *place)
{
	char folder[40];

	if (!place->path || place->folder < 0)
		return;
	snprintf(folder, sizeof(folder), "/proc/self/fd/%d", place->folder);
	sandbox_allow(s, folder, SANDBOX_MAKE | (place->file < 0 ? SANDBOX_WRITE | SANDBOX_REMOVE : 0));
	if (!place->made)
		return;
	snprintf(folder, sizeof(folder), "/proc/self/fd/%d/..", place->folder);
	sandbox_allow(s, folder, SANDBOX_RMDIR);
}

/* New files take the place of old ones. */
static void allow_checkpoint(struct sandbox *s, const struct checkpoint *checkpoint)
{
	char folder[40];

	if (checkpoint_folder(checkpoint) < 0)
		return;
	snprintf(folder, sizeof(folder), "/proc/self/fd/%d", checkpoint_folder(checkpoint));
	sandbox_allow(s, folder, SANDBOX_WRITE | SANDBOX_MAKE | SANDBOX_REMOVE);
}

/*
 * True if a run needs no more than the list below has.  Those that write to devices, talk to servers, start other
 * programs or make files of their own do.
 */
static bool is_confined(const struct options *o)
{
	const char *paths[] = { o->device, o->log_device, o->rt_device };
	bool remote = false;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		remote |= paths[i] && device_is_remote(paths[i]);
	return !o->no_sandbox && o->no_modify && !remote && !o->query.extract && !o->preview && !o->apply && !o->plan &&
	       !o->plan_apply;
}

/* True if any device is read by io_uring; those of the log and the realtime section are opened later. */
static bool uses_uring(const struct repair *rc)
{
	const struct options *o = rc->run->options;

	return device_uses_uring(rc->run->device) || ((o->log_device || o->rt_device) && o->engine != ENGINE_THREADS);
}

enum phase_result confine(const struct repair *rc, int exit_status)
{
	const struct options *o = rc->run->options;
	const struct sandbox_needs needs = { .uring = uses_uring(rc),
					     .renaming = rc->checkpoint != NULL,
					     .exit_status = exit_status };
	struct sandbox sandbox;
	char sentence[128];
	int ret;

	if (!is_confined(o)) {
		if (o->verbose)
			report_note(rc->report,
				    "No sandbox: only checks and questions about files, of local devices, run in one.");
		return PHASE_DONE;
	}
	tzset(); /* reads the time zone's file */
	sandbox_begin(&sandbox, needs.network);
	allow_system(&sandbox);
	allow_loops(&sandbox);
	allow_devices(&sandbox, o);
	allow_temporary(&sandbox);
	allow_undo(&sandbox, rc->run->undo_place);
	allow_checkpoint(&sandbox, rc->checkpoint);
	if (o->rollback)
		sandbox_allow(&sandbox, o->rollback, SANDBOX_READ);
	if (o->query.name_of && o->query.name_of[0] == '@')
		sandbox_allow(&sandbox, o->query.name_of + 1, SANDBOX_READ); /* phase names reads it */
	ret = sandbox_enter(&sandbox, &needs);
	if (ret)
		return failed(rc, "the sandbox (--no-sandbox runs without it)", ret);
	sandbox_describe(&sandbox, sentence, sizeof(sentence));
	if (o->verbose)
		report_note(rc->report, sentence);
	return PHASE_DONE;
}
