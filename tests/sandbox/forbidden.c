/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forbidden FILE WHAT [MODE]: enters the sandbox of xfsck, as a run of that mode does that reads FILE, then tries
 * something that injected code might do, and prints the result: "done", or the name of an error.  WHAT is a row of the
 * table of attempts, MODE of that of modes.  Exits with 3 if the test itself fails; 1 is the status of a denied call.
 */
#define _GNU_SOURCE 1

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../../repair/sandbox/sandbox.h"
#include "whole.h"

/* Each returns the result of its call: negative, with errno, or not. */

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

/* FILE with a suffix */
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

/* allowed */
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

/* Sets inode flags, which only runs with that option may do. */
static int change_flags(const char *file)
{
	const int fd = open(file, O_RDONLY);
	struct fsxattr none = { 0 };

	if (fd < 0)
		err(3, "%s", file);
	return ioctl(fd, FS_IOC_FSSETXATTR, &none);
}

static int rename_it(const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.new", file);
	return rename(file, path);
}

static int make_folder(const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.new", file);
	return mkdir(path, 0700);
}

static int make_node(const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.new", file);
	return mknod(path, S_IFIFO | 0600, 0);
}

static int make_link(const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.new", file);
	return symlink("/etc/passwd", path);
}

/* Moves a file out of the folder in which a tree may be created, which is the current one, FILE.tree, and into it. */
static int move_out(const char *file)
{
	char to[4096];

	snprintf(to, sizeof(to), "%s.new", file);
	return rename("file", to);
}

static int move_in(const char *file)
{
	return rename(file, "new");
}

static int link_in(const char *file)
{
	return link(file, "new");
}

/* Does what is allowed there: creates a file, and moves it to a new folder. */
static int make_tree(const char *file)
{
	int fd, ret;

	(void)file;
	if (mkdir("sub", 0700))
		return -1;
	fd = open("made", O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return -1;
	ret = ftruncate(fd, 5) || fchmod(fd, 0640) || fchown(fd, getuid(), getgid()) || futimens(fd, NULL) ||
	      rename("made", "sub/made") || link("sub/made", "sub/second");
	close(fd);
	return ret ? -1 : 0;
}

/* Opens a device that was created there: /dev/zero. */
static int open_node(const char *file)
{
	(void)file;
	if (mknod("node", S_IFCHR | 0666, makedev(1, 5)))
		err(3, "mknod");
	return open("node", O_RDONLY);
}

/* Writes through a link that leads out of the folder. */
static int write_by_link(const char *file)
{
	if (symlink(file, "out"))
		return -1;
	return open("out", O_WRONLY);
}

/* Makes an unforeseen call that libraries can do without. */
static int unknown(const char *file)
{
	(void)file;
	return (int)syscall(SYS_getpgid, 0);
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

/* ---- requests that seccomp does not see: in a ring of our own, which is not restricted ---- */

static void open_ring(struct io_uring *ring)
{
	if (io_uring_queue_init(1, ring, 0) < 0)
		errx(3, "no io_uring");
}

static int do_in_ring(struct io_uring *ring)
{
	struct io_uring_cqe *cqe;
	int ret;

	if (io_uring_submit_and_wait(ring, 1) < 0 || io_uring_peek_cqe(ring, &cqe))
		errx(3, "no completion");
	ret = cqe->res;
	io_uring_cqe_seen(ring, cqe);
	errno = ret < 0 ? -ret : 0;
	return ret;
}

static int read_other_by_ring(const char *file)
{
	struct io_uring ring;

	(void)file;
	open_ring(&ring);
	io_uring_prep_openat(io_uring_get_sqe(&ring), AT_FDCWD, "/etc/passwd", O_RDONLY, 0);
	return do_in_ring(&ring);
}

static int create_by_ring(const char *file)
{
	struct io_uring ring;
	char path[4096];

	snprintf(path, sizeof(path), "%s.new", file);
	open_ring(&ring);
	io_uring_prep_openat(io_uring_get_sqe(&ring), AT_FDCWD, path, O_WRONLY | O_CREAT, 0600);
	return do_in_ring(&ring);
}

static int remove_by_ring(const char *file)
{
	struct io_uring ring;

	open_ring(&ring);
	io_uring_prep_unlinkat(io_uring_get_sqe(&ring), AT_FDCWD, file, 0);
	return do_in_ring(&ring);
}

/* The ring creates a socket, too, but TCP connects to nothing. */
static int connect_by_ring(const char *file)
{
	const struct sockaddr_in at = { .sin_family = AF_INET,
					.sin_port = htons(1),
					.sin_addr = { htonl(0x7f000001) } };
	struct io_uring ring;
	int fd;

	(void)file;
	open_ring(&ring);
	io_uring_prep_socket(io_uring_get_sqe(&ring), AF_INET, SOCK_STREAM, 0, 0);
	fd = do_in_ring(&ring);
	if (fd < 0)
		return fd;
	io_uring_prep_connect(io_uring_get_sqe(&ring), fd, (const struct sockaddr *)&at, sizeof(at));
	return do_in_ring(&ring);
}

/* ---- */

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
} attempts[] = {
	{ "read", read_it },
	{ "write", write_it },
	{ "truncate", truncate_it },
	{ "read-other", read_other },
	{ "read-other-by-thread", read_other_by_thread },
	{ "read-other-by-ring", read_other_by_ring },
	{ "create-by-ring", create_by_ring },
	{ "remove-by-ring", remove_by_ring },
	{ "connect-by-ring", connect_by_ring },
	{ "temporary", spill },
	{ "list", list_folder },
	{ "create", create },
	{ "link", add_name },
	{ "remove", remove_it },
	{ "rename", rename_it },
	{ "chmod", change_mode },
	{ "flags", change_flags },
	{ "folder", make_folder },
	{ "node", make_node },
	{ "symlink", make_link },
	{ "move-out", move_out },
	{ "move-in", move_in },
	{ "link-in", link_in },
	{ "tree", make_tree },
	{ "write-by-link", write_by_link },
	{ "open-node", open_node },
	{ "unknown", unknown },
	{ "exec", execute },
	{ "fork", new_process },
	{ "socket", connect_out },
	{ "unix-socket", connect_local },
	{ "kill", signal_init },
	{ "ptrace", trace_init },
	{ "code", make_code },
	{ "ring", make_ring },
};

/* The needs of repair/front/confine.c. */
static const struct mode {
	const char *name;
	unsigned rights, families;
} modes[] = {
	{ "check", SANDBOX_READ, 0 },
	{ "uring", SANDBOX_READ, SANDBOX_URING },
	{ "repair", SANDBOX_READ | SANDBOX_WRITE, SANDBOX_URING },
	{ "server", SANDBOX_READ, SANDBOX_SERVER },
	{ "preview", SANDBOX_READ, SANDBOX_SERVER | SANDBOX_PROGRAMS },
	{ "extract", SANDBOX_READ, SANDBOX_TREE },
};

static const struct mode *find_mode(const char *name)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(modes[i].name, name))
			return &modes[i];
	errx(3, "no such mode: %s", name);
}

