/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xfsck: checks and repairs an XFS file system.  main() runs the table of phases; only this file exits. */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mend/rounds/check_again.h"
#include "checkpoint/checkpoint.h"
#include "base/interrupt.h"
#include "ask/inventory.h"
#include "audit/audit.h"
#include "log/log_across.h"
#include "libxfs/crc.h"
#include "mend/base/fix_plan.h"
#include "commit/commit.h"
#include "commit/preview_files.h"
#include "front/confine.h"
#include "base/devices.h"
#include "repair.h"
#include "report.h"
#include "report/findings.h"
#include "report/quote.h"
#include "report/trace.h"
#include "report/words.h"
#include "run.h"
#include "front/several/several.h"
#include "check/walk/traverse.h"

enum outcome_kind {
	RUN_CLEAN,
	RUN_REPAIRED,
	RUN_REPAIRED_MOUNTED,
	RUN_LOSSY, /* repaired, with losses: shows in the exit status only with --tell-loss */
	RUN_LOSSY_MOUNTED,
	RUN_CORRUPT,
	RUN_LOG_DIRTY,
	RUN_STOPPED,
	RUN_TROUBLE,
	RUN_USAGE,
};

/*
 * Exit codes of xfs_repair, or of fsck(8): 1 errors corrected, 2 reboot needed, 4 errors left, 8 operational error, 16
 * usage, 32 canceled.  As in xfs_repair, a repair exits with 0 unless -e is given.  Code 5 is not in xfs_repair, and 64
 * not in fsck(8).
 */
static int exit_status(const struct options *options, enum outcome_kind kind)
{
	static const int codes[][2] = {
		[RUN_CLEAN] = { 0, 0 },		 [RUN_REPAIRED] = { 0, 1 }, [RUN_LOSSY] = { 5, 65 },
		[RUN_LOSSY_MOUNTED] = { 5, 67 }, [RUN_CORRUPT] = { 1, 4 },  [RUN_REPAIRED_MOUNTED] = { 0, 3 },
		[RUN_LOG_DIRTY] = { 2, 4 },	 [RUN_TROUBLE] = { 1, 8 },  [RUN_USAGE] = { 1, 16 },
		[RUN_STOPPED] = { 3, 32 },
	};

	if (!options->tell_loss && (kind == RUN_LOSSY || kind == RUN_LOSSY_MOUNTED))
		kind = kind == RUN_LOSSY ? RUN_REPAIRED : RUN_REPAIRED_MOUNTED;
	if ((kind == RUN_REPAIRED || kind == RUN_REPAIRED_MOUNTED) && options->tell_repaired && !options->fsck_codes)
		return 4;
	return codes[kind][options->fsck_codes];
}

/* The last line of the report, for programs: these words are the same in every release. */
static const char *verdict(enum outcome_kind kind)
{
	static const char *const words[] = {
		[RUN_CLEAN] = "clean",
		[RUN_REPAIRED] = "repaired",
		[RUN_REPAIRED_MOUNTED] = "repaired",
		[RUN_LOSSY] = "repaired with losses",
		[RUN_LOSSY_MOUNTED] = "repaired with losses",
		[RUN_CORRUPT] = "damaged",
		[RUN_LOG_DIRTY] = "log not replayed",
		[RUN_STOPPED] = "stopped",
		[RUN_TROUBLE] = "incomplete",
		[RUN_USAGE] = "incomplete",
	};

	return words[kind];
}

#define KEPT_AT_FIRST (1u << 20) /* bytes */

static const struct {
	const char *title;
	enum phase_result (*run)(struct repair *rc);
} phases[] = {
#define x(name, title) { title, phase_##name },
	PHASE_TABLE(x)
#undef x
};

static unsigned max_workers(const struct options *options, const struct device *device)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->threads)
		return options->threads;
	if (options->no_prefetch || device_medium(device) == MEDIUM_DISK || processors < 1)
		return 1; /* a disk has one head: one sweep */
	/* each thread spends part of the time waiting for reads */
	return 2 * (unsigned)processors > options->jobs ? 2 * (unsigned)processors / options->jobs : 1;
}

/* Shows the amount read and the position, which progress in every phase. */
static void look_at_device(const void *ctx, struct report_work_state *state)
{
	struct device_counts counts;

	device_counts(ctx, &counts);
	state->done = counts.arrived / 1024;
	state->object = "byte";
	state->number = counts.at;
}

