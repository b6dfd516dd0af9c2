/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs another program, and keeps the last line of its errors. */
#define _GNU_SOURCE 1

#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The two ends of a pipe; negative: closed. */
struct ends {
	int read, write;
};

static int open_pipe(struct ends *ends)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	*ends = (struct ends){ fds[0], fds[1] };
	return 0;
}

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Output of a program: the beginning of standard output, if wanted, and the last line of standard error. */
struct printed {
	char *output;
	size_t room, length;
	char line[256];
	size_t at;
	bool begin; /* the next character begins a line */
};

/* Keeps the program out of our process group, so that a signal for the group does not end it halfway. */
static int stand_apart(posix_spawnattr_t *attributes)
{
	sigset_t none;
	int error;

	sigemptyset(&none);
	error = posix_spawnattr_setsigmask(attributes, &none);
	if (!error)
		error = posix_spawnattr_setpgroup(attributes, 0);
	if (!error)
		error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	return error;
}

/*
 * Starts a program. input: its standard input, negative: /dev/null; output: its standard output, likewise. 0 or a
 * negative errno.
 */
static int start(const char *const argv[], int input, int output, int errors, pid_t *ret_pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int error = posix_spawn_file_actions_init(&files);

	if (error)
		return -error;
	error = posix_spawnattr_init(&attributes);
	if (error) {
		posix_spawn_file_actions_destroy(&files);
		return -error;
	}
	error = input < 0 ? posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
			  : posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	if (!error && output < 0)
		error = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (!error && output >= 0)
		error = posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
	if (!error)
		error = stand_apart(&attributes);
	if (!error)
		error = posix_spawnp(ret_pid, argv[0], &files, &attributes, (char *const *)argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return -error;
}

/* Keeps the last line of errors that is not empty. */
static void keep_error(struct printed *p, char c)
{
	if (c == '\n') {
		p->begin = true;
		return;
	}
	p->at = p->begin ? 0 : p->at;
	p->begin = false;
	if (p->at + 1 >= sizeof(p->line))
		return;
	p->line[p->at++] = c < ' ' || c > '~' ? '?' : c;
	p->line[p->at] = '\0';
}

/* Takes what can be read now; closes fd at the end. */
static void take(struct printed *p, int *fd, bool errors)
{
	char buffer[4096];
	ssize_t n = read(*fd, buffer, sizeof(buffer));

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0)
		shut(fd);
	for (ssize_t i = 0; i < n; i++) {
		if (errors)
			keep_error(p, buffer[i]);
		else if (p->length + 1 < p->room)
			p->output[p->length++] = buffer[i];
	}
}

static void take_all(struct printed *p, int *output, int *errors)
{
	while (*output >= 0 || *errors >= 0) {
		struct pollfd both[] = { { .fd = *output, .events = POLLIN }, { .fd = *errors, .events = POLLIN } };

		if (poll(both, 2, -1) < 0 && errno != EINTR)
			return;
		if (both[0].revents)
			take(p, output, false);
		if (both[1].revents)
			take(p, errors, true);
	}
}

static int run(const char *const argv[], int input, struct printed *p, char *message, size_t size)
{
	struct ends output = { -1, -1 }, errors = { -1, -1 };
	int ret, status = -1;
	pid_t pid = -1;

	ret = open_pipe(&errors);
	if (!ret && p->output)
		ret = open_pipe(&output);
	if (!ret)
		ret = start(argv, input, output.write, errors.write, &pid);
	shut(&output.write);
	shut(&errors.write);
	if (!ret) {
		take_all(p, &output.read, &errors.read);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	shut(&output.read);
	shut(&errors.read);
	if (p->output)
		p->output[p->length] = '\0';
	if (ret)
		snprintf(message, size, "%s can't be run: %s", argv[0], strerror(-ret));
	else if (status)
		snprintf(message, size, "%s failed%s%s", argv[0], p->line[0] ? ": " : "", p->line);
	return ret ? ret : status ? -EIO : 0;
}

int tool_run(const char *const argv[], char *message, size_t size)
{
	return run(argv, -1, &(struct printed){ .begin = true }, message, size);
}

int tool_read(const char *const argv[], char *output, size_t room, char *message, size_t size)
{
	return run(argv, -1, &(struct printed){ .output = output, .room = room, .begin = true }, message, size);
}

int tool_feed(const char *const argv[], const char *text, size_t length, char *message, size_t size)
{
	const int input = memfd_create("input", MFD_CLOEXEC);
	int ret;

	if (input < 0 || write(input, text, length) != (ssize_t)length || lseek(input, 0, SEEK_SET)) {
		ret = input < 0 || errno ? -errno : -EIO;
		snprintf(message, size, "%s can't be run: no memory for what it is given", argv[0]);
	} else {
		ret = run(argv, input, &(struct printed){ .begin = true }, message, size);
	}
	if (input >= 0)
		close(input);
	return ret;
}
