/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forbidden FILE WHAT: enters the sandbox of xfsck, allowed to read FILE and to make temporary files, then tries
 * something, as code would that an image has smuggled in, and prints what came of it: "done", or the name of an error.
 * WHAT is a row of the table at the end.  With a status of 3 for trouble in the test itself; 1 is that of a call that
 * was denied.
 */
#define _GNU_SOURCE 1

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../repair/sandbox/sandbox.h"
#include "temporary.h"

/* Each returns what its call does: negative, with errno, or not. */

static int read_it(const char *file)
{
	return open(file, O_RDONLY);
}

static int write_it(const char *file)
{
	return open(file, O_WRONLY);
}

static int truncate_it(const char *file)
{
	return open(file, O_RDONLY | O_TRUNC);
}

static int read_other(const char *file)
{
	(void)file;
	return open("/etc/passwd", O_RDONLY);
}

static int list_folder(const char *file)
{
	(void)file;
	return open("/etc", O_RDONLY | O_DIRECTORY);
}

/* FILE with this behind it */
static int create(const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.new", file);
	return open(path, O_WRONLY | O_CREAT, 0600);
}

static int add_name(const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.new", file);
	return link(file, path);
}

static int remove_it(const char *file)
{
	return unlink(file);
}

/* That is allowed. */
static int spill(const char *file)
{
	(void)file;
	errno = -temporary_open();
	return errno > 0 ? -1 : 0;
}

static int change_mode(const char *file)
{
	return chmod(file, 0777);
}

static int rename_it(const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.new", file);
	return rename(file, path);
}

static int execute(const char *file)
{
	char *const args[] = { (char[]){ "true" }, NULL };

	(void)file;
	return execv("/bin/true", args);
}

static int new_process(const char *file)
{
	const pid_t child = fork();

	(void)file;
	if (!child)
		_exit(0);
	return child;
}

static int connect_out(const char *file)
{
	(void)file;
	return socket(AF_INET, SOCK_STREAM, 0);
}

static int connect_local(const char *file)
{
	(void)file;
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static int signal_init(const char *file)
{
	(void)file;
	return kill(1, 0);
}

static int trace_init(const char *file)
{
	(void)file;
	return (int)ptrace(PTRACE_ATTACH, 1, NULL, NULL);
}

static int make_code(const char *file)
{
	(void)file;
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
		       ? -1
		       : 0;
}

static int make_ring(const char *file)
{
	struct io_uring ring;
	const int ret = io_uring_queue_init(1, &ring, 0);

	(void)file;
	if (ret < 0)
		errno = -ret;
	return ret;
}

/* What seccomp does not see: a file that a request of io_uring opens. */
static int read_other_by_ring(const char *file)
{
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
	struct io_uring ring;

	if (make_ring(file) < 0 || io_uring_queue_init(1, &ring, 0) < 0)
		errx(3, "no io_uring");
	sqe = io_uring_get_sqe(&ring);
	io_uring_prep_openat(sqe, AT_FDCWD, "/etc/passwd", O_RDONLY, 0);
	if (io_uring_submit_and_wait(&ring, 1) < 0 || io_uring_peek_cqe(&ring, &cqe))
		errx(3, "no completion");
	errno = cqe->res < 0 ? -cqe->res : 0;
	return cqe->res;
}

static void *read_other_later(void *error)
{
	*(int *)error = read_other(NULL) < 0 ? errno : 0;
	return NULL;
}

static int read_other_by_thread(const char *file)
{
	pthread_t thread;
	int error = 0;

	(void)file;
	if (pthread_create(&thread, NULL, read_other_later, &error) || pthread_join(thread, NULL))
		errx(3, "no thread");
	errno = error;
	return error ? -1 : 0;
}

static const struct {
	const char *what;
	int (*try)(const char *file);
	bool uring;
} attempts[] = {
	{ "read", read_it, false },
	{ "write", write_it, false },
	{ "truncate", truncate_it, false },
	{ "read-other", read_other, false },
	{ "read-other-by-thread", read_other_by_thread, false },
	{ "read-other-by-ring", read_other_by_ring, true },
	{ "temporary", spill, false },
	{ "list", list_folder, false },
	{ "create", create, false },
	{ "link", add_name, false },
	{ "remove", remove_it, false },
	{ "rename", rename_it, false },
	{ "chmod", change_mode, false },
	{ "exec", execute, false },
	{ "fork", new_process, false },
	{ "socket", connect_out, false },
	{ "unix-socket", connect_local, false },
	{ "kill", signal_init, false },
	{ "ptrace", trace_init, false },
	{ "code", make_code, false },
	{ "ring", make_ring, false },
};

int main(int argc, char **argv)
{
	struct sandbox_needs needs = { .exit_status = 1 };
	struct sandbox sandbox;
	const char *folder;
	bool unnamed;
	size_t i = 0;

	if (argc != 3)
		errx(3, "forbidden FILE WHAT");
	while (i < sizeof(attempts) / sizeof(attempts[0]) && strcmp(attempts[i].what, argv[2]) != 0)
		i++;
	if (i == sizeof(attempts) / sizeof(attempts[0]))
		errx(3, "no such thing: %s", argv[2]);
	needs.families = attempts[i].uring ? SANDBOX_URING : 0;
	sandbox_begin(&sandbox, needs.families);
	sandbox_allow(&sandbox, argv[1], SANDBOX_READ);
	folder = temporary_folder(&unnamed);
	sandbox_allow(&sandbox, folder, SANDBOX_READ | SANDBOX_WRITE | (unnamed ? 0 : SANDBOX_MAKE | SANDBOX_REMOVE));
	errno = -sandbox_enter(&sandbox, &needs);
	if (errno)
		err(3, "the sandbox");
	puts(attempts[i].try(argv[1]) < 0 ? strerrorname_np(errno) : "done");
	return 0;
}