/*
 * Uses the log and the realtime section in a metadump, unless the user names others, and notes what a metadump can't
 * show.
 */
static void use_dump(const struct repair *rc, struct options *o)
{
	const struct device_dump dump = device_dump(rc->run->device);
	char sentence[640];

	if (!dump.version)
		return;
	if (!o->log_device)
		o->log_device = device_inner(rc->run->device, INNER_LOG);
	if (!o->rt_device)
		o->rt_device = device_inner(rc->run->device, INNER_RT);
	snprintf(sentence, sizeof(sentence),
		 "This is a metadump (version %u): it has no file contents, and missing parts read as zeroes%s.",
		 dump.version,
		 dump.obfuscated ? "; names and values of attributes in it are not those of the file system, so parent "
				   "pointers are "
				   "compared without their names"
				 : "");
	report_note(rc->report, sentence);
}

/* device_options.on_unpack: notes how much temporary space a metadump will need, before it is unpacked. */
static void tell_unpacking(const void *ctx, const struct device_unpacking *u)
{
	const struct repair *rc = ctx;
	struct words note = { 0 };

	words_add(&note, "This is ");
	words_add_bytes(&note, u->packed);
	words_add(&note, " of %s data", u->packing);
	if (u->bytes) {
		words_add(&note, ", which unpacks to ");
		words_add_bytes(&note, u->bytes);
		words_add(&note, " or more");
	} else {
		words_add(&note, ", which does not say what it unpacks to");
	}
	words_add(&note, ". It is unpacked into a temporary file in %s", u->folder);
	if (u->room != UINT64_MAX) {
		words_add(&note, ", where ");
		words_add_bytes(&note, u->room);
		words_add(&note, " are free");
	}
	words_add(&note, ".");
	report_note(rc->report, note.text);
}

/* Opens the data device.  o: the options of the run; a metadump adds its devices to them. */
static enum phase_result open_device(struct repair *rc, struct options *o)
{
	const struct device_options options = { .allow_readonly_mounted = o->readonly_mounted || o->no_modify,
						.allow_mounted = o->as_mounted,
						.alone = !o->no_modify,
						.engine = o->engine,
						.medium = o->medium,
						.partition = o->partition,
						.offset = o->offset,
						.size = o->size,
						.on_loss = at_once_unreadable,
						.on_loss_ctx = o,
						.read_rate = o->read_rate,
						.read_requests = o->read_requests,
						.read_share = o->read_share,
						.io_timeout = o->io_timeout,
						.on_silence = interrupt_silence,
						.on_silence_ctx = rc->run->interrupt,
						.map_bytes = memory_of_map(o->memory_bytes),
						.unpack_bytes = memory_of_unpacking(o->memory_bytes),
						.on_unpack = tell_unpacking,
						.on_unpack_ctx = rc };
	char message[1024];
	int ret = crc_selftest();

	if (ret)
		return failed(rc, "the checksum library computes wrongly on this processor", ret);
	ret = device_open(o->snapshot ? o->snapshot : o->device, &options, &rc->run->device, message, sizeof(message));
	if (ret == -EBUSY)
		report_advise(rc->report, "unmount the file system, or end the program that uses it; then run xfsck "
					  "again.");
	else if (ret == -ENOENT || ret == -EINVAL || ret == -EISDIR)
		report_advise(rc->report, ADVICE_ANOTHER_DEVICE);
	if (ret)
		return trouble(rc, message);
	report_device(rc->report, ROLE_DATA, o->device, device_base(rc->run->device), device_bytes(rc->run->device));
	use_dump(rc, o);
	if (o->as_mounted)
		report_note(rc->report,
			    "The device is in use, and was read as it is, since no snapshot can be made of it: "
			    "what was changed meanwhile may be wrong or missing.");
	else if (device_mounted(rc->run->device) && !o->readonly_mounted)
		report_note(
			rc->report,
			"The device is mounted read-only: data that the kernel has not written yet is not visible.");
	rc->run->max_workers = max_workers(o, rc->run->device);
	rc->run->memory = memory_share(o->memory_bytes, rc->run->max_workers);
	device_stage_limit(rc->run->device, rc->run->memory.staged);
	device_buffers_limit(rc->run->device, rc->run->memory.window);
	ret = hash_key_random(&rc->run->key);
	if (ret)
		return failed(rc, "no random numbers", ret);
	rc->findings = findings_new(rc->run->max_workers);
	if (!rc->findings)
		return failed(rc, "findings", -ENOMEM);
	findings_keep(rc->findings, memory_findings(rc));
	return PHASE_DONE;
}

