/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls, by seccomp.  One table has all that may be called from then on, and what for.  A name that this
 * architecture, libseccomp or C library does not have is left out, so it lists what glibc and musl use on 64-bit
 * machines: open and poll on x86_64 are openat and ppoll on aarch64.
 *
 * Any other call ends the program with a message; where a library just tries, it fails instead.
 *
 * io_uring is not confined by this: what its requests do is not seen by seccomp.  Landlock sees it, and with
 * --engine=threads io_uring itself is forbidden.
 */
#define _GNU_SOURCE 1

#include "ioctls.h"
#include "sandbox.h"

#include <errno.h>

#ifdef HAVE_LIBSECCOMP
#include <linux/prctl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __s390__ /* where clone() has it */
#define CLONE_FLAGS 1
#else
#define CLONE_FLAGS 0
#endif

#define FILTER_ROOM (512u << 10) /* bytes; it takes about half of that */

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

enum when {
	ALWAYS,
	URING,	  /* if reads go through io_uring */
	NETWORK,  /* if a device is reached through sockets */
	RENAMING, /* if a file is replaced */
};

/* ---- calls that are allowed whatever their arguments ---- */

static const struct {
	const char *name;
	enum when when;
} allowed[] = {
	/* reading devices, and writing to them, to undo files, temporary files and reports */
	{ "read", ALWAYS },
	{ "readv", ALWAYS },
	{ "pread64", ALWAYS },
	{ "preadv", ALWAYS },
	{ "preadv2", ALWAYS },
	{ "write", ALWAYS },
	{ "writev", ALWAYS },
	{ "pwrite64", ALWAYS },
	{ "pwritev", ALWAYS },
	{ "pwritev2", ALWAYS },
	{ "lseek", ALWAYS },   /* holes of images; streams */
	{ "_llseek", ALWAYS }, /* the same on 32-bit machines */
	{ "fsync", ALWAYS },   /* commit */
	{ "fdatasync", ALWAYS },
	{ "fallocate", ALWAYS }, /* room in a temporary file */
	{ "ftruncate", ALWAYS }, /* an undo file that is begun again */
	{ "ftruncate64", ALWAYS },
	{ "fadvise64", ALWAYS }, /* reads are at random; libblkid's */
	{ "fadvise64_64", ALWAYS },
	{ "arm_fadvise64_64", ALWAYS },
	{ "readahead", ALWAYS }, /* libblkid */

	/* the log and the realtime device, whether somebody uses a device, temporary files: Landlock says which */
	{ "open", ALWAYS },
	{ "openat", ALWAYS },
	{ "openat2", ALWAYS },
	{ "close", ALWAYS },
	{ "stat", ALWAYS },
	{ "stat64", ALWAYS },
	{ "lstat", ALWAYS },
	{ "lstat64", ALWAYS },
	{ "fstat", ALWAYS },
	{ "fstat64", ALWAYS },
	{ "newfstatat", ALWAYS },
	{ "fstatat64", ALWAYS },
	{ "statx", ALWAYS },
	{ "statfs", ALWAYS },
	{ "statfs64", ALWAYS },
	{ "fstatfs", ALWAYS },
	{ "fstatfs64", ALWAYS },
	{ "access", ALWAYS },
	{ "faccessat", ALWAYS },
	{ "faccessat2", ALWAYS },
	{ "readlink", ALWAYS },
	{ "readlinkat", ALWAYS },
	{ "getdents", ALWAYS }, /* loop devices */
	{ "getdents64", ALWAYS },
	{ "getcwd", ALWAYS }, /* libblkid and libmount make names absolute */
	{ "dup", ALWAYS },
	{ "ioctl", ALWAYS }, /* ioctls.c says which */
	{ "fcntl", ALWAYS }, /* O_DIRECT on and off */
	{ "fcntl64", ALWAYS },
	{ "flock", ALWAYS }, /* the log and the realtime device */

	/* names: an undo file gets one; files without one are created with one where the file system wants that */
	{ "link", ALWAYS },
	{ "linkat", ALWAYS },
	{ "unlink", ALWAYS },
	{ "unlinkat", ALWAYS },
	{ "rmdir", ALWAYS }, /* the folder of undo files, if it was made in vain */
	{ "mkdir", ALWAYS }, /* the folder of undo files: it is there, which this finds out */
	{ "mkdirat", ALWAYS },

	/* memory; mmap() and mprotect() are below */
	{ "brk", ALWAYS },
	{ "munmap", ALWAYS },
	{ "mremap", ALWAYS },
	{ "madvise", ALWAYS },
	{ "mincore", ALWAYS },
	{ "membarrier", ALWAYS }, /* liburcu */

	/* threads, locks, signals; clone() and tgkill() are below */
	{ "futex", ALWAYS },
	{ "futex_time64", ALWAYS },
	{ "set_robust_list", ALWAYS },
	{ "set_tid_address", ALWAYS },
	{ "rseq", ALWAYS },
	{ "gettid", ALWAYS },
	{ "getpid", ALWAYS },
	{ "sched_yield", ALWAYS },
	{ "sched_getaffinity", ALWAYS }, /* malloc's arenas */
	{ "sched_getparam", ALWAYS },
	{ "sched_getscheduler", ALWAYS },
	{ "getcpu", ALWAYS },
	{ "rt_sigaction", ALWAYS },
	{ "rt_sigprocmask", ALWAYS },
	{ "rt_sigreturn", ALWAYS },
	{ "rt_sigtimedwait", ALWAYS }, /* sigwait() */
	{ "rt_sigtimedwait_time64", ALWAYS },
	{ "restart_syscall", ALWAYS },
	{ "exit", ALWAYS },
	{ "exit_group", ALWAYS },

	/* time, progress, numbers of the system and of the run */
	{ "clock_gettime", ALWAYS },
	{ "clock_gettime64", ALWAYS },
	{ "clock_getres", ALWAYS },
	{ "clock_nanosleep", ALWAYS },
	{ "clock_nanosleep_time64", ALWAYS },
	{ "nanosleep", ALWAYS },
	{ "gettimeofday", ALWAYS },
	{ "time", ALWAYS },
	{ "poll", ALWAYS },
	{ "ppoll", ALWAYS },
	{ "ppoll_time64", ALWAYS },
	{ "getrandom", ALWAYS },
	{ "getrusage", ALWAYS },
	{ "sysinfo", ALWAYS },
	{ "uname", ALWAYS },
	{ "getuid", ALWAYS }, /* libblkid: whether the environment may be relied on */
	{ "geteuid", ALWAYS },
	{ "getppid", ALWAYS }, /* libuuid: for a new log, as the other ids */
	{ "getgid", ALWAYS },
	{ "getegid", ALWAYS },
	{ "prlimit64", ALWAYS }, /* stacks of threads */
	{ "getrlimit", ALWAYS },

	{ "renameat", RENAMING }, /* a checkpoint takes the place of the last one */
	{ "renameat2", RENAMING },

	{ "io_uring_setup", URING }, /* each queue has a ring of its own */
	{ "io_uring_enter", URING },
	{ "io_uring_register", URING },

	{ "socket", NETWORK },
	{ "socketpair", NETWORK },
	{ "connect", NETWORK },
	{ "sendto", NETWORK },
	{ "sendmsg", NETWORK },
	{ "recvfrom", NETWORK },
	{ "recvmsg", NETWORK },
	{ "shutdown", NETWORK },
	{ "getsockopt", NETWORK },
	{ "setsockopt", NETWORK },
	{ "getsockname", NETWORK },
	{ "getpeername", NETWORK },
};

