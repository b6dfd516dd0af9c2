/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ioctls: those that only ask are let through, and sharing blocks and setting flags if files are made, any other fails
 * with ENOTTY.  For libblkid asks drives of all kinds, and in each version more, whether they are such a drive, and
 * takes that for no; to end the program for it would be too much.  libseccomp can't say "any other, but with an error"
 * of arguments, so this is a filter of its own below that of calls.c, which has seen to it that the architecture is
 * ours.
 */
#include "ioctls.h"

#include "sandbox.h"

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
	BLKROGET,	   /* whether it may be written */
	LOOP_GET_STATUS64, /* what a loop device lies on */
	TIOCGWINSZ,	   /* how wide a terminal is */
	TCGETS,		   /* isatty() */
#ifdef TCGETS2
	(uint32_t)TCGETS2, /* the same, glibc 2.42 */
#endif
};

#define ASKING (sizeof(asking) / sizeof(asking[0]))

/* Those of families. */
static const struct {
	unsigned family;
	uint32_t request;
} making[] = {
	{ SANDBOX_TREE, FICLONERANGE },
	{ SANDBOX_FLAGS, FS_IOC_FSGETXATTR },
	{ SANDBOX_FLAGS, FS_IOC_FSSETXATTR },
};

#define MAKING (sizeof(making) / sizeof(making[0]))

/* The kernel looks at 32 bits of the number. */
#if __BYTE_ORDER == __BIG_ENDIAN
#define REQUEST (offsetof(struct seccomp_data, args[1]) + 4)
#else
#define REQUEST offsetof(struct seccomp_data, args[1])
#endif

int sandbox_ioctls(unsigned families)
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