/* Checks early that a repair and an undo file can be written, so that a long run doesn't fail at its end. */
static enum phase_result check_writable(struct repair *rc)
{
	const struct options *o = rc->run->options;
	char message[512];

	if (o->preview)
		return preview_open(rc);
	if (o->no_modify)
		return PHASE_DONE;
	if (device_may_write(rc->run->device, message, sizeof(message)))
		return trouble(rc, message);
	return o->rollback ? PHASE_DONE : commit_may_keep(rc);
}

/* Returns PHASE_FAILED if a device has disappeared or changed its size: findings made then are not damage. */
static enum phase_result check_present(const struct repair *rc)
{
	const struct device *devices[] = { rc->run->device, rc->run->log_device, rc->run->rt_device };
	char sentence[512], why[128];

	for (unsigned i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		if (!devices[i])
			continue;
		if (device_resized(devices[i], sentence, sizeof(sentence)))
			return trouble(rc, sentence);
		if (!device_gone(devices[i]))
			continue;
		device_gone_why(devices[i], why, sizeof(why));
		snprintf(sentence, sizeof(sentence), "%s is gone: %s", device_name(devices[i]), why);
		return trouble(rc, sentence);
	}
	return PHASE_DONE;
}

/* True if the phase only answers questions, and none are asked: the phase is skipped. */
static bool is_nothing_asked(const struct repair *rc, enum phase_result (*phase)(struct repair *rc))
{
	return !rc->inventory && (phase == phase_names || phase == phase_inventory);
}

static enum phase_result run_phases(struct repair *rc)
{
	enum phase_result result = PHASE_DONE;
	struct device_counts before, after;
	unsigned number = 0;

	if (checkpoint_try_unreadable(rc->checkpoint, rc) != PHASE_DONE)
		return PHASE_FAILED;
	/* the first phases read superblocks and headers several times */
	device_keep(rc->run->device, KEPT_AT_FIRST);
	for (unsigned i = 0; i < sizeof(phases) / sizeof(phases[0]) && result == PHASE_DONE; i++) {
		if (is_nothing_asked(rc, phases[i].run))
			continue;
		report_phase_begin(rc->report, ++number, phases[i].title);
		device_counts(rc->run->device, &before);
		result = phases[i].run(rc);
		device_counts(rc->run->device, &after);
		report_phase_reads(rc->report, after.bytes - before.bytes, after.kept - before.kept);
		report_phase_end(rc->report);
		if (check_present(rc) != PHASE_DONE)
			return PHASE_FAILED;
		/* one list, causes first: it is complete when paths are known */
		if (rc->paths)
			report_findings(rc->report, rc->findings, rc->paths);
	}
	report_findings(rc->report, rc->findings, rc->paths);
	return result;
}

