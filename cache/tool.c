/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs another program, and keeps the last line of what it complains about. */
#define _GNU_SOURCE 1

#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Start it, with its errors going to the pipe. 0 or a negative errno. */
static int start(const char *const argv[], int errors, pid_t *ret_pid)
{
	posix_spawn_file_actions_t files;
	int error = posix_spawn_file_actions_init(&files);

	if (error)
		return -error;
	error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
	if (!error)
		error = posix_spawnp(ret_pid, argv[0], &files, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return -error;
}

/* Read the pipe to its end; what is kept is the last line that is not empty. */
static void keep_last_line(int fd, char *line, size_t size)
{
	bool begin = true;
	size_t n = 0;
	char c;

	line[0] = '\0';
	while (read(fd, &c, 1) == 1) {
		if (c == '\n') {
			begin = true;
			continue;
		}
		n = begin ? 0 : n;
		begin = false;
		if (n + 1 >= size)
			continue;
		line[n++] = c;
		if (c < ' ' || c > '~')
			line[n - 1] = '?';
		line[n] = '\0';
	}
}

int tool_run(const char *const argv[], char *message, size_t size)
{
	char line[256];
	int fds[2], ret, status = -1;
	pid_t pid = -1;

	if (pipe2(fds, O_CLOEXEC)) {
		snprintf(message, size, "%s can't be run: %s", argv[0], strerror(errno));
		return -errno;
	}
	ret = start(argv, fds[1], &pid);
	close(fds[1]);
	if (!ret) {
		keep_last_line(fds[0], line, sizeof(line));
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(fds[0]);
	if (ret)
		snprintf(message, size, "%s can't be run: %s", argv[0], strerror(-ret));
	else if (status)
		snprintf(message, size, "%s failed%s%s", argv[0], line[0] ? ": " : "", line);
	return ret ? ret : status ? -EIO : 0;
}
