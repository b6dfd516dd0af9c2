/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A checker that has crashed must not count as one that has found something: sanitizers exit with 1 by default, so
 * their status is changed, and status 1 counts as found only with a finding on standard output.
 */
#define _GNU_SOURCE 1

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checker.h"

/* Time without output, twice in a row, since the machine may have been stopped meanwhile, and the program with it. */
#define PATIENCE     60000 /* ms */
#define PATIENCE_RUN 2

/* True for a line that begins like "agf.freeblks: ". */
static bool is_finding(const char *line)
{
	size_t len = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_.");

	return memchr(line, '.', len) && line[len] == ':' && line[len + 1] == ' ';
}

static bool has_finding(const char *output)
{
	for (const char *line = output; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (is_finding(line))
			return true;
	}
	return false;
}

/* Reads all of the output, and drops the part that doesn't fit.  False: it takes too long. */
static bool read_output(int fd, char *output, size_t size)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	unsigned silent = 0;
	char more[4096];
	size_t len = 0;

	for (;;) {
		int ready = poll(&poll_fd, 1, PATIENCE);
		ssize_t got;
		size_t kept;

		if (ready < 0 && errno == EINTR)
			continue;
		silent = ready ? 0 : silent + 1;
		if (ready < 0 || silent == PATIENCE_RUN)
			return false;
		if (silent)
			continue;
		got = read(fd, more, sizeof(more));
		if (got <= 0)
			return true;
		kept = (size_t)got < size - 1 - len ? (size_t)got : size - 1 - len;
		memcpy(output + len, more, kept);
		len += kept;
		output[len] = '\0';
	}
}

static void tell_ending(int status, bool in_time, struct verdict *verdict)
{
	const char *why = in_time ? "" : ", said nothing for too long";

	if (WIFSIGNALED(status))
		snprintf(verdict->ending, sizeof(verdict->ending), "signal %d%s", WTERMSIG(status), why);
	else
		snprintf(verdict->ending, sizeof(verdict->ending), "exit status %d%s", WEXITSTATUS(status), why);
}

static enum outcome outcome_of(int status, const char *output)
{
	if (!WIFEXITED(status))
		return OUTCOME_BROKEN;
	switch (WEXITSTATUS(status)) {
	case 0: /* the findings are harmless */
		return has_finding(output) ? OUTCOME_FOUND : OUTCOME_CLEAN;
	case 1:
		return has_finding(output) ? OUTCOME_FOUND : OUTCOME_REFUSED;
	case 2:
		return OUTCOME_DIRTY;
	default:
		return OUTCOME_BROKEN;
	}
}

/* Adds an option to those of a sanitizer. */
static void set_option(const char *variable, const char *option)
{
	const char *options = getenv(variable);
	char all[1024];

	snprintf(all, sizeof(all), "%s%s%s", options ? options : "", options ? ":" : "", option);
	if (setenv(variable, all, 1) < 0)
		err(1, "%s", variable);
}

void checker_init(void)
{
	set_option("ASAN_OPTIONS", "exitcode=99");
	set_option("UBSAN_OPTIONS", "exitcode=99");
}

static unsigned milliseconds(const struct timeval *t)
{
	return (unsigned)(t->tv_sec * 1000 + t->tv_usec / 1000);
}

void checker_run(const char *program, const char *const *options, const char *image, struct verdict *ret_verdict)
{
	char *argv[CHECKER_OPTIONS_MAX + 4] = { (char *)program, "-n" };
	posix_spawn_file_actions_t actions;
	int ends[2], status, error, n = 2;
	struct rusage usage;
	bool in_time;
	pid_t pid;

	while (*options && n < CHECKER_OPTIONS_MAX + 2)
		argv[n++] = (char *)*options++;
	argv[n] = (char *)image;
	if (pipe2(ends, O_CLOEXEC) < 0)
		err(1, "pipe");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
	error = posix_spawn(&pid, program, &actions, NULL, argv, environ);
	if (error)
		errx(1, "%s: %s", program, strerror(error));
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	ret_verdict->output[0] = '\0';
	in_time = read_output(ends[0], ret_verdict->output, sizeof(ret_verdict->output));
	close(ends[0]);
	if (!in_time)
		kill(pid, SIGKILL);
	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			err(1, "wait4");
	ret_verdict->cpu_ms = milliseconds(&usage.ru_utime) + milliseconds(&usage.ru_stime);
	ret_verdict->peak_kib = (unsigned)usage.ru_maxrss;
	tell_ending(status, in_time, ret_verdict);
	ret_verdict->outcome = outcome_of(status, ret_verdict->output);
}