/* ---- calls that a library tries, and does without if they fail ---- */

static const struct {
	const char *name;
	int error;
} failing[] = {
	{ "clone3", ENOSYS }, /* its flags can't be looked at; glibc then takes clone() */
	{ "mseal", ENOSYS },
	{ "set_mempolicy_home_node", ENOSYS },
};

/* ---- */

/* Add a rule; what this architecture does not have is no error. */
static int add(scmp_filter_ctx filter, uint32_t action, const char *name, const struct scmp_arg_cmp *arg)
{
	const int number = seccomp_syscall_resolve_name(name);
	int ret;

	if (number == __NR_SCMP_ERROR)
		return 0;
	ret = seccomp_rule_add_array(filter, action, number, arg ? 1 : 0, arg);
	return ret == -EDOM || ret == -EEXIST ? 0 : ret;
}

/* Those that are allowed with some arguments only. */
static int add_conditional(scmp_filter_ctx filter)
{
	const struct scmp_arg_cmp not_executable = SCMP_CMP(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
	const struct scmp_arg_cmp thread = SCMP_CMP(CLONE_FLAGS, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD);
	const struct scmp_arg_cmp ourselves = SCMP_CMP(0, SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0);
	/* a hint of glibc's */
	const struct scmp_arg_cmp naming = SCMP_CMP(0, SCMP_CMP_EQ, PR_SET_VMA, 0);
	int ret = add(filter, SCMP_ACT_ALLOW, "mmap", &not_executable);

	if (!ret)
		ret = add(filter, SCMP_ACT_ALLOW, "mmap2", &not_executable);
	if (!ret)
		ret = add(filter, SCMP_ACT_ALLOW, "mprotect", &not_executable);
	if (!ret)
		ret = add(filter, SCMP_ACT_ALLOW, "clone", &thread); /* no new process */
	if (!ret)
		ret = add(filter, SCMP_ACT_ALLOW, "tgkill", &ourselves); /* raise(), and waking a thread */
	if (!ret)
		ret = add(filter, SCMP_ACT_ALLOW, "prctl", &naming);
	return ret;
}

static int add_all(scmp_filter_ctx filter, const struct sandbox_needs *needs)
{
	const bool needed[] = {
		[ALWAYS] = true, [URING] = needs->uring, [NETWORK] = needs->network, [RENAMING] = needs->renaming
	};
	int ret = add_conditional(filter);

	for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed) && !ret; i++)
		if (needed[allowed[i].when])
			ret = add(filter, SCMP_ACT_ALLOW, allowed[i].name, NULL);
	for (size_t i = 0; i < sizeof(failing) / sizeof(*failing) && !ret; i++)
		ret = add(filter, SCMP_ACT_ERRNO((uint32_t)failing[i].error), failing[i].name, NULL);
	return ret;
}

