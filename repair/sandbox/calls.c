/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restricts system calls to those of call_table.c, by seccomp.
 *
 * Calls of two kinds are denied. Those that only code smuggled in by an image makes, such as execve() or socket(), end
 * the program with a message. All others, which a newer C library may make, fail with ENOSYS, as on an older kernel:
 * libraries then do without them, or report an error. To end the program in the middle of its writes would leave a
 * repair to be finished by the next run.
 *
 * seccomp does not see the requests in io_uring. Landlock does; our rings take only reads (cache/ioq_uring.c); and
 * --engine=threads forbids io_uring.
 */
#define _GNU_SOURCE 1

#include <errno.h>

#include "call_table.h"
#include "sandbox.h"

/*
 * ioctls: those that only ask are allowed, as are sharing blocks and setting flags if files are made; all others fail
 * with ENOTTY. libblkid asks drives of all kinds whether they are such a drive, more of them in each version, and takes
 * ENOTTY for no. libseccomp can't express "all others, but with an error" for arguments, so this is a filter of its
 * own; that of sandbox_calls() checks the architecture.
 */

#ifdef HAVE_LIBSECCOMP
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <endian.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint32_t asking[] = {
	BLKGETSIZE64, /* size and sectors of a device */
	BLKGETSIZE,
	BLKSSZGET,
	BLKPBSZGET,
	BLKALIGNOFF,
	BLKROGET,	   /* is it read-only? */
	LOOP_GET_STATUS64, /* the file of a loop device */
	TIOCGWINSZ,	   /* the width of a terminal */
	TCGETS,		   /* isatty() */
#ifdef TCGETS2
	(uint32_t)TCGETS2, /* the same, glibc 2.42 */
#endif
};

#define ASKING (sizeof(asking) / sizeof(asking[0]))

/* ioctls of families. */
static const struct {
	unsigned family;
	uint32_t request;
} making[] = {
	{ SANDBOX_TREE, FICLONERANGE },
	{ SANDBOX_FLAGS, FS_IOC_FSGETXATTR },
	{ SANDBOX_FLAGS, FS_IOC_FSSETXATTR },
};

#define MAKING (sizeof(making) / sizeof(making[0]))

/* The kernel uses 32 bits of the number. */
#if __BYTE_ORDER == __BIG_ENDIAN
#define REQUEST (offsetof(struct seccomp_data, args[1]) + 4)
#else
#define REQUEST offsetof(struct seccomp_data, args[1])
#endif

/*
 * Makes all ioctls but those above fail with ENOTTY, in all threads. families: of sandbox.h, which allow those of
 * making[]. 0, -ENOSYS: the kernel has no seccomp, or -ENOMEM.
 */
static int sandbox_ioctls(unsigned families)
{
	struct sock_filter code[ASKING + MAKING + 5];
	uint32_t allowed[ASKING + MAKING];
	unsigned short count = 0;
	struct sock_fprog program = { .filter = code };
	unsigned short n = 0;
	long ret;

	while (count < ASKING) {
		allowed[count] = asking[count];
		count++;
	}
	for (size_t i = 0; i < MAKING; i++)
		if (families & making[i].family)
			allowed[count++] = making[i].request;
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 0, count + 2);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, REQUEST);
	for (unsigned short i = 0; i < count; i++)
		code[n++] =
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], (uint8_t)(count - i), 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOTTY);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = n;
	ret = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW | SECCOMP_FILTER_FLAG_TSYNC,
		      &program);
	return !ret ? 0 : ret < 0 && errno == ENOMEM ? -ENOMEM : -ENOSYS;
}
#endif

#ifdef HAVE_LIBSECCOMP
#include <linux/prctl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __s390__ /* the argument of clone() that holds its flags */
#define CLONE_FLAGS 1
#else
#define CLONE_FLAGS 0
#endif

#define FILTER_ROOM (512u << 10) /* bytes; it takes about half of that */

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

/* Adds a rule for a call; 0 also if this architecture does not have the call. */
static int add(scmp_filter_ctx filter, uint32_t action, const char *name, const struct scmp_arg_cmp *arg)
{
	const int number = seccomp_syscall_resolve_name(name);
	int ret;

	if (number == __NR_SCMP_ERROR)
		return 0;
	ret = seccomp_rule_add_array(filter, action, number, arg ? 1 : 0, arg);
	return ret == -EDOM || ret == -EEXIST ? 0 : ret;
}

