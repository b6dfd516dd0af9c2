/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kill_at_write FILE N TORN COMMAND...: runs the command and kills it when it is about to write to the file for the
 * N-th time (from 1), like a power cut: only the first TORN bytes of that write reach the file.  N 0: the command is
 * not killed, and the number of its writes goes to standard error.  Exits with 137 if it was killed, else as the
 * command.  All threads of the command are traced; writes of others at that moment may reach the file or not.
 */
#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/ptrace.h>

#define TROUBLE 125

static int trouble(const char *what)
{
	fprintf(stderr, "kill_at_write: %s: %s\n", what, strerror(errno));
	return TROUBLE;
}

/* True if the thread is about to call pwrite() on the file; args[]: the arguments of that call. */
static int about_to_write(pid_t thread, const struct stat *file, uint64_t args[6])
{
	struct ptrace_syscall_info info;
	struct stat st;
	char name[64];

	if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof(info), &info) <= 0 || info.op != PTRACE_SYSCALL_INFO_ENTRY ||
	    info.entry.nr != SYS_pwrite64)
		return 0;
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)thread, (int)info.entry.args[0]);
	if (stat(name, &st) || st.st_dev != file->st_dev || st.st_ino != file->st_ino)
		return 0;
	memcpy(args, info.entry.args, sizeof(info.entry.args));
	return 1;
}

/* Writes the first `torn` bytes of the write that the child was about to make, by its arguments.  0 or TROUBLE. */
static int tear(pid_t child, const char *path, const uint64_t args[6], size_t torn)
{
	size_t len = torn < args[2] ? torn : args[2];
	char name[64], *bytes = malloc(len + 1);
	int mem, file, ret = TROUBLE;

	snprintf(name, sizeof(name), "/proc/%d/mem", (int)child);
	mem = open(name, O_RDONLY);
	file = open(path, O_WRONLY);
	if (bytes && mem >= 0 && file >= 0 && pread(mem, bytes, len, (off_t)args[1]) == (ssize_t)len &&
	    pwrite(file, bytes, len, (off_t)args[3]) == (ssize_t)len)
		ret = 0;
	if (mem >= 0)
		close(mem);
	if (file >= 0)
		close(file);
	free(bytes);
	return ret;
}

/* Kills the child and waits for all of its threads: the first is known to be gone only after the others. */
static int end(pid_t child)
{
	pid_t thread;
	int status;

	kill(child, SIGKILL);
	do
		thread = waitpid(-1, &status, __WALL);
	while (thread > 0 && (thread != child || !(WIFEXITED(status) || WIFSIGNALED(status))));
	return 137;
}

/* The signal to pass on to a stopped thread; 0: it stopped because it is traced. */
static int signal_of(int status)
{
	int signal = WSTOPSIG(status);

	return signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
}

static int watch(pid_t child, const char *path, unsigned long last, size_t torn)
{
	unsigned long writes = 0;
	uint64_t args[6];
	struct stat file;
	pid_t thread = child;
	int status, signal = 0;

	if (stat(path, &file) || waitpid(child, &status, 0) < 0 ||
	    ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE))
		return trouble(path);
	for (;;) {
		/* a thread may have ended */
		if (ptrace(PTRACE_SYSCALL, thread, NULL, signal) && errno != ESRCH)
			return trouble("watching");
		thread = waitpid(-1, &status, __WALL);
		if (thread < 0)
			return trouble("watching");
		if (thread != child && (WIFEXITED(status) || WIFSIGNALED(status))) {
			signal = 0;
			continue;
		}
		if (WIFEXITED(status)) {
			if (!last)
				fprintf(stderr, "%lu\n", writes);
			return WEXITSTATUS(status);
		}
		if (WIFSIGNALED(status))
			return 128 + WTERMSIG(status);
		signal = signal_of(status);
		if (!about_to_write(thread, &file, args) || ++writes != last)
			continue;
		return torn && tear(thread, path, args, torn) ? trouble("tearing") : end(child);
	}
}

int main(int argc, char **argv)
{
	pid_t child;

	if (argc < 5)
		return TROUBLE;
	child = fork();
	if (child < 0)
		return trouble("fork");
	if (!child) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(TROUBLE);
		unsetenv("HELD"); /* the child itself is to be traced, see tested.c */
		execvp(argv[4], argv + 4);
		_exit(TROUBLE);
	}
	return watch(child, argv[1], strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
}