/* Say which call it was, by what a signal handler may do, and end. */
static void denied(const siginfo_t *info, int exit_status)
{
	static const char before[] = "xfsck: the sandbox does not allow system call ",
			  after[] = "; --no-sandbox runs without it\n";
	char line[sizeof(before) + sizeof(after) + 16], digits[16];
	unsigned number = (unsigned)info->si_syscall;
	size_t length = sizeof(before) - 1, count = 0;
	ssize_t written;

	memcpy(line, before, length);
	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count)
		line[length++] = digits[--count];
	memcpy(line + length, after, sizeof(after) - 1);
	length += sizeof(after) - 1;
	written = write(STDERR_FILENO, line, length);
	(void)written;
	_exit(exit_status);
}

/* There is no variable that could tell a handler the status: one for each that is in use for trouble. */
static void denied_1(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	denied(info, 1);
}

static void denied_8(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	denied(info, 8);
}

static int handle_denied(int exit_status)
{
	struct sigaction action = { .sa_sigaction = exit_status == 8 ? denied_8 : denied_1, .sa_flags = SA_SIGINFO };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGSYS);
	return sigaction(SIGSYS, &action, NULL) || sigprocmask(SIG_UNBLOCK, &set, NULL) ? -errno : 0;
}

/*
 * True if there is memory for libseccomp: where it gets none in the middle, it does not always notice (2.5.4), and the
 * filter lacks calls.  No other thread takes any meanwhile.
 */
static bool has_room(void)
{
	void *volatile room = malloc(FILTER_ROOM);
	const bool enough = room;

	free(room);
	return enough;
}

int sandbox_calls(const struct sandbox_needs *needs)
{
	scmp_filter_ctx filter = has_room() ? seccomp_init(SCMP_ACT_TRAP) : NULL;
	int ret = filter ? 0 : -ENOMEM;

	/* so as not to be slowed down by what keeps speculation of untrusted code in check: ours is no such code */
	if (!ret)
		ret = seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
	/* a tree: the calls that are made most often need not pass by all others */
	if (!ret)
		ret = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (!ret)
		ret = add_all(filter, needs);
	if (!ret)
		ret = handle_denied(needs->exit_status);
	if (!ret)
		ret = sandbox_ioctls();
	if (!ret) {
		ret = seccomp_load(filter);
		if (ret && ret != -ENOMEM)
			ret = -ENOSYS; /* the kernel lacks it, or what runs us does not let us have it */
	}
	seccomp_release(filter);
	return ret;
}

#else

int sandbox_calls(const struct sandbox_needs *needs)
{
	(void)needs;
	return -ENOSYS;
}

#endif