static void enter(const char *file, const struct mode *mode)
{
	const struct sandbox_needs needs = { .families = mode->families, .exit_status = 1 };
	struct sandbox sandbox;
	const char *folder;
	char tree[4096];
	int root, mount;
	bool unnamed;

	snprintf(tree, sizeof(tree), "%s.tree", file);
	folder = temporary_folder(&unnamed);
	root = needs.families & SANDBOX_TREE ? open(tree, O_RDONLY | O_DIRECTORY) : -1;
	if (root >= 0 && !sandbox_mounts(tree, &root, folder, &mount))
		snprintf(tree, sizeof(tree), "/proc/self/fd/%d", root);
	if (root >= 0 && fchdir(root))
		err(3, "fchdir");
	sandbox_begin(&sandbox, needs.families);
	sandbox_allow(&sandbox, file, mode->rights);
	if (needs.families & SANDBOX_TREE)
		sandbox_allow(&sandbox, tree,
			      SANDBOX_READ | SANDBOX_WRITE | SANDBOX_LIST | SANDBOX_MAKE | SANDBOX_REMOVE |
				      SANDBOX_RMDIR | SANDBOX_GROW);
	sandbox_allow(&sandbox, folder, SANDBOX_READ | SANDBOX_WRITE | (unnamed ? 0 : SANDBOX_MAKE | SANDBOX_REMOVE));
	errno = -sandbox_enter(&sandbox, &needs);
	if (errno)
		err(3, "the sandbox");
}

int main(int argc, char **argv)
{
	size_t i = 0;

	if (argc != 3 && argc != 4)
		errx(3, "forbidden FILE WHAT [MODE]");
	while (i < sizeof(attempts) / sizeof(attempts[0]) && strcmp(attempts[i].what, argv[2]) != 0)
		i++;
	if (i == sizeof(attempts) / sizeof(attempts[0]))
		errx(3, "no such thing: %s", argv[2]);
	enter(argv[1], find_mode(argc == 4 ? argv[3] : "check"));
	puts(attempts[i].try(argv[1]) < 0 ? strerrorname_np(errno) : "done");
	return 0;
}