/* A call that is allowed only with some values of an argument; others end the program. */
struct conditional {
	const char *name;
	struct scmp_arg_cmp allowed, hostile;
};

static int add_conditional(scmp_filter_ctx filter)
{
	const scmp_datum_t self = (scmp_datum_t)getpid();
	const struct conditional calls[] = {
		/* no code but the program's own */
		{ "mmap", SCMP_CMP(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
		  SCMP_CMP(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC) },
		{ "mmap2", SCMP_CMP(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
		  SCMP_CMP(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC) },
		{ "mprotect", SCMP_CMP(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
		  SCMP_CMP(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC) },
		/* raise(), and waking a thread */
		{ "tgkill", SCMP_CMP(0, SCMP_CMP_EQ, self, 0), SCMP_CMP(0, SCMP_CMP_NE, self, 0) },
		/* own limits: stacks of threads */
		{ "prlimit64", SCMP_CMP(0, SCMP_CMP_EQ, 0, 0), SCMP_CMP(0, SCMP_CMP_NE, 0, 0) },
	};
	/* a hint of glibc's */
	const struct scmp_arg_cmp naming = SCMP_CMP(0, SCMP_CMP_EQ, PR_SET_VMA, 0);
	/*
	 * Threads, but no processes. The latter fail with ENOSYS: C libraries block all signals while they start one,
	 * so the program would end without its message.
	 */
	const struct scmp_arg_cmp thread = SCMP_CMP(CLONE_FLAGS, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD);
	int ret = add(filter, SCMP_ACT_ALLOW, "prctl", &naming);

	if (!ret)
		ret = add(filter, SCMP_ACT_ALLOW, "clone", &thread);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls) && !ret; i++) {
		ret = add(filter, SCMP_ACT_ALLOW, calls[i].name, &calls[i].allowed);
		if (!ret)
			ret = add(filter, SCMP_ACT_TRAP, calls[i].name, &calls[i].hostile);
	}
	return ret;
}

static bool is_allowed(const char *name, unsigned families)
{
	for (size_t i = 0; i < allowed_call_count; i++)
		if (!strcmp(allowed_calls[i].name, name))
			return !allowed_calls[i].family || allowed_calls[i].family & families;
	return false;
}

static int add_all(scmp_filter_ctx filter, const struct sandbox_needs *needs)
{
	/* libnbd signals its server, which ends by itself once its connection is closed */
	int ret = add(filter, needs->families & SANDBOX_PROGRAMS ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_TRAP, "kill", NULL);

	if (!ret)
		ret = add_conditional(filter);
	for (size_t i = 0; i < allowed_call_count && !ret; i++)
		if (is_allowed(allowed_calls[i].name, needs->families))
			ret = add(filter, SCMP_ACT_ALLOW, allowed_calls[i].name, NULL);
	for (size_t i = 0; i < hostile_call_count && !ret; i++)
		if (!is_allowed(hostile_calls[i], needs->families))
			ret = add(filter, SCMP_ACT_TRAP, hostile_calls[i], NULL);
	return ret;
}

/* Prints which call was denied, as a signal handler may, and exits. */
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

/* A handler can't read the exit status from a variable: there is one for each status that means trouble. */
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
 * True if there is memory for libseccomp: if it runs out in between, it does not always notice (2.5.4), and the filter
 * lacks calls. No other thread allocates meanwhile.
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
	scmp_filter_ctx filter = has_room() ? seccomp_init(SCMP_ACT_ERRNO(ENOSYS)) : NULL;
	int ret = filter ? 0 : -ENOMEM;

	/* no barriers against speculation by untrusted code, which cost time: this code is trusted */
	if (!ret)
		ret = seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
	/* for all threads; there should be none yet, since Landlock confines only this one */
	if (!ret)
		ret = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	/* as a binary tree: frequent calls don't have to pass all others */
	if (!ret)
		ret = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (!ret)
		ret = add_all(filter, needs);
	if (!ret)
		ret = handle_denied(needs->exit_status);
	if (!ret)
		ret = sandbox_ioctls(needs->families);
	if (!ret) {
		ret = seccomp_load(filter);
		if (ret && ret != -ENOMEM)
			ret = -ENOSYS; /* the kernel, or a sandbox around us, does not allow it */
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