/* Adds to the report that reads of some device have failed. */
static void tell_unreadable(const struct repair *rc)
{
	const struct device *devices[] = { rc->run->device, rc->run->log_device, rc->run->rt_device };

	for (unsigned i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (devices[i] && device_any_unreadable(devices[i]))
			report_unreadable(rc->report);
}

/* Reports statistics, for -v and JSON. */
static void tell_stats(const struct repair *rc)
{
	struct device_counts io;
	struct sweep_counts sweep = { 0 };
	struct rusage usage;

	device_counts(rc->run->device, &io);
	if (rc->traverse)
		sweep_counts(rc->traverse->sweep, &sweep);
	getrusage(RUSAGE_SELF, &usage);
	report_stats(rc->report,
		     (const struct stat_line[]){
			     { "workers", rc->workers, "" },
			     { "read_requests", io.requests, "" },
			     { "bytes_read", io.bytes, "bytes" },
			     { "bytes_wanted", sweep.bytes_wanted, "bytes" },
			     { "bytes_kept", io.kept, "bytes" },
			     { "items", sweep.items, "" },
			     { "merged", sweep.merged, "" },
			     { "reused", sweep.reused, "" },
			     { "backward_seeks", io.backward, "" },
			     { "failed_requests", io.errors, "" },
			     { "passes", sweep.passes, "" },
			     { "directory_table", dir_table_bytes(&rc->dirs), "bytes" },
			     { "directories_spilled", dir_table_spilled(&rc->dirs), "bytes" },
			     { "memory_allowed", rc->run->memory.total, "bytes" },
			     { "peak_memory", (uint64_t)usage.ru_maxrss * 1024, "bytes" },
		     },
		     15);
}

static enum phase_result begin_questions(struct repair *rc)
{
	char message[512];

	rc->inventory = inventory_new(&rc->run->options->query);
	if (!rc->inventory)
		return failed(rc, "what was asked", -ENOMEM);
	if (inventory_refuse(rc->inventory, &rc->run->options->query, message, sizeof(message)))
		return trouble(rc, message);
	return inventory_read(rc->inventory, rc) ? PHASE_FAILED : PHASE_DONE;
}

/* Opens and reads everything outside that the run needs, then enters the sandbox. */
static enum phase_result prepare(struct repair *rc, struct options *o, int argc, char **argv)
{
	enum phase_result result = open_device(rc, o);

	if (result == PHASE_DONE)
		result = other_devices_connect(rc);
	if (result == PHASE_DONE && query_any(&o->query))
		result = begin_questions(rc);
	if (result == PHASE_DONE)
		result = check_writable(rc);
	if (result == PHASE_DONE && o->apply)
		result = apply_open(rc);
	if (result == PHASE_DONE)
		result = checkpoint_open(rc, argc, argv);
	return result == PHASE_DONE ? confine(rc, exit_status(o, RUN_TROUBLE)) : result;
}

/* Starts the threads for signals and progress, inside the sandbox if there is one. */
static void begin_watch(struct repair *rc)
{
	const struct interrupt_advice advice = { checkpoint_advise, rc->checkpoint,
						 exit_status(rc->run->options, RUN_STOPPED) };

	interrupt_begin(rc->run->interrupt, rc->run->options, rc->report);
	interrupt_advise(rc->run->interrupt, &advice);
	report_watch(rc->report);
	if (rc->run->device)
		report_usual_progress(
			rc->report,
			&(struct report_work){ .look = look_at_device, .ctx = rc->run->device, .unit = "KiB read" });
}

static void close_all(struct repair *rc)
{
	apply_end(rc);
	preview_end(rc);
	fix_plan_free(rc->run->plan);
	inventory_free(rc->inventory);
	check_forget(rc);
	locate_early_free(rc);
	intents_free(rc->run->intents);
	log_across_free(rc->run->log_across);
	numbers_asked_free(&rc->run->names_asked);
	ino_set_free(&rc->run->lost_inodes);
	log_index_free(&rc->run->log_mount.index);
	reattached_free(&rc->run->reattached);
	undo_place_close(rc->run->undo_place);
	other_devices_forget(rc);
	if (rc->run->rt_device)
		device_close(rc->run->rt_device);
	if (rc->run->log_device)
		device_close(rc->run->log_device);
	if (rc->run->device)
		device_close(rc->run->device);
}

/* True if anything on the disk, or operations in the log, are lost. */
static bool is_lossy(const struct repair *rc)
{
	const consents_t much = (consents_t)1 << CONSENT_LOSSES | (consents_t)1 << CONSENT_LOG;

	return (rc->run->losses.known && losses_any(&rc->run->losses)) || log_losses_any(&rc->run->log_losses) ||
	       (consent_reasons(rc) & much);
}

/* Returns the outcome of the run, for the exit code.  dirty: the log is dirty and stays so. */
static enum outcome_kind outcome_of(const struct repair *rc, enum phase_result result, bool dirty)
{
	enum outcome_kind kind = RUN_CLEAN;

	if (result == PHASE_FAILED)
		return RUN_TROUBLE;
	if (result == PHASE_INTERRUPTED)
		return RUN_STOPPED;
	/* the log was not discarded for lack of consent, so it is unchanged */
	if (dirty || rc->run->lacking >> CONSENT_LOG & 1 || (rc->run->log_lost && !rc->run->options->no_modify))
		return RUN_LOG_DIRTY;
	if (report_any_damage(rc->report))
		kind = rc->run->committed && !rc->run->mended.left ? RUN_REPAIRED
		       : report_any_harm(rc->report)		   ? RUN_CORRUPT
								   : RUN_CLEAN;
	if (rc->run->applied && rc->run->committed)
		kind = RUN_REPAIRED;
	if (rc->run->answered_short)
		kind = RUN_CORRUPT;
	if (kind == RUN_CLEAN && rc->run->committed && is_lossy(rc))
		kind = RUN_REPAIRED; /* no damage, but the log was discarded */
	if (kind != RUN_CORRUPT && device_mounted(rc->run->device) && device_written(rc->run->device))
		kind = RUN_REPAIRED_MOUNTED;
	if (is_lossy(rc))
		kind = kind == RUN_REPAIRED ? RUN_LOSSY : kind == RUN_REPAIRED_MOUNTED ? RUN_LOSSY_MOUNTED : kind;
	return kind;
}

static int check(struct options *options, int argc, char **argv)
{
	struct interrupt interrupt = { .options = options, .lock = PTHREAD_MUTEX_INITIALIZER };
	struct undo_place undo_place = { 0 };
	struct run run = { .options = options, .interrupt = &interrupt, .undo_place = &undo_place };
	struct repair rc = { .run = &run };
	struct totals totals = { 0 }, before;
	enum phase_result result;
	enum outcome_kind kind;
	bool dirty;
	int ret = trace_open(options, stderr, &run.trace);

	if (!ret)
		ret = fix_plan_open(options, stderr, &run.plan);
	if (!ret)
		ret = report_open(options, argc, argv, stdout, stderr, &rc.report);
	if (ret) {
		fix_plan_free(run.plan);
		trace_close(run.trace);
		return exit_status(options, RUN_TROUBLE);
	}
	result = prepare(&rc, options, argc, argv);
	begin_watch(&rc);
	if (result == PHASE_DONE)
		result = options->apply ? apply_begin(&rc) : PHASE_DONE;
	if (result == PHASE_DONE)
		result = options->rollback ? rollback(&rc) : run_phases(&rc);
	dirty = rc.log.condition == LOG_DIRTY && !rc.run->log_left_out && (!rc.run->log_replayed || rc.run->log_kept);
	if (rc.traverse)
		totals = traverse_totals(rc.traverse);
	if (rc.run->committed && rc.run->mended.done) {
		before = totals;
		report_before(rc.report, &before);
		totals = rc.run->after;
	}
	if (rc.run->device && !options->rollback)
		tell_stats(&rc);
	tell_unreadable(&rc);
	kind = outcome_of(&rc, result, dirty);
	interrupt_forget_report(&interrupt);
	ret = report_close(rc.report, options->rollback ? NULL : &totals, dirty, verdict(kind),
			   exit_status(options, kind), exit_status(options, RUN_TROUBLE));
	interrupt_advise(&interrupt, NULL);
	if (result == PHASE_FAILED)
		checkpoint_tell(rc.checkpoint, options->program);
	checkpoint_close(rc.checkpoint, result != PHASE_FAILED && result != PHASE_INTERRUPTED && !ret);
	close_all(&rc);
	ret |= trace_close(run.trace);
	interrupt_end(&interrupt);
	return exit_status(options, ret ? RUN_TROUBLE : kind);
}

/* Checks several devices, or reports for test programs: each check is a process. */
static int check_several(struct options *options, int argc, char **argv)
{
	const int trouble = exit_status(options, RUN_TROUBLE);
	struct options one;
	struct several *several;
	struct audit *audit = NULL;
	int status = trouble;

	if (options->audit && audit_open(options, stderr, &audit))
		return trouble;
	if (!several_open(options, audit ? audit_hooks(audit) : NULL, trouble, stdout, stderr, &several)) {
		if (several_fork(several, &one, &argc, argv)) {
			status = check(&one, argc, argv);
		} else {
			status = several_close(several);
			if (audit && audit_finish(audit))
				status = trouble;
		}
	}
	audit_close(audit);
	return status;
}

/* Answers a question about files, from a snapshot if the file system is in use. */
static int answer(struct options *options, int argc, char **argv)
{
	struct options one;
	int status;

	if (asked_fork(options, exit_status(options, RUN_TROUBLE), exit_status(options, RUN_CORRUPT), &one, &status))
		return check(&one, argc, argv);
	return status;
}

/* --status: returns 0 if all file systems were clean. */
static int tell_status(const struct options *options)
{
	int error;
	const bool clean = audit_status(options, stdout, stderr, &error);

	return exit_status(options, error ? RUN_TROUBLE : clean ? RUN_CLEAN : RUN_CORRUPT);
}

/* --merge: returns 0 if all images are sound. */
static int merge(const struct options *options)
{
	int error;
	const bool sound = merge_reports(options, stdout, stderr, &error);

	return exit_status(options, error ? RUN_TROUBLE : sound ? RUN_CLEAN : RUN_CORRUPT);
}

/* --undos: returns 0 if all undo files could be read. */
static int tell_undos(const struct options *options)
{
	return exit_status(options, undos_list(options, stdout, stderr) ? RUN_TROUBLE : RUN_CLEAN);
}

/*
 * Opens a descriptor for each standard stream that is closed.  Otherwise the device could get its number, and the
 * report would be written to the device.  The descriptors can't be read or written (O_PATH).  False: open failed.
 */
static bool hold_closed_streams(void)
{
	int fd;

	do
		fd = open("/", O_PATH | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	return fd >= 0 && close(fd) == 0;
}

/* Prints that nothing is due.  A missing device is an error, as in the fsck.xfs of xfsprogs. */
static int say_nothing_is_due(const struct options *o)
{
	if (!strstr(o->device, "://") && access(o->device, F_OK)) {
		quote_said(stderr, o->program, "cannot open %s: %s", o->device, strerror(errno));
		return exit_status(o, RUN_TROUBLE);
	}
	quote_said(stdout, o->program, "%s: nothing to do at boot, XFS replays its log when it is mounted", o->device);
	return exit_status(o, RUN_CLEAN);
}

/* fsck.xfs at boot: repairs the file system only if an audit has marked it; removes the mark if no damage is left. */
static int start_up(struct options *o, int argc, char **argv)
{
	char uuid[BOOT_MARK_UUID];
	int status, ret;
	pid_t pid;

	if (!boot_mark_find(o->device, uuid))
		return say_nothing_is_due(o);
	quote_said(stdout, o->program, "%s: an audit has found damage, which is repaired now", o->device);
	fflush(NULL);
	pid = fork(); /* the sandbox of a repair can't remove the mark */
	if (pid <= 0)
		return check(o, argc, argv);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	status = WIFEXITED(status) ? WEXITSTATUS(status) : exit_status(o, RUN_TROUBLE);
	if (status != exit_status(o, RUN_CLEAN) && status != exit_status(o, RUN_REPAIRED))
		return status;
	ret = boot_mark_drop(XFSCK_AUDIT_DIR, uuid);
	if (ret)
		quote_said(stderr, o->program, "its mark in " XFSCK_AUDIT_DIR " can't be removed: %s", strerror(-ret));
	return status;
}

int main(int argc, char **argv)
{
	struct options options;
	int status;

	if (!hold_closed_streams()) {
		perror(argv[0]);
		return EXIT_FAILURE;
	}
	setlocale(LC_CTYPE, "C.UTF-8"); /* a ? in --name matches a character, not a byte */
	signal(SIGXFSZ, SIG_IGN);	/* a limit on file size then shows as a write error, which is reported */
	memory_return_freed();
	switch (options_parse(argc, argv, stdout, stderr, &options)) {
	case OPTIONS_RUN:
		status = options.status					       ? tell_status(&options)
			 : options.undos				       ? tell_undos(&options)
			 : options.merge				       ? merge(&options)
			 : several_asked(&options)			       ? check_several(&options, argc, argv)
			 : query_any(&options.query) && !options.query.extract ? answer(&options, argc, argv)
									       : check(&options, argc, argv);
		free(options.devices);
		return status;
	case OPTIONS_DONE:
		return exit_status(&options, RUN_CLEAN);
	case OPTIONS_BOOT:
		return start_up(&options, argc, argv);
	default:
		return exit_status(&options, RUN_USAGE);
	}
}
