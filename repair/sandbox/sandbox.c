/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restricts files and TCP, by Landlock. There is no library for it, and older headers lack some or all of it, so the
 * kernel's interface (linux/landlock.h) is repeated here.
 */
#define _GNU_SOURCE 1

#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
/* "make coverage" writes its counts at the end of the program, to files unknown to the sandbox */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(XFSCK_COVERAGE)
#define SANITIZED 1
#endif

/* ---- the kernel's interface: these numbers are the same on all architectures ---- */

#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_ADD_RULE	445
#define LANDLOCK_RESTRICT_SELF	446
#define ASK_VERSION		1u
#define PATH_BENEATH		1

struct ruleset_attr {
	uint64_t fs;
	uint64_t net;	 /* ABI 4 */
	uint64_t scoped; /* ABI 6 */
};

struct path_attr {
	uint64_t allowed;
	int32_t parent_fd;
} __attribute__((packed));

#define FS_EXECUTE     (UINT64_C(1) << 0)
#define FS_WRITE_FILE  (UINT64_C(1) << 1)
#define FS_READ_FILE   (UINT64_C(1) << 2)
#define FS_READ_DIR    (UINT64_C(1) << 3)
#define FS_REMOVE_DIR  (UINT64_C(1) << 4)
#define FS_REMOVE_FILE (UINT64_C(1) << 5)
#define FS_MAKE_CHAR   (UINT64_C(1) << 6)
#define FS_MAKE_DIR    (UINT64_C(1) << 7)
#define FS_MAKE_REG    (UINT64_C(1) << 8)
#define FS_MAKE_SOCK   (UINT64_C(1) << 9)
#define FS_MAKE_FIFO   (UINT64_C(1) << 10)
#define FS_MAKE_BLOCK  (UINT64_C(1) << 11)
#define FS_MAKE_SYM    (UINT64_C(1) << 12)
#define FS_REFER       (UINT64_C(1) << 13) /* ABI 2 */
#define FS_TRUNCATE    (UINT64_C(1) << 14)
#define FS_IOCTL_DEV   (UINT64_C(1) << 15)
#define FS_OF_TREES                                                                                                    \
	(FS_MAKE_CHAR | FS_MAKE_DIR | FS_MAKE_SOCK | FS_MAKE_FIFO | FS_MAKE_BLOCK | FS_MAKE_SYM | FS_REFER |           \
	 FS_TRUNCATE)
#define FS_OF_FILES                                                                                                    \
	(FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_IOCTL_DEV) /* all other bits are for folders only              \
								    */

/* Returns the rights that an ABI knows: 13 at first; then links between directories, truncation, ioctls of devices. */
static uint64_t fs_known(int abi)
{
	static const unsigned bits[] = { 0, 13, 14, 15, 15, 16 };

	return (UINT64_C(1) << bits[abi < 5 ? abi : 5]) - 1;
}

static size_t attr_size(int abi)
{
	return abi < 4	 ? offsetof(struct ruleset_attr, net)
	       : abi < 6 ? offsetof(struct ruleset_attr, scoped)
			 : sizeof(struct ruleset_attr);
}

/* ---- rules ---- */

void sandbox_begin(struct sandbox *s, unsigned families)
{
	struct ruleset_attr attr = { .net = 3, .scoped = 3 }; /* bind and connect; sockets and signals */
	long abi = syscall(LANDLOCK_CREATE_RULESET, NULL, 0, ASK_VERSION);

	*s = (struct sandbox){ .ruleset = -1 };
#ifdef SANITIZED
	(void)families;
	return;
#endif
	if (abi < 1 || (abi < 2 && families & SANDBOX_TREE))
		return;
	s->landlock = abi < 1000 ? (int)abi : 1000;
	attr.fs = s->handled = fs_known(s->landlock);
	s->ruleset = (int)syscall(LANDLOCK_CREATE_RULESET, &attr, attr_size(s->landlock), 0);
	if (s->ruleset < 0)
		s->error = -errno;
}

static uint64_t fs_rights(unsigned rights)
{
	return (rights & SANDBOX_READ ? FS_READ_FILE : 0) | (rights & SANDBOX_WRITE ? FS_WRITE_FILE : 0) |
	       (rights & SANDBOX_LIST ? FS_READ_DIR : 0) | (rights & SANDBOX_MAKE ? FS_MAKE_REG : 0) |
	       (rights & SANDBOX_REMOVE ? FS_REMOVE_FILE : 0) | (rights & SANDBOX_RMDIR ? FS_REMOVE_DIR : 0) |
	       (rights & SANDBOX_IOCTL ? FS_IOCTL_DEV : 0) | (rights & SANDBOX_GROW ? FS_OF_TREES : 0) |
	       (rights & SANDBOX_EXECUTE ? FS_EXECUTE : 0);
}

void sandbox_allow(struct sandbox *s, const char *path, unsigned rights)
{
	struct path_attr attr = { .allowed = fs_rights(rights) & s->handled };
	struct stat st;
	int fd;

	if (s->ruleset < 0 || s->error)
		return;
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return;
	attr.parent_fd = fd;
	if (!fstat(fd, &st) && !S_ISDIR(st.st_mode))
		attr.allowed &= FS_OF_FILES;
	/* EBADFD: on an internal file system, such as a pipe, on which Landlock forbids nothing */
	if (attr.allowed && syscall(LANDLOCK_ADD_RULE, s->ruleset, PATH_BENEATH, &attr, 0) && errno != EBADFD)
		s->error = -errno;
	close(fd);
}

int sandbox_enter_files(struct sandbox *s)
{
	int ret = s->error;

#ifdef SANITIZED
	return 0;
#endif
	if (!ret && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		ret = -errno;
	if (!ret && s->ruleset >= 0 && syscall(LANDLOCK_RESTRICT_SELF, s->ruleset, 0))
		ret = -errno;
	if (s->ruleset >= 0)
		close(s->ruleset);
	s->ruleset = -1;
	return ret;
}

int sandbox_enter(struct sandbox *s, const struct sandbox_needs *needs)
{
	int ret = sandbox_enter_files(s);

#ifdef SANITIZED
	(void)needs;
	return 0;
#endif
	if (ret)
		return ret;
	ret = sandbox_calls(needs);
	s->seccomp = !ret;
	return ret == -ENOSYS ? 0 : ret;
}

void sandbox_describe(const struct sandbox *s, char *sentence, size_t size)
{
	char landlock[40] = "no Landlock";

	if (!sandbox_built()) {
		snprintf(sentence, size, "Sandbox: none in this build, which has sanitizers.");
		return;
	}
	if (s->landlock)
		snprintf(landlock, sizeof(landlock), "Landlock (ABI %d)", s->landlock);
	snprintf(sentence, size, "Sandbox: %s, %s, no new privileges.", landlock,
		 s->seccomp ? "seccomp" : "no seccomp");
}

const char *sandbox_built(void)
{
#if defined(SANITIZED)
	return NULL;
#elif defined(HAVE_LIBSECCOMP)
	return "Landlock, seccomp";
#else
	return "Landlock, no seccomp";
#endif
}
