/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a snapshot, and removes it after the process that reads it has ended. Without a snapshot, the device is read as
 * it is, and changes by the kernel may contradict earlier reads: so a run with findings is repeated a few times, and
 * only the last one is printed.
 */
#define _GNU_SOURCE 1

#include "audit.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/quote.h"
#include "report/report_file.h"
#include "snapshot.h"

#define TRIES 4u

struct asked {
	const struct options *options;
	struct volumes volumes;
	struct snapshot snapshot;
	FILE *out,
		*err; /* temporary files for the output of a try; NULL: printed directly, and there is a single try */
	sigset_t awaited; /* signals, including the end of a process */
	sigset_t before;
	int stopped; /* by this signal; 0: none */
};

/* Finds the volume. False: it is not in use as far as the system knows, so it won't change. */
static bool find_volume(struct asked *a)
{
	const struct options *o = a->options;
	char message[512];
	struct stat st;

	return !o->range[0] && !o->readonly_mounted && !strstr(o->device, "://") && !stat(o->device, &st) &&
	       (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode)) &&
	       !volumes_find(&o->device, 1, &a->volumes, message, sizeof(message)) && a->volumes.count == 1 &&
	       snapshot_needed(&a->volumes.all[0]);
}

/* Makes the new process read the snapshot, with a copy of its name. */
static void choose(const struct asked *a, struct options *o)
{
	const struct snapshot *s = &a->snapshot;

	o->as_mounted = !s->kind;
	if (!s->kind)
		return;
	o->snapshot = strdup(s->device);
	if (!o->snapshot)
		abort();
	o->offset = s->offset;
	o->size = s->bytes;
}

/* Waits for a process, and passes termination signals on to it. Returns the status of waitpid(). */
static int wait_for(struct asked *a, pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		const int number = sigwaitinfo(&a->awaited, NULL);

		if (number <= 0 || number == SIGCHLD)
			continue;
		a->stopped = number;
		kill(pid, number);
	}
	return status;
}

static void empty(FILE *file)
{
	if (file && !ftruncate(fileno(file), 0))
		lseek(fileno(file), 0, SEEK_SET);
}

/* Sets up the new process. */
static void become(const struct asked *a)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (a->out)
		dup2(fileno(a->out), STDOUT_FILENO);
	if (a->err)
		dup2(fileno(a->err), STDERR_FILENO);
	sigprocmask(SIG_SETMASK, &a->before, NULL);
}

/* Answers, several times if necessary. True: this is the new process. */
static bool answer(struct asked *a, int trouble, int damaged, struct options *ret_options, int *ret_status)
{
	const unsigned tries = a->out ? TRIES : 1;

	for (unsigned i = 0; i < tries && !a->stopped; i++) {
		pid_t pid;
		int status;

		empty(a->out);
		empty(a->err);
		pid = fork();
		if (!pid) {
			choose(a, ret_options);
			become(a);
			return true;
		}
		status = pid < 0 ? -1 : wait_for(a, pid);
		*ret_status = pid < 0 || !WIFEXITED(status) ? trouble : WEXITSTATUS(status);
		if (*ret_status != damaged && *ret_status != trouble)
			break;
	}
	return false;
}

/* Checks and removes the snapshot, and prints the output. */
static void finish(struct asked *a, int trouble, int *ret_status)
{
	const struct options *o = a->options;
	char message[512];

	if (snapshot_look(&a->snapshot, message, sizeof(message))) {
		quote_said(stderr, o->program, "%s: %s", o->device, message);
		*ret_status = trouble;
	}
	if (snapshot_remove(&a->snapshot, message, sizeof(message)))
		quote_said(stderr, o->program, "the snapshot %s is still there: %s", a->snapshot.name, message);
	errno = 0;
	report_scratch_copy(a->out, stdout);
	report_scratch_copy(a->err, stderr);
	if (ferror(stdout)) {
		report_file_unwritten(stderr, o->program, "report", errno ? -errno : -EIO, NULL);
		*ret_status = trouble;
	}
	if (a->out)
		fclose(a->out);
	if (a->err)
		fclose(a->err);
	volumes_free(&a->volumes);
	sigprocmask(SIG_SETMASK, &a->before, NULL);
	if (a->stopped) {
		signal(a->stopped, SIG_DFL);
		raise(a->stopped);
	}
}

bool asked_fork(const struct options *options, int trouble, int damaged, struct options *ret_options, int *ret_status)
{
	struct asked a = { .options = options };
	char message[512];

	*ret_options = *options;
	if (!find_volume(&a)) {
		volumes_free(&a.volumes);
		return true;
	}
	sigemptyset(&a.awaited);
	sigaddset(&a.awaited, SIGINT);
	sigaddset(&a.awaited, SIGTERM);
	sigaddset(&a.awaited, SIGHUP);
	sigaddset(&a.awaited, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &a.awaited, &a.before);
	if (snapshot_make(&a.volumes.all[0], options->hooks, &a.snapshot, message, sizeof(message))) {
		a.snapshot.kind = NULL;
		if (!report_scratch(&a.out) && report_scratch(&a.err)) {
			fclose(a.out);
			a.out = NULL;
		}
	}
	fflush(NULL);
	if (answer(&a, trouble, damaged, ret_options, ret_status))
		return true;
	finish(&a, trouble, ret_status);
	return false;
}
